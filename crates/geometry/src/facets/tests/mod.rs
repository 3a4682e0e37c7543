//! Validation cases by id, forces of whole meshes against closed forms, laws that every touch obeys.

mod candidates;
mod cases;
mod ellipse;
mod far_poles;
mod forces;
mod gradient;
mod hostile;
mod pressures;
mod saddles;
mod stages;

use std::sync::Arc;

use glam::DVec3;

use super::{Candidates, Detail, Margins, Pressure, Query, RoundedMesh, Rounding, Touch, touch};
use crate::mesh::generate;
use crate::{Pose, Solid, TriangleMesh};

fn rounded(mesh: TriangleMesh, rounding: &Rounding) -> RoundedMesh {
    RoundedMesh::new(Arc::new(Solid::new(mesh).unwrap()), rounding).unwrap()
}

fn ball(radius: f64, triangles: usize) -> RoundedMesh {
    rounded(generate::sphere(radius, triangles).unwrap(), &Rounding::Uniform(radius.recip()))
}

fn plate(size: f64, triangles: usize) -> RoundedMesh {
    rounded(generate::cuboid(DVec3::new(size, size, 1.0), triangles).unwrap(), &Rounding::Uniform(0.0))
}

fn hertz(modulus: f64) -> Query {
    query(Pressure::Hertz { modulus })
}

fn query(pressure: Pressure) -> Query {
    Query { pressure, in_touch: true, about: DVec3::ZERO, detail: Detail::Sums }
}

/// Candidates found where the bodies are, and what they add up to.
fn touched(a: &RoundedMesh, at_a: &Pose, b: &RoundedMesh, at_b: &Pose, depth: f64, query: &Query) -> Touch {
    let margins = Margins { depth, gap: query.pressure.range(0.1), skin: 0.0 };
    let found = Candidates::find(a, at_a, b, at_b, margins);
    touch(a, at_a, b, at_b, &found, query).unwrap()
}

/// A ball's mesh over the plate's upper face at z = 0.5, turned so that nothing is symmetric.
fn on_plate(radius: f64, overlap: f64) -> Pose {
    let turn = glam::DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -0.7, 1.1);
    Pose::new(DVec3::new(0.031, -0.047, 0.5 + radius - overlap), turn)
}
