//! Shapes, poses, and the two put together.

use std::sync::Arc;

use glam::{DMat3, DQuat, DVec2, DVec3};
use rayon::prelude::*;
use tactum_geometry::mesh::generate::{self, Bolt, BumpyCube, Nut, Prism, Table, Thread};
use tactum_geometry::overlap::exact;
use tactum_geometry::overlap::rays::{self, Grid, RayBody};
use tactum_geometry::solid::Clusters;
use tactum_geometry::{Aabb, Pose, Solid, TriangleMesh};
use tactum_shaders::rays::layout::{PairFrame, PairMeshes, state};
use tactum_shaders::rays::{Memory, Meshes, Rounds};

use super::CheckError;
use crate::backend::rays::MeshPair;
use crate::random::Random;

/// Sizes of bodies \[m\].
const SIZES: [f64; 5] = [1.0, 1e-3, 30.0, 0.05, 1e3];

/// Distance of some pairs from the world's origin, in sizes.
const FAR: f64 = 1e5;

/// Distance of some meshes from the origin that they were modelled about, in sizes.
const MODELLED_FAR: f64 = 1e3;

/// Two posed bodies.
pub struct Case {
    pub a: Arc<Solid>,
    pub b: Arc<Solid>,
    pub a_from_b: Pose,
    /// Whether they are about as deep in each other as bodies that rest: not swallowed, and not half inside.
    pub is_contact: bool,
}

impl Case {
    pub fn pair(&self) -> MeshPair<'_> {
        MeshPair { a: &self.a, b: &self.b, a_from_b: self.a_from_b }
    }

    /// Whether they are deeper in each other than bodies that rest.
    pub fn is_deep(&self) -> bool {
        !self.is_contact && exact::overlap(&self.a, &self.b, &self.a_from_b).volume > 0.0
    }
}

/// Where a pair is in relation to the place at which its bodies touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Depth {
    /// B has come on by this part of its size since they touched.
    Sunk(f64),
    /// B's middle is at A's.
    Inside,
    /// The boxes may meet, the bodies do not.
    Apart,
}

/// All kinds of pairs there are, in turn.
const DEPTHS: [Depth; 8] = [
    Depth::Sunk(0.02),
    Depth::Sunk(0.3),
    Depth::Sunk(0.005),
    Depth::Inside,
    Depth::Sunk(0.08),
    Depth::Apart,
    Depth::Sunk(0.0),
    Depth::Sunk(0.7),
];

/// Deepest contact that a simulation should see for long.
const RESTING: f64 = 0.1;

pub fn solid(mesh: TriangleMesh) -> Result<Arc<Solid>, CheckError> {
    Ok(Arc::new(Solid::new(mesh)?))
}

/// A bolt and the nut on its thread, in metres.
pub fn bolt_and_nut() -> Result<[TriangleMesh; 2], CheckError> {
    let thread = Thread { radius: 0.3, pitch: 0.08, amplitude: 0.02, starts: 1 };
    let bolt =
        Bolt { thread, thread_length: 1.6, fade: 0.08, shank_length: 0.0, head_height: 0.4, head_width: 1.0 };
    let nut = Nut { thread, clearance: 0.004, height: 0.5, width: 1.0, fade: 0.04 };
    Ok([generate::bolt(&bolt, 8000)?, generate::nut(&nut, 6000)?])
}

/// Bodies of a size of about 1 m: flat and round, thick and thin, with holes and without.
fn meshes() -> Result<Vec<TriangleMesh>, CheckError> {
    let [bolt, nut] = bolt_and_nut()?;
    let table = Table {
        length: 1.2,
        width: 0.8,
        height: 0.7,
        top_thickness: 0.05,
        leg_thickness: 0.06,
        leg_inset: DVec2::splat(0.05),
    };
    Ok(vec![
        generate::cuboid(DVec3::ONE, 12)?,
        generate::critter(1.0, 1, 2000)?,
        generate::cuboid(DVec3::new(3.0, 2.0, 0.05), 500)?,
        generate::torus(0.5, 0.15, 1500)?,
        generate::critter(0.7, 2, 1000)?,
        generate::prism(&Prism { sides: 5, radius: 0.5, height: 0.8 }, 200)?,
        generate::table(&table, 500)?,
        generate::star(0.6, 0.25, 1000)?,
        nut,
        generate::bumpy_cube(&BumpyCube { side: 1.0, bumps: 3, bump_height: 0.05 }, 3000)?,
        bolt,
        generate::sphere(0.5, 1280)?,
    ])
}

/// Solids of all shapes in all sizes.
pub struct Shapes(Vec<Vec<Arc<Solid>>>);

impl Shapes {
    pub fn new() -> Result<Self, CheckError> {
        let meshes = meshes()?;
        let of_size = |&size: &f64| {
            let scaled = meshes.iter().enumerate().map(|(ix, mesh)| {
                // Every third mesh was modelled far from its origin.
                let far = if ix % 3 == 2 { MODELLED_FAR * size } else { 0.0 };
                solid(mesh.clone().scaled(size).translated(DVec3::new(1.0, -0.5, 2.0) * far))
            });
            scaled.collect()
        };
        SIZES.iter().map(of_size).collect::<Result<_, _>>().map(Self)
    }

    /// `n` pairs of all kinds, sizes and depths.
    pub fn pairs(&self, n: usize, seed: u64) -> Vec<Case> {
        self.pairs_of(n, seed, self.0.len())
    }

    /// The same of a size of about 1 m.
    pub fn pairs_of_one_size(&self, n: usize, seed: u64) -> Vec<Case> {
        self.pairs_of(n, seed, 1)
    }

    fn pairs_of(&self, n: usize, seed: u64, n_sizes: usize) -> Vec<Case> {
        let one = |ix: usize| {
            // Seeds of different calls must not meet.
            let mut random = Random::new((seed << 32) + ix as u64);
            let solids = &self.0[ix % n_sizes];
            let a = &solids[(ix / n_sizes) % solids.len()];
            let b = &solids[(random.unit() * solids.len() as f64) as usize];
            place(a, b, DEPTHS[ix % DEPTHS.len()], &mut random)
        };
        (0..n).into_par_iter().map(one).collect()
    }
}

/// Brings B near A from any side, until both are as deep in each other as wanted.
fn place(a: &Arc<Solid>, b: &Arc<Solid>, depth: Depth, random: &mut Random) -> Case {
    let w_from_a = Pose::new(random.cube() * FAR * a.aabb().diagonal(), random.rotation());
    let (turn, direction) = (random.rotation(), random.rotation() * DVec3::Z);
    let middles = [a, b].map(|solid| solid.aabb().center());
    let at = |distance: f64| {
        let w_from_b_rotation = w_from_a.rotation * turn;
        let middle = w_from_a.point(middles[0] + direction * distance);
        let w_from_b = Pose::new(middle - w_from_b_rotation * middles[1], w_from_b_rotation);
        w_from_a.relative(&w_from_b)
    };
    let radii = [a, b].map(|solid| solid.aabb().diagonal() / 2.0);
    let beyond = radii[0] + radii[1];
    let is_contact = matches!(depth, Depth::Sunk(part) if part <= RESTING);
    let case = |distance| Case { a: Arc::clone(a), b: Arc::clone(b), a_from_b: at(distance), is_contact };
    match depth {
        Depth::Inside => case(0.0),
        Depth::Apart => case(touching(a, b, beyond, &at) + 0.01 * radii[0].min(radii[1])),
        Depth::Sunk(part) => {
            let distance = touching(a, b, beyond, &at) - part * radii[0].min(radii[1]);
            case(distance.max(0.0))
        }
    }
}

/// The distance at which bodies that come from beyond touch, as far as bisection finds it: the upper side of a border
/// between overlap and none.
fn touching(a: &Solid, b: &Solid, beyond: f64, at: &impl Fn(f64) -> Pose) -> f64 {
    /// A border is looked for in this many steps, then halved this often.
    const STEPS: i32 = 32;
    const HALVINGS: i32 = 12;
    let meets = |distance: f64| exact::overlap(a, b, &at(distance)).volume > 0.0;
    let step = beyond / f64::from(STEPS);
    let first = (0..STEPS).rev().map(|k| f64::from(k) * step).find(|&distance| meets(distance));
    let Some(mut low) = first else { return 0.0 };
    let mut high = low + step;
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if meets(middle) { low = middle } else { high = middle }
    }
    high
}

/// Cases as the stages take them.
#[derive(Clone, Default)]
pub struct Batch {
    pub meshes: Meshes,
    pub pairs: Vec<PairMeshes>,
    pub frames: Vec<PairFrame>,
}

/// Places for tiles of large triangles: enough for all cases. With too few, which of them find a place depends on the order
/// of the threads; that whole measurements are repeated then is looked at in `blocks`.
pub const LARGE_CAP: u32 = 1 << 20;

impl Batch {
    /// Cases whose boxes meet, framed as a measurement frames them.
    pub fn new(cases: &[Case]) -> Self {
        let mut batch = Self::default();
        for case in cases {
            let bodies = batch.add_meshes(case);
            let frames = rays::place(&bodies[0], &bodies[1], &case.a_from_b, &Grid::default());
            batch.add_frames(&frames.into_iter().flatten().collect::<Vec<_>>());
        }
        batch
    }

    /// Cases in boxes that hold both bodies whole, in axes that are A's, or turned.
    pub fn whole(cases: &[Case], mut turn: impl FnMut(usize) -> DQuat) -> Self {
        let mut batch = Self::default();
        for (ix, case) in cases.iter().enumerate() {
            let bodies = batch.add_meshes(case);
            batch.add_frames(&[whole_frame(&bodies, &case.a_from_b, turn(ix))]);
        }
        batch
    }

    fn add_meshes(&mut self, case: &Case) -> [RayBody; 2] {
        let add = |solid: &Arc<Solid>| {
            let clusters = Clusters::new(solid);
            let place = self.meshes.add(&clusters.triangles, &clusters.boxes);
            (place, RayBody { aabb: solid.aabb(), origin: clusters.origin, unit: clusters.unit })
        };
        let [(a, body_a), (b, body_b)] = [&case.a, &case.b].map(add);
        self.pairs.push(PairMeshes::of([a, b]));
        [body_a, body_b]
    }

    /// Frames of the last meshes; without any there is nothing to measure.
    fn add_frames(&mut self, frames: &[PairFrame]) {
        let Some(pair) = self.pairs.pop() else { return };
        for frame in frames {
            self.pairs.push(pair);
            self.frames.push(*frame);
        }
    }

    /// Memory as the first stage expects it.
    pub fn memory(&self, rounds: &Rounds, large_cap: u32) -> Memory {
        Memory::of_pairs(&self.pairs, &self.frames, rounds.n_tiles(), large_cap)
    }

    /// The pairs in another order.
    pub fn ordered(&self, order: &[usize]) -> Self {
        Self {
            meshes: self.meshes.clone(),
            pairs: order.iter().map(|&ix| self.pairs[ix]).collect(),
            frames: order.iter().map(|&ix| self.frames[ix]).collect(),
        }
    }
}

/// A frame about the middle of both bodies, its box a little larger than they are.
fn whole_frame(bodies: &[RayBody; 2], a_from_b: &Pose, turn: DQuat) -> PairFrame {
    /// Room around the bodies, as a part of the box.
    const ROOM: f64 = 0.01;
    let frame_from_a = DMat3::from_quat(turn);
    let maps = [
        (frame_from_a, DVec3::ZERO),
        (frame_from_a * a_from_b.matrix(), frame_from_a * a_from_b.translation),
    ];
    let boxes = [0, 1].map(|k| {
        let (rotation, translation) = &maps[k];
        let half = rotation.abs() * bodies[k].aabb.half_size();
        let center = *rotation * bodies[k].aabb.center() + *translation;
        Aabb { min: center - half, max: center + half }
    });
    let both = boxes[0].union(&boxes[1]);
    let middle = both.center();
    let half = both.half_size() * (1.0 + ROOM);
    let rows = |k: usize| {
        let (rotation, translation) = &maps[k];
        let shift = *rotation * bodies[k].origin + (*translation - middle);
        [0, 1, 2].map(|row| rotation.row(row).extend(shift[row]).as_vec4().to_array())
    };
    let (lo, hi) = ((-half).as_vec3(), half.as_vec3());
    PairFrame {
        frame_from_a: rows(0),
        frame_from_b: rows(1),
        lo: lo.to_array(),
        state: state::FIXED,
        hi: hi.to_array(),
        reach: half.length() as f32,
        scale: (hi - lo).recip().to_array(),
        ..PairFrame::default()
    }
}
