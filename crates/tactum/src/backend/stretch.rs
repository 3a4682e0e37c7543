//! Stretches of sub-steps by the facet stages: what of a world's bodies and pairs goes to them, and what comes back.
//!
//! 32 bits leave some 4e-8 of the bodies' size of an overlap, at any depth: forces are those of bodies that lie elsewhere by so much. Weak
//! contacts beside strong ones are off by that and no more, so they are left to the stages too. Bodies that nothing presses on each other but
//! what is [faint](super::faint) beside it are not: while they touch, sub-steps are asked about one by one, and where they come to touch the stages stop.

use glam::{DMat3, DQuat, DVec3, Vec3};
use tactum_geometry::facets::{FixedPair, Margins, Patch, Placed};
use tactum_gpu::FacetError;
use tactum_shaders::facets::layout::FacetRound;
use tactum_shaders::facets::stretch::{Stretch as DeviceStretch, StretchEnd};
use tactum_shaders::facets::stretch_layout::{
    MAX_PATCHES, MAX_SPRINGS, PairMemory, PairSeen, PatchMemory, PatchNow, StretchBody, StretchPair,
    StretchState, cause, link,
};
use tactum_sim::law::facets::{
    Gone, Moving, MovingPair, PairElastic, PairStretched, PatchStretched, Spring, Springs, Stopped,
    StoredPatch, Stretch, Stretched,
};

use super::facets::FacetDetector;
use super::faint::is_faint;
use super::runner::{RunnerError, StageRunner};

/// A stretch as the stages read it.
struct Packed {
    stretch: DeviceStretch,
    places: Vec<Place>,
}

/// Where a pair's numbers are told from.
struct Place {
    /// Origin of its frame in the world \[m\].
    middle: DVec3,
    /// Origin of A's packing coordinates in the frame of A's shape \[m\].
    origin: DVec3,
}

/// What became of a stretch.
#[derive(Debug, Default)]
pub struct Gone32 {
    /// The answer; `None` if sub-steps have to be asked about one after the other.
    pub stretched: Option<Stretched>,
    /// How often the list of candidates was too short.
    pub n_grown: u32,
}

impl FacetDetector {
    /// Goes through a stretch with whatever carries out the stages.
    ///
    /// # Errors
    ///
    /// [`RunnerError`] if the device fails.
    pub fn stretched(&mut self, runner: &mut StageRunner, stretch: &Stretch) -> Result<Gone32, RunnerError> {
        let Some(packed) = self.pack(runner, stretch)? else { return Ok(Gone32::default()) };
        let end = match runner.stretch(&packed.stretch) {
            Err(RunnerError::Untouched(FacetError::PairTooLarge { .. })) => return Ok(Gone32::default()),
            outcome => outcome?,
        };
        Ok(Gone32 { stretched: read(stretch, &packed, &end), n_grown: end.n_grown })
    }

    /// A stretch for the stages; `None` where 32 bits do not do.
    fn pack(&mut self, runner: &mut StageRunner, stretch: &Stretch) -> Result<Option<Packed>, RunnerError> {
        let mut links = vec![Vec::new(); stretch.bodies.len()];
        let mut packed = Packed { stretch: DeviceStretch::default(), places: Vec::new() };
        for (ix, pair) in (0..).zip(&stretch.pairs) {
            for (side, &body) in pair.bodies.iter().enumerate() {
                links[body as usize].push(link(ix, side == 1));
            }
            if !self.pack_pair(runner, stretch, pair, &mut packed)? {
                return Ok(None);
            }
        }
        for (body, of_body) in stretch.bodies.iter().zip(links) {
            let first_link = packed.stretch.links.len() as u32;
            packed.stretch.links.extend(of_body);
            packed.stretch.bodies.push(pack_body(body, [first_link, packed.stretch.links.len() as u32]));
        }
        packed.stretch.substeps = (0..stretch.n).map(|index| round(stretch, index)).collect();
        Ok(Some(packed))
    }

    /// Adds a pair; whether it is for the stages.
    fn pack_pair(
        &mut self,
        runner: &mut StageRunner,
        stretch: &Stretch,
        pair: &MovingPair,
        packed: &mut Packed,
    ) -> Result<bool, RunnerError> {
        let bodies = pair.bodies.map(|ix| &stretch.bodies[ix as usize]);
        let poses = bodies.map(|body| body.w_from_shape);
        let skin = bodies[0].allowance + bodies[1].allowance;
        let standing = self.standing_both(&pair.meshes, &poses, skin);
        let mut firsts = [0; 2];
        for (first, body) in firsts.iter_mut().zip(&standing) {
            let Some(place) = self.register(runner, &body.mesh)? else { return Ok(false) };
            *first = place;
        }
        let placed = |side: usize| {
            let body = &standing[side];
            Placed { mesh: &body.mesh, pose: &body.pose, first: firsts[side] }
        };
        let margins = Margins { skin, ..pair.margins };
        let (pressure, in_touch) = (&pair.law.pressure, pair.stored.is_some());
        let Ok(fixed) = FixedPair::new(&placed(0), &placed(1), &margins, pressure, in_touch) else {
            return Ok(false);
        };
        let is_faint = is_faint(pair, bodies, fixed.size, fixed.middle);
        if is_faint && in_touch {
            return Ok(false);
        }
        let origin = standing[0].mesh.origin() + standing[0].offset;
        let stored = pair.stored.as_deref();
        let Some(memory) =
            stored.map_or_else(|| Some(PairMemory::default()), |stored| remembered(stored, origin))
        else {
            return Ok(false);
        };
        packed.stretch.pairs.push(fixed.pair);
        packed.stretch.courses.push(pack_law(pair, bodies, &fixed, is_faint));
        packed.stretch.springs.push(memory);
        packed.places.push(Place { middle: fixed.middle, origin });
        Ok(true)
    }
}

fn round(stretch: &Stretch, index: u32) -> FacetRound {
    let since_kick = if index == 0 { stretch.since_kick } else { stretch.length };
    FacetRound {
        index,
        length: stretch.length as f32,
        since_kick: since_kick as f32,
        time: (f64::from(index) * stretch.length) as f32,
        most_stiff: stretch.most_stiff as f32,
        most_damped: stretch.most_damped as f32,
        ..FacetRound::default()
    }
}

fn vector(x: DVec3) -> [f32; 3] {
    x.as_vec3().into()
}

fn in_64(x: [f32; 3]) -> DVec3 {
    Vec3::from(x).as_dvec3()
}

/// A symmetric tensor of its xx, yy, zz and its yz, xz, xy.
fn symmetric(diagonal: [f32; 3], products: [f32; 3]) -> DMat3 {
    let (d, e) = (in_64(diagonal), in_64(products));
    DMat3::from_cols(DVec3::new(d.x, e.z, e.y), DVec3::new(e.z, d.y, e.x), DVec3::new(e.y, e.x, d.z))
}

fn pack_body(body: &Moving, [first_link, end_link]: [u32; 2]) -> StretchBody {
    let (spin, inertia) =
        if body.is_dynamic { (body.momentum, body.inverse_inertia) } else { (body.angular, DMat3::IDENTITY) };
    StretchBody {
        velocity: vector(body.velocity),
        inverse_mass: body.inverse_mass as f32,
        spin: vector(spin),
        reach: body.reach as f32,
        inertia: vector(DVec3::new(inertia.x_axis.x, inertia.y_axis.y, inertia.z_axis.z)),
        allowance: body.allowance as f32,
        products: vector(DVec3::new(inertia.y_axis.z, inertia.x_axis.z, inertia.x_axis.y)),
        lightness: body.lightness as f32,
        acceleration: vector(body.acceleration),
        first_link,
        torque: vector(body.torque),
        end_link,
        is_dynamic: body.is_dynamic.into(),
        ..StretchBody::default()
    }
}

fn pack_law(pair: &MovingPair, bodies: [&Moving; 2], fixed: &FixedPair, is_faint: bool) -> StretchPair {
    let law @ PairElastic { friction, mass, areal: [areal_normal, areal_shear], .. } = &pair.law;
    let [center_a, center_b] = bodies.map(|body| vector(body.center - fixed.middle));
    StretchPair {
        base_a: fixed.pair.frame_from_a,
        base_b: fixed.pair.frame_from_b,
        center_a,
        friction: *friction as f32,
        center_b,
        shear: law.shear_part() as f32,
        bodies: pair.bodies,
        mass: *mass as f32,
        damping: (2.0 * law.damping) as f32,
        shear_root: law.shear_part().sqrt() as f32,
        areal_normal: *areal_normal as f32,
        areal_shear: *areal_shear as f32,
        is_faint: is_faint.into(),
        ..StretchPair::default()
    }
}

/// What is remembered of a pair's patches, for the stages; `None` if there are more than they have places for.
fn remembered(stored: &[StoredPatch], origin: DVec3) -> Option<PairMemory> {
    let mut memory = PairMemory { in_touch: 1, n: stored.len() as u32, ..PairMemory::default() };
    if stored.len() > MAX_PATCHES {
        return None;
    }
    for (patch, to) in stored.iter().zip(&mut memory.patches) {
        let springs = patch.springs.all();
        if springs.len() > MAX_SPRINGS {
            return None;
        }
        *to = PatchMemory {
            point: vector(patch.point - origin),
            grip: patch.grip as f32,
            normal: vector(patch.normal),
            n_springs: springs.len() as u32,
            ..PatchMemory::default()
        };
        for (spring, to) in springs.iter().zip(&mut to.springs) {
            *to = spring.stretch.extend(spring.stiffness).as_vec4().into();
        }
    }
    Some(memory)
}

/// What became of a stretch; `None` if anything in it is no number.
fn read(stretch: &Stretch, packed: &Packed, end: &StretchEnd) -> Option<Stretched> {
    let n_done = end.n_done(stretch.n);
    let stopped = match end.cause() {
        cause::NONE => None,
        cause::WAY => Some(Stopped::Way),
        cause::STIFF => Some(Stopped::Stiff),
        _ => Some(Stopped::Unfit),
    };
    if n_done == 0 {
        return Some(Stretched { stopped, ..Stretched::default() });
    }
    let bodies: Option<Vec<Gone>> = end.states.iter().map(gone).collect();
    let of_pairs = end.seen.iter().zip(&end.springs).zip(&packed.places);
    let pairs: Option<Vec<PairStretched>> =
        of_pairs.map(|((seen, springs), place)| pair_of(seen, springs, place)).collect();
    Some(Stretched { n_done, stopped, bodies: bodies?, pairs: pairs? })
}

fn gone(state: &StretchState) -> Option<Gone> {
    let (shift, turn) = (in_64(state.kicked_shift), in_64(state.kicked_turn));
    let fourth = (1.0 - turn.length_squared()).max(0.0).sqrt();
    let is_sound = shift.is_finite() && turn.is_finite();
    is_sound.then(|| Gone { shift, turn: DQuat::from_vec4(turn.extend(fourth)).normalize() })
}

fn pair_of(seen: &PairSeen, springs: &PairMemory, place: &Place) -> Option<PairStretched> {
    let patches = seen.patches.iter().take(seen.n as usize).map(|patch| {
        let (impulse, about_origin) = (in_64(patch.impulse), in_64(patch.turn));
        PatchStretched {
            deepest: patch_of(&patch.deepest, place.middle),
            impulse,
            turn: about_origin - in_64(patch.deepest.point).cross(impulse),
        }
    });
    let turns = [seen.turn_a, seen.turn_b].map(in_64);
    let stored =
        springs.patches.iter().take(springs.n as usize).map(|patch| stored_patch(patch, place.origin));
    let pair = PairStretched {
        turns,
        patches: patches.collect(),
        stored: (springs.in_touch != 0).then(|| stored.collect()),
        deepest: springs.deepest.into(),
    };
    let is_finite = |patch: &PatchStretched| {
        patch.impulse.is_finite() && patch.turn.is_finite() && patch.deepest.point.is_finite()
    };
    let stored_is_finite =
        pair.deepest.is_finite() && pair.stored.iter().flatten().all(StoredPatch::is_finite);
    let is_sound = turns.iter().all(|turn| turn.is_finite()) && pair.patches.iter().all(is_finite);
    (is_sound && stored_is_finite).then_some(pair)
}

fn patch_of(now: &PatchNow, middle: DVec3) -> Patch {
    Patch {
        point: middle + in_64(now.point),
        normal: in_64(now.normal).normalize_or_zero(),
        force: in_64(now.force),
        moment: in_64(now.torque),
        spread: symmetric(now.spread, now.products),
        grip: now.grip.into(),
        gyration: now.gyration.into(),
        lever: now.lever.into(),
        area: now.area.into(),
        deepest: now.deepest.into(),
        n_facets: now.n_facets,
    }
}

fn stored_patch(patch: &PatchMemory, origin: DVec3) -> StoredPatch {
    let spring = |[x, y, z, stiffness]: &[f32; 4]| Spring {
        stiffness: (*stiffness).into(),
        stretch: in_64([*x, *y, *z]),
    };
    let springs = patch.springs.iter().take(patch.n_springs as usize).map(spring);
    StoredPatch {
        point: in_64(patch.point) + origin,
        normal: in_64(patch.normal).normalize_or_zero(),
        grip: patch.grip.into(),
        springs: Springs::of(springs),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_comes_back_as_it_went() {
        let origin = DVec3::new(0.25, -1.0, 3.0);
        let spring = |x: f64| Spring { stiffness: 7.0 * x, stretch: DVec3::new(x, -x, 0.5 * x) };
        let patch = StoredPatch {
            point: origin + DVec3::new(0.125, 0.5, -0.75),
            normal: DVec3::Z,
            grip: 0.5,
            springs: Springs::of([1.0, 0.25].into_iter().map(spring)),
        };
        let stored = vec![patch.clone(); MAX_PATCHES];
        let memory = remembered(&stored, origin).expect("there are places for so many");
        assert_eq!((memory.in_touch, memory.n), (1, MAX_PATCHES as u32));
        assert!(memory.patches.iter().all(|memory| stored_patch(memory, origin) == patch));
        assert!(remembered(&vec![patch.clone(); MAX_PATCHES + 1], origin).is_none());
        let many = (0..=MAX_SPRINGS).map(|ix| spring(ix as f64));
        assert!(remembered(&[StoredPatch { springs: Springs::of(many), ..patch }], origin).is_none());
    }

    #[test]
    fn what_is_no_number_is_no_answer() {
        let turn = [0.6, 0.0, 0.0];
        let state =
            StretchState { kicked_turn: turn, kicked_shift: [1.0, 2.0, 3.0], ..StretchState::default() };
        let gone_so_far = gone(&state).expect("numbers");
        assert!((gone_so_far.turn.w - 0.8).abs() < 1e-6 && gone_so_far.shift == DVec3::new(1.0, 2.0, 3.0));
        for wrong in [f32::NAN, f32::INFINITY] {
            assert!(gone(&StretchState { kicked_shift: [0.0, wrong, 0.0], ..state }).is_none());
            let place = Place { middle: DVec3::ZERO, origin: DVec3::ZERO };
            let mut seen = PairSeen { n: 1, ..PairSeen::default() };
            assert!(pair_of(&seen, &PairMemory::default(), &place).is_some());
            seen.patches[0].impulse[2] = wrong;
            assert!(pair_of(&seen, &PairMemory::default(), &place).is_none());
        }
    }
}
