//! What two rounded meshes do to each other: the sum over their facets.

use glam::{DMat3, DVec3};
use smallvec::SmallVec;

use super::candidates::Candidates;
use super::cap::Cap;
use super::pair::{CapTouch, Disc, depth_of_triangles};
use super::patch::{Part, Patches, of_parts};
use super::plane::Refusal;
use super::pressure::{Pressure, PressureError};
use super::rounded::RoundedMesh;
use crate::Pose;
use crate::words::{number, number_beside};

/// What is asked of two bodies A and B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// How they press on each other.
    pub pressure: Pressure,
    /// Whether they touched before: what draws lets go farther apart than it takes hold.
    pub in_touch: bool,
    /// The point about which the moment is taken, in the world \[m\].
    pub about: DVec3,
    /// What is wanted besides the sums.
    pub detail: Detail,
}

/// What is wanted of a touch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// The sums.
    #[default]
    Sums,
    /// What facets that touch side by side come to together besides ([`Touch::patches`]).
    Patches,
    /// The touch of each pair of facets with its polygon besides ([`Touch::facets`]).
    Polygons,
}

/// The touch of two bodies A and B, on world axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Touch {
    /// Force on B; the one on A is its negative \[N\].
    pub force: DVec3,
    /// Moment of it about the point that was asked for \[N m\].
    pub moment: DVec3,
    /// Energy that is held between them, whose slopes force and moment are \[J\]; 0 for laws that draw, and in the sums of devices, whose touches tell it one by one.
    pub energy: f64,
    /// Area in contact, that of attraction at a distance apart \[m²\].
    pub area: f64,
    /// How many pairs of facets act on each other.
    pub n_facets: usize,
    /// Greatest overlap at the nearest point of any pair \[m\]; 0 if no pair touches.
    pub deepest: f64,
    /// What is doubtful.
    pub doubts: Doubts,
    /// The patches in the order of their first pairs, if asked for.
    pub patches: Patches,
    /// The pairs in the order of the candidates, if asked for.
    pub facets: Vec<FacetTouch>,
}

/// The touch of a facet of A and one of B.
#[derive(Clone, Debug, PartialEq)]
pub struct FacetTouch {
    /// The facets, see [`RoundedMesh::cap`].
    pub facets: [u32; 2],
    /// World axes, positions relative to A's origin.
    pub touch: CapTouch,
}

/// How often something was met, and the first pair of facets where it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Doubt {
    /// Number of pairs.
    pub n: usize,
    /// The first of them.
    pub first: Option<[u32; 2]>,
}

/// What a touch does not hold or may have wrong, pair by pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Doubts {
    /// Flat facets in each other: no sphere touches, and nothing is said of their force.
    pub two_flats: Doubt,
    /// Facets in hollow ones that are not wider, 1/R* <= 0: nothing is said of their force.
    pub tight_sockets: Doubt,
    /// Facets one of which is a saddle that the other does not fit into, where they are deeper in each other than any contact of the two bodies: nothing holds
    /// there. Not told by devices.
    pub saddles: Doubt,
    /// Contacts larger than the laws of small contacts hold for; counted as they are ([`CapTouch::is_beyond_hertz`]).
    pub beyond_hertz: Doubt,
    /// Spheres deeper in each other than the candidates were looked for, or than their radius: other pairs may be missing.
    pub too_deep: Doubt,
    /// Bodies that act on each other over gaps wider than the candidates were looked for, in either margin: pairs at
    /// the ring's end may be missing.
    pub ring_cut: Doubt,
    /// Contacts whose axis is beyond a sharp edge of either body ([`RoundedMesh::n_sharp_edges`]): less than half of them is there. Not told
    /// by devices.
    pub over_edges: Doubt,
}

impl Doubt {
    fn note(&mut self, pair: [u32; 2]) {
        self.n += 1;
        self.first.get_or_insert(pair);
    }
}

impl Doubts {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TouchError {
    /// A number of the law.
    #[error(transparent)]
    Pressure(#[from] PressureError),
    /// A pose, or the point of the moment.
    #[error("a pose or the point of the moment is not finite")]
    NonFinite,
    /// The candidates are those of other meshes.
    #[error("the candidates were found for other meshes")]
    OtherMeshes,
    /// The bodies have moved out of the candidates' skin.
    #[error("the bodies have moved by {} m since the candidates were found, more than their skin of {} m",
        number_beside(*moved, *skin), number(*skin))]
    Stale {
        /// How far \[m\].
        moved: f64,
        /// How far they may have \[m\].
        skin: f64,
    },
}

/// Sums what all candidates do to each other, one after the other, so that the sums are the same bits every time.
///
/// Everything is computed in A's frame and turned to the world's axes at the end: bodies far from the world's origin
/// lose only the digits that their positions have already lost, and both bodies feel the same force.
///
/// # Errors
///
/// See [`TouchError`].
pub fn touch(
    a: &RoundedMesh,
    w_from_a: &Pose,
    b: &RoundedMesh,
    w_from_b: &Pose,
    candidates: &Candidates,
    query: &Query,
) -> Result<Touch, TouchError> {
    query.pressure.check()?;
    if !(w_from_a.is_finite() && w_from_b.is_finite() && query.about.is_finite()) {
        return Err(TouchError::NonFinite);
    }
    if !candidates.is_of(a, b) {
        return Err(TouchError::OtherMeshes);
    }
    let a_from_b = w_from_a.relative(w_from_b);
    let moved = candidates.moved_to(&a_from_b);
    if !candidates.holds_after(moved) {
        return Err(TouchError::Stale { moved, skin: candidates.margins().skin });
    }
    let mut sum = Touch::default();
    let mut saddles = (Doubt::default(), 0.0_f64);
    // As many pairs as most contacts have, without memory of their own.
    let mut parts = SmallVec::<[Part; 6]>::new();
    let (turn, shift) = (a_from_b.matrix(), a_from_b.translation);
    for pair in candidates.awake(moved) {
        let (Some(cap_a), Some(of_b)) = (a.cap(pair[0]), b.cap(pair[1])) else { continue };
        let mut cap_b = of_b.sphere_moved(&turn, shift);
        let disc = match Disc::of(cap_a, &cap_b, &query.pressure) {
            Ok(None) | Err(Refusal::FacingAway) => continue,
            disc => disc,
        };
        cap_b.corners = of_b.corners.map(|x| turn * x + shift);
        match disc {
            Ok(Some(disc)) => {
                if let Some(touch) = disc.over(cap_a, &cap_b, &query.pressure, query.in_touch, query.detail) {
                    let plane = &touch.plane;
                    if a.ends_before(pair[0], cap_a, plane) || b.ends_before(pair[1], &cap_b, plane) {
                        sum.doubts.over_edges.note(pair);
                    }
                    if query.detail == Detail::Patches {
                        parts.push(Part::of(pair, &touch));
                    }
                    sum.add(pair, touch, cap_a, &cap_b, candidates, query);
                }
            }
            Err(why) => {
                let Some(depth) = depth_in_reach(cap_a, &cap_b, candidates) else { continue };
                if why == Refusal::Saddle {
                    saddles.0.note(pair);
                    saddles.1 = saddles.1.max(depth);
                } else {
                    sum.refuse(pair, why);
                }
            }
            Ok(None) => {}
        }
    }
    // Beside the ring on which a torus lies are saddles that are in the plate too, though no deeper.
    if saddles.1 > sum.deepest {
        sum.doubts.saddles = saddles.0;
    }
    let arm = query.about - w_from_a.translation;
    sum.force = w_from_a.vector(sum.force);
    sum.moment = w_from_a.vector(sum.moment) - arm.cross(sum.force);
    let w_turn_a = w_from_a.matrix();
    sum.patches = of_parts(&parts, [a, b]);
    sum.patches.iter_mut().for_each(|patch| patch.turn(&w_turn_a));
    sum.facets.iter_mut().for_each(|facet| facet.touch.turn(&w_turn_a));
    Ok(sum)
}

impl Touch {
    /// Adds a pair in A's frame, moments about its origin.
    fn add(&mut self, pair: [u32; 2], touch: CapTouch, a: &Cap, b: &Cap, found: &Candidates, query: &Query) {
        self.force += touch.push;
        self.moment += touch.plane.center.cross(touch.push) + touch.moment;
        self.energy += touch.energy;
        self.area += touch.area;
        self.n_facets += 1;
        self.deepest = self.deepest.max(touch.overlap);
        if touch.is_beyond_hertz(a, b) {
            self.doubts.beyond_hertz.note(pair);
        }
        if touch.plane.overlap > found.margins().depth {
            self.doubts.too_deep.note(pair);
        }
        if touch.gap_at_reach(a, b) > found.farthest_caps() {
            self.doubts.ring_cut.note(pair);
        }
        if query.detail == Detail::Polygons {
            self.facets.push(FacetTouch { facets: pair, touch });
        }
    }

    /// Notes a pair without a contact plane whose triangles are in each other.
    fn refuse(&mut self, pair: [u32; 2], why: Refusal) {
        match why {
            Refusal::TwoFlats => self.doubts.two_flats.note(pair),
            Refusal::Swallowed => self.doubts.too_deep.note(pair),
            _ => self.doubts.tight_sockets.note(pair),
        }
    }
}

/// How deep triangles are in each other \[m\], if that is no deeper than facets are looked for.
fn depth_in_reach(a: &Cap, b: &Cap, candidates: &Candidates) -> Option<f64> {
    let most = candidates.margins().depth + a.bulge() + b.bulge();
    depth_of_triangles(a, b).filter(|found| *found > 0.0 && *found <= most)
}

impl CapTouch {
    /// Turns its vectors from a body's axes to the world's.
    fn turn(&mut self, turn: &DMat3) {
        let plane = &mut self.plane;
        let of_plane = [&mut plane.normal, &mut plane.center, &mut plane.bend];
        let others = [&mut self.nearest, &mut self.push, &mut self.moment];
        for x in of_plane.into_iter().chain(others).chain(&mut self.corners) {
            *x = *turn * *x;
        }
    }
}
