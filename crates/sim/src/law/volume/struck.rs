//! Where a body that is no ball strikes a plane: with the corners that come down first.
//!
//! An overlap is measured as deep as bodies come in a step, and its patch reaches as far. A tilted box strikes with its lowest edge alone, and
//! starts to turn; asked to rebound wherever it could come to lie, it would do so flat. So each corner is asked for no more than what it has left
//! of its way when the first one strikes: one that strikes with it rebounds as it does, one that would just come down by the end of the step
//! goes on as it was.

use std::f64::consts::TAU;

use glam::{DQuat, DVec2, DVec3};
use tactum_geometry::Symmetry;

use crate::Body;
use crate::constants::TOUCHING;
use crate::law::Situation;
use crate::law::volume::choose::{Chosen, may_have_corners};
use crate::law::volume::corners::Corners;
use crate::law::volume::geometry::ContactGeometry;
use crate::law::volume::overlaps::PairOverlaps;
use crate::solver::Corner;

/// Points of a rim that are looked at, one of them the lowest. No unit.
const ON_RIM: u32 = 8;

/// The corners with which a body comes down on a plane, and the contact in the plane of the lowest one; `None` where there is no plane, or no
/// corner that could be told from others.
pub fn striking<'a>(
    situation: &Situation<'_>,
    pair: &PairOverlaps<'a>,
    chosen: &Chosen<'a>,
) -> Option<(ContactGeometry<'a>, Corners)> {
    let geometry = &chosen.geometry;
    if !may_have_corners(situation.settings) || pair.onward.is_some() || pair.may_pass {
        return None;
    }
    let bodies = pair.bodies.map(|ix| &situation.bodies[ix as usize]);
    let is_round = bodies.map(|body| body.shape.has_round_side());
    let side = match is_round {
        // The smooth surface of a mesh is struck where it touches.
        [false, false] if chosen.round == [None; 2] => return Corners::of(geometry.clone()),
        [true, false] => 0,
        [false, true] => 1,
        _ => return None,
    };
    let toward = if side == 1 { -geometry.normal } else { geometry.normal };
    let pose = pair.poses(situation.bodies, chosen.shift)[side];
    let points = lowest(bodies[side], pose.rotation.conjugate() * toward, chosen.round[side].is_some())?;
    let about_point: Vec<DVec3> = points.iter().map(|x| pose.point(*x) - geometry.point).collect();
    geometry.has_plane.then(|| Corners::around(side == 1, &about_point, geometry.clone()))
}

/// Points of a round body between which it lies on a plane that is in this direction: the ends of the line on its side, or its rim about the end
/// on which it stands \[m\]; `None` of a ball, which has one. Shape frame.
fn lowest(body: &Body, toward: DVec3, is_on_side: bool) -> Option<Vec<DVec3>> {
    if body.shape.symmetry() != Some(Symmetry::Axis) {
        return None;
    }
    if is_on_side {
        return body.shape.side_line(toward).map(|ends| ends.to_vec());
    }
    let end = usize::from(toward.z > 0.0);
    // Upright, one place on the rim is as low as any other.
    let lean = if toward.truncate() == DVec2::ZERO { toward + DVec3::X * f64::EPSILON } else { toward };
    let on_rim = |ix: u32| {
        let turn = DQuat::from_rotation_z(TAU * f64::from(ix) / f64::from(ON_RIM));
        body.shape.side_line(turn * lean).map(|ends| ends[end])
    };
    (0..ON_RIM).map(on_rim).collect()
}

/// What each corner is asked for besides the contact's rows, where these ask for the rebound of the one that strikes first; `left` is how much of
/// the time until contacts are measured next is left then \[s\].
pub fn asked(corners: &Corners, restitution: f64, left: f64) -> Vec<Corner> {
    let apart = |above: f64| if above == 0.0 { 0.0 } else { (1.0 + restitution) * above / left };
    let all = corners.above_deepest().map(|(at, above)| Corner { at, apart: apart(above) });
    // Where no time is left, none comes down after the first.
    all.filter(|corner| corner.apart.is_finite()).collect()
}

/// Whether others than those that strike first come down after them, so that a whole step does not know its end: they do after an edge or a
/// corner, not after a face, nor a line on the side of what is round.
pub fn is_askew(struck: &[Corner], rebound: f64, is_on_side: bool) -> bool {
    let strikes = |corner: &&Corner| corner.apart <= TOUCHING * rebound.abs();
    let n_striking = struck.iter().filter(strikes).count();
    n_striking < struck.len() || n_striking < if is_on_side { 2 } else { 3 }
}
