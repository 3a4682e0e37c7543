//! From a scene's joints to those of a world.

use glam::DVec3;
use tactum_sim::{BodyId, Drive, JointDesc, JointKind, ValueOverTime};

use crate::ordinary_length::of_ordinary_length;
use crate::scene::Names;
use crate::scene::schema::{JointKindSpec, JointSpec, PrismaticSpec, RevoluteSpec, ValueOverTimeSpec};

/// What a joint of a scene is in a world whose bodies have these names.
///
/// # Panics
/// If the joint names no body of these; a scene that has been read does not.
pub fn describe(joint: &JointSpec, names: &Names) -> JointDesc {
    let body = |name: &String| {
        let found = names.find(name);
        BodyId(found.expect("the scene's joints were checked against its bodies") as u32)
    };
    let (a, b) = match joint.bodies.as_slice() {
        [a, b] => (Some(body(a)), body(b)),
        bodies => (None, body(&bodies[0])),
    };
    JointDesc {
        name: joint.name.clone(),
        a,
        b,
        kind: match &joint.kind {
            JointKindSpec::Rigid => JointKind::Rigid,
            JointKindSpec::Spherical(ball) => {
                JointKind::Spherical { limit: ball.limit_deg.map(f64::to_radians) }
            }
            JointKindSpec::Revolute(hinge) => JointKind::Revolute {
                limits: hinge.limits_deg.map(|limits| limits.map(f64::to_radians)),
                drive: turning_drive(hinge),
            },
            JointKindSpec::Prismatic(slide) => {
                JointKind::Prismatic { limits: slide.limits, drive: sliding_drive(slide) }
            }
        },
        anchor: DVec3::from_array(joint.anchor),
        axis: of_ordinary_length(DVec3::from_array(joint.axis).extend(0.0)).truncate(),
        bodies_touch: joint.touch,
        break_force: joint.break_force,
        break_torque: joint.break_torque,
    }
}

fn turning_drive(hinge: &RevoluteSpec) -> Option<Drive> {
    let motor = hinge.motor.as_ref().map(|motor| Drive::Motor {
        speed: value_over_time(&motor.speed, 1.0),
        strength: motor.max_torque.unwrap_or(f64::INFINITY),
    });
    let servo = hinge.servo.as_ref().map(|servo| Drive::Servo {
        target: value_over_time(&servo.target_deg, 1.0_f64.to_radians()),
        stiffness: servo.stiffness,
        damping: servo.damping,
        strength: servo.max_torque.unwrap_or(f64::INFINITY),
    });
    motor.or(servo)
}

fn sliding_drive(slide: &PrismaticSpec) -> Option<Drive> {
    let motor = slide.motor.as_ref().map(|motor| Drive::Motor {
        speed: value_over_time(&motor.speed, 1.0),
        strength: motor.max_force.unwrap_or(f64::INFINITY),
    });
    let servo = slide.servo.as_ref().map(|servo| Drive::Servo {
        target: value_over_time(&servo.target, 1.0),
        stiffness: servo.stiffness,
        damping: servo.damping,
        strength: servo.max_force.unwrap_or(f64::INFINITY),
    });
    motor.or(servo)
}

/// A value over time in SI units, `unit` each.
fn value_over_time(spec: &ValueOverTimeSpec, unit: f64) -> ValueOverTime {
    match spec {
        ValueOverTimeSpec::Constant(value) => ValueOverTime::constant(unit * value),
        ValueOverTimeSpec::Points(points) => {
            let points = points.iter().map(|[time, value]| [*time, unit * value]).collect();
            ValueOverTime::through(points).expect("the scene's values over time were checked")
        }
    }
}
