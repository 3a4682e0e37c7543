//! Whether a body stands where its position is known finely enough.

use tactum_geometry::mesh::generate::MAX_LENGTH;
use tactum_geometry::words::number;
use thiserror::Error;

use crate::Body;
use crate::constants::MAX_POSITION_STEP;

/// A place so far out that the numbers for it are coarse beside the body there: what it touches is measured wrong, and slow
/// motion is lost.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error(
    "{} m from the origin numbers of 64 bits tell places apart by {} m, but a body of this size needs {} m",
    number(*.distance),
    number(*.step),
    number(*.needed)
)]
pub struct CoarsePlace {
    /// Largest coordinate of the body, of its centre of mass, or of the way between the two \[m\].
    pub distance: f64,
    /// Distance of two numbers there \[m\].
    pub step: f64,
    /// Largest one that would do \[m\].
    pub needed: f64,
}

impl Body {
    /// What is wrong with the place where the body stands, if its numbers are too coarse for its size.
    ///
    /// A half-space has no size: it may be as far out as anything of a size may be long.
    pub fn coarse_place(&self) -> Option<CoarsePlace> {
        let lengths = [self.position, self.w_from_shape().translation, self.mass.center];
        let distance = lengths.into_iter().map(|x| x.abs().max_element()).fold(0.0, f64::max);
        let step = distance.next_up() - distance;
        let needed = if self.shape.is_bounded() {
            MAX_POSITION_STEP * self.shape.size()
        } else {
            MAX_LENGTH * f64::EPSILON
        };
        (step > needed).then_some(CoarsePlace { distance, step, needed })
    }
}
