//! Where two spheres meet: the twin of `plane.wgsl`.

use glam::Vec3;

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
}

impl Plane {
    fn none(kind: u32) -> Self {
        Self { kind, normal: Vec3::ZERO, center: Vec3::ZERO, overlap: 0.0, curvature: 0.0 }
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

pub fn plane_between(a: &Cap, b: &Cap) -> Plane {
    let (ka, kb) = (a.curvature, b.curvature);
    let curvature = ka + kb;
    if curvature <= TIGHT * ka.max(kb) {
        return no_plane(a, b);
    }
    let v = b.apex - a.apex;
    let crossed = a.normal * kb - b.normal * ka;
    let m = crossed + v * (ka * kb);
    if !(a.normal.dot(m) > 0.0 && b.normal.dot(m) < 0.0) {
        return Plane::none(NONE);
    }
    let d = m.dot(m).sqrt();
    let normal = m / d;
    let both = a.normal + b.normal;
    let apart = both.dot(both);
    let overlap = (apart - ka * kb * v.dot(v) - 2.0 * v.dot(crossed)) / (curvature + d);
    if ka.max(kb) * overlap >= 1.0 {
        return no_plane(a, b);
    }
    let center = if ka.abs() >= kb.abs() {
        let pole = a.apex + (normal - a.normal) / ka;
        pole - normal * (overlap * ka * (2.0 - kb * overlap) / (2.0 * d))
    } else {
        let pole = b.apex - (normal + b.normal) / kb;
        pole + normal * (overlap * kb * (2.0 - ka * overlap) / (2.0 * d))
    };
    Plane { kind: MEETS, normal, center, overlap, curvature }
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
