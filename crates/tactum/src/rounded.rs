//! The facets of a scene's bodies as caps of spheres, for the contact law that asks about them.

use std::sync::Arc;

use glam::DVec3;
use tactum_geometry::facets::{RoundedMesh, Rounding, RoundingError};
use tactum_geometry::mesh::generate::{self, GenerateError};
use tactum_geometry::solid::SolidError;
use tactum_geometry::words::number;
use tactum_geometry::{Shape, Solid, TriangleMesh};
use thiserror::Error;

use crate::scene::schema::RoundingSpec;

/// Facets that stand for a ball: forces do not depend on how many there are.
const BALL: usize = 320;

/// Part of the mean curvature that a given rounding may be off before it is said. The estimate is exact on balls; of two ellipsoids with
/// curvatures of 1 to 1.56 the force by the mean one is 4 % off, so what is off by more than this is another body.
const MISFIT: f64 = 0.3;

/// Curvature times half the diagonal of a mesh's box below which it is flat.
const FLAT: f64 = 1e-3;

/// Side of the slab that stands for a half-space \[m\]: what leaves it falls for ever, and the run says so of bodies that far out.
const SLAB: f64 = 1e4;

/// Why a shape has no rounded facets.
#[derive(Debug, Error)]
pub enum RoundedError {
    /// A shape without a mesh of its own.
    #[error(
        "the contact law \"facets\" needs a mesh, a box, a sphere or a plane; a {0} can be given as a mesh, or by generate = {{ ... }} where that makes one"
    )]
    NoMesh(&'static str),
    /// A rounding that its mesh cannot have.
    #[error("rounding: {0}")]
    Rounding(#[from] RoundingError),
    /// A rounding that is not that of its shape.
    #[error("rounding: {0}; leave it out, or give the body as a mesh")]
    NotOfShape(String),
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

/// The rounded facets of a shape, in its frame: those of the triangles that it was made from, where it has not kept them itself.
///
/// # Errors
/// Shapes and roundings that do not go together.
pub fn rounded(
    shape: &Shape,
    triangles: Option<&TriangleMesh>,
    rounding: RoundingSpec,
) -> Result<RoundedMesh, RoundedError> {
    let mesh = faceted(shape, triangles, rounding)?;
    Ok(if matches!(shape, Shape::HalfSpace) { mesh.as_half_space() } else { mesh })
}

fn faceted(
    shape: &Shape,
    triangles: Option<&TriangleMesh>,
    rounding: RoundingSpec,
) -> Result<RoundedMesh, RoundedError> {
    // Triangles that meet between their corners are no solid, but their hull is.
    let solid_of = |mesh: &TriangleMesh| Solid::new(mesh.clone()).ok().map(Arc::new);
    let (solid, own) = match shape {
        Shape::HalfSpace => (slab(SLAB)?, Rounding::Uniform(0.0)),
        Shape::Sphere(sphere) => {
            (made(generate::sphere(sphere.radius, BALL)?)?, Rounding::Uniform(sphere.radius.recip()))
        }
        Shape::Cuboid(cuboid) => {
            (made(generate::cuboid(2.0 * cuboid.half_size, 12)?)?, Rounding::Uniform(0.0))
        }
        Shape::Capsule(_) => return Err(RoundedError::NoMesh("capsule")),
        Shape::Cylinder(_) => return Err(RoundedError::NoMesh("cylinder")),
        Shape::Cone(_) => return Err(RoundedError::NoMesh("cone")),
        mesh => {
            let solid = triangles.and_then(solid_of).or_else(|| mesh.to_solid());
            (solid.ok_or(RoundedError::NoMesh("shape without end"))?, Rounding::Estimated)
        }
    };
    let given = match rounding {
        RoundingSpec::Estimated => return Ok(RoundedMesh::new(solid, &own)?),
        RoundingSpec::Flat => Rounding::Uniform(0.0),
        RoundingSpec::Radius(radius) if radius.is_finite() && radius != 0.0 => {
            Rounding::Uniform(radius.recip())
        }
        RoundingSpec::Radius(radius) => return Err(RoundedError::Radius(radius)),
    };
    if own != Rounding::Estimated && given != own {
        let shape = match shape {
            Shape::Sphere(sphere) => {
                format!("a sphere of radius {} m is as round as that", number(sphere.radius))
            }
            Shape::HalfSpace => "a plane is flat".to_owned(),
            _ => "a box is flat".to_owned(),
        };
        return Err(RoundedError::NotOfShape(shape));
    }
    Ok(RoundedMesh::new(solid, &given)?)
}

/// What is to be said of a mesh whose given rounding is not how it bends: its caps stick out of it, or fall short of it, and what
/// touches there is another body than the mesh.
pub fn misfit(mesh: &RoundedMesh, rounding: RoundingSpec) -> Option<String> {
    if rounding == RoundingSpec::Estimated {
        return None;
    }
    let estimated = RoundedMesh::new(mesh.solid().clone(), &Rounding::Estimated).ok()?;
    // Of a mesh with creases, as one so coarse that all of its edges are some, it is not known what it stands for.
    if estimated.n_sharp_edges() > 0 {
        return None;
    }
    let [given, found] = [mesh, &estimated].map(mean_curvature);
    let larger = given.abs().max(found.abs());
    // Flatter than a plane can be told from.
    let size = mesh.solid().aabb().half_size().length();
    if (given - found).abs() <= MISFIT * larger || larger * size < FLAT {
        return None;
    }
    let as_a = |curvature: f64| match curvature {
        k if k.abs() * size < FLAT => "is flat".to_owned(),
        k if k < 0.0 => format!("is hollow as a ball of {} m radius", number(-k.recip())),
        k => format!("is round as a ball of {} m radius", number(k.recip())),
    };
    Some(format!(
        "the mesh {} on average, with the rounding given each of its facets {}: they stick out of it or fall short of it",
        as_a(found),
        as_a(given)
    ))
}

/// The mean curvature of a mesh's facets, by their areas \[1/m\].
fn mean_curvature(mesh: &RoundedMesh) -> f64 {
    let caps = (0..mesh.n_facets() as u32).filter_map(|facet| mesh.cap(facet));
    let area = |[a, b, c]: [DVec3; 3]| 0.5 * (b - a).cross(c - a).length();
    let weighed = caps.map(|cap| (area(cap.corners), cap.curvature));
    let [sum, of_areas] = weighed.fold([0.0; 2], |[sum, all], (area, k)| [sum + area * k, all + area]);
    sum / of_areas
}

fn made(mesh: TriangleMesh) -> Result<Arc<Solid>, RoundedError> {
    Ok(Arc::new(Solid::new(mesh)?))
}

/// A flat plate whose top is a square of the plane z = 0 about the origin: what a body near the middle of it meets of a half-space.
///
/// # Errors
/// A side \[m\] of which no box can be made.
pub fn plate(side: f64) -> Result<RoundedMesh, RoundedError> {
    Ok(RoundedMesh::new(slab(side)?, &Rounding::Uniform(0.0))?)
}

/// A slab with its top in the plane z = 0, as thick as it is wide \[m\].
fn slab(side: f64) -> Result<Arc<Solid>, RoundedError> {
    let mut mesh = generate::cuboid(DVec3::splat(side), 12)?;
    for vertex in &mut mesh.vertices {
        vertex.z -= 0.5 * side;
    }
    made(mesh)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball() -> Shape {
        Shape::Mesh(made(generate::sphere(0.05, 320).expect("a mesh")).expect("a solid"))
    }

    fn misfit_of(shape: &Shape, rounding: RoundingSpec) -> Option<String> {
        misfit(&rounded(shape, None, rounding).expect("caps"), rounding)
    }

    #[test]
    fn a_rounding_that_is_not_how_the_mesh_bends_is_told() {
        let box_mesh =
            Shape::Mesh(made(generate::cuboid(DVec3::splat(0.1), 12).expect("a mesh")).expect("a solid"));
        for (shape, rounding, words) in [
            (ball(), RoundingSpec::Radius(0.08), "0.08 m radius"),
            (ball(), RoundingSpec::Radius(-0.05), "hollow as a ball of 0.05 m radius"),
            (ball(), RoundingSpec::Flat, "each of its facets is flat"),
        ] {
            let told = misfit_of(&shape, rounding).expect("a misfit");
            assert!(told.contains(words), "{told}");
        }
        assert_eq!(misfit_of(&ball(), RoundingSpec::Radius(0.05)), None);
        assert_eq!(misfit_of(&ball(), RoundingSpec::Estimated), None);
        let coarse = Shape::Mesh(made(generate::sphere(0.05, 20).expect("a mesh")).expect("a solid"));
        assert_eq!(misfit_of(&coarse, RoundingSpec::Radius(0.05)), None);
        assert_eq!(misfit_of(&box_mesh, RoundingSpec::Flat), None);
    }

    #[test]
    fn a_convex_mesh_keeps_the_triangles_that_tell_how_it_is_curved() {
        let bar = generate::cylinder(0.01, 0.3, 2000).expect("a mesh");
        let shape = Shape::from_mesh(bar.clone()).expect("a solid");
        assert!(!shape.is_mesh(), "few faces");
        let kept = rounded(&shape, Some(&bar), RoundingSpec::Estimated).expect("caps");
        assert_eq!((kept.n_facets(), kept.report().n_flattened), (bar.triangles.len(), 0));
        let on_side = |cap: &&tactum_geometry::facets::Cap| cap.normal.z.abs() < 0.5;
        let mut caps = (0..kept.n_facets() as u32).filter_map(|facet| kept.cap(facet)).filter(on_side);
        // Half of 1/R, as it is curved one way only.
        assert!(caps.all(|cap| (cap.curvature * 0.02 - 1.0).abs() < 0.02));
        // Of its faces, as long as it is, no sphere is known.
        let merged = rounded(&shape, None, RoundingSpec::Estimated).expect("caps");
        assert_eq!(merged.report().n_flat, merged.n_facets());
    }

    #[test]
    fn edges_are_sharp_where_caps_do_not_meet() {
        let edges = |mesh: TriangleMesh, rounding| {
            let shape = Shape::Mesh(made(mesh).expect("a solid"));
            rounded(&shape, None, rounding).expect("caps").n_sharp_edges()
        };
        let ball = |triangles| generate::sphere(0.05, triangles).expect("a mesh");
        assert_eq!(edges(ball(20), RoundingSpec::Radius(0.05)), 0);
        assert_eq!(edges(ball(20), RoundingSpec::Flat), 30);
        assert_eq!(edges(ball(320), RoundingSpec::Estimated), 0);
        let cube = || generate::cuboid(DVec3::splat(0.1), 12).expect("a mesh");
        assert_eq!(edges(cube(), RoundingSpec::Estimated), 12);
        // The spheres through the corners of a cube are its caps.
        assert_eq!(edges(cube(), RoundingSpec::Radius(0.05 * 3.0_f64.sqrt())), 0);
    }

    #[test]
    fn primitives_have_no_other_rounding_than_their_own() {
        let sphere = Shape::Sphere(tactum_geometry::Sphere { radius: 0.05 });
        assert!(rounded(&sphere, None, RoundingSpec::Radius(0.05)).is_ok());
        for (shape, rounding) in [
            (&sphere, RoundingSpec::Radius(0.06)),
            (&sphere, RoundingSpec::Flat),
            (&Shape::HalfSpace, RoundingSpec::Radius(1.0)),
        ] {
            let error = rounded(shape, None, rounding).expect_err("refused");
            assert!(matches!(error, RoundedError::NotOfShape(_)), "{error}");
        }
        assert!(rounded(&Shape::HalfSpace, None, RoundingSpec::Flat).is_ok());
    }
}
