//! A vertex and a face, or two edges, on their way through a motion: when they are in each other.

use glam::DVec3;

use super::bernstein::Bernstein;
use super::path::{Path, Quadratic};
use super::placed::MovingFace;

/// Squared sine between two edges below which they have no normal of their own: neighbouring vertices and faces carry that contact.
pub const PARALLEL: f64 = 1e-12;

/// Part of a face's or edge's own size by which a crossing may miss it: rounding at a border that two of them share.
pub const BORDER: f64 = 1e-12;

/// A vertex p and a face abc, counter-clockwise from outside.
#[derive(Clone, Copy, Debug)]
pub struct VertexFace {
    /// The vertex.
    pub p: Path,
    /// The face's corners.
    pub face: [Path; 3],
    /// Unnormalised outward normal.
    pub normal: Quadratic,
}

impl VertexFace {
    /// A vertex and a face.
    pub fn new(p: Path, face: [Path; 3]) -> Self {
        let [a, b, c] = &face;
        Self { p, normal: Quadratic::cross(&b.from(a), &c.from(a)), face }
    }

    /// A vertex and a face of which the normal is known.
    pub(super) fn with(p: Path, face: &MovingFace) -> Self {
        Self { p, face: face.corners, normal: face.normal }
    }

    /// Height of the vertex over the face times the length of the normal \[m³\]; negative behind the face.
    pub fn height(&self) -> Bernstein<4> {
        self.normal.dot_path(&self.p.from(&self.face[0]))
    }

    /// Barycentric weights times the squared length of the normal, `W_a`, `W_b`, `W_c`: all not negative where the vertex is in the prism
    /// over the face.
    pub fn weights(&self) -> [Bernstein<5>; 3] {
        let [a, b, c] = self.face.map(|corner| corner.from(&self.p));
        [[b, c], [c, a], [a, b]].map(|[u, v]| self.normal.dot(&Quadratic::cross(&u, &v)))
    }

    /// Barycentric weights of the vertex's foot on the face's plane at τ; `None` where the face has no normal.
    pub fn weights_at(&self, t: f64) -> Option<[f64; 3]> {
        let m = self.normal.at(t);
        let square = m.length_squared();
        let p = self.p.at(t);
        let [a, b, c] = self.face.map(|corner| corner.at(t) - p);
        let weights = [b.cross(c), c.cross(a), a.cross(b)].map(|n| m.dot(n) / square);
        weights.iter().all(|w| w.is_finite()).then_some(weights)
    }

    /// Whether the vertex is in the prism over the face at τ, to within rounding.
    pub fn is_over(&self, t: f64) -> bool {
        self.weights_at(t).is_some_and(|weights| weights.iter().all(|w| *w >= -BORDER))
    }

    /// Height of the vertex over the face's plane \[m\]; zero where the face has no normal.
    pub fn height_at(&self, t: f64) -> f64 {
        self.normal.at(t).normalize_or_zero().dot(self.p.at(t) - self.face[0].at(t))
    }

    /// The times in which the vertex is behind the face and in the prism over it, exactly: none to three intervals, in their order.
    pub fn intervals(&self) -> Vec<[f64; 2]> {
        let height = self.height();
        let weights = self.weights();
        let mut times = vec![0.0, 1.0];
        height.roots(&mut times);
        weights.iter().for_each(|w| w.roots(&mut times));
        pieces(times, |t| height.at(t) < 0.0 && weights.iter().all(|w| w.at(t) >= 0.0))
    }
}

/// An edge ab and an edge cd of another body.
#[derive(Clone, Copy, Debug)]
pub struct EdgeEdge {
    /// Ends of the one.
    pub ab: [Path; 2],
    /// Ends of the other.
    pub cd: [Path; 2],
    /// `(b - a) × (d - c)`.
    pub normal: Quadratic,
}

impl EdgeEdge {
    /// Two edges.
    pub fn new(ab: [Path; 2], cd: [Path; 2]) -> Self {
        Self { normal: Quadratic::cross(&ab[1].from(&ab[0]), &cd[1].from(&cd[0])), ab, cd }
    }

    /// Distance of the lines along the normal times its length, from ab to cd \[m³\]: the edges cross where it changes its sign.
    pub fn height(&self) -> Bernstein<4> {
        self.normal.dot_path(&self.cd[0].from(&self.ab[0]))
    }

    /// What is not negative where the lines' nearest points are on both edges: parameters times the squared length of the normal,
    /// `α`, `1 - α`, `β`, `1 - β`; and what is positive where the edges are not parallel.
    pub fn borders(&self) -> [Bernstein<5>; 5] {
        let (u, v) = (self.ab[1].from(&self.ab[0]), self.cd[1].from(&self.cd[0]));
        let w = self.cd[0].from(&self.ab[0]);
        let alpha = Quadratic::cross(&w, &v).dot(&self.normal);
        let beta = Quadratic::cross(&w, &u).dot(&self.normal);
        let square = self.normal.dot(&self.normal);
        let longest = |x: &Path| x.start.length_squared().max(x.end.length_squared());
        let parallel = square.plus(-PARALLEL * longest(&u) * longest(&v));
        [alpha, square.minus(&alpha), beta, square.minus(&beta), parallel]
    }

    /// Parameters of the lines' nearest points on ab and cd at τ; `None` where the edges are parallel.
    pub fn parameters_at(&self, t: f64) -> Option<[f64; 2]> {
        let g = self.normal.at(t);
        let square = g.length_squared();
        let [a, b] = self.ab.map(|end| end.at(t));
        let [c, d] = self.cd.map(|end| end.at(t));
        let (u, v, w) = (b - a, d - c, c - a);
        if square <= PARALLEL * u.length_squared() * v.length_squared() {
            return None;
        }
        let found = [w.cross(v).dot(g) / square, w.cross(u).dot(g) / square];
        found.iter().all(|x| x.is_finite()).then_some(found)
    }

    /// Whether the lines' nearest points are on both edges at τ, to within rounding.
    pub fn is_across(&self, t: f64) -> bool {
        self.parameters_at(t).is_some_and(|found| found.iter().all(|x| (-BORDER..=1.0 + BORDER).contains(x)))
    }

    /// Sine of the angle between the edges at τ.
    pub(super) fn sine(&self, t: f64) -> f64 {
        let [u, v] = [&self.ab, &self.cd].map(|[from, to]| to.at(t) - from.at(t));
        self.normal.at(t).length() / (u.length() * v.length())
    }

    /// Unit normal at τ; zero where the edges are parallel.
    pub(super) fn unit(&self, t: f64) -> DVec3 {
        self.normal.at(t).normalize_or_zero()
    }

    /// Distance of the lines along the normal, from ab to cd \[m\].
    pub fn height_at(&self, t: f64) -> f64 {
        self.normal.at(t).normalize_or_zero().dot(self.cd[0].at(t) - self.ab[0].at(t))
    }

    /// The times in which the edges are across each other and `sign` times [`EdgeEdge::height`] is negative, in their order.
    pub fn intervals(&self, sign: f64) -> Vec<[f64; 2]> {
        let height = self.height();
        let borders = self.borders();
        let mut times = vec![0.0, 1.0];
        height.roots(&mut times);
        borders.iter().for_each(|border| border.roots(&mut times));
        pieces(times, |t| sign * height.at(t) < 0.0 && borders.iter().all(|border| border.at(t) >= 0.0))
    }
}

/// The pieces between sorted times whose middle is chosen, neighbours taken together.
pub fn pieces(mut times: Vec<f64>, is_chosen: impl Fn(f64) -> bool) -> Vec<[f64; 2]> {
    times.sort_unstable_by(f64::total_cmp);
    let mut found: Vec<[f64; 2]> = Vec::new();
    for two in times.windows(2).filter(|two| two[0] < two[1]) {
        if !is_chosen(0.5 * (two[0] + two[1])) {
            continue;
        }
        match found.last_mut() {
            Some(last) if last[1] == two[0] => last[1] = two[1],
            _ => found.push([two[0], two[1]]),
        }
    }
    found
}

/// A pair of features with what is needed to integrate over it.
#[derive(Clone, Copy, Debug)]
pub enum Features {
    /// A vertex of A and a face of B.
    VertexOfA(VertexFace),
    /// A vertex of B and a face of A.
    VertexOfB(VertexFace),
    /// An edge ab of A and an edge cd of B.
    Edges(EdgeEdge),
}

impl Features {
    /// The unnormalised normal; which way it looks is of no matter to what is integrated.
    pub fn normal(&self) -> &Quadratic {
        match self {
            Self::VertexOfA(pair) | Self::VertexOfB(pair) => &pair.normal,
            Self::Edges(pair) => &pair.normal,
        }
    }

    /// The weights of the corners at τ, unused ones zero; `None` where there is no normal.
    pub fn weights_at(&self, t: f64) -> Option<[f64; 3]> {
        match self {
            Self::VertexOfA(pair) | Self::VertexOfB(pair) => pair.weights_at(t),
            Self::Edges(pair) => pair.parameters_at(t).map(|[alpha, beta]| [alpha, beta, 0.0]),
        }
    }

    /// The points of A and of B that these weights belong to.
    pub fn points(&self, weights: [f64; 3]) -> [Path; 2] {
        let on_face = |pair: &VertexFace| {
            let sum = |end: fn(&Path) -> DVec3| (0..3).map(|i| weights[i] * end(&pair.face[i])).sum();
            Path { start: sum(|x| x.start), end: sum(|x| x.end) }
        };
        let on_edge = |[a, b]: &[Path; 2], part: f64| Path {
            start: a.start + part * (b.start - a.start),
            end: a.end + part * (b.end - a.end),
        };
        match self {
            Self::VertexOfA(pair) => [pair.p, on_face(pair)],
            Self::VertexOfB(pair) => [on_face(pair), pair.p],
            Self::Edges(pair) => [on_edge(&pair.ab, weights[0]), on_edge(&pair.cd, weights[1])],
        }
    }
}
