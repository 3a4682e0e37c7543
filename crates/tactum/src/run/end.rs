//! What is doubtful about the state that a run ends in.

use tactum_geometry::words;
use tactum_sim::{Body, Joint, World};

/// How far the halves of a joint may stand apart, as a part of the size of its smaller body, and the angle between them \[rad\]: far
/// more than the solver leaves, and just to be seen.
const OPEN: f64 = 1e-3;

/// Bodies and joints that are listed; more are counted.
const LISTED: usize = 20;

/// Bodies that have gone where numbers are too coarse for them, and joints that do not hold, in words. A body that falls for ever
/// is nothing to stop a run for, so that this is said only.
pub fn doubts(world: &World) -> Vec<String> {
    let coarse = world.bodies().iter().filter_map(|body| {
        let place = body.coarse_place()?;
        Some(format!(
            "the body '{}' ended too far out for what it does there to be right: {place}",
            body.name
        ))
    });
    let open =
        world.joints().iter().zip(world.joint_gaps()).filter_map(|(joint, gap)| open(world, joint, gap));
    let mut texts = listed(coarse, "bodies ended too far out");
    texts.extend(listed(open, "joints do not hold at the end"));
    texts
}

/// A joint whose halves stand apart; most likely it is asked for what others do not allow.
fn open(world: &World, joint: &Joint, [distance, angle]: [f64; 2]) -> Option<String> {
    let bodies = joint.a.into_iter().chain([joint.b]).map(|id| world.body(id));
    let size = bodies.map(|body: &Body| body.shape.size()).fold(f64::INFINITY, f64::min);
    if distance <= OPEN * size && angle <= OPEN {
        return None;
    }
    Some(format!(
        "the joint '{}' does not hold at the end: its halves are {} m and {} degrees apart, most likely because other joints or \
         contacts do not allow what it asks for",
        joint.name,
        words::number(distance),
        words::number(angle.to_degrees())
    ))
}

/// The first texts, and how many more there are.
pub(super) fn listed(mut texts: impl Iterator<Item = String>, what: &str) -> Vec<String> {
    let mut first: Vec<String> = texts.by_ref().take(LISTED).collect();
    match texts.count() {
        0 => {}
        more => first.push(format!("{more} more {what}")),
    }
    first
}
