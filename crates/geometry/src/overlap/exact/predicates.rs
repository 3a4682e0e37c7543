//! Exact signs of determinants, and what decides where they are zero.
//!
//! The host mesh is thought of as moved by `(e, e², e³)` with an infinitely small `e > 0` (simulation of simplicity,
//! Edelsbrunner and Mücke 1990, with one shift for the whole mesh). A determinant that is exactly zero takes the sign
//! of its first non-zero derivative under that shift, which is the lexicographic sign of a vector: a face normal for a
//! vertex and a face, a cross product for two edges. All decisions are then those of one real configuration in
//! general position. A face without area has no side: everything counts as inside of it.

use glam::DVec3;
use robust::{Coord, Coord3D, orient2d, orient3d};

/// Bound of the rounding error of a 3x3 determinant of coordinate differences, in units of the product of the largest
/// elements of its three rows: six products of three, with at most eight roundings of 1.1e-16 each on the way.
const DETERMINANT_ERROR: f64 = 6e-15;

/// Which of the two meshes something belongs to. The host carries the infinitely small shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The mesh in whose frame the pair is worked out.
    Host,
    /// The mesh that is moved there.
    Guest,
}

/// A face with what the tests need of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facet {
    /// Corner points, counter-clockwise from outside.
    pub corners: [DVec3; 3],
    /// Normal, twice the area long, rounded.
    normal: DVec3,
    /// Error of a height, per unit of the largest coordinate difference to corner 0.
    filter: f64,
}

impl Facet {
    #[inline]
    pub fn new(corners: [DVec3; 3]) -> Self {
        let [a, b, c] = corners;
        let (u, v) = (b - a, c - a);
        let filter = DETERMINANT_ERROR * u.abs().max_element() * v.abs().max_element();
        Self { corners, normal: u.cross(v), filter }
    }

    /// `det[b-a, c-a, x-a]`, positive on the side of the normal: rounded, but with its exact sign, and the same
    /// number whenever the same face and point meet.
    #[inline]
    pub fn height(&self, x: DVec3) -> f64 {
        let d = x - self.corners[0];
        let det = self.normal.dot(d);
        if det.abs() > self.filter * d.abs().max_element() {
            return det;
        }
        self.exact_height(x)
    }

    /// Heights of three points.
    #[inline]
    pub fn heights(&self, points: &[DVec3; 3]) -> [f64; 3] {
        let d = points.map(|x| x - self.corners[0]);
        let det = d.map(|d| self.normal.dot(d));
        let reach = d[0].abs().max(d[1].abs()).max(d[2].abs()).max_element();
        let error = self.filter * reach;
        let is_sure = det[0].abs() > error && det[1].abs() > error && det[2].abs() > error;
        if is_sure { det } else { self.heights_near_zero(points) }
    }

    #[cold]
    fn heights_near_zero(&self, points: &[DVec3; 3]) -> [f64; 3] {
        points.map(|x| self.height(x))
    }

    #[cold]
    fn exact_height(&self, x: DVec3) -> f64 {
        let [a, b, c] = self.corners;
        if x == a || x == b || x == c {
            return 0.0;
        }
        -orient3d(coord(a), coord(b), coord(c), coord(x))
    }

    /// A side, from its corner to the next one.
    #[inline]
    pub fn side(&self, side: usize) -> [DVec3; 2] {
        [self.corners[side], self.corners[(side + 1) % 3]]
    }

    /// Unit normal and a bound of the length by which rounding may have changed it; zero if it says nothing.
    #[inline]
    pub fn direction(&self) -> (DVec3, f64) {
        let length = self.normal.length();
        // The error of each component is below the filter, and three components make less than twice of it.
        let error = 2.0 * self.filter / length;
        if error < 1.0 { (self.normal / length, error) } else { (DVec3::ZERO, 0.0) }
    }

    /// Whether a point of this height above the face counts as outside; `owner` is the mesh of the point.
    #[inline]
    pub fn is_outside(&self, height: f64, owner: Owner) -> bool {
        if height != 0.0 { height > 0.0 } else { self.is_tie_outside(owner) }
    }

    #[cold]
    fn is_tie_outside(&self, owner: Owner) -> bool {
        match owner {
            Owner::Host => self.lex_normal() > 0,
            Owner::Guest => self.lex_normal() < 0,
        }
    }

    /// Whether the face has no area at all.
    #[inline]
    pub fn is_flat(&self) -> bool {
        // A rounded normal beyond its rounding error is not zero.
        self.normal.abs().max_element() <= self.filter && self.lex_normal() == 0
    }

    /// Sign of the first non-zero component of the normal, exactly.
    fn lex_normal(&self) -> i8 {
        let [a, b, c] = self.corners;
        let component = |i: usize, j: usize| {
            let k = 3 - i - j;
            if self.normal[k].abs() > self.filter {
                return sign(self.normal[k]);
            }
            let flat = |x: DVec3| Coord { x: x[i], y: x[j] };
            sign(orient2d(flat(a), flat(b), flat(c)))
        };
        lexicographic(component)
    }
}

/// Exact sign of `det[q-p, a-p, b-p]` for an edge (p, q) of the host and an edge (a, b) of the guest.
///
/// Exchanging the ends of one edge turns the sign round. Parallel edges in one plane give an arbitrary sign, which no
/// test needs: the ends of one lie on the same side of any face at the other.
#[inline]
pub(super) fn edge_edge(host: [DVec3; 2], guest: [DVec3; 2]) -> i8 {
    let ([p, q], [a, b]) = (host, guest);
    let (u, v, r) = (q - p, b - a, a - p);
    let det = u.cross(r).dot(v);
    let size = u.abs().max_element() * r.abs().max_element() * v.abs().max_element();
    if det.abs() > DETERMINANT_ERROR * size {
        return sign(det);
    }
    exact_edge_edge(host, guest)
}

#[cold]
fn exact_edge_edge(host: [DVec3; 2], guest: [DVec3; 2]) -> i8 {
    let ([p, q], [a, b]) = (host, guest);
    // Meshes that share vertices are common where two bodies are built of one part, and an exact zero is slow.
    let is_shared = p == a || p == b || q == a || q == b;
    let exact = if is_shared { 0 } else { sign(-orient3d(coord(p), coord(q), coord(a), coord(b))) };
    if exact != 0 { exact } else { lex_cross(host, guest) }
}

/// Sign of the first non-zero component of `(q-p) × (b-a)`, exactly; +1 if all are zero.
fn lex_cross(host: [DVec3; 2], guest: [DVec3; 2]) -> i8 {
    let ([p, q], [a, b]) = (host, guest);
    let (u, v) = (q - p, b - a);
    let component = |i: usize, j: usize| {
        let rounded = u[i] * v[j] - u[j] * v[i];
        if rounded.abs() > DETERMINANT_ERROR * (u[i].abs().max(u[j].abs()) * v[i].abs().max(v[j].abs())) {
            return sign(rounded);
        }
        // u_i v_j - u_j v_i with u = q - p and v = b - a written out: a sum of eight products.
        let products = [
            (q[i], b[j]),
            (-q[i], a[j]),
            (-p[i], b[j]),
            (p[i], a[j]),
            (-q[j], b[i]),
            (q[j], a[i]),
            (p[j], b[i]),
            (-p[j], a[i]),
        ];
        sign_of_sum(products)
    };
    match lexicographic(component) {
        0 => 1,
        sign => sign,
    }
}

/// Exact sign of a sum of products: each is split into a rounded product and its error, and all are added into an
/// expansion of parts that do not overlap (Shewchuk 1997, grow-expansion), whose last non-zero part has the sign.
fn sign_of_sum(products: [(f64, f64); 8]) -> i8 {
    let mut expansion = [0.0; 16];
    let mut len = 0;
    for (a, b) in products {
        let product = a * b;
        for term in [a.mul_add(b, -product), product] {
            let mut carry = term;
            for part in &mut expansion[..len] {
                (carry, *part) = two_sum(carry, *part);
            }
            expansion[len] = carry;
            len += 1;
        }
    }
    expansion.iter().rev().map(|&part| sign(part)).find(|&s| s != 0).unwrap_or(0)
}

/// The rounded sum of two numbers and its error (Knuth).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}

/// The first sign that is not zero of a cross product whose components come from pairs of axes.
fn lexicographic(component: impl Fn(usize, usize) -> i8) -> i8 {
    [(1, 2), (2, 0), (0, 1)].into_iter().map(|(i, j)| component(i, j)).find(|&s| s != 0).unwrap_or(0)
}

fn sign(x: f64) -> i8 {
    i8::from(x > 0.0) - i8::from(x < 0.0)
}

fn coord(x: DVec3) -> Coord3D<f64> {
    Coord3D { x: x.x, y: x.y, z: x.z }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whole numbers so large that products round, against integer arithmetic.
    #[test]
    fn sums_of_products_have_their_exact_sign() {
        let mut rng = tactum_random::Rng::new(7);
        let n_cases = rng.cases(2000);
        let mut number = || rng.whole(-(1 << 52), (1 << 52) - 1);
        let mut n_rounded_wrong = 0;
        for _ in 0..n_cases {
            let mut pairs = [(); 8].map(|()| (number(), number()));
            // Pairs that nearly cancel: the sum is far below the rounding of its terms.
            for i in 0..4 {
                pairs[i + 4] = (-pairs[i].0, pairs[i].1 + number() % 2);
            }
            let exact: i128 = pairs.iter().map(|&(a, b)| i128::from(a) * i128::from(b)).sum();
            let products = pairs.map(|(a, b)| (a as f64, b as f64));
            assert_eq!(i128::from(sign_of_sum(products)), exact.signum());
            let rounded: f64 = products.iter().map(|(a, b)| a * b).sum();
            n_rounded_wrong += usize::from(i128::from(sign(rounded)) != exact.signum());
        }
        assert!(n_rounded_wrong > 10, "{n_rounded_wrong}");
    }

    /// A point in the face's plane is inside or outside by the shift, and the other way round for the other mesh.
    #[test]
    fn ties_are_decided_by_the_shift() {
        let face = Facet::new([DVec3::ZERO, DVec3::Y, DVec3::Z]);
        let x = DVec3::new(0.0, 0.3, 0.3);
        assert_eq!(face.height(x), 0.0);
        // The normal is +x: the host's points are shifted out of the guest, the guest's are left behind inside.
        assert!(face.is_outside(0.0, Owner::Host) && !face.is_outside(0.0, Owner::Guest));
        let back = Facet::new([DVec3::ZERO, DVec3::Z, DVec3::Y]);
        assert!(!back.is_outside(0.0, Owner::Host) && back.is_outside(0.0, Owner::Guest));
        let flat = Facet::new([DVec3::ZERO, DVec3::Y, 2.0 * DVec3::Y]);
        assert!(flat.is_flat() && !flat.is_outside(0.0, Owner::Host) && !flat.is_outside(0.0, Owner::Guest));
    }

    /// Crossing lines have one sign, which turns round with either of them.
    #[test]
    fn edge_signs_are_antisymmetric_ties_included() {
        let points = |i: i64| DVec3::new((i % 3) as f64, (i / 3 % 3) as f64, (i / 9 % 3) as f64);
        for i in 0..27 * 27 {
            let edges = [[points(i), points(i / 27)], [points(5 * i + 1), points(7 * i / 27 + 3)]];
            let [[p, q], [a, b]] = edges;
            if (q - p).cross(b - a) != DVec3::ZERO {
                let s = edge_edge([p, q], [a, b]);
                assert!(s != 0 && edge_edge([q, p], [a, b]) == -s && edge_edge([p, q], [b, a]) == -s);
            }
        }
    }
}
