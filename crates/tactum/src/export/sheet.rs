//! The part of a plane that is shown of it: planes have no end, files do.

use glam::DVec3;
use tactum_geometry::{Aabb, Pose};

/// By how much the sheet is larger than what it lies under.
const MARGIN: f64 = 1.25;

/// Half the side of a sheet under nothing \[m\].
const ALONE: f64 = 5.0;

/// A square of a plane, in the plane's own frame, where z is up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheet {
    /// Its middle \[m\].
    pub center: DVec3,
    /// Half its side \[m\].
    pub half_side: f64,
}

impl Sheet {
    /// The square of a plane at a pose that lies under a box of the world, which may be empty.
    pub fn under(box_w: &Aabb, w_from_plane: &Pose) -> Self {
        let flat = |x: DVec3| DVec3::new(x.x, x.y, 0.0);
        let plane_from_w = w_from_plane.inverse();
        let there = Aabb::from_points(box_w.corners().map(|corner| flat(plane_from_w.point(corner))));
        let half_side = MARGIN * there.half_size().max_element();
        if box_w.is_empty() || !(half_side > 0.0 && half_side.is_finite()) {
            return Self { center: DVec3::ZERO, half_side: ALONE };
        }
        Self { center: there.center(), half_side }
    }

    /// Its corners, counter-clockwise from above.
    pub fn corners(&self) -> [DVec3; 4] {
        let r = self.half_side;
        [[-r, -r], [r, -r], [r, r], [-r, r]].map(|[x, y]| self.center + DVec3::new(x, y, 0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    /// A wall that looks along x, under a box from (1, 2, 3) to (2, 4, 7): 2 m wide along y and 4 m along z.
    #[test]
    fn a_sheet_lies_under_what_is_over_it() {
        let w_from_plane =
            Pose::new(DVec3::new(-1.0, 0.0, 0.0), DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2));
        let box_w = Aabb::from_points([DVec3::new(1.0, 2.0, 3.0), DVec3::new(2.0, 4.0, 7.0)]);
        let sheet = Sheet::under(&box_w, &w_from_plane);
        assert!((sheet.half_side - 2.5).abs() < 1e-12);
        assert!(w_from_plane.point(sheet.center).distance(DVec3::new(-1.0, 3.0, 5.0)) < 1e-12);
        let nothing = Aabb::from_points([]);
        assert_eq!(Sheet::under(&nothing, &w_from_plane), Sheet { center: DVec3::ZERO, half_side: ALONE });
    }
}
