//! Which pairs of bodies have to be measured: those whose boxes meet.
//!
//! A few finite bodies are sorted along one axis and swept, many go through a bounding volume hierarchy; half-spaces,
//! which have no box, are tested one by one against the lowest point of every finite body.

use glam::DVec3;
use parry3d_f64::bounding_volume::Aabb as ParryAabb;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use tactum_geometry::Aabb;

use crate::constants::{BVH_BODIES, MAX_LANDING, TOUCHING};
use crate::contact::memory;
use crate::state::{Outlook, StoredContact};
use crate::{Body, BodyKind, PairJob};

/// What the broad phase looks at.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The bodies.
    pub bodies: &'a [Body],
    /// Contacts of the last step, sorted by pair and region.
    pub memory: &'a [StoredContact],
    /// Gravity \[m/s²\].
    pub gravity: DVec3,
    /// Time step \[s\].
    pub dt: f64,
    /// Pairs that never touch, sorted.
    pub apart: &'a [[u32; 2]],
    /// Whether pairs that do not touch yet are looked ahead for.
    pub look_ahead: bool,
}

/// The jobs of a step, sorted by body indices; of two jobs of a pair the one without shift comes first.
///
/// A pair whose boxes meet (sharing a point is enough) is measured where it is. A pair that was no contact in the last
/// step is also measured where it may be at the end of this one, see [`shift_ahead`]. Pairs with no dynamic body, pairs that
/// their group masks forbid and pairs that a joint keeps from touching are left out.
pub fn pairs(input: &Input<'_>) -> Vec<PairJob> {
    let bodies = input.bodies;
    let mut jobs = Vec::with_capacity(4 * bodies.len());
    let mut entries = Vec::with_capacity(bodies.len());
    for (ix, body) in bodies.iter().enumerate() {
        if let Some(normal) = body.shape.plane_normal() {
            pair_half_space(input, ix, normal, &mut jobs);
        } else {
            entries.push(Entry::new(input, ix));
        }
    }
    if entries.len() < BVH_BODIES {
        sweep(input, &mut entries, &mut jobs);
    } else {
        traverse_tree(input, &entries, &mut jobs);
    }
    jobs.sort_unstable_by_key(|job| (job.bodies, job.is_ahead()));
    jobs
}

/// A finite body, its box in the world and its free motion in the step.
struct Entry {
    now: Aabb,
    /// Box around `now` and where the free motion takes it.
    swept: Aabb,
    motion: Motion,
    ix: u32,
    dynamic: bool,
}

/// Free displacement of a body in one step \[m\].
#[derive(Clone, Copy)]
struct Motion {
    /// All of it.
    whole: DVec3,
    /// What gravity and forces add in this step.
    gained: DVec3,
}

impl Motion {
    const NONE: Self = Self { whole: DVec3::ZERO, gained: DVec3::ZERO };

    fn new(input: &Input<'_>, body: &Body) -> Self {
        if !input.look_ahead {
            return Self::NONE;
        }
        let gained = match body.kind {
            BodyKind::Dynamic => input.dt * input.dt * (input.gravity + body.force / body.mass.mass),
            BodyKind::Static | BodyKind::Kinematic => DVec3::ZERO,
        };
        Self { whole: input.dt * body.linear_velocity + gained, gained }
    }
}

impl Entry {
    fn new(input: &Input<'_>, ix: usize) -> Self {
        let body = &input.bodies[ix];
        let now = body.shape.aabb(&body.w_from_shape());
        let motion = Motion::new(input, body);
        let after = Aabb { min: now.min + motion.whole, max: now.max + motion.whole };
        Self { now, swept: now.union(&after), motion, ix: ix as u32, dynamic: body.kind == BodyKind::Dynamic }
    }
}

/// Adds the jobs of two finite bodies whose swept boxes meet.
fn push_pair(input: &Input<'_>, a: &Entry, b: &Entry, jobs: &mut Vec<PairJob>) {
    if !(a.dynamic || b.dynamic) || !a.swept.meets(&b.swept) {
        return;
    }
    let (a, b) = if a.ix < b.ix { (a, b) } else { (b, a) };
    let pair = [a.ix, b.ix];
    if !allowed(input, pair) {
        return;
    }
    if a.now.meets(&b.now) {
        jobs.push(PairJob { bodies: pair, shift: DVec3::ZERO });
    }
    if !input.look_ahead {
        return;
    }
    let shift = shift_to_land(input, pair).unwrap_or_else(|| shift_ahead(a, b));
    if shift != DVec3::ZERO {
        jobs.push(PairJob { bodies: pair, shift });
    }
}

/// Where B may be relative to A at the end of the step, as far as it comes nearer \[m\].
///
/// Contacts are known by their overlap, so bodies that only touch would fall into each other before they carry: a stack
/// built without gaps would collapse level by level. Either body may be stopped by a third one, therefore the nearest
/// of three motions counts: both bodies', A's alone and B's alone. Only the part along the axis on which the boxes are
/// apart is used, because the part across would turn a seam between two tiles into a step. Boxes that meet say nothing
/// of where the bodies are apart; then only what gravity and forces add in this step is looked ahead for.
fn shift_ahead(a: &Entry, b: &Entry) -> DVec3 {
    let gaps = (a.now.min - b.now.max).max(b.now.min - a.now.max);
    let axis = gaps.max_position();
    let reach = a.now.half_size()[axis] + b.now.half_size()[axis];
    let across = b.now.center() - a.now.center();
    let (pick, toward): (fn(&Motion) -> DVec3, DVec3) = if gaps[axis] >= -TOUCHING * reach {
        (|m| m.whole, DVec3::AXES[axis] * -across[axis].signum())
    } else {
        (|m| m.gained, -across.normalize_or_zero())
    };
    let (of_a, of_b) = (pick(&a.motion), pick(&b.motion));
    let approaches = [of_b - of_a, of_b, -of_a].map(|motion| motion.dot(toward));
    let nearest = approaches.into_iter().fold(0.0, f64::max);
    if nearest <= gaps[axis] { DVec3::ZERO } else { toward * nearest }
}

/// How far a tilted face may come down within the step, along the contact's normal \[m\]: zero for an even contact,
/// `None` for a pair that did not overlap in the last step.
///
/// Only the part of the face that overlaps is known to touch. Without the rest, a body that rocks on a corner would
/// turn past the flat in one step, to rock on the next corner for ever.
fn shift_to_land(input: &Input<'_>, pair: [u32; 2]) -> Option<DVec3> {
    let contact = match memory::of_pair(input.memory, pair) {
        contacts if contacts.iter().all(|contact| contact.outlook == Outlook::Approaching) => return None,
        [contact] if matches!(contact.outlook, Outlook::Landing | Outlook::Tumbling) => contact,
        // What holds the bodies in several places does not come down flat.
        _ => return Some(DVec3::ZERO),
    };
    let [a, b] = pair.map(|ix| &input.bodies[ix as usize]);
    let size = a.shape.size().min(b.shape.size());
    let turning = input.dt * (b.angular_velocity - a.angular_velocity).length() * size;
    let motions = [a, b].map(|body| Motion::new(input, body));
    let gained = motions[0].gained.length().max(motions[1].gained.length());
    // What holds one corner turns the body's fall towards the next.
    let falling = match contact.outlook {
        Outlook::Tumbling => (motions[0].whole - motions[1].whole).dot(contact.normal).max(0.0),
        _ => 0.0,
    };
    Some(-contact.normal * (gained + turning + falling).min(MAX_LANDING * size).max(falling))
}

/// Sort and sweep along the axis on which the boxes' centres spread most (Baraff 1992, with the axis of largest
/// variance instead of a fixed one).
fn sweep(input: &Input<'_>, entries: &mut [Entry], jobs: &mut Vec<PairJob>) {
    let axis = widest_axis(entries);
    entries.sort_unstable_by(|a, b| a.swept.min[axis].total_cmp(&b.swept.min[axis]).then(a.ix.cmp(&b.ix)));
    for (k, a) in entries.iter().enumerate() {
        let end = a.swept.max[axis];
        for b in entries[k + 1..].iter().take_while(|b| b.swept.min[axis] <= end) {
            push_pair(input, a, b, jobs);
        }
    }
}

/// A tree of all boxes, built anew and traversed against itself.
fn traverse_tree(input: &Input<'_>, entries: &[Entry], jobs: &mut Vec<PairJob>) {
    let leaf = |v: DVec3| v.to_array().into();
    let leaves = entries.iter().map(|e| ParryAabb::new(leaf(e.swept.min), leaf(e.swept.max)));
    let tree = Bvh::from_iter(BvhBuildStrategy::Binned, leaves.enumerate());
    let mut workspace = BvhWorkspace::default();
    tree.traverse_bvtt_single_tree::<false>(&mut workspace, &mut |i, j| {
        push_pair(input, &entries[i as usize], &entries[j as usize], jobs);
    });
}

fn widest_axis(entries: &[Entry]) -> usize {
    let n = entries.len().max(1) as f64;
    let mean = entries.iter().map(|e| e.swept.center()).sum::<DVec3>() / n;
    let spread: DVec3 = entries.iter().map(|e| (e.swept.center() - mean).powf(2.0)).sum();
    spread.max_position()
}

fn pair_half_space(input: &Input<'_>, plane_ix: usize, normal: DVec3, jobs: &mut Vec<PairJob>) {
    let plane = &input.bodies[plane_ix];
    let w_from_plane = plane.w_from_shape();
    let up = w_from_plane.vector(normal);
    let plane_motion = Motion::new(input, plane);
    for (ix, body) in input.bodies.iter().enumerate() {
        let pair = [plane_ix.min(ix) as u32, plane_ix.max(ix) as u32];
        if body.kind != BodyKind::Dynamic || !allowed(input, pair) {
            continue;
        }
        let height = height_above(w_from_plane.translation, up, body);
        if height <= 0.0 {
            jobs.push(PairJob { bodies: pair, shift: DVec3::ZERO });
        }
        if !input.look_ahead {
            continue;
        }
        let shift = shift_to_land(input, pair).unwrap_or_else(|| {
            let motion = Motion::new(input, body).whole;
            let sinking = (plane_motion.whole - motion).dot(up).max(-motion.dot(up));
            let toward_plane = if plane_ix < ix { -up } else { up };
            if sinking > height.max(0.0) { toward_plane * sinking } else { DVec3::ZERO }
        });
        if shift != DVec3::ZERO {
            jobs.push(PairJob { bodies: pair, shift });
        }
    }
}

fn allowed(input: &Input<'_>, pair: [u32; 2]) -> bool {
    let [a, b] = pair.map(|ix| &input.bodies[ix as usize]);
    a.groups & b.mask != 0 && b.groups & a.mask != 0 && input.apart.binary_search(&pair).is_err()
}

/// Height of a body's lowest point above a plane (a point of it, its unit normal), or a lower bound of it \[m\].
fn height_above(on_plane: DVec3, up: DVec3, body: &Body) -> f64 {
    let w_from_shape = body.w_from_shape();
    let height = up.dot(w_from_shape.translation - on_plane);
    height - body.shape.reach(-(w_from_shape.rotation.conjugate() * up))
}
