//! The convex hull of points, built one point at a time with exact predicates.

use glam::DVec3;
use robust::{Coord3D, orient3d};

/// Exact sign of the side on which `x` lies of the plane through a, b, c: positive outside, where the three appear
/// counter-clockwise.
pub(super) fn side([a, b, c]: [DVec3; 3], x: DVec3) -> f64 {
    let coord = |v: DVec3| Coord3D { x: v.x, y: v.y, z: v.z };
    orient3d(coord(a), coord(c), coord(b), coord(x))
}

/// The hull's triangles as indices into `points`, counter-clockwise seen from outside; `None` if all points lie in
/// one plane.
///
/// A point in the plane of a face does not see the face, so coplanar points give coplanar triangles, none of them
/// degenerate. Points inside the hull are in no triangle. Work grows with the number of points times that of
/// triangles.
pub(super) fn triangulated_hull(points: &[DVec3]) -> Option<Vec<[u32; 3]>> {
    let first = first_tetrahedron(points)?;
    let [a, b, c, d] = first;
    let mut faces = vec![[a, b, c], [a, c, d], [a, d, b], [b, d, c]];
    let corners = |face: [u32; 3]| face.map(|v| points[v as usize]);
    let mut horizon: Vec<[u32; 2]> = Vec::new();
    for (ix, &x) in points.iter().enumerate() {
        let ix = ix as u32;
        if first.contains(&ix) {
            continue;
        }
        horizon.clear();
        faces.retain(|&face| {
            let visible = side(corners(face), x) > 0.0;
            if visible {
                for [from, to] in edges(face) {
                    // An edge between two visible faces comes once in each direction and drops out.
                    match horizon.iter().position(|&e| e == [to, from]) {
                        Some(twin) => {
                            horizon.swap_remove(twin);
                        }
                        None => horizon.push([from, to]),
                    }
                }
            }
            !visible
        });
        faces.extend(horizon.iter().map(|&[from, to]| [from, to, ix]));
    }
    Some(faces)
}

/// The directed edges of a triangle.
pub(super) fn edges([a, b, c]: [u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

/// Four points that span space, in the order of a face and its apex below it; far apart, so that the first faces
/// dispose of many points.
fn first_tetrahedron(points: &[DVec3]) -> Option<[u32; 4]> {
    let farthest = |measure: &dyn Fn(DVec3) -> f64| {
        (0..points.len()).max_by(|&i, &j| measure(points[i]).total_cmp(&measure(points[j])).then(j.cmp(&i)))
    };
    let a = farthest(&|x| -x.x)?;
    let b = farthest(&|x| x.distance_squared(points[a]))?;
    let line = points[b] - points[a];
    let c = farthest(&|x| line.cross(x - points[a]).length_squared())?;
    let base = [points[a], points[b], points[c]];
    let d = farthest(&|x| side(base, x).abs())?;
    let [a, b, c, d] = [a, b, c, d].map(|i| i as u32);
    match side(base, points[d as usize]) {
        s if s > 0.0 => Some([a, c, b, d]),
        s if s < 0.0 => Some([a, b, c, d]),
        _ => None,
    }
}
