//! The direction that most of a surface faces.

use glam::DVec3;

/// How far below one the cosine of two normals may be for them to be those of one plane. It is the square of an angle of 4e-5, a
/// thousand times the rounding of the corners of a triangle that is kept in 32-bit numbers.
const SAME: f64 = 1e-9;

/// The direction that more than half of a surface faces, if there is one, by the vote of Boyer and Moore (1991): each piece of the
/// surface has a say of its area, and says against each other cancel. It can be wrong only where no direction has half of the area.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Majority {
    /// Unit normal of the direction that leads; anything where none does.
    normal: DVec3,
    /// By how much area it leads \[m²\].
    lead: f64,
}

impl Majority {
    /// That of a plane piece of surface with this unit normal. What has no area, or less by rounding, has no say.
    pub fn of_plane(normal: DVec3, area: f64) -> Self {
        Self { normal, lead: if area > 0.0 { area } else { 0.0 } }
    }

    /// The direction that leads, if one does.
    pub fn leader(&self) -> Option<DVec3> {
        (self.lead > 0.0).then_some(self.normal)
    }

    /// The vote of a surface and another one.
    pub fn add(&mut self, other: Self) {
        if self.normal.dot(other.normal) >= 1.0 - SAME {
            self.lead += other.lead;
        } else if self.lead >= other.lead {
            self.lead -= other.lead;
        } else {
            *self = Self { lead: other.lead - self.lead, ..other };
        }
    }

    /// That of so many of the same surface, of its other side if they are fewer than none.
    #[must_use]
    pub fn times(self, weight: f64) -> Self {
        Self { normal: self.normal * weight.signum(), lead: self.lead * weight.abs() }
    }

    /// That of the surface turned by a rotation matrix.
    #[must_use]
    pub fn rotated(self, r: &glam::DMat3) -> Self {
        Self { normal: *r * self.normal, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the order, and however the pieces are put together first, what has more than half of the area leads.
    #[test]
    fn more_than_half_of_the_area_leads_in_any_order() {
        let pieces =
            [(DVec3::Z, 0.3), (DVec3::X, 0.2), (DVec3::Z, 0.25), (DVec3::NEG_X, 0.15), (DVec3::Y, 0.1)];
        for first in 0..5 {
            for stride in 1..5 {
                let order = |i: usize| pieces[(first + stride * i) % 5];
                let mut all = Majority::default();
                let mut halves = [Majority::default(); 2];
                for i in 0..5 {
                    let (normal, area) = order(i);
                    all.add(Majority::of_plane(normal, area));
                    halves[i % 2].add(Majority::of_plane(normal, area));
                }
                halves[0].add(halves[1]);
                assert_eq!(all.leader(), Some(DVec3::Z), "{first} {stride}");
                assert_eq!(halves[0].leader(), Some(DVec3::Z), "{first} {stride}");
            }
        }
        assert_eq!(Majority::default().leader(), None);
        assert_eq!(Majority::of_plane(DVec3::Z, 1.0).times(-2.0).leader(), Some(DVec3::NEG_Z));
    }
}
