//! Contact by overlap volume: one contact of six rows for every region in which two bodies overlap, or are about to
//! (Bouchard, Nesme, Tournier, Wang, Faure, Kry 2015, "6D Frictional Contact for Rigid Bodies").
//!
//! In the order of the data:
//!
//! | file | what it does |
//! |---|---|
//! | `look_ahead` | which overlaps are asked for: of each pair where it is, and where it may soon be |
//! | `fast` | the same for bodies that could pass each other within the step |
//! | `approach` | how far apart the bodies of a pair are, and how far they come nearer to each other |
//! | `jolts` | how far contacts of others may change the ways of a pair, and whom that brings together |
//! | `way`, `onward` | the way of a pair with the velocities that it has; what curved surfaces that slide on each other ask for at its end |
//! | `led`, `unforeseen` | where the solved velocities lead: which pairs are measured there, and the contacts of what was not foreseen |
//! | `overlaps` | the answers, pair by pair, checked; which regions make contacts |
//! | `geometry` | what a contact is made from: a region seen along the direction in which it pushes |
//! | `normal` | that direction |
//! | `flush` | the same where faces lie flat on each other beside a seam |
//! | `choose` | which geometry a region's contact takes: its own, that of a landing face, of the next corners, of a thread |
//! | `nearest` | contacts that have come apart: the nearest points of two meshes |
//! | `tilted_face`, `corners`, `gaps`, `curved`, `bulging`, `lying_in_hollow` | a face that comes to lie; a body on an edge or a corner, or on the line of a round side, and how high those are; two curved surfaces that lie on each other, two that touch in a point or, as a pin and its hole, along a line |
//! | `assemble` | frame, volume, matrix and bias of a contact |
//! | `flight` | how bodies go on between contacts |
//! | `meeting` | where and when bodies that bounce off each other touch |
//! | `struck` | with which corners, and when, what bounces off a plane strikes first |
//! | `restitution` | how far bodies may still approach, and how fast they part |
//! | `patch_rows`, `rolling`, `hollow` | the constraint over the patch with its limits; over how much of it the contact resists rolling, and how far out it rubs |
//! | `travel` | how a contact's point goes on over both bodies until the next step's |
//! | `memory` | what the next step remembers, and which contact a region continues |
//! | `record`, `detail` | what reports and viewers are told |

mod apart;
mod approach;
mod assemble;
mod bulging;
mod choose;
mod contact;
mod continued;
mod corners;
mod curved;
mod detail;
mod fast;
mod flight;
mod flush;
mod gaps;
mod geometry;
mod hollow;
mod jolts;
mod led;
mod look_ahead;
mod lying_in_hollow;
mod meeting;
mod memory;
mod nearest;
mod normal;
mod onward;
mod overlaps;
mod patch_rows;
mod record;
mod restitution;
mod rolling;
mod struck;
mod tilted_face;
mod travel;
mod unforeseen;
mod way;

pub(crate) use assemble::{Assembly, Prepared};
pub use contact::LookAhead;
pub(crate) use contact::{Bounce, Contact};
pub(crate) use continued::regions_in_contact;
pub(crate) use detail::Solved;
pub use detail::{ContactDetail, ContactMotion, EquivalentBox};
pub(crate) use fast::fast_pairs;
pub(crate) use led::{Led, follow};
pub(crate) use look_ahead::ask;
pub use memory::{StoredContact, StoredPoint};
pub(crate) use memory::{is_pressed, of_pair, remember, was_pressed};
pub(crate) use overlaps::{PairAsked, PairOverlaps, RegionRef, Seen, check, depth_of_size, questions};
pub(crate) use patch_rows::over_patch;
pub use record::ContactRecord;
pub(crate) use record::{is_recorded, record};
pub(crate) use unforeseen::Unforeseen;
