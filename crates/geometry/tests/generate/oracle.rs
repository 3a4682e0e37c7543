//! What the tests ask of a mesh, written without the crate's own mesh code.

use glam::DVec3;
use tactum_geometry::TriangleMesh;

/// As [`assert_closed_loosely`], and panics if a triangle is degenerate.
pub fn assert_closed(name: &str, mesh: &TriangleMesh) -> i64 {
    for ix in 0..mesh.triangles.len() {
        let [a, b, c] = mesh.corners(ix);
        let longest = (b - a).length_squared().max((c - b).length_squared()).max((a - c).length_squared());
        // Twice the area over the longest edge squared is height over base; the thinnest wanted sliver is a coin's.
        let slenderness = (b - a).cross(c - a).length() / longest;
        assert!(slenderness > 1e-6, "{name}: triangle {ix} is degenerate: {a} {b} {c}");
    }
    assert_closed_loosely(name, mesh)
}

/// Panics unless every directed edge occurs once and its reverse once, every vertex is used and is the middle of one
/// fan; returns the Euler characteristic V - E + F.
pub fn assert_closed_loosely(name: &str, mesh: &TriangleMesh) -> i64 {
    let mut edges: Vec<(u32, u32)> =
        mesh.triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
    edges.sort_unstable();
    for pair in edges.windows(2) {
        assert_ne!(pair[0], pair[1], "{name}: a directed edge is used twice");
    }
    for &(a, b) in &edges {
        assert!(edges.binary_search(&(b, a)).is_ok(), "{name}: edge {a}-{b} has one side only");
    }
    let mut used = vec![false; mesh.vertices.len()];
    for &v in mesh.triangles.iter().flatten() {
        used[v as usize] = true;
    }
    assert!(used.iter().all(|&u| u), "{name}: a vertex is not used");
    assert!(mesh.vertices.iter().all(|p| p.is_finite()), "{name}: a position is not finite");
    assert_vertices_are_fans(name, mesh);
    mesh.vertices.len() as i64 - edges.len() as i64 / 2 + mesh.triangles.len() as i64
}

/// Panics unless the triangles round each vertex form one fan.
fn assert_vertices_are_fans(name: &str, mesh: &TriangleMesh) {
    let mut spokes: Vec<(u32, u32, u32)> =
        mesh.triangles.iter().flat_map(|&[a, b, c]| [(a, b, c), (b, c, a), (c, a, b)]).collect();
    spokes.sort_unstable();
    for fan in spokes.chunk_by(|x, y| x.0 == y.0) {
        let mut at = fan[0].1;
        let mut n = 0;
        while n == 0 || at != fan[0].1 {
            let next = fan.binary_search_by_key(&at, |s| s.1).expect("the mesh is closed");
            at = fan[next].2;
            n += 1;
        }
        assert_eq!(n, fan.len(), "{name}: vertex {} joins several fans", fan[0].0);
    }
}

/// Signed volume by the divergence theorem about the first vertex.
pub fn volume(mesh: &TriangleMesh) -> f64 {
    let origin = mesh.vertices[0];
    (0..mesh.triangles.len())
        .map(|ix| {
            let [a, b, c] = mesh.corners(ix).map(|p| p - origin);
            a.dot(b.cross(c)) / 6.0
        })
        .sum()
}

/// Centre of mass of a uniform solid.
pub fn centroid(mesh: &TriangleMesh) -> DVec3 {
    let first: DVec3 = (0..mesh.triangles.len())
        .map(|ix| {
            let [a, b, c] = mesh.corners(ix);
            (a + b + c) * (a.dot(b.cross(c)) / 24.0)
        })
        .sum();
    first / volume(mesh)
}

/// Number of connected pieces of the surface.
pub fn n_shells(mesh: &TriangleMesh) -> usize {
    let mut parent: Vec<usize> = (0..mesh.vertices.len()).collect();
    fn root(parent: &mut [usize], mut v: usize) -> usize {
        while parent[v] != v {
            parent[v] = parent[parent[v]];
            v = parent[v];
        }
        v
    }
    for t in &mesh.triangles {
        for v in &t[1..] {
            let (a, b) = (root(&mut parent, t[0] as usize), root(&mut parent, *v as usize));
            parent[a] = b;
        }
    }
    (0..parent.len()).filter(|&v| parent[v] == v).count()
}

/// Panics if two triangles cross: an edge of one pierces the other, or two neighbours fold onto each other.
pub fn assert_no_crossing(name: &str, mesh: &TriangleMesh) {
    let corners: Vec<[DVec3; 3]> = (0..mesh.triangles.len()).map(|ix| mesh.corners(ix)).collect();
    let low: Vec<DVec3> = corners.iter().map(|c| c[0].min(c[1]).min(c[2])).collect();
    let high: Vec<DVec3> = corners.iter().map(|c| c[0].max(c[1]).max(c[2])).collect();
    let mut order: Vec<usize> = (0..corners.len()).collect();
    order.sort_by(|&i, &j| low[i].x.total_cmp(&low[j].x));
    for (at, &i) in order.iter().enumerate() {
        for &j in order[at + 1..].iter().take_while(|&&j| low[j].x <= high[i].x) {
            if low[i].cmple(high[j]).all() && low[j].cmple(high[i]).all() {
                assert!(
                    !cross(mesh, i, j),
                    "{name}: triangles {i} and {j} cross: {:?} {:?}",
                    corners[i],
                    corners[j]
                );
            }
        }
    }
}

fn cross(mesh: &TriangleMesh, i: usize, j: usize) -> bool {
    let (t, u) = (mesh.triangles[i], mesh.triangles[j]);
    let shared: Vec<u32> = t.into_iter().filter(|v| u.contains(v)).collect();
    if shared.len() == 2 {
        return folded(mesh, i, j, &shared);
    }
    pierces(mesh, t, u) || pierces(mesh, u, t)
}

/// Whether two triangles with a common edge lie on each other: in one plane on the same side of that edge.
fn folded(mesh: &TriangleMesh, i: usize, j: usize, shared: &[u32]) -> bool {
    let position = |v: u32| mesh.vertices[v as usize];
    let [p, q] = [0, 1].map(|k| position(shared[k]));
    let apex = |t: [u32; 3]| position(*t.iter().find(|v| !shared.contains(v)).expect("three corners"));
    let (a, b) = (apex(mesh.triangles[i]), apex(mesh.triangles[j]));
    let across = |x: DVec3| (x - p).reject_from(q - p).normalize();
    across(a).dot(across(b)) > 1.0 - 1e-12
}

/// Whether an edge of `t` that does not touch `u` passes through its interior.
fn pierces(mesh: &TriangleMesh, t: [u32; 3], u: [u32; 3]) -> bool {
    let coord = |v: u32| {
        let p = mesh.vertices[v as usize];
        robust::Coord3D { x: p.x, y: p.y, z: p.z }
    };
    let side = |a, b, c, d| robust::orient3d(coord(a), coord(b), coord(c), coord(d));
    [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])].into_iter().any(|(p, q)| {
        if u.contains(&p) || u.contains(&q) || side(u[0], u[1], u[2], p) * side(u[0], u[1], u[2], q) >= 0.0 {
            return false;
        }
        let turns = [(u[0], u[1]), (u[1], u[2]), (u[2], u[0])].map(|(a, b)| side(p, q, a, b));
        turns.iter().all(|&s| s > 0.0) || turns.iter().all(|&s| s < 0.0)
    })
}
