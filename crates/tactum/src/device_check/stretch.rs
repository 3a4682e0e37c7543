//! The stages of a stretch of sub-steps, each against its twin: balls that hit plates and each other, slide and roll.

use glam::{DVec3, Vec3};
use tactum_geometry::facets::PackedFacets;
use tactum_gpu::Gpu;
use tactum_shaders::facets::compare::compare;
use tactum_shaders::facets::layout::{FacetPair, FacetRound};
use tactum_shaders::facets::stretch_layout::{StretchBody, StretchPair, link};
use tactum_shaders::facets::{BEGIN_STRETCH, Memory, STAGES, SUBSTEP, StageId};

use super::facets::{balls, query};
use super::stages::Tally;
use super::{CheckError, Context};
use crate::random::Random;

/// Sub-steps, so that what is remembered is read where it was written.
const SUBSTEPS: u32 = 4;

/// Length of a sub-step \[s\]: with the masses below a twentieth of what turns a contact round.
const LENGTH: f32 = 1e-3;

/// Runs the stages, and adds what differs to the tallies of all stages.
pub fn each_stage(
    context: &Context<'_>,
    gpu: &mut Gpu,
    tallies: &mut [Tally; STAGES.len()],
) -> Result<(), CheckError> {
    let mut memory = Memory::default();
    for (ix, case) in balls(context.some(60).max(12))?.iter().enumerate() {
        let first = [&case.a, &case.b].map(|mesh| memory.add_body(&PackedFacets::new(mesh).facets));
        let placed = case.place(first, &query(ix, case.size))?;
        // Twice as wide: the balls move.
        memory.add_pair(FacetPair { near: 2.0 * placed.pair.near, ..placed.pair });
        add_bodies(&mut memory, ix as u32, case.size as f32);
    }
    let round = |index: u32| FacetRound {
        index,
        length: LENGTH,
        since_kick: LENGTH,
        time: LENGTH * index as f32,
        most_stiff: f32::MAX,
        most_damped: f32::MAX,
        ..FacetRound::default()
    };
    let n_bodies = memory.bodies.len() as u32;
    let counted = memory.prepare(0, false);
    BEGIN_STRETCH[..2].iter().for_each(|stage| (stage.stage().twin)(&mut memory, &counted));
    let cap = memory.n_wanted();
    let sizes = FacetRound { n_bodies, ..memory.prepare(cap, false) };
    memory.prepare_stretch(cap);
    let mut run = |stages: &[StageId], round: &FacetRound| -> Result<(), CheckError> {
        for id in stages {
            let mut device = memory.clone();
            gpu.run_facet_stage(*id as usize, round, &mut device)?;
            (id.stage().twin)(&mut memory, round);
            let tally = &mut tallies[*id as usize];
            tally.begin();
            for found in compare(id.stage(), &device, &memory) {
                tally.add(found.words, found.numbers, found.whole);
            }
        }
        Ok(())
    };
    run(&BEGIN_STRETCH, &round(0).sized_as(&sizes))?;
    (0..SUBSTEPS).try_for_each(|index| run(&SUBSTEP, &round(index).sized_as(&sizes)))
}

/// The two bodies of a pair, the first of which stands still, and what they are to each other.
fn add_bodies(memory: &mut Memory, ix: u32, size: f32) {
    let mut random = Random::new((13 << 32) + u64::from(ix));
    let pair = memory.pairs[ix as usize];
    let center = |rows: &[[f32; 4]; 3]| [rows[0][3], rows[1][3], rows[2][3]];
    let mass = 0.1 * pair.modulus * size * 1e-3;
    for is_b in [false, true] {
        let first_link = memory.links.len() as u32;
        memory.links.push(link(ix, is_b));
        let along = |random: &mut Random| (random.rotation() * DVec3::Z).as_vec3();
        let moving = |x: Vec3| if is_b { x.to_array() } else { [0.0; 3] };
        let body = StretchBody {
            velocity: moving(0.1 * size * along(&mut random)),
            inverse_mass: if is_b { mass.recip() } else { 0.0 },
            spin: moving(mass * size * size * along(&mut random)),
            reach: size,
            inertia: if is_b { [9.0, 10.0, 11.0].map(|x| x / (mass * size * size)) } else { [1.0; 3] },
            allowance: size,
            lightness: if is_b { mass.recip() } else { 0.0 },
            acceleration: moving(size * along(&mut random)),
            first_link,
            end_link: first_link + 1,
            is_dynamic: is_b.into(),
            ..StretchBody::default()
        };
        memory.bodies.push(body);
    }
    memory.courses.push(StretchPair {
        base_a: pair.frame_from_a,
        base_b: pair.frame_from_b,
        center_a: center(&pair.frame_from_a),
        friction: if ix.is_multiple_of(4) { 0.0 } else { 0.3 },
        center_b: center(&pair.frame_from_b),
        shear: 0.8,
        bodies: [2 * ix, 2 * ix + 1],
        mass,
        damping: 0.2,
        shear_root: 0.9,
        ..StretchPair::default()
    });
}
