//! Rays against the exact method and closed forms; the stages' twins cast them.

mod corners;
mod regions;

use std::f64::consts::FRAC_PI_4;

use glam::{DQuat, DVec2, DVec3};
use tactum_shaders::rays::layout::{ContactBlock, PairFrame, PairMeshes, state};
use tactum_shaders::rays::{Memory, Meshes, Method, Rounds, needs_axes, schedule_of, twin};

use super::*;
use crate::mesh::generate::{self, Table};
use crate::overlap::Patch;
use crate::overlap::exact;
use crate::solid::Clusters;
use crate::{Overlap, Pose, Solid};

const RAYS: u32 = 64;

/// Turns after which the box of a pair is along its normal: an overlap a millionth as thick as the box is wide is known to a tenth, then
/// to a hundredth, then to what its place is rounded to.
const MOST_TURNS: usize = 5;

struct Pair {
    solids: [Solid; 2],
    bodies: [RayBody; 2],
    meshes: Meshes,
    pair: PairMeshes,
    a_from_b: Pose,
}

impl Pair {
    fn new(a: Solid, b: Solid, a_from_b: Pose) -> Self {
        let clusters = [Clusters::new(&a), Clusters::new(&b)];
        let bodies = [0, 1].map(|k| RayBody {
            aabb: [&a, &b][k].aabb(),
            origin: clusters[k].origin,
            unit: clusters[k].unit,
        });
        let mut meshes = Meshes::default();
        let pair = PairMeshes::of(clusters.map(|of| meshes.add(&of.triangles, &of.boxes)));
        Self { solids: [a, b], bodies, meshes, pair, a_from_b }
    }

    fn exact(&self) -> Overlap {
        exact::overlap(&self.solids[0], &self.solids[1], &self.a_from_b)
    }

    fn block(&self, frame: PairFrame, method: Method) -> ContactBlock {
        let large_cap = 1 << 16;
        let rounds = Rounds::of(method, 1, large_cap);
        let mut memory = Memory::of_pairs(&[self.pair], &[frame], rounds.n_tiles(), large_cap);
        let commands = schedule_of(method, 1, &rounds, needs_axes(&memory.frames));
        twin::run(&commands, &rounds, &self.meshes, &mut memory);
        assert!(memory.large_wanted() <= large_cap);
        memory.blocks[0]
    }

    fn blocks(&self, grid: &Grid) -> Vec<ContactBlock> {
        self.blocks_by(grid, Method::Rays(RAYS))
    }

    fn blocks_by(&self, grid: &Grid, method: Method) -> Vec<ContactBlock> {
        let [a, b] = &self.bodies;
        let cells = place(a, b, &self.a_from_b, grid).into_iter();
        cells.map(|cell| cell.map_or_else(ContactBlock::empty, |frame| self.block(frame, method))).collect()
    }

    /// What triangles say, beginning with axes that the last measurement found; the box is turned as a detector turns it.
    fn by_triangles(&self, grid: &Grid) -> Result<Reading, Distrust> {
        let mut grid = grid.clone();
        for _ in 0..MOST_TURNS {
            let blocks = self.blocks_by(&grid, Method::Triangles);
            let Some(turned) = grid.turned_to_normal(&blocks) else {
                return self.read_by(&blocks, Method::Triangles);
            };
            grid = turned;
        }
        Err(Distrust::Uncertain)
    }

    fn read(&self, blocks: &[ContactBlock]) -> Result<Reading, Distrust> {
        self.read_by(blocks, Method::Rays(RAYS))
    }

    fn read_by(&self, blocks: &[ContactBlock], method: Method) -> Result<Reading, Distrust> {
        let size = self.solids[0].aabb().diagonal().min(self.solids[1].aabb().diagonal());
        read(blocks, &self.bodies[0], method, 2.0 * size, size)
    }

    fn measure(&self) -> Result<Reading, Distrust> {
        self.read(&self.blocks(&Grid::default()))
    }
}

fn cube() -> Solid {
    Solid::new(generate::cuboid(DVec3::ONE, 12).expect("a box")).expect("a box is closed")
}

/// Six wide, one thick.
fn slab() -> Solid {
    Solid::new(generate::cuboid(DVec3::new(6.0, 6.0, 1.0), 12).expect("a box")).expect("a box is closed")
}

fn blob(seed: u64) -> Solid {
    Solid::new(generate::critter(1.0, seed, 2000).expect("a critter")).expect("a critter is closed")
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z))
}

fn angle(a: DVec3, b: DVec3) -> f64 {
    a.cross(b).length().atan2(a.dot(b))
}

/// A box along the frame's axes is filled by its rays, so only the 32-bit positions err: some 1e-6 at this depth.
#[test]
fn a_box_flat_on_another_is_exact_to_32_bits() {
    let small = Solid::new(generate::cuboid(DVec3::splat(0.5), 12).expect("a box")).expect("closed");
    let pair = Pair::new(cube(), small, at(0.1, 0.05, 0.7));
    let reading = pair.measure().expect("a plain contact");
    assert!(reading.is_sure);
    let (found, wanted) = (reading.overlap, pair.exact());
    assert!((found.volume / wanted.volume - 1.0).abs() < 1e-5, "{} {}", found.volume, wanted.volume);
    assert!(angle(found.gradient, wanted.gradient) < 1e-6);
    assert!(found.centroid.distance(wanted.centroid) < 1e-5);
}

/// A reading judges by one draw of its error, and one draw in twelve is below a tenth of the spread: so at least half of
/// the sure readings err less than they aim at, and none ten times as much.
#[test]
fn a_sure_reading_is_as_good_as_it_says() {
    let (mut n_sure, mut n_good) = (0, 0);
    for seed in 0..24 {
        let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.4 * seed as f64, 0.7, 0.3 * seed as f64);
        // A slab that cuts off the lowest tenth of an animal.
        let (animal, up) = (blob(seed), turn * DVec3::Z);
        let heights = animal.vertices().iter().map(|x| x.dot(up));
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        let pair = Pair::new(animal, slab(), Pose::new((low + 0.1 * (high - low) - 0.5) * up, turn));
        let wanted = pair.exact();
        let Ok(Reading { overlap: found, is_sure: true, .. }) = pair.measure() else { continue };
        n_sure += 1;
        let error = (found.volume - wanted.volume).abs();
        assert!(error <= 10.0 * 3e-3 * wanted.volume, "{seed}: {} {}", found.volume, wanted.volume);
        let off = angle(found.gradient, wanted.gradient);
        n_good += u32::from(error <= 3e-3 * wanted.volume && off <= 5e-3);
        if wanted.volume > 0.0 {
            assert!(off < 10.0 * 5e-3, "{seed}: {off}");
            assert!(found.centroid.distance(wanted.centroid) < 6e-3 * wanted.bounds.diagonal(), "{seed}");
            let moment = |o: &Overlap| o.angular_gradient - o.centroid.cross(o.gradient);
            let error = (moment(&found) - moment(&wanted)).length();
            assert!(error < 2e-2 * wanted.gradient.length() * wanted.bounds.diagonal(), "{seed}: {error}");
        }
    }
    assert!(n_sure >= 3, "{n_sure} sure readings say little");
    assert!(2 * n_good >= n_sure, "{n_good} of {n_sure}");
}

/// A plane of A is found plane in one cell, whatever its direction; of a plane of B the two areas come from different rays.
#[test]
fn rays_find_a_plane_of_a_and_know_one_of_b_as_well_as_they_count() {
    let mut n_read = 0;
    for seed in 0..24 {
        let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.4 * seed as f64, 0.7, 0.3 * seed as f64);
        let (animal, up) = (blob(seed), turn * DVec3::Z);
        let low = animal.vertices().iter().map(|x| x.dot(up)).fold(f64::INFINITY, f64::min);
        let pose = Pose::new((low - 0.4) * up, turn);
        let of_a = Pair::new(slab(), blob(seed), pose.inverse());
        let of_b = Pair::new(animal, slab(), pose);
        assert!(of_a.exact().flatness().are_plane()[0] && of_b.exact().flatness().are_plane()[1]);
        let (Ok(of_a), Ok(of_b)) = (of_a.measure(), of_b.measure()) else { continue };
        n_read += 1;
        assert!(of_a.overlap.flatness().are_plane()[0], "{seed}");
        let excess = of_b.overlap.areas[1] / of_b.overlap.gradient.length() - 1.0;
        assert!(excess.abs() < 3e-2, "{seed}: {excess}");
    }
    assert!(n_read >= 4, "{n_read} readings say little");
}

/// Cube edge down 0.02 deep: V = d², and corner down 0.05 deep: V = √3/2 d³.
#[test]
fn edges_and_corners_are_met_along_their_normal() {
    let edge = Pose::new(DVec3::Z * (0.5 + 0.5f64.sqrt() - 0.02), DQuat::from_rotation_x(FRAC_PI_4));
    let corner_down = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::NEG_Z);
    let corner = Pose::new(DVec3::Z * (0.5 + 0.75f64.sqrt() - 0.05), corner_down);
    for (pose, volume) in [(edge, 4e-4), (corner, 0.75f64.sqrt() * 0.05f64.powi(3))] {
        let found = Pair::new(slab(), cube(), pose).measure().expect("a plain contact").overlap;
        assert!((found.volume / volume - 1.0).abs() < 3e-3, "{} {volume}", found.volume);
        assert!(angle(found.gradient, DVec3::Z) < 2e-2, "{}", found.gradient);
    }
}

fn turned(solid: &Solid, turn: DQuat) -> Solid {
    let mut mesh = solid.mesh().clone();
    mesh.vertices.iter_mut().for_each(|x| *x = turn * *x);
    Solid::new(mesh).expect("as closed as before")
}

/// A cube that lies flat, stands on an edge or on a corner, from a hundredth down to a millionth of its size deep, in axes that are a
/// body's own and in others: area times depth, d² and √3/2 d³. Their places are rounded to 2e-9 of a reach of five along each of three
/// axes, which a volume has as often as the depth is a factor of it; besides there are the roundings of 32 bits.
#[test]
fn triangles_know_overlaps_a_millionth_of_the_size_deep() {
    let corner_down = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::NEG_Z);
    let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.4, 0.7, 0.3);
    for depth in [1e-2_f64, 1e-4, 1e-5, 1e-6] {
        let flat = (DQuat::from_rotation_z(0.4), 0.5, depth, 1.0);
        let edge = (DQuat::from_rotation_x(FRAC_PI_4), 0.5f64.sqrt(), depth * depth, 2.0);
        let corner = (corner_down, 0.75f64.sqrt(), 0.75f64.sqrt() * depth.powi(3), 3.0);
        for (rotation, reach, volume, power) in [flat, edge, corner] {
            let pose = Pose::new(DVec3::new(0.1, 0.2, 0.5 + reach - depth), rotation);
            for (a, b, pose) in [
                (slab(), cube(), pose),
                (cube(), slab(), pose.inverse()),
                (turned(&slab(), turn), cube(), Pose::new(turn * pose.translation, turn * rotation)),
            ] {
                let pair = Pair::new(a, b, pose);
                let reading = pair.by_triangles(&Grid::default().for_triangles(&[])).expect("a contact");
                let found = reading.overlap;
                let error = (found.volume / volume - 1.0).abs();
                assert!(error < 1e-6 + power * 2e-8 / depth, "{depth} {volume}: {}", found.volume);
            }
        }
    }
}

/// Animals on each other, ever less deep, against the exact method: what calls itself sure is, and most is.
#[test]
fn triangles_agree_with_the_exact_method_where_bodies_hardly_touch() {
    let (mut n, mut n_sure) = (0, 0);
    for seed in 0..12 {
        let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.4 * seed as f64, 0.7, 0.3 * seed as f64);
        let (a, b) = (blob(seed), blob(seed + 50));
        let at = |distance: f64| Pose::new(DVec3::new(0.1, 0.3, distance), turn);
        let (mut near, mut far) = (0.0, 4.0);
        for _ in 0..50 {
            let middle = 0.5 * (near + far);
            let meets = exact::overlap(&a, &b, &at(middle)).volume > 0.0;
            (near, far) = if meets { (middle, far) } else { (near, middle) };
        }
        let pair = Pair::new(a, b, at(far - 10f64.powi(-3 - (seed % 4) as i32)));
        let wanted = pair.exact();
        let reading = pair.by_triangles(&Grid::default().for_triangles(&[])).expect("a contact");
        n += 1;
        if !reading.is_sure {
            continue;
        }
        n_sure += 1;
        let found = reading.overlap;
        let error = (found.volume / wanted.volume - 1.0).abs();
        assert!(error < 3e-3, "{seed}: {} {}", found.volume, wanted.volume);
        let off = angle(found.gradient, wanted.gradient);
        assert!(off < 5e-3, "{seed}: {off}");
        let (Some(patch), Some(known)) = (found.patch, wanted.patch) else { continue };
        let reach = |patch: &Patch| patch.polygon.iter().map(|x| x.length()).fold(0.0, f64::max);
        let (found, known) = (reach(&patch), reach(&known));
        assert!((found / known - 1.0).abs() < 1e-2, "{seed}: {found} {known}");
    }
    assert!(4 * n_sure >= 3 * n, "{n_sure} of {n}");
}

#[test]
fn a_body_inside_another_is_swallowed() {
    let small = Solid::new(generate::cuboid(DVec3::splat(0.5), 12).expect("a box")).expect("closed");
    let turned = Pose::new(DVec3::splat(0.02), DQuat::from_rotation_x(0.3));
    let found = Pair::new(cube(), small, turned).measure().expect("inside").overlap;
    assert_eq!(found.kind, crate::overlap::OverlapKind::Swallowed);
    assert!((found.volume - 0.125).abs() < 0.125 * 6e-3, "{}", found.volume);
}

#[test]
fn bodies_apart_are_empty_and_touching_ones_are_left_to_the_exact_method() {
    assert!(place_only(at(0.0, 0.0, 2.0)).iter().all(Option::is_none));
    // Boxes that meet, bodies that do not.
    let turn = DQuat::from_rotation_z(FRAC_PI_4);
    let near = Pair::new(cube(), cube(), Pose::new(DVec3::new(1.1, 1.1, 0.0), turn));
    assert_eq!(near.blocks(&Grid::default())[0].state & state::EMPTY, state::EMPTY);
    let touching = Pair::new(cube(), cube(), at(0.2, 0.1, 1.0)).measure();
    assert!(matches!(touching, Err(Distrust::Shallow | Distrust::Missed | Distrust::Unseen)), "{touching:?}");
}

fn place_only(pose: Pose) -> Vec<Option<PairFrame>> {
    let pair = Pair::new(cube(), cube(), pose);
    place(&pair.bodies[0], &pair.bodies[1], &pose, &Grid::default())
}

/// Cells fill space, so what they find adds up, and rays go where the feet are.
#[test]
fn cells_find_four_feet_better_than_one_box() {
    let size = Table {
        length: 1.2,
        width: 0.8,
        height: 0.7,
        top_thickness: 0.05,
        leg_thickness: 0.07,
        leg_inset: DVec2::splat(0.02),
    };
    let table = generate::table(&size, 500).expect("a table");
    let table = Solid::new(table).expect("a table is closed");
    let lowest = table.aabb().min.z;
    let floor = Solid::new(generate::cuboid(DVec3::new(4.0, 4.0, 1.0), 12).expect("a box")).expect("closed");
    let pose = Pose::new(DVec3::Z * (0.498 - lowest), DQuat::from_rotation_z(0.3));
    let pair = Pair::new(floor, table, pose);
    let wanted = pair.exact();
    let mut grid = Grid::default();
    let mut blocks = pair.blocks(&grid);
    let mut n_cuts = 0;
    while let Some(cut) = grid.cut(&blocks, &pair.bodies[0]) {
        grid = cut.grid;
        blocks = pair.blocks(&grid);
        n_cuts += 1;
    }
    assert!(n_cuts >= 2, "four feet are more than two");
    let found = pair.read(&blocks).expect("four feet").overlap;
    // Twice what a sure reading promises.
    assert!((found.volume / wanted.volume - 1.0).abs() < 6e-3, "{} {}", found.volume, wanted.volume);
    let patch = |o: &Overlap| o.patch.as_ref().expect("a patch").polygon.clone();
    let reach = |o: &Overlap| patch(o).iter().map(|x| x.length()).fold(0.0, f64::max);
    assert!((reach(&found) / reach(&wanted) - 1.0).abs() < 0.02, "{} {}", reach(&found), reach(&wanted));
}

/// Plain areas of both surfaces, which say whether they are plane, are as good as the volume; projections know them to a third only.
#[test]
fn triangles_know_plain_areas() {
    for seed in 0..4 {
        let turn = DQuat::from_euler(glam::EulerRot::XYZ, seed as f64, 0.7, 0.3);
        let pair = Pair::new(blob(seed), slab(), Pose::new(turn * DVec3::new(0.0, 0.0, -0.6), turn));
        let wanted = pair.exact();
        let grid = Grid::default().for_triangles(&pair.blocks(&Grid::default()));
        let found = pair.by_triangles(&grid).expect("an overlap").overlap;
        for of in 0..2 {
            let error = found.areas[of] / wanted.areas[of] - 1.0;
            assert!(error.abs() < 1e-5, "{seed}: {:?} {:?}", found.areas, wanted.areas);
        }
        assert_eq!(found.flatness().are_plane(), wanted.flatness().are_plane());
    }
}

/// Two balls whose overlap has a closed form, by more and more rays: the volume within 1 % with 32 rays across and 0.1 % with
/// 64, the normal within 0.2 degrees, and errors that fall with about the square of the number of rays.
///
/// The balls are meshes, and rays measure meshes: their errors are against the exact overlap of the same meshes, which lies
/// within 1 % of the closed form. One grid's error is a draw; twelve turns of the pair make a mean of it.
#[test]
fn d6_10_rays_converge_to_the_lens_of_two_balls() {
    const CLOSED_FORM: f64 = 0.049_427_72;
    let ball = |radius| Solid::new(generate::sphere(radius, 20 * 32 * 32).expect("a ball")).expect("closed");
    let pairs: Vec<Pair> = (0..12)
        .map(|k| {
            let turn =
                DQuat::from_euler(glam::EulerRot::XYZ, 0.5 * f64::from(k), 0.3 + 0.7 * f64::from(k), 0.2);
            // Along neither body's axes the other is where it was before.
            let turn_of_b = turn * DQuat::from_euler(glam::EulerRot::XYZ, 0.4, 0.9 * f64::from(k), 0.3);
            Pair::new(ball(1.0), ball(0.7), Pose::new(turn * (DVec3::X * 1.5), turn_of_b))
        })
        .collect();
    let mut means = Vec::new();
    for rays in [32, 64, 128, 256] {
        let (mut sum, mut worst, mut off) = (0.0, 0.0_f64, 0.0_f64);
        for pair in &pairs {
            let wanted = pair.exact();
            assert!((wanted.volume / CLOSED_FORM - 1.0).abs() < 0.01, "{}", wanted.volume);
            let [a, b] = &pair.bodies;
            let frame = place(a, b, &pair.a_from_b, &Grid::default())[0].expect("the boxes meet");
            let size = 1.4 * 3.0_f64.sqrt();
            let found = read(&[pair.block(frame, Method::Rays(rays))], a, rays, 2.0 * size, size)
                .expect("a plain lens")
                .overlap;
            let error = (found.volume / wanted.volume - 1.0).abs();
            sum += error;
            worst = worst.max(error);
            off = off.max(angle(found.gradient, wanted.gradient).to_degrees());
        }
        means.push(sum / pairs.len() as f64);
        println!(
            "{rays} rays: mean error {:e}, worst {worst:e}, normal off by {off} degrees",
            means[means.len() - 1]
        );
        let limit = if rays == 32 { 1e-2 } else { 1e-3 };
        assert!(worst < limit, "{rays} rays: {worst}");
        // Seen: 0.229.
        assert!(rays == 32 || off < 0.25, "{rays} rays: normal off by {off} degrees");
    }
    // Three doublings; positions of 32 bits end the fall at some 1e-6.
    let slope = (means[3] / means[0]).log2() / 3.0;
    println!("slope {slope}");
    assert!(slope < -1.3, "errors {means:?}: slope {slope}");
}

/// Shells that overlap or are listed twice cover space twice; what touches, or stands in another's cavity, does not.
#[test]
fn meshes_that_overlap_themselves_are_known() {
    let cube = |side: f64, x: f64| generate::cuboid(DVec3::splat(side), 12).unwrap().translated(DVec3::X * x);
    let turned_over = |mut mesh: crate::TriangleMesh| {
        mesh.triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
        mesh
    };
    let together = |meshes: &[crate::TriangleMesh]| {
        let mut all = crate::TriangleMesh::default();
        for mesh in meshes {
            let first = all.vertices.len() as u32;
            all.vertices.extend(&mesh.vertices);
            all.triangles.extend(mesh.triangles.iter().map(|corners| corners.map(|v| first + v)));
        }
        Solid::new(all).unwrap()
    };
    let cases = [
        (together(&[cube(1.0, 0.0)]), false),
        (together(&[cube(1.0, 0.0), cube(1.0, 0.0)]), true),
        (together(&[cube(1.0, 0.0), cube(1.0, 0.99)]), true),
        (together(&[cube(1.0, 0.0), cube(1.0, 1.0)]), false),
        (together(&[cube(1.0, 0.0), cube(1.0, 2.0)]), false),
        (together(&[cube(3.0, 0.0), turned_over(cube(2.0, 0.0)), cube(1.0, 0.2)]), false),
        (together(&[cube(3.0, 0.0), cube(1.0, 0.2)]), true),
    ];
    for (ix, (solid, expected)) in cases.iter().enumerate() {
        assert_eq!(overlaps_itself(solid), *expected, "case {ix}");
    }
}
