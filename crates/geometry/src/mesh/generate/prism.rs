//! The regular prism.

use glam::DVec3;

use super::GenerateError;
use super::error::Check;
use super::measures::Prism;
use super::profile::circle;
use super::resolution::{Layout, fit, pieces};
use super::rings::{Ring, RingCounts, Weaver};
use crate::TriangleMesh;

/// A prism over a regular polygon, about the origin with its axis along z; one vertical edge is at (`radius`, 0).
///
/// The sides stay plane however finely they are cut; each end is a stack of smaller polygons about a middle vertex.
/// `4 sides` triangles at least.
///
/// # Errors
/// A number of sides out of range, a radius or height that is not a positive length, or more than
/// [`MAX_TRIANGLES`](super::MAX_TRIANGLES).
pub fn prism(size: &Prism, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    let check = Check("prism");
    check.count("sides", size.sides, 3..=1_000_000)?;
    check.length("radius", size.radius)?;
    check.length("height", size.height)?;
    let layout = |edge| PrismLayout::new(size, edge);
    Ok(fit(check, triangles, size.radius.max(size.height), layout)?.mesh(size))
}

/// The polygons of a prism from the lower middle vertex to the upper one.
struct PrismLayout {
    /// Circumradius and height \[m\] and cuts of one side of each polygon; no cuts stand for a middle vertex.
    polygons: Vec<(f64, f64, usize)>,
    counts: RingCounts,
}

impl PrismLayout {
    fn new(size: &Prism, edge: f64) -> Self {
        let Prism { sides, radius, height } = *size;
        let side = 2.0 * radius * (std::f64::consts::PI / f64::from(sides)).sin();
        let (per_side, layers, rings) =
            (pieces(side, edge, 1), pieces(height, edge, 1), pieces(radius, edge, 1));
        let end = |z: f64| {
            (0..rings).map(move |i| {
                let share = i as f64 / rings as f64;
                let cuts = if i == 0 { 0 } else { ((per_side as f64 * share).round() as usize).max(1) };
                (radius * share, z, cuts)
            })
        };
        let wall = (0..=layers).map(|i| (radius, height * (i as f64 / layers as f64 - 0.5), per_side));
        let polygons: Vec<_> = end(-0.5 * height).chain(wall).chain(end(0.5 * height).rev()).collect();
        let rings = polygons.iter().map(|&(_, _, cuts)| (cuts * sides as usize).max(1)).collect();
        Self { polygons, counts: RingCounts { rings, closed: false } }
    }

    fn mesh(&self, size: &Prism) -> TriangleMesh {
        let mut weaver = Weaver::default();
        let mut rings: Vec<Ring> = Vec::with_capacity(self.polygons.len());
        for &(radius, z, cuts) in &self.polygons {
            if cuts == 0 {
                rings.push(weaver.ring([DVec3::new(0.0, 0.0, z)]));
                continue;
            }
            let corners: Vec<DVec3> = circle(radius, z, size.sides as usize).collect();
            let next = corners.iter().cycle().skip(1);
            rings.push(
                weaver.ring(
                    corners
                        .iter()
                        .zip(next)
                        .flat_map(|(&a, &b)| (0..cuts).map(move |i| a.lerp(b, i as f64 / cuts as f64))),
                ),
            );
        }
        weaver.join_all(&rings);
        weaver.finish()
    }
}

impl Layout for PrismLayout {
    fn n_triangles(&self) -> usize {
        self.counts.n_triangles()
    }
}
