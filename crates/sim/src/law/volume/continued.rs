//! Which regions make the contacts of a step, and which of those ahead go on with which contacts of the last one.

use glam::DVec3;
use tactum_geometry::Overlap;

use crate::law::Situation;
use crate::law::volume::memory::{self, StoredContact};
use crate::law::volume::overlaps::{Ahead, PairAsked, PairOverlaps, RegionRef, is_deep_enough};

/// Lists the regions that make contacts: those of overlaps as they are, what is new at the end of a way, and those ahead that go on with
/// contacts of the last step that have no region now, or of pairs that have none at all.
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
        let source = |ahead, region| RegionRef { pair, ahead, region, contact: 0 };
        if let Some(now) = overlaps.now {
            let deep = (0..).zip(now.regions()).filter(|(_, region)| is_deep_enough(bodies, asked, region));
            regions.extend(deep.map(|(region, _)| source(None, region)));
        }
        if let Some(onward) = overlaps.onward {
            let becomes = overlaps.now.map_or_else(Vec::new, |now| onward.becomes(now));
            let is_new = |ix: u32| becomes.iter().all(|&[_, there]| there != ix as usize);
            let new = (0..).zip(onward.overlap.regions());
            let new = new.filter(|&(ix, region)| is_new(ix) && is_deep_enough(bodies, asked, region));
            regions.extend(new.map(|(region, _)| source(Some(0), region)));
        }
        match overlaps.ahead {
            [] => {}
            [ahead] if regions.len() == before => {
                let ahead = Ahead { shift: overlaps.shifts[0], overlap: ahead };
                regions.extend(ahead.reached().map(|region| source(Some(0), region)));
            }
            _ => {
                let lost = come_apart(&overlaps, situation, &regions[before..]);
                regions.extend(lost.into_iter().map(|[ahead, region]| source(Some(ahead), region)));
            }
        }
        RegionRef::number(&mut regions[before..]);
    }
}

/// The region ahead that a region where the bodies are becomes, if it is known which: the only one of the only one, or that which goes
/// on with the same contact of the last step.
pub fn ahead_of<'a>(
    pair: &PairOverlaps<'a>,
    situation: &Situation<'_>,
    source: RegionRef,
) -> Option<Ahead<'a>> {
    if source.ahead.is_some() {
        return None;
    }
    let regions = pair.regions(source);
    if let ([_], &[shift], [overlap]) = (regions, pair.shifts, pair.ahead) {
        let ahead = Ahead { shift, overlap };
        return (overlap.regions.is_empty() && ahead.is_reached(overlap)).then_some(ahead);
    }
    let origin = pair.origin(situation.bodies);
    let stored = memory::of_pair(&situation.memory.contacts, pair.bodies);
    let contact = memory::continuing(stored, regions, origin)[source.region as usize]?;
    let [place, region] = continues_ahead(pair, stored, contact, origin)?;
    let overlap = &pair.ahead[place as usize].regions()[region as usize];
    Some(Ahead { shift: pair.shifts[place as usize], overlap })
}

/// The places and numbers of the regions ahead that go on with contacts which none of those `here` does, where the bodies are.
fn come_apart(pair: &PairOverlaps<'_>, situation: &Situation<'_>, here: &[RegionRef]) -> Vec<[u32; 2]> {
    let origin = pair.origin(situation.bodies);
    let stored = memory::of_pair(&situation.memory.contacts, pair.bodies);
    let continuing = memory::continuing(stored, pair.now.map_or(&[], Overlap::regions), origin);
    let goes_on = |contact| here.iter().any(|at| continuing[at.region as usize] == Some(contact));
    let lost = (0..stored.len()).filter(|&contact| !goes_on(contact));
    lost.filter_map(|contact| continues_ahead(pair, stored, contact, origin)).collect()
}

/// Where a region ahead goes on with a contact of the last step: the number of the place nearer along its normal, and that of the region.
fn continues_ahead(
    pair: &PairOverlaps<'_>,
    stored: &[StoredContact],
    contact: usize,
    origin: DVec3,
) -> Option<[u32; 2]> {
    let normal = stored[contact].normal;
    let along = |place: &usize| pair.shifts[*place].toward.dot(normal);
    let place = (0..pair.shifts.len()).min_by(|a, b| along(a).total_cmp(&along(b)))?;
    let ahead = Ahead { shift: pair.shifts[place], overlap: &pair.ahead[place] };
    let regions = ahead.overlap.regions();
    let continuing = memory::continuing(stored, regions, origin);
    let region = continuing.iter().position(|&of| of == Some(contact))?;
    ahead.is_reached(&regions[region]).then_some([place as u32, region as u32])
}
