//! Where two spheres meet: the twin of `plane.wgsl`.

use glam::{Vec2, Vec3, Vec4};

use super::place::Cap;

/// Two caps do not face each other.
pub const NONE: u32 = 0;
/// The spheres have a plane of contact.
pub const MEETS: u32 = 1;
/// The triangles are in each other, but their spheres have no contact.
pub const REFUSED: u32 = 2;

/// Cosine of the angle between a normal and the opposite of another beyond which triangles do not lie on each other: of
/// the faces of a box that meet in an edge or a corner at least one is within 55° of any plane that they touch.
pub const OPPOSED: f32 = 0.5;

/// Most that a gap may be curved more one way than on the mean, over that.
pub const ONE_WAY: f32 = 0.8;

/// Sum of two curvatures over the larger of them below which 32 bits do not know it to a thousandth.
pub const TIGHT: f32 = 1e-4;

/// How far the corners of one triangle have to be before the plane of another to be apart from it, over the largest of their coordinates: ten
/// times the rounding of a height.
pub const APART: f32 = 1e-6;

#[derive(Clone, Copy)]
pub struct Plane {
    pub kind: u32,
    pub normal: Vec3,
    pub center: Vec3,
    pub overlap: f32,
    pub curvature: f32,
    pub steep: Vec3,
    pub bend: f32,
}

impl Plane {
    fn none(kind: u32) -> Self {
        let (normal, center, steep) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        Self { kind, normal, center, overlap: 0.0, curvature: 0.0, steep, bend: 0.0 }
    }
}

fn least_height(over: &Cap, of: &Cap) -> f32 {
    let [h0, h1, h2] = of.corners.map(|x| (x - over.corners[0]).dot(over.normal));
    h0.min(h1).min(h2)
}

fn largest(cap: &Cap) -> f32 {
    let [x, y, z] = cap.corners.map(Vec3::abs);
    let most = x.max(y).max(z);
    most.x.max(most.y).max(most.z)
}

fn no_plane(a: &Cap, b: &Cap) -> Plane {
    let room = APART * (largest(a) + largest(b));
    let are_opposed = a.normal.dot(b.normal) <= -OPPOSED;
    Plane::none(if are_opposed && least_height(a, b).max(least_height(b, a)) <= room {
        REFUSED
    } else {
        NONE
    })
}

/// The plane of two spheres, and the ways from either apex to where the axis leaves its sphere.
pub struct Spheres {
    pub plane: Plane,
    pub arm_a: Vec3,
    pub arm_b: Vec3,
}

impl Spheres {
    fn none(plane: Plane) -> Self {
        Self { plane, arm_a: Vec3::ZERO, arm_b: Vec3::ZERO }
    }
}

pub fn is_round(a: &Cap, b: &Cap) -> bool {
    a.ridge == Vec3::ZERO && b.ridge == Vec3::ZERO
}

pub fn plane_between(a: &Cap, b: &Cap) -> Plane {
    let spheres = spheres_between(a, b);
    if spheres.plane.kind != MEETS || is_round(a, b) {
        return spheres.plane;
    }
    let found = bending_of(&spheres, a, b).plane;
    Plane { overlap: found.overlap + (swell_at(a, &found) + swell_at(b, &found)), ..found }
}

pub fn spheres_between(a: &Cap, b: &Cap) -> Spheres {
    let (ka, kb) = (a.curvature, b.curvature);
    let curvature = ka + kb;
    if curvature <= TIGHT * ka.max(kb) {
        return Spheres::none(no_plane(a, b));
    }
    let v = b.apex - a.apex;
    let crossed = a.axis * kb - b.axis * ka;
    let m = crossed + v * (ka * kb);
    if !(a.axis.dot(m) > 0.0 && b.axis.dot(m) < 0.0) {
        return Spheres::none(Plane::none(NONE));
    }
    let d = m.dot(m).sqrt();
    let normal = m / d;
    let both = a.axis + b.axis;
    let apart = both.dot(both);
    let overlap = (apart - ka * kb * v.dot(v) - 2.0 * v.dot(crossed)) / (curvature + d);
    if ka.max(kb) * overlap >= 1.0 {
        return Spheres::none(no_plane(a, b));
    }
    let reach = v + normal * overlap;
    let (arm_a, arm_b, center);
    if ka.abs() >= kb.abs() {
        arm_a = (normal - a.axis) / ka;
        arm_b = arm_a - reach;
        let pole = a.apex + arm_a;
        center = pole - normal * (overlap * ka * (2.0 - kb * overlap) / (2.0 * d));
    } else {
        let fall = (normal + b.axis) / kb;
        arm_a = reach - fall;
        arm_b = -fall;
        let pole = b.apex - fall;
        center = pole + normal * (overlap * kb * (2.0 - ka * overlap) / (2.0 * d));
    }
    let plane = Plane { kind: MEETS, normal, center, overlap, curvature, steep: Vec3::ZERO, bend: 0.0 };
    Spheres { plane, arm_a, arm_b }
}

/// The place of a cap that its swell is taken at: see `Cap::swelling` of tactum-geometry.
pub struct SwellPlace {
    pub parts: Vec3,
    pub s: f32,
    pub t: f32,
    pub weight: f32,
    pub twice: Vec3,
    pub whole: f32,
}

pub fn swells(cap: &Cap) -> bool {
    !(cap.swell == Vec4::ZERO && cap.swell_last == Vec2::ZERO && cap.swell_middle == 0.0)
}

pub fn disc_of(plane: &Plane) -> f32 {
    plane.overlap.max(0.0) / (5.0 * plane.curvature)
}

pub fn swell_place(cap: &Cap, plane: &Plane) -> SwellPlace {
    let [a, b, c] = cap.corners;
    let (p, q) = (b - a, c - a);
    let twice = p.cross(q);
    let whole = twice.dot(twice);
    let arm = plane.center - (a + b + c) / 3.0;
    let (s, t) = (arm.cross(q).dot(twice) / whole, p.cross(arm).dot(twice) / whole);
    let beyond = 3.0 * (s + t).max(-s).max(-t);
    let weight = (cap.spread / (cap.spread + disc_of(plane))).min(1.0 / beyond.max(1.0));
    let third = 1.0 / 3.0;
    let parts = Vec3::new(third - weight * (s + t), third + weight * s, third + weight * t);
    SwellPlace { parts, s, t, weight, twice, whole }
}

fn swell_at(cap: &Cap, plane: &Plane) -> f32 {
    if !swells(cap) {
        return 0.0;
    }
    let at = swell_place(cap, plane).parts;
    let xy = at.x * at.y * (at.x * cap.swell.x + at.y * cap.swell.y);
    let yz = at.y * at.z * (at.y * cap.swell.z + at.z * cap.swell.w);
    let zx = at.z * at.x * (at.z * cap.swell_last.x + at.x * cap.swell_last.y);
    3.0 * (xy + yz + zx) + 6.0 * at.x * at.y * at.z * cap.swell_middle
}

#[derive(Clone, Copy)]
pub struct Saddle {
    pub xx: f32,
    pub xy: f32,
    pub yy: f32,
    pub slope: Vec3,
    pub pull: Vec2,
    pub fall: f32,
}

fn saddle_of(cap: &Cap, arm: Vec3, u: Vec3, w: Vec3) -> Saddle {
    let valley = cap.axis.cross(cap.ridge);
    let (ridge_way, valley_way) = (cap.ridge.dot(arm), valley.dot(arm));
    let r = Vec2::new(cap.ridge.dot(u), cap.ridge.dot(w));
    let v = Vec2::new(valley.dot(u), valley.dot(w));
    Saddle {
        xx: r.x * r.x - v.x * v.x,
        xy: r.x * r.y - v.x * v.y,
        yy: r.y * r.y - v.y * v.y,
        slope: cap.ridge * ridge_way - valley * valley_way,
        pull: r * ridge_way - v * valley_way,
        fall: 0.5 * (ridge_way * ridge_way - valley_way * valley_way),
    }
}

/// What leads from the plane of two spheres to that of their caps: see `Bending` of tactum-geometry.
pub struct Bending {
    /// Without what caps swell.
    pub plane: Plane,
    /// What is known if it is another one than the spheres'.
    pub of: Option<Bent>,
}

pub struct Bent {
    pub u: Vec3,
    pub w: Vec3,
    pub of_a: Saddle,
    pub of_b: Saddle,
    pub shift: Vec2,
    pub lean: Vec2,
    pub way: Vec2,
}

/// Whether a contact's pole is as far from a bent cap's apex as its sphere reaches: no quadric is a surface there.
fn is_far(cap: &Cap, arm: Vec3) -> bool {
    cap.ridge != Vec3::ZERO && cap.curvature * arm.dot(arm).sqrt() >= 1.0
}

fn is_saddle(cap: &Cap) -> bool {
    cap.ridge.dot(cap.ridge) > cap.curvature.abs()
}

fn may_fit(cap: &Cap, other: &Cap) -> bool {
    !is_saddle(cap)
        || ONE_WAY * cap.ridge.dot(cap.ridge)
            <= cap.curvature + other.curvature + other.ridge.dot(other.ridge)
}

fn unbent(spheres: Plane, a: &Cap, b: &Cap, fits: bool) -> Plane {
    let is_known = (is_saddle(a) || is_saddle(b)) && !(a.is_flattened || b.is_flattened);
    Plane { kind: if !fits && is_known { NONE } else { spheres.kind }, ..spheres }
}

pub fn bending_of(spheres: &Spheres, a: &Cap, b: &Cap) -> Bending {
    let mut plane = spheres.plane;
    let u = across(plane.normal);
    let w = plane.normal.cross(u);
    let of_a = saddle_of(a, spheres.arm_a, u, w);
    let of_b = saddle_of(b, spheres.arm_b, u, w);
    let (xx, xy, yy) = (of_a.xx + of_b.xx, of_a.xy + of_b.xy, of_a.yy + of_b.yy);
    let half = 0.5 * (xx - yy);
    let whole = (half * half + xy * xy).sqrt();
    let mean = plane.curvature + 0.5 * (xx + yy);
    if whole > ONE_WAY * mean {
        let fits = may_fit(a, b) && may_fit(b, a) && ONE_WAY * whole <= mean;
        return Bending { plane: unbent(plane, a, b, fits), of: None };
    }
    let (steep_x, steep_y) = (plane.curvature + xx, plane.curvature + yy);
    let pull = of_a.pull + of_b.pull;
    let determinant = steep_x * steep_y - xy * xy;
    let shift = Vec2::new(
        (xy * pull.y - steep_y * pull.x) / determinant,
        (xy * pull.x - steep_x * pull.y) / determinant,
    );
    let moved = u * shift.x + w * shift.y;
    if is_far(a, spheres.arm_a + moved) || is_far(b, spheres.arm_b + moved) {
        return Bending { plane: unbent(plane, a, b, false), of: None };
    }
    plane.overlap = plane.overlap - (of_a.fall + of_b.fall) - 0.5 * (pull.x * shift.x + pull.y * shift.y);
    let at_pole = saddle_of(a, spheres.arm_a + moved, u, w);
    let lean = shift * a.curvature + at_pole.pull;
    let tilted = plane.normal + u * lean.x + w * lean.y;
    plane.normal = tilted / tilted.dot(tilted).sqrt();
    plane.center += moved;
    plane.curvature += 0.5 * (xx + yy);
    plane.bend = whole;
    let mut way = Vec2::new(half + whole, xy);
    if half <= 0.0 {
        way = Vec2::new(xy, whole - half);
    }
    let along = u * way.x + w * way.y;
    let steep = along - plane.normal * along.dot(plane.normal);
    let size = steep.dot(steep).sqrt();
    if size > 0.0 {
        plane.steep = steep / size;
    } else {
        plane.bend = 0.0;
    }
    Bending { plane, of: Some(Bent { u, w, of_a, of_b, shift, lean, way }) }
}

fn sag(curvature: f32, h: f32) -> f32 {
    let part = curvature * h;
    curvature * h * h / (1.0 + (1.0 - part * part).max(0.0).sqrt())
}

pub fn local_overlap(plane: &Plane, a: &Cap, b: &Cap, h: f32) -> f32 {
    plane.overlap - sag(a.curvature, h) - sag(b.curvature, h)
}

pub fn across(n: Vec3) -> Vec3 {
    let side = if n.z < 0.0 { -1.0 } else { 1.0 };
    let a = -1.0 / (side + n.z);
    Vec3::new(1.0 + side * n.x * n.x * a, side * (n.x * n.y * a), -(side * n.x))
}
