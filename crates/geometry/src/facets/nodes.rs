//! A force on a facet as forces on its corners.

use glam::{DMat3, DVec3};

/// Three forces at the corners of a triangle \[N\] that together are a force and a moment \[N m\] about a point.
///
/// Of all forces that add up to both they are those nearest to the force shared by the barycentric weights of the point,
/// clamped to the triangle: what the weights leave of the moment is added as omega x (corner - middle), the least change that
/// carries a couple. Exact for any point, off the triangle's plane too; for corners on a line, a couple about that line has no
/// forces and is left out.
pub fn share_among_corners(corners: &[DVec3; 3], point: DVec3, force: DVec3, moment: DVec3) -> [DVec3; 3] {
    let weights = clamped_weights(corners, point);
    let shares = weights.map(|w| force * w);
    let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
    let arms = corners.map(|x| x - middle);
    let mut left = moment + (point - middle).cross(force);
    let mut inertia = DMat3::ZERO;
    for (arm, share) in arms.iter().zip(&shares) {
        left -= arm.cross(*share);
        inertia += DMat3::from_diagonal(DVec3::splat(arm.length_squared()))
            - DMat3::from_cols(*arm * arm.x, *arm * arm.y, *arm * arm.z);
    }
    let omega = inertia.inverse() * left;
    let omega = if omega.is_finite() { omega } else { DVec3::ZERO };
    [0, 1, 2].map(|i| shares[i] + omega.cross(arms[i]))
}

/// Barycentric coordinates of a point's projection, negative ones set to zero; thirds for a triangle without area.
fn clamped_weights(corners: &[DVec3; 3], point: DVec3) -> [f64; 3] {
    let [a, b, c] = *corners;
    let normal = (b - a).cross(c - a);
    let part = |p: DVec3, q: DVec3| (p - point).cross(q - point).dot(normal).max(0.0);
    let weights = [part(b, c), part(c, a), part(a, b)];
    let sum: f64 = weights.iter().sum();
    if sum > 0.0 && sum.is_finite() { weights.map(|w| w / sum) } else { [1.0 / 3.0; 3] }
}
