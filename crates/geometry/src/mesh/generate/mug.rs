//! The mug with a handle.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glam::{DVec2, DVec3};

use super::GenerateError;
use super::error::Check;
use super::measures::Mug;
use super::profile::{Profile, fourfold};
use super::resolution::{Layout, fit, pieces, subdivide};
use super::rings::{Ring, Weaver};
use crate::TriangleMesh;

/// Width of the handle's roots on the wall over its diameter.
const FLARE: f64 = 1.4;

/// Half the distance between the middles of the handle's roots, over the mug's height.
const HANDLE_SPREAD: f64 = 0.27;

impl Mug {
    /// Half the distance between the middles of the handle's roots \[m\].
    fn spread(&self) -> f64 {
        HANDLE_SPREAD * self.height
    }

    /// Half the width of the handle's roots, along and across the axis \[m\].
    fn half_root(&self) -> f64 {
        0.5 * FLARE * self.handle_thickness
    }

    fn check(&self) -> Result<(), GenerateError> {
        let check = Check("mug");
        check.length("radius", self.radius)?;
        check.length("height", self.height)?;
        check.length("wall", self.wall)?;
        check.below("wall", self.wall, 0.25 * self.radius, "a quarter of the radius")?;
        check.below("wall", self.wall, 0.25 * self.height, "a quarter of the height")?;
        check.share("wall", self.wall, self.radius.max(self.height), "the larger of radius and height")?;
        check.length("handle_thickness", self.handle_thickness)?;
        let room = (0.5 - HANDLE_SPREAD) * self.height - self.wall;
        check.below(
            "handle_thickness",
            self.handle_thickness,
            2.0 * room / FLARE,
            "the wall above its root",
        )?;
        check.below(
            "handle_thickness",
            self.handle_thickness,
            self.radius / FLARE,
            "the wall beside its root",
        )?;
        check.length("handle_reach", self.handle_reach)?;
        let size = self.radius.max(self.height).max(self.handle_reach);
        check.share(
            "handle_thickness",
            self.handle_thickness,
            size,
            "the largest of radius, height and reach",
        )?;
        // A half ellipse bends most where its axes end: with spread² / reach at the tip, reach² / spread at the roots.
        let widest = self.half_root();
        let least = (widest * self.spread()).sqrt();
        check.require(self.handle_reach > least, "handle_reach", self.handle_reach, || {
            format!("above {least}, where the handle folds at its roots")
        })?;
        let bend = self.spread().powi(2) / widest;
        check.below("handle_reach", self.handle_reach, bend, "where the handle folds at its tip")
    }
}

/// A mug as one closed surface: cup and handle share no inner faces. The origin is in the middle of the bottom's
/// underside, the axis along z, the handle on +x.
///
/// The cup is a turned profile with a round rim and rounded corners; in its outer wall two rectangular openings let
/// the handle in, a tube along a half ellipse whose section goes from rectangle to circle. Some 600 triangles at
/// least.
///
/// # Errors
/// A dimension that is not a positive length, a wall or handle too thick, a reach at which the handle would fold, or
/// more than [`MAX_TRIANGLES`](super::MAX_TRIANGLES).
pub fn mug(size: &Mug, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    size.check()?;
    let extent = size.height.max(size.radius);
    Ok(fit(Check("mug"), triangles, extent, |edge| MugLayout::new(size, edge))?.mesh(size))
}

/// How a mug is cut.
struct MugLayout {
    /// From the middle of the underside to the foot of the outer wall, and from its top over the rim to the middle of
    /// the inner bottom.
    below: Vec<DVec2>,
    above: Vec<DVec2>,
    /// Cuts of the five parts of the outer wall: the second and fourth hold the openings.
    rows: [usize; 5],
    /// Cuts across an opening and around the rest of the wall.
    columns: usize,
    rest: usize,
    /// Rings of the handle between its two roots.
    handle: usize,
    /// Angles at which every wall ring has its vertices, from the opening's right edge \[rad\].
    angles: Vec<f64>,
}

impl MugLayout {
    fn new(size: &Mug, edge: f64) -> Self {
        /// Fewest cuts of a rounded corner, of a half circle and of the handle's half ellipse.
        const MIN_CORNER: usize = 2;
        const MIN_HANDLE: usize = 10;
        /// The handle's roots are cut finer than the wall, because its section is small.
        const ROOT_EDGE: f64 = 0.7;
        let Mug { radius, height, wall, .. } = *size;
        let inner = radius - wall;
        let below = Profile::from(0.0, 0.0).line_to(radius - wall, 0.0, edge).arc(
            [radius - wall, wall],
            [-FRAC_PI_2, 0.0],
            edge,
            MIN_CORNER,
        );
        let above = Profile::from(radius, height - 0.5 * wall)
            .arc([radius - 0.5 * wall, height - 0.5 * wall], [0.0, PI], edge, 2 * MIN_CORNER)
            .line_to(inner, 2.0 * wall, edge)
            .arc([inner - wall, 2.0 * wall], [0.0, -FRAC_PI_2], edge, MIN_CORNER)
            .line_to(0.0, wall, edge);
        let heights = wall_parts(size);
        let root = ROOT_EDGE * edge;
        let mut rows = [0; 5];
        for (part, row) in rows.iter_mut().enumerate() {
            let length = heights[part + 1] - heights[part];
            *row = if part % 2 == 1 { pieces(length, root, 2) } else { pieces(length, edge, 1) };
        }
        rows[3] = rows[1];
        let half_angle = (size.half_root() / radius).asin();
        let columns = pieces(2.0 * size.half_root(), root, 2);
        let rest = fourfold((TAU - 2.0 * half_angle) * radius / edge, 12);
        let mut angles = subdivide(&[-half_angle, half_angle, TAU - half_angle], &[columns, rest]);
        angles.pop();
        let path = PI * (0.5 * (size.spread().powi(2) + size.handle_reach.powi(2))).sqrt();
        let handle = pieces(path, edge, MIN_HANDLE);
        Self { below: below.into_points(), above: above.into_points(), rows, columns, rest, handle, angles }
    }

    /// Number of vertices of the ring at radius r inside the cup or under it; the wall's number at full radius.
    fn around(&self, share: f64) -> usize {
        let n = self.columns + self.rest;
        if share > 0.5 { n } else { pieces(n as f64 * share, 1.0, 4).min(n) }
    }

    fn mesh(&self, size: &Mug) -> TriangleMesh {
        let mut weaver = Weaver::default();
        let at = |r: f64, z: f64, angle: f64| DVec3::new(r * angle.cos(), r * angle.sin(), z);
        let turn = |weaver: &mut Weaver, p: &DVec2| -> Ring {
            if p.x == 0.0 {
                return weaver.ring([DVec3::new(0.0, 0.0, p.y)]);
            }
            let n = self.around(p.x / size.radius);
            if n == self.angles.len() {
                return weaver.ring(self.angles.iter().map(|&a| at(p.x, p.y, a)));
            }
            weaver.ring((0..n).map(|i| at(p.x, p.y, self.angles[0] + TAU * (i as f64 / n as f64))))
        };
        let mut lower: Vec<Ring> = self.below.iter().map(|p| turn(&mut weaver, p)).collect();
        let mut upper: Vec<Ring> = self.above.iter().map(|p| turn(&mut weaver, p)).collect();
        let (foot, top) = (lower.pop().expect("the foot ring"), upper.remove(0));
        lower.push(foot.clone());
        upper.insert(0, top.clone());
        weaver.join_all(&lower);
        weaver.join_all(&upper);

        let heights = subdivide(&wall_parts(size), &self.rows);
        let [r0, r1, r2, r3, _] = self.rows;
        let openings = [r0..r0 + r1, r0 + r1 + r2..r0 + r1 + r2 + r3];
        let mut wall = vec![foot];
        for (row, &z) in heights.iter().enumerate().take(heights.len() - 1).skip(1) {
            // Inside an opening there is no wall, and so no vertex.
            let inside = openings.iter().any(|rows| rows.start < row && row < rows.end);
            let n_missing = if inside { self.columns - 1 } else { 0 };
            let present = self.angles.iter().enumerate().filter(|&(i, _)| i == 0 || i > n_missing);
            let mut ring = weaver.ring(present.map(|(_, &a)| at(size.radius, z, a)));
            ring.splice(1..1, std::iter::repeat_n(u32::MAX, n_missing));
            wall.push(ring);
        }
        wall.push(top);
        for row in 0..wall.len() - 1 {
            let (a, b) = (&wall[row], &wall[row + 1]);
            let open = openings.iter().any(|rows| rows.contains(&row));
            if open {
                let close = |ring: &Ring| [&ring[self.columns..], &ring[..1]].concat();
                weaver.strip(&close(a), &close(b), false);
            } else {
                weaver.join(a, b);
            }
        }
        let root = |rows: &std::ops::Range<usize>, downwards: bool| {
            self.rim(&wall[rows.start..=rows.end], downwards)
        };
        let (top_root, bottom_root) = (root(&openings[1], false), root(&openings[0], true));
        let mut rings = vec![top_root];
        for i in 1..self.handle {
            let section = self.section(size, PI * i as f64 / self.handle as f64);
            rings.push(weaver.ring(section));
        }
        rings.push(bottom_root);
        weaver.join_all(&rings);
        weaver.finish()
    }

    /// The vertices around an opening, right-handed about the handle's direction: outwards at the upper opening, inwards
    /// (with the rows read downwards) at the lower one.
    fn rim(&self, rows: &[Ring], downwards: bool) -> Ring {
        let rows: Vec<&Ring> = if downwards { rows.iter().rev().collect() } else { rows.iter().collect() };
        self.rim_steps(rows.len() - 1).map(|(column, row)| rows[row][column]).collect()
    }

    /// Column and row of the vertices around an opening.
    fn rim_steps(&self, rows: usize) -> impl Iterator<Item = (usize, usize)> {
        let columns = self.columns;
        (0..columns)
            .map(|i| (i, 0))
            .chain((0..rows).map(move |j| (columns, j)))
            .chain((0..columns).map(move |i| (columns - i, rows)))
            .chain((0..rows).map(move |j| (0, rows - j)))
    }

    /// The handle's section at angle t of its half ellipse, from 0 at the upper root to π at the lower one.
    fn section(&self, size: &Mug, t: f64) -> Vec<DVec3> {
        /// Part of the ellipse's quarter over which the section goes from rectangle to circle.
        const BLEND: f64 = 0.45;
        let (sin, cos) = t.sin_cos();
        let middle =
            DVec3::new(size.radius + size.handle_reach * sin, 0.0, 0.5 * size.height + size.spread() * cos);
        let up = DVec3::new(size.spread() * sin, 0.0, size.handle_reach * cos).normalize();
        let s = (t.min(PI - t) / (BLEND * FRAC_PI_2)).min(1.0);
        let circle = s * s * (3.0 - 2.0 * s);
        let rows = self.rows[1];
        self.rim_steps(rows)
            .map(|(column, row)| {
                let u = 2.0 * column as f64 / self.columns as f64 - 1.0;
                let v = 2.0 * row as f64 / rows as f64 - 1.0;
                let square = DVec3::new(0.0, u, 0.0) + up * v;
                let round = square.normalize();
                middle
                    + square * (size.half_root() * (1.0 - circle))
                    + round * (0.5 * size.handle_thickness * circle)
            })
            .collect()
    }
}

/// Heights that bound the parts of the outer wall: foot, lower opening, middle, upper opening, top.
fn wall_parts(size: &Mug) -> [f64; 6] {
    let (middle, spread, half) = (0.5 * size.height, size.spread(), size.half_root());
    [
        size.wall,
        middle - spread - half,
        middle - spread + half,
        middle + spread - half,
        middle + spread + half,
        size.height - 0.5 * size.wall,
    ]
}

impl Layout for MugLayout {
    fn n_triangles(&self) -> usize {
        let n = self.columns + self.rest;
        let steps = |n: usize| if n == 1 { 0 } else { n };
        let bands =
            |counts: Vec<usize>| -> usize { counts.windows(2).map(|w| steps(w[0]) + steps(w[1])).sum() };
        let radius = self.above[0].x;
        let of = |profile: &[DVec2]| {
            bands(profile.iter().map(|p| if p.x == 0.0 { 1 } else { self.around(p.x / radius) }).collect())
        };
        let wall = 2 * n * self.rows.iter().sum::<usize>();
        let openings = 2 * self.columns * (self.rows[1] + self.rows[3]);
        let handle = 2 * self.handle * 2 * (self.columns + self.rows[1]);
        of(&self.below) + of(&self.above) + wall - openings + handle
    }
}
