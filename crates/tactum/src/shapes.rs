//! Shapes from what a scene or a list of cases says, with all that is computed from them once.

use std::path::{Path, PathBuf};

use glam::DVec3;
use tactum_geometry::file::ReadError;
use tactum_geometry::mesh::check::{self, Finding};
use tactum_geometry::mesh::generate::{GenerateError, MAX_LENGTH};
use tactum_geometry::mesh::import::{self, Cause, ImportError, Imported};
use tactum_geometry::mesh::repair::{Mend, RepairError, RepairSettings, Repaired, repair};
use tactum_geometry::mesh::{LoadError, MassMoments, load_checked};
use tactum_geometry::solid::SolidError;
use tactum_geometry::words;
use tactum_geometry::{Capsule, Cone, Cuboid, Cylinder, Shape, Solid, Sphere, TriangleMesh};
use tactum_sim::INERTIA_TOLERANCE;
use thiserror::Error;

use crate::hash::Fnv;
use crate::repair::mend_lines;
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
    pub warnings: Vec<String>,
}

/// Why a shape cannot be made.
#[derive(Debug, Error)]
pub enum ShapeError {
    /// There is no such file.
    #[error("there is no mesh file '{}'", words::path(path))]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The file is not a mesh that encloses a volume.
    #[error(transparent)]
    Mesh(#[from] LoadError),
    /// The mesh was to be mended and cannot be.
    #[error("{}: {error}", words::path(path))]
    Repair {
        /// The file.
        path: PathBuf,
        /// What stands in the way.
        error: RepairError,
    },
    /// The mesh cannot be prepared for overlap queries.
    #[error(transparent)]
    Solid(#[from] SolidError),
    /// A body of this shape could not be moved.
    #[error(transparent)]
    Moments(#[from] MomentsError),
    /// The same, of a mesh whose triangles cross each other.
    #[error("the mesh {crossing}; {error}")]
    Crossed {
        /// Where they do.
        crossing: Box<Finding>,
        /// What comes of it.
        error: MomentsError,
    },
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
            Self::Generate(_) | Self::Moments(_) => None,
            Self::Mesh(LoadError::Import(_)) => None,
            Self::Mesh(_) | Self::Repair { .. } | Self::Solid(_) | Self::Crossed { .. } => {
                Some("`tactum check FILE` tells more about a mesh".to_owned())
            }
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
        ShapeSpec::Box(sides) => Shape::Cuboid(Cuboid { half_size: 0.5 * DVec3::from_array(*sides) }),
        ShapeSpec::Sphere(radius) => Shape::Sphere(Sphere { radius: *radius }),
        ShapeSpec::Capsule(capsule) => {
            Shape::Capsule(Capsule { radius: capsule.radius, half_length: 0.5 * capsule.length })
        }
        ShapeSpec::Cylinder(cylinder) => {
            Shape::Cylinder(Cylinder { radius: cylinder.radius, height: cylinder.height })
        }
        ShapeSpec::Cone(cone) => Shape::Cone(Cone { radius: cone.radius, height: cone.height }),
        ShapeSpec::Plane(_) => Shape::HalfSpace,
        ShapeSpec::Mesh(MeshSpec { file, scale, repair }) => {
            let (mesh, findings, mends) = match repair.settings() {
                Some(settings) => load_mended(&resolve(file), &settings)?,
                None => {
                    let (mesh, findings) = load_mesh(&resolve(file))?;
                    (mesh, findings, Vec::new())
                }
            };
            let mesh = mesh.scaled(*scale);
            hash_mesh(&mut hash, &mesh);
            warnings = mend_lines(&mends).into_iter().map(|line| format!("mended: {line}")).collect();
            warnings.extend(findings.iter().map(ToString::to_string));
            of_mesh(mesh, &findings)?.0
        }
        ShapeSpec::Generate(generate) => of_mesh(generate.mesh()?, &[])?.0,
    };
    if !matches!(spec, ShapeSpec::Mesh(_)) {
        hash.text(&format!("{spec:?}"));
    }
    let unit_mass = shape.unit_mass();
    Ok(Prepared { shape, unit_mass, fingerprint: hash.value(), warnings })
}

/// The shape of a mesh that was examined, and its volume, centre and inertia for density one; `found` is what the examination
/// found. What this refuses no body can be made of, at no scale near this one.
///
/// # Errors
/// If the mesh cannot be prepared for overlap queries, or its volume or inertia are none of a body.
pub fn of_mesh(mesh: TriangleMesh, found: &[Finding]) -> Result<(Shape, MassMoments), ShapeError> {
    let size = check_size(&mesh)?;
    let shape = Shape::from_mesh(mesh)?;
    // Only a half-space has none.
    let moments = shape.unit_mass().ok_or(MomentsError::NoVolume)?;
    check_moments(&moments, size).map_err(|error| error.because_of(found))?;
    Ok((shape, moments))
}

/// As [`of_mesh`], but its triangles as they are, whatever they enclose.
///
/// # Errors
/// As [`of_mesh`].
pub fn solid_of_mesh(mesh: TriangleMesh, found: &[Finding]) -> Result<(Solid, MassMoments), ShapeError> {
    let size = check_size(&mesh)?;
    let solid = Solid::new(mesh)?;
    let moments = MassMoments::of(solid.mesh());
    check_moments(&moments, size).map_err(|error| error.because_of(found))?;
    Ok((solid, moments))
}

/// The diagonal of a mesh's box \[m\], where places on the mesh are known well enough.
fn check_size(mesh: &TriangleMesh) -> Result<f64, MomentsError> {
    let size = mesh.aabb().diagonal();
    if !size.is_finite() {
        Err(MomentsError::Overflow { size })
    } else if size > MAX_LENGTH {
        Err(MomentsError::TooLarge { size })
    } else {
        Ok(size)
    }
}

/// Why a body of a shape could not be moved.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum MomentsError {
    /// Volume or inertia are beyond 64-bit numbers.
    #[error("the mesh is too large (size {size:.3e} m): its volume or inertia overflows")]
    Overflow {
        /// Diagonal of the box \[m\].
        size: f64,
    },
    /// Places on it are not known well enough.
    #[error(
        "the mesh is too large (size {size:.3e} m): at most {MAX_LENGTH:.0e} m can be told from their neighbours to a tenth of a \
         millimetre"
    )]
    TooLarge {
        /// Diagonal of the box \[m\].
        size: f64,
    },
    /// Volume or inertia are below 64-bit numbers.
    #[error(
        "the mesh is too small (size {size:.3e} m): its volume or inertia is lost below the smallest number"
    )]
    Underflow {
        /// Diagonal of the box \[m\].
        size: f64,
    },
    /// The mesh is closed and encloses nothing.
    #[error("the mesh encloses no volume: nothing can overlap it, and it has no mass")]
    NoVolume,
    /// The smallest moment of inertia is lost in the rounding of the largest.
    #[error(
        "the mesh is too thin: its principal moments of inertia at density 1 are {smallest:.3e} to {largest:.3e} kg m², \
         and the smallest is lost in rounding"
    )]
    TooThin {
        /// Smallest principal moment at density one \[kg m²\].
        smallest: f64,
        /// Largest one \[kg m²\].
        largest: f64,
    },
    /// A moment of inertia is negative, and not by rounding.
    #[error(
        "the mesh has parts that count negatively: its smallest principal moment of inertia at density 1 is {smallest:.3e} kg m²"
    )]
    Negative {
        /// Smallest principal moment at density one \[kg m²\].
        smallest: f64,
    },
    /// The moments belong to no distribution of mass.
    #[error(
        "the mesh has parts that count negatively: its largest moment of inertia at density 1 is {largest:.3e} kg m², \
         more than the other two together, {others:.3e} kg m²"
    )]
    Impossible {
        /// Largest principal moment at density one \[kg m²\].
        largest: f64,
        /// Sum of the other two \[kg m²\].
        others: f64,
    },
}

impl MomentsError {
    /// The error with what most likely caused it, of what was found in the mesh.
    fn because_of(self, found: &[Finding]) -> ShapeError {
        let is_of_form =
            !matches!(self, Self::Overflow { .. } | Self::TooLarge { .. } | Self::Underflow { .. });
        let crossing = found.iter().find(|finding| matches!(finding, Finding::SelfIntersecting { .. }));
        match crossing.filter(|_| is_of_form) {
            Some(crossing) => ShapeError::Crossed { crossing: Box::new(crossing.clone()), error: self },
            None => self.into(),
        }
    }
}

/// Refuses volumes and inertias with which a body cannot be moved, as a world does; `size` is the diagonal of the box.
fn check_moments(moments: &MassMoments, size: f64) -> Result<(), MomentsError> {
    if !(moments.volume.is_finite() && moments.center.is_finite() && moments.inertia.is_finite()) {
        return Err(MomentsError::Overflow { size });
    }
    // Of a mesh this small the fifth power of the size, which the inertia is, is no normal number any more.
    if size.powi(5) < f64::MIN_POSITIVE {
        return Err(MomentsError::Underflow { size });
    }
    if moments.volume <= 0.0 {
        return Err(MomentsError::NoVolume);
    }
    let [smallest, middle, largest] = moments.principal().moments.to_array();
    let rounding = 4.0 * f64::EPSILON * largest.max(-smallest);
    if smallest < -rounding {
        return Err(MomentsError::Negative { smallest });
    }
    if smallest <= rounding {
        return Err(MomentsError::TooThin { smallest, largest });
    }
    let others = smallest + middle;
    if largest > others * (1.0 + INERTIA_TOLERANCE) {
        return Err(MomentsError::Impossible { largest, others });
    }
    Ok(())
}

/// Loads a mesh file; the second part is what a user should be told of it.
///
/// # Errors
/// If there is no such file, or it is not a mesh that encloses a volume.
pub fn load_mesh(path: &Path) -> Result<(TriangleMesh, Vec<Finding>), ShapeError> {
    let checked = match load_checked(path) {
        Err(LoadError::Import(ImportError { path, cause: Cause::Read(ReadError::Missing) })) => {
            return Err(ShapeError::Missing { path });
        }
        checked => checked?,
    };
    let warnings = checked.warnings().cloned().collect();
    Ok((checked.mesh, warnings))
}

/// Loads a mesh file and mends its mesh; the other parts are what a user should be told of it and what was mended.
fn load_mended(
    path: &Path,
    settings: &RepairSettings,
) -> Result<(TriangleMesh, Vec<Finding>, Vec<Mend>), ShapeError> {
    let imported = match import::load(path) {
        Err(ImportError { path, cause: Cause::Read(ReadError::Missing) }) => {
            return Err(ShapeError::Missing { path });
        }
        imported => imported.map_err(LoadError::Import)?,
    };
    let refused = |error| ShapeError::Repair { path: path.to_owned(), error };
    let Repaired { meshes, report } = repair(&imported.mesh, settings).map_err(refused)?;
    let mesh = meshes.into_iter().next().unwrap_or_default();
    let checked = check::examine_imported(Imported { mesh, oddities: imported.oddities })
        .map_err(|error| refused(RepairError::Mesh(error)))?;
    let findings = checked.warnings().cloned().collect();
    Ok((checked.mesh, findings, report.mends))
}

fn hash_mesh(hash: &mut Fnv, mesh: &TriangleMesh) {
    for vertex in &mesh.vertices {
        vertex.to_array().into_iter().for_each(|x| hash.word(x.to_bits()));
    }
    mesh.triangles.iter().flatten().for_each(|&v| hash.word(u64::from(v)));
}
