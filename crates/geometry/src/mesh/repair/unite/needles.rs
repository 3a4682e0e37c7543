//! Triangles without area where surfaces lay in one plane.

use glam::DVec3;

use crate::mesh::TriangleMesh;
use crate::mesh::check::topology::Edges;

/// Rounds of taking needles out. Each takes those that lie apart; a row of them on one edge takes as many rounds as it has.
const MAX_ROUNDS: usize = 64;

/// Takes out triangles that are lower than `tolerance`: those with two corners in one point, back-to-back pairs, and those with a
/// corner on the opposite side, whose neighbour there is divided at that corner. Edges stay as balanced as they are.
pub fn remove(mesh: &mut TriangleMesh, tolerance: f64) {
    for _ in 0..MAX_ROUNDS {
        mesh.triangles.retain(|[a, b, c]| a != b && b != c && c != a);
        drop_pairs(mesh);
        if !flip(mesh, tolerance) {
            break;
        }
    }
}

/// Drops pairs of triangles with the same corners that look opposite ways.
fn drop_pairs(mesh: &mut TriangleMesh) {
    let mut keyed: Vec<([u32; 3], bool, usize)> = Vec::with_capacity(mesh.triangles.len());
    for (ix, corners) in mesh.triangles.iter().enumerate() {
        let mut sorted = *corners;
        sorted.sort_unstable();
        let at = corners.iter().position(|v| *v == sorted[0]).unwrap_or(0);
        keyed.push((sorted, corners[(at + 1) % 3] == sorted[1], ix));
    }
    keyed.sort_unstable();
    let mut is_kept = vec![true; mesh.triangles.len()];
    for group in keyed.chunk_by(|a, b| a.0 == b.0) {
        let (back, front) = group.split_at(group.partition_point(|(_, runs, _)| !runs));
        for (a, b) in back.iter().zip(front) {
            is_kept[a.2] = false;
            is_kept[b.2] = false;
        }
    }
    let mut kept = is_kept.iter();
    mesh.triangles.retain(|_| kept.next() == Some(&true));
}

/// Replaces needles and their neighbours across the longest side by the same two triangles with the other diagonal; whether any
/// was.
fn flip(mesh: &mut TriangleMesh, tolerance: f64) -> bool {
    let edges = Edges::of(&mesh.triangles);
    let mut is_changed = vec![false; mesh.triangles.len()];
    let mut any = false;
    for ix in 0..mesh.triangles.len() {
        let x: [DVec3; 3] = mesh.corners(ix);
        let side = |k: usize| x[k].distance(x[(k + 1) % 3]);
        let longest = (0..3).max_by(|&j, &k| side(j).total_cmp(&side(k))).unwrap_or(0);
        let double_area = (x[1] - x[0]).cross(x[2] - x[0]).length();
        if double_area > tolerance * side(longest) || is_changed[ix] {
            continue;
        }
        let corners = mesh.triangles[ix];
        let [a, b, c] = [0, 1, 2].map(|k| corners[(longest + k) % 3]);
        let uses = edges.uses([a.min(b), a.max(b)]);
        // The neighbour runs from b to a.
        let is_neighbour = |u: &&crate::mesh::check::topology::Use| {
            u.is_forward == (b < a) && u.triangle as usize != ix && !is_changed[u.triangle as usize]
        };
        let Some(neighbour) = uses.iter().find(is_neighbour) else { continue };
        let other = mesh.triangles[neighbour.triangle as usize];
        let Some(apex) = other.into_iter().find(|v| *v != a && *v != b) else { continue };
        if apex == c {
            continue;
        }
        is_changed[ix] = true;
        is_changed[neighbour.triangle as usize] = true;
        mesh.triangles[ix] = [a, apex, c];
        mesh.triangles[neighbour.triangle as usize] = [apex, b, c];
        any = true;
    }
    any
}
