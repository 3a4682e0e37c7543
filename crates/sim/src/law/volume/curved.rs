//! Contacts of two surfaces that are both curved all over their overlap: the flanks of a thread, a peg in its hole.
//!
//! A plane patch says that all its points keep apart along one normal. On a curved shell every point has a normal of its own,
//! and a motion along the surface, as that of a nut on its bolt, brings some points nearer along the mean normal while the
//! surfaces slide past each other. What the shell does say is how its volume changes with any motion, `g · v + k · ω`. The
//! wrench of even pressure `(g, k)` is a screw: a force along `g` through its central axis, with a torque about it
//! (Allard et al. 2010 use that row for a whole overlap).
//!
//! A patch on such a shell stops the slide: one end of it always approaches along the mean normal. So a shell whose normals spread
//! far acts at a point, and so do all contacts of a pair of three or more, which hold the body straight between them. Of one or
//! two that spread little, a critter's leg against another's, the patch does what it can: without it a pile rolls on for long.

use glam::DVec2;
use tactum_geometry::Overlap;

use crate::constants::HOLDING_REGIONS;
use crate::law::volume::geometry::ContactGeometry;

/// A region of curved surfaces seen from its central axis, with the contact point there and the pitch of its screw; `None`
/// where one of the surfaces is nearly plane or the overlap is no shell.
pub fn of(region: &Overlap) -> Option<ContactGeometry<'_>> {
    if !region.flatness().is_shell() {
        return None;
    }
    let mut geometry = ContactGeometry::of(region)?;
    let area = geometry.area();
    let about_point = geometry.angular_gradient_about_point();
    let axis = geometry.gradient.cross(about_point) / (area * area);
    let shift = DVec2::new(geometry.axes[0].dot(axis), geometry.axes[1].dot(axis));
    geometry.pitch = about_point.dot(geometry.normal) / area;
    geometry.point += axis;
    // How far the shell bends is no depth: moved along its normal, it grows as a prism does.
    geometry.extent = geometry.mean_depth;
    geometry.polygon.to_mut().iter_mut().for_each(|x| *x -= shift);
    (geometry.pitch.is_finite() && shift.is_finite()).then_some(geometry)
}

/// Whether the contact of one of a pair's regions acts at a point.
pub fn is_point(regions: &[Overlap], region: usize) -> bool {
    let holds = regions.len() >= HOLDING_REGIONS && regions.iter().any(|part| part.flatness().is_shell());
    holds || regions[region].flatness().is_wide_shell()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;
    use glam::{DQuat, DVec3};
    use tactum_geometry::mesh::generate::{self, Bolt, Nut, Thread};
    use tactum_geometry::overlap::overlap;
    use tactum_geometry::{Cuboid, Pose, Shape};

    const PITCH: f64 = 0.02;

    /// A nut that has sunk on its bolt's thread.
    fn nut_on_bolt() -> Overlap {
        let thread = Thread { radius: 0.02, pitch: PITCH, amplitude: 0.003, starts: 1 };
        let bolt = Bolt {
            thread,
            thread_length: 0.08,
            fade: 0.0,
            shank_length: 0.0,
            head_height: 0.01,
            head_width: 0.06,
        };
        let nut = Nut { thread, clearance: 5e-4, height: 0.04, width: 0.066, fade: 0.0 };
        let bolt = Shape::from_mesh(generate::bolt(&bolt, 8000).expect("a bolt")).expect("closed");
        let nut = Shape::from_mesh(generate::nut(&nut, 8000).expect("a nut")).expect("closed");
        let sunk = Pose::new(DVec3::Z * -7e-4, DQuat::IDENTITY);
        overlap(&bolt, &Pose::IDENTITY, &nut, &sunk)
    }

    /// For any motion the row of the screw is the rate of the volume over the patch's area, and for a turn along the thread
    /// it is nearly zero, which along the mean normal at the centroid it is not.
    #[test]
    fn the_flanks_of_a_thread_push_along_a_screw() {
        let whole = nut_on_bolt();
        assert!(whole.regions().len() >= 3, "{} regions", whole.regions().len());
        let (mut of_screw, mut of_plane) = (0.0, 0.0);
        for region in whole.regions() {
            let bent = of(region).expect("a flank is curved");
            let n = bent.gradient.normalize();
            let row = |v: DVec3, omega: DVec3| n.dot(v + omega.cross(bent.point)) + bent.pitch * n.dot(omega);
            let rate = |v: DVec3, omega: DVec3| region.gradient.dot(v) + region.angular_gradient.dot(omega);
            for k in 0..6 {
                let unit = |i: usize| if i == k { 1.0 } else { 0.0 };
                let (v, omega) =
                    (DVec3::new(unit(0), unit(1), unit(2)), DVec3::new(unit(3), unit(4), unit(5)));
                let error = row(v, omega) - rate(v, omega) / region.gradient.length();
                assert!(error.abs() < 1e-12, "{k}: {error}");
            }
            let (v, omega) = (DVec3::Z * PITCH, DVec3::Z * TAU);
            of_screw += bent.gradient.length() * row(v, omega);
            of_plane += bent.gradient.length() * n.dot(v + omega.cross(region.centroid));
        }
        let area = whole.gradient.length();
        // Facets are not the thread: a few per cent of the motion across it, PITCH per turn.
        assert!((of_screw / area / PITCH).abs() < 0.05, "{}", of_screw / area / PITCH);
        assert!(of_plane.abs() > of_screw.abs(), "{of_plane} {of_screw}");
    }

    /// A ball on a ball and a box across an edge are no shells.
    #[test]
    fn lenses_and_slabs_are_left_alone() {
        let ball = Shape::from_mesh(generate::sphere(0.5, 5120).expect("a ball")).expect("closed");
        let lens =
            overlap(&ball, &Pose::IDENTITY, &ball, &Pose::from_translation(DVec3::new(0.3, 0.2, 0.927)));
        assert!(lens.volume > 0.0 && of(&lens).is_none());
        let cube = Shape::Cuboid(Cuboid { half_size: DVec3::splat(0.5) });
        let slab =
            overlap(&cube, &Pose::IDENTITY, &cube, &Pose::from_translation(DVec3::new(0.9, 0.0, 0.99)));
        assert!(of(&slab).is_none());
    }
}
