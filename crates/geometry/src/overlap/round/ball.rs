//! Integrals over a ball inside a polyhedron.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use super::face::{Arc, Conic, Cut, Quadric, Section, add_cones};
use crate::moments::VolumeMoments;

/// A sphere about the origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sphere {
    pub radius: f64,
}

impl Quadric for Sphere {
    fn value(&self, x: DVec3) -> f64 {
        let distance = x.length();
        (distance - self.radius) * (distance + self.radius)
    }

    fn products(&self, x: DVec3, d: DVec3) -> (f64, f64) {
        (d.length_squared(), x.dot(d))
    }

    fn section(&self, normal: DVec3, at: DVec3) -> Option<Section> {
        let height = normal.dot(at);
        let squared = (self.radius - height) * (self.radius + height);
        if squared <= 0.0 {
            return None;
        }
        let (u, w) = normal.any_orthonormal_pair();
        let u = u.normalize();
        // The pair's handedness is not promised; the sense of rotation about the normal is made here.
        let w = if u.cross(w).dot(normal) > 0.0 { w } else { -w };
        let (cosine, sine) = (squared.sqrt() * u, squared.sqrt() * w);
        let to_angle = [cosine / squared, sine / squared];
        Some(Section::Conic(Conic { center: height * normal, cosine, sine, to_angle }))
    }
}

impl Sphere {
    /// Volume moments, about the returned apex, of the part of the ball bounded by the pieces and arcs of a polyhedron,
    /// and the area of the sphere inside the polyhedron.
    ///
    /// `pole` is the unit vector to a point of the sphere away from all arcs, and `pole_is_inside` says whether the
    /// polyhedron contains that point. The apex is the antipode of the pole. With y the position from the apex and
    /// u = 1 - cos of the angle between them, y·n = R u on the sphere; the integrals of u^k times monomials of y
    /// across the axis over a part of the sphere are integrals of the forms below along its rim, which are regular
    /// except at the pole.
    pub fn integrate(&self, cut: &Cut, pole: DVec3, pole_is_inside: bool) -> (VolumeMoments, DVec3, f64) {
        let axis = -pole;
        let (ex, ey) = axis.any_orthonormal_pair();
        let ey = if ex.cross(ey).dot(axis) > 0.0 { ey } else { -ey };
        let mut sums = if pole_is_inside { RimSums::WHOLE } else { RimSums::default() };
        for arc in &cut.arcs {
            arc.integrate(|x, dx| {
                let y = x / self.radius - axis;
                // The sphere is on the right of the arcs, hence the sign.
                let dn = -dx / self.radius;
                sums.add([y.dot(ex), y.dot(ey)], [dn.dot(ex), dn.dot(ey)], 0.5 * y.length_squared());
            });
        }
        let r = self.radius;
        let frame = DMat3::from_cols(ex, ey, axis);
        let [x1, y1] = sums.linear[0];
        let [x2, y2] = sums.linear[1];
        let [xx, xy, yy] = sums.square;
        let [area, zeroth, first, second] = sums.even;
        let inner =
            DMat3::from_cols(DVec3::new(xx, xy, -x2), DVec3::new(xy, yy, -y2), DVec3::new(-x2, -y2, second));
        let mut moments = VolumeMoments {
            volume: r.powi(3) / 3.0 * zeroth,
            first: frame * (r.powi(4) / 4.0 * DVec3::new(x1, y1, -first)),
            second: frame * (r.powi(5) / 5.0 * inner) * frame.transpose(),
        };
        let apex = r * axis;
        add_cones(&mut moments, &cut.pieces, apex);
        (moments, apex, r * r * area)
    }

    /// A pole for a polyhedron with several or no arcs: of the axes' and space diagonals' directions and `first_choice`
    /// the one farthest from all arcs; the first choice if it is more than 60 degrees away.
    pub fn best_pole(&self, arcs: &[Arc], first_choice: DVec3) -> DVec3 {
        let nearness = |pole: DVec3| {
            let mut nearest = -1.0_f64;
            for arc in arcs {
                arc.sample(12, |x| nearest = nearest.max(x.dot(pole) / self.radius));
            }
            nearest
        };
        let mut best = (nearness(first_choice), first_choice);
        if best.0 < 0.5 {
            return first_choice;
        }
        for ix in 0..27 {
            let digit = |power: i32| f64::from(ix / power % 3 - 1);
            let direction = DVec3::new(digit(1), digit(3), digit(9));
            if let Some(pole) = direction.try_normalize() {
                let nearest = nearness(pole);
                if nearest < best.0 {
                    best = (nearest, pole);
                }
            }
        }
        best.1
    }
}

/// Integrals over a part of the unit sphere, as sums along its rim.
#[derive(Clone, Copy, Debug, Default)]
struct RimSums {
    /// Of 1, u, u², u³.
    even: [f64; 4],
    /// Of u (x, y) and u² (x, y).
    linear: [[f64; 2]; 2],
    /// Of u times xx, xy, yy.
    square: [f64; 3],
}

impl RimSums {
    /// The whole sphere.
    const WHOLE: Self = Self {
        even: [4.0 * PI, 4.0 * PI, 16.0 * PI / 3.0, 8.0 * PI],
        linear: [[0.0; 2]; 2],
        square: [4.0 * PI / 3.0, 0.0, 4.0 * PI / 3.0],
    };

    /// Adds a line element at (x, y) and `u` of a rim with the surface on its left.
    fn add(&mut self, [x, y]: [f64; 2], [dx, dy]: [f64; 2], u: f64) {
        let turn = x * dy - y * dx;
        let to_pole = 2.0 - u;
        let base = turn / to_pole;
        self.even[0] += base;
        self.even[1] += base * u / 2.0;
        self.even[2] += base * u * u / 3.0;
        self.even[3] += base * u * u * u / 4.0;
        let (quadratic, cubic) = (u * u / 2.0, u * u * u / 3.0);
        self.linear[0][0] += quadratic * dy;
        self.linear[0][1] -= quadratic * dx;
        self.linear[1][0] += cubic * dy;
        self.linear[1][1] -= cubic * dx;
        let square = base * u * (2.0 / 3.0 - u / 4.0) / to_pole;
        self.square[0] += square * x * x;
        self.square[1] += square * x * y;
        self.square[2] += square * y * y;
    }
}
