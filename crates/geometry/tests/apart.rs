//! Pairs that the ray stages find to be apart against the exact method; the stages' twins work.

use std::f64::consts::TAU;

use glam::{DQuat, DVec2, DVec3};
use rayon::prelude::*;
use tactum_geometry::mesh::generate::{self, Table};
use tactum_geometry::overlap::exact;
use tactum_geometry::overlap::rays::{Grid, RayBody, place};
use tactum_geometry::solid::Clusters;
use tactum_geometry::{Pose, Solid, TriangleMesh};
use tactum_random::Rng;
use tactum_shaders::rays::layout::{ContactBlock, PairMeshes, shell, state};
use tactum_shaders::rays::{Memory, Meshes, Method, Rounds, needs_axes, schedule_of, twin};

/// As few rays as there can be: most small overlaps slip through them, and the proof has to say so.
const RAYS: u32 = 16;

/// Gap, in sizes of the smaller body, above which bodies that touch nothing are to be proved apart: 25 times what the stages take for
/// touching (4e-6 of the reach), which along an axis that is not quite the gap's is a few times as much.
const CLEAR: f64 = 1e-4;

/// Part of the pairs with such a gap that are proved apart. Of the fixed cases all are, of others 0.998; none has to be.
const PROVED: f64 = 0.995;

/// Gap, as a part of the smaller body's size, above which triangles tell most pairs apart, in whole numbers.
const NARROW: f64 = 1e-6;

/// Part of the pairs with such a gap that they do.
const PARTED: f64 = 0.95;

struct Body {
    solid: Solid,
    clusters: Clusters,
}

impl Body {
    fn new(mesh: TriangleMesh) -> Self {
        let solid = Solid::new(mesh).expect("a closed mesh");
        let clusters = Clusters::new(&solid);
        Self { solid, clusters }
    }

    fn size(&self) -> f64 {
        self.solid.aabb().diagonal()
    }

    fn ray_body(&self) -> RayBody {
        RayBody { aabb: self.solid.aabb(), origin: self.clusters.origin, unit: self.clusters.unit }
    }
}

fn cube(side: f64) -> TriangleMesh {
    generate::cuboid(DVec3::splat(side), 12).expect("a box")
}

/// Meshes as one.
fn together(parts: &[TriangleMesh]) -> TriangleMesh {
    let mut whole = TriangleMesh::default();
    for part in parts {
        let first = whole.vertices.len() as u32;
        whole.vertices.extend(&part.vertices);
        whole.triangles.extend(part.triangles.iter().map(|corners| corners.map(|ix| ix + first)));
    }
    whole
}

/// A cube of side 3 with a hole of side 2 in it.
fn hollow() -> TriangleMesh {
    let mut hole = cube(2.0);
    hole.triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
    together(&[cube(3.0), hole])
}

fn bodies() -> Vec<Body> {
    let table = Table {
        length: 1.2,
        width: 0.8,
        height: 0.7,
        top_thickness: 0.05,
        leg_thickness: 0.06,
        leg_inset: DVec2::splat(0.05),
    };
    let apart = [-0.8, 0.0, 0.8].map(|x| cube(0.3).translated(DVec3::new(x, 0.0, x * x)));
    let meshes = [
        cube(1.0),
        cube(0.05),
        generate::critter(1.0, 1, 300).expect("a critter"),
        generate::critter(0.2, 2, 600).expect("a critter"),
        generate::torus(0.5, 0.15, 400).expect("a ring"),
        generate::table(&table, 200).expect("a table"),
        generate::cuboid(DVec3::new(2.0, 1.0, 0.001), 12).expect("a foil"),
        together(&apart),
        hollow(),
    ];
    meshes.into_iter().map(Body::new).collect()
}

/// What the stages' twins say of a pair; `None` where the bodies' boxes do not meet.
fn block(a: &Body, b: &Body, a_from_b: &Pose) -> Option<ContactBlock> {
    block_by(Method::Rays(RAYS), &Grid::default(), a, b, a_from_b)
}

fn block_by(method: Method, grid: &Grid, a: &Body, b: &Body, a_from_b: &Pose) -> Option<ContactBlock> {
    let frames = place(&a.ray_body(), &b.ray_body(), a_from_b, grid);
    let frame = frames.into_iter().flatten().next()?;
    let mut meshes = Meshes::default();
    let pair = PairMeshes::of([a, b].map(|body| meshes.add(&body.clusters.triangles, &body.clusters.boxes)));
    let large_cap = 1 << 14;
    let rounds = Rounds::of(method, 1, large_cap);
    let mut memory = Memory::of_pairs(&[pair], &[frame], rounds.n_tiles(), large_cap);
    twin::run(&schedule_of(method, 1, &rounds, needs_axes(&[frame])), &rounds, &meshes, &mut memory);
    assert!(memory.large_wanted() <= large_cap);
    memory.blocks.pop()
}

fn is_apart(a: &Body, b: &Body, a_from_b: &Pose) -> bool {
    block(a, b, a_from_b).is_none_or(|block| block.state & state::EMPTY != 0)
}

fn rotation(random: &mut Rng) -> DQuat {
    let axis = DVec3::new(random.unit() - 0.5, random.unit() - 0.5, random.unit() - 0.5);
    DQuat::from_axis_angle((axis + DVec3::splat(1e-3)).normalize(), TAU * random.unit())
}

/// B at the border between touching A and not, as it comes from some side, and then moved by `gap`.
fn near_touch(a: &Body, b: &Body, random: &mut Rng, gap: f64) -> Pose {
    let (turn, direction) = (rotation(random), rotation(random) * DVec3::Z);
    let at = |distance: f64| {
        let middle = a.solid.aabb().center() + direction * distance;
        Pose::new(middle - turn * b.solid.aabb().center(), turn)
    };
    let meets = |distance: f64| exact::overlap(&a.solid, &b.solid, &at(distance)).volume > 0.0;
    let beyond = (a.size() + b.size()) / 2.0;
    let steps = 24;
    let first = (0..steps).rev().map(|k| beyond * f64::from(k) / f64::from(steps)).find(|&x| meets(x));
    let mut low = first.unwrap_or(0.0);
    let mut high = low + beyond / f64::from(steps);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if meets(middle) { low = middle } else { high = middle }
    }
    at(high + gap)
}

/// How many pairs there were of each kind.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    clear: u32,
    clear_and_proved: u32,
    overlap: u32,
    overlap_unseen: u32,
    /// With a gap above [`NARROW`], and those of them that triangles find to be apart.
    narrow: u32,
    parted: u32,
}

#[test]
fn what_is_proved_apart_is_apart_and_what_has_a_gap_is_proved() {
    let bodies = bodies();
    let n_cases = Rng::new(71).cases(10_000);
    let one = |ix: usize| {
        let mut random = Rng::new(0x5eed_0000 + ix as u64);
        let mut any = || &bodies[(random.unit() * bodies.len() as f64) as usize];
        let (a, b) = (any(), any());
        let size = a.size().min(b.size());
        // From a tenth of the size down to a billionth, this way and that.
        let distance = size * 10f64.powf(-1.0 - 8.0 * random.unit());
        let gap = if random.unit() < 0.5 { distance } else { -distance };
        let a_from_b = near_touch(a, b, &mut random, gap);
        let wanted = exact::overlap(&a.solid, &b.solid, &a_from_b);
        let found = block(a, b, &a_from_b);
        let is_apart = found.is_none_or(|block| block.state & state::EMPTY != 0);
        assert!(!is_apart || wanted.volume == 0.0, "{ix}: {} taken for none, gap {gap}", wanted.volume);
        let grid = Grid::default().for_triangles(found.as_slice());
        let by_triangles = block_by(Method::Triangles, &grid, a, b, &a_from_b);
        let is_parted = by_triangles.is_none_or(|block| block.state & state::EMPTY != 0);
        assert!(!is_parted || wanted.volume == 0.0, "{ix}: {} parted, gap {gap}", wanted.volume);
        let is_clear = wanted.volume == 0.0 && gap > CLEAR * size;
        Count {
            parted: (wanted.volume == 0.0 && gap > NARROW * size && is_parted).into(),
            narrow: (wanted.volume == 0.0 && gap > NARROW * size).into(),
            clear: is_clear.into(),
            clear_and_proved: (is_clear && is_apart).into(),
            overlap: (wanted.volume > 0.0).into(),
            overlap_unseen: (wanted.volume > 0.0 && found.is_some_and(|block| block.volume == 0.0)).into(),
        }
    };
    let add = |a: Count, b: Count| Count {
        clear: a.clear + b.clear,
        clear_and_proved: a.clear_and_proved + b.clear_and_proved,
        overlap: a.overlap + b.overlap,
        overlap_unseen: a.overlap_unseen + b.overlap_unseen,
        narrow: a.narrow + b.narrow,
        parted: a.parted + b.parted,
    };
    let count = (0..n_cases).into_par_iter().map(one).reduce(Count::default, add);
    println!("{count:?}");
    assert!(count.clear as usize > n_cases / 8 && count.overlap as usize > n_cases / 3, "{count:?}");
    assert!(f64::from(count.clear_and_proved) >= PROVED * f64::from(count.clear), "{count:?}");
    assert!(f64::from(count.parted) >= PARTED * f64::from(count.narrow), "{count:?}");
    // The proof has had to tell pairs that rays could not.
    assert!(count.overlap_unseen as usize > n_cases / 20, "{count:?}");
}

/// What is inside a hole is apart, what is inside the wall around it is not.
#[test]
fn what_is_in_a_hole_is_apart_and_what_is_in_a_wall_is_not() {
    let (hollow, grain) = (Body::new(hollow()), Body::new(cube(1e-3)));
    let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 0.5, 0.7);
    for (x, wanted) in [(0.0, true), (0.9, true), (1.25, false), (1.6, true)] {
        let at = Pose::new(DVec3::new(x, 0.1, 0.2), turn);
        assert_eq!(is_apart(&hollow, &grain, &at), wanted, "{x}");
        assert_eq!(is_apart(&grain, &hollow, &at.inverse()), wanted, "{x}");
    }
}

/// Clusters that say nothing of shells leave only what the boxes prove.
#[test]
fn without_shells_less_is_proved() {
    let mut bodies = [1, 2].map(|seed| Body::new(generate::critter(1.0, seed, 300).expect("a critter")));
    let poses: Vec<Pose> =
        (0..50).map(|ix| near_touch(&bodies[0], &bodies[1], &mut Rng::new(ix), 1e-3)).collect();
    let n_proved = |[a, b]: &[Body; 2]| poses.iter().filter(|pose| is_apart(a, b, pose)).count();
    assert_eq!(n_proved(&bodies), poses.len());
    for cluster in bodies.iter_mut().flat_map(|body| &mut body.clusters.boxes) {
        cluster.shell = shell::UNKNOWN;
    }
    assert!(n_proved(&bodies) < poses.len() / 2, "{}", n_proved(&bodies));
}
