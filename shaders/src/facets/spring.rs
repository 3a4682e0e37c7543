//! The springs across a patch: the twin of `spring.wgsl`.

use glam::{Vec3, Vec4};

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
    pub fn slip(&mut self, law: u32, friction: f32) -> Vec3 {
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
            let mut stretch = spring.truncate();
            let pull = stretch * stiffness;
            let square = pull.dot(pull);
            if square > most * most {
                stretch *= most / square.sqrt();
                *spring = stretch.extend(stiffness);
            }
            force += stretch * stiffness;
            within = next;
        }
        force
    }
}

fn load_within(law: u32, part: f32) -> f32 {
    if law == law::LINEAR { part * (2.0 - part) } else { 0.5 * part * (3.0 - part * part) }
}

/// A vector across a normal after it has turned to another one and about that by a small angle.
pub fn turned_across(x: Vec3, before: Vec3, normal: Vec3, angle: f32) -> Vec3 {
    let axis = before.cross(normal);
    let sideways = axis.cross(x);
    let turned = (x + sideways) + axis.cross(sideways) / (1.0 + before.dot(normal)).max(0.5);
    let t = 0.5 * angle;
    let spun = crossed(turned * (1.0 - t * t), normal * angle, turned) / (1.0 + t * t);
    spun - normal * normal.dot(spun)
}

/// A vector, no longer than so much.
pub fn within(x: Vec3, most: f32) -> Vec3 {
    let square = x.dot(x);
    if square > most * most { x * (most / square.sqrt()) } else { x }
}

/// A number, no larger than so much with either sign.
pub fn no_more_than(x: f32, most: f32) -> f32 {
    if x > most {
        most
    } else if x < -most {
        -most
    } else {
        x
    }
}
