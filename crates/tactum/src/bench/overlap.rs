//! The overlap of one pair of meshes: a shallow contact, which simulations are full of, and a deep one. What is prepared
//! once per mesh, whatever its pose, has lines of its own.

use glam::{DQuat, DVec3};
use tactum_geometry::mesh::generate;
use tactum_geometry::overlap::{exact, overlap};
use tactum_geometry::{Pose, Shape, Solid, TriangleMesh};

use super::{BenchError, Measurement, time};

/// Length of a critter's trunk \[m\].
const LENGTH: f64 = 0.1;

/// Triangles of each mesh of a pair.
const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

/// Distances of the two origins, in lengths of the trunk, with what they amount to.
const DISTANCES: [(&str, f64); 2] = [("deep", 0.3), ("shallow", 0.75)];

pub fn run() -> Result<Vec<Measurement>, BenchError> {
    let cube = generate::cuboid(DVec3::splat(LENGTH), 12)?;
    let mut measured = measure("cubes of 12 triangles", &cube, &cube, 0.9 * LENGTH)?;
    for n in SIZES {
        let a = generate::critter(LENGTH, 1, n)?;
        let b = generate::critter(LENGTH, 2, n)?;
        for (name, distance) in DISTANCES {
            let case = format!("critters of {n} triangles, {name}");
            measured.extend(measure(&case, &a, &b, distance * LENGTH)?);
        }
    }
    Ok(measured)
}

fn measure(
    case: &str,
    a: &TriangleMesh,
    b: &TriangleMesh,
    distance: f64,
) -> Result<Vec<Measurement>, BenchError> {
    let a_from_b = Pose::new(DVec3::Z * distance, DQuat::from_rotation_z(1.0));
    let line = |method, (median_ms, runs)| Measurement {
        bench: "overlap",
        case: case.to_owned(),
        method,
        median_ms,
        runs,
        ..Measurement::default()
    };
    let (solid_a, solid_b) = (Solid::new(a.clone())?, Solid::new(b.clone())?);
    let mut lines = vec![line("exact", time(|| exact::overlap(&solid_a, &solid_b, &a_from_b)))];
    let shapes = (Shape::from_mesh(a.clone())?, Shape::from_mesh(b.clone())?);
    if !(shapes.0.is_mesh() || shapes.1.is_mesh()) {
        let cut = || overlap(&shapes.0, &Pose::IDENTITY, &shapes.1, &a_from_b);
        lines.push(line("cutting", time(cut)));
    }
    lines.push(line("preparing one", time(|| Solid::new(a.clone()))));
    lines.extend(rivals::measure(a, b, &a_from_b).map(|timed| line("boolmesh", timed)));
    Ok(lines)
}

#[cfg(feature = "rivals")]
mod rivals {
    //! The volume by a boolean operation: the mesh of the intersection, and its moments.

    use boolmesh::prelude::{Manifold, OpType, compute_boolean};
    use glam::DVec3;
    use tactum_geometry::mesh::MassMoments;
    use tactum_geometry::{Pose, TriangleMesh};

    /// Median time and number of runs; `None` where the operation fails.
    ///
    /// Both meshes are built in every run: a boolean keeps vertices in the world, and bodies move.
    pub fn measure(a: &TriangleMesh, b: &TriangleMesh, a_from_b: &Pose) -> Option<(f64, usize)> {
        let once = || {
            let [a, b] = [manifold(a, &Pose::IDENTITY)?, manifold(b, a_from_b)?];
            let common = compute_boolean(&a, &b, OpType::Intersect).ok()?;
            let corners: Vec<u32> = common.hs.iter().map(|h| h.tail as u32).collect();
            let mesh = TriangleMesh {
                vertices: common.ps.iter().map(|x| DVec3::new(x.x, x.y, x.z)).collect(),
                triangles: corners.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect(),
            };
            Some(MassMoments::of(&mesh).volume)
        };
        once()?;
        Some(super::time(once))
    }

    fn manifold(mesh: &TriangleMesh, w_from_mesh: &Pose) -> Option<Manifold> {
        let positions: Vec<f64> =
            mesh.vertices.iter().flat_map(|&x| w_from_mesh.point(x).to_array()).collect();
        let indices: Vec<usize> = mesh.triangles.iter().flatten().map(|&v| v as usize).collect();
        Manifold::new(&positions, &indices).ok()
    }
}

#[cfg(not(feature = "rivals"))]
mod rivals {
    use tactum_geometry::{Pose, TriangleMesh};

    /// Nothing: no rival is compiled in.
    pub fn measure(_: &TriangleMesh, _: &TriangleMesh, _: &Pose) -> Option<(f64, usize)> {
        None
    }
}
