//! Part of an overlap that faces one way.

use glam::DVec3;

use crate::Aabb;
use crate::majority::Majority;
use crate::moments::{SurfaceMoments, VolumeMoments};
use crate::overlap::intersection::COHERENT;
use crate::overlap::{Overlap, OverlapKind, Patch};

/// Sums over a part of an overlap that faces one way, about an origin near to it.
#[derive(Clone, Debug)]
pub(in crate::overlap) struct Part {
    pub volume: VolumeMoments,
    /// The part's share of A's surface inside B, or that of B's inside A turned round.
    pub surface: SurfaceMoments,
    /// Areas of A's and of B's surface.
    pub areas: [f64; 2],
    /// Which way most of A's and of B's surface faces, where that is known.
    pub facing: [Majority; 2],
    pub bounds: Aabb,
    /// Boxes around the whole faces of A and of B that it shows something of, as far as these are known.
    pub around: [Aabb; 2],
    /// Whether it touches no other part of the overlap: pieces of it, and no cells of one.
    pub is_apart: bool,
    /// Numbers of the parts that it was merged from, ascending.
    pub members: Vec<u32>,
}

impl Part {
    /// Whether the gradient has a meaning as a normal.
    pub fn has_normal(&self) -> bool {
        let areas = self.areas.map(|area| area.max(0.0));
        self.surface.area_vector.length() >= COHERENT * areas[0].min(areas[1])
    }

    /// The part as an overlap. `points` span it; they are relative to A's origin, and so is `origin`, about which the sums
    /// are.
    pub fn overlap(&self, points: &[DVec3], origin: DVec3) -> Overlap {
        let (centroid, second_moment) = self.volume.central();
        let (volume, gradient, centroid) = (self.volume.volume, self.surface.area_vector, centroid + origin);
        let areas = self.areas.map(|area| area.max(0.0));
        let patch = || Patch::new(points, gradient, volume, centroid, &second_moment);
        // Where a piece was cut it has no corners.
        let patch = self.has_normal().then(patch).flatten().map(|patch| match self.is_apart {
            true => {
                let facing = self.facing.map(|votes| votes.leader());
                let patch = patch.with_planes(points, centroid, gradient, areas, facing);
                patch.on_spanned_planes(points, centroid, gradient)
            }
            false => patch,
        });
        Overlap {
            kind: if patch.is_some() { OverlapKind::Regular } else { OverlapKind::NoNormal },
            volume,
            centroid,
            second_moment,
            gradient,
            angular_gradient: self.surface.translated(origin).angular(),
            areas,
            bounds: Aabb { min: self.bounds.min + origin, max: self.bounds.max + origin },
            n_components: 1,
            patch,
            regions: Vec::new(),
        }
    }

    pub fn add(&mut self, other: Self) {
        self.volume += other.volume;
        self.surface += other.surface;
        self.areas = [self.areas[0] + other.areas[0], self.areas[1] + other.areas[1]];
        self.facing.iter_mut().zip(other.facing).for_each(|(own, other)| own.add(other));
        self.bounds = self.bounds.union(&other.bounds);
        self.around = [0, 1].map(|of| self.around[of].union(&other.around[of]));
        self.is_apart &= other.is_apart;
        self.members.extend(other.members);
        self.members.sort_unstable();
    }

    /// Whether the part encloses no more than rounding.
    pub fn is_flat(&self, thinnest: f64) -> bool {
        self.volume.volume <= thinnest * (self.areas[0] + self.areas[1]).max(0.0)
    }
}
