//! What looks like a slip in the scene before its first step.

use tactum_geometry::Overlap;
use tactum_sim::{Body, BodyId, OverlapQuestion, Progress, StepError, World};

use crate::backend::exact;

/// The pairs of bodies that overlap deeply where they stand, in words.
///
/// # Errors
/// Why the world cannot make its first step.
pub fn deep_overlaps(world: &World) -> Result<Vec<String>, StepError> {
    /// Part of the smaller body's volume above which an overlap is no resting contact.
    const DEEP: f64 = 0.1;
    /// Pairs that are listed; more are counted.
    const LISTED: usize = 20;
    /// Pairs that are measured at a time; nothing is kept of them but the part that overlaps.
    const BATCH: usize = 4096;
    // Of a copy: a step in which nothing has to be asked is made as it begins.
    let Progress::Ask(questions) = world.clone().begin_step()? else { return Ok(Vec::new()) };
    // Laws that ask for something else than overlaps: of the same pairs, where they stand.
    let others: Vec<OverlapQuestion> =
        questions.facets.iter().map(|question| where_they_stand(world, question.bodies)).collect();
    // What the step looks ahead for is no overlap yet.
    let here: Vec<&OverlapQuestion> =
        questions.overlaps.iter().filter(|question| !question.is_ahead).chain(&others).collect();
    let volume = |body: &Body| body.shape.unit_mass().map_or(f64::INFINITY, |unit| unit.volume);
    let part = |(question, overlap): (&&OverlapQuestion, Overlap)| {
        let [a, b] = question.bodies.map(|id| volume(world.body(id)));
        overlap.volume / a.min(b)
    };
    let describe = |(question, part): (&&OverlapQuestion, f64)| {
        let [a, b] = question.bodies.map(|id| world.body(id));
        let together = if a.position == b.position { " stand at the same place and" } else { "" };
        format!(
            "the bodies '{}' and '{}'{together} overlap by {:.0} % of the smaller one at the start",
            a.name,
            b.name,
            100.0 * part
        )
    };
    let parts = here.chunks(BATCH).flat_map(|batch| {
        let parts: Vec<f64> = batch.iter().zip(exact::overlaps(batch)).map(part).collect();
        parts
    });
    let mut deep = here.iter().zip(parts).filter(|(_, part)| *part > DEEP);
    let mut texts: Vec<String> = deep.by_ref().take(LISTED).map(describe).collect();
    match deep.count() {
        0 => {}
        more => texts.push(format!("{more} more pairs of bodies overlap as deeply at the start")),
    }
    Ok(texts)
}

fn where_they_stand(world: &World, bodies: [BodyId; 2]) -> OverlapQuestion {
    let both = bodies.map(|id| world.body(id));
    OverlapQuestion {
        bodies,
        shapes: both.map(|body| body.shape.clone()),
        poses: both.map(Body::w_from_shape),
        is_ahead: false,
    }
}
