//! Splitting polygons into triangles.

mod ears;
mod points;
#[cfg(test)]
mod tests;

use glam::{DVec2, DVec3};
use robust::{Coord, orient2d};

use ears::Ring;

/// Splits a polygon, given by its n corners in order, into n - 2 triangles that keep every side of it.
///
/// Convex polygons become a fan about their first corner, planar simple ones of any other form lose one ear after
/// the other (Meisters 1975), always the one whose corner comes first. The polygon is judged in the coordinate plane
/// closest to its own, with exact predicates. A polygon that is not simple there still becomes triangles with the same
/// sides; some of them then lie outside or upside down.
///
/// An ear is looked for with a tree over the corners, so that n corners take about n log n steps, and n √n where many
/// ears are as long as the polygon.
pub fn triangulate(polygon: &[u32], vertices: &[DVec3], triangles: &mut Vec<[u32; 3]>) {
    if polygon.len() == 3 {
        triangles.push([polygon[0], polygon[1], polygon[2]]);
        return;
    }
    let flat = flatten(polygon, vertices);
    let n = flat.len();
    let is_convex = (0..n).all(|at| turn([flat[(at + n - 1) % n], flat[at], flat[(at + 1) % n]]) >= 0.0);
    let mut rest: Vec<usize> = (0..n).collect();
    if !is_convex {
        let mut ring = Ring::new(&flat);
        while let Some(ear) = ring.clip() {
            triangles.push(ear.map(|ix| polygon[ix]));
        }
        rest = ring.rest();
    }
    for pair in rest[1..].windows(2) {
        triangles.push([rest[0], pair[0], pair[1]].map(|ix| polygon[ix]));
    }
}

/// The corners in the coordinate plane closest to the polygon's own, counter-clockwise seen along its normal.
fn flatten(polygon: &[u32], vertices: &[DVec3]) -> Vec<DVec2> {
    let points: Vec<DVec3> = polygon.iter().map(|&ix| vertices[ix as usize]).collect();
    // Twice the vector area; about the first corner, so that a far polygon loses no digits.
    let normal: DVec3 =
        points[1..].windows(2).map(|pair| (pair[0] - points[0]).cross(pair[1] - points[0])).sum();
    let size = normal.abs();
    let project = |x: DVec3| {
        if size.x >= size.y && size.x >= size.z {
            DVec2::new(x.y, x.z * normal.x.signum())
        } else if size.y >= size.z {
            DVec2::new(x.z, x.x * normal.y.signum())
        } else {
            DVec2::new(x.x, x.y * normal.z.signum())
        }
    };
    points.into_iter().map(project).collect()
}

/// Positive for a left turn, exactly zero for three points in a line.
fn turn([a, b, c]: [DVec2; 3]) -> f64 {
    let coord = |x: DVec2| Coord { x: x.x, y: x.y };
    orient2d(coord(a), coord(b), coord(c))
}
