//! What a step leaves of its contacts for the next one to start from, and which of them a region continues.

use glam::DVec3;
use serde::{Deserialize, Serialize};
use tactum_geometry::Overlap;
use tactum_geometry::overlap::OverlapKind;

use crate::Body;
use crate::constants::MIN_CONTINUED_COSINE;
use crate::law::volume::contact::{Contact, LookAhead};
use crate::solver::Vec6;
use crate::solver::constraint::{Constraint, Rows};
use crate::world::hash::StateHash;

/// A contact as the next step remembers it: the wrench that the solver starts from, and the normal for an overlap that
/// has none of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredContact {
    /// Indices of the bodies, the smaller first.
    pub bodies: [u32; 2],
    /// Number of the contact within the pair, see [`ContactRecord::region`](crate::ContactRecord::region).
    pub region: u32,
    /// Contact point where it was measured, world \[m\]: the wrench acts there.
    pub point: DVec3,
    /// The same as it lies on each body, in the frames of their shapes \[m\]: it goes on with both, so that a scene on a train is one that
    /// stands.
    pub places: [DVec3; 2],
    /// Contact normal from A to B, world axes.
    pub normal: DVec3,
    /// Impulse on B, world axes \[N s\].
    pub force: DVec3,
    /// Impulse on B about the contact point, world axes \[N m s\].
    pub torque: DVec3,
    /// What the next step has to look ahead for.
    pub look_ahead: LookAhead,
    /// Its points, where contacts are solved as points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<StoredPoint>,
}

/// A contact point as the next step remembers it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredPoint {
    /// Where it is from the contact point, world axes \[m\].
    pub arm: DVec3,
    /// Impulse on B, world axes \[N s\].
    pub impulse: DVec3,
}

impl StoredContact {
    pub(crate) fn is_finite(&self) -> bool {
        self.vectors().all(|v: DVec3| v.is_finite())
    }

    fn vectors(&self) -> impl Iterator<Item = DVec3> + '_ {
        let points = self.points.iter().flat_map(|point| [point.arm, point.impulse]);
        let [on_a, on_b] = self.places;
        [self.point, on_a, on_b, self.normal, self.force, self.torque].into_iter().chain(points)
    }

    /// The contact point where the bodies are: midway between where each has brought it, world \[m\].
    pub(crate) fn place(&self, bodies: &[Body]) -> DVec3 {
        let [on_a, on_b] =
            [0, 1].map(|side| bodies[self.bodies[side] as usize].w_from_shape().point(self.places[side]));
        on_a.midpoint(on_b)
    }

    /// Takes its impulses as those of a step that is so many times as long.
    pub(crate) fn stretch(&mut self, times: f64) {
        self.force *= times;
        self.torque *= times;
        self.points.iter_mut().for_each(|point| point.impulse *= times);
    }

    pub(crate) fn hash(&self, hash: &mut StateHash) {
        hash.word(u64::from(self.bodies[0]) << 32 | u64::from(self.bodies[1]));
        self.vectors().for_each(|v| hash.vector(v));
        hash.word(u64::from(self.region) << 32 | self.look_ahead as u64);
    }
}

/// What the next step has to know of a contact with this impulse, whose point lies at these places of its bodies; `constraints` are those of the step.
pub fn remember(
    contact: &Contact,
    places: [DVec3; 2],
    impulse: &Vec6,
    constraints: &[Constraint],
) -> StoredContact {
    let position = contact.origin + contact.frame.point;
    let point = |constraint: &Constraint| match constraint.rows {
        Rows::Patch(_) | Rows::Joint(_) => None,
        Rows::Point(_) => Some(StoredPoint {
            arm: constraint.arms[1] - contact.arms[1],
            impulse: contact.frame.to_world(constraint.impulse.linear()),
        }),
    };
    StoredContact {
        bodies: contact.bodies,
        region: contact.source.contact,
        point: position,
        places,
        normal: contact.frame.normal(),
        force: contact.frame.to_world(impulse.linear()),
        torque: contact.frame.torque_to_world(impulse),
        look_ahead: contact.look_ahead,
        points: constraints[contact.constraints.clone()].iter().filter_map(point).collect(),
    }
}

/// The contacts of a pair among contacts that are sorted by pair.
pub fn of_pair(contacts: &[StoredContact], pair: [u32; 2]) -> &[StoredContact] {
    let first = contacts.partition_point(|contact| contact.bodies < pair);
    let n = contacts[first..].partition_point(|contact| contact.bodies == pair);
    &contacts[first..first + n]
}

/// Whether a pair has pressed on each other in the last step, whose contacts are sorted by pair.
pub fn was_pressed(contacts: &[StoredContact], pair: [u32; 2]) -> bool {
    of_pair(contacts, pair).iter().any(|contact| contact.force != DVec3::ZERO)
}

/// Whether anything has pressed on a body in the last step.
pub fn is_pressed(contacts: &[StoredContact], body: u32) -> bool {
    contacts.iter().any(|contact| contact.bodies.contains(&body) && contact.force != DVec3::ZERO)
}

/// Whether anything has pressed on each of so many bodies in the last step.
pub fn are_pressed(contacts: &[StoredContact], n_bodies: usize) -> Vec<bool> {
    let mut are_pressed = vec![false; n_bodies];
    for contact in contacts.iter().filter(|contact| contact.force != DVec3::ZERO) {
        contact.bodies.iter().for_each(|ix| are_pressed[*ix as usize] = true);
    }
    are_pressed
}

/// Which of a pair's stored contacts each region continues, by number; none continues two regions.
///
/// The only contact is continued by the only region. Of several the two that are most alike, by normal and place, are
/// matched first, the lower numbers where several are. `points` are those of the contacts, about the origin of the regions' positions \[m\].
pub fn continuing(stored: &[StoredContact], points: &[DVec3], regions: &[Overlap]) -> Vec<Option<usize>> {
    let bounds = regions.iter().fold(tactum_geometry::Aabb::EMPTY, |all, region| all.union(&region.bounds));
    let size = bounds.diagonal();
    let mut alike = Vec::new();
    for (region, at) in regions.iter().enumerate() {
        for (contact, of) in stored.iter().zip(points).enumerate() {
            alike.extend(unlikeness(of, at, size).map(|unlike| (unlike, region, contact)));
        }
    }
    alike.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut found = vec![None; regions.len()];
    for (_, region, contact) in alike {
        if found[region].is_none() && !found.contains(&Some(contact)) {
            found[region] = Some(contact);
        }
    }
    found
}

/// How different a region is from a stored contact; `None` where its normal turns too far for it to be the same one.
fn unlikeness((contact, point): (&StoredContact, &DVec3), region: &Overlap, size: f64) -> Option<f64> {
    let cosine = match (region.kind, &region.patch) {
        (OverlapKind::Regular, Some(patch)) => contact.normal.dot(patch.normal),
        (OverlapKind::Empty, _) => return None,
        // Without a normal of its own the region takes the contact's.
        _ => 1.0,
    };
    let away = point.distance(region.centroid) / size;
    (cosine > MIN_CONTINUED_COSINE).then_some(1.0 - cosine + away * away)
}

#[cfg(test)]
mod tests {
    use glam::{DMat3, DVec3};
    use tactum_geometry::Aabb;
    use tactum_geometry::overlap::Patch;

    use super::*;

    fn stored(bodies: [u32; 2], region: u32, normal: DVec3) -> StoredContact {
        let (force, torque) = (normal * f64::from(region + 1), DVec3::ZERO);
        StoredContact {
            bodies,
            region,
            point: DVec3::ZERO,
            places: [DVec3::ZERO; 2],
            normal,
            force,
            torque,
            look_ahead: LookAhead::Nothing,
            points: vec![],
        }
    }

    fn region(centroid: DVec3, normal: DVec3) -> Overlap {
        let points = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|x| 0.1 * x);
        Overlap {
            kind: OverlapKind::Regular,
            volume: 1.0,
            centroid,
            second_moment: DMat3::IDENTITY,
            gradient: normal,
            bounds: Aabb::from_points([centroid - 0.1, centroid + 0.1]),
            patch: Patch::new(&points, normal, 1.0, DVec3::ZERO, &DMat3::IDENTITY),
            ..Overlap::EMPTY
        }
    }

    #[test]
    fn pairs_are_found_in_order() {
        let contact = |a, b, region| stored([a, b], region, DVec3::X);
        let all = [contact(0, 1, 0), contact(0, 2, 0), contact(0, 2, 3), contact(1, 2, 0)];
        assert_eq!(of_pair(&all, [0, 2]), &all[1..3]);
        assert_eq!(of_pair(&all, [1, 2]), &all[3..]);
        assert!(of_pair(&all, [0, 3]).is_empty());
    }

    /// Regions that come in another order find their contacts by normal and place; a new one finds none.
    #[test]
    fn regions_continue_the_contacts_that_are_most_alike() {
        let contacts =
            [stored([0, 1], 0, DVec3::X), stored([0, 1], 1, DVec3::X), stored([0, 1], 2, DVec3::NEG_X)];
        let points = [DVec3::ZERO, DVec3::Y, DVec3::ZERO];
        let regions = [
            region(DVec3::ZERO, DVec3::new(-1.0, 0.1, 0.0)),
            region(DVec3::Y * 0.9, DVec3::X),
            region(DVec3::Y * 0.2, DVec3::new(1.0, 0.2, 0.0)),
            region(DVec3::Z, DVec3::Z),
        ];
        assert_eq!(continuing(&contacts, &points, &regions), [Some(2), Some(1), Some(0), None]);
    }

    /// What faces elsewhere is another contact, also where each is alone: a ball may leave one wall of a groove as it comes to the other.
    #[test]
    fn what_faces_another_way_continues_no_contact() {
        let contacts = [stored([0, 1], 0, DVec3::X)];
        let of = |contacts: &[StoredContact], regions: &[Overlap]| {
            continuing(contacts, &[DVec3::ZERO][..contacts.len()], regions)
        };
        assert_eq!(of(&contacts, &[region(DVec3::ZERO, DVec3::NEG_X)]), [None]);
        assert_eq!(of(&contacts, &[region(DVec3::ZERO, DVec3::X)]), [Some(0)]);
        assert_eq!(of(&contacts, &[Overlap::EMPTY]), [None]);
        let two = [region(DVec3::ZERO, DVec3::NEG_X), region(DVec3::Y, DVec3::X)];
        assert_eq!(of(&contacts, &two), [None, Some(0)]);
        assert_eq!(of(&[], &two), [None, None]);
    }
}
