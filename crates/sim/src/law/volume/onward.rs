//! Where curved surfaces that slide on each other will be, measured.
//!
//! The facets of two meshes that stand for smooth surfaces know the common normal only within the angles of their edges. A nut of 60
//! sectors on a bolt of 64 goes down as smoothly as its thread, to 10 µm, but the normals found on the way lean to either side of its
//! motion by up to 0.02 rad; and rows that forbid what approaches along them stop that part of the motion in every step,
//! whatever the step. What has to be stopped is only what is really nearer at the end. So such a pair is measured once more where it
//! goes with the velocities that it has, and a row asks for that place's depth, to first order in what the step changes about the
//! velocities `v₀`:
//!
//! `n·(v - v₀) + (slack there) / h >= 0`
//!
//! Steps that are shorter than it takes to slide over a facet look farther ahead than their end, see `horizon`.
//!
//! The surface is followed as in SHAKE (Ryckaert, Ciccotti, Berendsen 1977): the impulse acts along the normal in the middle of the
//! way, and the gap is that at its end. What a smooth motion does not explain, a depth that grows steeply, is an impact, and
//! stays with the rows of where the bodies are.

use glam::DVec2;

use crate::constants::MAX_SLIDING_SLOPE;
use crate::law::Situation;
use crate::law::volume::choose::target_depth;
use crate::law::volume::contact::LookAhead;
use crate::law::volume::memory;
use crate::law::volume::restitution::Bodies;
use crate::law::volume::way::Way;
use crate::solver::position::VolumeRow;
use crate::solver::{ContactFrame, Vec6};
use crate::twist::Twist;
use crate::{Body, ContactModel, Settings};

/// The way of a pair of which two curved surfaces touched in the last step, where it slides farther than contacts are deep; `None`
/// for any other. What bounces does so from where it is, and what gives finds its own depth.
pub fn way(situation: &Situation<'_>, pair: [u32; 2]) -> Option<Way> {
    let Settings { dt, compliance, contact, target_volume, .. } = *situation.settings;
    let is_rigid = compliance == 0.0 && contact == ContactModel::Patch && target_volume.is_none();
    let bodies = pair.map(|ix| &situation.bodies[ix as usize]);
    if !is_rigid || bodies.iter().any(|body| body.smooth.is_none()) || situation.touch(pair).restitution > 0.0
    {
        return None;
    }
    let held = target_depth(situation, pair, 0.0);
    let contacts = memory::of_pair(&situation.memory.contacts, pair);
    let sliding = contacts.iter().filter(|contact| contact.look_ahead == LookAhead::Onward);
    let slides = |way: &Way| {
        sliding
            .clone()
            .map(|contact| way.slides(contact.place(situation.bodies), contact.normal))
            .fold(0.0, f64::max)
    };
    let speed = slides(&Way::new(bodies, dt, held)) / dt;
    let time = horizon(situation, pair, speed);
    let mut way = Way::new(bodies, time, held);
    way.leads_on = time > dt;
    (slides(&way) > held).then_some(way)
}

/// How long a way is that tells facets from what they stand for, at this speed of sliding \[s\]: a step at least. On shorter ones the bumps of
/// facets are all that is seen. It leads over one of them, but no farther than what forces change of the way in the meantime is less than they are
/// high: those on one of the bodies, as what falls with the other is held by it, or the other way round.
fn horizon(situation: &Situation<'_>, pair: [u32; 2], speed: f64) -> f64 {
    let dt = situation.settings.dt;
    let bump = pair.iter().map(|&ix| situation.bodies[ix as usize].bulge()).fold(0.0, f64::max);
    let acceleration = |ix: u32| situation.free[ix as usize].gained.length() / (dt * dt);
    let most = pair.map(acceleration).into_iter().fold(0.0, f64::max);
    let over = bump / (MAX_SLIDING_SLOPE * speed);
    let by_forces = (2.0 * bump / most).sqrt();
    let time = over.min(by_forces);
    if time.is_finite() { dt.max(time) } else { dt }
}

/// The volume of a contact as a function of what changes about the velocities of the way, which leads `there` in a `time` from where the mean depth
/// is `here`: straight from the one depth to the other, over the area there. What was wide and shallow here may be a tip there, and the volume of the
/// one over the area of the other is no depth.
pub fn on_the_way(
    here: f64,
    there: VolumeRow,
    time: f64,
    Bodies { bodies, free, .. }: &Bodies<'_>,
) -> VolumeRow {
    let twists = [0, 1].map(|side: usize| (free[side].inverse_mass > 0.0).then(|| twist(bodies[side])));
    let volume = here * there.area;
    let driven_rate = (there.volume - volume) / time - there.rate(&twists);
    VolumeRow { volume, driven_rate, ..there }
}

/// How far bodies may approach at a contact point in a step of `h`, and how that changes over the patch, for their depth at the end of
/// the way, which takes a `time`, to be the one held there, or not more than it is `here`: see
/// [`restitution::approach`](super::restitution::approach). `there` is the volume at the end; of a region that is none there it is
/// only known that the way leads out of it, so nothing stops that.
pub fn approach(
    frame: &ContactFrame,
    here: f64,
    there: Option<&VolumeRow>,
    [h, time]: [f64; 2],
    Bodies { bodies, centers, .. }: &Bodies<'_>,
) -> (f64, DVec2) {
    let of = |side: usize| -> Vec6 {
        let Twist { linear, angular } = twist(bodies[side]);
        frame.twist(centers[side], linear, angular)
    };
    let gone = (of(1) - of(0)) * h;
    let along = match there {
        Some(row) => (row.slack() - here.min(0.0)) * (h / time) - gone[0],
        None => here.max(0.0).max(-gone[0]),
    };
    (along, DVec2::new(gone[5], -gone[4]))
}

fn twist(body: &Body) -> Twist {
    body.twist()
}
