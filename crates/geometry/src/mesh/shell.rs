//! Shells: the solid of a thickness around an open sheet.

use glam::DVec3;
use thiserror::Error;

use super::TriangleMesh;
use super::ground::{border, welded};
use crate::words::{number, vector};

/// Why there is no shell around a sheet.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ShellError {
    /// There is nothing to be thick.
    #[error("the sheet has no triangles")]
    Empty,
    /// A number is none.
    #[error("vertex {vertex} of the sheet is not finite (counted from 0)")]
    NotFinite {
        /// The vertex.
        vertex: usize,
    },
    /// It is a solid already.
    #[error("the mesh is closed: it is a solid already, and has no thickness")]
    Closed,
    /// Its triangles look to opposite sides there, or it is folded back onto itself.
    #[error("the sheet looks to no side at {}: its triangles there look to opposite ones", vector(*at))]
    NoSide {
        /// Where \[m\].
        at: DVec3,
    },
    /// A shell without a volume.
    #[error("the thickness is {}, but has to be above zero and finite", number(*found))]
    Thickness {
        /// What was given.
        found: f64,
    },
}

/// The solid that reaches from a sheet to both sides by half of a thickness \[m\], along the mean of the normals around each vertex, weighted
/// by their angles: so thick where the sheet is flat, less where it is bent.
///
/// # Errors
/// If the sheet is closed, empty, not finite or looks to no side somewhere, or the thickness is none.
pub fn shell_around(sheet: &TriangleMesh, thickness: f64) -> Result<TriangleMesh, ShellError> {
    if !(thickness.is_finite() && thickness > 0.0) {
        return Err(ShellError::Thickness { found: thickness });
    }
    if let Some(vertex) = sheet.vertices.iter().position(|x| !x.is_finite()) {
        return Err(ShellError::NotFinite { vertex });
    }
    let sheet = welded(sheet);
    if sheet.triangles.is_empty() {
        return Err(ShellError::Empty);
    }
    let border = border(&sheet.triangles);
    if border.is_empty() {
        return Err(ShellError::Closed);
    }
    let normals = normals(&sheet);
    if let Some(&vertex) = sheet.triangles.iter().flatten().find(|v| normals[**v as usize] == DVec3::ZERO) {
        return Err(ShellError::NoSide { at: sheet.vertices[vertex as usize] });
    }
    let n = sheet.vertices.len() as u32;
    let side = |sign: f64| {
        sheet.vertices.iter().zip(&normals).map(move |(x, normal)| *x + sign * 0.5 * thickness * *normal)
    };
    let vertices = side(1.0).chain(side(-1.0)).collect();
    let below = sheet.triangles.iter().map(|&[a, b, c]| [n + a, n + c, n + b]);
    let rim = border.into_iter().flat_map(|[a, b]| [[b, a, n + a], [b, n + a, n + b]]);
    let triangles = sheet.triangles.iter().copied().chain(below).chain(rim).collect();
    Ok(TriangleMesh { vertices, triangles })
}

/// Mean unit normal at each vertex; zero where there is none.
fn normals(sheet: &TriangleMesh) -> Vec<DVec3> {
    let mut sums = vec![DVec3::ZERO; sheet.vertices.len()];
    for (ix, triangle) in sheet.triangles.iter().enumerate() {
        let corners = sheet.corners(ix);
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
        for (i, &vertex) in triangle.iter().enumerate() {
            let [here, next, last] = [0, 1, 2].map(|k| corners[(i + k) % 3]);
            let (u, v) = (next - here, last - here);
            sums[vertex as usize] += u.cross(v).length().atan2(u.dot(v)) * normal;
        }
    }
    // What cancels to rounding points nowhere.
    sums.into_iter().map(|sum| if sum.length() > 1e-9 { sum.normalize() } else { DVec3::ZERO }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::check;

    fn square() -> TriangleMesh {
        let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y];
        TriangleMesh { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]] }
    }

    /// A flat sheet becomes a plate; a roof of two squares at a right angle, in whose ridge the normals' mean is at 45 degrees, one that is
    /// `t cos 45°` thick there: half of a prism of `t (1 - cos 45°)` less on either side, with a rim as long.
    #[test]
    fn a_flat_sheet_becomes_a_plate() {
        let plate = check::examine(shell_around(&square(), 0.01).expect("a sheet")).expect("closed");
        assert!((plate.volume / 0.01 - 1.0).abs() < 1e-12, "{}", plate.volume);
        assert!(plate.warnings().next().is_none(), "{:?}", plate.findings);
        let bounds = plate.mesh.aabb();
        assert_eq!((bounds.min.z, bounds.max.z), (-0.005, 0.005));
    }

    #[test]
    fn a_roof_is_thinner_along_its_ridge() {
        let mut roof = square();
        roof.vertices.extend([DVec3::new(1.0, 0.0, -1.0), DVec3::new(1.0, 1.0, -1.0)]);
        roof.triangles.extend([[1, 4, 5], [1, 5, 2]]);
        let t = 0.01;
        let shell = check::examine(shell_around(&roof, t).expect("a sheet")).expect("closed");
        // Seen along the ridge each half is a trapezoid of which one of the sides is t, the other one t cos 45° high, up to corners of t².
        let half = 0.5 * t * (1.0 + 0.5_f64.sqrt());
        assert!((shell.volume / (2.0 * half) - 1.0).abs() < t, "{} for {}", shell.volume, 2.0 * half);
    }

    #[test]
    fn what_is_no_sheet_is_refused() {
        let mut folded = square();
        folded.triangles.push([2, 1, 0]);
        let mut hollow = square();
        hollow.vertices[1].y = f64::NAN;
        let solid = shell_around(&square(), 0.1).expect("a sheet");
        let cases = [
            (shell_around(&hollow, 1.0), ShellError::NotFinite { vertex: 1 }),
            (shell_around(&square(), 0.0), ShellError::Thickness { found: 0.0 }),
            (shell_around(&TriangleMesh::default(), 1.0), ShellError::Empty),
            (shell_around(&solid, 1.0), ShellError::Closed),
            (shell_around(&folded, 1.0), ShellError::NoSide { at: DVec3::X }),
        ];
        for (found, expected) in cases {
            assert_eq!(found, Err(expected));
        }
    }
}
