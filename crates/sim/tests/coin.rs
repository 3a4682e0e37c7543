//! A coin that rolls on its rim: what the corners of the rim cost, that it never gains energy, when it lies flat.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use common::{G, fixed, step, world_with_floor};
use glam::{DMat3, DQuat, DVec3};
use tactum_geometry::mesh::generate::{self, Prism};
use tactum_geometry::{Pose, Shape};
use tactum_sim::{Body, BodyDesc, BodyId, BodyKind, MassProperties, Settings, World};

const RADIUS: f64 = 0.1;
const HEIGHT: f64 = 0.02;
const SIDES: u32 = 64;
const FRICTION: f64 = 0.5;

/// Mass and moments of the prism, density 1000 kg/m³; the moments are those of a cylinder of its mass, 0.2 % too large.
fn mass_properties() -> MassProperties {
    let turn = std::f64::consts::TAU / f64::from(SIDES);
    let mass = 1000.0 * HEIGHT * 0.5 * f64::from(SIDES) * turn.sin() * RADIUS * RADIUS;
    let across = mass * (RADIUS * RADIUS / 4.0 + HEIGHT * HEIGHT / 12.0);
    let inertia = DMat3::from_diagonal(DVec3::new(across, across, 0.5 * mass * RADIUS * RADIUS));
    MassProperties { mass, center: DVec3::ZERO, inertia }
}

/// A coin that leans about x by an angle, measured from lying flat, its rim `gap` above the floor.
fn coin(dt: f64, lean: f64, angular_velocity: DVec3, gap: f64) -> (World, BodyId) {
    let mut world = world_with_floor(Settings { dt, ..Settings::default() }, FRICTION);
    let mesh = generate::prism(&Prism { sides: SIDES, radius: RADIUS, height: HEIGHT }, 0).unwrap();
    let z = RADIUS * lean.sin() + 0.5 * HEIGHT * lean.cos() + gap;
    let desc = BodyDesc {
        kind: BodyKind::Dynamic,
        w_from_shape: Pose::new(DVec3::Z * z, DQuat::from_rotation_x(lean)),
        mass: mass_properties(),
        angular_velocity,
        friction: Some(FRICTION),
        ..fixed("coin", Shape::from_mesh(mesh).unwrap())
    };
    let id = world.add_body(desc).unwrap();
    (world, id)
}

/// Energy over that of lying flat \[J\].
fn energy(world: &World, id: BodyId) -> f64 {
    let body = world.body(id);
    world.kinetic_energy() + body.mass.mass * G * (body.position.z - 0.5 * HEIGHT)
}

/// Steps until the coin hardly turns or `duration` is over; when it stopped. Asserts that it never has more energy than before, but
/// for what it may differ by from step to step: a corner that is held moves on its tangent and is let down again, by `r (ω h)² / 2`
/// at most, and what came down a little too deep within a step is lifted again, by a hundredth of the depth held (seen: 0.6 %).
fn run(world: &mut World, id: BodyId, duration: f64) -> f64 {
    let start = energy(world, id);
    let (mut lowest, dt) = (start, world.settings().dt);
    while world.time() < duration && world.body(id).angular_velocity.length() > 1e-3 {
        let turned = dt * world.body(id).angular_velocity.length();
        step(world);
        let now = energy(world, id);
        let swings = 0.5 * RADIUS * turned * turned * world.body(id).mass.mass * G;
        let lifted = 0.01 * world.settings().target_depth * world.body(id).shape.mean_side();
        // A hundred roundings of the energy itself.
        assert!(
            now - lowest <= swings + lifted * world.body(id).mass.mass * G + 1e-14 * start,
            "{} s: gains {} J of {swings} J",
            world.time(),
            now - lowest
        );
        lowest = lowest.min(now);
    }
    world.time()
}

/// Angular velocity at which a round coin that leans by this angle rolls on with its centre at rest: along the line from its
/// centre to the floor, turning at the rate at which the weight's torque turns its angular momentum (Euler's disc).
fn steady_spin(lean: f64) -> DVec3 {
    let MassProperties { mass, inertia, .. } = mass_properties();
    let turn = DMat3::from_rotation_x(lean);
    let to_floor = turn * DVec3::new(0.0, -RADIUS, -0.5 * HEIGHT);
    let along = to_floor.normalize();
    // along = precession z + spin axis, of which only z turns the momentum.
    let axis = turn * DVec3::Z;
    let precession = along.z - axis.z * along.y / axis.y;
    let momentum = turn * inertia * turn.transpose() * along;
    let torque = to_floor.cross(DVec3::Z * mass * G);
    along * (torque.x / (precession * DVec3::Z.cross(momentum)).x).sqrt()
}

/// A rigid prism that pivots on one corner of its rim after the other without sliding, integrated from hit to hit.
struct Pivoting {
    turn: DQuat,
    spin: DVec3,
    corner: usize,
}

impl Pivoting {
    fn corner(ix: usize) -> DVec3 {
        let angle = std::f64::consts::TAU * ix as f64 / f64::from(SIDES);
        DVec3::new(RADIUS * angle.cos(), RADIUS * angle.sin(), -0.5 * HEIGHT)
    }

    /// From the corner to the centre, and the inertia about the corner.
    fn about(&self, corner: usize) -> (DVec3, DMat3) {
        let MassProperties { mass, inertia, .. } = mass_properties();
        let arm = -(self.turn * Self::corner(corner));
        let turn = DMat3::from_quat(self.turn);
        let outer = DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
        let steiner = DMat3::from_diagonal(DVec3::splat(arm.length_squared())) - outer;
        (arm, turn * inertia * turn.transpose() + steiner * mass)
    }

    fn energy(&self) -> f64 {
        let (arm, inertia) = self.about(self.corner);
        0.5 * self.spin.dot(inertia * self.spin) + mass_properties().mass * G * (arm.z - 0.5 * HEIGHT)
    }

    /// After `dt` on the same corner, by the midpoint rule.
    fn after(&self, dt: f64) -> Self {
        let acceleration = |state: &Self| {
            let (arm, inertia) = state.about(state.corner);
            let weight = arm.cross(DVec3::NEG_Z * mass_properties().mass * G);
            inertia.inverse() * (weight - state.spin.cross(inertia * state.spin))
        };
        let turned = |by: DVec3| (DQuat::from_scaled_axis(by) * self.turn).normalize();
        let middle = Self {
            turn: turned(0.5 * dt * self.spin),
            spin: self.spin + 0.5 * dt * acceleration(self),
            corner: self.corner,
        };
        Self {
            turn: turned(dt * middle.spin),
            spin: self.spin + dt * acceleration(&middle),
            corner: self.corner,
        }
    }

    /// The corner that is lowest, if it lies below the one that the coin stands on.
    fn sunk(&self) -> Option<usize> {
        let height = |ix: usize| (self.turn * Self::corner(ix)).z;
        let lowest = (0..SIDES as usize).min_by(|&i, &j| height(i).total_cmp(&height(j))).unwrap();
        (height(lowest) < height(self.corner) - 1e-13).then_some(lowest)
    }

    fn run(&mut self, duration: f64, dt: f64) {
        let mut time = 0.0;
        while time < duration {
            let next = self.after(dt);
            if next.sunk().is_none() {
                *self = next;
                time += dt;
                continue;
            }
            let (mut before, mut after) = (0.0, dt);
            for _ in 0..50 {
                let middle = 0.5 * (before + after);
                *(if self.after(middle).sunk().is_none() { &mut before } else { &mut after }) = middle;
            }
            let hit = self.after(after).sunk().unwrap();
            *self = self.after(before);
            time += before;
            // The impulse acts at the corner that hits: the momentum about it stays, and the other corner leaves.
            let (arm, inertia) = self.about(hit);
            let velocity = self.spin.cross(self.about(self.corner).0);
            let MassProperties { mass, inertia: own, .. } = mass_properties();
            let turn = DMat3::from_quat(self.turn);
            let momentum = arm.cross(velocity * mass) + turn * own * turn.transpose() * self.spin;
            (self.spin, self.corner) = (inertia.inverse() * momentum, hit);
        }
    }
}

/// In steady precession a round coin loses nothing, one of 64 sides 14 % in a quarter of a second, some 60 corners. The coin
/// of the engine loses that and what friction takes where its patches slip and spin: measured 11 to 12 % more with steps of
/// 0.25 and 0.5 ms, 19 % more with 1 ms, four steps a corner.
#[test]
fn a_coin_in_steady_precession_loses_what_its_corners_cost() {
    let lean = 30.0_f64.to_radians();
    let spin = steady_spin(lean);
    let corner = 3 * SIDES as usize / 4;
    let mut pivoting = Pivoting { turn: DQuat::from_rotation_x(lean), spin, corner };
    let start = pivoting.energy();
    pivoting.run(0.25, 5e-5);
    let expected = start - pivoting.energy();
    assert!((0.13..0.16).contains(&(expected / start)), "{}", expected / start);
    for (dt, most) in [(1e-3, 1.25), (5e-4, 1.16), (2.5e-4, 1.16)] {
        let (mut world, id) = coin(dt, lean, spin, 0.0);
        let start = energy(&world, id);
        run(&mut world, id, 0.25);
        let lost = (start - energy(&world, id)) / expected;
        println!("{} ms: {lost} of {expected} J", 1e3 * dt);
        assert!((1.0..most).contains(&lost), "{dt} s: loses {lost} of what its corners cost");
    }
}

/// Set spinning at 60 or 80 degrees, the coin comes to lie flat, and half the step changes when by less than 5 %: measured
/// 3.021 and 3.096 s, 5.873 and 5.979 s.
#[test]
fn a_coin_lies_flat_after_a_time_that_does_not_depend_on_the_step() {
    for lean in [60.0_f64, 80.0] {
        let settled = [1.25e-4, 6.25e-5].map(|dt| {
            let (mut world, id) = coin(dt, lean.to_radians(), DVec3::Z * 12.0, 1e-4);
            let time = run(&mut world, id, 10.0);
            let Body { position, orientation, .. } = world.body(id);
            assert!((position.z - 0.5 * HEIGHT).abs() < 1e-4, "{lean}°, {dt} s: ends at {position}");
            assert!((*orientation * DVec3::Z).z > 1.0 - 1e-6, "{lean}°, {dt} s: ends at {orientation}");
            time
        });
        println!("{lean}°: {settled:?} s");
        assert!((settled[1] / settled[0] - 1.0).abs() < 0.05, "{lean}°: {settled:?} s");
    }
}
