//! Which edges of a mesh are smooth, and the normals there.

use glam::DVec3;

use super::parts::{Corner, Curve, Facet, NONE, Span};
use crate::TriangleMesh;
use crate::union_find::UnionFind;

/// What of a mesh is smooth.
pub(super) struct Topology<'a> {
    mesh: &'a TriangleMesh,
    /// Normal at each corner of each face.
    normals: Vec<[DVec3; 3]>,
    /// Edges between two faces that turn little, each with its ends as corners of the first face.
    smooth: Vec<(usize, [usize; 2])>,
    /// Ends of the others.
    pub sharp: Vec<[u32; 2]>,
}

impl<'a> Topology<'a> {
    pub fn new(mesh: &'a TriangleMesh, angle: f64) -> Self {
        let corners = |face: &[u32; 3]| face.map(|ix| mesh.vertices[ix as usize]);
        let of_face = |face: &[u32; 3]| {
            let [a, b, c] = corners(face);
            (b - a).cross(c - a).normalize_or_zero()
        };
        let faces: Vec<DVec3> = mesh.triangles.iter().map(of_face).collect();
        let mut sides = Vec::with_capacity(3 * faces.len());
        for (face, corners) in mesh.triangles.iter().enumerate() {
            for side in 0..3 {
                let [a, b] = [corners[side], corners[(side + 1) % 3]];
                sides.push(([a.min(b), a.max(b)], face, side));
            }
        }
        sides.sort_unstable();
        let (mut smooth, mut sharp) = (Vec::new(), Vec::new());
        let mut groups = UnionFind::new(3 * faces.len());
        for edge in sides.chunk_by(|a, b| a.0 == b.0) {
            let turns_little = |f: usize, g: usize| {
                faces[f] != DVec3::ZERO
                    && faces[g] != DVec3::ZERO
                    && faces[f].angle_between(faces[g]) <= angle
            };
            match *edge {
                [(_, f, i), (_, g, j)] if turns_little(f, g) => {
                    let corner = |face: usize, side: usize| (3 * face + side % 3) as u32;
                    // The second face runs the other way.
                    let same = mesh.triangles[f][i] == mesh.triangles[g][j];
                    let [first, second] = if same { [j, j + 1] } else { [j + 1, j] };
                    groups.join(corner(f, i), corner(g, first));
                    groups.join(corner(f, i + 1), corner(g, second));
                    smooth.push((f, [i, (i + 1) % 3]));
                }
                _ => sharp.push(edge[0].0),
            }
        }
        let mut sums = vec![DVec3::ZERO; 3 * faces.len()];
        for (face, triangle) in mesh.triangles.iter().enumerate() {
            let points = corners(triangle);
            for side in 0..3 {
                let [out, back] = [1, 2].map(|k| points[(side + k) % 3] - points[side]);
                // Exact on a sphere, and two halves of a rectangle count as it does (Max 1999).
                let weighted = out.cross(back) / (out.length_squared() * back.length_squared());
                if weighted.is_finite() {
                    sums[groups.find((3 * face + side) as u32) as usize] += weighted;
                }
            }
        }
        let normal = |corner: usize, groups: &mut UnionFind| {
            sums[groups.find(corner as u32) as usize].normalize_or_zero()
        };
        let normals =
            (0..faces.len()).map(|face| [0, 1, 2].map(|side| normal(3 * face + side, &mut groups))).collect();
        Self { mesh, normals, smooth, sharp }
    }

    fn point(&self, face: usize, corner: usize) -> DVec3 {
        self.mesh.vertices[self.mesh.triangles[face][corner] as usize]
    }

    /// Faces over which the normal turns.
    pub fn facets(&self) -> Vec<Facet> {
        let facet = |(face, &normals): (usize, &[DVec3; 3])| {
            Facet::new([0, 1, 2].map(|i| self.point(face, i)), normals)
        };
        self.normals.iter().enumerate().filter_map(facet).collect()
    }

    pub fn spans(&self) -> Vec<Span> {
        let span = |&(face, ends): &(usize, [usize; 2])| {
            let normals = ends.map(|corner| self.normals[face][corner]);
            let turns = normals[0].distance(normals[1]) > NONE;
            turns.then(|| Span { ends: ends.map(|corner| self.point(face, corner)), normals })
        };
        self.smooth.iter().filter_map(span).collect()
    }

    /// The vertices to which sharp edges lead from each.
    fn sharp_around(&self) -> Vec<Vec<u32>> {
        let mut around: Vec<Vec<u32>> = vec![Vec::new(); self.mesh.vertices.len()];
        for &[a, b] in &self.sharp {
            around[a as usize].push(b);
            around[b as usize].push(a);
        }
        around
    }

    /// Vertices from which sharp edges do not go on as a curve.
    pub fn corners(&self, angle: f64) -> Vec<Corner> {
        let place = |ix: usize| self.mesh.vertices[ix];
        let is_corner = |(at, next): (usize, &Vec<u32>)| match next[..] {
            [] => false,
            [a, b] => (place(at) - place(a as usize)).angle_between(place(b as usize) - place(at)) > angle,
            _ => true,
        };
        let around = self.sharp_around();
        let corners = around.iter().enumerate().filter(|&vertex| is_corner(vertex));
        corners.map(|(at, _)| Corner(place(at))).collect()
    }

    /// Sharp edges that go on into another one at an end, at least.
    pub fn curves(&self, angle: f64) -> Vec<Curve> {
        let around = self.sharp_around();
        let place = |ix: u32| self.mesh.vertices[ix as usize];
        // Tangent of the circle through a vertex and the two next to it.
        let tangent = |at: u32, from: u32| {
            let [a, b] = around[at as usize][..] else { return None };
            let next = if a == from { b } else { a };
            let [come, go] = [place(at) - place(from), place(next) - place(at)];
            if come.length() * go.length() == 0.0 || come.angle_between(go) > angle {
                return None;
            }
            (come.normalize() * go.length() + go.normalize() * come.length()).try_normalize()
        };
        let curve = |&[a, b]: &[u32; 2]| {
            let chord = place(b) - place(a);
            let straight = chord.try_normalize()?;
            let [at_a, at_b] = [tangent(a, b).map(|t| -t), tangent(b, a)];
            if at_a.is_none() && at_b.is_none() {
                return None;
            }
            let tangents = [at_a, at_b].map(|t| t.unwrap_or(straight));
            let half = 0.5 * tangents[0].angle_between(tangents[1]);
            let longer = if half > 1e-6 { half / half.sin() } else { 1.0 };
            Some(Curve { ends: [place(a), place(b)], tangents, length: chord.length() * longer })
        };
        self.sharp.iter().filter_map(curve).collect()
    }
}
