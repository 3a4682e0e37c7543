//! The surfaces of a scene's bodies, for the contact law that asks about passages.

use tactum_geometry::mesh::generate::{self, GenerateError};
use tactum_geometry::passage::{Surface, SurfaceError};
use tactum_geometry::{Shape, TriangleMesh};
use thiserror::Error;

/// Facets that stand for a ball: 2 % of its radius off at most.
const BALL: usize = 320;

/// Why a shape has no surface of triangles.
#[derive(Debug, Error)]
pub enum SurfaceOfError {
    /// A shape that cannot be made of triangles.
    #[error("the contact law \"continuous_penalty\" needs a shape made of triangles, which this one is not")]
    NoMesh,
    /// A mesh that makes no surface.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// A ball that cannot be made.
    #[error(transparent)]
    Generate(#[from] GenerateError),
}

/// The surface of a shape in its frame, or the sheet that it is the shell of; a half-space needs none. Round shapes are taken as the polyhedra inscribed in them.
///
/// # Errors
/// Shapes that are not made of triangles, and cannot be.
pub fn surface(shape: &Shape, sheet: Option<&TriangleMesh>) -> Result<Option<Surface>, SurfaceOfError> {
    if let Some(sheet) = sheet {
        return Ok(Some(Surface::new(sheet)?));
    }
    match shape {
        Shape::HalfSpace => Ok(None),
        Shape::Sphere(sphere) => Ok(Some(Surface::new(&generate::sphere(sphere.radius, BALL)?)?)),
        other => {
            let solid = other.to_solid().ok_or(SurfaceOfError::NoMesh)?;
            Ok(Some(Surface::new(solid.mesh())?))
        }
    }
}
