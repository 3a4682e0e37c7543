//! Which measured overlaps a step accepts, and which of them are contacts.

use tactum_geometry::Overlap;
use tactum_geometry::overlap::OverlapKind;

use crate::constants::MIN_DEPTH;
use crate::step::Input;
use crate::{BodyKind, PairJob, StepError};

/// Whether an overlap where the bodies are is more than rounding.
pub fn is_deep_enough(input: &Input<'_>, job: &PairJob, overlap: &Overlap) -> bool {
    let size = job
        .bodies
        .iter()
        .map(|&ix| input.bodies[ix as usize].shape.mean_side())
        .fold(f64::INFINITY, f64::min);
    match overlap.kind {
        OverlapKind::Empty => false,
        OverlapKind::Regular => overlap.volume > MIN_DEPTH * size * overlap.gradient.length(),
        OverlapKind::NoNormal | OverlapKind::Swallowed => overlap.volume > (MIN_DEPTH * size).powi(3),
    }
}

/// See [`crate::StepReport::depth_of_size`].
pub fn depth_of_size(input: &Input<'_>) -> f64 {
    let thickest = |(job, overlap): (&PairJob, &Overlap)| {
        let [a, b] = job.bodies.map(|ix| input.bodies[ix as usize].shape.size());
        let thickness = |region: &Overlap| {
            let surface = region.areas[0] + region.areas[1];
            if surface > 0.0 { 2.0 * region.volume / surface / a.min(b) } else { 0.0 }
        };
        overlap.regions().iter().map(thickness).fold(0.0, f64::max)
    };
    let measured = input.jobs.iter().zip(input.overlaps).filter(|(job, _)| !job.is_ahead());
    measured.map(thickest).fold(0.0, f64::max)
}

/// Refuses overlaps that do not belong to the plan or that hold numbers no contact can be made from.
pub fn check_overlaps(input: &Input<'_>) -> Result<(), StepError> {
    if input.jobs.len() != input.overlaps.len() {
        return Err(StepError::OverlapCount { needed: input.jobs.len(), found: input.overlaps.len() });
    }
    for (job, overlap) in input.jobs.iter().zip(input.overlaps) {
        let [a, b] = job.bodies;
        let body = |ix: u32| input.bodies.get(ix as usize);
        let (Some(body_a), Some(body_b), true) = (body(a), body(b), a < b) else {
            return Err(StepError::UnknownPair { bodies: job.bodies });
        };
        if body_a.kind != BodyKind::Dynamic && body_b.kind != BodyKind::Dynamic {
            return Err(StepError::UnknownPair { bodies: job.bodies });
        }
        let all = std::iter::once(overlap).chain(&overlap.regions);
        if let Some(what) = all.filter_map(unusable).next() {
            return Err(StepError::BadOverlap { a: body_a.name.clone(), b: body_b.name.clone(), what });
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
