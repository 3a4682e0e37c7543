//! Cylinders and cones on the floor: they roll on their side and stand on their ends.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use std::f64::consts::FRAC_PI_2;

use common::{fixed, steps, world_with_floor};
use glam::{DQuat, DVec3};
use tactum_geometry::{Cone, Cylinder, Pose, Shape};
use tactum_sim::{BodyDesc, BodyId, BodyKind, MassProperties, Settings, World};

const RADIUS: f64 = 0.1;
const HEIGHT: f64 = 0.05;

fn moving(shape: Shape, pose: Pose, velocity: DVec3, spin: DVec3) -> BodyDesc {
    let mass = shape.unit_mass().unwrap();
    let density = 1000.0;
    BodyDesc {
        kind: BodyKind::Dynamic,
        w_from_shape: pose,
        mass: MassProperties {
            mass: density * mass.volume,
            center: mass.center,
            inertia: mass.inertia * density,
        },
        linear_velocity: velocity,
        angular_velocity: spin,
        ..fixed("body", shape)
    }
}

fn on_floor(desc: BodyDesc, dt: f64) -> (World, BodyId) {
    let mut world = world_with_floor(Settings { dt, ..Settings::default() }, 0.5);
    let id = world.add_body(desc).unwrap();
    (world, id)
}

/// A wheel that rolls without slipping keeps its kinetic energy, whatever the step.
#[test]
fn a_rolling_wheel_keeps_its_energy() {
    for dt in [1e-2, 2.5e-3, 1e-3] {
        let wheel = Shape::Cylinder(Cylinder { radius: RADIUS, height: HEIGHT });
        let pose = Pose::new(DVec3::Z * RADIUS, DQuat::from_rotation_x(FRAC_PI_2));
        let (mut world, id) = on_floor(moving(wheel, pose, DVec3::X, DVec3::Y / RADIUS), dt);
        let energy = world.kinetic_energy();
        steps(&mut world, (1.0 / dt).round() as usize);
        let body = world.body(id);
        let left = world.kinetic_energy() / energy - 1.0;
        println!("dt {dt}: energy {left:e}, at {}, velocity {}", body.position, body.linear_velocity);
        assert!(left.abs() < 1e-3, "dt {dt}: {left}");
        assert!(
            (body.position.x - 1.0).abs() < 0.01 && body.position.y.abs() < 1e-6,
            "dt {dt}: {}",
            body.position
        );
    }
}

#[test]
fn a_cylinder_stands_on_its_end_and_a_cone_on_its_base() {
    let cylinder = Shape::Cylinder(Cylinder { radius: RADIUS, height: 4.0 * RADIUS });
    let cone = Shape::Cone(Cone { radius: RADIUS, height: 4.0 * RADIUS });
    for shape in [cylinder, cone] {
        for dt in [1e-2, 1e-3] {
            let pose = Pose::from_translation(DVec3::Z * 2.0 * RADIUS);
            let (mut world, id) = on_floor(moving(shape.clone(), pose, DVec3::ZERO, DVec3::ZERO), dt);
            let before = world.body(id).position;
            steps(&mut world, (1.0 / dt).round() as usize);
            let body = world.body(id);
            let up = (body.orientation * DVec3::Z).distance(DVec3::Z);
            println!(
                "dt {dt}: lean {up:e}, moved {:e}, {:e}",
                body.position.distance(before),
                world.kinetic_energy()
            );
            assert!(up < 1e-6, "{shape:?} dt {dt}: {up}");
            assert!(body.position.distance(before) < 1e-3 * RADIUS, "{shape:?} dt {dt}: {}", body.position);
            assert!(body.linear_velocity.length() < 1e-6, "{shape:?} dt {dt}: {}", body.linear_velocity);
        }
    }
}
