//! What a solid is made of, and what is refused.

use glam::DVec3;

use super::*;
use crate::mesh::generate;

fn cube() -> TriangleMesh {
    generate::cuboid(DVec3::ONE, 12).unwrap()
}

/// Every face and edge knows the other, nodes hold what they say, and the edges of all nodes are all edges.
#[test]
fn faces_edges_and_nodes_agree() {
    let solid = Solid::new(generate::torus(1.0, 0.3, 3_000).unwrap()).unwrap();
    for (ix, edge) in solid.edges.iter().enumerate() {
        assert!(edge.ends[0] < edge.ends[1]);
        for (face, from, to) in
            [(edge.faces[0], edge.ends[0], edge.ends[1]), (edge.faces[1], edge.ends[1], edge.ends[0])]
        {
            let face = &solid.faces[face as usize];
            let side = face.sides.iter().position(|&side| side == ix as u32).unwrap();
            assert_eq!([face.corners[side], face.corners[(side + 1) % 3]], [from, to]);
        }
    }
    let mut n_edges = 0;
    for (ix, node) in solid.bvh.nodes.iter().enumerate() {
        n_edges += solid.bvh.edges(ix as u32).len();
        let aabb = Aabb::from_points(node.faces().flat_map(|face| solid.corners(face)));
        assert_eq!(aabb, node.aabb);
        for edge in solid.bvh.edges(ix as u32) {
            let is_here = |face: &u32| node.faces().contains(face);
            assert!(solid.edges[edge as usize].faces.iter().all(is_here));
        }
    }
    assert_eq!(n_edges, solid.edges.len());
    assert_eq!(2 * n_edges, 3 * solid.faces.len());
    assert!(solid.bvh.is_connected(0));
}

/// The tree with four children to a node holds every face once, in boxes around all that is below them.
#[test]
fn wide_tree_holds_every_face_in_its_boxes() {
    for n in [12, 14, 3_000] {
        let mesh = if n < 100 { generate::cuboid(DVec3::ONE, n) } else { generate::torus(1.0, 0.3, n) };
        let solid = Solid::new(mesh.unwrap()).unwrap();
        let tree = solid.wide();
        let mut n_seen = vec![0; solid.faces.len()];
        let mut stack = vec![(0, tree.nodes[0].aabb)];
        while let Some((ix, outer)) = stack.pop() {
            let node = &tree.nodes[ix as usize];
            let is_around = |outer: &wide::Box32, inner: &wide::Box32| {
                outer.min.cmple(inner.min).all() && inner.max.cmple(outer.max).all()
            };
            assert!(is_around(&outer, &node.aabb));
            for (slot, child) in node.children.iter().enumerate() {
                let aabb = node.boxes.get(slot);
                if aabb.min.cmpgt(aabb.max).any() {
                    continue;
                }
                assert!(is_around(&node.aabb, &aabb));
                if child.is_face() {
                    n_seen[child.ix() as usize] += 1;
                    assert!(solid.corners(child.ix()).iter().all(|&x| {
                        let x = tree.frame.point(x);
                        is_around(&aabb, &wide::Box32 { min: x, max: x })
                    }));
                } else {
                    stack.push((child.ix(), aabb));
                }
            }
        }
        assert!(n_seen.iter().all(|&n| n == 1));
    }
}

/// Kept integrals, moved up from the leaves, are those summed over the faces.
#[test]
fn node_integrals_are_those_of_their_faces() {
    let solid = Solid::new(generate::torus(1.0, 0.3, 3_000).unwrap()).unwrap();
    for (ix, node) in solid.bvh.nodes.iter().enumerate() {
        let kept = solid.flux(ix as u32);
        let direct = FluxMoments::of_faces(node.faces().map(|face| solid.corners(face)), node.aabb.center());
        let (kept, direct) = (kept.volume(), direct.volume());
        // Sums of up to 3000 terms below 1.
        assert!((kept.volume - direct.volume).abs() < 1e-13);
        assert!((kept.first - direct.first).length() < 1e-13);
        let off = (kept.second - direct.second).to_cols_array();
        assert!(off.iter().all(|x| x.abs() < 1e-13));
    }
}

#[test]
fn open_and_inconsistent_surfaces_are_counted() {
    let mut open = cube();
    open.triangles.pop();
    let error = Solid::new(open).unwrap_err();
    assert!(matches!(error, SolidError::NotClosed { n_open: 3, n_misoriented: 0, .. }), "{error}");
    let mut flipped = cube();
    flipped.triangles[4].swap(0, 1);
    let error = Solid::new(flipped).unwrap_err();
    assert!(matches!(error, SolidError::NotClosed { n_open: 0, n_misoriented: 3, .. }), "{error}");
    let mut inside_out = cube();
    inside_out.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    let error = Solid::new(inside_out).unwrap_err();
    assert!(matches!(error, SolidError::InsideOut { volume } if (volume + 1.0).abs() < 1e-14), "{error}");
}

#[test]
fn bad_numbers_are_located() {
    assert_eq!(Solid::new(TriangleMesh::default()).unwrap_err(), SolidError::Empty);
    let mut mesh = cube();
    mesh.vertices[3].y = f64::NAN;
    mesh.vertices[5].x = f64::INFINITY;
    assert_eq!(Solid::new(mesh).unwrap_err(), SolidError::NonFinite { n_vertices: 2, first: 3 });
    let mut mesh = cube();
    mesh.triangles[7][2] = 99;
    let n_vertices = mesh.vertices.len();
    let expected = SolidError::VertexIndex { triangle: 7, vertex: 99, n_vertices };
    assert_eq!(Solid::new(mesh).unwrap_err(), expected);
}

/// Unused vertices, even bad ones, and triangles that name a vertex twice make no difference.
#[test]
fn leftovers_are_ignored() {
    let mut mesh = cube();
    mesh.vertices.push(DVec3::NAN);
    mesh.triangles.extend([[0, 0, 1], [2, 2, 2]]);
    let solid = Solid::new(mesh).unwrap();
    assert_eq!((solid.faces.len(), solid.edges.len()), (12, 18));
    assert!((solid.flux(0).volume().volume - 1.0).abs() < 1e-15);
}
