//! Splitting polygons into triangles.

use glam::{DVec2, DVec3};
use robust::{Coord, orient2d};

/// Splits a polygon, given by its corners in order, into triangles that keep every side of it.
///
/// Convex polygons become a fan about their first corner, planar simple ones of any other form lose one ear after
/// the other (Meisters 1975). The polygon is judged in the coordinate plane closest to its own. A polygon that is not
/// simple there still becomes triangles with the same sides.
pub fn triangulate(polygon: &[u32], vertices: &[DVec3], triangles: &mut Vec<[u32; 3]>) {
    if polygon.len() == 3 {
        triangles.push([polygon[0], polygon[1], polygon[2]]);
        return;
    }
    let flat = flatten(polygon, vertices);
    let mut ring: Vec<usize> = (0..polygon.len()).collect();
    let is_convex = (0..ring.len()).all(|at| turn(&flat, corner(&ring, at)) >= 0.0);
    while !is_convex && ring.len() > 3 {
        let Some(at) = find_ear(&flat, &ring) else { break };
        triangles.push(corner(&ring, at).map(|ix| polygon[ix]));
        ring.remove(at);
    }
    for pair in ring[1..].windows(2) {
        triangles.push([ring[0], pair[0], pair[1]].map(|ix| polygon[ix]));
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

/// The corner at place `at` of the ring with its two neighbours, in order.
fn corner(ring: &[usize], at: usize) -> [usize; 3] {
    let n = ring.len();
    [ring[(at + n - 1) % n], ring[at], ring[(at + 1) % n]]
}

/// Positive for a left turn, exactly zero for three points in a line.
fn turn(flat: &[DVec2], [a, b, c]: [usize; 3]) -> f64 {
    let coord = |ix: usize| Coord { x: flat[ix].x, y: flat[ix].y };
    orient2d(coord(a), coord(b), coord(c))
}

/// The first corner whose triangle turns left and holds no other corner; else the first that is flat.
fn find_ear(flat: &[DVec2], ring: &[usize]) -> Option<usize> {
    let reflex: Vec<usize> =
        (0..ring.len()).filter(|&at| turn(flat, corner(ring, at)) <= 0.0).map(|at| ring[at]).collect();
    let is_ear = |&at: &usize| {
        let [a, b, c] = corner(ring, at);
        let holds = |&ix: &usize| {
            ![a, b, c].iter().any(|&own| flat[own] == flat[ix])
                && turn(flat, [a, b, ix]) >= 0.0
                && turn(flat, [b, c, ix]) >= 0.0
                && turn(flat, [c, a, ix]) >= 0.0
        };
        turn(flat, [a, b, c]) > 0.0 && !reflex.iter().any(holds)
    };
    (0..ring.len()).find(is_ear).or_else(|| (0..ring.len()).find(|&at| turn(flat, corner(ring, at)) == 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(points: &[DVec3], triangles: &[[u32; 3]]) -> f64 {
        let cross = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|ix| points[ix as usize]);
            (b - a).cross(c - a)
        };
        triangles.iter().map(|t| 0.5 * cross(t).length()).sum()
    }

    /// Triangles that overlapped or left the polygon would have more area than it.
    fn assert_covers(points: &[DVec3], expected_area: f64) {
        for shift in 0..points.len() as u32 {
            let n = points.len() as u32;
            let polygon: Vec<u32> = (0..n).map(|ix| (ix + shift) % n).collect();
            let mut triangles = Vec::new();
            triangulate(&polygon, points, &mut triangles);
            assert_eq!(triangles.len(), points.len() - 2);
            // Ten products of numbers of order one.
            assert!((area(points, &triangles) - expected_area).abs() < 1e-13, "{triangles:?}");
        }
    }

    #[test]
    fn concave_polygons_are_covered_exactly_from_every_first_corner_and_in_every_plane() {
        let l_shape = [(0., 0.), (3., 0.), (3., 1.), (1., 1.), (1., 2.), (0., 2.)];
        let comb = [
            (0., 0.),
            (5., 0.),
            (5., 2.),
            (4., 2.),
            (4., 1.),
            (3., 1.),
            (3., 2.),
            (2., 2.),
            (2., 1.),
            (1., 1.),
            (1., 2.),
            (0., 2.),
        ];
        for (flat, expected) in [(&l_shape[..], 4.0), (&comb[..], 8.0)] {
            for [u, v] in
                [[DVec3::X, DVec3::Y], [DVec3::Y, DVec3::X], [DVec3::Y, DVec3::Z], [DVec3::Z, DVec3::X]]
            {
                let points: Vec<DVec3> =
                    flat.iter().map(|&(x, y)| u * x + v * y + DVec3::splat(0.25)).collect();
                assert_covers(&points, expected);
            }
        }
    }

    #[test]
    fn polygons_with_corners_in_a_line_or_in_one_point_keep_their_sides() {
        let flat = [(0., 0.), (1., 0.), (2., 0.), (2., 2.), (1., 1.), (0., 2.)];
        assert_covers(&flat.map(|(x, y)| DVec3::new(x, y, 1.0)), 3.0);
        let mut triangles = Vec::new();
        triangulate(&[0, 0, 0, 0, 0], &[DVec3::ONE], &mut triangles);
        assert_eq!(triangles.len(), 3);
    }
}
