//! In which direction two bodies are apart, and how far.
//!
//! Boxes along the world's axes would say something else of a scene that is turned as a whole, and of a ball's mesh something else
//! with each degree that it rolls. So bodies are asked how far they reach, along the normals of their own boxes, from the one to the
//! other, and only where all of these find them one in the other also across pairs of their boxes' edges (Gottschalk, Lin, Manocha 1996).

use glam::DVec3;

use crate::Body;

/// A plane between two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Apart {
    /// Its normal, from A to B; unit, world axes.
    pub normal: DVec3,
    /// How far apart the bodies are along it, negative where each reaches beyond the other's end \[m\].
    pub gap: f64,
}

impl Apart {
    /// The plane that leaves two bodies farthest apart of those that are looked at.
    pub fn of(bodies: [&Body; 2]) -> Self {
        let [a, b] = bodies.map(middle);
        let across = b - a;
        let facing = |axis: DVec3| if axis.dot(across) < 0.0 { -axis } else { axis };
        let axes = bodies.map(|body| DVec3::AXES.map(|axis| body.w_from_shape().vector(axis)));
        let faces = axes.iter().flatten().map(|axis| facing(*axis));
        let of = |normal: DVec3| Self { normal, gap: Self::gap(bodies, normal, Body::reach) };
        let farther = |a: Self, b: Self| if b.gap > a.gap { b } else { a };
        let mut best = of(across.try_normalize().unwrap_or(DVec3::Z));
        best = faces.map(of).fold(best, farther);
        if best.gap < 0.0 {
            let edges = axes[0].iter().flat_map(|a| axes[1].iter().map(|b| a.cross(*b)));
            best = edges.filter_map(DVec3::try_normalize).map(facing).map(of).fold(best, farther);
        }
        Self::along(bodies, best.normal)
    }

    /// The plane with this normal.
    pub fn along(bodies: [&Body; 2], normal: DVec3) -> Self {
        Self { normal, gap: Self::gap(bodies, normal, Body::farthest) }
    }

    /// How far apart bodies are along a normal that reach so far from their centres of mass.
    fn gap([a, b]: [&Body; 2], normal: DVec3, reach: impl Fn(&Body, DVec3) -> f64) -> f64 {
        (b.position - a.position).dot(normal) - reach(b, -normal) - reach(a, normal)
    }
}

/// The middle of a body's own box, world \[m\].
pub fn middle(body: &Body) -> DVec3 {
    body.w_from_shape().point(body.shape.own_aabb().center())
}
