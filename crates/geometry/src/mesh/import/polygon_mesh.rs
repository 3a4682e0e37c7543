//! Polygons as a file lists them, and the triangles that they become.

use glam::DVec3;

use super::error::{Cause, Problem};
use super::polygon;
use crate::TriangleMesh;

/// Polygons over a common vertex list, as OBJ and PLY have them, before they become triangles.
#[derive(Default)]
pub struct Polygons {
    /// Corners of all polygons in a row, as the file numbers them but counted from 0.
    corners: Vec<i64>,
    /// End of each polygon in `corners`, and where the file has it.
    ends: Vec<(usize, usize)>,
}

impl Polygons {
    /// Adds a polygon found at `place` (a line or an element number).
    pub fn push(&mut self, corners: impl IntoIterator<Item = i64>, place: usize) -> Result<(), Problem> {
        let start = self.corners.len();
        self.corners.extend(corners);
        let found = self.corners.len() - start;
        if found < 3 {
            return Err(Problem::FewCorners { found });
        }
        self.ends.push((self.corners.len(), place));
        Ok(())
    }

    /// Splits all polygons into triangles. `first_number` is what the file calls its first vertex; `at` turns the
    /// place of a polygon into an error about it.
    pub fn into_mesh(
        self,
        vertices: Vec<DVec3>,
        first_number: i64,
        at: impl Fn(usize, Problem) -> Cause,
    ) -> Result<TriangleMesh, Cause> {
        let n_vertices = vertices.len();
        if u32::try_from(n_vertices).is_err() {
            return Err(Cause::TooManyVertices { n_vertices });
        }
        let mut triangles = Vec::with_capacity(self.corners.len() - 2 * self.ends.len());
        let mut polygon = Vec::new();
        let mut start = 0;
        for (end, place) in self.ends {
            polygon.clear();
            for &corner in &self.corners[start..end] {
                let ix = u32::try_from(corner).ok().filter(|&ix| (ix as usize) < n_vertices);
                polygon.push(ix.ok_or_else(|| {
                    at(
                        place,
                        Problem::IndexOutOfRange { index: corner.saturating_add(first_number), n_vertices },
                    )
                })?);
            }
            polygon::triangulate(&polygon, &vertices, &mut triangles);
            start = end;
        }
        Ok(TriangleMesh { vertices, triangles })
    }
}
