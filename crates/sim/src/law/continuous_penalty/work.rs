//! Springs do no more work on bodies than these did on them.
//!
//! The force on what is in a body has no one potential: features take over from each other all at once, and what is foretold of a step is not what comes
//! of it. So for each pair of bodies account is kept of the work that they have done against its springs on the way that they really went,
//! `-Σ I · v` over the impulses I of the springs and the velocities v with which their points came at each other in the end. Impulses that
//! change velocities from v0 to v add `Σ I · (v0 + v)/2` of kinetic energy, which is less than `Σ I · v` by half of `I · M⁻¹ I`: as long as no
//! account is overdrawn, nothing has more energy than it came with. A pair that would overdraw its account presses by as much less
//! (passivity control: Hannaford, Ryu 2002).

use std::ops::Range;

use super::contact::{Contact, Mover};

/// Turns at most in which pairs that share bodies find how much less they press.
const SWEEPS: u32 = 60;

/// Part of an account by which it may be overdrawn: rounding, and what a last turn of the others has changed. What it is overdrawn by is remembered.
const ACCURACY: f64 = 1e-9;

/// The springs between two bodies.
#[derive(Clone, Debug)]
pub struct Springs {
    /// Their contacts.
    pub contacts: Range<usize>,
    /// Work that the bodies have done against them and not got back; infinite where a potential says what springs hold \[J\].
    pub account: f64,
}

/// Work that springs do on their bodies as these move in the end \[J\].
pub fn work(contacts: &[Contact], movers: &[Mover]) -> f64 {
    let of = |contact: &Contact| {
        let [a, b] = [0, 1].map(|i| movers[contact.bodies[i] as usize].velocity(contact.arms[i]));
        contact.spring.dot(b - a)
    };
    contacts.iter().map(of).sum()
}

/// Lets springs act, each pair's by as much as its account allows; the order is that of the lists.
pub fn act(contacts: &mut [Contact], springs: &[Springs], movers: &mut [Mover]) {
    push(contacts, 1.0, movers);
    for _ in 0..SWEEPS {
        let mut is_done = true;
        for Springs { contacts: range, account } in springs {
            let of_pair = &mut contacts[range.clone()];
            let all = work(of_pair, movers);
            let most = account.max(0.0);
            let allowed = most + ACCURACY * all.abs();
            if all <= allowed {
                continue;
            }
            is_done = false;
            push(of_pair, -1.0, movers);
            // By the part s of them they do the work `s² own + s others`: what still comes closer is stopped, whatever the account.
            let others = work(of_pair, movers);
            let own = all - others;
            let root = (others * others + 4.0 * own * most).sqrt();
            let part =
                if others > 0.0 { 2.0 * most / (others + root) } else { (root - others) / (2.0 * own) };
            let part = if part.is_finite() { part.min(1.0) } else { 0.0 };
            of_pair.iter_mut().for_each(|contact| contact.spring *= part);
            push(of_pair, 1.0, movers);
        }
        if is_done {
            return;
        }
    }
}

fn push(contacts: &[Contact], factor: f64, movers: &mut [Mover]) {
    for contact in contacts {
        let [a, b] = contact.bodies.map(|ix| ix as usize);
        movers[a].push(-factor * contact.spring, contact.arms[0]);
        movers[b].push(factor * contact.spring, contact.arms[1]);
    }
}
