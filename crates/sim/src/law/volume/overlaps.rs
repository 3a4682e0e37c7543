//! The measured overlaps of a step, pair by pair: what is asked, whether the answers can be used, and which regions make
//! contacts.

use glam::DVec3;
use tactum_geometry::overlap::OverlapKind;
use tactum_geometry::{Overlap, Pose};

use crate::constants::{MIN_AHEAD_COSINE, MIN_DEPTH};
use crate::law::volume::unforeseen::Unforeseen;
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
    /// The way at whose end they are measured, see [`onward`](super::onward).
    pub onward: Option<Way>,
    /// How many times as far they come nearer in the step as half the thinner one is thick, where one would come so deep into the other
    /// that it may come out on the other side.
    pub fast: Option<f64>,
    /// How far the contacts of others may change their ways in the step \[m\].
    pub jolt: f64,
    /// Number of the pair's first question.
    pub first: usize,
}

impl PairAsked {
    /// A pair of which nothing is asked.
    pub fn nothing(bodies: [u32; 2]) -> Self {
        Self { bodies, now: false, ahead: Vec::new(), onward: None, fast: None, jolt: 0.0, first: 0 }
    }

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
    pub shifts: &'a [Shift],
    /// The overlaps there.
    pub ahead: &'a [Overlap],
    /// The overlap at the end of their way, where they slide to there.
    pub onward: Option<Onward<'a>>,
    /// The region into which they are led, where that is what makes the contact in question.
    pub unforeseen: Option<&'a Unforeseen>,
    /// Whether one may come out on the other side of the other in the step.
    pub may_pass: bool,
    /// Whether they may strike each other before contacts are measured next, as far as it is known.
    pub may_strike: bool,
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

    /// By how much the origin of positions has to be moved for those of regions ahead to lie midway between where A and where B has them \[m\], so
    /// that the order of the bodies does not matter.
    pub fn place(&self) -> DVec3 {
        -0.5 * self.by
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
    pub fn is_reached(&self, region: &Overlap) -> bool {
        region.kind == OverlapKind::Regular && self.leads_along(region.gradient.normalize())
    }

    /// Whether it is along this normal, about, that they were brought nearer: on the wall of what they lie on, they were brought down beside it.
    pub fn leads_along(&self, normal: DVec3) -> bool {
        -self.shift.toward.dot(normal) >= MIN_AHEAD_COSINE
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
        Self {
            bodies: asked.bodies,
            now,
            shifts: &asked.ahead,
            ahead,
            onward,
            unforeseen: None,
            may_pass,
            may_strike: true,
        }
    }

    /// A pair of which nothing is known but its overlap where it is.
    pub fn now(bodies: [u32; 2], overlap: &'a Overlap) -> Self {
        Self {
            bodies,
            now: Some(overlap),
            shifts: &[],
            ahead: &[],
            onward: None,
            unforeseen: None,
            may_pass: false,
            may_strike: false,
        }
    }

    /// The same for the contact of a region, with all into which bodies are led.
    #[must_use]
    pub fn at(self, source: RegionRef, unforeseen: &'a [Unforeseen]) -> Self {
        match source.seen {
            Seen::Unforeseen(ix) => Self { unforeseen: unforeseen.get(ix as usize), ..self },
            _ => self,
        }
    }

    /// Where the bodies are with B moved by a shift \[m\]: world axes, about the origin of A's shape frame, as the overlaps are.
    pub fn poses(&self, bodies: &[Body], shift: DVec3) -> [Pose; 2] {
        let [a, b] = self.bodies.map(|ix| bodies[ix as usize].w_from_shape());
        let away = b.translation + shift - a.translation;
        [Pose { translation: DVec3::ZERO, ..a }, Pose { translation: away, ..b }]
    }

    /// Origin of A's shape frame, world \[m\].
    pub fn origin(&self, bodies: &[Body]) -> DVec3 {
        bodies[self.bodies[0] as usize].w_from_shape().translation
    }

    /// The regions among which a region is.
    pub fn regions(&self, source: RegionRef) -> &'a [Overlap] {
        let overlap = match source.seen {
            Seen::Here => self.now,
            Seen::Onward => self.onward.map(|onward| onward.overlap),
            Seen::Ahead(place) => Some(&self.ahead[place as usize]),
            Seen::Unforeseen(_) => self.unforeseen.map(|unforeseen| &unforeseen.region),
            Seen::Apart(_) => None,
        };
        overlap.map_or(&[], Overlap::regions)
    }

    /// The overlap in which a region ahead is.
    pub fn looked_ahead(&self, source: RegionRef) -> Option<Ahead<'a>> {
        let Seen::Ahead(place) = source.seen else { return None };
        Some(Ahead { shift: self.shifts[place as usize], overlap: &self.ahead[place as usize] })
    }

    /// How far B was moved for a region.
    pub fn shift(&self, source: RegionRef) -> DVec3 {
        match source.seen {
            Seen::Ahead(place) => self.shifts[place as usize].by,
            Seen::Here | Seen::Onward | Seen::Apart(_) | Seen::Unforeseen(_) => DVec3::ZERO,
        }
    }
}

/// Where what makes a contact was seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Seen {
    /// Where the bodies are.
    Here,
    /// At the end of the way on which they slide.
    Onward,
    /// At one of the places where they may soon be.
    Ahead(u32),
    /// Where they have come apart: the nearest points of A and B, relative to the origin of A's shape \[m\].
    Apart([DVec3; 2]),
    /// Where the velocities lead that its other contacts leave the bodies: the number of the region among those.
    Unforeseen(u32),
}

/// A region of a measured overlap, or what has become of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegionRef {
    /// Number of its pair among those that were asked.
    pub pair: u32,
    /// Where it was seen.
    pub seen: Seen,
    /// Number of the region within the overlap; where there is none, of the contact of the last step that has come apart.
    pub region: u32,
    /// Number of its contact within the pair: that of the region, or the next one where a contact before has it.
    pub contact: u32,
}

impl RegionRef {
    /// Numbers the contacts of a pair, in the order of what they are made from.
    pub fn number(of_pair: &mut [Self]) {
        of_pair.sort_unstable_by_key(Self::order);
        let mut next = 0;
        for source in of_pair {
            source.contact = source.region.max(next);
            next = source.contact + 1;
        }
    }

    /// By pairs, from where bodies are to where they may be.
    pub fn order(&self) -> (u32, u32, u32, u32) {
        let (place, ahead) = match self.seen {
            Seen::Here => (0, 0),
            Seen::Onward => (1, 0),
            Seen::Ahead(ahead) => (2, ahead),
            Seen::Apart(_) => (3, 0),
            Seen::Unforeseen(ix) => (4, ix),
        };
        (self.pair, place, ahead, self.region)
    }
}

/// Whether an overlap where the bodies are is more than rounding.
pub fn is_deep_enough(bodies: &[Body], pair: &PairAsked, overlap: &Overlap) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Contacts of a pair are told apart by their numbers, however many places ahead they are found in: what is remembered of them is
    /// sorted by these.
    #[test]
    fn contacts_of_a_pair_have_numbers_of_their_own() {
        let source = |seen, region| RegionRef { pair: 7, seen, region, contact: 0 };
        let [one, other, apart] = [Seen::Ahead(0), Seen::Ahead(1), Seen::Apart([DVec3::ZERO, DVec3::X])];
        let here = Seen::Here;
        let mut sources = [
            source(other, 0),
            source(apart, 1),
            source(one, 0),
            source(here, 2),
            source(other, 5),
            source(here, 0),
        ];
        RegionRef::number(&mut sources);
        let numbers = sources.map(|source| (source.seen, source.region, source.contact));
        let ahead = [(one, 0, 3), (other, 0, 4), (other, 5, 5)];
        assert_eq!(numbers, [(here, 0, 0), (here, 2, 2), ahead[0], ahead[1], ahead[2], (apart, 1, 6)]);
    }
}
