//! Block level: a tall box stopped by friction, a cube at the tipping slope.

use glam::{DMat3, DVec3};
use tactum_sim::SpinRule;
use tactum_sim::contact::{ContactFrame, ContactPatch};
use tactum_sim::solver::local::{Block, project};

/// A box 0.4 x 0.4 x 2 m slides at 1 m/s, mu = 0.5, h = 0.01 s: friction above its base tips it forward over the
/// front edge in the first step.
#[test]
fn d6_16_tall_box_pitches_forward_over_its_front_edge() {
    let frame = ContactFrame::new(DVec3::new(0.0, 0.0, -1.0), DVec3::Z, [DVec3::X, DVec3::Y]);
    let inertia = DVec3::new(0.4 * 0.4 + 4.0, 0.4 * 0.4 + 4.0, 0.32) / 12.0;
    let s = frame.admittance(1.0, &DMat3::from_diagonal(inertia.recip()), DVec3::ZERO);
    let e = frame.twist(DVec3::ZERO, DVec3::new(1.0, 0.0, -0.0981), DVec3::ZERO);
    let impulse = project(&Block::new(s), &e, &ContactPatch::ellipse(0.2, 0.2), 0.5, SpinRule::Uniform);
    let (force, torque) = frame.wrench_to_world(&impulse, DVec3::ZERO);
    let v = DVec3::new(1.0, 0.0, -0.0981) + force;
    let omega = torque / inertia;
    // Six digits are given.
    assert!((v - DVec3::new(0.940685, 0.0, 0.020531)).length() < 1e-6, "{v}");
    assert!((omega - DVec3::new(0.0, 0.102652, 0.0)).length() < 1e-6, "{omega}");
    // The front bottom edge neither enters nor leaves the ground.
    let edge = v + omega.cross(DVec3::new(0.2, 0.0, -1.0));
    assert!(edge.z.abs() < 1e-15, "{edge}");
}
