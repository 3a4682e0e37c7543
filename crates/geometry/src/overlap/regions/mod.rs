//! Contact regions: where two bodies meet in several places or from several sides, each gets an overlap of its own.
//!
//! One gradient says where a whole overlap pushes to. For a peg in a hole it cancels; for two bodies hooked into each
//! other it points wherever the larger side wants. So whoever measures such an overlap divides it into parts that face
//! one way each, and what pushes the same way in the same plane is put together again. Sums over the regions are those
//! of the whole overlap.

mod directions;
mod merge;
mod part;
mod rims;
mod several;

pub(super) use directions::{Bin, COVERED, Directions, Side, clusters, joined, sides};
pub(super) use merge::merge;
pub(super) use part::Part;
pub(super) use rims::without_rims;
pub(super) use several::{ONE_SIDED, is_shallow, may_be_several, may_be_several_pieces};
