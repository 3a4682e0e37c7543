//! Bodies and steps of contact of rounded triangles.

use std::sync::Arc;

use glam::DVec3;
use tactum_geometry::facets::{RoundedMesh, Rounding};
use tactum_geometry::mesh::generate;
use tactum_geometry::{Pose, Shape, Solid, TriangleMesh};
use tactum_sim::{
    BodyDesc, BodyKind, ContactLaw, FacetsQuestion, Progress, Settings, StepError, StepReport, World,
};

use super::{cuboid, moving};

/// Steps of 1 ms in which nothing is lost, of bodies of a modulus \[Pa\].
pub fn settings(young: f64) -> Settings {
    Settings {
        law: ContactLaw::Facets,
        young,
        poisson: 0.3,
        restitution: 1.0,
        dt: 1e-3,
        ..Settings::default()
    }
}

pub fn try_step(world: &mut World) -> Result<StepReport, StepError> {
    let mut progress = world.begin_step()?;
    loop {
        match progress {
            Progress::Done(report) => return Ok(report),
            Progress::Ask(questions) => {
                let facets = questions.facets.iter().map(FacetsQuestion::answer).collect();
                progress = world.advance(questions.answered_with(Vec::new(), facets))?;
            }
        }
    }
}

pub fn step(world: &mut World) -> StepReport {
    try_step(world).unwrap()
}

pub fn steps(world: &mut World, n: usize) {
    for _ in 0..n {
        step(world);
    }
}

/// A body with a mesh for its shape, rounded.
pub fn rounded(mesh: TriangleMesh, rounding: &Rounding, desc: BodyDesc) -> BodyDesc {
    let solid = Arc::new(Solid::new(mesh).unwrap());
    let rounded = RoundedMesh::new(solid.clone(), rounding).unwrap();
    BodyDesc { shape: Shape::Mesh(solid), rounded: Some(Arc::new(rounded)), ..desc }
}

/// A homogeneous mesh of 1000 kg/m³, rounded, that moves and is slippery.
pub fn slippery(
    mesh: TriangleMesh,
    rounding: &Rounding,
    pose: Pose,
    velocity: DVec3,
    spin: DVec3,
) -> BodyDesc {
    let shape = Shape::Mesh(Arc::new(Solid::new(mesh.clone()).unwrap()));
    rounded(mesh, rounding, BodyDesc { friction: Some(0.0), ..moving(shape, pose, velocity, spin) })
}

/// A static plate so wide \[m\] whose top is the plane z = 0.
pub fn plate(width: f64) -> BodyDesc {
    let mesh = generate::cuboid(DVec3::new(width, width, 0.2), 12).unwrap();
    let desc = cuboid("plate", DVec3::ONE, 1.0, DVec3::Z * -0.1);
    rounded(mesh, &Rounding::Uniform(0.0), BodyDesc { kind: BodyKind::Static, ..desc })
}
