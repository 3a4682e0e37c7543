//! The measured overlaps of a step, pair by pair: what is asked, whether the answers can be used, and which regions make
//! contacts.

use glam::DVec3;
use tactum_geometry::overlap::OverlapKind;
use tactum_geometry::{Overlap, Pose};

use crate::constants::{MIN_AHEAD_COSINE, MIN_DEPTH};
use crate::law::Situation;
use crate::law::volume::memory::{self, StoredContact};
use crate::law::volume::way::{Onward, Way};
use crate::question::OverlapQuestion;
use crate::{Body, BodyId};

/// What is asked of a pair of bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct PairAsked {
    /// Indices of the bodies A and B, the smaller first.
    pub bodies: [u32; 2],
    /// Whether they are measured where they are.
    pub now: bool,
    /// How B is moved to be measured against A where it may soon be: one way for each place where that may be.
    pub ahead: Vec<Shift>,
    /// The way at whose end they are measured, see [`onward`](super::onward); never together with `ahead`.
    pub onward: Option<Way>,
    /// How many times as far they come nearer in the step as half the thinner one is thick, where one would come so deep into the other
    /// that it may come out on the other side.
    pub fast: Option<f64>,
    /// Number of the pair's first question.
    pub first: usize,
}

impl PairAsked {
    /// Number of questions.
    pub fn n_questions(&self) -> usize {
        usize::from(self.now) + self.ahead.len() + usize::from(self.onward.is_some())
    }
}

/// The questions of pairs, in their order: of each pair where it is before where it may be.
pub fn questions(pairs: &[PairAsked], bodies: &[Body]) -> Vec<OverlapQuestion> {
    let mut questions = Vec::with_capacity(2 * pairs.len());
    for pair in pairs {
        let [a, b] = pair.bodies.map(|ix| &bodies[ix as usize]);
        let poses = [a.w_from_shape(), b.w_from_shape()];
        let question = |poses, is_ahead| OverlapQuestion {
            bodies: pair.bodies.map(BodyId),
            shapes: [a.shape.clone(), b.shape.clone()],
            poses,
            is_ahead,
        };
        if pair.now {
            questions.push(question(poses, false));
        }
        for shift in &pair.ahead {
            let [a, mut b] = poses;
            b.translation += shift.by;
            questions.push(question([a, b], true));
        }
        if let Some(way) = pair.onward {
            questions.push(question(way.to, true));
        }
    }
    questions
}

/// The overlaps of a pair.
#[derive(Clone, Copy, Debug)]
pub struct PairOverlaps<'a> {
    /// Indices of the bodies A and B.
    pub bodies: [u32; 2],
    /// The overlap where they are.
    pub now: Option<&'a Overlap>,
    /// How B was moved to where they may soon be.
    shifts: &'a [Shift],
    /// The overlaps there.
    ahead: &'a [Overlap],
    /// The overlap at the end of their way, where they slide to there.
    pub onward: Option<Onward<'a>>,
    /// Whether one may come out on the other side of the other in the step.
    pub may_pass: bool,
}

/// How B is moved against A to look ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shift {
    /// World axes \[m\].
    pub by: DVec3,
    /// The direction in which the bodies are apart, from B to A.
    pub toward: DVec3,
}

impl Shift {
    /// A shift in the direction in which the bodies are apart.
    pub fn along(by: DVec3) -> Self {
        Self { by, toward: by.normalize_or_zero() }
    }
}

/// The overlap of a pair where it may soon be, or a region of it.
#[derive(Clone, Copy, Debug)]
pub struct Ahead<'a> {
    /// How B was moved for it.
    pub shift: Shift,
    /// The overlap.
    pub overlap: &'a Overlap,
}

impl Ahead<'_> {
    /// Whether a region ahead is one that the bodies reach along its normal.
    fn is_reached(&self, region: &Overlap) -> bool {
        let closing = self.shift.toward.dot(region.gradient);
        region.kind == OverlapKind::Regular && -closing >= MIN_AHEAD_COSINE * region.gradient.length()
    }

    /// The numbers of those.
    fn reached(&self) -> impl Iterator<Item = u32> {
        let reached = (0..).zip(self.overlap.regions()).filter(|(_, region)| self.is_reached(region));
        reached.map(|(region, _)| region)
    }
}

impl<'a> PairOverlaps<'a> {
    /// The overlaps of a pair among the answers of a step.
    pub fn of(asked: &'a PairAsked, answers: &'a [Overlap]) -> Self {
        let answers = &answers[asked.first..asked.first + asked.n_questions()];
        let (now, later) = answers.split_at(usize::from(asked.now));
        let (now, ahead) = (now.first(), &later[..asked.ahead.len()]);
        let onward = asked.onward.zip(later.last()).map(|(way, overlap)| Onward { way, overlap });
        let onward = onward.filter(|onward| onward.is_smooth(now));
        let may_pass = asked.fast.is_some();
        Self { bodies: asked.bodies, now, shifts: &asked.ahead, ahead, onward, may_pass }
    }

    /// Where the bodies are with B moved by a shift \[m\]: world axes, about the origin of A's shape frame, as the overlaps are.
    pub fn poses(&self, bodies: &[Body], shift: DVec3) -> [Pose; 2] {
        let [a, b] = self.bodies.map(|ix| bodies[ix as usize].w_from_shape());
        let away = b.translation + shift - a.translation;
        [Pose { translation: DVec3::ZERO, ..a }, Pose { translation: away, ..b }]
    }

    /// The region ahead that a region where the bodies are becomes, if it is known which: the only one of the only one, or that which goes
    /// on with the same contact of the last step.
    pub fn ahead_of(&self, situation: &Situation<'_>, source: RegionRef) -> Option<Ahead<'a>> {
        if source.ahead.is_some() {
            return None;
        }
        let regions = self.regions(source);
        if let ([_], &[shift], [overlap]) = (regions, self.shifts, self.ahead) {
            let ahead = Ahead { shift, overlap };
            return (overlap.regions.is_empty() && ahead.is_reached(overlap)).then_some(ahead);
        }
        let origin = self.origin(situation.bodies);
        let stored = memory::of_pair(&situation.memory.contacts, self.bodies);
        let contact = memory::continuing(stored, regions, origin)[source.region as usize]?;
        let [place, region] = self.continues_ahead(stored, contact, origin)?;
        let overlap = &self.ahead[place as usize].regions()[region as usize];
        Some(Ahead { shift: self.shifts[place as usize], overlap })
    }

    /// The places and numbers of the regions ahead that go on with contacts which none of those `here` does, where the bodies are.
    fn come_apart(&self, situation: &Situation<'_>, here: &[RegionRef]) -> Vec<[u32; 2]> {
        let origin = self.origin(situation.bodies);
        let stored = memory::of_pair(&situation.memory.contacts, self.bodies);
        let continuing = memory::continuing(stored, self.now.map_or(&[], Overlap::regions), origin);
        let goes_on = |contact| here.iter().any(|at| continuing[at.region as usize] == Some(contact));
        let lost = (0..stored.len()).filter(|&contact| !goes_on(contact));
        lost.filter_map(|contact| self.continues_ahead(stored, contact, origin)).collect()
    }

    /// Where a region ahead goes on with a contact of the last step: the number of the place nearer along its normal, and that of the region.
    fn continues_ahead(&self, stored: &[StoredContact], contact: usize, origin: DVec3) -> Option<[u32; 2]> {
        let normal = stored[contact].normal;
        let along = |place: &usize| self.shifts[*place].toward.dot(normal);
        let place = (0..self.shifts.len()).min_by(|a, b| along(a).total_cmp(&along(b)))?;
        let ahead = Ahead { shift: self.shifts[place], overlap: &self.ahead[place] };
        let regions = ahead.overlap.regions();
        let continuing = memory::continuing(stored, regions, origin);
        let region = continuing.iter().position(|&of| of == Some(contact))?;
        ahead.is_reached(&regions[region]).then_some([place as u32, region as u32])
    }

    /// Origin of A's shape frame, world \[m\].
    pub fn origin(&self, bodies: &[Body]) -> DVec3 {
        bodies[self.bodies[0] as usize].w_from_shape().translation
    }

    /// The regions among which a region is.
    pub fn regions(&self, source: RegionRef) -> &'a [Overlap] {
        let overlap = match source.ahead {
            None => self.now,
            Some(_) if self.onward.is_some() => self.onward.map(|onward| onward.overlap),
            Some(place) => Some(&self.ahead[place as usize]),
        };
        overlap.map_or(&[], Overlap::regions)
    }

    /// How far B was moved for a region.
    pub fn shift(&self, source: RegionRef) -> DVec3 {
        source.ahead.and_then(|place| self.shifts.get(place as usize)).map_or(DVec3::ZERO, |shift| shift.by)
    }
}

/// A region of a measured overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RegionRef {
    /// Number of its pair among those that were asked.
    pub pair: u32,
    /// At which of the places where the pair may soon be it is; `None` of one where the bodies are.
    pub ahead: Option<u32>,
    /// Number of the region within the overlap.
    pub region: u32,
}

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
        if let Some(now) = overlaps.now {
            let deep = (0..).zip(now.regions()).filter(|(_, region)| is_deep_enough(bodies, asked, region));
            regions.extend(deep.map(|(region, _)| RegionRef { pair, ahead: None, region }));
        }
        if let Some(onward) = overlaps.onward {
            let becomes = overlaps.now.map_or_else(Vec::new, |now| onward.becomes(now));
            let is_new = |ix: u32| becomes.iter().all(|&[_, there]| there != ix as usize);
            let new = (0..).zip(onward.overlap.regions());
            let new = new.filter(|&(ix, region)| is_new(ix) && is_deep_enough(bodies, asked, region));
            regions.extend(new.map(|(region, _)| RegionRef { pair, ahead: Some(0), region }));
        }
        match overlaps.ahead {
            [] => {}
            [ahead] if regions.len() == before => {
                let ahead = Ahead { shift: overlaps.shifts[0], overlap: ahead };
                regions.extend(ahead.reached().map(|region| RegionRef { pair, ahead: Some(0), region }));
            }
            _ => {
                let lost = overlaps.come_apart(situation, &regions[before..]);
                let new = |[ahead, region]: [u32; 2]| RegionRef { pair, ahead: Some(ahead), region };
                regions.extend(lost.into_iter().map(new));
            }
        }
    }
}

/// Whether an overlap where the bodies are is more than rounding.
fn is_deep_enough(bodies: &[Body], pair: &PairAsked, overlap: &Overlap) -> bool {
    let size = pair.bodies.iter().map(|&ix| bodies[ix as usize].mean_side).fold(f64::INFINITY, f64::min);
    match overlap.kind {
        OverlapKind::Empty => false,
        OverlapKind::Regular => overlap.volume > MIN_DEPTH * size * overlap.gradient.length(),
        OverlapKind::NoNormal | OverlapKind::Swallowed => overlap.volume > (MIN_DEPTH * size).powi(3),
    }
}

/// See [`crate::StepReport::depth_of_size`].
pub fn depth_of_size(pairs: &[PairAsked], answers: &[Overlap], bodies: &[Body]) -> f64 {
    let thickest = |asked: &PairAsked| {
        let [a, b] = asked.bodies.map(|ix| bodies[ix as usize].shape.size());
        let thickness = |region: &Overlap| {
            let surface = region.areas[0] + region.areas[1];
            if surface > 0.0 { 2.0 * region.volume / surface / a.min(b) } else { 0.0 }
        };
        let now = PairOverlaps::of(asked, answers).now.map_or(&[][..], Overlap::regions);
        now.iter().map(thickness).fold(0.0, f64::max)
    };
    pairs.iter().map(thickest).fold(0.0, f64::max)
}

/// An answer that holds a number no contact can be made from: of which question, and which quantity.
pub fn check(answers: &[Overlap]) -> Result<(), (usize, &'static str)> {
    for (ix, overlap) in answers.iter().enumerate() {
        let mut all = std::iter::once(overlap).chain(&overlap.regions);
        if let Some(what) = all.find_map(unusable) {
            return Err((ix, what));
        }
    }
    Ok(())
}

/// Which quantity of an overlap no contact can be made from, if any.
fn unusable(overlap: &Overlap) -> Option<&'static str> {
    if overlap.kind == OverlapKind::Empty {
        return None;
    }
    if !overlap.volume.is_finite() || overlap.volume <= 0.0 {
        return Some("volume");
    }
    let c = &overlap.second_moment;
    if !(c.x_axis.is_finite() && c.y_axis.is_finite() && c.z_axis.is_finite()) {
        return Some("second moment");
    }
    if !overlap.centroid.is_finite() {
        return Some("centroid");
    }
    if !overlap.gradient.is_finite() || !overlap.angular_gradient.is_finite() {
        return Some("gradient");
    }
    if overlap.kind != OverlapKind::Regular {
        return None;
    }
    let Some(patch) = &overlap.patch else { return Some("contact patch") };
    let frame_is_finite = patch.normal.is_finite() && patch.axes.iter().all(|axis| axis.is_finite());
    if !frame_is_finite || !patch.extent.is_finite() || !patch.polygon.iter().all(|x| x.is_finite()) {
        return Some("contact patch");
    }
    // A direction needs a length that survives squaring.
    (overlap.gradient.length_squared() == 0.0).then_some("gradient")
}
