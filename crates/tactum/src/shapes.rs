//! Shapes from what a scene or a list of cases says, with all that is computed from them once.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use glam::DVec3;
use tactum_geometry::facets::RoundedMesh;
use tactum_geometry::mesh::MassMoments;
use tactum_geometry::mesh::check::Finding;
use tactum_geometry::mesh::generate::{GenerateError, MAX_LENGTH};
use tactum_geometry::solid::SolidError;
use tactum_geometry::{Capsule, Cone, Cuboid, Cylinder, Shape, SmoothSurface, Solid, Sphere, TriangleMesh};
use tactum_sim::INERTIA_TOLERANCE;
use thiserror::Error;

use crate::hash::Fnv;
use crate::mesh_file::{LoadedMesh, MeshFileError, TELLS_MORE, is_of_parts, load_as, mend_lines};
use crate::rounded::{RoundedError, rounded};
use crate::scene::schema::{MeshSpec, RoundingSpec, ShapeSpec};

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
    /// The mesh that a convex polyhedron was made from, which has the triangles that its faces are cut into.
    pub triangles: Option<Arc<TriangleMesh>>,
    /// The open sheet that the shape is the shell of.
    pub sheet: Option<Arc<TriangleMesh>>,
    smooth: OnceLock<MadeSmooth>,
}

/// The smooth surface that a mesh stands for, and the angle that it was made with \[rad\].
#[derive(Clone, Debug)]
struct MadeSmooth {
    angle: f64,
    surface: Option<Arc<SmoothSurface>>,
}

impl Prepared {
    /// Its rounded facets, see [`rounded`].
    ///
    /// # Errors
    /// Shapes and roundings that do not go together.
    pub fn rounded(&self, rounding: RoundingSpec) -> Result<RoundedMesh, RoundedError> {
        rounded(&self.shape, self.triangles.as_deref(), rounding)
    }

    /// The smooth surface that its mesh stands for over edges that turn by up to `angle` \[rad\], if any, see
    /// [`Shape::smooth_surface`]. Of the first angle that is asked for it is made once: it takes as long as preparing the mesh.
    pub fn smooth_surface(&self, angle: f64) -> Option<Arc<SmoothSurface>> {
        let make = || MadeSmooth { angle, surface: self.shape.smooth_surface(angle).map(Arc::new) };
        let made = self.smooth.get_or_init(make);
        if made.angle == angle { made.surface.clone() } else { make().surface }
    }
}

/// Why a shape cannot be made.
#[derive(Debug, Error)]
pub enum ShapeError {
    /// The file gives no mesh.
    #[error(transparent)]
    File(#[from] MeshFileError),
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
            Self::File(error) => error.help(),
            Self::Generate(_) | Self::Moments(_) => None,
            Self::Solid(_) | Self::Crossed { .. } => Some(TELLS_MORE.to_owned()),
        }
    }
}

/// Makes a shape, or the shapes of the parts of a file that is split; `resolve` turns a path of the scene into one that can be opened.
///
/// A mesh that is a convex polyhedron with few faces becomes a [`Shape::Convex`], which is measured faster and just
/// as exactly.
///
/// # Errors
/// If its mesh cannot be loaded.
pub fn prepare(spec: &ShapeSpec, resolve: impl Fn(&str) -> PathBuf) -> Result<Vec<Prepared>, ShapeError> {
    let mut triangles = None;
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
        ShapeSpec::Mesh(mesh) => return prepare_mesh(mesh, &resolve(&mesh.file)),
        ShapeSpec::Generate(generate) => {
            let mesh = generate.mesh()?;
            let shape = of_mesh(mesh.clone(), &[])?.0;
            triangles = triangles_of(&shape, mesh);
            shape
        }
    };
    let mut hash = Fnv::new();
    hash.text(&format!("{spec:?}"));
    let unit_mass = shape.unit_mass();
    Ok(vec![Prepared {
        shape,
        unit_mass,
        fingerprint: hash.value(),
        warnings: Vec::new(),
        triangles,
        sheet: None,
        smooth: OnceLock::new(),
    }])
}

/// The shapes of a mesh file; what is to be said of all is said of the first.
fn prepare_mesh(spec: &MeshSpec, path: &Path) -> Result<Vec<Prepared>, ShapeError> {
    let LoadedMesh { meshes, findings, mends, doubts, sheet } = load_as(spec, path)?;
    // What was mended is one thing to know; what may be wrong about it is another.
    let mended = (!mends.is_empty()).then(|| format!("mended: {}", mend_lines(&mends).join("; ")));
    let mut warnings: Vec<String> = mended.into_iter().collect();
    warnings.extend(doubts.iter().map(|doubt| format!("mended: {doubt}")));
    warnings.extend(findings.iter().map(|finding| match is_of_parts(finding) {
        true => format!("{finding}; union = true beside `file` counts once what lies in several parts"),
        false => finding.to_string(),
    }));
    let sheet = sheet.map(Arc::new);
    let prepare = |mesh: TriangleMesh| {
        let mut hash = Fnv::new();
        hash_mesh(&mut hash, &mesh);
        let (shape, unit_mass) = of_mesh(mesh.clone(), &findings)?;
        let warnings = std::mem::take(&mut warnings);
        Ok(Prepared {
            triangles: triangles_of(&shape, mesh),
            shape,
            unit_mass: Some(unit_mass),
            fingerprint: hash.value(),
            warnings,
            sheet: sheet.clone(),
            smooth: OnceLock::new(),
        })
    };
    meshes.into_iter().map(prepare).collect()
}

/// The mesh that a shape was made from, if that has not kept its triangles.
fn triangles_of(shape: &Shape, mesh: TriangleMesh) -> Option<Arc<TriangleMesh>> {
    (!shape.is_mesh()).then(|| Arc::new(mesh))
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

fn hash_mesh(hash: &mut Fnv, mesh: &TriangleMesh) {
    for vertex in &mesh.vertices {
        vertex.to_array().into_iter().for_each(|x| hash.word(x.to_bits()));
    }
    mesh.triangles.iter().flatten().for_each(|&v| hash.word(u64::from(v)));
}
