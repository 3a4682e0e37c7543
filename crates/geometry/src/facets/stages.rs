//! Between rounded meshes in 64 bits and the facet stages in 32: what goes to a device, and what its sums mean.
//!
//! A body's facets are packed once, about the middle of its box. A pair is placed with A's axes and its origin where the bodies'
//! boxes meet, so that numbers near the contact are small. What 32 bits leave of an overlap is some 1e-7 of the bodies' size: a force is good
//! to that over the depth, and a half more.

use glam::{DMat3, DVec3};
use smallvec::SmallVec;
use tactum_shaders::facets::layout::{
    Candidate, FLATTENED, Facet, FacetBlock, FacetDoubt, FacetPair, FacetPolygon, FacetTouch as DeviceTouch,
    MAX_PARTNERS, doubt, law, state,
};

use super::candidates::{Margins, farthest_caps};
use super::cap::Cap;
use super::pair::CapTouch;
use super::plane::ContactPlane;
use super::pressure::{Pressure, PressureError};
use super::rounded::RoundedMesh;
use super::touch::{Doubt, Doubts, FacetTouch, Query, Touch};
use crate::{Aabb, Pose};

/// Rounding of positions in 32 bits, in sizes of the two bodies: ten operations' worth.
const ROUNDING: f64 = 1e-6;

/// Overlap, in sizes of the two bodies, below which the rounding of places may be more than a thousandth of the force: that is off by
/// 4.2e-8 of the size over the overlap, the worst of the balls on plates and on each other that random tests drew.
const SHALLOW: f64 = 5e-5;

/// A body's facets as the stages read them.
#[derive(Clone, Debug, PartialEq)]
pub struct PackedFacets {
    /// The facets in the mesh's order; those that were left out are no caps.
    pub facets: Vec<Facet>,
    /// What their places are counted from, in the mesh's frame \[m\].
    pub origin: DVec3,
}

impl PackedFacets {
    /// Packs a mesh.
    pub fn new(mesh: &RoundedMesh) -> Self {
        let origin = mesh.ball().0;
        let place = |x: DVec3| (x - origin).as_vec3().to_array();
        let pack = |facet: u32| {
            let Some(cap) = mesh.cap(facet) else { return Facet::default() };
            let [s0, s1, s2, s3, s4, s5, swell_middle] = cap.swell.map(|height| height as f32);
            Facet {
                corner0: place(cap.corners[0]),
                curvature: cap.curvature as f32,
                corner1: place(cap.corners[1]),
                bulge: cap.bulge() as f32,
                corner2: place(cap.corners[2]),
                is_cap: if cap.is_flattened { FLATTENED } else { 1 },
                apex: place(cap.apex),
                ridge_x: cap.ridge.x as f32,
                normal: cap.normal.as_vec3().to_array(),
                ridge_y: cap.ridge.y as f32,
                axis: cap.axis.as_vec3().to_array(),
                ridge_z: cap.ridge.z as f32,
                swell: [s0, s1, s2, s3],
                swell_last: [s4, s5],
                swell_middle,
                spread: cap.spread() as f32,
            }
        };
        Self { facets: (0..mesh.n_facets() as u32).map(pack).collect(), origin }
    }
}

/// A body of a pair.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    /// Its mesh.
    pub mesh: &'a RoundedMesh,
    /// The pose of the mesh's frame.
    pub pose: &'a Pose,
    /// The place of its first facet among all that were packed.
    pub first: u32,
}

/// Why a pair is for the processor.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// Maugis' law has no stage.
    #[error("Maugis' law of pressure is computed on the processor only")]
    Law,
    /// A number of the law.
    #[error(transparent)]
    Pressure(#[from] PressureError),
    /// A pose, a margin or a number of the law that 32 bits do not hold.
    #[error("a pose, a margin or a number of the law is too large for 32 bits, or not finite")]
    Range,
    /// B has more facets than a thread can look at. With the finer body as A, the pair may be fit.
    #[error("the second body has {n} facets, the stages take {MAX_PARTNERS}")]
    TooMany {
        /// How many.
        n: usize,
    },
    /// The bodies touch, but less deep than 32 bits tell well.
    #[error("the deepest overlap is {deepest:e} m, and 32 bits take {needed:e} m for bodies of this size")]
    Shallow {
        /// How deep they are in each other \[m\].
        deepest: f64,
        /// How deep they would have to be \[m\].
        needed: f64,
    },
    /// Facets that face each other have no contact by their law.
    #[error("{n} pairs of facets face each other without a contact of spheres")]
    Refused {
        /// How many.
        n: u32,
    },
}

/// A pair as the stages read it, and where its frame is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedPair {
    /// What goes to the device.
    pub pair: FacetPair,
    /// Origin of the pair's frame, whose axes are A's, in A's frame \[m\].
    pub middle: DVec3,
    /// Reach of both bodies and of their places in the pair's frame, by which places are rounded \[m\].
    pub size: f64,
    /// How far apart the bodies still act on each other \[m\].
    pub range: f64,
}

impl PlacedPair {
    /// Places two bodies for a query. The stages look for candidates at every pose, so that the margins need no skin.
    ///
    /// # Errors
    ///
    /// See [`Unfit`].
    pub fn new(a: &Placed<'_>, b: &Placed<'_>, margins: &Margins, query: &Query) -> Result<Self, Unfit> {
        let a_from_b = a.pose.relative(b.pose);
        let [(center_a, reach_a), (center_b, reach_b)] = [a.mesh.ball(), b.mesh.ball()];
        // The one rounding of A's places is put into the middle, which is known in 64 bits.
        let boxes = [a.mesh.solid().aabb(), b.mesh.solid().aabb().transformed(&a_from_b)];
        let shift_a = (center_a - meeting(&boxes[0], &boxes[1])).as_vec3();
        let middle = center_a - shift_a.as_dvec3();
        let shift_b = a_from_b.point(center_b) - middle;
        let turn = a_from_b.matrix();
        let row = |k: usize| turn.row(k).extend(shift_b[k]).as_vec4().to_array();
        let size = reach_a + reach_b + shift_b.length() + f64::from(shift_a.length());
        let axis = |k: usize| DVec3::AXES[k].as_vec3().extend(shift_a[k]).to_array();
        let frames = [[0, 1, 2].map(axis), [0, 1, 2].map(row)];
        let pair = packed([a, b], frames, size, margins, (&query.pressure, query.in_touch))?;
        Ok(Self { pair, middle, size, range: margins.gap })
    }

    /// What a block means on the world's axes: force on B, and its moment about the query's point.
    ///
    /// # Errors
    ///
    /// [`Unfit::Refused`] where facets face each other without a law, [`Unfit::Range`] where a sum is no number, [`Unfit::Shallow`] where the
    /// bodies touch too little: all are for the processor to answer.
    pub fn read(&self, block: &FacetBlock, w_from_a: &Pose, query: &Query) -> Result<Touch, Unfit> {
        if block.n_refused > 0 {
            return Err(Unfit::Refused { n: block.n_refused });
        }
        let (deepest, needed) = (f64::from(block.deepest), SHALLOW * self.size);
        // What draws at a distance changes over that distance, not over the overlap.
        if block.n_facets > 0 && deepest + self.range < needed {
            return Err(Unfit::Shallow { deepest, needed });
        }
        let [force, moment] = [block.force, block.moment].map(|x| DVec3::from(x.map(f64::from)));
        if !(force.is_finite() && moment.is_finite() && query.about.is_finite()) {
            return Err(Unfit::Range);
        }
        let force_w = w_from_a.vector(force);
        let moment_a = moment + self.middle.cross(force);
        let arm = query.about - w_from_a.translation;
        let doubts = Doubts {
            beyond_hertz: doubt_of(&block.doubts[doubt::BEYOND_HERTZ]),
            too_deep: doubt_of(&block.doubts[doubt::TOO_DEEP]),
            ring_cut: doubt_of(&block.doubts[doubt::RING_CUT]),
            ..Doubts::default()
        };
        Ok(Touch {
            force: force_w,
            moment: w_from_a.vector(moment_a) - arm.cross(force_w),
            energy: 0.0,
            area: block.area.into(),
            n_facets: block.n_facets as usize,
            deepest,
            doubts,
            patches: SmallVec::new(),
            facets: Vec::new(),
        })
    }

    /// What a candidate's touch means, as [`Touch::facets`] holds it; `None` if it does not touch. Without its polygon it has no corners.
    pub fn read_facet(
        &self,
        [a, b]: [&RoundedMesh; 2],
        candidate: &Candidate,
        (touch, polygon): (&DeviceTouch, Option<&FacetPolygon>),
        w_from_a: &Pose,
        query: &Query,
    ) -> Option<FacetTouch> {
        if touch.state & state::TOUCHES == 0 {
            return None;
        }
        let (cap_a, cap_b) = (a.cap(candidate.a)?, b.cap(candidate.b)?);
        let vector = |x: [f32; 3]| w_from_a.vector(DVec3::from(x.map(f64::from)));
        let place = |x: [f32; 3]| w_from_a.vector(DVec3::from(x.map(f64::from)) + self.middle);
        let overlap = f64::from(touch.depth);
        let exact = self.plane_of(cap_a, cap_b, b.origin())?;
        let plane = ContactPlane {
            normal: vector(touch.normal),
            center: place(touch.center),
            bend: w_from_a.vector(exact.bend),
            overlap,
            ..exact
        };
        let oval = query.pressure.oval(plane.curvature, plane.bend.length());
        let known = polygon.iter().flat_map(|polygon| polygon.corners).take(touch.n_corners as usize);
        let corners = known.map(|[x, y, z, _]| place([x, y, z])).collect();
        let touch = CapTouch {
            plane,
            profile: query.pressure.profile(overlap, oval.curvature, query.in_touch)?,
            ratio: oval.ratio,
            nearest: place(touch.nearest),
            overlap: touch.overlap.into(),
            area: touch.area.into(),
            grip: touch.grip.into(),
            force: touch.force.into(),
            push: vector(touch.push),
            moment: vector(touch.moment),
            energy: touch.energy.into(),
            corners,
        };
        Some(FacetTouch { facets: [candidate.a, candidate.b], touch })
    }

    /// The contact plane of two caps in A's frame, B being where the device has it; its mesh's places are counted from an origin there.
    fn plane_of(&self, a: &Cap, b: &Cap, origin_b: DVec3) -> Option<ContactPlane> {
        let rows = self.pair.frame_from_b.map(|row| row.map(f64::from));
        let turn = DMat3::from_cols_array_2d(&[0, 1, 2].map(|k| rows.map(|row| row[k])));
        let shift = self.middle + DVec3::from(rows.map(|row| row[3])) - turn * origin_b;
        ContactPlane::between(a, &b.sphere_moved(&turn, shift)).ok()
    }
}

/// A pair as the stages of a stretch of sub-steps read it: on the world's axes, about a place that stands still.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedPair {
    /// What goes to the device, as it is at the start.
    pub pair: FacetPair,
    /// Origin of the pair's frame in the world \[m\].
    pub middle: DVec3,
    /// Reach of both bodies and of their places in the pair's frame, by which places are rounded \[m\].
    pub size: f64,
}

impl FixedPair {
    /// Places two bodies; the skin of the margins is how far they may move against each other.
    ///
    /// # Errors
    ///
    /// [`Unfit::Law`], [`Unfit::Pressure`], [`Unfit::Range`] and [`Unfit::TooMany`].
    pub fn new(
        a: &Placed<'_>,
        b: &Placed<'_>,
        margins: &Margins,
        pressure: &Pressure,
        in_touch: bool,
    ) -> Result<Self, Unfit> {
        let centers = [a, b].map(|body| body.pose.point(body.mesh.ball().0));
        let boxes = [a, b].map(|body| body.mesh.solid().aabb().transformed(body.pose));
        // The one rounding of A's places is put into the middle, which is known in 64 bits.
        let shift_a = (centers[0] - meeting(&boxes[0], &boxes[1])).as_vec3();
        let middle = centers[0] - shift_a.as_dvec3();
        let shifts = [shift_a.as_dvec3(), centers[1] - middle];
        let size = a.mesh.ball().1 + b.mesh.ball().1 + shifts[0].length() + shifts[1].length();
        let frame = |body: &Placed<'_>, shift: DVec3| {
            let turn = DMat3::from_quat(body.pose.rotation);
            [0, 1, 2].map(|k| turn.row(k).extend(shift[k]).as_vec4().to_array())
        };
        let frames = [frame(a, shifts[0]), frame(b, shifts[1])];
        let pair = packed([a, b], frames, size, margins, (pressure, in_touch))?;
        Ok(Self { pair, middle, size })
    }
}

/// Two bodies for the stages, with the rows of the maps from their packing coordinates to the pair's frame, in which places are rounded by this size.
fn packed(
    [a, b]: [&Placed<'_>; 2],
    [frame_from_a, frame_from_b]: [[[f32; 4]; 3]; 2],
    size: f64,
    margins: &Margins,
    (pressure, in_touch): (&Pressure, bool),
) -> Result<FacetPair, Unfit> {
    let (law, modulus, work) = law_of(pressure)?;
    if b.mesh.n_facets() > MAX_PARTNERS as usize {
        return Err(Unfit::TooMany { n: b.mesh.n_facets() });
    }
    let gap = farthest_caps(margins);
    let pair = FacetPair {
        frame_from_a,
        frame_from_b,
        first: [a.first, b.first],
        n: [a.mesh, b.mesh].map(|mesh| mesh.n_facets() as u32),
        near: (gap + margins.skin + ROUNDING * size) as f32,
        depth: margins.depth as f32,
        gap: gap as f32,
        first_group: 0,
        law,
        in_touch: in_touch.into(),
        modulus: modulus as f32,
        work: work as f32,
    };
    let rows = frame_from_a.iter().chain(&frame_from_b).flatten();
    let numbers = [pair.near, pair.depth, pair.gap, pair.modulus, pair.work];
    let is_sound = rows.chain(&numbers).all(|x| x.is_finite()) && numbers.iter().all(|x| *x >= 0.0);
    if is_sound && pair.modulus > 0.0 { Ok(pair) } else { Err(Unfit::Range) }
}

/// A law of pressure as the stages know it: which, its modulus and its work of adhesion.
fn law_of(pressure: &Pressure) -> Result<(u32, f64, f64), Unfit> {
    pressure.check()?;
    match *pressure {
        Pressure::Linear { stiffness } => Ok((law::LINEAR, stiffness, 0.0)),
        Pressure::Hertz { modulus } => Ok((law::HERTZ, modulus, 0.0)),
        Pressure::Jkr { modulus, work } => Ok((law::JKR, modulus, work)),
        Pressure::MaugisDugdale { .. } => Err(Unfit::Law),
    }
}

fn doubt_of(found: &FacetDoubt) -> Doubt {
    Doubt { n: found.n as usize, first: (found.n > 0).then_some([found.a, found.b]) }
}

/// Middle of what two boxes have in common, or of the gap between them.
fn meeting(a: &Aabb, b: &Aabb) -> DVec3 {
    0.5 * (a.min.max(b.min) + a.max.min(b.max))
}
