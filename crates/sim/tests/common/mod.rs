//! Bodies, steps and closed-form overlaps that the tests share.
#![allow(dead_code)] // every test file uses its own part
#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

pub mod facets;
pub mod penalty;

use glam::{DMat3, DVec3};
use tactum_geometry::overlap::overlap;
use tactum_geometry::{Cuboid, Overlap, Pose, Shape, Sphere};
use tactum_sim::{
    BodyDesc, BodyId, BodyKind, JointDesc, JointKind, MassProperties, OverlapQuestion, PatchModel, Progress,
    Questions, Settings, StepReport, World,
};

/// Standard gravity of the validation cases \[m/s²\].
pub const G: f64 = 9.81;

/// Angle up to which edges stand for a smooth surface where a scene does not say \[rad\].
pub const SMOOTH: f64 = 12.0 * std::f64::consts::PI / 180.0;

/// Settings of the validation cases: 10 ms, a cuboid's ellipse, overlaps held at `volume`.
pub fn settings(volume: f64) -> Settings {
    Settings {
        patch: PatchModel::Ellipse { k: 3.0 },
        target_volume: Some(volume),
        tolerance: 1e-15,
        relative_tolerance: 0.0,
        motion_tolerance: 0.0,
        max_solves: u64::MAX,
        // Sleep ends what still creeps towards its place.
        sleep_after: 0.0,
        ..Settings::default()
    }
}

/// A world that starts with a static half-space z <= 0.
pub fn world_with_floor(settings: Settings, friction: f64) -> World {
    let mut world = World::new(settings).unwrap();
    let floor = BodyDesc { friction: Some(friction), ..fixed("floor", Shape::HalfSpace) };
    world.add_body(floor).unwrap();
    world
}

/// A static body at the origin.
pub fn fixed(name: &str, shape: Shape) -> BodyDesc {
    BodyDesc {
        name: name.to_owned(),
        kind: BodyKind::Static,
        shape,
        smooth: None,
        rounded: None,
        surface: None,
        w_from_shape: Pose::IDENTITY,
        mass: MassProperties { mass: 1.0, center: DVec3::ZERO, inertia: DMat3::IDENTITY },
        linear_velocity: DVec3::ZERO,
        angular_velocity: DVec3::ZERO,
        material: None,
        friction: None,
        groups: 1,
        mask: u32::MAX,
    }
}

/// A homogeneous cuboid of the given mass and full sides.
pub fn cuboid(name: &str, sides: DVec3, mass: f64, position: DVec3) -> BodyDesc {
    let s = sides * sides;
    let inertia = DMat3::from_diagonal(DVec3::new(s.y + s.z, s.x + s.z, s.x + s.y) * (mass / 12.0));
    BodyDesc {
        kind: BodyKind::Dynamic,
        w_from_shape: Pose::from_translation(position),
        mass: MassProperties { mass, center: DVec3::ZERO, inertia },
        ..fixed(name, Shape::Cuboid(Cuboid { half_size: 0.5 * sides }))
    }
}

/// A homogeneous body of this shape and 1000 kg/m³ at a pose.
pub fn moving(shape: Shape, w_from_shape: Pose, linear_velocity: DVec3, angular_velocity: DVec3) -> BodyDesc {
    let mass = shape.unit_mass().unwrap();
    let density = 1000.0;
    BodyDesc {
        kind: BodyKind::Dynamic,
        w_from_shape,
        mass: MassProperties {
            mass: density * mass.volume,
            center: mass.center,
            inertia: mass.inertia * density,
        },
        linear_velocity,
        angular_velocity,
        ..fixed("body", shape)
    }
}

/// A joint of the world and one body about y.
pub fn to_world(b: BodyId, kind: JointKind, anchor: DVec3) -> JointDesc {
    JointDesc {
        name: "joint".to_owned(),
        a: None,
        b,
        kind,
        anchor,
        axis: DVec3::Y,
        bodies_touch: false,
        break_force: None,
        break_torque: None,
    }
}

/// The same of two bodies.
pub fn between(a: BodyId, b: BodyId, kind: JointKind, anchor: DVec3) -> JointDesc {
    JointDesc { a: Some(a), ..to_world(b, kind, anchor) }
}

/// A homogeneous ball.
pub fn ball(name: &str, radius: f64, mass: f64, position: DVec3) -> BodyDesc {
    let inertia = DMat3::IDENTITY * (0.4 * mass * radius * radius);
    BodyDesc {
        kind: BodyKind::Dynamic,
        w_from_shape: Pose::from_translation(position),
        mass: MassProperties { mass, center: DVec3::ZERO, inertia },
        ..fixed(name, Shape::Sphere(Sphere { radius }))
    }
}

/// The overlaps that are asked for, measured one after another.
pub fn measure(questions: &Questions) -> Vec<Overlap> {
    let measure = |question: &OverlapQuestion| {
        let ([a, b], [w_from_a, w_from_b]) = (&question.shapes, &question.poses);
        overlap(a, w_from_a, b, w_from_b)
    };
    questions.overlaps.iter().map(measure).collect()
}

/// What the next step asks.
pub fn ask(world: &mut World) -> Questions {
    match world.begin_step().unwrap() {
        Progress::Ask(questions) => questions,
        Progress::Done(_) => panic!("a step asks before it is done"),
    }
}

/// One step with measured overlaps.
pub fn step(world: &mut World) -> StepReport {
    world.step(measure).unwrap()
}

/// `n` steps.
pub fn steps(world: &mut World, n: usize) {
    for _ in 0..n {
        step(world);
    }
}

/// Angular momentum of all bodies about the world's origin \[kg m²/s\].
pub fn angular_momentum(world: &World) -> DVec3 {
    world.momenta()[1]
}

/// Linear momentum of all bodies \[kg m/s\].
pub fn momentum(world: &World) -> DVec3 {
    world.momenta()[0]
}

/// Ids of all bodies but the first.
pub fn movers(world: &World) -> impl Iterator<Item = BodyId> + use<> {
    (1..world.bodies().len() as u32).map(BodyId)
}

/// The world again with other settings: same bodies, same dynamic state.
pub fn with_settings(world: &World, settings: Settings) -> World {
    let mut other = World::new(settings).unwrap();
    for body in world.bodies() {
        let desc = BodyDesc {
            name: body.name.clone(),
            kind: body.kind,
            shape: body.shape.clone(),
            smooth: body.smooth.clone(),
            rounded: body.rounded.clone(),
            surface: body.surface.clone(),
            w_from_shape: body.w_from_shape(),
            mass: body.mass,
            linear_velocity: body.linear_velocity,
            angular_velocity: body.angular_velocity,
            material: None,
            friction: Some(body.friction),
            groups: body.groups,
            mask: body.mask,
        };
        other.add_body(desc).unwrap();
    }
    other.restore(&world.snapshot()).unwrap();
    other
}
