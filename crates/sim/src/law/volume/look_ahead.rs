//! Which overlaps the law asks for: of each pair where it is, and where it may be at the end of the step.
//!
//! Contacts are known by their overlap, so bodies that only touch would fall into each other before they carry, and what
//! comes down flat or over a corner would be found too late.

use glam::DVec3;
use tactum_geometry::Aabb;

use crate::broad_phase::{Candidates, height_above};
use crate::constants::{MAX_LANDING, TOUCHING};
use crate::law::Situation;
use crate::law::volume::contact::LookAhead;
use crate::law::volume::memory;
use crate::law::volume::overlaps::PairAsked;
use crate::motion::FreeMotion;

/// What is asked of each pair, in the order of the pairs.
///
/// A pair whose boxes meet (sharing a point is enough) is measured where it is. A pair that was no contact in the last
/// step is also measured where it may be at the end of this one.
pub fn ask(situation: &Situation<'_>, candidates: &Candidates) -> Vec<PairAsked> {
    // A compliant contact wants its overlap before it pushes.
    let looks_ahead = situation.settings.compliance == 0.0;
    let mut asked = Vec::with_capacity(candidates.pairs.len());
    let mut n_questions = 0;
    for &bodies in &candidates.pairs {
        let approach = Approach::new(situation, candidates, bodies);
        let ahead = if looks_ahead {
            shift_to_land(situation, bodies).unwrap_or_else(|| approach.shift())
        } else {
            DVec3::ZERO
        };
        let pair = PairAsked {
            bodies,
            now: approach.meet(),
            ahead: (ahead != DVec3::ZERO).then_some(ahead),
            first: n_questions,
        };
        n_questions += pair.n_questions();
        if pair.n_questions() > 0 {
            asked.push(pair);
        }
    }
    asked
}

/// How two bodies may come to touch.
enum Approach<'a> {
    /// Two finite bodies, by their boxes.
    Boxes { boxes: [&'a Aabb; 2], free: [&'a FreeMotion; 2] },
    /// A body over a half-space.
    Sinking {
        /// Height of its lowest point, or less \[m\].
        height: f64,
        /// How far it may sink, with the plane's motion or without \[m\].
        sinking: f64,
        /// From the second body of the pair to the first, across the plane.
        toward: DVec3,
    },
}

impl<'a> Approach<'a> {
    fn new(situation: &Situation<'a>, candidates: &'a Candidates, bodies: [u32; 2]) -> Self {
        let [a, b] = bodies.map(|ix| &situation.bodies[ix as usize]);
        let free = bodies.map(|ix| &situation.free[ix as usize]);
        let normals = [a, b].map(|body| body.shape.plane_normal());
        let (plane, normal, body, free_plane, free_body) = match normals {
            [Some(normal), _] => (a, normal, b, free[0], free[1]),
            [None, Some(normal)] => (b, normal, a, free[1], free[0]),
            [None, None] => {
                return Self::Boxes { boxes: bodies.map(|ix| &candidates.boxes[ix as usize]), free };
            }
        };
        let w_from_plane = plane.w_from_shape();
        let up = w_from_plane.vector(normal);
        let motion = free_body.displacement;
        let sinking = (free_plane.displacement - motion).dot(up).max(-motion.dot(up));
        let toward = if normals[0].is_some() { -up } else { up };
        Self::Sinking { height: height_above(w_from_plane.translation, up, body), sinking, toward }
    }

    /// Whether the bodies may overlap where they are.
    fn meet(&self) -> bool {
        match self {
            Self::Boxes { boxes: [a, b], .. } => a.meets(b),
            Self::Sinking { height, .. } => *height <= 0.0,
        }
    }

    /// How far B may come nearer to A within the step \[m\]; zero if they do not come to touch.
    fn shift(&self) -> DVec3 {
        match *self {
            Self::Boxes { boxes, free } => shift_of_boxes(boxes, free),
            Self::Sinking { height, sinking, toward } if sinking > height.max(0.0) => toward * sinking,
            Self::Sinking { .. } => DVec3::ZERO,
        }
    }
}

/// Where B may be relative to A at the end of the step, as far as it comes nearer \[m\].
///
/// A stack built without gaps would collapse level by level if contacts were found only once bodies overlap. Either body
/// may be stopped by a third one, therefore the nearest of three motions counts: both bodies', A's alone and B's alone. Only
/// the part along the axis on which the boxes are apart is used, because the part across would turn a seam between two tiles
/// into a step. Boxes that meet say nothing of where the bodies are apart; then only what gravity and forces add in this step
/// is looked ahead for.
fn shift_of_boxes([a, b]: [&Aabb; 2], [of_a, of_b]: [&FreeMotion; 2]) -> DVec3 {
    let gaps = (a.min - b.max).max(b.min - a.max);
    let axis = gaps.max_position();
    let reach = a.half_size()[axis] + b.half_size()[axis];
    let across = b.center() - a.center();
    let (of_a, of_b, toward) = if gaps[axis] >= -TOUCHING * reach {
        (of_a.displacement, of_b.displacement, DVec3::AXES[axis] * -across[axis].signum())
    } else {
        (of_a.gained, of_b.gained, -across.normalize_or_zero())
    };
    let approaches = [of_b - of_a, of_b, -of_a].map(|motion| motion.dot(toward));
    let nearest = approaches.into_iter().fold(0.0, f64::max);
    if nearest <= gaps[axis] { DVec3::ZERO } else { toward * nearest }
}

/// How far a tilted face may come down within the step, along the contact's normal \[m\]: zero for an even contact,
/// `None` for a pair that did not overlap in the last step.
///
/// Only the part of the face that overlaps is known to touch. Without the rest, a body that rocks on a corner would
/// turn past the flat in one step, to rock on the next corner for ever.
fn shift_to_land(situation: &Situation<'_>, pair: [u32; 2]) -> Option<DVec3> {
    let contact = match memory::of_pair(&situation.memory.contacts, pair) {
        contacts if contacts.iter().all(|contact| contact.look_ahead == LookAhead::Touch) => return None,
        [contact] if matches!(contact.look_ahead, LookAhead::Landing | LookAhead::NextCorner) => contact,
        // What holds the bodies in several places does not come down flat.
        _ => return Some(DVec3::ZERO),
    };
    let [a, b] = pair.map(|ix| &situation.bodies[ix as usize]);
    let size = a.shape.size().min(b.shape.size());
    let turning = situation.settings.dt * (b.angular_velocity - a.angular_velocity).length() * size;
    let motions = pair.map(|ix| &situation.free[ix as usize]);
    let gained = motions[0].gained.length().max(motions[1].gained.length());
    // What holds one corner turns the body's fall towards the next.
    let falling = match contact.look_ahead {
        LookAhead::NextCorner => {
            (motions[0].displacement - motions[1].displacement).dot(contact.normal).max(0.0)
        }
        _ => 0.0,
    };
    Some(-contact.normal * (gained + turning + falling).min(MAX_LANDING * size).max(falling))
}
