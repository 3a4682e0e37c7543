//! How long a sub-step may be.
//!
//! A mass m on a continuous penalty k is stable in steps of h while `h² k/m < 2`: with the averaged force the step's matrix has the determinant
//! `1 - h² k/(2m)` and the trace `2 - 3 h² k/(2m)` (Tang et al. 2012, supplement C). A damper c of the predicted motion would make that
//! `h² k/m + h c/m < 2`; that of the motion which comes out divides what the spring has made of the velocity by `1 + h c/m`, and is stable
//! while `h² k/m < 2 + h c/m`: dampers ask for nothing. With many contacts, `k/m` is at most the largest over the bodies of the sum of
//! `k (1/m + (r × n)² / I)`, twice that where the other body moves as well (Gershgorin's circles).

use crate::law::continuous_penalty::{Contact, Mover};

/// How far a body that touches something, or comes near it, may turn in a sub-step \[rad\]: its vertices go straight, and leave their arcs by a
/// thirtieth of their distance from the axis then.
pub const MOST_TURNED: f64 = 0.5;

/// Part of the longest stable step that is used.
const USED: f64 = 0.9;

/// `h² k/m` at which steps are no longer stable.
const LIMIT: f64 = 2.0;

/// Sub-steps per second that contacts ask for, and the pair that asks for most; 0 without contacts.
pub fn rate(contacts: &[Contact], movers: &[Mover]) -> (f64, [u32; 2]) {
    let mut sums = vec![(0.0, 0.0, [0, 0]); movers.len()];
    for contact in contacts {
        let [a, b] = contact.bodies.map(|ix| &movers[ix as usize]);
        let light =
            [a.lightness(contact.arms[0], contact.normal), b.lightness(contact.arms[1], contact.normal)];
        for side in 0..2 {
            let factor = if light[1 - side] > 0.0 { 2.0 } else { 1.0 };
            let (sum, stiffest, pair) = &mut sums[contact.bodies[side] as usize];
            let adds = contact.stiffness * factor * light[side];
            *sum += adds;
            if adds > *stiffest {
                (*stiffest, *pair) = (adds, contact.bodies);
            }
        }
    }
    let mut most = (0.0, [0, 0]);
    for ((spring, stiffest, pair), mover) in sums.into_iter().zip(movers) {
        // The longest h has h² spring = LIMIT.
        let of_springs = (spring / LIMIT).sqrt() / USED;
        let of_turning = if stiffest > 0.0 { mover.twist.angular.length() / MOST_TURNED } else { 0.0 };
        let of_body = of_springs.max(of_turning);
        if of_body > most.0 {
            most = (of_body, pair);
        }
    }
    most
}
