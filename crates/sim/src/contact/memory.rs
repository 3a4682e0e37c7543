//! Which contact of the last step a region continues.

use glam::DVec3;
use tactum_geometry::Overlap;
use tactum_geometry::overlap::OverlapKind;

use crate::constants::MIN_CONTINUED_COSINE;
use crate::state::StoredContact;

/// The contacts of a pair among contacts that are sorted by pair.
pub fn of_pair(contacts: &[StoredContact], pair: [u32; 2]) -> &[StoredContact] {
    let first = contacts.partition_point(|contact| contact.bodies < pair);
    let n = contacts[first..].partition_point(|contact| contact.bodies == pair);
    &contacts[first..first + n]
}

/// The contact among a pair's stored ones that the region `wanted` continues; none continues two regions.
///
/// The only contact is continued by the only region. Of several the two that are most alike, by normal and place, are
/// matched first, the lower numbers where several are. `origin` is that of the regions' positions, world \[m\].
pub fn continued<'a>(
    stored: &'a [StoredContact],
    regions: &[Overlap],
    wanted: usize,
    origin: DVec3,
) -> Option<&'a StoredContact> {
    if let ([contact], [_]) = (stored, regions) {
        return Some(contact);
    }
    let bounds = regions.iter().fold(tactum_geometry::Aabb::EMPTY, |all, region| all.union(&region.bounds));
    let size = bounds.diagonal();
    let mut open_contacts: Vec<usize> = (0..stored.len()).collect();
    let mut open_regions: Vec<usize> = (0..regions.len()).collect();
    loop {
        let mut best = (f64::INFINITY, None);
        for (at, &region) in open_regions.iter().enumerate() {
            for (of, &contact) in open_contacts.iter().enumerate() {
                if let Some(unlike) = unlikeness(&stored[contact], &regions[region], origin, size)
                    && unlike < best.0
                {
                    best = (unlike, Some((at, of)));
                }
            }
        }
        let (at, of) = best.1?;
        let (region, contact) = (open_regions.remove(at), open_contacts.remove(of));
        if region == wanted {
            return Some(&stored[contact]);
        }
    }
}

/// How different a region is from a stored contact; `None` where its normal turns too far for it to be the same one.
fn unlikeness(contact: &StoredContact, region: &Overlap, origin: DVec3, size: f64) -> Option<f64> {
    let cosine = match (region.kind, &region.patch) {
        (OverlapKind::Regular, Some(patch)) => contact.normal.dot(patch.normal),
        // Without a normal of its own the region takes the contact's.
        _ => 1.0,
    };
    let away = (contact.point - origin).distance(region.centroid) / size;
    (cosine > MIN_CONTINUED_COSINE).then_some(1.0 - cosine + away * away)
}
