//! How a mesh is curved, from its triangles alone.

use glam::DVec3;

use crate::Solid;

/// Angle between two facets \[rad\] below which they are one plane: 1e-4, ten times what coordinates of 32 bits leave of it where
/// facets are 1 % of the body's size.
const PLANE: f64 = 1e-4;

/// The curvature of each face, in their order.
pub(super) struct FaceCurvature {
    /// 1/R \[1/m\]; `None` where no vertex of the face has a whole smooth surface around it, though its neighbours are
    /// not in its plane.
    pub of_face: Vec<Option<f64>>,
}

/// Least share of the mixed area at which the area by cotangents is still used: one half, where the two differ by as much as a
/// vertex among obtuse triangles has either of them.
const USABLE: f64 = 0.5;

/// What the faces around a vertex add up to.
#[derive(Clone, Copy, Default)]
struct Fan {
    /// Sum of cotangents times sides \[m\].
    bend: DVec3,
    /// Sum of normals that is right on a sphere (Max 1999).
    normal: DVec3,
    /// What is nearest to the vertex, by cotangents: negative beside triangles that are obtuse elsewhere \[m²\].
    voronoi: f64,
    /// The same with halves and quarters of obtuse triangles in its place \[m²\].
    mixed: f64,
    /// Whether there is a crease at the vertex: the surface has an end there, and no curvature.
    is_creased: bool,
}

/// Mean curvature of faces: that of their vertices by cotangents (Meyer, Desbrun, Schröder and Barr 2003),
///
/// ```text
/// K_i = 1/(2 A_i) sum over j of (cot alpha_ij + cot beta_ij) (x_i - x_j),     H_i = K_i . m_i / 2,
/// ```
///
/// and the mean over the vertices that have one. With the area by cotangents and normals that are right on a sphere H_i
/// is 1/R on every mesh with its vertices on one: there (x_i - x_j).m_i = |x_i - x_j|²/(2 R), and K_i adds up what A_i
/// does. An edge that turns by more than `crease` \[rad\] ends a surface: vertices on it have no curvature, as those on
/// a rim would not. A face all of whose vertices are on creases is flat if it lies in one plane with every neighbour
/// across no crease.
pub(super) fn of_faces(solid: &Solid, crease: f64) -> FaceCurvature {
    let normals: Vec<DVec3> = (0..solid.faces().len() as u32)
        .map(|face| {
            let [a, b, c] = solid.corners(face);
            (b - a).cross(c - a).normalize_or_zero()
        })
        .collect();
    let fans = fans(solid, &normals, crease);
    let mean = |face: usize| {
        let corners = solid.faces()[face].corners.map(|v| &fans[v as usize]);
        let known = corners.iter().filter_map(|fan| fan.curvature());
        let (sum, n) = known.fold((0.0, 0), |(sum, n), h| (sum + h, n + 1));
        (n > 0).then(|| sum / f64::from(n))
    };
    let of_face = (0..normals.len())
        .map(|face| mean(face).or_else(|| lies_flat(solid, &normals, face, crease).then_some(0.0)))
        .collect();
    FaceCurvature { of_face }
}

impl Fan {
    fn curvature(&self) -> Option<f64> {
        let area = if self.voronoi > USABLE * self.mixed { self.voronoi } else { self.mixed };
        let h = self.bend.dot(self.normal.normalize_or_zero()) / (4.0 * area);
        (!self.is_creased && h.is_finite()).then_some(h)
    }
}

fn fans(solid: &Solid, normals: &[DVec3], crease: f64) -> Vec<Fan> {
    let mut fans = vec![Fan::default(); solid.vertices().len()];
    for (ix, face) in solid.faces().iter().enumerate() {
        add_face(&mut fans, face.corners, solid.corners(ix as u32));
    }
    for edge in solid.edges() {
        let [f, g] = edge.faces.map(|face| normals[face as usize]);
        if turn(f, g) > crease {
            for end in edge.ends {
                fans[end as usize].is_creased = true;
            }
        }
    }
    fans
}

/// Angle between two unit normals \[rad\]; none beside a triangle without area.
fn turn(f: DVec3, g: DVec3) -> f64 {
    if f == DVec3::ZERO || g == DVec3::ZERO { 0.0 } else { f.cross(g).length().atan2(f.dot(g)) }
}

/// Adds a triangle to the fans of its corners: at each, cotangents of the other two, a normal, and the part of its area that is
/// nearest, or half or a quarter of it where the triangle is obtuse there or elsewhere.
fn add_face(fans: &mut [Fan], ix: [u32; 3], corners: [DVec3; 3]) {
    let twice = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    let double_area = twice.length();
    if double_area == 0.0 {
        return;
    }
    let cot: [f64; 3] = std::array::from_fn(|i| {
        let [p, q] = [1, 2].map(|k| corners[(i + k) % 3] - corners[i]);
        p.dot(q) / double_area
    });
    let obtuse = cot.iter().position(|&c| c < 0.0);
    for i in 0..3 {
        let (next, last) = ((i + 1) % 3, (i + 2) % 3);
        let [to_next, to_last] = [next, last].map(|k| corners[k] - corners[i]);
        let fan = &mut fans[ix[i] as usize];
        fan.bend -= to_next * cot[last] + to_last * cot[next];
        fan.normal += twice / (to_next.length_squared() * to_last.length_squared());
        let voronoi = (to_next.length_squared() * cot[last] + to_last.length_squared() * cot[next]) / 8.0;
        fan.voronoi += voronoi;
        fan.mixed += match obtuse {
            None => voronoi,
            Some(at) if at == i => 0.25 * double_area,
            Some(_) => 0.125 * double_area,
        };
    }
}

/// Whether a face is in one plane with all neighbours that it does not meet in a crease.
fn lies_flat(solid: &Solid, normals: &[DVec3], face: usize, crease: f64) -> bool {
    solid.faces()[face].sides.iter().all(|&side| {
        let [f, g] = solid.edges()[side as usize].faces.map(|f| normals[f as usize]);
        let angle = turn(f, g);
        angle > crease || angle < PLANE
    })
}
