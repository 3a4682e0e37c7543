//! How far two bodies may still approach in a step, and how fast they part: the bias of a contact's rows.

use glam::{DVec2, DVec3};

use crate::law::volume::choose::Chosen;
use crate::law::volume::contact::Bounce;
use crate::law::volume::tilted_face::DepthField;
use crate::motion::FreeMotion;
use crate::solver::position::VolumeRow;
use crate::solver::{ContactFrame, Corner, Vec6};
use crate::{Body, Settings};

/// The two bodies of a contact, seen from the origin of A's shape.
#[derive(Clone, Copy, Debug)]
pub struct Bodies<'a> {
    pub bodies: [&'a Body; 2],
    pub free: [&'a FreeMotion; 2],
    /// Centres of mass \[m\].
    pub centers: [DVec3; 2],
}

/// What a contact's rows ask for.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Compliance of the normal row, as velocity per impulse.
    pub compliance: f64,
    /// Bias of all rows.
    pub bias: Vec6,
    /// How the bodies bounce off each other; `None` where they do not.
    pub bounce: Option<Bounce>,
    /// The corners with which a body strikes, and what they are asked for besides, where it bounces; of none the whole patch does.
    pub struck: Vec<Corner>,
}

/// When the bodies of a contact touch first.
#[derive(Clone, Copy, Debug)]
pub enum Touch {
    /// Where they are that much nearer along the normal; negative where they overlap \[m\].
    Nearer(f64),
    /// That long after contacts are measured \[s\].
    After(f64),
}

/// What a contact's rows ask for; `restitution` is the pair's, `touch` when the bodies touch first, `approach` how far they may still approach at the contact point, and how that changes over the patch.
pub fn wanted(
    settings: &Settings,
    restitution: f64,
    frame: &ContactFrame,
    volume: &VolumeRow,
    touch: Touch,
    (approach, slope): (f64, DVec2),
    between: Bodies<'_>,
) -> Wanted {
    let Bodies { free, centers, .. } = between;
    let h = settings.dt;
    let mut bias = Vec6::ZERO;
    for ((body, center), sign) in free.iter().zip(centers).zip([-1.0, 1.0]) {
        if body.inverse_mass == 0.0 {
            bias += frame.twist(center, body.twist.linear, body.twist.angular) * sign;
        }
    }
    let bounce = bounce(settings, restitution, frame, touch, between);
    if let Some(Bounce { rebound, drift, .. }) = bounce {
        bias += rebound;
        bias[0] -= drift;
    }
    if settings.compliance > 0.0 {
        let stiffness = settings.compliance.recip();
        let rate = h * stiffness + settings.damping;
        bias[0] -= stiffness / rate * deepest(volume);
        return Wanted { compliance: (h * rate).recip(), bias, bounce, ..Wanted::default() };
    }
    if bounce.is_none() {
        // v_n(x) + approach(x) / h >= 0, and the gradient of v_n over the patch is (-ω_w, ω_u).
        bias[0] += approach / h;
        bias[4] += slope.y / h;
        bias[5] -= slope.x / h;
    }
    Wanted { bias, bounce, ..Wanted::default() }
}

/// How deep an overlap is where it is deepest, beyond the target \[m\]: what gives does so by the way of the bodies, and of a ball, an edge
/// or a corner the mean depth is half or a third of that.
fn deepest(volume: &VolumeRow) -> f64 {
    if volume.volume <= 0.0 {
        return -volume.target / volume.area;
    }
    let mean = volume.volume / volume.area;
    // No overlap that is convex is deeper than three times its mean depth, see `ContactRecord::deepest`.
    volume.extent.clamp(mean, 3.0 * mean) * (1.0 - volume.target / volume.volume)
}

/// Whether and when two bodies bounce off each other before contacts are measured next.
///
/// Between touches the relative velocity along the normal changes as without contacts, so that the moment of the touch and the
/// velocity then are those of a parabola. The bodies part with the coefficient times that, whatever of the step is left.
fn bounce(
    settings: &Settings,
    restitution: f64,
    frame: &ContactFrame,
    touch: Touch,
    between: Bodies<'_>,
) -> Option<Bounce> {
    let h = settings.dt;
    let before = velocity_before(frame, &between);
    if restitution == 0.0 || before[0] >= -settings.restitution_threshold {
        return None;
    }
    let Bodies { free, centers, .. } = between;
    let of_free = |side: usize| frame.twist(centers[side], free[side].twist.linear, free[side].twist.angular);
    let gain = (of_free(1) - of_free(0) - before) * h.recip();
    // Contacts are measured half a step after those velocities, where these alone lead to.
    let speed = -(before[0] + 0.5 * h * gain[0]);
    if speed <= 0.0 {
        return None;
    }
    let time = match touch {
        Touch::After(time) => time,
        Touch::Nearer(gap) => {
            let gap = gap + 0.125 * h * h * gain[0];
            let square = speed * speed - 2.0 * gain[0] * gap;
            if square < 0.0 {
                return None;
            }
            2.0 * gap / (speed + square.sqrt())
        }
    };
    // Not before the step.
    let time = time.max(-0.5 * h);
    let at_touch = before + gain * (0.5 * h + time);
    // The same rigid shift for all rows that move the patch along the normal, so that it is right at every point of the patch.
    let mut rebound = Vec6::ZERO;
    for row in [0, 4, 5] {
        rebound[row] = restitution * at_touch[row];
    }
    (time <= h).then_some(Bounce { time, rebound, drift: gain[0] * (0.5 * h - time), is_askew: false })
}

/// How the bodies move against each other before anything acts on them in the step, contact axes.
pub fn velocity_before(frame: &ContactFrame, Bodies { bodies: [a, b], centers, .. }: &Bodies<'_>) -> Vec6 {
    frame.twist(centers[1], b.linear_velocity, b.angular_velocity)
        - frame.twist(centers[0], a.linear_velocity, a.angular_velocity)
}

/// How far the bodies may still approach at the contact point, and how that changes over the patch; nowhere negative.
/// `volume` is that of where the overlap was measured, `held` how deep the contact is held there \[m\].
pub fn approach(chosen: &Chosen<'_>, volume: &VolumeRow, held: f64) -> (f64, DVec2) {
    let geometry = &chosen.geometry;
    // How far apart the bodies are from where the overlap was measured.
    let gap = -chosen.shift.dot(geometry.normal);
    let over = |field: DepthField, depth: f64| field.approach(depth + gap, &geometry.polygon);
    if let Some(depth) = chosen.depth {
        return ((held - depth + gap).max(0.0), DVec2::ZERO);
    }
    match chosen.field {
        // Each of them by itself.
        _ if chosen.corners.is_some() => (0.0, DVec2::ZERO),
        Some(field) if field.is_landing(volume.target / volume.area) => {
            over(field, volume.target / volume.area)
        }
        // The first point of a round side to touch is as deep as the overlap ahead is thick.
        _ if gap > 0.0 && chosen.round.iter().any(Option::is_some) => {
            ((gap - geometry.extent + volume.target / volume.area).max(0.0), DVec2::ZERO)
        }
        _ => ((volume.slack() + gap).max(0.0), DVec2::ZERO),
    }
}
