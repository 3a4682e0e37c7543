//! Two surfaces that move through each other: when their features are in each other during a motion, and the penalty integrated over
//! it (Tang, Manocha, Otaduy, Tong 2012).
//!
//! A penalty that is looked at in instants misses what comes and goes between them, and depends on where in a step a touch begins.
//! Here every vertex is followed along its straight path from τ = 0 to τ = 1 against the faces of the other body, and every edge
//! against its edges: heights are cubics in τ, the borders of faces and edges quartics, whose roots are all the times at which anything
//! changes. In between the penalty is a polynomial, integrated in closed form.
//!
//! ```
//! use std::sync::Arc;
//! use glam::DVec3;
//! use tactum_geometry::passage::{Matter, Motion, Surface, Wanted, passage};
//! use tactum_geometry::{Pose, mesh::generate};
//!
//! let cube = Matter::Surface(Arc::new(Surface::new(&generate::cuboid(DVec3::ONE, 12)?)?));
//! let at = |z: f64| Pose::from_translation(DVec3::Z * z);
//! // It comes from 1 cm above the floor to 1 cm below.
//! let fall = Motion { start: at(0.51), end: at(0.49) };
//! let rest = Motion::at_rest(Pose::IDENTITY);
//! let found = passage([&Matter::HalfSpace, &cube], [&rest, &fall], None, Wanted::Penalty);
//! // Each of the four lower corners is below the floor in the second half of the motion, 5 mm deep on average.
//! let push: f64 = found.presses.iter().map(|press| press.push.z).sum();
//! assert!((push - 4.0 * 0.5 * 0.005).abs() < 1e-15);
//! assert!((found.first.expect("it touches") - 0.5).abs() < 1e-15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | `query` | the passage of two bodies |
//! | `vertex`, `edge` | a vertex, or two edges, followed through a motion |
//! | `plane` | the same against a half-space |
//! | `overlap` | what is in each other where no motion has said so |
//! | `opposed` | what presses from both sides of a thin body at once |
//! | `nearest` | which faces come near to a point |
//! | `tracks` | what is in each other afterwards |
//! | `turns` | vertices in faces that become edges across edges, and back |
//! | `candidates` | trees and signs: which features may cross |
//! | `integral` | the penalty of a pair of features over an interval |
//! | `ledger` | what springs were given, and that they give back no more |
//! | `shared` | features that press at one place |
//! | `features` | heights, weights and intervals of a pair of features |
//! | `ridge` | where an edge sticks out to |
//! | `placed` | a surface on its way: paths and boxes, worked out once |
//! | `surface` | a mesh, closed or open, prepared once |
//! | `motion`, `path`, `bernstein` | rigid motions; straight paths and normals; polynomials and their roots |

mod bernstein;
mod candidates;
mod edge;
mod features;
mod integral;
mod ledger;
mod motion;
mod nearest;
mod opposed;
mod overlap;
mod path;
mod placed;
mod plane;
mod query;
mod ridge;
mod shared;
mod surface;
#[cfg(test)]
mod tests;
mod tracks;
mod turns;
mod vertex;

pub use bernstein::Bernstein;
pub use candidates::Counts;
pub use features::{EdgeEdge, Features, PARALLEL, VertexFace};
pub use integral::Press;
pub use motion::Motion;
pub use path::{Path, Quadratic};
pub use query::{Matter, Passage, Wanted, passage};
pub use surface::{Surface, SurfaceError};
pub use tracks::{EdgeTrack, Tracks, VertexTrack};
