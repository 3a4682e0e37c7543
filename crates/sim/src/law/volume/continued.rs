//! Which regions make the contacts of a step, and what has become of the contacts of the last one.

use glam::DVec3;
use tactum_geometry::Overlap;

use crate::law::Situation;
use crate::law::volume::geometry::ContactGeometry;
use crate::law::volume::memory::{self, StoredContact};
use crate::law::volume::overlaps::{Ahead, PairAsked, PairOverlaps, RegionRef, Seen, is_deep_enough};
use crate::law::volume::{flush, nearest};

/// Lists what makes contacts: the regions of overlaps as they are, what is new at the end of a way, regions ahead of pairs that have none at all,
/// and what has become of contacts of the last step that none of these goes on with.
pub fn regions_in_contact(
    situation: &Situation<'_>,
    pairs: &[PairAsked],
    answers: &[Overlap],
    regions: &mut Vec<RegionRef>,
) {
    regions.clear();
    let bodies = situation.bodies;
    for (pair, asked) in (0..).zip(pairs) {
        let overlaps = PairOverlaps::of(asked, answers);
        let before = regions.len();
        let source = |seen, region| RegionRef { pair, seen, region, contact: 0 };
        if let Some(now) = overlaps.now {
            let deep = (0..).zip(now.regions()).filter(|(_, region)| is_deep_enough(bodies, asked, region));
            regions.extend(deep.map(|(region, _)| source(Seen::Here, region)));
        }
        if let Some(onward) = overlaps.onward {
            let becomes = overlaps.now.map_or_else(Vec::new, |now| onward.becomes(now));
            let is_new = |ix: u32| becomes.iter().all(|&[_, there]| there != ix as usize);
            let new = (0..).zip(onward.overlap.regions());
            let new = new.filter(|&(ix, region)| is_new(ix) && is_deep_enough(bodies, asked, region));
            regions.extend(new.map(|(region, _)| source(Seen::Onward, region)));
        }
        let is_in_contact = regions.len() > before;
        if let [ahead] = overlaps.ahead
            && !is_in_contact
        {
            let ahead = Ahead { shift: overlaps.shifts[0], overlap: ahead };
            let across = |own: ContactGeometry<'_>| {
                flush::across_the_way(situation, asked.bodies, ahead, &own).is_some()
            };
            let is_met = |region: &Overlap| {
                ahead.is_reached(region) || ContactGeometry::of(region).is_some_and(across)
            };
            let met = (0..).zip(ahead.overlap.regions()).filter(|(_, region)| is_met(region));
            regions.extend(met.map(|(region, _)| source(Seen::Ahead(0), region)));
        }
        // Curved surfaces that slide on each other leave each other in one place while they hold on in others.
        if !(is_in_contact && asked.onward.is_some()) {
            let lost = come_apart(&overlaps, asked.jolt, situation, &regions[before..]);
            regions.extend(lost.into_iter().map(|(seen, region)| source(seen, region)));
        }
        RegionRef::number(&mut regions[before..]);
    }
}

/// Which of a pair's contacts of the last step what makes a contact goes on with, by number.
pub fn continues(pair: &PairOverlaps<'_>, situation: &Situation<'_>, source: RegionRef) -> Option<usize> {
    match source.seen {
        Seen::Apart(_) => return Some(source.region as usize),
        Seen::Unforeseen(_) => return None,
        _ => {}
    }
    let moved = match (source.seen, pair.onward) {
        (Seen::Onward, Some(onward)) => onward.moved(),
        (Seen::Ahead(place), _) => pair.shifts[place as usize].place(),
        _ => DVec3::ZERO,
    };
    let stored = memory::of_pair(&situation.memory.contacts, pair.bodies);
    let origin = pair.origin(situation.bodies) + moved;
    continuing(situation, stored, pair.regions(source), origin)[source.region as usize]
}

/// Which of a pair's stored contacts each region continues, by number; `origin` is that of the regions' positions, world \[m\].
fn continuing(
    situation: &Situation<'_>,
    stored: &[StoredContact],
    regions: &[Overlap],
    origin: DVec3,
) -> Vec<Option<usize>> {
    let points: Vec<DVec3> = stored.iter().map(|contact| contact.place(situation.bodies) - origin).collect();
    memory::continuing(stored, &points, regions)
}

/// The region ahead that a region where the bodies are becomes, if it is known which: the only one of the only one, or that which goes
/// on with the same contact of the last step.
pub fn ahead_of<'a>(
    pair: &PairOverlaps<'a>,
    situation: &Situation<'_>,
    source: RegionRef,
) -> Option<Ahead<'a>> {
    let [place, region] = becomes(pair, situation, source)?;
    let overlap = &pair.ahead[place as usize].regions()[region as usize];
    Some(Ahead { shift: pair.shifts[place as usize], overlap })
}

/// The same: the number of the place ahead, and that of the region there.
fn becomes(pair: &PairOverlaps<'_>, situation: &Situation<'_>, source: RegionRef) -> Option<[u32; 2]> {
    if source.seen != Seen::Here {
        return None;
    }
    let regions = pair.regions(source);
    if let ([_], &[shift], [overlap]) = (regions, pair.shifts, pair.ahead) {
        let ahead = Ahead { shift, overlap };
        return (overlap.regions.is_empty() && ahead.is_reached(overlap)).then_some([0, 0]);
    }
    let origin = pair.origin(situation.bodies);
    let stored = memory::of_pair(&situation.memory.contacts, pair.bodies);
    let contact = continuing(situation, stored, regions, origin)[source.region as usize]?;
    continues_ahead(pair, situation, stored, contact)
}

/// What has become of the contacts of the last step that none of the regions `known` so far goes on with: a region ahead, or the points in which the
/// bodies are nearest to each other there, which others may bring nearer by `jolt` \[m\].
fn come_apart(
    pair: &PairOverlaps<'_>,
    jolt: f64,
    situation: &Situation<'_>,
    known: &[RegionRef],
) -> Vec<(Seen, u32)> {
    let stored = memory::of_pair(&situation.memory.contacts, pair.bodies);
    let goes_on: Vec<usize> = known.iter().filter_map(|source| continues(pair, situation, *source)).collect();
    let mut lost: Vec<(Seen, u32)> = Vec::new();
    let is_known = |ahead| known.iter().any(|source| becomes(pair, situation, *source) == Some(ahead));
    for contact in (0..stored.len()).filter(|contact| !goes_on.contains(contact)) {
        let seen = match continues_ahead(pair, situation, stored, contact) {
            // Two contacts may come to be one.
            Some(ahead) if is_known(ahead) => None,
            Some([place, region]) => Some((Seen::Ahead(place), region)),
            None => nearest::about_contact(situation, pair, &stored[contact], jolt)
                .map(|points| (Seen::Apart(points), contact as u32)),
        };
        // Two contacts may have come to where they are one; regions ahead go on with one contact each.
        let is_other = |new: &(Seen, u32)| {
            !matches!(new.0, Seen::Apart(_)) || lost.iter().all(|(known, _)| *known != new.0)
        };
        lost.extend(seen.filter(is_other));
    }
    lost
}

/// Where a region ahead goes on with a contact of the last step: the number of the place nearer along its normal, and that of the region.
fn continues_ahead(
    pair: &PairOverlaps<'_>,
    situation: &Situation<'_>,
    stored: &[StoredContact],
    contact: usize,
) -> Option<[u32; 2]> {
    let normal = stored[contact].normal;
    let along = |place: &usize| pair.shifts[*place].toward.dot(normal);
    let place = (0..pair.shifts.len()).min_by(|a, b| along(a).total_cmp(&along(b)))?;
    let ahead = Ahead { shift: pair.shifts[place], overlap: &pair.ahead[place] };
    let regions = ahead.overlap.regions();
    let origin = pair.origin(situation.bodies) + ahead.shift.place();
    let continuing = continuing(situation, stored, regions, origin);
    let region = continuing.iter().position(|&of| of == Some(contact))?;
    ahead.is_reached(&regions[region]).then_some([place as u32, region as u32])
}
