//! The faces of a solid in 32-bit numbers, in blocks that a workgroup takes at once.

use std::collections::BTreeMap;

use glam::DVec3;
use tactum_shaders::rays::ONE_BITS;
use tactum_shaders::rays::layout::{CLUSTER, Cluster, ClusterTriangles, shell};

use super::Solid;
use crate::union_find::UnionFind;

/// A solid as the ray stages read it.
///
/// A 32-bit float has 24 digits: about the centre of its own box a mesh keeps a resolution of 6e-8 of its size wherever
/// it was modelled. The origin is added back in 64 bits by whoever poses the mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Clusters {
    /// Where positions are counted from, in the solid's frame \[m\].
    pub origin: DVec3,
    /// What whole numbers count: 2⁻³⁰ of the power of two above the largest coordinate \[m\].
    pub unit: f32,
    /// The faces, neighbours together and shells by themselves unless they are crumbs; unused places repeat one point thrice.
    pub triangles: Vec<ClusterTriangles>,
    /// The boxes around them.
    pub boxes: Vec<Cluster>,
}

/// How many blocks a solid may take for its shells to have blocks of their own: as a part of those that it takes without, and besides.
const ROOM_FOR_SHELLS: [usize; 2] = [2, 8];

impl Clusters {
    /// Packs the faces of a solid about the centre of its box.
    pub fn new(solid: &Solid) -> Self {
        let origin = solid.aabb().center();
        let place = |face: u32| solid.corners(face).map(|x| x - origin);
        let unit = unit(solid.aabb().half_size().max_element());
        let shells = shells(solid);
        let n_blocks: usize = shells.iter().map(|faces| faces.len().div_ceil(CLUSTER)).sum();
        // A mesh of thousands of crumbs is packed as it lies.
        let whole: [Vec<u32>; 1] = [(0..solid.faces().len() as u32).collect()];
        let [times, besides] = ROOM_FOR_SHELLS;
        let is_apart = n_blocks <= times * whole[0].len().div_ceil(CLUSTER) + besides;
        let (mut triangles, mut boxes) = (Vec::new(), Vec::new());
        for faces in if is_apart { &shells } else { whole.as_slice() } {
            for (ix, block) in faces.chunks(CLUSTER).enumerate() {
                let shell = match (is_apart, ix) {
                    (false, _) => shell::UNKNOWN,
                    (true, 0) => shell::NEXT,
                    (true, _) => shell::SAME,
                };
                let (packed, around) =
                    pack(&block.iter().map(|&face| place(face)).collect::<Vec<_>>(), unit, shell);
                triangles.push(packed);
                boxes.push(around);
            }
        }
        Self { origin, unit, triangles, boxes }
    }
}

/// The faces of each connected piece of the surface. Faces are in the order of the tree's leaves, so a run of them lies together.
fn shells(solid: &Solid) -> Vec<Vec<u32>> {
    let mut sets = UnionFind::new(solid.vertices().len());
    for face in solid.faces() {
        let [a, b, c] = face.corners;
        sets.join(a, b);
        sets.join(b, c);
    }
    let mut number: BTreeMap<u32, usize> = BTreeMap::new();
    let mut shells: Vec<Vec<u32>> = Vec::new();
    for (ix, face) in (0..).zip(solid.faces()) {
        let next = number.len();
        let shell = *number.entry(sets.find(face.corners[0])).or_insert(next);
        if shell == shells.len() {
            shells.push(Vec::new());
        }
        shells[shell].push(ix);
    }
    shells
}

/// 2⁻³⁰ of the smallest power of two that is not below a size.
fn unit(largest: f64) -> f32 {
    /// Least exponent of a unit, so that products of units are numbers too.
    const LEAST: f64 = -60.0;
    (largest.log2().ceil().max(LEAST) - f64::from(ONE_BITS)).exp2() as f32
}

/// What a coordinate is more than its 32-bit float says, in units.
fn low_byte(x: f64, unit: f32) -> u32 {
    let unit = f64::from(unit);
    let more = (x / unit).round() - (f64::from(x as f32) / unit).trunc();
    u32::from((more as i8) as u8)
}

fn pack(faces: &[[DVec3; 3]], unit: f32, shell: u32) -> (ClusterTriangles, Cluster) {
    let mut corners = [[0.0; CLUSTER]; 9];
    let mut low = [[0; CLUSTER]; 3];
    let mut cluster = Cluster { lo: [f32::INFINITY; 3], shell, hi: [f32::NEG_INFINITY; 3], pad: 0.0 };
    let rest = std::iter::repeat([faces[0][0]; 3]);
    for (lane, face) in faces.iter().copied().chain(rest).take(CLUSTER).enumerate() {
        for (k, corner) in face.into_iter().enumerate() {
            for (c, x) in corner.to_array().into_iter().enumerate() {
                let rounded = x as f32;
                corners[3 * k + c][lane] = rounded;
                low[k][lane] |= low_byte(x, unit) << (8 * c);
                cluster.lo[c] = cluster.lo[c].min(rounded);
                cluster.hi[c] = cluster.hi[c].max(rounded);
            }
        }
    }
    (ClusterTriangles { corners, low }, cluster)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::TriangleMesh;

    #[test]
    fn every_face_is_packed_once_and_the_rest_crosses_nothing() {
        let mesh = TriangleMesh {
            vertices: vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z],
            triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
        };
        let solid = Solid::new(mesh.translated(DVec3::splat(1e6))).expect("a tetrahedron is closed");
        let clusters = Clusters::new(&solid);
        assert_eq!(clusters.origin, DVec3::splat(1e6 + 0.5));
        assert_eq!(clusters.boxes[0].lo, [-0.5; 3]);
        assert_eq!(clusters.boxes[0].hi, [0.5; 3]);
        let [triangles] = clusters.triangles.as_slice() else { panic!("four faces are one cluster") };
        let corner = |lane: usize, k: usize| [0, 1, 2].map(|c| triangles.corners[3 * k + c][lane]);
        let is_flat = |lane: usize| corner(lane, 0) == corner(lane, 1) && corner(lane, 1) == corner(lane, 2);
        assert_eq!((0..CLUSTER).filter(|&lane| !is_flat(lane)).count(), 4);
    }
}
