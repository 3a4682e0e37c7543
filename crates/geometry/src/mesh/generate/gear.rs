//! The involute spur gear.

use std::f64::consts::PI;

use glam::DVec3;

use super::GenerateError;
use super::error::Check;
use super::measures::Gear;
use super::profile::circle;
use super::resolution::{Layout, fit, pieces};
use super::revolved::corners_of_hole;
use super::rings::{Ring, Weaver};
use crate::TriangleMesh;

impl Gear {
    /// Radius of the pitch circle \[m\]: two gears mesh at the sum of theirs.
    pub fn pitch_radius(&self) -> f64 {
        0.5 * f64::from(self.teeth) * self.module
    }

    /// Its pressure angle \[rad\].
    fn pressure_angle(&self) -> f64 {
        self.pressure_angle_deg * (PI / 180.0)
    }

    /// Radius of the circle through the tips \[m\].
    pub fn tip_radius(&self) -> f64 {
        self.pitch_radius() + self.module
    }

    /// Radius of the circle between the teeth \[m\].
    pub fn root_radius(&self) -> f64 {
        self.pitch_radius() - 1.25 * self.module
    }

    /// Radius of the circle that the involute unwinds from \[m\].
    fn base_radius(&self) -> f64 {
        self.pitch_radius() * self.pressure_angle().cos()
    }

    /// Half the angle that a tooth spans at radius `r` \[rad\].
    ///
    /// Above the base circle by the involute: the half angle at the pitch circle plus inv(pressure angle) - inv(angle
    /// at r), with inv x = tan x - x. Below it the flank widens towards the root by a share of the gap.
    fn half_angle(&self, r: f64) -> f64 {
        /// Share of the gap between two teeth at the base circle that either flank takes at the root: keeps angles
        /// strictly decreasing with the radius and stays clear of the tips of a mating gear.
        const ROOT_SHARE: f64 = 0.15;
        let inv = |x: f64| x.tan() - x;
        let (pitch, base) = (self.pitch_radius(), self.base_radius());
        let at_pitch = 0.5 * (0.5 * PI * self.module - self.backlash) / pitch;
        let at_base = at_pitch + inv(self.pressure_angle());
        if r >= base {
            return at_base - inv((base / r).acos());
        }
        let gap = PI / f64::from(self.teeth) - at_base;
        at_base + ROOT_SHARE * gap * (base - r) / (base - self.root_radius())
    }
}

/// An involute spur gear about the origin with its axis along z and the middle of a tooth on +x.
///
/// Vertices are on the true outline; the bore's facets touch the bore from outside. Faces are grids across each tooth
/// and concentric rings inside the root circle. `2 teeth` vertices around the root at least: some `40 teeth` triangles.
///
/// # Errors
/// Parameters out of their range, teeth that end in a point below the tip circle or leave no gap at the root, a bore
/// not below the root radius, or more than [`MAX_TRIANGLES`](super::MAX_TRIANGLES).
pub fn gear(size: &Gear, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    let check = Check("gear");
    check.count("teeth", size.teeth, 5..=2000)?;
    check.length("module", size.module)?;
    let alpha = size.pressure_angle_deg;
    check.require((10.0..=30.0).contains(&alpha), "pressure_angle_deg", alpha, || {
        "from 10 to 30".to_owned()
    })?;
    check.length_or_zero("backlash", size.backlash)?;
    check.below("backlash", size.backlash, 0.5 * PI * size.module, "half the pitch")?;
    let tip = size.half_angle(size.tip_radius());
    check.require(tip > 0.0, "teeth", f64::from(size.teeth), || {
        format!("more for this pressure angle and backlash: a tooth ends in a point {tip} rad before the tip circle")
    })?;
    check.length("height", size.height)?;
    check.length_or_zero("bore_radius", size.bore_radius)?;
    let root = size.root_radius();
    check.below("bore_radius", size.bore_radius, root, "the root radius")?;
    // Chords of the root circle stay in the outer quarter of the wall around the bore.
    let longest = (2.0 * root * (root - size.bore_radius)).sqrt();
    check.triangles((2.0 * PI * root / longest) as usize)?;
    let extent = size.tip_radius().max(size.height);
    let layout = fit(check, triangles, extent, |edge| GearLayout::new(size, edge.min(longest)))?;
    Ok(layout.mesh(size))
}

/// How a gear is cut.
struct GearLayout {
    teeth: usize,
    /// Radii of the levels of a tooth, from the root to the tip circle \[m\].
    levels: Vec<f64>,
    /// Cuts across a tooth, across a gap and along the axis.
    across: usize,
    gap: usize,
    layers: usize,
    /// Radius \[m\] and number of vertices of the rings inside the root circle, inwards to the bore or the middle.
    body: Vec<(f64, usize)>,
}

impl GearLayout {
    fn new(size: &Gear, edge: f64) -> Self {
        let (root, tip, base) = (size.root_radius(), size.tip_radius(), size.base_radius());
        let mut levels = vec![root];
        let mut climb = |to: f64, min: usize| {
            let from = levels[levels.len() - 1];
            let n = pieces(to - from, edge, min);
            levels.extend((1..=n).map(|i| from + (to - from) * (i as f64 / n as f64)));
        };
        if root < base {
            climb(base, 1);
        }
        climb(tip, 3);
        let teeth = size.teeth as usize;
        let foot = 2.0 * size.half_angle(root);
        let across = pieces(root * foot, edge, 1);
        let gap = pieces(2.0 * PI * root / teeth as f64 - root * foot, edge, 1);
        Self {
            teeth,
            levels,
            across,
            gap,
            layers: pieces(size.height, edge, 1),
            body: Self::body(size, (across + gap) as f64, edge),
        }
    }

    /// Rings from below the root circle, which has `per_tooth` vertices a tooth, to the bore.
    fn body(size: &Gear, per_tooth: f64, edge: f64) -> Vec<(f64, usize)> {
        let (teeth, root, bore) = (size.teeth as usize, size.root_radius(), size.bore_radius);
        let count = |r: f64| teeth * ((per_tooth * r / root).round() as usize).max(1);
        let n = pieces(root - bore, edge, 1);
        if bore == 0.0 {
            let rings = (1..n).map(|i| root * (1.0 - i as f64 / n as f64)).map(|r| (r, count(r)));
            return rings.chain([(0.0, 1)]).collect();
        }
        let at_bore = count(bore).max(teeth * corners_of_hole(bore, root).div_ceil(teeth));
        let hole = bore / (PI / at_bore as f64).cos();
        let rings =
            (1..n).map(|i| root + (hole - root) * (i as f64 / n as f64)).map(|r| (r, count(r).max(at_bore)));
        rings.chain([(hole, at_bore)]).collect()
    }

    fn mesh(&self, size: &Gear) -> TriangleMesh {
        let mut weaver = Weaver::default();
        let half = 0.5 * size.height;
        let start = -size.half_angle(size.root_radius());
        let bottom = self.face(&mut weaver, size, -half);
        let top = self.face(&mut weaver, size, half);
        let z_of = |layer: usize| size.height * (layer as f64 / self.layers as f64 - 0.5);

        let mut walls = vec![bottom.outline.clone()];
        for layer in 1..self.layers {
            let points: Vec<DVec3> =
                bottom.outline.iter().map(|&v| weaver.position(v).with_z(z_of(layer))).collect();
            walls.push(weaver.ring(points));
        }
        walls.push(top.outline.clone());
        weaver.join_all(&walls);

        for (face, upwards) in [(&bottom, false), (&top, true)] {
            let mut rings = face.body.clone();
            if !upwards {
                rings.reverse();
            }
            weaver.join_all(&rings);
        }
        let last = self.body.len();
        let (radius, n) = self.body[last - 1];
        if n > 1 {
            let mut bore = vec![top.body[last].clone()];
            for layer in (1..self.layers).rev() {
                bore.push(weaver.ring(turned(circle(radius, z_of(layer), n), start)));
            }
            bore.push(bottom.body[last].clone());
            weaver.join_all(&bore);
        }
        weaver.finish()
    }

    /// Adds one face's vertices and the triangles of its teeth.
    fn face(&self, weaver: &mut Weaver, size: &Gear, z: f64) -> Face {
        let (mut outline, mut root) = (Ring::new(), Ring::new());
        for tooth in 0..self.teeth {
            let middle = 2.0 * PI * tooth as f64 / self.teeth as f64;
            let rows: Vec<Ring> =
                self.levels
                    .iter()
                    .map(|&r| {
                        let half = size.half_angle(r);
                        weaver.ring((0..=self.across).map(|i| {
                            polar(r, middle + half * (2.0 * i as f64 / self.across as f64 - 1.0), z)
                        }))
                    })
                    .collect();
            for pair in rows.windows(2) {
                weaver.strip(&pair[0], &pair[1], z > 0.0);
            }
            let foot = size.half_angle(size.root_radius());
            let next = 2.0 * PI * (tooth + 1) as f64 / self.teeth as f64 - foot;
            let from = middle + foot;
            let valley =
                weaver.ring((1..self.gap).map(|i| {
                    polar(size.root_radius(), from + (next - from) * (i as f64 / self.gap as f64), z)
                }));
            let tip = &rows[rows.len() - 1];
            outline.extend(rows[..rows.len() - 1].iter().map(|row| row[0]));
            outline.extend(tip);
            outline.extend(rows[..rows.len() - 1].iter().rev().map(|row| row[self.across]));
            outline.extend(&valley);
            root.extend(&rows[0]);
            root.extend(&valley);
        }
        let start = -size.half_angle(size.root_radius());
        let mut body = vec![root];
        body.extend(self.body.iter().map(|&(r, n)| weaver.ring(turned(circle(r, z, n), start))));
        Face { outline, body }
    }
}

/// The rings of one face that other parts join.
struct Face {
    /// The outline, counter-clockwise seen from above.
    outline: Ring,
    /// The rings from the root circle inwards.
    body: Vec<Ring>,
}

impl Layout for GearLayout {
    fn n_triangles(&self) -> usize {
        let steps = |n: usize| if n == 1 { 0 } else { n };
        let flank = self.levels.len() - 1;
        let outline = self.teeth * (2 * flank + self.across + self.gap);
        let mut outer = self.teeth * (self.across + self.gap);
        let mut face = self.teeth * 2 * flank * self.across;
        for &(_, n) in &self.body {
            face += outer + steps(n);
            outer = steps(n);
        }
        2 * face + 2 * self.layers * (outline + outer)
    }
}

fn polar(r: f64, angle: f64, z: f64) -> DVec3 {
    let (sin, cos) = angle.sin_cos();
    DVec3::new(r * cos, r * sin, z)
}

/// Points turned about the z axis by `angle` \[rad\].
fn turned(points: impl Iterator<Item = DVec3>, angle: f64) -> impl Iterator<Item = DVec3> {
    let rotation = glam::DMat3::from_rotation_z(angle);
    points.map(move |p| rotation * p)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two gears turned against each other by any angle never overlap and stay within the backlash of each other:
    /// flank points of one, taken to the other's frame, are outside its outline.
    #[test]
    fn gears_of_one_module_mesh() {
        let of = |teeth| Gear {
            teeth,
            module: 0.01,
            pressure_angle_deg: 20.0,
            backlash: 1e-4,
            height: 0.02,
            bore_radius: 0.02,
        };
        let (a, b) = (of(20), of(33));
        let distance = a.pitch_radius() + b.pitch_radius();
        for phase in (0..50).map(|i| f64::from(i) / 50.0) {
            let turn_a = phase * 2.0 * PI / f64::from(a.teeth);
            // A tooth of a at +x meets a gap of b, and b turns the other way.
            let turn_b = PI + PI / f64::from(b.teeth) - phase * 2.0 * PI / f64::from(b.teeth);
            let mut nearest = f64::MAX;
            for (tooth, side) in (0..a.teeth).flat_map(|t| [(t, -1.0), (t, 1.0)]) {
                for i in 0..=200 {
                    let r = a.root_radius() + 2.25 * a.module * f64::from(i) / 200.0;
                    let angle =
                        turn_a + 2.0 * PI * f64::from(tooth) / f64::from(a.teeth) + side * a.half_angle(r);
                    let p = polar(r, angle, 0.0) - DVec3::X * distance;
                    let r_b = p.length();
                    if r_b > b.tip_radius() {
                        continue;
                    }
                    assert!(r_b > b.root_radius(), "a tip reaches the root");
                    let pitch = 2.0 * PI / f64::from(b.teeth);
                    let in_tooth = (p.y.atan2(p.x) - turn_b) / pitch;
                    let off_middle = (in_tooth - in_tooth.round()).abs() * pitch;
                    nearest = nearest.min((off_middle - b.half_angle(r_b)) * r_b);
                }
            }
            // Half of both gears' thinning is on either side of a tooth; across the flank a cosine less.
            assert!(nearest > 0.0, "the teeth overlap by {nearest} at phase {phase}");
            assert!(nearest < 1.1e-4, "the teeth are {nearest} apart at phase {phase}");
        }
    }
}
