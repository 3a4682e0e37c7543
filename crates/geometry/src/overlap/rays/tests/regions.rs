//! The regions that cells make, against those of the exact method.

use super::*;

/// Two jaws on a bar: cells find a region for each, as the exact method does.
#[test]
fn cells_that_push_differently_are_regions() {
    let jaw = |x: f64| generate::cuboid(DVec3::ONE, 12).expect("a box").translated(DVec3::X * x);
    let (mut jaws, right) = (jaw(-1.0), jaw(1.0));
    let n = jaws.vertices.len() as u32;
    jaws.vertices.extend(right.vertices);
    jaws.triangles.extend(right.triangles.iter().map(|t| t.map(|v| v + n)));
    let jaws = Solid::new(jaws).expect("two boxes are closed");
    let bar = generate::cuboid(DVec3::new(1.02, 0.5, 3.0), 12).expect("a box");
    let pair = Pair::new(jaws, Solid::new(bar).expect("a box is closed"), Pose::IDENTITY);
    let wanted = pair.exact();
    let grid = Grid::default();
    let blocks = pair.blocks(&grid);
    let one_cell = pair.read(&blocks);
    assert!(matches!(one_cell, Err(Distrust::Missed | Distrust::Several)), "{one_cell:?}");
    let cut = grid.cut(&blocks, &pair.bodies[0]).expect("there is a gap");
    let found = pair.read(&pair.blocks(&cut.grid)).expect("two cells can").overlap;
    assert_eq!((found.regions.len(), wanted.regions.len()), (2, 2));
    for found in &found.regions {
        let found_normal = found.gradient.normalize();
        let same = |r: &&Overlap| r.gradient.normalize().dot(found_normal) > 0.999;
        let wanted = wanted.regions.iter().find(same).expect("the same side");
        // What a sure reading promises.
        assert!((found.volume / wanted.volume - 1.0).abs() < 3e-3, "{} {}", found.volume, wanted.volume);
        assert!(found.centroid.distance(wanted.centroid) < 1e-3);
        assert_eq!(found.kind, wanted.kind);
    }
}

/// The reading of a pair whose cells are cut and halved until each faces one way, each measured once, and how many cells that took.
fn divided(pair: &Pair) -> (Overlap, usize) {
    let mut grid = Grid::to_divide();
    let mut blocks = pair.blocks_by(&grid, Method::Triangles);
    loop {
        let reading = pair.read_by(&blocks, Method::Triangles).expect("triangles tell");
        if reading.askew <= 0.05 {
            return (reading.overlap, grid.n_cells());
        }
        let Refined { grid: finer, kept } = grid.divided(&blocks, &pair.bodies[0]).expect("room for cells");
        let fresh = pair.blocks_by(&finer, Method::Triangles);
        blocks = kept.into_iter().zip(fresh).map(|(known, fresh)| known.unwrap_or(fresh)).collect();
        grid = finer;
    }
}

/// Errors of a region's volume beside the pair's, of its direction \[rad\] and of its centroid beside the bodies' size of 1: what a sure
/// reading promises of the volume, the part of a side that is in cells with another, and half of it along that side.
const OF_REGIONS: [f64; 3] = [3e-3 + 0.05, 0.05, 0.025];

fn assert_same_regions(found: &Overlap, wanted: &Overlap) {
    assert!((found.volume / wanted.volume - 1.0).abs() < 3e-3, "{} {}", found.volume, wanted.volume);
    assert_eq!((found.regions.len(), found.n_components), (wanted.regions.len(), wanted.n_components));
    for found in &found.regions {
        let off = |wanted: &Overlap| angle(found.gradient, wanted.gradient);
        let far = |wanted: &Overlap| off(wanted) + found.centroid.distance(wanted.centroid);
        let nearest = wanted.regions.iter().min_by(|x, y| far(x).total_cmp(&far(y))).expect("regions");
        let [volume, direction, centroid] = OF_REGIONS;
        assert!(
            (found.volume - nearest.volume).abs() < volume * wanted.volume,
            "{} {}",
            found.volume,
            nearest.volume
        );
        assert!(off(nearest) < direction, "{}", off(nearest));
        assert!(
            found.centroid.distance(nearest.centroid) < centroid,
            "{} {}",
            found.centroid,
            nearest.centroid
        );
    }
}

/// A box in a corner is pressed from two sides without a gap between them: cells are halved until what holds both is small, and that is
/// shared out.
#[test]
fn sides_without_a_gap_are_told_apart_by_halves() {
    let size = generate::LShape { length: 1.0, height: 1.0, width: 1.0, thickness: 0.2 };
    let corner = Solid::new(generate::l_shape(&size, 300).expect("an L")).expect("an L is closed");
    let small = Solid::new(generate::cuboid(DVec3::splat(0.3), 12).expect("a box")).expect("a box is closed");
    // Both walls, above the foot and before the upright, 0.004 deep.
    let wall = corner.aabb().min + DVec3::splat(0.2);
    let (x, z) = (wall.x + 0.15 - 0.004, wall.z + 0.15 - 0.004);
    let pair = Pair::new(corner, small, at(x, 0.1, z));
    let wanted = pair.exact();
    assert_eq!(wanted.regions.len(), 2);
    assert_eq!(pair.measure().expect_err("two sides"), Distrust::Several);
    let (found, n_cells) = divided(&pair);
    assert!((2..=16).contains(&n_cells), "{n_cells}");
    assert_same_regions(&found, &wanted);
}

/// Boxes side by side, each with its middle at (x, 0, z).
fn boxes(size: DVec3, places: &[[f64; 2]]) -> Solid {
    let mut all =
        generate::cuboid(size, 12).expect("a box").translated(DVec3::new(places[0][0], 0.0, places[0][1]));
    for [x, z] in &places[1..] {
        let next = generate::cuboid(size, 12).expect("a box").translated(DVec3::new(*x, 0.0, *z));
        let n = all.vertices.len() as u32;
        all.vertices.extend(next.vertices);
        all.triangles.extend(next.triangles.iter().map(|t| t.map(|v| v + n)));
    }
    Solid::new(all).expect("boxes apart are closed")
}

/// Two boxes that stand on steps push one way, but in two planes: a gap between them shows it, although no triangle is small.
#[test]
fn pieces_in_several_planes_are_regions() {
    let size = DVec3::splat(0.5);
    let steps = boxes(size, &[[-0.5, 0.0], [0.5, 0.3]]);
    let stands = boxes(size, &[[-0.5, 0.498], [0.5, 0.797]]);
    let turn = Pose::new(DVec3::ZERO, DQuat::from_rotation_y(0.001));
    let pair = Pair::new(steps, stands, turn);
    let wanted = pair.exact();
    assert_eq!((wanted.regions.len(), wanted.n_components), (2, 2));
    let grid = Grid::default().for_triangles(&pair.blocks(&Grid::default()));
    let cut = grid.cut(&pair.blocks_by(&grid, Method::Triangles), &pair.bodies[0]).expect("there is a gap");
    let found =
        pair.read_by(&pair.blocks_by(&cut.grid, Method::Triangles), Method::Triangles).expect("two pieces");
    assert_same_regions(&found.overlap, &wanted);
}

/// A wall through which a bar goes: between the two faces of the wall there are no points of the overlap, and no gap.
#[test]
fn what_goes_through_a_wall_is_not_cut_inside_it() {
    let wall = Solid::new(generate::cuboid(DVec3::new(2.0, 2.0, 0.2), 12).expect("a box")).expect("closed");
    let bar = Solid::new(generate::cuboid(DVec3::new(0.3, 0.3, 2.0), 12).expect("a box")).expect("closed");
    let pair = Pair::new(wall, bar, at(0.1, 0.2, 0.0));
    let grid = Grid::to_divide();
    let blocks = pair.blocks_by(&grid, Method::Triangles);
    assert!(grid.cut(&blocks, &pair.bodies[0]).is_none());
    let found = pair.read_by(&blocks, Method::Triangles).expect("one piece").overlap;
    assert!((found.volume / pair.exact().volume - 1.0).abs() < 1e-6);
}
