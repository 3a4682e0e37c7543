//! What friction a patch can give at once against sliding and spinning.
//!
//! Friction per normal force is a point `(f_u, f_w, τ_n)` of a convex body, the limit surface and its inside; a patch
//! that slips gives the point of the surface that takes most power (Goyal, Ruina and Papadopoulos 1991; Moreau 1970).
//! The body is known by its support function `h`, the power taken per normal force and friction 1 at a slip
//! `(v_u, v_w, ω)`: for a pressure p over the patch `h = ∫ p |v + ω n × r| dA / ∫ p dA`.
//!
//! Torques are in units of the spin radius r_s and spins in units of `1 / r_s`, so that both kinds of slip are
//! velocities and both kinds of friction are parts of the normal force.

use glam::{DMat2, DMat3, DVec2, DVec3};

use super::patch::{ContactPatch, Side, asinh_difference};
use crate::{SpinCoupling, SpinRule};

/// Friction limit of a patch of uniform pressure, or the ellipsoid of the same semi-axes.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitSurface {
    /// Friction resists spinning about the centre of pressure up to `μ r_s f_n` \[m\].
    radius: f64,
    /// Sides of the patch about its centroid in units of its mean distance from there; none for the ellipsoid.
    sides: Vec<Side>,
    /// Their area.
    area: f64,
    /// Distance of the farthest corner.
    reach: f64,
}

/// Support function of a limit surface at a slip, with its derivatives.
#[derive(Clone, Copy, Debug)]
pub struct Support {
    /// Its gradient: the friction that takes most power, and points along the slip.
    pub gradient: DVec3,
    /// Half the second derivative of `h²`: `metric · slip = h gradient`, and the ellipsoid
    /// `{g : g·metric⁻¹·g <= 1}` touches the surface at the gradient to second order.
    pub metric: DMat3,
}

/// Distance of the instantaneous centre of rotation, in reaches of the patch, from which on sums over the patch are
/// integrated along its sides numerically: closed forms lose the cube of this distance in digits. No unit.
const FAR: f64 = 4.0;

/// Distance from which on a patch only slides: its spin is below rounding's worth of friction torque. No unit.
const STRAIGHT: f64 = 1e6;

/// Nodes and weights of Gauss and Legendre's rule with six points on -1 to 1. For a side seen from [`FAR`] reaches it is
/// exact to 1e-12.
const GAUSS: [[f64; 2]; 6] = [
    [-0.932_469_514_203_152, 0.171_324_492_379_170_35],
    [-0.661_209_386_466_264_5, 0.360_761_573_048_138_6],
    [-0.238_619_186_083_196_9, 0.467_913_934_572_691_04],
    [0.238_619_186_083_196_9, 0.467_913_934_572_691_04],
    [0.661_209_386_466_264_5, 0.360_761_573_048_138_6],
    [0.932_469_514_203_152, 0.171_324_492_379_170_35],
];

/// Most corners of a patch that friction sees, and those of the polygon that stands for an ellipse: a support takes its time by
/// their number.
const MAX_CORNERS: usize = 12;

/// A convex polygon without the corners that stick out least, by the area that each takes along (Visvalingam and Whyatt
/// 1993).
fn with_few_corners(mut corners: Vec<DVec2>) -> Vec<DVec2> {
    while corners.len() > MAX_CORNERS {
        let n = corners.len();
        let area = |i: usize| {
            let [before, here, after] = [corners[(i + n - 1) % n], corners[i], corners[(i + 1) % n]];
            (here - before).perp_dot(after - here)
        };
        let flattest = (0..n).min_by(|&i, &j| area(i).total_cmp(&area(j))).unwrap_or(0);
        corners.remove(flattest);
    }
    corners
}

/// Centroid of a convex polygon.
fn centroid(corners: &[DVec2]) -> DVec2 {
    let fans = corners.windows(2).map(|pair| {
        let [a, b] = [pair[0] - corners[0], pair[1] - corners[0]];
        (a.perp_dot(b), (a + b) / 3.0)
    });
    let (area, moment) = fans.fold((0.0, DVec2::ZERO), |(area, moment), (a, x)| (area + a, moment + x * a));
    corners[0] + moment / area
}

/// Means over the patch seen from a point q: of the distance, of the unit vectors from q, of the distance's second
/// derivative, and of the projection of a point's own position (about the centroid) on its unit vector from q.
struct Means {
    distance: f64,
    direction: DVec2,
    curvature: DMat2,
    moment: f64,
}

impl LimitSurface {
    /// The limit surface of a patch for a rule of the spin radius.
    ///
    /// Its shape is that of uniform pressure over the patch, stretched along the torque for the other rules; a segment
    /// or a point has the ellipsoid.
    pub fn new(patch: &ContactPatch, rule: SpinRule, coupling: SpinCoupling) -> Self {
        let center = patch.centroid();
        let radius = patch.spin_radius(rule, center);
        let mut surface = Self { radius, sides: Vec::new(), area: 0.0, reach: 0.0 };
        let uniform = patch.spin_radius(SpinRule::Uniform, center);
        let narrow = patch.width() < NARROW * patch.reach();
        if coupling == SpinCoupling::Ellipsoid || uniform <= 0.0 || narrow {
            return surface;
        }
        let scaled = |x: DVec2| (x - center) / uniform;
        let corners: Vec<DVec2> = match patch {
            ContactPatch::Polygon(polygon) => polygon.corners().map(scaled).collect(),
            ContactPatch::Corners(corners) => corners.hull().corners().map(scaled).collect(),
            ContactPatch::Ellipse(ellipse) => {
                let turn = std::f64::consts::TAU / MAX_CORNERS as f64;
                (0..MAX_CORNERS)
                    .map(|k| scaled(DVec2::from_angle(turn * k as f64) * ellipse.semi_axes()))
                    .collect()
            }
        };
        if corners.len() < MAX_CORNERS {
            surface.set_corners(&corners);
            return surface;
        }
        // A polygon that stands for a rounder patch has its middle and its mean distance from there.
        let few = with_few_corners(corners);
        let centroid = centroid(&few);
        let centred: Vec<DVec2> = few.iter().map(|x| *x - centroid).collect();
        surface.set_corners(&centred);
        let distance = surface.near(DVec2::ZERO).distance;
        surface.set_corners(&centred.iter().map(|x| *x / distance).collect::<Vec<_>>());
        surface
    }

    fn set_corners(&mut self, corners: &[DVec2]) {
        self.sides = Side::around(corners);
        self.area = 0.5 * self.sides.iter().map(|side| side.length * side.inset(DVec2::ZERO)).sum::<f64>();
        self.reach = corners.iter().map(|x| x.length()).fold(0.0, f64::max);
    }

    /// Resists spinning by a factor more.
    pub fn scale_radius(&mut self, factor: f64) {
        self.radius *= factor;
    }

    /// Spin radius r_s \[m\].
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The support function at a slip `(v_u, v_w, r_s ω)` other than zero, of any length.
    pub fn support(&self, slip: DVec3) -> Support {
        let (v, spin) = (slip.truncate(), slip.z);
        if self.sides.is_empty() {
            return Support { gradient: slip / slip.length(), metric: DMat3::IDENTITY };
        }
        if spin.abs() * STRAIGHT <= v.length() {
            return self.straight(v, spin);
        }
        // The patch turns about q with v + ω J q = 0, J the turn by a right angle.
        let q = v.perp() / spin;
        let means = if q.length() <= FAR * self.reach { self.near(q) } else { self.far(q) };
        let sign = spin.signum();
        let along = sign * means.direction.perp();
        let gradient = along.extend(sign * means.moment);
        let h = means.distance * spin.abs();
        // Second derivative Aᵀ P A / |ω| with A (dv, dω) = Jᵀ dv + q dω.
        let p = means.curvature;
        let columns = [DVec2::new(0.0, -1.0), DVec2::new(1.0, 0.0), q];
        let entry = |i: usize, j: usize| columns[i].dot(p * columns[j]) / spin.abs();
        let column =
            |j: usize| gradient * gradient[j] + h * DVec3::new(entry(0, j), entry(1, j), entry(2, j));
        Support { gradient, metric: DMat3::from_cols(column(0), column(1), column(2)) }
    }

    /// A patch that hardly turns while it slides with `v`: first order in the spin.
    fn straight(&self, v: DVec2, spin: f64) -> Support {
        let speed = v.length();
        let t = v / speed;
        let along = self.mean_square_along(t);
        let gradient = t.extend(spin / speed * along);
        let p = t.perp();
        let across = DVec3::new(p.x, p.y, 0.0);
        let outer = |a: DVec3| DMat3::from_cols(a * a.x, a * a.y, a * a.z);
        let metric = outer(t.extend(0.0)) + outer(across) + outer(DVec3::Z * along.sqrt());
        Support { gradient, metric }
    }

    /// Mean of `(t·r)²` over the patch.
    fn mean_square_along(&self, t: DVec2) -> f64 {
        let part = |side: &Side| {
            let (a, b) = (t.dot(side.corner), t.dot(side.corner + side.direction * side.length));
            side.length * side.inset(DVec2::ZERO) * (a * a + a * b + b * b)
        };
        self.sides.iter().map(part).sum::<f64>() / (12.0 * self.area)
    }

    /// By the divergence theorem in closed form; see [`super::patch::Polygon`] for the distance.
    fn near(&self, q: DVec2) -> Means {
        let negligible = f64::EPSILON * self.reach;
        let (mut distance, mut direction, mut curvature) = (0.0, DVec2::ZERO, DMat2::ZERO);
        let mut r1 = self.sides.first().map_or(0.0, |side| side.corner.distance(q));
        let next_corners = self.sides.iter().cycle().skip(1).map(|side| side.corner);
        for (side, next) in self.sides.iter().zip(next_corners) {
            let h = side.inset(q);
            let t1 = side.direction.dot(side.corner - q);
            let (t2, r2) = (t1 + side.length, next.distance(q));
            let angle = if h.abs() <= negligible { 0.0 } else { asinh_difference(h, [t1, r1], [t2, r2]) };
            let twice = t2 * r2 - t1 * r1 + h * h * angle;
            let outward = -side.direction.perp();
            distance += h * twice / 6.0;
            direction += outward * (0.5 * twice);
            let unit = outward * (h * angle) + side.direction * (r2 - r1);
            curvature += DMat2::from_cols(unit * outward.x, unit * outward.y);
            r1 = r2;
        }
        self.means(q, distance, direction, curvature)
    }

    fn means(&self, q: DVec2, distance: f64, direction: DVec2, curvature: DMat2) -> Means {
        let part = self.area.recip();
        let (distance, direction) = (distance * part, direction * part);
        let curvature = (curvature + curvature.transpose()) * (0.5 * part);
        Means { distance, direction, curvature, moment: distance + q.dot(direction) }
    }

    /// The same sums for a point far away, less what cancels over a closed border.
    fn far(&self, q: DVec2) -> Means {
        let away = q.length();
        let (mut direction, mut curvature, mut moment) = (DVec2::ZERO, DMat2::ZERO, 0.0);
        for side in &self.sides {
            let outward = -side.direction.perp();
            let inset = side.inset(DVec2::ZERO);
            for [node, weight] in GAUSS {
                let x = side.corner + side.direction * (0.5 * (1.0 + node) * side.length);
                let distance = x.distance(q);
                let weight = 0.5 * weight * side.length;
                // |x - q| - |q| without cancellation.
                let excess = weight * x.dot(x - 2.0 * q) / (distance + away);
                direction += outward * excess;
                moment += inset * excess;
                let unit = ((x - q) / distance + q / away) * weight;
                curvature += DMat2::from_cols(unit * outward.x, unit * outward.y);
            }
        }
        let part = self.area.recip();
        let direction = direction * part;
        let curvature = (curvature + curvature.transpose()) * (0.5 * part);
        // Three times the mean of û·r is the mean of div(|r - q| r) plus twice that of û·q.
        let moment = (moment * part + 2.0 * (away + q.dot(direction))) / 3.0;
        Means { distance: moment - q.dot(direction), direction, curvature, moment }
    }
}

/// Width of a patch, as a part of its reach, below which it slips like a segment. No unit.
const NARROW: f64 = 1e-4;

#[cfg(test)]
mod tests {
    use super::*;

    fn polygon(n: u32, axes: DVec2) -> ContactPatch {
        let corner = |k: u32| DVec2::from_angle(std::f64::consts::TAU * f64::from(k) / f64::from(n)) * axes;
        ContactPatch::polygon(&(0..n).map(corner).collect::<Vec<_>>())
    }

    /// Power and friction of a patch by the midpoint rule on small squares.
    fn by_grid(patch: &ContactPatch, slip: DVec3) -> (f64, DVec3) {
        let (n, center) = (400, patch.centroid());
        let size = 2.0;
        let (mut power, mut friction, mut count) = (0.0, DVec3::ZERO, 0.0);
        for i in 0..n {
            for j in 0..n {
                let x = (DVec2::new(f64::from(i), f64::from(j)) + 0.5) * (2.0 * size / f64::from(n)) - size;
                if patch.contains(x) {
                    let r = x - center;
                    let v = slip.truncate() + r.perp() * slip.z;
                    let t = v / v.length();
                    power += v.length();
                    friction += t.extend(t.dot(r.perp()));
                    count += 1.0;
                }
            }
        }
        (power / count, friction / count)
    }

    #[test]
    fn friction_of_uniform_pressure_is_its_integral() {
        let triangle = ContactPatch::polygon(&[DVec2::ZERO, DVec2::new(1.0, 0.2), DVec2::new(0.1, 0.6)]);
        let patches = [
            triangle,
            polygon(4, DVec2::new(1.0, 0.4)),
            polygon(32, DVec2::ONE),
            ContactPatch::ellipse(0.8, 0.3),
        ];
        for patch in &patches {
            let surface = LimitSurface::new(patch, SpinRule::Uniform, SpinCoupling::Surface);
            let r = surface.radius();
            for slip in [
                [0.0, 0.0, 1.0],
                [1.0, 0.3, 0.0],
                [0.2, -0.1, 1.0],
                [0.3, 0.4, -0.9],
                [1.0, 0.0, 0.2],
                [0.0, 1.0, 0.02],
            ] {
                let slip = DVec3::from_array(slip);
                let (power, friction) = by_grid(patch, slip);
                let scale = DVec3::new(1.0, 1.0, r);
                let found = surface.support(slip * scale);
                // The grid counts whole squares of a hundredth of the patch: measured 3e-3.
                let h = found.gradient.dot(slip * scale);
                assert!((h / power - 1.0).abs() < 5e-3, "{patch:?} {slip} {h} {power}");
                assert!(
                    (found.gradient * scale - friction).length() < 5e-3 * r.max(1.0),
                    "{slip} {friction} {found:?}"
                );
                // Euler: the metric times the slip is h times the gradient.
                let product = found.metric * (slip * scale);
                assert!((product - found.gradient * h).length() < 1e-9 * h, "{slip}");
            }
        }
    }

    /// Closed form, numerical sum and first order agree where one takes over from the other.
    #[test]
    fn near_far_and_straight_agree() {
        let patch = ContactPatch::polygon(&[DVec2::ZERO, DVec2::new(1.0, 0.2), DVec2::new(0.1, 0.6)]);
        let surface = LimitSurface::new(&patch, SpinRule::Uniform, SpinCoupling::Surface);
        for angle in [0.0, 0.7, 2.0, 4.0] {
            let q = DVec2::from_angle(angle) * FAR * surface.reach;
            let (near, far) = (surface.near(q), surface.far(q));
            assert!((near.distance - far.distance).abs() < 1e-11, "{}", near.distance - far.distance);
            assert!((near.moment - far.moment).abs() < 1e-11, "{}", near.moment - far.moment);
            assert!((near.direction - far.direction).length() < 1e-11);
            let difference = near.curvature - far.curvature;
            assert!(difference.x_axis.length() + difference.y_axis.length() < 1e-10);
            let v = DVec2::from_angle(angle);
            let slow = 0.999 / STRAIGHT;
            let (a, b) = (surface.support(v.extend(slow)), surface.support(v.extend(slow / 0.99)));
            assert!((a.gradient - b.gradient).length() < 1e-7);
        }
    }
}
