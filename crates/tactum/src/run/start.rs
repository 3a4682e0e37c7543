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
    /// The same of the mean depth, as a part of the smaller body's size: what rests is a hundred times less deep.
    const DEEP_OF_SIZE: f64 = 0.05;
    /// Pairs that are listed; more are counted.
    const LISTED: usize = 20;
    /// Pairs that are measured at a time; nothing is kept of them but the part that overlaps.
    const BATCH: usize = 4096;
    // Of a copy: a step in which nothing has to be asked is made as it begins.
    let Progress::Ask(questions) = world.clone().begin_step()? else { return Ok(Vec::new()) };
    // Laws that ask for something else than overlaps: of the same pairs, where they stand.
    let of_facets = questions.facets.iter().map(|question| question.bodies);
    let of_passages = questions.passages.iter().map(|question| question.bodies);
    let others: Vec<OverlapQuestion> =
        of_facets.chain(of_passages).map(|bodies| where_they_stand(world, bodies)).collect();
    // What the step looks ahead for is no overlap yet.
    let here: Vec<&OverlapQuestion> =
        questions.overlaps.iter().filter(|question| !question.is_ahead).chain(&others).collect();
    let volume = |body: &Body| body.shape.unit_mass().map_or(f64::INFINITY, |unit| unit.volume);
    let found = |(question, overlap): (&&OverlapQuestion, Overlap)| {
        let smaller = |of: &dyn Fn(&Body) -> f64| {
            let [a, b] = question.bodies.map(|id| of(world.body(id)));
            a.min(b)
        };
        let depth = overlap.regions().iter().map(depth).fold(0.0, f64::max);
        Found {
            part: overlap.volume / smaller(&volume),
            depth,
            depth_of_size: depth / smaller(&|body: &Body| body.shape.size()),
        }
    };
    let describe = |(question, found): (&&OverlapQuestion, Found)| {
        let [a, b] = question.bodies.map(|id| world.body(id));
        let together = if a.position == b.position { " stand at the same place and" } else { "" };
        format!(
            "the bodies '{}' and '{}'{together} overlap by {:.0} % of the smaller one at the start{}",
            a.name,
            b.name,
            100.0 * found.part,
            if found.depth > 0.0 {
                format!(", {:.3} mm deep on average", 1e3 * found.depth)
            } else {
                String::new()
            }
        )
    };
    let all = here.chunks(BATCH).flat_map(|batch| {
        let all: Vec<Found> = batch.iter().zip(exact::overlaps(batch)).map(found).collect();
        all
    });
    let is_deep = |found: &Found| found.part > DEEP || found.depth_of_size > DEEP_OF_SIZE;
    let mut deep = here.iter().zip(all).filter(|(_, found)| is_deep(found));
    let mut texts: Vec<String> = deep.by_ref().take(LISTED).map(describe).collect();
    match deep.count() {
        0 => {}
        more => texts.push(format!("{more} more pairs of bodies overlap as deeply at the start")),
    }
    Ok(texts)
}

/// Mean depth of a region \[m\]: along its normal, or of one without a normal, as where plates cross, its volume by the mean of both surfaces in it.
fn depth(region: &Overlap) -> f64 {
    let area = 0.5 * (region.areas[0] + region.areas[1]);
    let without_normal = if area > 0.0 { region.volume / area } else { 0.0 };
    region.patch.as_ref().map_or(without_normal, |patch| patch.mean_depth)
}

/// How much of two bodies overlaps.
struct Found {
    /// Part of the smaller one's volume.
    part: f64,
    /// Largest mean depth of a region \[m\].
    depth: f64,
    /// The same as a part of the smaller one's size.
    depth_of_size: f64,
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
