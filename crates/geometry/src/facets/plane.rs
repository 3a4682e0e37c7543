//! Where the spheres of two caps meet.

use glam::DVec3;

use super::cap::Cap;

/// The plane in which the spheres of two caps A and B meet, and how deep they overlap on their axis.
///
/// One set of formulas serves curved, flat and hollow caps, as all of them are in curvatures k = 1/R: with the apices x, the
/// normals n and v = x_b - x_a,
///
/// ```text
/// m     = k_b n_a - k_a n_b + k_a k_b v            ( = k_a k_b (c_b - c_a), and -k_a n_b where B is flat )
/// N     = m / |m|
/// delta = (|n_a + n_b|² - k_a k_b v² - 2 v.(k_b n_a - k_a n_b)) / (k_a + k_b + |m|)     ( = R_a + R_b - d )
/// D     = k_a + k_b - k_a k_b delta = |m|
/// a_g²  = delta (k_a + k_b + D) (2 - k_a delta) (2 - k_b delta) / (4 D²)
/// ```
///
/// The supplement of Smeets et al. (2014) prints the overlap with the other sign; positive when they overlap is right for
/// the equations that follow there. Its difference of radii and distance loses all digits as a radius grows; the quotient loses
/// none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPlane {
    /// Unit normal of the plane, from A to B.
    pub normal: DVec3,
    /// Where the axis of the two spheres crosses the plane \[m\].
    pub center: DVec3,
    /// Overlap of the two spheres on their axis \[m\]; negative for a gap.
    pub overlap: f64,
    /// Sum of the curvatures, 1/R* \[1/m\].
    pub curvature: f64,
    /// Radius of the circle in which the spheres meet, squared \[m²\]; negative for a gap.
    pub rim_squared: f64,
}

/// Sum of two curvatures over the larger of them below which it is their rounding that decides whether one fits into the other.
const TIGHT: f64 = 1e-9;

/// Why two caps cannot touch, or have no law of spheres.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Both caps are flat: no sphere touches.
    TwoFlats,
    /// The curvatures' sum is not positive, or by rounding only: a ball in a socket that is not wider than it.
    TightSocket,
    /// A cap looks away from the other by a right angle or more.
    FacingAway,
    /// The centre of the rounder sphere is in the other body, where no side of that is nearer than another: a plate
    /// would push out by its far face what came through its near one.
    Swallowed,
}

impl ContactPlane {
    /// The plane of two caps in one frame.
    ///
    /// A facet faces the other body when its normal makes less than a right angle with the plane's, on its side (Smeets et al.
    /// 2014, eq. 37). N is the outward normal of A's sphere where the axis leaves it, hollow or not, so one test serves all.
    ///
    /// # Errors
    ///
    /// See [`Refusal`].
    pub fn between(a: &Cap, b: &Cap) -> Result<Self, Refusal> {
        let (ka, kb) = (a.curvature, b.curvature);
        let curvature = ka + kb;
        if ka == 0.0 && kb == 0.0 {
            return Err(Refusal::TwoFlats);
        }
        if curvature <= TIGHT * ka.max(kb) {
            return Err(Refusal::TightSocket);
        }
        let v = b.apex - a.apex;
        let crossed = a.normal * kb - b.normal * ka;
        let m = crossed + v * (ka * kb);
        if !(a.normal.dot(m) > 0.0 && b.normal.dot(m) < 0.0) {
            return Err(Refusal::FacingAway);
        }
        let d = m.length();
        let normal = m / d;
        let apart = (a.normal + b.normal).length_squared();
        let overlap = (apart - ka * kb * v.length_squared() - 2.0 * v.dot(crossed)) / (curvature + d);
        if ka.max(kb) * overlap >= 1.0 {
            return Err(Refusal::Swallowed);
        }
        let [left_a, left_b] = [2.0 - ka * overlap, 2.0 - kb * overlap];
        let rim_squared = overlap * (curvature + d) * left_a * left_b / (4.0 * d * d);
        // From the rounder sphere: the other may be a plane, whose pole is nowhere.
        let center = if ka.abs() >= kb.abs() {
            let pole = a.apex + (normal - a.normal) / ka;
            pole - normal * (overlap * ka * left_b / (2.0 * d))
        } else {
            let pole = b.apex - (normal + b.normal) / kb;
            pole + normal * (overlap * kb * left_a / (2.0 * d))
        };
        Ok(Self { normal, center, overlap, curvature, rim_squared })
    }
}
