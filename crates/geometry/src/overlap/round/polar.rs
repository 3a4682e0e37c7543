//! Integrals over the overlap of two capsules, in polar coordinates about a point inside.
//!
//! The overlap is convex, so that every ray from a point inside leaves it once, through A's surface or through B's,
//! and both distances are roots of quadratics. Volume and surface integrals are sums of thin cones over those points.
//! Gauss's rule is applied between the places where the integrand is not smooth: the rim where the surfaces cross, and
//! the seams where a cylinder goes over into its half balls.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glam::DVec3;

use crate::moments::{VolumeMoments, outer};

/// Positive nodes and the weights of Gauss's rule of 6 points on [-1, 1] (Abramowitz and Stegun 1964, table 25.4).
const GAUSS: [(f64, f64); 3] = [
    (0.238_619_186_083_196_9, 0.467_913_934_572_691),
    (0.661_209_386_466_264_5, 0.360_761_573_048_138_6),
    (0.932_469_514_203_152, 0.171_324_492_379_170_4),
];

/// Widest panel of azimuth of a lens, in radians.
const AZIMUTH_PANEL_OF_LENS: f64 = FRAC_PI_2;

/// Widest panel of azimuth of a deeper overlap, in radians: its seams and rim need not meet the half-planes squarely. With
/// panels eight times as wide, gradients of bodies as deep as their radius were off by 3 % of the area; with these they
/// keep within 0.3 %.
const AZIMUTH_PANEL: f64 = PI / 16.0;

/// Widest panel of the polar coordinate.
const POLAR_PANEL: f64 = 0.6;

/// Angle in radians, or polar coordinate, below which a panel is left out: its part of any integral is below that of the rule's own error.
const THINNEST_PANEL: f64 = 1e-9;

/// Accuracy of the coordinate at which the surfaces cross. The volume's error is of second order in it.
const CROSSING: f64 = 1e-9;

/// Bounds of the intervals of the polar coordinate in which the surfaces of a lens are searched for their crossing, which
/// is near the equator.
const SEARCHED_IN_LENS: [f64; 4] = [0.0, 0.33, 0.5, 1.0];

/// Intervals of the polar coordinate searched for crossings where there may be several.
const N_SEARCHED: u32 = 16;

/// A capsule seen from a point inside it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub center: DVec3,
    /// Unit vector.
    pub axis: DVec3,
    pub radius: f64,
    pub half_length: f64,
}

impl Body {
    /// Vector to `x` from the nearest point of the axis.
    fn arm(&self, x: DVec3) -> DVec3 {
        let arm = x - self.center;
        arm - arm.dot(self.axis).clamp(-self.half_length, self.half_length) * self.axis
    }

    /// Signed distance from the surface, negative inside.
    pub fn height(&self, x: DVec3) -> f64 {
        self.arm(x).length() - self.radius
    }

    /// How many times `direction` it is from the origin, a point inside, to the surface.
    pub fn exit(&self, direction: DVec3) -> f64 {
        let (start, drift) = (-self.center, direction.dot(self.axis));
        let mut end = 0.0;
        if self.half_length > 0.0 {
            let along = start.dot(self.axis);
            let exit = self.far_root(start - along * self.axis, direction - drift * self.axis);
            let at = along + exit * drift;
            if at.abs() <= self.half_length {
                return exit;
            }
            end = self.half_length.copysign(at);
        }
        self.far_root(start - end * self.axis, direction)
    }

    /// The larger t with |start + t · direction| equal to the radius.
    fn far_root(&self, start: DVec3, direction: DVec3) -> f64 {
        let depth = self.radius * self.radius - start.length_squared();
        let product = start.dot(direction);
        // A ray along the axis leaves the cylinder very far away.
        let square = direction.length_squared().max(f64::MIN_POSITIVE);
        let root = (product * product + square * depth).max(0.0).sqrt();
        if product > 0.0 { depth / (product + root) } else { (root - product) / square }
    }
}

/// The circle on which a capsule's cylinder goes over into one of its half balls.
#[derive(Clone, Copy, Debug)]
struct Seam {
    center: DVec3,
    axis: DVec3,
    radius: f64,
    /// The body whose surface it crosses.
    other: usize,
    /// Unit vector across the axis towards the other body.
    toward: DVec3,
}

impl Seam {
    fn point(&self, angle: f64) -> DVec3 {
        let (sin, cos) = angle.sin_cos();
        self.center + self.radius * (cos * self.toward + sin * self.axis.cross(self.toward))
    }

    /// The points that the seam has in common with the plane through the origin with this normal.
    fn on_plane(&self, normal: DVec3) -> Option<[DVec3; 2]> {
        let across = normal - normal.dot(self.axis) * self.axis;
        let square = across.length_squared();
        let foot = self.center.dot(normal) / square * across;
        let half = ((self.radius * self.radius - foot.length_squared()) / square).sqrt();
        let chord = half * self.axis.cross(across);
        // No common point leaves a root of a negative number.
        chord.is_finite().then_some([self.center - foot - chord, self.center - foot + chord])
    }
}

/// Area, vector area and its moment `∫ x × n dS` of a surface.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Surface {
    pub area: f64,
    pub vector: DVec3,
    pub arms: DVec3,
}

/// The integrals over the overlap, and the points of its rim.
#[derive(Debug, Default)]
pub(super) struct Sums {
    pub volume: VolumeMoments,
    /// A's surface in B, and B's in A.
    pub surfaces: [Surface; 2],
    /// The widest point of every half-plane, seen along z.
    pub outline: Vec<DVec3>,
}

/// Two capsules that both contain the origin, in coordinates whose z axis is from A to B.
#[derive(Debug)]
pub(super) struct PolarSum {
    bodies: [Body; 2],
    /// Half-widths of the overlap along the axes; polar coordinates are in these units.
    scale: DVec3,
    seams: Vec<Seam>,
    /// Bounds of intervals of the polar coordinate in which crossings of the surfaces are searched.
    searched: Vec<f64>,
    /// Whether the surfaces may cross and cross back within one of these intervals.
    may_cross_twice: bool,
    /// Widest panel of azimuth, in radians.
    azimuth_panel: f64,
}

impl PolarSum {
    /// `is_lens` says that along z the overlap ends in A's surface and begins with B's everywhere.
    pub fn new(bodies: [Body; 2], scale: DVec3, is_lens: bool) -> Self {
        let mut seams = Vec::new();
        for (ix, body) in bodies.iter().enumerate().filter(|(_, body)| body.half_length > 0.0) {
            let other = &bodies[1 - ix];
            for end in [-body.half_length, body.half_length] {
                let center = body.center + end * body.axis;
                let arm = -other.arm(center);
                let across = arm - arm.dot(body.axis) * body.axis;
                let toward = across.try_normalize().unwrap_or_else(|| body.axis.any_orthonormal_vector());
                let seam = Seam { center, axis: body.axis, radius: body.radius, other: 1 - ix, toward };
                if other.height(seam.point(0.0)) < 0.0 {
                    seams.push(seam);
                }
            }
        }
        let (searched, azimuth_panel) = if is_lens {
            (SEARCHED_IN_LENS.to_vec(), AZIMUTH_PANEL_OF_LENS)
        } else {
            ((0..=N_SEARCHED).map(|i| f64::from(i) / f64::from(N_SEARCHED)).collect(), AZIMUTH_PANEL)
        };
        Self { bodies, scale, seams, searched, may_cross_twice: !is_lens, azimuth_panel }
    }

    pub fn integrate(&self) -> Sums {
        let mut sums = Sums::default();
        let mut breaks = self.azimuths_of_seams();
        if breaks.is_empty() {
            breaks.push(0.0);
        }
        breaks.sort_by(f64::total_cmp);
        breaks.push(breaks[0] + TAU);
        let mut polar = Vec::new();
        for_each_panel(&breaks, self.azimuth_panel, |from, to| {
            self.add_half_plane(from, 0.0, &mut polar, &mut sums);
            gauss(from, to, |azimuth, weight| self.add_half_plane(azimuth, weight, &mut polar, &mut sums));
        });
        sums
    }

    /// Azimuths where the seams cross the rim.
    fn azimuths_of_seams(&self) -> Vec<f64> {
        let mut azimuths = Vec::new();
        for seam in &self.seams {
            let height = |angle: f64| self.bodies[seam.other].height(seam.point(angle));
            let inside = height(0.0);
            for half_turn in [-PI, PI] {
                let outside = height(half_turn);
                if outside > 0.0 {
                    let x = seam.point(root(height, [0.0, half_turn], [inside, outside]));
                    azimuths.push((x.y / self.scale.y).atan2(x.x / self.scale.x));
                }
            }
        }
        azimuths
    }

    /// Adds the half-plane at an azimuth, with the weight of the azimuth; `breaks` is memory.
    fn add_half_plane(&self, azimuth: f64, weight: f64, breaks: &mut Vec<f64>, sums: &mut Sums) {
        let (sin, cos) = azimuth.sin_cos();
        let side = DVec3::new(self.scale.x * cos, self.scale.y * sin, 0.0);
        let up = DVec3::Z * self.scale.z;
        let direction = |t: f64| {
            let [sin, cos] = polar(t);
            sin * side + cos * up
        };
        breaks.clear();
        breaks.extend([0.0, 1.0]);
        let mut widest = DVec3::ZERO;
        self.find_crossings(&direction, |t| {
            breaks.push(t);
            let x = self.bodies[0].exit(direction(t)) * direction(t);
            if x.truncate().length_squared() > widest.truncate().length_squared() {
                widest = x;
            }
        });
        if weight > 0.0 {
            self.find_seams(side, breaks);
            breaks.sort_by(f64::total_cmp);
            for_each_panel(breaks, POLAR_PANEL, |from, to| {
                let middle = direction(0.5 * (from + to));
                let active = usize::from(self.bodies[0].exit(middle) > self.bodies[1].exit(middle));
                let body = &self.bodies[active];
                gauss(from, to, |t, step| {
                    let [sin, cos] = polar(t);
                    let direction = sin * side + cos * up;
                    let exit = body.exit(direction);
                    let x = exit * direction;
                    let solid_angle = 4.0 * (1.0 + t * t).powi(3) * sin * step * weight;
                    let cone = solid_angle * self.scale.element_product() * exit.powi(3);
                    sums.add(active, x, body.arm(x) / body.radius, cone);
                    if x.truncate().length_squared() > widest.truncate().length_squared() {
                        widest = x;
                    }
                });
            });
        }
        sums.outline.push(widest);
    }

    /// Visits the polar coordinates where the surfaces cross.
    fn find_crossings(&self, direction: &impl Fn(f64) -> DVec3, mut visit: impl FnMut(f64)) {
        let difference = |t: f64| {
            let direction = direction(t);
            let [a, b] = self.bodies.each_ref().map(|body| body.exit(direction));
            (a - b) / (a + b)
        };
        let mut from = (0.0, difference(0.0));
        let mut before = from;
        for &t in &self.searched[1..] {
            let to = (t, difference(t));
            if (from.1 < 0.0) != (to.1 < 0.0) {
                visit(root(difference, [from.0, to.0], [from.1, to.1]));
            } else if self.may_cross_twice {
                pair_of_crossings(&difference, [before, from, to]).into_iter().flatten().for_each(&mut visit);
            }
            (before, from) = (from, to);
        }
        if self.may_cross_twice {
            pair_of_crossings(&difference, [before, from, from]).into_iter().flatten().for_each(visit);
        }
    }

    /// Adds the polar coordinates at which the half-plane along `side` meets the seams.
    fn find_seams(&self, side: DVec3, breaks: &mut Vec<f64>) {
        let normal = DVec3::new(-side.y, side.x, 0.0);
        for seam in &self.seams {
            for x in seam.on_plane(normal).into_iter().flatten() {
                let across = x.dot(side) / side.length_squared();
                if across > 0.0 && self.bodies[seam.other].height(x) < 0.0 {
                    breaks.push((0.25 * across.atan2(x.z / self.scale.z)).tan());
                }
            }
        }
    }
}

impl Sums {
    /// Adds a thin cone from the origin to `x` on a surface with this normal; `cone` is three times its volume.
    fn add(&mut self, active: usize, x: DVec3, normal: DVec3, cone: f64) {
        self.volume.volume += cone / 3.0;
        self.volume.first += cone / 4.0 * x;
        self.volume.second += outer(cone / 5.0 * x, x);
        let area = cone / x.dot(normal);
        let surface = &mut self.surfaces[active];
        surface.area += area;
        surface.vector += area * normal;
        surface.arms += area * x.cross(normal);
    }
}

/// A vector at the polar angle 4 atan t, as its parts across and along the pole: (1 + t²)² times sine and cosine.
///
/// A length that varies costs nothing, and the angle's sine and cosine, which these polynomials avoid, would be most of
/// the work. Along with it goes `4 (1 + t²)³ dt`, the angle's differential times the squared length.
fn polar(t: f64) -> [f64; 2] {
    let (twice, rest) = (2.0 * t, (1.0 - t) * (1.0 + t));
    [2.0 * twice * rest, (rest - twice) * (rest + twice)]
}

/// Visits the intervals between sorted breaks, halved until none is wider than a panel.
fn for_each_panel(breaks: &[f64], widest: f64, mut visit: impl FnMut(f64, f64)) {
    for pair in breaks.windows(2) {
        let width = pair[1] - pair[0];
        if width < THINNEST_PANEL {
            continue;
        }
        // A little more than the widest still is one panel.
        let n = (width / widest - 0.1).ceil().max(1.0);
        for i in 0..n as u32 {
            let from = pair[0] + width * (f64::from(i) / n);
            visit(from, from + width / n);
        }
    }
}

/// Gauss's rule on an interval: `visit(t, weight)`.
fn gauss(from: f64, to: f64, mut visit: impl FnMut(f64, f64)) {
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    for (node, weight) in GAUSS {
        visit(middle - half * node, half * weight);
        visit(middle + half * node, half * weight);
    }
}

/// The two roots of a function about the middle of three samples (t, f), where all have one sign and the function dips
/// through zero between them. At an end of the range the middle sample is the first or last one as well.
///
/// Golden section (Kiefer 1953) goes down into the dip until it is through. Dips that no straight line from the samples
/// would take to zero are left alone. Surfaces that cross and cross back within some 1e-4 of the polar coordinate are not seen;
/// they change the volume by less than the rule's own error.
fn pair_of_crossings(f: &impl Fn(f64) -> f64, [low, middle, high]: [(f64, f64); 3]) -> Option<[f64; 2]> {
    /// Steps of 0.618 from the width of two intervals, an eighth, to 1.5e-4.
    const MOST_STEPS: u32 = 14;
    let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
    let sign = if middle.1 < 0.0 { -1.0 } else { 1.0 };
    let ends = [sign * low.1, sign * high.1];
    let lowest = sign * middle.1;
    if ends.iter().any(|&end| end < lowest) || 2.0 * lowest > ends[0].max(ends[1]) {
        return None;
    }
    let [mut a, mut b] = [low.0, high.0];
    let mut x = [b - golden * (b - a), a + golden * (b - a)];
    let mut fx = x.map(|x| sign * f(x));
    for _ in 0..MOST_STEPS {
        let lower = usize::from(fx[1] < fx[0]);
        if fx[lower] < 0.0 {
            let bottom = (x[lower], sign * fx[lower]);
            return Some([low, high].map(|end| root(f, [end.0, bottom.0], [end.1, bottom.1])));
        }
        if lower == 0 {
            (b, x, fx) = (x[1], [x[0]; 2], [fx[0]; 2]);
            x[0] = b - golden * (b - a);
            fx[0] = sign * f(x[0]);
        } else {
            (a, x, fx) = (x[0], [x[1]; 2], [fx[1]; 2]);
            x[1] = a + golden * (b - a);
            fx[1] = sign * f(x[1]);
        }
    }
    None
}

/// A root between two places where a function has opposite signs, by false position with halved weights (the Illinois
/// method, Dowell and Jarratt 1971).
fn root(f: impl Fn(f64) -> f64, [mut a, mut b]: [f64; 2], [mut fa, mut fb]: [f64; 2]) -> f64 {
    /// Far more than the method needs; the values at the ends may be of very different magnitude.
    const MOST_STEPS: u32 = 60;
    for _ in 0..MOST_STEPS {
        if (b - a).abs() < CROSSING || fb == 0.0 {
            break;
        }
        let x = b - fb * (b - a) / (fb - fa);
        let fx = f(x);
        let moved = (x - b).abs();
        if (fx < 0.0) == (fb < 0.0) {
            fa *= 0.5;
        } else {
            (a, fa) = (b, fb);
        }
        (b, fb) = (x, fx);
        if moved < CROSSING {
            break;
        }
    }
    b
}
