//! Overlaps of meshes against closed forms, against each other and under degeneracy.

mod closed_forms;
mod degenerate;
mod half_space;
mod laws;
mod regions;

use glam::{DMat3, DQuat, DVec3};

use super::overlap;
use crate::mesh::generate;
use crate::{Overlap, Pose, Solid, TriangleMesh};

fn solid(mesh: TriangleMesh) -> Solid {
    Solid::new(mesh).unwrap()
}

/// A box about the origin, each side one square of two triangles.
fn cuboid(x: f64, y: f64, z: f64) -> TriangleMesh {
    generate::cuboid(DVec3::new(x, y, z), 12).unwrap()
}

fn unit_cube() -> Solid {
    solid(cuboid(1.0, 1.0, 1.0))
}

/// Several meshes as one.
fn merged(parts: impl IntoIterator<Item = TriangleMesh>) -> TriangleMesh {
    let mut all = TriangleMesh::default();
    for part in parts {
        let first = all.vertices.len() as u32;
        all.vertices.extend(part.vertices);
        all.triangles.extend(part.triangles.iter().map(|t| t.map(|v| v + first)));
    }
    all
}

/// The mesh with its inside out.
fn turned_over(mut mesh: TriangleMesh) -> TriangleMesh {
    for triangle in &mut mesh.triangles {
        triangle.swap(1, 2);
    }
    mesh
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z))
}

/// A pose that differs for every number.
fn some_pose(i: u32, reach: f64) -> Pose {
    let s = |k: f64| (k * f64::from(i + 1)).sin();
    let rotation = DQuat::from_xyzw(s(1.3), s(2.1), s(0.7), s(3.9) + 0.01);
    Pose::new(reach * DVec3::new(s(5.1), s(1.9), s(7.7)), rotation)
}

fn max_abs(m: DMat3) -> f64 {
    m.to_cols_array().iter().fold(0.0, |max: f64, x| max.max(x.abs()))
}

fn assert_close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b} to {tolerance}");
}
