//! A mesh whose facets are caps of spheres, prepared once.

use std::sync::Arc;

use glam::DVec3;

use super::cap::{Cap, Circle, NoCap};
use super::curvature::{self, FaceCurvature};
use super::plane::{ContactPlane, ONE_WAY};
use crate::Solid;
use crate::solid::topology::Edge;
use crate::words::{counted, number};

/// Angle between facets \[rad\] beyond which the edge between them is one of the body, not of its mesh: 0.6 rad, 34°. Round
/// meshes turn less from 80 facets around a ball or 11 around a cylinder; prisms of up to ten sides have edges.
pub const CREASE: f64 = 0.6;

/// Curvature times longest side below which a facet is a plane: its cap rises by less than 1e-5 of the side, which no
/// cotangent of a mesh of 32-bit coordinates tells from a plane.
const FLAT: f64 = 1e-4;

/// Radius of the circle through the corners over that of the sphere, at most, where the sphere is an estimate. Of a facet
/// that is longer than the body is round, as on a rod, the sphere through its corners would be a dome that is not there.
pub(super) const STEEPEST: f64 = 0.8;

/// Where the curvature of the facets comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Rounding {
    /// From the mesh: mean curvature by cotangents, with creases where it turns by more than [`CREASE`].
    Estimated,
    /// One for all \[1/m\]: 1/R for the mesh of a ball, -1/R for that of a hollow one, 0 for planes only.
    Uniform(f64),
    /// One for each triangle of the mesh \[1/m\], estimated where there is none.
    Triangles(Vec<Option<f64>>),
}

/// Why a mesh cannot be rounded.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RoundingError {
    /// As many curvatures as there are triangles are needed.
    #[error("there are {found} for {}", counted(*n_triangles as u64, "triangle", "triangles"))]
    Count {
        /// Curvatures given.
        found: usize,
        /// Triangles of the mesh.
        n_triangles: usize,
    },
    /// A curvature that is no number.
    #[error("the curvature of triangle {triangle} is {}, has to be finite", number(*found))]
    NonFinite {
        /// The triangle.
        triangle: u32,
        /// What was given \[1/m\].
        found: f64,
    },
    /// A sphere that cannot go through the corners of its facet.
    #[error(
        "a sphere of radius {} does not reach the corners of triangle {triangle}, which are on a circle of radius {}",
        number(*radius), number(*circumradius)
    )]
    TooSmall {
        /// The triangle.
        triangle: u32,
        /// Radius given \[m\].
        radius: f64,
        /// Radius of the circle through the corners \[m\].
        circumradius: f64,
    },
    /// No triangle has an area.
    #[error("no triangle of the mesh has an area to speak of")]
    NoFacets,
}

/// What there is to say of a rounded mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoundingReport {
    /// Facets that are convex.
    pub n_convex: usize,
    /// Facets that are planes.
    pub n_flat: usize,
    /// Facets that are hollow.
    pub n_hollow: usize,
    /// Triangles left out, as they have no area to speak of.
    pub n_thin: usize,
    /// Facets longer than the body is round, whose estimated sphere was made larger.
    pub n_flattened: usize,
}

/// A closed mesh whose facets are caps of spheres (Smeets et al. 2014), with what is needed to find those that touch.
#[derive(Debug)]
pub struct RoundedMesh {
    solid: Arc<Solid>,
    /// The cap of each face of the solid.
    caps: Vec<Option<Cap>>,
    /// Which sides of each face are sharp edges of the body, see [`RoundedMesh::n_sharp_edges`].
    is_sharp: Vec<[bool; 3]>,
    report: RoundingReport,
    greatest_bulge: f64,
    center: DVec3,
    reach: f64,
    fingerprint: u64,
    is_half_space: bool,
}

impl RoundedMesh {
    /// Gives each facet its sphere. Open meshes are none of a [`Solid`].
    ///
    /// # Errors
    ///
    /// See [`RoundingError`].
    pub fn new(solid: Arc<Solid>, rounding: &Rounding) -> Result<Self, RoundingError> {
        check(&solid, rounding)?;
        let estimate = match rounding {
            Rounding::Uniform(_) => None,
            _ => Some(curvature::of_faces(&solid, CREASE)),
        };
        let mut report = RoundingReport::default();
        let mut caps = Vec::with_capacity(solid.faces().len());
        for (face, &triangle) in solid.triangle_of_face().iter().enumerate() {
            let corners = solid.corners(face as u32);
            let given = match rounding {
                Rounding::Estimated => None,
                Rounding::Uniform(k) => Some(*k),
                Rounding::Triangles(list) => list[triangle as usize],
            };
            caps.push(match (given, &estimate) {
                (Some(k), _) => given_cap(corners, k, triangle)?,
                (None, Some(all)) => estimated_cap(corners, all, face, &mut report),
                (None, None) => None,
            });
        }
        let Some(greatest_bulge) = caps.iter().flatten().map(Cap::bulge).reduce(f64::max) else {
            return Err(RoundingError::NoFacets);
        };
        for cap in &caps {
            *match cap {
                None => &mut report.n_thin,
                Some(cap) if cap.curvature > 0.0 => &mut report.n_convex,
                Some(cap) if cap.curvature < 0.0 => &mut report.n_hollow,
                Some(_) => &mut report.n_flat,
            } += 1;
        }
        let is_sharp = sharp_sides(&solid, &caps);
        let center = solid.aabb().center();
        let reach = solid.vertices().iter().map(|x| x.distance(center)).fold(0.0, f64::max);
        let fingerprint = fingerprint(&caps);
        Ok(Self {
            solid,
            caps,
            is_sharp,
            report,
            greatest_bulge,
            center,
            reach,
            fingerprint,
            is_half_space: false,
        })
    }

    /// The same as what stands for all that is below its plane z = 0: where it ends, it ends only for want of room.
    #[must_use]
    pub fn as_half_space(self) -> Self {
        Self { is_half_space: true, ..self }
    }

    /// Whether it stands for all that is below its plane z = 0.
    pub fn is_half_space(&self) -> bool {
        self.is_half_space
    }

    /// The solid this was made from.
    pub fn solid(&self) -> &Arc<Solid> {
        &self.solid
    }

    /// What there is to say of its facets.
    pub fn report(&self) -> &RoundingReport {
        &self.report
    }

    /// Number of facets, with those that were left out.
    pub fn n_facets(&self) -> usize {
        self.caps.len()
    }

    /// A facet in the mesh's frame; `None` if it was left out, or is not there. Facets are in the order of the solid's tree.
    pub fn cap(&self, facet: u32) -> Option<&Cap> {
        self.caps.get(facet as usize)?.as_ref()
    }

    /// Number of the triangle in [`Solid::mesh`] that a facet is.
    pub fn triangle(&self, facet: u32) -> Option<u32> {
        self.solid.triangle_of_face().get(facet as usize).copied()
    }

    /// Least curvature of any facet, either way \[1/m\]: two bodies act on each other over gaps of up to [`super::Pressure::range`]
    /// of the sum of theirs, if that is positive.
    pub fn least_curvature(&self) -> f64 {
        self.caps.iter().flatten().map(|cap| cap.curvature - cap.bend()).fold(f64::INFINITY, f64::min)
    }

    /// How many edges stay sharp when the facets are rounded: the caps on both sides turn outward by more than [`CREASE`] where they
    /// meet, at the edge's middle. Nothing holds a body there, as no sphere of it touches.
    ///
    /// A coarse mesh of a ball has none if its radius is given, whatever its edges.
    pub fn n_sharp_edges(&self) -> usize {
        // Each is a side of two faces.
        self.is_sharp.iter().flatten().filter(|is_sharp| **is_sharp).count() / 2
    }

    /// Whether a contact of a facet has its axis beyond a sharp edge of it, where the body ends; the cap is the facet's in the plane's frame.
    pub(super) fn ends_before(&self, facet: u32, cap: &Cap, plane: &ContactPlane) -> bool {
        let is_sharp = self.is_sharp[facet as usize];
        (0..3).any(|side| is_sharp[side] && cap.beside(side, plane) > 0.0)
    }

    /// How far the highest cap rises from its triangle \[m\].
    pub fn greatest_bulge(&self) -> f64 {
        self.greatest_bulge
    }

    /// What tells the mesh from others, see [`fingerprint`].
    pub(super) fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Middle of the mesh's box, from which its facets' places are told where they are packed for a device \[m\].
    pub fn origin(&self) -> DVec3 {
        self.center
    }

    /// Middle of the mesh's box, and the distance of the farthest vertex from it \[m\].
    pub fn ball(&self) -> (DVec3, f64) {
        (self.center, self.reach)
    }
}

/// The sides of each face at which the caps beside it turn outward by more than [`CREASE`].
fn sharp_sides(solid: &Solid, caps: &[Option<Cap>]) -> Vec<[bool; 3]> {
    let is_sharp = |edge: &Edge| {
        let [Some(f), Some(g)] = edge.faces.map(|face| caps[face as usize]) else { return false };
        let [from, to] = edge.ends.map(|end| solid.vertices()[end as usize]);
        let outward = |cap: &Cap| {
            let out = cap.center().map_or(cap.normal, |center| (0.5 * (from + to) - center) * cap.curvature);
            out.normalize_or(cap.normal)
        };
        // The two corners that they share add rounding only.
        let is_ridge = g.corners.iter().map(|x| (*x - from).dot(f.normal)).sum::<f64>() <= 0.0;
        is_ridge && outward(&f).dot(outward(&g)) < CREASE.cos()
    };
    let sharp: Vec<bool> = solid.edges().iter().map(is_sharp).collect();
    solid.faces().iter().map(|face| face.sides.map(|side| sharp[side as usize])).collect()
}

/// A number that differs for meshes whose facets do: FNV-1a over 64-bit words (Fowler, Noll and Vo 1991, with words in place of bytes).
fn fingerprint(caps: &[Option<Cap>]) -> u64 {
    let numbers = caps.iter().map(|cap| {
        let cap = cap.as_ref()?;
        let places = cap
            .corners
            .into_iter()
            .chain([cap.apex, cap.normal, cap.axis, cap.ridge])
            .flat_map(|x| x.to_array());
        Some(places.chain([cap.curvature]).chain(cap.swell).map(f64::to_bits))
    });
    // One that was left out is a word too.
    let words = numbers.flat_map(|cap| cap.into_iter().flatten().chain([u64::MAX]));
    words.fold(0xcbf2_9ce4_8422_2325, |hash, word| {
        let mixed = (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        // A product carries no bit downwards.
        mixed ^ mixed >> 32
    })
}

fn check(solid: &Solid, rounding: &Rounding) -> Result<(), RoundingError> {
    let finite = |triangle: usize, k: f64| {
        let triangle = triangle as u32;
        if k.is_finite() { Ok(()) } else { Err(RoundingError::NonFinite { triangle, found: k }) }
    };
    match rounding {
        Rounding::Estimated => Ok(()),
        Rounding::Uniform(k) => finite(0, *k),
        Rounding::Triangles(list) => {
            let n_triangles = solid.mesh().triangles.len();
            if list.len() != n_triangles {
                return Err(RoundingError::Count { found: list.len(), n_triangles });
            }
            list.iter().enumerate().try_for_each(|(triangle, k)| k.map_or(Ok(()), |k| finite(triangle, k)))
        }
    }
}

fn given_cap(corners: [DVec3; 3], k: f64, triangle: u32) -> Result<Option<Cap>, RoundingError> {
    match Cap::through(corners, k) {
        Ok(cap) => Ok(Some(cap)),
        Err(NoCap::Thin) => Ok(None),
        Err(NoCap::TooSmall { circumradius }) => {
            Err(RoundingError::TooSmall { triangle, radius: k.abs().recip(), circumradius })
        }
    }
}

fn estimated_cap(
    corners: [DVec3; 3],
    estimate: &FaceCurvature,
    face: usize,
    report: &mut RoundingReport,
) -> Option<Cap> {
    let circle = Circle::through(corners)?;
    let longest = (0..3).map(|i| corners[i].distance(corners[(i + 1) % 3])).fold(0.0, f64::max);
    let (k, ridge) = (estimate.of_face[face], estimate.ridges[face]);
    let mut curvature = k;
    if curvature.abs() * longest < FLAT {
        curvature = 0.0;
    }
    let is_steep = curvature.abs() * circle.radius > STEEPEST;
    if is_steep {
        curvature = curvature.signum() * STEEPEST / circle.radius;
        report.n_flattened += 1;
    }
    let bend = ridge.length_squared();
    let cap = Cap { is_flattened: is_steep, ..Cap::through(corners, curvature).ok()? };
    // What is known to be a saddle is left one; what may be curved one way only is taken as curved a little the other way too. Hollows are taken as spheres, and so is what no
    // cotangent tells from them.
    let is_saddle = ONE_WAY * bend > k.abs();
    if bend * longest < FLAT || curvature <= 0.0 && !is_saddle {
        return Some(cap);
    }
    let kept = if is_saddle { 1.0 } else { (ONE_WAY * curvature / bend).min(1.0) };
    let cap = cap.bent(ridge * kept.sqrt());
    Some(if is_steep { cap } else { cap.swollen(estimate.swells[face]) })
}
