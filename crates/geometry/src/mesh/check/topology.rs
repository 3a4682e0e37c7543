//! Edges: which triangles use them, in which direction, and what it means where the directions do not cancel.

use super::report::Defect;
use crate::TriangleMesh;
use crate::mesh::weld::Joined;

/// One use of an edge by a triangle.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    /// The edge: its vertices in ascending order.
    pub edge: [u32; 2],
    /// The triangle.
    pub triangle: u32,
    /// Which corner of the triangle the edge starts at.
    pub side: u8,
    /// Whether the triangle runs from the smaller vertex to the larger.
    pub is_forward: bool,
}

/// All edge uses, sorted by edge and then by triangle.
pub struct Edges(Vec<Use>);

impl Edges {
    /// Collects the edges of some triangles.
    pub fn of(triangles: &[[u32; 3]]) -> Self {
        let unsorted = || {
            triangles.iter().zip(0..).flat_map(|(corners, triangle)| {
                [0, 1, 2].map(|side| {
                    let (a, b) = (corners[side], corners[(side + 1) % 3]);
                    Use { edge: [a.min(b), a.max(b)], triangle, side: side as u8, is_forward: a < b }
                })
            })
        };
        // Into drawers by the smaller vertex first, not more of them than uses: few are left to be sorted in each.
        let largest = triangles.iter().flatten().copied().max().unwrap_or(0);
        let shift = (0..32).find(|shift| ((largest >> shift) as usize) < 3 * triangles.len()).unwrap_or(31);
        let drawer = |u: &Use| (u.edge[0] >> shift) as usize;
        let mut ends = vec![0; (largest >> shift) as usize + 1];
        unsorted().for_each(|u| ends[drawer(&u)] += 1);
        let mut end = 0;
        for n in &mut ends {
            end += *n;
            *n = end;
        }
        let nothing = Use { edge: [0; 2], triangle: 0, side: 0, is_forward: false };
        let mut uses = vec![nothing; end];
        for u in unsorted() {
            let place = &mut ends[drawer(&u)];
            *place -= 1;
            uses[*place] = u;
        }
        // Each drawer's end is its start now.
        let bounds = ends.windows(2).map(|pair| pair[0]..pair[1]).chain(ends.last().map(|&last| last..end));
        for bounds in bounds {
            uses[bounds].sort_unstable_by_key(|u| (u.edge, u.triangle));
        }
        Self(uses)
    }

    /// The uses of one edge, given by its vertices in ascending order.
    pub fn uses(&self, edge: [u32; 2]) -> &[Use] {
        let start = self.0.partition_point(|u| u.edge < edge);
        let n = self.0[start..].partition_point(|u| u.edge == edge);
        &self.0[start..start + n]
    }

    /// The uses of one edge after the other.
    pub fn groups(&self) -> impl Iterator<Item = &[Use]> {
        self.0.chunk_by(|a, b| a.edge == b.edge)
    }

    /// Edges used more often in one direction than in the other.
    pub fn unbalanced(&self) -> impl Iterator<Item = &[Use]> {
        self.groups().filter(|uses| balance(uses) != 0)
    }

    /// The two uses of every edge that has exactly two.
    pub fn manifold(&self) -> impl Iterator<Item = (&Use, &Use)> {
        self.groups().filter_map(|uses| match uses {
            [a, b] => Some((a, b)),
            _ => None,
        })
    }
}

fn balance(uses: &[Use]) -> isize {
    uses.iter().map(|u| if u.is_forward { 1 } else { -1 }).sum()
}

/// Why the edges of a mesh do not cancel, in the order in which a user should look at the causes; empty if they do.
///
/// `repeats` lists triangles, in ascending order, that repeat an earlier one, with that one.
pub fn diagnose(mesh: &TriangleMesh, repeats: &[[u32; 2]]) -> Vec<Defect> {
    let TriangleMesh { vertices, triangles } = mesh;
    let edges = Edges::of(triangles);
    let n_unbalanced = edges.unbalanced().count();
    let mut defects = Vec::new();
    if n_unbalanced == 0 {
        return defects;
    }
    if let Some(&first) = repeats.first() {
        let is_repeat = |ix: u32| repeats.binary_search_by_key(&ix, |[copy, _]| *copy).is_ok();
        let distinct: Vec<[u32; 3]> =
            triangles.iter().zip(0..).filter(|&(_, ix)| !is_repeat(ix)).map(|(t, _)| *t).collect();
        let n_left = Edges::of(&distinct).unbalanced().count();
        if n_left < n_unbalanced {
            defects.push(Defect::DuplicateFaces { n: repeats.len(), first, n_edges: n_unbalanced - n_left });
        }
        if n_left == 0 {
            return defects;
        }
    }
    let odd: Vec<&[Use]> = edges.groups().filter(|uses| uses.len() % 2 == 1).collect();
    // Where copies explain the odd edges, holes are no second cause.
    if let (Some(&[first, ..]), true) = (odd.first(), defects.is_empty()) {
        let at = first.edge.map(|ix| vertices[ix as usize]);
        let n_crowded = odd.iter().filter(|uses| uses.len() > 2).count();
        defects.push(Defect::NotClosed { n_edges: odd.len(), n_crowded, first: first.edge, at });
    }
    defects.extend(diagnose_orientation(&edges, triangles.len()));
    defects
}

/// Triangles turned over against their neighbours, or a surface with one side.
fn diagnose_orientation(edges: &Edges, n_triangles: usize) -> Option<Defect> {
    let n_edges = edges.unbalanced().filter(|uses| uses.len() % 2 == 0).count();
    if n_edges == 0 {
        return None;
    }
    // The orientation double cover: side 2t is triangle t as it stands, side 2t + 1 the same turned over.
    let mut cover = Joined::new(2 * n_triangles);
    let mut pieces = Joined::new(n_triangles);
    for (a, b) in edges.manifold() {
        let turned = u32::from(a.is_forward == b.is_forward);
        cover.join(2 * a.triangle, 2 * b.triangle + turned);
        cover.join(2 * a.triangle + 1, 2 * b.triangle + 1 - turned);
        pieces.join(a.triangle, b.triangle);
    }
    let one_sided: Vec<bool> =
        (0..n_triangles as u32).map(|ix| cover.root(2 * ix) == cover.root(2 * ix + 1)).collect();
    if let Some(first) = one_sided.iter().position(|&is| is) {
        let n_triangles = one_sided.iter().filter(|&&is| is).count();
        return Some(Defect::NotOrientable { first: first as u32, n_triangles });
    }
    // In every piece the triangles that agree with its first one, or those that do not: whichever are fewer.
    let agrees = |cover: &mut Joined, piece: u32, ix: u32| cover.root(2 * piece) == cover.root(2 * ix);
    let mut n_of = vec![[0_usize; 2]; n_triangles];
    for ix in 0..n_triangles as u32 {
        let piece = pieces.root(ix);
        n_of[piece as usize][usize::from(agrees(&mut cover, piece, ix))] += 1;
    }
    let mut turned = (0..n_triangles as u32).filter(|&ix| {
        let piece = pieces.root(ix);
        let [n_against, n_with] = n_of[piece as usize];
        agrees(&mut cover, piece, ix) == (n_with < n_against)
    });
    let first = turned.next();
    let n_turned = usize::from(first.is_some()) + turned.count();
    // Only edges with four triangles or more can be unbalanced with every piece consistent in itself.
    let fallback = || edges.unbalanced().find(|uses| uses.len() % 2 == 0).map_or(0, |uses| uses[0].triangle);
    Some(Defect::Misoriented { n_edges, n_triangles: n_turned, first: first.unwrap_or_else(fallback) })
}
