//! Shapes from what a scene or a list of cases says, with all that is computed from them once.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::DVec3;
use tactum_geometry::mesh::check::Finding;
use tactum_geometry::mesh::generate::GenerateError;
use tactum_geometry::mesh::{LoadError, MassMoments, load_checked};
use tactum_geometry::shape::ConvexHull;
use tactum_geometry::solid::SolidError;
use tactum_geometry::{Shape, Solid, TriangleMesh};
use thiserror::Error;

use crate::hash::Fnv;
use crate::scene::schema::{MeshSpec, ShapeSpec};

/// A shape that is ready for use.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The shape.
    pub shape: Shape,
    /// Its volume, centre and inertia for density one; `None` for a half-space.
    pub unit_mass: Option<MassMoments>,
    /// Hash of its measures or vertices.
    pub fingerprint: u64,
    /// What a user should be told of its mesh.
    pub warnings: Vec<Finding>,
}

/// Why a shape cannot be made.
#[derive(Debug, Error)]
pub enum ShapeError {
    /// There is no such file.
    #[error("there is no mesh file '{}'", path.display())]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The file is not a mesh that encloses a volume.
    #[error(transparent)]
    Mesh(#[from] LoadError),
    /// The mesh cannot be prepared for overlap queries.
    #[error(transparent)]
    Solid(#[from] SolidError),
    /// The measures of a generated mesh are out of their range.
    #[error(transparent)]
    Generate(#[from] GenerateError),
}

impl ShapeError {
    /// What to do about it, if that is known.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Missing { path } => {
                let full = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                Some(format!("looked for {}; paths start from the folder of the scene file", full.display()))
            }
            Self::Generate(_) => None,
            Self::Mesh(_) | Self::Solid(_) => Some("`tactum check FILE` tells more about a mesh".to_owned()),
        }
    }
}

/// Makes a shape; `resolve` turns a path of the scene into one that can be opened.
///
/// A mesh that is a convex polyhedron with few faces becomes a [`Shape::Convex`], which is measured faster and just
/// as exactly.
///
/// # Errors
/// If its mesh cannot be loaded.
pub fn prepare(spec: &ShapeSpec, resolve: impl Fn(&str) -> PathBuf) -> Result<Prepared, ShapeError> {
    let mut hash = Fnv::new();
    let mut warnings = Vec::new();
    let shape = match spec {
        ShapeSpec::Box(sides) => Shape::Cuboid { half_size: 0.5 * DVec3::from_array(*sides) },
        ShapeSpec::Sphere(radius) => Shape::Sphere { radius: *radius },
        ShapeSpec::Capsule(capsule) => {
            Shape::Capsule { radius: capsule.radius, half_length: 0.5 * capsule.length }
        }
        ShapeSpec::Plane(_) => Shape::HalfSpace,
        ShapeSpec::Mesh(MeshSpec { file, scale }) => {
            let (mesh, findings) = load_mesh(&resolve(file))?;
            let mesh = mesh.scaled(*scale);
            hash_mesh(&mut hash, &mesh);
            warnings = findings;
            of_mesh(mesh)?
        }
        ShapeSpec::Generate(generate) => of_mesh(generate.mesh()?)?,
    };
    if !matches!(spec, ShapeSpec::Mesh(_)) {
        hash.text(&format!("{spec:?}"));
    }
    let unit_mass = shape.unit_mass();
    Ok(Prepared { shape, unit_mass, fingerprint: hash.value(), warnings })
}

fn of_mesh(mesh: TriangleMesh) -> Result<Shape, SolidError> {
    Ok(match ConvexHull::from_mesh(&mesh) {
        Some(hull) => Shape::Convex(Arc::new(hull)),
        None => Shape::Mesh(Arc::new(Solid::new(mesh)?)),
    })
}

/// Loads a mesh file; the second part is what a user should be told of it.
///
/// # Errors
/// If there is no such file, or it is not a mesh that encloses a volume.
pub fn load_mesh(path: &Path) -> Result<(TriangleMesh, Vec<Finding>), ShapeError> {
    if !path.is_file() {
        return Err(ShapeError::Missing { path: path.to_owned() });
    }
    let checked = load_checked(path)?;
    let warnings = checked.warnings().cloned().collect();
    Ok((checked.mesh, warnings))
}

fn hash_mesh(hash: &mut Fnv, mesh: &TriangleMesh) {
    for vertex in &mesh.vertices {
        vertex.to_array().into_iter().for_each(|x| hash.word(x.to_bits()));
    }
    mesh.triangles.iter().flatten().for_each(|&v| hash.word(u64::from(v)));
}
