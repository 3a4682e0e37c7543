//! The point of a triangle that is nearest to another one.

use glam::DVec3;

/// Barycentric weights of the point of a triangle that is nearest to another point, zero for the corners of which it is opposite (Ericson
/// 2005, section 5.1.5): all positive where it is inside of the triangle.
pub fn nearest([a, b, c]: [DVec3; 3], x: DVec3) -> [f64; 3] {
    let (ab, ac) = (b - a, c - a);
    let dots = |from: DVec3| (ab.dot(x - from), ac.dot(x - from));
    let ((d1, d2), (d3, d4), (d5, d6)) = (dots(a), dots(b), dots(c));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let of_c = d1 * d4 - d3 * d2;
    if of_c <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let part = d1 / (d1 - d3);
        return [1.0 - part, part, 0.0];
    }
    let of_b = d5 * d2 - d1 * d6;
    if of_b <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let part = d2 / (d2 - d6);
        return [1.0 - part, 0.0, part];
    }
    let of_a = d3 * d6 - d5 * d4;
    if of_a <= 0.0 && d4 >= d3 && d5 >= d6 {
        let part = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - part, part];
    }
    let sum = of_a + of_b + of_c;
    [of_a / sum, of_b / sum, of_c / sum]
}

/// The point of a triangle with these weights.
pub fn weighted([a, b, c]: [DVec3; 3], [wa, wb, wc]: [f64; 3]) -> DVec3 {
    wa * a + wb * b + wc * c
}

#[cfg(test)]
mod tests {
    use tactum_random::Rng;

    use super::*;

    /// No point of the triangle is nearer, and what joins the two is normal to what the nearest one may move along.
    #[test]
    fn no_point_is_nearer_than_the_nearest() {
        let mut rng = Rng::new(12);
        let mut vector = |scale: f64| DVec3::from_array(std::array::from_fn(|_| rng.range(-scale, scale)));
        for _ in 0..2000 {
            let corners = [vector(1.0), vector(1.0), vector(1.0)];
            let x = vector(2.0);
            let weights = nearest(corners, x);
            assert!(weights.iter().all(|w| *w >= 0.0) && (weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let at = weighted(corners, weights);
            for corner in corners {
                // Convex: towards no corner does it come nearer.
                assert!((corner - at).dot(x - at) < 1e-12, "{corners:?} {x}");
            }
        }
    }
}
