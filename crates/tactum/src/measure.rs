//! Energies and sizes that reports and expectations are made of.

use tactum_geometry::Shape;
use tactum_sim::{Body, BodyKind, World};

/// Kinetic energy of all dynamic bodies \[J\].
pub fn kinetic_energy(world: &World) -> f64 {
    dynamic(world).map(body_kinetic_energy).sum()
}

/// Potential energy of all dynamic bodies in the world's gravity, zero at the world's origin \[J\].
pub fn potential_energy(world: &World) -> f64 {
    let gravity = world.settings().gravity;
    dynamic(world).map(|body| -body.mass.mass * gravity.dot(body.position)).sum()
}

fn dynamic(world: &World) -> impl Iterator<Item = &Body> {
    world.bodies().iter().filter(|body| body.kind == BodyKind::Dynamic)
}

fn body_kinetic_energy(body: &Body) -> f64 {
    let omega = body.orientation.conjugate() * body.angular_velocity;
    let linear = body.mass.mass * body.linear_velocity.length_squared();
    0.5 * (linear + omega.dot(body.mass.inertia * omega))
}

/// Diagonal of the box around a shape in its own frame \[m\]; infinite for a half-space.
pub fn size(shape: &Shape) -> f64 {
    shape.aabb().diagonal()
}
