//! The stages of facets: each against its twin, and all together against the exact method.

use std::sync::Arc;

use glam::DVec3;
use tactum_geometry::facets::{
    Candidates, Detail, Margins, PackedFacets, Placed, PlacedPair, Pressure, Query, RoundedMesh, Rounding,
    touch,
};
use tactum_geometry::{Pose, mesh::generate};
use tactum_gpu::{FacetAnswers, FacetDetail, Gpu};
use tactum_shaders::facets::compare::compare;
use tactum_shaders::facets::layout::FacetBlock;
use tactum_shaders::facets::{Memory, STAGES, TOUCH, twin};

use super::cases::solid;
use super::stages::{Tally, lines};
use super::{Check, CheckError, Context, Figure, stretch};
use crate::random::Random;

/// Error of the force, as a part of it: what 32 bits leave of depths of a thousandth of the bodies and more, ten times over.
const FORCE: f64 = 1e-3;

/// Depths that are looked for, in sizes of the smaller body.
const MARGIN: f64 = 0.05;

/// Far from the world's origin, in sizes: bodies' places are known in 64 bits.
const FAR: f64 = 1e3;

/// Sizes of balls \[m\].
const SIZES: [f64; 4] = [1.0, 1e-3, 30.0, 0.05];

pub fn check(context: &Context<'_>) -> Result<Vec<Check>, CheckError> {
    let mut gpu = context.gpu()?;
    let mut checks = each_stage(context, &mut gpu)?;
    checks.extend(against_exact(context, &mut gpu)?);
    Ok(checks)
}

/// Two rounded bodies.
pub struct Case {
    pub a: RoundedMesh,
    pub b: RoundedMesh,
    at_a: Pose,
    at_b: Pose,
    /// Size of the smaller one \[m\].
    pub size: f64,
}

/// Laws that have stages, for bodies of a size of some newtons' weight.
pub fn query(ix: usize, size: f64) -> Query {
    let modulus = 1e5;
    let pressure = match ix % 3 {
        0 => Pressure::Hertz { modulus },
        1 => Pressure::Linear { stiffness: modulus / size },
        _ => Pressure::Jkr { modulus, work: 1e-5 * modulus * size },
    };
    Query { pressure, in_touch: ix.is_multiple_of(2), about: DVec3::ZERO, detail: Detail::Sums }
}

impl Case {
    fn margins(&self, query: &Query) -> Margins {
        let curvature = self.a.least_curvature() + self.b.least_curvature();
        let gap = if curvature > 0.0 { query.pressure.range(curvature) } else { 0.0 };
        Margins { depth: MARGIN * self.size, gap, skin: 0.0 }
    }

    pub fn place(&self, first: [u32; 2], query: &Query) -> Result<PlacedPair, CheckError> {
        let of = |mesh, pose, first| Placed { mesh, pose, first };
        let [a, b] = [of(&self.a, &self.at_a, first[0]), of(&self.b, &self.at_b, first[1])];
        Ok(PlacedPair::new(&a, &b, &self.margins(query), query)?)
    }
}

/// Bodies of all shapes, their radii estimated; those that are no rounded meshes are left out.
fn of_all_shapes(context: &Context<'_>, n: usize) -> Vec<Case> {
    let pairs = context.shapes.pairs_of_one_size(n, 11);
    let rounded = |one: &Arc<_>| RoundedMesh::new(Arc::clone(one), &Rounding::Estimated).ok();
    let of = |case: &super::cases::Case| {
        let (a, b) = (rounded(&case.a)?, rounded(&case.b)?);
        let size = case.a.aabb().diagonal().min(case.b.aabb().diagonal());
        Some(Case { a, b, at_a: Pose::IDENTITY, at_b: case.a_from_b, size })
    };
    pairs.iter().filter_map(of).collect()
}

fn each_stage(context: &Context<'_>, gpu: &mut Gpu) -> Result<Vec<Check>, CheckError> {
    let mut tallies = [Tally::default(); STAGES.len()];
    let mut memory = Memory::default();
    for (ix, case) in of_all_shapes(context, context.some(64).max(16)).iter().enumerate() {
        let first = [&case.a, &case.b].map(|mesh| memory.add_body(&PackedFacets::new(mesh).facets));
        memory.add_pair(case.place(first, &query(ix, case.size))?.pair);
    }
    let places = twin::run(&mut memory, true).cap;
    // Once with all the places that it takes, once with too few.
    for cap in [places, places.saturating_sub(1)] {
        let round = memory.prepare(cap, true);
        for id in TOUCH {
            let (mut device, tally) = (memory.clone(), &mut tallies[id as usize]);
            gpu.run_facet_stage(id as usize, &round, &mut device)?;
            (id.stage().twin)(&mut memory, &round);
            tally.begin();
            for found in compare(id.stage(), &device, &memory) {
                tally.add(found.words, found.numbers, found.whole);
            }
        }
    }
    stretch::each_stage(context, gpu, &mut tallies)?;
    Ok(lines(context, STAGES.iter().map(|stage| stage.name).zip(&tallies)))
}

/// Balls on plates and on each other, far from the world's origin.
pub fn balls(n: usize) -> Result<Vec<Case>, CheckError> {
    let rounded = |mesh, curvature| -> Result<RoundedMesh, CheckError> {
        Ok(RoundedMesh::new(solid(mesh)?, &Rounding::Uniform(curvature))?)
    };
    let mut cases = Vec::new();
    for ix in 0..n {
        let mut random = Random::new((12 << 32) + ix as u64);
        let size = SIZES[ix % SIZES.len()];
        let radius = 0.5 * size;
        let b = rounded(generate::sphere(radius, [320, 1280, 5120][ix % 3])?, radius.recip())?;
        let depth = radius * [0.002, 0.01, 0.04][ix / 3 % 3];
        let at_a = Pose::new(random.cube() * FAR * size, random.rotation());
        let (a, place) = if ix % 2 == 0 {
            let plate = generate::cuboid(DVec3::new(4.0, 4.0, 1.0) * size, 48)?;
            let on = DVec3::new(random.unit() - 0.5, random.unit() - 0.5, 1.0) * size;
            (rounded(plate, 0.0)?, on - DVec3::Z * depth)
        } else {
            let ball = generate::sphere(0.7 * size, 1280)?;
            let toward = random.rotation() * DVec3::Z;
            (rounded(ball, (0.7 * size).recip())?, toward * (1.2 * size - depth))
        };
        let at_b = Pose::new(at_a.point(place), random.rotation());
        cases.push(Case { a, b, at_a, at_b, size });
    }
    Ok(cases)
}

fn against_exact(context: &Context<'_>, gpu: &mut Gpu) -> Result<Vec<Check>, CheckError> {
    let cases = balls(context.some(120).max(12))?;
    let mut placed = Vec::new();
    for (ix, case) in cases.iter().enumerate() {
        let upload = |gpu: &mut Gpu, mesh| gpu.upload_facets(&PackedFacets::new(mesh).facets);
        let first = [upload(gpu, &case.a)?, upload(gpu, &case.b)?];
        placed.push(case.place(first, &query(ix, case.size))?);
    }
    let mut answer = |order: &[usize]| -> Result<Vec<FacetBlock>, CheckError> {
        let pairs: Vec<_> = order.iter().map(|&ix| placed[ix].pair).collect();
        let mut answers = FacetAnswers::default();
        gpu.touch_facets(&pairs, FacetDetail::Sums, &mut answers)?;
        Ok(answers.blocks)
    };
    let order: Vec<usize> = (0..cases.len()).collect();
    let blocks = answer(&order)?;
    let again = answer(&order)?;
    let backward: Vec<usize> = order.iter().rev().copied().collect();
    let mut turned = answer(&backward)?;
    turned.reverse();
    let (mut worst, mut n_silent) = (0.0_f64, 0);
    for (ix, (case, block)) in cases.iter().zip(&blocks).enumerate() {
        let ask = query(ix, case.size);
        let candidates = Candidates::find(&case.a, &case.at_a, &case.b, &case.at_b, case.margins(&ask));
        let exact = touch(&case.a, &case.at_a, &case.b, &case.at_b, &candidates, &ask)?;
        let found = placed[ix].read(block, &case.at_a, &ask)?;
        n_silent += usize::from(exact.n_facets == 0);
        let error = (found.force - exact.force).length() / exact.force.length();
        // What is no number is no small error.
        worst = if error <= worst { worst } else { error };
    }
    let cases = (cases.len() as u64, "pairs");
    let differing = |other: &[FacetBlock]| {
        other.iter().zip(&blocks).filter(|(a, b)| a != b).count() + other.len().abs_diff(blocks.len())
    };
    Ok(vec![
        Check::new("force of facets against exact", cases, Figure { worst, limit: FORCE, unit: "of it" }),
        Check::new("balls that touch are found to", cases, Figure::faults(n_silent)),
        Check::new("facets: same bits the second time", cases, Figure::faults(differing(&again))),
        Check::new("facets: same bits in another order", cases, Figure::faults(differing(&turned))),
    ])
}
