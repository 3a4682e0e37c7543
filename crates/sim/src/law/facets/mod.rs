//! Contact of rounded triangles: two bodies press on each other facet by facet, as the spheres do that their facets are caps of
//! (Smeets et al. 2014).
//!
//! What is asked of a pair is the touch of its facets: forces, and a contact disc for each pair of them. Facets that touch side by side are
//! one patch. Over a patch there act, at the place of its discs' axes:
//!
//! | | what | source |
//! |---|---|---|
//! | along the normal | the sum of the facets' pressures, and a damper at each disc's centre | Hertz 1882 and others; Antypov and Elliott 2011 |
//! | across | springs side by side of stiffness 8 G* a together, each up to its friction, and a damper | Mindlin and Deresiewicz 1953; Jaeger 1993 |
//! | about the normal | the same springs, by the radius of gyration of the patch's discs: 16/3 G* a³ of a single one | Johnson 1985, section 3.9 |
//! | both at once | the limit of a load on a ring as far from the axis as the patch's is in the mean | Goyal, Ruina and Papadopoulos 1991 |
//!
//! Rolling takes no coefficient: it comes from where the facets press.
//!
//! | file | what it holds |
//! |---|---|
//! | `elastic` | what two bodies are to each other: moduli, friction, how much they are damped |
//! | `damper` | the dampers along the normals, by which an impact gives back its restitution |
//! | `springs` | the springs that hold a patch |
//! | `limit` | how much friction holds against sliding and turning at once |
//! | `hold` | what holds a patch across and about its normal, and what is remembered of it |
//! | `act` | force and torque of all patches of a pair |
//! | `stretch` | what a device is told that goes through many sub-steps by itself, and what it gives back |

mod act;
mod damper;
mod elastic;
mod hold;
mod limit;
mod springs;
mod stretch;

pub use act::{Action, Motion, PatchAction, act};
pub use elastic::{Elastic, PairElastic};
pub use hold::{StoredFacets, StoredPatch};
pub use springs::{Spring, Springs};
pub use stretch::{Gone, Moving, MovingPair, PairStretched, PatchStretched, Stopped, Stretch, Stretched};
