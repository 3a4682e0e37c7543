//! How a mesh is curved, from its triangles alone.

use std::ops::{Add, Mul, Sub};

use glam::{DMat3, DVec3};

use super::bend;
use super::cap::Circle;
use super::rounded::STEEPEST;
use crate::Solid;

/// Angle between two facets \[rad\] below which they are one plane: 1e-4, ten times what coordinates of 32 bits leave of it where
/// facets are 1 % of the body's size.
const PLANE: f64 = 1e-4;

/// The curvature of each face, in their order.
pub(super) struct FaceCurvature {
    /// 1/R \[1/m\].
    pub of_face: Vec<f64>,
    /// How much more than that it is curved one way and less the other, see [`super::Cap::ridge`].
    pub ridges: Vec<DVec3>,
    /// What the change of both over it makes of its height, see [`super::Cap::swell`].
    pub swells: Vec<[f64; 7]>,
}

/// How much of the difference between what a face has at its corners and what its neighbours have at theirs, on the mean, is put to it from the other side.
///
/// What counts for the height of a cap is the mean over the face that weighs its middle most. Of a quartic height q r⁴ on a mesh of equal sides, whose corners lie at
/// r from the middle and those of its neighbours at 2 r, it is 2 q r²; vertices have 14 q r² at the corners (8 for the curvature there, and 6 as cotangents average what is around them) and 38 q r² at those
/// of the neighbours: 14 - 24/2 = 2.
const BEYOND: f64 = 0.5;

/// Least share of the mixed area at which the area by cotangents is still used: one half, where the two differ by as much as a
/// vertex among obtuse triangles has either of them.
const USABLE: f64 = 0.5;

/// What the faces around a vertex add up to.
#[derive(Clone, Copy, Default)]
struct Fan {
    /// Sum of cotangents times sides \[m\].
    bend: DVec3,
    /// Sum of cotangents times sides times their transposes \[m²\].
    spread: DMat3,
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
/// does. Elsewhere it is the mean of the chords' curvatures that weighs each by the cotangents beside it, in which those of one way may count for more than those across: what
/// a fit to the chords (`bend`) says that is too much of it is taken off. Around six neighbours at equal angles, or an affine image of them, it is nothing; without that the vertices with
/// five of a subdivided icosahedron are off by some percent at any fineness. An edge that turns by more than `crease` \[rad\] ends a surface: vertices on it have no curvature, as those on
/// a rim would not. How much more a face is curved one way than the other is found likewise. What has all of its vertices on creases, as the one row of facets around a coin has, is as curved
/// as its edges say.
pub(super) fn of_faces(solid: &Solid, crease: f64) -> FaceCurvature {
    let normals: Vec<DVec3> = (0..solid.faces().len() as u32)
        .map(|face| {
            let [a, b, c] = solid.corners(face);
            (b - a).cross(c - a).normalize_or_zero()
        })
        .collect();
    let fans = fans(solid, &normals, crease);
    let fits = bend::of_vertices(solid, &fans.iter().map(Fan::smooth_normal).collect::<Vec<_>>());
    let means: Vec<Option<f64>> = fans
        .iter()
        .zip(&fits)
        .map(|(fan, fit)| Some(fan.curvature()? - fit.map_or(0.0, |fit| fan.excess(&fit))))
        .collect();
    let bends: Vec<Option<DMat3>> = fits.iter().map(|fit| fit.map(|fit| fit.bend)).collect();
    let curved = |face: usize| {
        let [at_corners, beyond] = around(solid, face);
        match over_face(at_corners, beyond, &means) {
            Some(mean) => (mean, over_face(at_corners, beyond, &bends)),
            None => {
                let (mean, bend) = over_edges(solid, &normals, face, crease);
                (mean, Some(bend))
            }
        }
    };
    let (of_face, found): (Vec<f64>, Vec<Option<DMat3>>) = (0..normals.len()).map(curved).unzip();
    let ridge =
        |(bend, normal): (Option<DMat3>, &DVec3)| bend.map_or(DVec3::ZERO, |bend| bend::ridge(bend, *normal));
    let ridges = found.into_iter().zip(&normals).map(ridge).collect();
    let tensor = |vertex: u32| {
        Some(DMat3::from_diagonal(DVec3::splat(means[vertex as usize]?)) + bends[vertex as usize]?)
    };
    let swell = |face: usize| {
        let [Some(p), Some(q), Some(r)] = solid.faces()[face].corners.map(tensor) else { return [0.0; 7] };
        bend::swell(solid.corners(face as u32), [p, q, r])
    };
    let swells = (0..normals.len()).map(swell).collect();
    FaceCurvature { of_face, ridges, swells }
}

/// The corners of a face, and those of its neighbours that it has not.
fn around(solid: &Solid, face: usize) -> [[u32; 3]; 2] {
    let here = &solid.faces()[face];
    let beyond = here.sides.map(|side| {
        let edge = &solid.edges()[side as usize];
        let other = edge.faces[usize::from(edge.faces[0] == face as u32)];
        let corners = solid.faces()[other as usize].corners;
        // Three corners of which two are the edge's ends.
        corners.into_iter().find(|v| !edge.ends.contains(v)).unwrap_or(corners[0])
    });
    [here.corners, beyond]
}

/// What a face has of what vertices have: the mean over its corners that have any, and if all around it have, what [`BEYOND`] says.
fn over_face<T>(at_corners: [u32; 3], beyond: [u32; 3], of: &[Option<T>]) -> Option<T>
where
    T: Copy + Add<Output = T> + Sub<Output = T> + Mul<f64, Output = T>,
{
    let mean = |vertices: [u32; 3]| {
        let known = || vertices.into_iter().filter_map(|v| of[v as usize]);
        let n = known().count();
        Some((known().reduce(T::add)? * (n as f64).recip(), n))
    };
    let (here, n_here) = mean(at_corners)?;
    match mean(beyond) {
        Some((there, n_there)) if n_here + n_there == 6 => Some(here - (there - here) * BEYOND),
        _ => Some(here),
    }
}

impl Fan {
    /// What is nearest to the vertex \[m²\].
    fn area(&self) -> f64 {
        if self.voronoi > USABLE * self.mixed { self.voronoi } else { self.mixed }
    }

    fn curvature(&self) -> Option<f64> {
        let h = self.bend.dot(self.normal.normalize_or_zero()) / (4.0 * self.area());
        (!self.is_creased && h.is_finite()).then_some(h)
    }

    /// By how much the mean over chords is more than the mean curvature, as the chords' fit has it \[1/m\]: a chord d weighs (cot alpha + cot beta) d² / (8 A).
    fn excess(&self, fit: &bend::Fit) -> f64 {
        let (d, s) = (fit.bend, self.spread);
        let bent = d.x_axis.dot(s.x_axis) + d.y_axis.dot(s.y_axis) + d.z_axis.dot(s.z_axis);
        (bent - fit.tilt.dot(self.bend)) / (8.0 * self.area())
    }

    /// Its unit normal, if the surface is smooth around it.
    fn smooth_normal(&self) -> Option<DVec3> {
        self.curvature().and_then(|_| self.normal.try_normalize())
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
        let outer = |p: DVec3| DMat3::from_cols(p * p.x, p * p.y, p * p.z);
        fan.spread += outer(to_next) * cot[last] + outer(to_last) * cot[next];
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

/// Curvature of a face by the edges at which it meets others in no crease, and how much more it is curved one way (Cohen-Steiner and Morvan 2003): over its area the sum of
///
/// ```text
/// sin(beta / 2) l n n^T
/// ```
///
/// for a side of length l that turns by beta and the direction n across it. On a cylinder with its vertices on it that is 1/R across the axis: a facet of it between two lines along the axis,
/// w apart, has w = 2 R sin(beta / 2) and the area w l / 2. A facet that is longer than that is round is a plane: no sphere stands for it.
fn over_edges(solid: &Solid, normals: &[DVec3], face: usize, crease: f64) -> (f64, DMat3) {
    let (here, normal) = (&solid.faces()[face], normals[face]);
    let corners = solid.corners(face as u32);
    let area = 0.5 * (corners[1] - corners[0]).cross(corners[2] - corners[0]).length();
    let middle = corners.iter().sum::<DVec3>() / 3.0;
    let mut sum = DMat3::ZERO;
    for side in here.sides {
        let edge = &solid.edges()[side as usize];
        let other = edge.faces[usize::from(edge.faces[0] == face as u32)] as usize;
        let angle = turn(normal, normals[other]);
        if !(PLANE..=crease).contains(&angle) {
            continue;
        }
        let [from, to] = edge.ends.map(|end| solid.vertices()[end as usize]);
        let across = (to - from).cross(normal).normalize_or_zero();
        let is_hollow = normals[other].dot(from - middle) < 0.0;
        let bend = if is_hollow { -0.5 * angle } else { 0.5 * angle }.sin() * from.distance(to);
        sum += DMat3::from_cols(across * across.x, across * across.y, across * across.z) * bend;
    }
    let tensor = if area > 0.0 { sum * area.recip() } else { DMat3::ZERO };
    let mean = 0.5 * (tensor.x_axis.x + tensor.y_axis.y + tensor.z_axis.z);
    if Circle::through(corners).is_none_or(|circle| mean.abs() * circle.radius > STEEPEST) {
        return (0.0, DMat3::ZERO);
    }
    let along = DMat3::from_cols(normal * normal.x, normal * normal.y, normal * normal.z);
    (mean, tensor - (DMat3::IDENTITY - along) * mean)
}
