//! Joints that break: what they carried, what goes on, and from where.

use glam::DVec3;
use tactum_sim::{BodyDesc, BodyId, JointDesc, JointKind};

use super::common::{G, cuboid, step, steps};
use super::{between, revolute, to_world, world};

#[test]
fn a_chain_carries_its_weight_and_a_weak_link_breaks() {
    let mut world = world(0.01, G);
    let n = 20;
    let mut last = None;
    for i in 0..n {
        let top = -0.1 * f64::from(i);
        let link = cuboid("link", DVec3::new(0.02, 0.02, 0.1), 0.1, DVec3::Z * (top - 0.05));
        let link = world.add_body(link).unwrap();
        let kind = JointKind::Spherical { limit: None };
        let joint = match last {
            None => to_world(link, kind, DVec3::Z * top),
            Some(above) => between(above, link, kind, DVec3::Z * top),
        };
        // The fifth carries sixteen links: 15.7 N.
        let break_force = (i == 4).then_some(15.0);
        world.add_joint(JointDesc { break_force, ..joint }).unwrap();
        last = Some(link);
    }
    let report = step(&mut world);
    for (i, record) in (0..).zip(&report.joints) {
        let force = DVec3::new(record.impulse[0], record.impulse[1], record.impulse[2]).length() / 0.01;
        let weight = 0.1 * G * f64::from(n - i);
        // Sweeps that change less than 1e-11 N s leave some 30 times that.
        assert!((force - weight).abs() < 1e-7, "joint {i} carries {force} N of {weight} N");
        assert_eq!(record.broke, i == 4);
    }
    let report = step(&mut world);
    assert_eq!(report.joints.len(), 19, "a broken joint is gone");
    steps(&mut world, 48);
    let fallen = world.body(last.unwrap()).position.z + 1.95;
    // The impulses of the first step are known to some 1e-10 N s, a link's velocity to 1e-9 m/s times the links below.
    assert!((fallen + 0.5 * G * 0.49 * 0.49).abs() < 1e-7, "the lower part falls freely: {fallen} m");
    assert!(world.body(BodyId(0)).linear_velocity.length() < 1e-9, "the upper part hangs");
}

/// Two links that come off what they hung from and fly on: whoever begins with the state of any step goes on as those who made it.
#[test]
fn what_has_broken_off_goes_on_from_a_snapshot() {
    let links = || {
        let mut world = world(0.01, G);
        let link = |z: f64, spin: DVec3| {
            let desc = cuboid("link", DVec3::new(0.02, 0.02, 0.1), 0.1, DVec3::Z * z);
            BodyDesc { angular_velocity: spin, ..desc }
        };
        let [a, b] = [link(1.0, DVec3::Y * 2.0), link(0.88, DVec3::new(1.0, 6.0, 0.0))]
            .map(|desc| world.add_body(desc).unwrap());
        let top = to_world(a, revolute(), DVec3::Z * 1.06);
        world.add_joint(JointDesc { break_force: Some(0.3), ..top }).unwrap();
        let kind = JointKind::Spherical { limit: None };
        world.add_joint(between(a, b, kind, DVec3::Z * 0.94)).unwrap();
        world
    };
    let mut world = links();
    for n_steps in 0..40 {
        let mut other = links();
        other.restore(&world.snapshot()).unwrap();
        let report = step(&mut world);
        step(&mut other);
        assert_eq!(report.joints.iter().any(|record| record.broke), n_steps == 0);
        assert_eq!(other.state_hash(), world.state_hash(), "after {n_steps} steps");
    }
}
