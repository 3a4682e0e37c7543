//! Facets that stand for caps of spheres: which of two bodies' touch, and the pressure between them.
//!
//! A body is a triangle mesh each of whose facets carries a sphere through its corners with the body's local radius. Two facets
//! act on each other as their spheres do, over the part of the contact that lies over both of them (Smeets, Odenthal et al.,
//! CMAME 277, 2014; Odenthal, Smeets et al., PLoS Comput. Biol. 9, 2013). So the sum over all pairs is that of the smooth
//! bodies: for two balls Hertz' force, however coarse the meshes.
//!
//! ```
//! use std::sync::Arc;
//! use glam::DVec3;
//! use tactum_geometry::facets::{Candidates, Detail, Margins, Pressure, Query, RoundedMesh, Rounding, touch};
//! use tactum_geometry::{Pose, Solid, mesh::generate};
//!
//! let ball = Arc::new(Solid::new(generate::sphere(0.5, 320)?)?);
//! let ball = RoundedMesh::new(ball, &Rounding::Uniform(1.0 / 0.5))?;
//! let plate = Arc::new(Solid::new(generate::cuboid(DVec3::new(4.0, 4.0, 1.0), 12)?)?);
//! let plate = RoundedMesh::new(plate, &Rounding::Uniform(0.0))?;
//! // The ball is 2 cm deep in the plate's upper face.
//! let [at_plate, at_ball] = [DVec3::ZERO, DVec3::Z * 0.98].map(Pose::from_translation);
//!
//! let margins = Margins { depth: 0.03, gap: 0.0, skin: 0.01 };
//! let candidates = Candidates::find(&plate, &at_plate, &ball, &at_ball, margins);
//! let query = Query {
//!     pressure: Pressure::Hertz { modulus: 1000.0 },
//!     in_touch: false,
//!     about: at_ball.translation,
//!     detail: Detail::Sums,
//! };
//! let found = touch(&plate, &at_plate, &ball, &at_ball, &candidates, &query)?;
//! let hertz = 4.0 / 3.0 * 1000.0 * 0.5_f64.sqrt() * 0.02_f64.powf(1.5);
//! assert!((found.force.z / hertz - 1.0).abs() < 1e-8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | `touch` | the sum over a pair of bodies, with what is doubtful about it |
//! | `candidates` | pairs of facets that may touch, kept while the bodies move little;  `walk`: how they are found |
//! | `rounded` | a mesh with its spheres;  `curvature`, `bend`: where they come from |
//! | `pair` | two caps: do they touch, where, and how hard |
//! | `gradient` | what they do to each other, from the energy that they hold |
//! | `pressure` | the laws of pressure, and what they add up to over a polygon |
//! | `patch` | facets that touch side by side, taken together |
//! | `plane`, `polygon` | where two spheres meet; what two triangles have in common there |
//! | `cap` | a triangle and its sphere |
//! | `stages` | what goes to the stages of a device, and what comes back |
//! | `nodes` | a force on a facet as forces on its corners |

mod bend;
mod candidates;
mod cap;
mod curvature;
mod gradient;
mod nodes;
mod pair;
mod patch;
mod plane;
mod polygon;
mod pressure;
mod rounded;
mod stages;
#[cfg(test)]
mod tests;
mod touch;
mod walk;

pub use candidates::{Awake, Candidate, Candidates, Margins};
pub use cap::{Cap, sag};
pub use nodes::share_among_corners;
pub use pair::{CapTouch, HERTZ_LIMIT, local_overlap, touch_caps};
pub use patch::{Patch, Patches, patches};
pub use plane::{ContactPlane, Refusal};
pub use polygon::{MAX_CORNERS, Polygon};
pub use pressure::{Load, Pressure, PressureError, Profile, Rim, over_polygon};
pub use rounded::{CREASE, RoundedMesh, Rounding, RoundingError, RoundingReport};
pub use stages::{FixedPair, PackedFacets, Placed, PlacedPair, Unfit};
pub use touch::{Detail, Doubt, Doubts, FacetTouch, Query, Touch, TouchError, touch};
