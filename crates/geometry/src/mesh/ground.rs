//! Ground: the solid below an open sheet.

use glam::{DVec2, DVec3};
use thiserror::Error;

use super::TriangleMesh;
use super::weld;
use crate::words::{number, vector};

/// Why there is no solid below a sheet.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum GroundError {
    /// There is nothing to stand on.
    #[error("the sheet has no triangles")]
    Empty,
    /// A number is none.
    #[error("vertex {vertex} of the sheet is not finite (counted from 0)")]
    NotFinite {
        /// The vertex.
        vertex: usize,
    },
    /// It is a solid already.
    #[error("the mesh is closed: it is a solid already, and has nothing below it")]
    Closed,
    /// Some of it hangs over what is below.
    #[error(
        "{n} of {of} triangles do not look up, first triangle {first} (counted from 0) near {}: ground has one height in each place",
        vector(*near)
    )]
    Overhangs {
        /// Triangles that look down or aside.
        n: usize,
        /// Triangles of the sheet.
        of: usize,
        /// The first.
        first: usize,
        /// Its centroid.
        near: DVec3,
    },
    /// The solid would have no bottom.
    #[error("the depth is {}, but has to be above zero and finite", number(*found))]
    Depth {
        /// What was given.
        found: f64,
    },
}

/// The solid between an open sheet and a plane bottom `depth` below its lowest point, with upright walls along its borders. A sheet of
/// which all triangles look down is turned over. Triangles that stand upright are taken where two of their corners stand above each other, as in
/// steps.
///
/// The bottom repeats the triangles of the sheet, so the solid has twice as many and two for each edge of the border.
///
/// # Errors
/// If the sheet is closed, empty, not finite or hangs over, or the depth is none. Layers above each other are not searched for: the doctor
/// ([`check`](super::check)) finds the walls of the one that go through the other.
pub fn ground_below(sheet: &TriangleMesh, depth: f64) -> Result<TriangleMesh, GroundError> {
    if !(depth.is_finite() && depth > 0.0) {
        return Err(GroundError::Depth { found: depth });
    }
    if let Some(vertex) = sheet.vertices.iter().position(|x| !x.is_finite()) {
        return Err(GroundError::NotFinite { vertex });
    }
    let welded = welded(sheet);
    if welded.triangles.is_empty() {
        return Err(GroundError::Empty);
    }
    if border(&welded.triangles).is_empty() {
        return Err(GroundError::Closed);
    }
    let mut solid = looking_up(welded)?;
    let border = border(&solid.triangles);
    let below = add_bottom(&mut solid, depth);
    let flat = |[a, b, c]: [u32; 3]| a == b || b == c || c == a;
    let bottom = solid.triangles.iter().map(|triangle| triangle.map(|v| below[v as usize]));
    // An upright triangle has no area from below.
    let bottom: Vec<[u32; 3]> = bottom.filter(|&corners| !flat(corners)).map(|[a, b, c]| [a, c, b]).collect();
    let walls = border.into_iter().flat_map(|[a, b]| {
        let [low_a, low_b] = [a, b].map(|v| below[v as usize]);
        // Of the wall below an upright edge a triangle without area is left, which closes the mesh where the walls beside it
        // begin at different heights.
        [[b, a, low_a], [b, low_a, low_b]].into_iter().filter(move |&corners| !flat(corners))
    });
    solid.triangles.extend(bottom.into_iter().chain(walls));
    Ok(solid)
}

/// The sheet with vertices at equal places made one.
pub(super) fn welded(sheet: &TriangleMesh) -> TriangleMesh {
    let first = weld::equal(&sheet.vertices);
    let corners = sheet.triangles.iter().map(|triangle| triangle.map(|v| first[v as usize]));
    let triangles = corners.filter(|[a, b, c]| a != b && b != c && c != a).collect();
    TriangleMesh { vertices: sheet.vertices.clone(), triangles }
}

/// The sheet with all triangles looking up, or upright with two corners above each other.
fn looking_up(mut sheet: TriangleMesh) -> Result<TriangleMesh, GroundError> {
    let from_above: Vec<Side> = (0..sheet.triangles.len()).map(|ix| Side::of(sheet.corners(ix))).collect();
    let n_down = from_above.iter().filter(|side| **side == Side::Down).count();
    let n_up = from_above.iter().filter(|side| **side == Side::Up).count();
    if n_down > 0 && n_up == 0 {
        sheet.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    }
    let wrong = if n_up == 0 { Side::Up } else { Side::Down };
    // Upright triangles alone are a wall.
    let is_wall = n_up + n_down == 0;
    let is_wrong = |side: &Side| *side == wrong || *side == Side::Aside || is_wall;
    match from_above.iter().position(is_wrong) {
        None => Ok(sheet),
        Some(first) => {
            let n = from_above.iter().filter(|side| is_wrong(side)).count();
            let near = sheet.corners(first).into_iter().sum::<DVec3>() / 3.0;
            Err(GroundError::Overhangs { n, of: from_above.len(), first, near })
        }
    }
}

/// How a triangle is seen from above.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Up,
    Down,
    /// Upright, with two corners above each other.
    Step,
    /// Upright otherwise.
    Aside,
}

impl Side {
    fn of(corners: [DVec3; 3]) -> Self {
        let [a, b, c] = corners.map(DVec3::truncate);
        let coord = |x: DVec2| robust::Coord { x: x.x, y: x.y };
        let area = robust::orient2d(coord(a), coord(b), coord(c));
        if a == b || b == c || c == a {
            Self::Step
        } else if area > 0.0 {
            Self::Up
        } else if area < 0.0 {
            Self::Down
        } else {
            Self::Aside
        }
    }
}

/// Sides of triangles on which no other one lies, in the direction of their triangle.
pub(super) fn border(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let sides = || triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut sorted: Vec<[u32; 2]> = sides().collect();
    sorted.sort_unstable();
    sides().filter(|&[a, b]| sorted.binary_search(&[b, a]).is_err()).collect()
}

/// Adds the corners of the bottom; for every vertex the one that is below it. What stands above each other has one.
fn add_bottom(solid: &mut TriangleMesh, depth: f64) -> Vec<u32> {
    let z = solid.aabb().min.z - depth;
    let lowered: Vec<DVec3> = solid.vertices.iter().map(|x| x.with_z(z)).collect();
    let n = lowered.len() as u32;
    let below = weld::equal(&lowered).into_iter().map(|v| n + v).collect();
    solid.vertices.extend(lowered);
    below
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::check;

    /// A sum of less than a hundred triangles, each off by less than a last digit.
    const ROUNDING: f64 = 100.0 * f64::EPSILON;

    /// A grid of unit squares with heights at its corners.
    fn grid(nx: u32, ny: u32, height: impl Fn(f64, f64) -> f64) -> TriangleMesh {
        let corner = |i: u32, j: u32| j * (nx + 1) + i;
        let place = |ix: u32| [ix % (nx + 1), ix / (nx + 1)].map(f64::from);
        let vertices =
            (0..(nx + 1) * (ny + 1)).map(place).map(|[x, y]| DVec3::new(x, y, height(x, y))).collect();
        let square = |(i, j): (u32, u32)| {
            let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
            [[a, b, c], [a, c, d]]
        };
        let triangles = (0..nx).flat_map(|i| (0..ny).map(move |j| (i, j))).flat_map(square).collect();
        TriangleMesh { vertices, triangles }
    }

    /// A sheet that rises along x holds what the trapezoid below it holds, whichever way it looks.
    #[test]
    fn the_solid_below_a_slope_has_the_volume_of_a_wedge_on_a_block() {
        let slope = grid(4, 3, |x, _| 0.5 * x);
        let mut looking_down = slope.clone();
        looking_down.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
        for sheet in [slope, looking_down] {
            let checked = check::examine(ground_below(&sheet, 1.5).expect("a sheet")).expect("closed");
            // 4 by 3 of depth 1.5 and a wedge of height 2.
            let exact = 4.0 * 3.0 * 1.5 + 0.5 * 4.0 * 2.0 * 3.0;
            assert!((checked.volume / exact - 1.0).abs() < ROUNDING, "{}", checked.volume);
            assert_eq!(checked.mesh.aabb().min.z, -1.5);
            assert!(checked.warnings().next().is_none(), "{:?}", checked.findings);
        }
    }

    /// Two treads of 1 by 1 with an upright riser between them.
    #[test]
    fn steps_are_closed() {
        let at = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
        let vertices = vec![
            at(0.0, 0.0, 0.0),
            at(1.0, 0.0, 0.0),
            at(1.0, 1.0, 0.0),
            at(0.0, 1.0, 0.0),
            at(1.0, 0.0, 1.0),
            at(2.0, 0.0, 1.0),
            at(2.0, 1.0, 1.0),
            at(1.0, 1.0, 1.0),
        ];
        let triangles = vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7], [1, 4, 7], [1, 7, 2]];
        let stairs = TriangleMesh { vertices, triangles };
        let checked = check::examine(ground_below(&stairs, 1.0).expect("a sheet")).expect("closed");
        assert!((checked.volume / 3.0 - 1.0).abs() < ROUNDING, "{}", checked.volume);
    }

    #[test]
    fn what_is_no_ground_is_refused() {
        let flat = grid(2, 2, |_, _| 0.0);
        let mut overhanging = flat.clone();
        overhanging.triangles[3].swap(0, 1);
        let mut hollow = flat.clone();
        hollow.vertices[0].z = f64::NAN;
        let solid = ground_below(&flat, 1.0).expect("a sheet");
        let near = overhanging.corners(3).into_iter().sum::<DVec3>() / 3.0;
        let cases = [
            (ground_below(&overhanging, 1.0), GroundError::Overhangs { n: 1, of: 8, first: 3, near }),
            (ground_below(&hollow, 1.0), GroundError::NotFinite { vertex: 0 }),
            (ground_below(&flat, 0.0), GroundError::Depth { found: 0.0 }),
            (ground_below(&TriangleMesh::default(), 1.0), GroundError::Empty),
            (ground_below(&solid, 1.0), GroundError::Closed),
        ];
        for (found, expected) in cases {
            assert_eq!(found, Err(expected));
        }
    }
}
