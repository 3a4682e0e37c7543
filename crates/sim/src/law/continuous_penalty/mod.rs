//! Continuous penalty forces: vertices and edges that are in another body are pushed out by springs, whose impulse is the integral over
//! the whole motion of a step (Tang, Manocha, Otaduy, Tong 2012).
//!
//! What is asked of a pair is its passage through the motion that the bodies would make without each other. Of each pair of features in
//! each interval in which they are in each other there act
//!
//! | | what | source |
//! |---|---|---|
//! | along the normal | `k h ∫ (n · r) n dτ`, the integral of the penalty `k` times depth over the step h | Tang et al. 2012, supplement B |
//! | along the normal | a damper `c` times how far they come deeper on the way that they really go, up to the penalty: nothing is attracted | |
//! | across | friction up to μ times both, and up to what stops the bodies where they touch | Coulomb |
//!
//! How much is held back when bodies bounce off each other follows from the step: the averaged force is that of a spring with a damper
//! `k h / 2`, so that of an impact on n features the part `(1 - a/2)^(π/2θ)` comes back, with `a = h² n k/m` and `cos θ = (1 - 3a/4)/sqrt(1 - a/2)`.
//!
//! | file | what it holds |
//! |---|---|
//! | `contact` | what a pair of features does to two bodies in a step |
//! | `resistance` | dampers and friction of all of them together |
//! | `work` | springs give back no more work than was done on them |
//! | `stored` | what is remembered from step to step |

mod contact;
mod resistance;
mod stored;
mod work;

pub use contact::{Contact, Mover, PairPenalty, Way, contacts};
pub use resistance::resist;
pub use stored::{StoredPassage, StoredPassages};
pub use work::{Springs, act, work};
