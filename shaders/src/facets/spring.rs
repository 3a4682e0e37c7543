//! The springs that hold a patch, and their limit: the twin of `spring.wgsl`.

use glam::{Vec2, Vec3, Vec4};

use super::layout::law;
use super::stretch_layout::MAX_SPRINGS;
use super::turn::crossed;

/// The springs of a patch under way: stretch and, fourth, stiffness.
#[derive(Default)]
pub struct Held {
    springs: [Vec4; MAX_SPRINGS + 1],
    n: usize,
}

impl Held {
    /// One more.
    pub fn hold_one(&mut self, stretch: Vec3, stiffness: f32) {
        if self.n <= MAX_SPRINGS {
            self.springs[self.n] = stretch.extend(stiffness);
            self.n += 1;
        }
    }

    /// All of them.
    pub fn springs(&self) -> &[Vec4] {
        &self.springs[..self.n]
    }

    fn halve(&mut self) {
        for k in (0..self.n).rev() {
            let half = self.springs[k].truncate().extend(0.5 * self.springs[k].w);
            (self.springs[2 * k], self.springs[2 * k + 1]) = (half, half);
        }
        self.n *= 2;
    }

    fn join_narrowest(&mut self) {
        let both = |k: usize| self.springs[k].w + self.springs[k + 1].w;
        let mut narrowest = 0;
        for k in 1..self.n - 1 {
            if both(k) < both(narrowest) {
                narrowest = k;
            }
        }
        let (inner, outer) = (self.springs[narrowest], self.springs[narrowest + 1]);
        let stiffness = inner.w + outer.w;
        let way = outer.truncate() - inner.truncate();
        self.springs[narrowest] = (inner.truncate() + way * (outer.w / stiffness)).extend(stiffness);
        self.springs.copy_within(narrowest + 2..self.n, narrowest + 1);
        self.n -= 1;
    }

    /// Brings the number of springs between half of the most and the most.
    pub fn even_out(&mut self) {
        while self.n > 0 && 2 * self.n <= MAX_SPRINGS {
            self.halve();
        }
        if self.n > MAX_SPRINGS {
            self.join_narrowest();
        }
    }

    /// Lets each spring slip that pulls more than its share of the friction; what they pull B by then.
    pub fn slip(&mut self, law: u32, friction: f32, normal: Vec3, lever: f32) -> Vec3 {
        let mut total = 0.0_f32;
        for spring in self.springs() {
            total += spring.w;
        }
        let part_of = 1.0 / total;
        let (mut reached, mut within, mut force) = (0.0_f32, 0.0_f32, Vec3::ZERO);
        for spring in &mut self.springs[..self.n] {
            let stiffness = spring.w;
            reached += stiffness;
            let next = load_within(law, (reached * part_of).min(1.0));
            let most = friction * (next - within).max(0.0);
            let pull = spring.truncate() * stiffness;
            let now = held_of(pull, normal, lever, most);
            if now != pull {
                *spring = (now / stiffness).extend(stiffness);
            }
            force += now;
            within = next;
        }
        force
    }
}

fn load_within(law: u32, part: f32) -> f32 {
    if law == law::LINEAR { part * (2.0 - part) } else { 0.5 * part * (3.0 - part * part) }
}

/// f and h where they are the same: the root of sqrt(2) - 1.
const DIAGONAL: f32 = 0.643_594_25;

const LIMIT_STEPS: usize = 4;

fn larger(smaller: f32) -> f32 {
    (2.0 / (1.0 + smaller * smaller) - 1.0).max(0.0).sqrt()
}

/// The smaller one of f and h at the place nearest to one beyond the limit.
fn smaller(p: f32, q: f32, ratio: f32) -> f32 {
    let wide = ratio * ratio;
    let squares = p * p + q * q;
    let product = p * q;
    let root = (squares * squares + 4.0 * (product * product)).sqrt();
    let mut s = (q * (2.0 / (squares + root)).sqrt()).min(DIAGONAL);
    let (mut low, mut high) = (0.0_f32, DIAGONAL);
    for _ in 0..LIMIT_STEPS {
        let rise = 1.0 + s * s;
        let c = larger(s);
        let bend = -2.0 * s / (rise * rise * c);
        let pull = 2.0 * s / rise;
        let offset = (p - c) * pull - wide * ((q - s) * (c * rise));
        let slope = ((p - c) * (2.0 / rise - pull * pull) - bend * pull)
            + wide * (c * rise - (q - s) * (bend * rise + 2.0 * s * c));
        if offset > 0.0 {
            high = s;
        } else {
            low = s;
        }
        let next = s - offset / slope;
        s = if next >= low && next <= high { next } else { 0.5 * (low + high) };
    }
    s
}

/// The place nearest to one beyond the limit of these semi-axes.
fn nearest_held(at: Vec2, semi: Vec2) -> Vec2 {
    if semi.x <= 0.0 || at.x <= 0.0 {
        return Vec2::new(0.0, at.y.min(semi.y));
    }
    if semi.y <= 0.0 || at.y <= 0.0 {
        return Vec2::new(at.x.min(semi.x), 0.0);
    }
    if semi.x * (at.x - DIAGONAL * semi.x) > semi.y * (at.y - DIAGONAL * semi.y) {
        let part = smaller(at.x / semi.x, at.y / semi.y, semi.y / semi.x);
        return Vec2::new(semi.x * larger(part), semi.y * part);
    }
    let part = smaller(at.y / semi.y, at.x / semi.x, semi.x / semi.y);
    Vec2::new(semi.x * part, semi.y * larger(part))
}

/// What is held of a pull, across the normal against sliding and along it against turning, where sliding takes so much and turning
/// `lever` times as much.
pub fn held_of(pull: Vec3, normal: Vec3, lever: f32, most: f32) -> Vec3 {
    let turning = pull.dot(normal);
    let across = pull - normal * turning;
    let at = Vec2::new(across.dot(across).sqrt(), turning.abs());
    let semi = Vec2::new(most, most * lever);
    let parts = at / semi;
    if (1.0 + parts.x * parts.x) * (1.0 + parts.y * parts.y) <= 2.0 {
        return pull;
    }
    let held = nearest_held(at, semi);
    let part = |held: f32, of: f32| if of > 0.0 { held / of } else { 0.0 };
    across * part(held.x, at.x) + normal * (turning * part(held.y, at.y))
}

/// A vector after a normal has turned to another one and about that by a small angle.
pub fn turned_with(x: Vec3, before: Vec3, normal: Vec3, angle: f32) -> Vec3 {
    let axis = before.cross(normal);
    let sideways = axis.cross(x);
    let turned = (x + sideways) + axis.cross(sideways) / (1.0 + before.dot(normal)).max(0.5);
    let t = 0.5 * angle;
    let spun = crossed(turned * (1.0 - t * t), normal * angle, turned);
    (spun + normal * (2.0 * (t * t) * normal.dot(turned))) / (1.0 + t * t)
}
