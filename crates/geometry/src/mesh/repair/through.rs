//! Which facets go through each other, and which lie on one another so that what is behind them is enclosed twice.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use glam::DVec3;
use rayon::prelude::*;

use super::report::RepairError;
use crate::Aabb;
use crate::mesh::TriangleMesh;
use crate::mesh::check::prism::Prism;
use crate::mesh::check::surface::Surface;
use crate::mesh::check::tree::Tree;

/// Work after which the search for crossings ends and a mesh counts as a tangle, in tests of two boxes: that many in any mesh, a few
/// seconds', and for every facet of a large one. Sound meshes without long needles take far less.
const MAX_WORK: usize = 200_000_000;
const WORK_PER_FACET: usize = 1000;

/// Facets that are searched at once. A number of its own, so that the outcome does not depend on the threads.
const BLOCK: usize = 4096;

/// Pairs of crossing facets from which a mesh counts as a tangle: its cuts would have millions of facets.
const MAX_PAIRS: usize = 500_000;

/// Depth in the size of the mesh below which facets touch and do not go through each other: some times what uniting joins, and the
/// rounding of 32-bit coordinates.
const TOUCH: f64 = 1e-7;

/// Pairs of facets that go through each other, as far as signs and depths tell.
pub struct Crossing {
    /// By more than what counts as touching.
    deep: Vec<[u32; 2]>,
    /// By less, but with surface on both sides of each other: a surface may go through the other in edges of it.
    may_be_deep: Vec<[u32; 2]>,
    /// Pairs in one plane that have area in common, whichever way they look.
    flush: Vec<[u32; 2]>,
}

impl Crossing {
    /// Finds them.
    ///
    /// # Errors
    /// If there are too many.
    pub fn of(mesh: &TriangleMesh) -> Result<Self, RepairError> {
        let tolerance = TOUCH * mesh.aabb().diagonal();
        let (deep, shallow): (Vec<_>, Vec<_>) =
            crossing(mesh)?.into_iter().partition(|pair| depth(mesh, *pair) > tolerance);
        let fans = Fans::of(mesh);
        let may_be_deep = shallow.into_iter().filter(|pair| fans.depth(mesh, *pair) > tolerance).collect();
        Ok(Self { deep, may_be_deep, flush: flush(mesh, tolerance) })
    }

    /// All pairs behind which the mesh may enclose twice: those that go through each other, and flush ones that look the same way.
    pub fn all<'a>(&'a self, mesh: &'a TriangleMesh) -> impl Iterator<Item = [u32; 2]> + 'a {
        let lapping = self.flush.iter().filter(|pair| look_alike(mesh, **pair));
        self.deep.iter().chain(&self.may_be_deep).chain(lapping).copied()
    }
}

/// Pairs of facets that go through each other, or lie on one another and look the same way, in ascending order. Which way
/// shells look matters for this.
pub fn overlapping(mesh: &TriangleMesh, crossing: Crossing) -> Vec<[u32; 2]> {
    let tolerance = TOUCH * mesh.aabb().diagonal();
    let Crossing { deep: mut pairs, may_be_deep, flush } = crossing;
    // They are deep or not all alike: a surface lies in edges of the other.
    let step = may_be_deep.len().div_ceil(MAX_PROBED).max(1);
    if may_be_deep.par_iter().step_by(step).any(|pair| is_enclosed_twice_at(mesh, *pair, tolerance)) {
        pairs.extend(may_be_deep);
    }
    pairs.extend(flush.into_iter().filter(|pair| look_alike(mesh, *pair)));
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Pairs of facets of which each reaches through the other's plane by more than what counts as touching.
///
/// # Errors
/// If there are too many.
pub fn deep(mesh: &TriangleMesh) -> Result<Vec<[u32; 2]>, RepairError> {
    let least = TOUCH * mesh.aabb().diagonal();
    Ok(crossing(mesh)?.into_iter().filter(|pair| depth(mesh, *pair) > least).collect())
}

/// About what folds of a surface enclose twice: facets that are close to each other on it and go through each other. `None` where some of the pairs
/// are of others, which may have any volume between them.
pub fn folded(mesh: &TriangleMesh, pairs: &[[u32; 2]]) -> Option<f64> {
    let fans = Fans::of(mesh);
    let is_fold = |&[a, b]: &[u32; 2]| {
        let around = fans.around(mesh.triangles[a as usize]);
        let around: BTreeSet<u32> = around.flat_map(|ix| mesh.triangles[ix as usize]).collect();
        mesh.triangles[b as usize].iter().any(|v| around.contains(v))
    };
    let area = |ix: u32| {
        let [p, q, r] = mesh.corners(ix as usize);
        0.5 * (q - p).cross(r - p).length()
    };
    let volume = |&[a, b]: &[u32; 2]| depth(mesh, [a, b]) * area(a).min(area(b));
    pairs.iter().all(is_fold).then(|| pairs.iter().map(volume).sum())
}

/// How far two facets reach through each other's planes, the less of both.
fn depth(mesh: &TriangleMesh, [a, b]: [u32; 2]) -> f64 {
    through(mesh, a, mesh.corners(b as usize)).min(through(mesh, b, mesh.corners(a as usize)))
}

/// Whether points about those where two facets touch are enclosed more than once, or less than never.
fn is_enclosed_twice_at(mesh: &TriangleMesh, [a, b]: [u32; 2], tolerance: f64) -> bool {
    let boxes = [a, b].map(|ix| Aabb::from_points(mesh.corners(ix as usize)).inflated(tolerance));
    let touching = |of: u32, plane: u32, other: Aabb| {
        let [p, q, r] = mesh.corners(plane as usize);
        let normal = (q - p).cross(r - p).normalize_or_zero();
        let is_on = move |x: &DVec3| (*x - p).dot(normal).abs() <= tolerance && other.contains(*x);
        mesh.corners(of as usize).into_iter().filter(is_on)
    };
    let middle = 0.5 * (boxes[0].min.max(boxes[1].min) + boxes[0].max.min(boxes[1].max));
    touching(a, b, boxes[1]).chain(touching(b, a, boxes[0])).chain([middle]).any(|x| {
        PROBES.iter().flat_map(|&way| [way, -way]).any(|way| {
            let at = x + way.normalize() * (tolerance * PROBE);
            let winding = winding(mesh, 0..mesh.triangles.len() as u32, at);
            !(-0.5..1.5).contains(&winding)
        })
    })
}

/// Distance from where facets touch at which it is asked how often a point is enclosed, in the depth that counts as touching:
/// far enough for the winding number's rounding, nearer than features.
const PROBE: f64 = 1e2;

/// Pairs of touching facets about which that is asked.
const MAX_PROBED: usize = 24;

/// Half of the ways from there that are tried: to the faces, edges and corners of a cube, turned off its axes.
const PROBES: [DVec3; 13] = [
    DVec3::new(1.0, 0.11, 0.07),
    DVec3::new(-0.09, 1.0, 0.13),
    DVec3::new(0.06, -0.12, 1.0),
    DVec3::new(1.0, 1.1, 0.1),
    DVec3::new(1.0, -0.9, 0.1),
    DVec3::new(1.0, 0.1, 1.1),
    DVec3::new(1.0, -0.1, -0.9),
    DVec3::new(0.1, 1.0, 0.9),
    DVec3::new(0.1, 1.0, -1.1),
    DVec3::new(1.0, 1.1, 0.9),
    DVec3::new(1.0, 0.9, -1.1),
    DVec3::new(1.0, -1.1, 0.9),
    DVec3::new(-1.0, 0.9, 1.1),
];

/// The generalised winding number of some facets about a point: their solid angle over 4π (Jacobson, Kavan, Sorkine-Hornung
/// 2013; solid angles by Van Oosterom and Strackee 1983).
pub fn winding(mesh: &TriangleMesh, facets: impl Iterator<Item = u32>, x: DVec3) -> f64 {
    let angle = |ix: u32| {
        let [a, b, c] = mesh.corners(ix as usize).map(|corner| corner - x);
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        2.0 * a.dot(b.cross(c)).atan2(below)
    };
    facets.map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

/// Pairs of facets that go through each other by however little; touching ones do not.
fn crossing(mesh: &TriangleMesh) -> Result<Vec<[u32; 2]>, RepairError> {
    let multiplicity = vec![1; mesh.triangles.len()];
    let surface = Surface::new(mesh, &multiplicity);
    let n = mesh.triangles.len() as u32;
    let max_work = MAX_WORK.max(mesh.triangles.len().saturating_mul(WORK_PER_FACET));
    let (mut pairs, mut work) = (Vec::new(), 0_usize);
    for start in (0..n).step_by(BLOCK) {
        let end = n.min(start + BLOCK as u32);
        // A block as a whole takes no more than all the work that is allowed.
        let search = |ix: u32| (ix, surface.crossed_by(ix, max_work / BLOCK, |other| other > ix));
        let found: Vec<_> = (start..end).into_par_iter().map(search).collect();
        for (ix, (crossed, work_of_one)) in found {
            work = work.saturating_add(if crossed.is_some() { work_of_one } else { max_work });
            pairs.extend(crossed.into_iter().flatten().map(|other| [ix, other]));
        }
        if work > max_work || pairs.len() > MAX_PAIRS {
            let aabb = mesh.aabb();
            let (size, at) = (aabb.diagonal(), aabb.center());
            return Err(RepairError::Crossed {
                n: pairs.len(),
                size,
                at,
                why: "there are too many to be searched",
            });
        }
    }
    Ok(pairs)
}

/// How far points reach through the plane of a facet: the less of how far they lie before and behind it.
fn through(mesh: &TriangleMesh, plane: u32, points: impl IntoIterator<Item = DVec3>) -> f64 {
    let [p, q, r] = mesh.corners(plane as usize);
    let normal = (q - p).cross(r - p).normalize_or_zero();
    let (mut before, mut behind) = (0.0_f64, 0.0_f64);
    for x in points {
        let height = (x - p).dot(normal);
        before = before.max(height);
        behind = behind.max(-height);
    }
    before.min(behind)
}

/// The facets round every vertex.
struct Fans(Vec<Vec<u32>>);

impl Fans {
    fn of(mesh: &TriangleMesh) -> Self {
        let mut fans = vec![Vec::new(); mesh.vertices.len()];
        for (ix, corners) in (0..).zip(&mesh.triangles) {
            corners.iter().for_each(|&v| fans[v as usize].push(ix));
        }
        Self(fans)
    }

    /// The facets round some vertices, one of several of them as often.
    fn around(&self, vertices: [u32; 3]) -> impl Iterator<Item = u32> {
        vertices.into_iter().flat_map(|v| self.0[v as usize].iter().copied())
    }

    /// How far two facets, with those round their corners, reach through each other's planes: where a corner or an edge of one
    /// lies in the other, only these show on which sides of it the surface is.
    fn depth(&self, mesh: &TriangleMesh, [a, b]: [u32; 2]) -> f64 {
        let around =
            |facet: u32| self.around(mesh.triangles[facet as usize]).flat_map(|ix| mesh.corners(ix as usize));
        through(mesh, b, around(a)).max(through(mesh, a, around(b)))
    }
}

/// Pairs of facets in one plane that have area in common.
fn flush(mesh: &TriangleMesh, tolerance: f64) -> Vec<[u32; 2]> {
    let n = mesh.triangles.len();
    let boxes: Vec<Aabb> = (0..n).map(|ix| Aabb::from_points(mesh.corners(ix)).inflated(tolerance)).collect();
    let tree = Tree::new(&boxes);
    let of = |ix: u32| {
        let mut near = Vec::new();
        let own_box = &boxes[ix as usize];
        let prism = Prism::of(mesh.corners(ix as usize), tolerance);
        let _ = tree.visit(
            |aabb| aabb.meets(own_box) && !prism.is_apart_from_box(aabb),
            |other| {
                if other > ix && are_flush([ix, other].map(|ix| mesh.corners(ix as usize)), tolerance) {
                    near.push([ix, other]);
                }
                ControlFlow::Continue(())
            },
        );
        near
    };
    (0..n as u32).into_par_iter().flat_map_iter(of).collect()
}

/// Whether two facets look the same way.
fn look_alike(mesh: &TriangleMesh, pair: [u32; 2]) -> bool {
    let [a, b] = pair.map(|ix| {
        let [p, q, r] = mesh.corners(ix as usize);
        (q - p).cross(r - p)
    });
    a.dot(b) > 0.0
}

/// Whether two triangles lie in one plane and overlap by more than a tolerance.
fn are_flush([a, b]: [[DVec3; 3]; 2], tolerance: f64) -> bool {
    let normal = |[p, q, r]: [DVec3; 3]| (q - p).cross(r - p);
    let (na, nb) = (normal(a), normal(b));
    let longest = |[p, q, r]: [DVec3; 3]| p.distance(q).max(q.distance(r)).max(r.distance(p));
    // Needles have no normal to go by.
    if na.length() < tolerance * longest(a) || nb.length() < tolerance * longest(b) {
        return false;
    }
    let unit = na.normalize();
    if !b.iter().all(|x| (*x - a[0]).dot(unit).abs() <= tolerance) {
        return false;
    }
    // They are apart if all of one lies beyond a side of the other.
    let is_beyond = |own: [DVec3; 3], other: [DVec3; 3]| {
        let up = normal(own).normalize();
        (0..3).any(|k| {
            let out = (own[(k + 1) % 3] - own[k]).cross(up).normalize_or_zero();
            other.iter().all(|x| (*x - own[k]).dot(out) >= -tolerance)
        })
    };
    !is_beyond(a, b) && !is_beyond(b, a)
}
