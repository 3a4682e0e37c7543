//! Adds up what pairs of triangles have in common, seen along a direction: volume, moments and surface of the overlap, without rays.
//!
//! Along a column of space a body is the sum of steps, one up where its surface is entered and one down where it is left. So the product
//! of two bodies is a sum over pairs of their triangles: the product of two steps is a step at the higher of the two places. Integrated
//! over what the two triangles have in common as seen along the column, that is a polynomial over a polygon, and the sum over all pairs
//! is the overlap, whether its depth is large or small, at one place or many, and whatever is degenerate: no decision changes a sum by
//! more than rounding. Franklin (1990) sums over vertices instead, whose signs have to be right.
//!
//! Sums go into whole numbers, so that it does not matter in which order workgroups add to them.

use std::collections::BTreeMap;
use std::rc::Rc;

use glam::{Vec2, Vec3, Vec4};

use super::fixed::{FixedTriangle, fixed_triangle, in_box_of, middle, to_fixed};
use super::layout::{CLUSTER, LargeItem, PairFrame, RaySums, WORKGROUP, argument, span, sum};
use super::memory::{Meshes, Operands};
use super::pairing::pairs;
use super::place::{by_direction, fma};
use super::total::ONE;
use super::tree::add_up;
use super::work::{OVERLAID, Work};

/// Corners of a triangle that was clipped by four sides of a square, three of a triangle, a height and two depths.
pub const MAX_POLYGON: usize = 13;

/// What the place of a triangle's point along the column may be off by, as a part of its corners' largest: a digit. Most of some eight
/// roundings cancel.
pub const HEIGHT_ERROR: f32 = 1.2e-7;

/// Size across, in sides of the box, to which triangles are halved.
pub const HALVED_TO: f32 = 2.0;

/// Halvings of a triangle: enough for one that is a million times as large as the box.
pub const MAX_HALVINGS: u32 = 20;

/// Sides of a halved triangle from which on a place is taken for as far: it has less than the box's size if the triangle is nearly on edge.
pub const FARTHEST: f32 = 1e6;

/// What two bodies may be off by, as a part of the pair's reach: roundings of 2⁻³¹ of corners and axes, of which most cancel.
pub const LIKELY_ERROR: f32 = 4e-10;

/// The largest sum of two clusters: far more than 4,096 pairs of triangles can have in common, but bounds of errors may be larger.
pub const LARGEST: f32 = 262_144.0;

pub fn run(on: &mut Operands<'_>) {
    let mut placed = Placed::default();
    for ix in 0..on.memory.arguments[argument::LARGE + argument::COUNT] {
        let item = on.memory.large[ix as usize];
        let pair = (item.side / 2) as usize;
        let frame = on.memory.frames[pair];
        placed.begin(pair);
        on.work.groups += 1;
        on.work.reads::<(LargeItem, PairFrame)>(1);
        on.work.writes::<[u64; sum::N]>(1);
        let shares = sums_of_clusters(&mut placed, on.meshes, &frame, &item, on.work);
        let total = add_up(&shares);
        let words =
            &mut on.memory.spans[pair * span::N + span::SUMS..][item.direction as usize * 2 * sum::N..];
        for (word, share) in words.chunks_exact_mut(2).zip(total.sums) {
            let x = (i64::from(word[1] as i32) << 32) | i64::from(word[0]);
            let x = x.wrapping_add(fixed_point(share));
            (word[0], word[1]) = (x as u32, (x >> 32) as u32);
        }
    }
}

/// Faces of a pair's clusters by body, direction and cluster. A device places them anew for every two clusters.
#[derive(Default)]
struct Placed {
    pair: usize,
    faces: BTreeMap<(u32, u32, u32), Rc<[Face]>>,
}

impl Placed {
    fn begin(&mut self, pair: usize) {
        if self.pair != pair {
            self.faces.clear();
            self.pair = pair;
        }
    }

    fn faces(
        &mut self,
        meshes: &Meshes,
        frame: &PairFrame,
        side: u32,
        direction: u32,
        cluster: u32,
    ) -> Rc<[Face]> {
        let faces = self.faces.entry((side, direction, cluster)).or_insert_with(|| {
            let triangles = &meshes.triangles[cluster as usize];
            (0..CLUSTER)
                .map(|lane| Face::new(frame, side, fixed_triangle(frame, side, triangles, lane), direction))
                .collect()
        });
        Rc::clone(faces)
    }
}

/// A sum in fixed point.
fn fixed_point(x: f32) -> i64 {
    to_fixed(x.clamp(-LARGEST, LARGEST) * ONE)
}

/// A triangle as seen along the direction: places across, then the depth.
#[derive(Clone, Copy)]
struct Face {
    corners: [Vec3; 3],
    lo: Vec3,
    hi: Vec3,
    /// Twice the area that is seen, counter-clockwise positive.
    twice_area: f32,
    /// A part of the triangle that is about as large as the box and near it, which has its plane.
    plane: [Vec3; 3],
    /// Twice the area that is seen of it.
    plane_area: f32,
    /// The largest depth of a corner of it, above or below the box's lower face.
    deepest: f32,
    /// The part of its normal that is along the direction.
    along: f32,
    /// Whether nothing of the triangle is seen through the box's face, or it is above the box.
    is_unseen: bool,
    /// The part that is seen through the box's face.
    seen: Polygon,
}

fn twice_area([a, b, c]: &[Vec3; 3]) -> f32 {
    let (u, v) = (*b - *a, *c - *a);
    fma(u.x, v.y, -(u.y * v.x))
}

/// The part of a triangle that is nearest to the middle of the box's face, after as many halvings of its sides as bring it to the size
/// of the box. It is halved in whole numbers, so that of a triangle a thousand times as large no digit is lost.
fn halved(mut triangle: FixedTriangle, seen: impl Fn(FixedTriangle) -> [Vec3; 3]) -> [Vec3; 3] {
    let mut corners = seen(triangle);
    for _ in 0..MAX_HALVINGS {
        let [p, q, r] = corners;
        let size = p.max(q.max(r)) - p.min(q.min(r));
        if size.x.max(size.y) <= HALVED_TO {
            break;
        }
        let [k, l] = places(&corners, twice_area(&corners), 0.5, 0.5);
        let [a, b, c] = triangle;
        let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
        triangle = if k > 0.5 {
            [ab, b, bc]
        } else if l > 0.5 {
            [ca, bc, c]
        } else if k + l < 0.5 {
            [a, ab, ca]
        } else {
            [bc, ca, ab]
        };
        corners = seen(triangle);
    }
    corners
}

/// How far a place is from a triangle's first corner to its second and to its third; at the first of one that is on edge.
fn places([a, b, c]: &[Vec3; 3], twice_area: f32, x: f32, y: f32) -> [f32; 2] {
    if twice_area == 0.0 {
        return [0.0; 2];
    }
    let (u, v) = (*b - *a, *c - *a);
    let (dx, dy) = (x - a.x, y - a.y);
    [fma(dx, v.y, -(dy * v.x)) / twice_area, fma(dy, u.x, -(dx * u.y)) / twice_area]
}

/// One over the box's sides along each axis, in units of the largest of them.
fn stretch_of(frame: &PairFrame) -> Vec3 {
    let scale = Vec3::from(frame.scale);
    scale / scale.x.max(scale.y.max(scale.z))
}

/// The part of a triangle's unit normal that is along the direction it is seen in, without its sign; `stretch` brings it from box
/// coordinates into space.
fn along_normal([a, b, c]: &[Vec3; 3], stretch: Vec3) -> f32 {
    let (u, v) = (*b - *a, *c - *a);
    let across =
        Vec3::new(fma(u.y, v.z, -(u.z * v.y)), fma(u.z, v.x, -(u.x * v.z)), fma(u.x, v.y, -(u.y * v.x)));
    let normal = across * stretch;
    let square = fma(normal.x, normal.x, fma(normal.y, normal.y, normal.z * normal.z));
    if square > 0.0 { normal.z.abs() / square.sqrt() } else { 0.0 }
}

impl Face {
    fn new(frame: &PairFrame, side: u32, triangle: FixedTriangle, direction: u32) -> Self {
        let seen =
            |triangle: FixedTriangle| triangle.map(|x| by_direction(in_box_of(frame, side, x), direction));
        let corners = seen(triangle);
        let [a, b, c] = corners;
        let (lo, hi, area) = (a.min(b.min(c)), a.max(b.max(c)), twice_area(&corners));
        let is_beside = lo.x >= 1.0 || lo.y >= 1.0 || hi.x <= 0.0 || hi.y <= 0.0;
        let is_unseen = area == 0.0 || is_beside || lo.z >= 1.0;
        let plane = if is_unseen { corners } else { halved(triangle, seen) };
        Self {
            corners,
            lo,
            hi,
            twice_area: area,
            plane,
            plane_area: twice_area(&plane),
            along: if is_unseen {
                0.0
            } else {
                along_normal(&plane, by_direction(stretch_of(frame), direction))
            },
            deepest: plane.iter().fold(0.0, |deepest: f32, x| deepest.max(x.z.abs())),
            is_unseen,
            seen: if is_unseen || side == 1 { Polygon::EMPTY } else { seen_in_square(&corners) },
        }
    }

    /// What crossing the surface upwards adds to the winding: one where the body is entered.
    fn step(&self) -> f32 {
        if self.twice_area > 0.0 { -1.0 } else { 1.0 }
    }

    /// The depth at a place.
    fn depth_at(&self, x: f32, y: f32) -> f32 {
        let [a, b, c] = self.plane;
        let [k, l] = places(&self.plane, self.plane_area, x, y).map(|k| k.clamp(-FARTHEST, FARTHEST));
        fma(l, c.z - a.z, fma(k, b.z - a.z, a.z)).clamp(self.lo.z, self.hi.z)
    }
}

fn sums_of_clusters(
    placed: &mut Placed,
    meshes: &Meshes,
    frame: &PairFrame,
    item: &LargeItem,
    work: &mut Work,
) -> [RaySums; WORKGROUP as usize] {
    // The common factor is taken out by hand: some drivers do it in a way of their own.
    let error = frame.scale.iter().sum::<f32>() * (LIKELY_ERROR * frame.reach);
    let mut shares = [RaySums::default(); WORKGROUP as usize];
    work.place_fixed_cluster();
    let own = placed.faces(meshes, frame, 0, item.direction, item.triangle);
    if own.iter().all(|own| own.is_unseen) {
        return shares;
    }
    work.place_fixed_cluster();
    let other = placed.faces(meshes, frame, 1, item.direction, item.tile);
    work.compare_with(other.iter().filter(|other| !other.is_unseen).count());
    pairs(
        |i, j| !own[i].is_unseen && !other[j].is_unseen && !is_beside(&own[i], &other[j]),
        |worker, i, j| {
            work.look_at_pairs(1, OVERLAID);
            add_pair(&mut shares[worker].sums, &own[i], &other[j], error);
        },
    );
    shares
}

fn is_beside(a: &Face, b: &Face) -> bool {
    a.lo.x >= b.hi.x || a.lo.y >= b.hi.y || b.lo.x >= a.hi.x || b.lo.y >= a.hi.y
}

/// A polygon: places across, and there the depths of both triangles.
#[derive(Clone, Copy)]
struct Polygon {
    corners: [Vec4; MAX_POLYGON],
    n: usize,
}

impl Polygon {
    const EMPTY: Self = Self { corners: [Vec4::ZERO; MAX_POLYGON], n: 0 };

    fn push(&mut self, x: Vec4) {
        if self.n < MAX_POLYGON {
            self.corners[self.n] = x;
            self.n += 1;
        }
    }

    /// What is left of it where a linear function, given at its corners, is not negative; with `is_strict` where it is positive.
    fn cut(&self, heights: &[f32; MAX_POLYGON], is_strict: bool) -> Self {
        let mut kept = Self::EMPTY;
        let is_in = |height: f32| height > 0.0 || (height == 0.0 && !is_strict);
        for i in 0..self.n {
            let j = if i + 1 == self.n { 0 } else { i + 1 };
            if is_in(heights[i]) {
                kept.push(self.corners[i]);
            }
            if is_in(heights[i]) != is_in(heights[j]) {
                kept.push(between(self.corners[i], self.corners[j], heights[i], heights[j]));
            }
        }
        kept
    }
}

/// Whether a place comes before another: an order that both triangles at a side agree on.
fn is_before(a: Vec2, b: Vec2) -> bool {
    a.x < b.x || (a.x == b.x && a.y < b.y)
}

/// Where a function that has these values at two corners is zero; the same from both ends.
fn between(a: Vec4, b: Vec4, at_a: f32, at_b: f32) -> Vec4 {
    let (from, to, k) = if is_before(Vec2::new(a.x, a.y), Vec2::new(b.x, b.y)) {
        (a, b, at_a / (at_a - at_b))
    } else {
        (b, a, at_b / (at_b - at_a))
    };
    let d = to - from;
    Vec4::new(fma(k, d.x, from.x), fma(k, d.y, from.y), fma(k, d.z, from.z), fma(k, d.w, from.w))
}

/// The part of a triangle that is seen through the box's face.
fn seen_in_square(corners: &[Vec3; 3]) -> Polygon {
    let mut polygon = Polygon::EMPTY;
    for x in corners {
        polygon.push(Vec4::new(x.x, x.y, 0.0, 0.0));
    }
    for side in 0..4 {
        let (axis, bound) = (side / 2, (side % 2) as f32);
        let heights = std::array::from_fn(|i| {
            let place = polygon.corners[i][axis];
            if side % 2 == 0 { place } else { 1.0 - place }
        });
        let mut cut = polygon.cut(&heights, false);
        // A long side rounds its crossing by much more than the box may be off.
        for corner in &mut cut.corners[..cut.n] {
            let is_out = if side % 2 == 0 { corner[axis] < bound } else { corner[axis] > bound };
            if is_out {
                corner[axis] = bound;
            }
        }
        polygon = cut;
    }
    polygon
}

/// What of a polygon is in front of a side of a triangle. Both triangles at the side take the same heights, with the other sign.
fn cut_by_side(polygon: &Polygon, from: Vec3, to: Vec3, turn: f32) -> Polygon {
    let is_forward = is_before(Vec2::new(from.x, from.y), Vec2::new(to.x, to.y));
    let (start, end, sign) = if is_forward { (from, to, turn) } else { (to, from, -turn) };
    let along = end - start;
    let heights = std::array::from_fn(|i| {
        let x = polygon.corners[i];
        sign * fma(along.x, x.y - start.y, -(along.y * (x.x - start.x)))
    });
    polygon.cut(&heights, false)
}

/// Adds what two triangles have in common.
fn add_pair(sums: &mut [f32; sum::N], own: &Face, other: &Face, place_error: f32) {
    let turn = -other.step();
    let [a, b, c] = other.corners;
    let mut shared = own.seen;
    for (from, to) in [(a, b), (b, c), (c, a)] {
        shared = cut_by_side(&shared, from, to, turn);
        if shared.n < 3 {
            return;
        }
    }
    for corner in &mut shared.corners[..shared.n] {
        corner.z = own.depth_at(corner.x, corner.y);
        corner.w = other.depth_at(corner.x, corner.y);
    }
    // Where A's triangle is the higher one, and where B's is. How far off the lower one is does not matter.
    for on_b in [false, true] {
        let sign = if on_b { -1.0 } else { 1.0 };
        let heights = std::array::from_fn(|i| sign * (shared.corners[i].z - shared.corners[i].w));
        let part = shared.cut(&heights, on_b);
        if part.n < 3 {
            continue;
        }
        let depth = |x: &Vec4| if on_b { x.w } else { x.z };
        let below_top = std::array::from_fn(|i| 1.0 - depth(&part.corners[i]));
        let part = part.cut(&below_top, false);
        let above_bottom: [f32; MAX_POLYGON] = std::array::from_fn(|i| depth(&part.corners[i]));
        let below_bottom = above_bottom.map(|height| -height);
        let steps = [own.step(), other.step()];
        let along = if on_b { other.along } else { own.along };
        let covered = add_fan(sums, steps, &part.cut(&above_bottom, false), on_b, Some(along));
        add_fan(sums, steps, &part.cut(&below_bottom, true), on_b, None);
        let error = fma(HEIGHT_ERROR, if on_b { other.deepest } else { own.deepest }, place_error);
        sums[sum::QUARTER_LENGTH] = fma(error, covered, sums[sum::QUARTER_LENGTH]);
    }
}

/// Adds a polygon, in triangles from its first corner, and returns its area. One on a surface comes with the part of the normal that is
/// along the direction; others lie on the lower face of the box.
fn add_fan(
    sums: &mut [f32; sum::N],
    [own, other]: [f32; 2],
    polygon: &Polygon,
    on_b: bool,
    on_surface: Option<f32>,
) -> f32 {
    let mut covered = 0.0;
    let product = own * other;
    let turn = -0.5 * own;
    let corner = |i: usize| {
        let x = polygon.corners[i];
        let depth = if on_b { x.w } else { x.z };
        Vec3::new(x.x - 0.5, x.y - 0.5, 1.0 - depth.max(0.0))
    };
    for i in 2..polygon.n {
        let (a, b, c) = (corner(0), corner(i - 1), corner(i));
        let (u, v) = (b - a, c - a);
        let area = turn * fma(u.x, v.y, -(u.y * v.x));
        add_column(sums, [a, b, c], product * area);
        covered += area.abs();
        match on_surface {
            Some(along_normal) => add_surface(sums, [a, b, c], area, [own, other], on_b, along_normal),
            None => sums[sum::FLOOR] = fma(product, area, sums[sum::FLOOR]),
        }
    }
    covered
}

/// Adds the column above a triangle, up to the upper face of the box; the third coordinate is its height `ζ`.
fn add_column(sums: &mut [f32; sum::N], [a, b, c]: [Vec3; 3], area: f32) {
    let total = a + b + c;
    let dot = |i: usize, j: usize| fma(a[i], a[j], fma(b[i], b[j], c[i] * c[j]));
    let triple = |i: usize, j: usize| fma(a[2] * a[i], a[j], fma(b[2] * b[i], b[j], (c[2] * c[i]) * c[j]));
    let (third, twelfth, sixtieth) = (area * (1.0 / 3.0), area * (1.0 / 12.0), area * (1.0 / 60.0));
    // Integrals of products of two and three linear functions over a triangle, by their values at its corners.
    let second = |i: usize, j: usize| twelfth * fma(total[i], total[j], dot(i, j));
    let cubic = |i: usize, j: usize| {
        // Equal terms are added up by hand: some drivers do it in a way of their own.
        let across = if i == j {
            2.0 * fma(total[i], dot(2, i), triple(i, i))
        } else {
            fma(total[i], dot(2, j), fma(total[j], dot(2, i), 2.0 * triple(i, j)))
        };
        sixtieth * fma(total[2], fma(total[i], total[j], dot(i, j)), across)
    };
    sums[sum::LENGTH] = fma(third, total[2], sums[sum::LENGTH]);
    sums[sum::LENGTH_X] += second(2, 0);
    sums[sum::LENGTH_Y] += second(2, 1);
    sums[sum::SQUARE] += second(2, 2);
    sums[sum::LENGTH_XX] += cubic(0, 0);
    sums[sum::LENGTH_YY] += cubic(1, 1);
    sums[sum::LENGTH_XY] += cubic(0, 1);
    sums[sum::SQUARE_X] += cubic(2, 0);
    sums[sum::SQUARE_Y] += cubic(2, 1);
    sums[sum::CUBE] += cubic(2, 2);
}

/// Adds a triangle of A's surface, or of B's, times the winding that the other body's triangle adds above it.
fn add_surface(
    sums: &mut [f32; sum::N],
    [a, b, c]: [Vec3; 3],
    area: f32,
    [own, other]: [f32; 2],
    on_b: bool,
    along_normal: f32,
) {
    // The part of the area vector along the rays: against them where the body is entered.
    let along = -(own * other * area);
    if on_b {
        let covered = own * area;
        sums[sum::ENDS_B] += covered;
        sums[sum::PLAIN_B] = fma(along_normal, covered, sums[sum::PLAIN_B]);
        sums[sum::AREA_B] += along;
        return;
    }
    let covered = other * area;
    sums[sum::ENDS_A] += covered;
    sums[sum::PLAIN_A] = fma(along_normal, covered, sums[sum::PLAIN_A]);
    let third = along * (1.0 / 3.0);
    let total = a + b + c;
    sums[sum::AREA] += along;
    sums[sum::AREA_X] = fma(third, total.x, sums[sum::AREA_X]);
    sums[sum::AREA_Y] = fma(third, total.y, sums[sum::AREA_Y]);
    sums[sum::AREA_Z] = fma(third, 1.5 - total.z, sums[sum::AREA_Z]);
}
