//! The facets of a scene's bodies as caps of spheres, for the contact law that asks about them.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::DVec3;
use tactum_geometry::facets::{CREASE, RoundedMesh, Rounding, RoundingError};
use tactum_geometry::mesh::generate::{self, GenerateError};
use tactum_geometry::solid::SolidError;
use tactum_geometry::{Shape, Solid, TriangleMesh};
use thiserror::Error;

use crate::scene::schema::RoundingSpec;

/// Facets that stand for a ball: forces do not depend on how many there are.
const BALL: usize = 320;

/// Side of the slab that stands for a half-space \[m\]: what leaves it falls for ever, and the run says so of bodies that far out.
const SLAB: f64 = 1e4;

/// Why a shape has no rounded facets.
#[derive(Debug, Error)]
pub enum RoundedError {
    /// A shape without a mesh of its own.
    #[error(
        "the contact law \"facets\" needs a mesh, a box, a sphere or a plane; a {0} can be given as a mesh or by generate = {{ ... }}"
    )]
    NoMesh(&'static str),
    /// A rounding that its mesh cannot have.
    #[error("rounding: {0}")]
    Rounding(#[from] RoundingError),
    /// A radius that is no number.
    #[error("rounding: the radius is {0:?} m, but has to be finite and not 0")]
    Radius(f64),
    /// A shape without a mesh to speak of.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// The same.
    #[error(transparent)]
    Solid(#[from] SolidError),
}

/// The rounded facets of a shape, in its frame.
///
/// # Errors
/// Shapes and roundings that do not go together.
pub fn rounded(shape: &Shape, rounding: RoundingSpec) -> Result<RoundedMesh, RoundedError> {
    let (solid, own) = match shape {
        Shape::HalfSpace => (slab()?, Rounding::Uniform(0.0)),
        Shape::Sphere(sphere) => {
            (made(generate::sphere(sphere.radius, BALL)?)?, Rounding::Uniform(sphere.radius.recip()))
        }
        Shape::Cuboid(cuboid) => {
            (made(generate::cuboid(2.0 * cuboid.half_size, 12)?)?, Rounding::Uniform(0.0))
        }
        Shape::Capsule(_) => return Err(RoundedError::NoMesh("capsule")),
        Shape::Cylinder(_) => return Err(RoundedError::NoMesh("cylinder")),
        Shape::Cone(_) => return Err(RoundedError::NoMesh("cone")),
        mesh => (mesh.to_solid().ok_or(RoundedError::NoMesh("shape without end"))?, Rounding::Estimated),
    };
    let rounding = match rounding {
        RoundingSpec::Estimated => own,
        RoundingSpec::Flat => Rounding::Uniform(0.0),
        RoundingSpec::Radius(radius) if radius.is_finite() && radius != 0.0 => {
            Rounding::Uniform(radius.recip())
        }
        RoundingSpec::Radius(radius) => return Err(RoundedError::Radius(radius)),
    };
    Ok(RoundedMesh::new(solid, &rounding)?)
}

/// How many edges of a shape are sharp: they turn outward by more than [`CREASE`]. Nothing holds a body there, as its facets end and are
/// no spheres that meet.
pub fn sharp_edges(shape: &Shape) -> usize {
    let Some(solid) = shape.to_solid().filter(|_| !matches!(shape, Shape::Sphere(_))) else { return 0 };
    let TriangleMesh { vertices, triangles, .. } = solid.mesh();
    let at = |ix: u32| vertices[ix as usize];
    let normal = |t: &[u32; 3]| (at(t[1]) - at(t[0])).cross(at(t[2]) - at(t[0])).normalize_or_zero();
    let mut across: BTreeMap<[u32; 2], (DVec3, u32)> = BTreeMap::new();
    for triangle in triangles {
        for i in 0..3 {
            let [from, to, far] = [triangle[i], triangle[(i + 1) % 3], triangle[(i + 2) % 3]];
            across.insert([from, to], (normal(triangle), far));
        }
    }
    let is_sharp = |(&[from, to], (n, _)): (&[u32; 2], &(DVec3, u32))| {
        let Some((m, far)) = across.get(&[to, from]).filter(|_| from < to) else { return false };
        n.dot(*m) < CREASE.cos() && n.dot(at(*far) - at(from)) < 0.0
    };
    across.iter().filter(|edge| is_sharp(*edge)).count()
}

fn made(mesh: TriangleMesh) -> Result<Arc<Solid>, RoundedError> {
    Ok(Arc::new(Solid::new(mesh)?))
}

/// A slab whose top is the plane z = 0.
fn slab() -> Result<Arc<Solid>, RoundedError> {
    let mut mesh = generate::cuboid(DVec3::splat(SLAB), 12)?;
    for vertex in &mut mesh.vertices {
        vertex.z -= 0.5 * SLAB;
    }
    made(mesh)
}
