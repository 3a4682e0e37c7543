//! What resists the motion that bodies really make in a step: dampers and friction of all contacts together.
//!
//! A damper acts by how fast the bodies still come at each other when all has acted on them, itself included (implicit Euler). Of the predicted
//! motion, in which gravity has not been stopped yet, it would carry a part of the weight of what lies still. Friction is at most μ times what
//! a contact presses, and what stops the slip where it is. Four corners that each stopped a whole box would throw it back; so contacts take turns,
//! each with the velocities that the others have left (Gauss-Seidel), until nothing changes. A box that is stopped stands.

use glam::{DMat2, DVec2, DVec3};

use super::contact::{Contact, Mover};

/// Turns at most. What slips is done after some ten, a box that stops on four corners after twenty.
const SWEEPS: u32 = 60;

/// Part of the largest impulse of a spring up to which a turn's changes are none.
const ACCURACY: f64 = 1e-11;

/// How a contact answers to impulses, the same in all turns.
struct Answer {
    /// Axes across the normal.
    axes: [DVec3; 2],
    /// By how much an impulse of 1 N s along the normal changes the velocity along it \[1/kg\].
    light: f64,
    /// The inverse of the same across it, and its larger eigenvalue; `None` where nothing can move \[kg, 1/kg\].
    across: Option<(DMat2, f64)>,
}

impl Answer {
    fn of(contact: &Contact, movers: &[Mover]) -> Self {
        let ([a, b], [arm_a, arm_b]) = (contact.bodies.map(|ix| &movers[ix as usize]), contact.arms);
        let n = contact.normal;
        let axes: [DVec3; 2] = n.any_orthonormal_pair().into();
        let answer = |along: DVec3| {
            let of = |mover: &Mover, arm: DVec3| {
                mover.inverse_mass * along + (mover.inverse_inertia * arm.cross(along)).cross(arm)
            };
            let velocity = of(a, arm_a) + of(b, arm_b);
            DVec2::new(velocity.dot(axes[0]), velocity.dot(axes[1]))
        };
        let answers = DMat2::from_cols(answer(axes[0]), answer(axes[1]));
        let moves = answers.determinant() > 0.0;
        Self {
            axes,
            light: a.lightness(arm_a, n) + b.lightness(arm_b, n),
            across: moves.then(|| (answers.inverse(), largest_eigenvalue(&answers))),
        }
    }
}

/// Finds what dampers and friction of all contacts do, and acts by it; the order is that of the list.
pub fn resist(contacts: &mut [Contact], movers: &mut [Mover]) {
    let resists = |contact: &Contact| contact.coefficient > 0.0 || contact.damped > 0.0;
    let largest = contacts.iter().map(|contact| contact.spring.length()).fold(0.0, f64::max);
    if largest <= 0.0 || largest.is_nan() || !contacts.iter().any(resists) {
        return;
    }
    let answers: Vec<Answer> = contacts.iter().map(|contact| Answer::of(contact, movers)).collect();
    for _ in 0..SWEEPS {
        let mut change = 0.0_f64;
        for (contact, answer) in contacts.iter_mut().zip(&answers) {
            change = change.max(damp(contact, answer, movers)).max(rub(contact, answer, movers));
        }
        if change <= ACCURACY * largest {
            return;
        }
    }
}

/// One damper's turn; by how much its impulse changes \[N s\]. It holds back nothing that parts, and is no stronger than the spring.
fn damp(contact: &mut Contact, answer: &Answer, movers: &mut [Mover]) -> f64 {
    if contact.damped == 0.0 {
        return 0.0;
    }
    let ([a, b], [arm_a, arm_b]) = (contact.bodies.map(|ix| ix as usize), contact.arms);
    let n = contact.normal;
    let closing = n.dot(movers[a].velocity(arm_a) - movers[b].velocity(arm_b));
    let before = contact.damping;
    // What comes closer at a velocity u without the damper does so at u - light × impulse with it.
    let without = closing + answer.light * before;
    let now = contact.damped * without / (1.0 + contact.damped * answer.light);
    contact.damping = now.clamp(0.0, contact.spring.length());
    let change = contact.damping - before;
    movers[a].push(-change * n, arm_a);
    movers[b].push(change * n, arm_b);
    change.abs()
}

/// The larger eigenvalue of a symmetric matrix.
fn largest_eigenvalue(m: &DMat2) -> f64 {
    let half = 0.5 * (m.x_axis.x - m.y_axis.y);
    0.5 * (m.x_axis.x + m.y_axis.y) + half.hypot(m.x_axis.y)
}

/// One contact's turn of friction; by how much it changes \[N s\].
fn rub(contact: &mut Contact, answer: &Answer, movers: &mut [Mover]) -> f64 {
    let most = contact.coefficient * contact.pressing().length();
    let Some((inverse, largest)) = answer.across.filter(|_| most != 0.0) else { return 0.0 };
    let ([a, b], axes) = (contact.bodies.map(|ix| ix as usize), answer.axes);
    let slip = movers[b].velocity(contact.arms[1]) - movers[a].velocity(contact.arms[0]);
    let slip = DVec2::new(slip.dot(axes[0]), slip.dot(axes[1]));
    let before = DVec2::new(contact.friction.dot(axes[0]), contact.friction.dot(axes[1]));
    // What slips is held against its slip; the answer is another one along every direction, so only what sticks is solved with it.
    let stuck = before - inverse * slip;
    let now = if stuck.length() <= most { stuck } else { (before - slip / largest).clamp_length_max(most) };
    let change = (now.x - before.x) * axes[0] + (now.y - before.y) * axes[1];
    contact.friction += change;
    movers[a].push(-change, contact.arms[0]);
    movers[b].push(change, contact.arms[1]);
    change.length()
}
