//! How far two bodies may still approach in a step, and how fast they part: the bias of a contact's rows.

use glam::{DVec2, DVec3};

use crate::law::volume::choose::Chosen;
use crate::law::volume::tilted_face::DepthField;
use crate::motion::FreeMotion;
use crate::solver::position::VolumeRow;
use crate::solver::{ContactFrame, Vec6};
use crate::{Body, Settings};

/// The two bodies of a contact, seen from the origin of A's shape.
#[derive(Clone, Copy, Debug)]
pub struct Bodies<'a> {
    pub bodies: [&'a Body; 2],
    pub free: [&'a FreeMotion; 2],
    /// Centres of mass \[m\].
    pub centers: [DVec3; 2],
}

/// Compliance of the normal row, as velocity per impulse, and bias of all rows; `restitution` is the pair's, `approach` how far
/// the bodies may still approach at the contact point, and how that changes over the patch.
pub fn bias(
    settings: &Settings,
    restitution: f64,
    frame: &ContactFrame,
    volume: &VolumeRow,
    (approach, slope): (f64, DVec2),
    Bodies { bodies, free, centers }: Bodies<'_>,
) -> (f64, Vec6) {
    let h = settings.dt;
    let mut bias = Vec6::ZERO;
    for ((body, center), sign) in free.iter().zip(centers).zip([-1.0, 1.0]) {
        if body.inverse_mass == 0.0 {
            bias += frame.twist(center, body.twist.linear, body.twist.angular) * sign;
        }
    }
    let [a, b] = bodies;
    let before = frame.twist(centers[1], b.linear_velocity, b.angular_velocity)
        - frame.twist(centers[0], a.linear_velocity, a.angular_velocity);
    let bounces = restitution > 0.0 && before[0] < -settings.restitution_threshold;
    if bounces {
        // The same rigid shift for all rows that move the patch along the normal, so that it is right at every
        // point of the patch.
        for row in [0, 4, 5] {
            bias[row] += restitution * before[row];
        }
    }
    if settings.compliance > 0.0 {
        let stiffness = settings.compliance.recip();
        let rate = h * stiffness + settings.damping;
        let depth = (volume.volume - volume.target) / volume.area;
        bias[0] -= stiffness / rate * depth;
        return ((h * rate).recip(), bias);
    }
    if !bounces {
        // v_n(x) + approach(x) / h >= 0, and the gradient of v_n over the patch is (-ω_w, ω_u).
        bias[0] += approach / h;
        bias[4] += slope.y / h;
        bias[5] -= slope.x / h;
    }
    (0.0, bias)
}

/// How far the bodies may still approach at the contact point, and how that changes over the patch; nowhere negative.
/// `volume` is that of where the overlap was measured.
pub fn approach(settings: &Settings, chosen: &Chosen<'_>, volume: &VolumeRow) -> (f64, DVec2) {
    let geometry = &chosen.geometry;
    // How far apart the bodies are from where the overlap was measured.
    let gap = -chosen.shift.dot(geometry.normal);
    let over = |field: DepthField, depth: f64| field.approach(depth + gap, &geometry.polygon);
    match chosen.field {
        Some(field) if chosen.corners.is_some() => {
            let depth = match settings.target_volume {
                None => volume.target / volume.area,
                Some(_) => volume.depth_at_target(),
            };
            over(field, depth)
        }
        Some(field) if field.is_landing(volume.target / volume.area) => {
            over(field, volume.target / volume.area)
        }
        _ => ((volume.slack() + gap).max(0.0), DVec2::ZERO),
    }
}
