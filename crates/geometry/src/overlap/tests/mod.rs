//! Overlaps against closed forms and against the laws that every overlap obeys.

mod frustum;
mod laws;
mod pieces;
mod polyhedra;
mod round;

use std::sync::Arc;

use glam::{DMat3, DVec3};

use crate::{ConvexHull, Cuboid, Pose, Shape};

fn cuboid(sides: [f64; 3]) -> Shape {
    Shape::Cuboid(Cuboid { half_size: 0.5 * DVec3::from_array(sides) })
}

fn cube() -> Shape {
    cuboid([1.0; 3])
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z))
}

/// The same shape as a hull, so that both kinds of polyhedron go through each case.
fn as_hull(shape: &Shape) -> Shape {
    let Shape::Cuboid(Cuboid { half_size }) = *shape else { return shape.clone() };
    let points: Vec<_> = (0..8)
        .map(|i| {
            half_size
                * DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2 & 1))
                    .map(|s| 2.0 * s - 1.0)
        })
        .collect();
    Shape::Convex(Arc::new(ConvexHull::from_points(&points).unwrap()))
}

fn max_abs(m: DMat3) -> f64 {
    m.to_cols_array().iter().fold(0.0, |max: f64, x| max.max(x.abs()))
}
