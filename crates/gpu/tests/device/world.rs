//! Closed meshes in clusters, pairs of them in random poses, and the device of the tests.

use glam::{Mat3, Quat, Vec3};
use tactum_gpu::{Adapter, Gpu, Options, adapters};
use tactum_shaders::rays::layout::{
    CLUSTER, Cluster, ClusterTriangles, ContactBlock, MeshPlace, PairFrame, PairMeshes, shell, state,
};
use tactum_shaders::rays::{Memory, Meshes, Method, ONE_BITS, Rounds, fixed_rows, schedule_of, twin};

/// Opens the software driver, on which stages and twins agree bit for bit.
pub fn open(mut options: Options) -> Gpu {
    let software = adapters().iter().position(Adapter::is_software);
    let Some(ix) = software else {
        panic!("no software Vulkan driver: on Debian and Ubuntu install mesa-vulkan-drivers");
    };
    options.adapter = Some(ix.to_string());
    Gpu::open(options).unwrap_or_else(|error| panic!("{error}"))
}

/// Numbers without pattern, the same in each run (Steele et al. 2014, SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between -1 and 1.
    pub fn number(&mut self) -> f32 {
        (self.word() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }

    pub fn rotation(&mut self) -> Mat3 {
        let axis = self.vector() + Vec3::splat(1e-3);
        Mat3::from_quat(Quat::from_axis_angle(axis.normalize(), 3.0 * self.number()))
    }
}

pub type Triangle = [Vec3; 3];

/// A cube of side 2.
pub fn cube() -> Vec<Triangle> {
    let mut triangles = Vec::new();
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            let corner = |i: f32, j: f32| {
                let mut x = Vec3::ZERO;
                (x[axis], x[(axis + 1) % 3], x[(axis + 2) % 3]) = (sign, i * sign, j);
                x
            };
            let [a, b, c, d] = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    triangles
}

/// A bumpy, non-convex ball of `8 k²` triangles, radius about 1.
pub fn blob(k: u32) -> Vec<Triangle> {
    let bump =
        |x: Vec3| x * (1.0 + 0.25 * (4.0 * x.x).sin() * (3.0 * x.y + 1.0).cos() + 0.1 * (9.0 * x.z).sin());
    let mut triangles = Vec::new();
    for octant in 0..8 {
        let sign = Vec3::from([0, 1, 2].map(|axis| if octant >> axis & 1 == 0 { 1.0 } else { -1.0 }));
        // Whole numbers that sum to k name each corner, so that neighbours compute the same one.
        let corner =
            |i: u32, j: u32| bump((Vec3::new(i as f32, j as f32, (k - i - j) as f32) * sign).normalize());
        let is_mirrored = sign.x * sign.y * sign.z < 0.0;
        let mut add = |a, b, c| triangles.push(if is_mirrored { [a, c, b] } else { [a, b, c] });
        for i in 0..k {
            for j in 0..k - i {
                add(corner(i, j), corner(i + 1, j), corner(i, j + 1));
                if i + j + 1 < k {
                    add(corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1));
                }
            }
        }
    }
    triangles
}

/// Sixty-four neighbouring triangles each.
pub fn clusters(mut triangles: Vec<Triangle>) -> (Vec<ClusterTriangles>, Vec<Cluster>) {
    triangles.sort_by_key(|t| interleaved((t[0] + t[1] + t[2]) / 3.0));
    let (triangles, mut boxes): (Vec<_>, Vec<Cluster>) = triangles.chunks(CLUSTER).map(cluster).unzip();
    // Every mesh here is in one piece.
    boxes[0].shell = shell::NEXT;
    (triangles, boxes)
}

/// Neighbours in space are mostly neighbours in the order of this key (Morton 1966).
fn interleaved(x: Vec3) -> u64 {
    let cell = ((x + 2.0) * 1024.0).as_u64vec3();
    (0..12).flat_map(|bit| (0..3).map(move |axis| (cell[axis] >> bit & 1) << (3 * bit + axis))).sum()
}

fn cluster(triangles: &[Triangle]) -> (ClusterTriangles, Cluster) {
    let mut corners = [[0.0; CLUSTER]; 9];
    let (mut lo, mut hi) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let filled = triangles.iter().copied().chain(std::iter::repeat([triangles[0][0]; 3]));
    for (place, triangle) in (0..CLUSTER).zip(filled) {
        for (k, x) in triangle.into_iter().enumerate() {
            (lo, hi) = (lo.min(x), hi.max(x));
            for c in 0..3 {
                corners[3 * k + c][place] = x[c];
            }
        }
    }
    let bounds = Cluster { lo: lo.into(), shell: shell::SAME, hi: hi.into(), pad: 0.0 };
    (ClusterTriangles { corners, low: [[0; CLUSTER]; 3] }, bounds)
}

/// What whole numbers count: all meshes here lie within 2.
const UNIT: f32 = 2.0 / (1u32 << ONE_BITS) as f32;

/// Meshes, and pairs of them.
#[derive(Clone, Default)]
pub struct World {
    pub meshes: Meshes,
    /// Where each mesh is.
    pub places: Vec<MeshPlace>,
    pub pairs: Vec<PairMeshes>,
    pub frames: Vec<PairFrame>,
}

impl World {
    pub fn add_mesh(&mut self, triangles: Vec<Triangle>) -> usize {
        let (triangles, boxes) = clusters(triangles);
        self.places.push(self.meshes.add(&triangles, &boxes));
        self.places.len() - 1
    }

    /// Places `b` at `shift` from `a`, both turned.
    pub fn add_pair(&mut self, [a, b]: [usize; 2], turns: [Mat3; 2], shift: Vec3, aligned: bool) {
        self.pairs.push(PairMeshes::of([self.places[a], self.places[b]]));
        let (reach_a, box_a) = self.placed(a, &turns[0], -0.5 * shift);
        let (reach_b, box_b) = self.placed(b, &turns[1], 0.5 * shift);
        let (lo, hi) = (box_a[0].max(box_b[0]), box_a[1].min(box_b[1]));
        let is_empty = lo.cmpge(hi).any();
        let size = if is_empty { Vec3::ONE } else { hi - lo };
        let fixed = |turn: &Mat3, shift: Vec3| {
            let axes = [0, 1, 2].map(|k| turn.row(k).as_dvec3().to_array());
            fixed_rows(axes, shift.as_dvec3().to_array(), UNIT)
        };
        let (fixed_from_a, low_a) = fixed(&turns[0], -0.5 * shift);
        let (fixed_from_b, low_b) = fixed(&turns[1], 0.5 * shift);
        self.frames.push(PairFrame {
            frame_from_a: rows(&turns[0], -0.5 * shift),
            frame_from_b: rows(&turns[1], 0.5 * shift),
            lo: lo.into(),
            state: u32::from(is_empty) * state::EMPTY + u32::from(aligned) * (state::ALIGNED | state::FIXED),
            hi: (lo + size).into(),
            reach: reach_a.max(reach_b),
            scale: size.recip().into(),
            pad: 0.0,
            fixed_from_a,
            fixed_from_b,
            low_a,
            unit_a: UNIT,
            low_b,
            unit_b: UNIT,
        });
    }

    fn placed(&self, mesh: usize, turn: &Mat3, shift: Vec3) -> (f32, [Vec3; 2]) {
        let MeshPlace { first, n, .. } = self.places[mesh];
        let (mut reach, mut lo, mut hi) = (0.0f32, Vec3::INFINITY, Vec3::NEG_INFINITY);
        for cluster in &self.meshes.triangles[first as usize..(first + n) as usize] {
            for (k, t) in (0..3).flat_map(|k| (0..CLUSTER).map(move |t| (k, t))) {
                let c = &cluster.corners;
                let x = *turn * Vec3::new(c[3 * k][t], c[3 * k + 1][t], c[3 * k + 2][t]) + shift;
                (reach, lo, hi) = (reach.max(x.length()), lo.min(x), hi.max(x));
            }
        }
        (reach, [lo, hi])
    }

    /// Cubes, coarse and fine blobs in random poses, some of them apart, some with known axes.
    pub fn random(n_pairs: usize, fine: u32, seed: u64) -> Self {
        let mut world = Self::default();
        let meshes = [cube(), blob(6), blob(fine)].map(|mesh| world.add_mesh(mesh));
        let mut random = Random(seed);
        for ix in 0..n_pairs {
            let kinds = [meshes[ix % 3], meshes[random.word() as usize % 3]];
            let turns = [random.rotation(), random.rotation()];
            let distance = [1.7, 1.4, 0.9, 0.2, 3.9][ix % 5];
            let shift = distance * (random.vector() + Vec3::splat(1e-3)).normalize();
            world.add_pair(kinds, turns, shift, ix % 4 == 3);
        }
        world
    }

    /// Blobs so near each other that their boxes meet, touching or not.
    pub fn near(n_pairs: usize, fine: u32, seed: u64) -> Self {
        let mut world = Self::default();
        let mesh = world.add_mesh(blob(fine));
        let mut random = Random(seed);
        for ix in 0..n_pairs {
            let turns = [random.rotation(), random.rotation()];
            let shift = (1.75 + 0.03 * (ix % 16) as f32) * (random.vector() + Vec3::splat(1e-3)).normalize();
            world.add_pair([mesh; 2], turns, shift, ix % 4 == 3);
        }
        world
    }

    /// Uploads all meshes at once, so that clusters have the same numbers on host and device.
    pub fn upload(&self, gpu: &mut Gpu) {
        gpu.upload_packed(&self.meshes).expect("the meshes fit");
    }

    /// Memory as the first stage expects it.
    pub fn memory(&self, rounds: &Rounds, large_cap: u32) -> Memory {
        Memory::of_pairs(&self.pairs, &self.frames, rounds.n_tiles(), large_cap)
    }

    /// What the twins make of all pairs at once.
    pub fn twin(&self, rays: u32) -> Vec<ContactBlock> {
        self.twin_of(Method::Rays(rays))
    }

    /// The same by a method.
    pub fn twin_of(&self, method: Method) -> Vec<ContactBlock> {
        let large_cap = 1 << 16;
        let n_pairs = self.pairs.len() as u32;
        let rounds = Rounds::of(method, n_pairs, large_cap);
        let mut memory = self.memory(&rounds, large_cap);
        twin::run(&schedule_of(method, n_pairs, &rounds, true), &rounds, &self.meshes, &mut memory);
        assert!(memory.large_wanted() <= large_cap, "the twin had no room for {}", memory.large_wanted());
        memory.blocks
    }
}

fn rows(turn: &Mat3, shift: Vec3) -> [[f32; 4]; 3] {
    std::array::from_fn(|k| turn.row(k).extend(shift[k]).into())
}
