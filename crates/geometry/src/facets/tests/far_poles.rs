//! Facets whose spheres' poles are far beyond them: where a torus is curved as much one way as the other, they are metres away.

use glam::{DQuat, DVec3};
use tactum_random::Rng;

use super::super::{Detail, Margins, Pressure, Query, Rounding};
use super::{Candidates, hertz, query, rounded, touch};
use crate::Pose;
use crate::mesh::generate;

/// Half of the plate's side \[m\].
const HALF: f64 = 1.0;

/// Tori of several shapes above a plate and beside it, all of whose facets are looked at: nothing touches.
#[test]
fn tori_beside_a_plate_do_not_touch_it() {
    let plate =
        rounded(generate::cuboid(DVec3::new(2.0 * HALF, 2.0 * HALF, 0.2), 12).unwrap(), &Rounding::Estimated);
    let mut rng = Rng::new(7);
    for minor in [0.03, 0.036, 0.0225, 0.012] {
        let torus = rounded(generate::torus(0.06, minor, 2000).unwrap(), &Rounding::Estimated);
        for k in 0..60 {
            let [x, y, z, w] = std::array::from_fn(|_| rng.range(-1.0, 1.0));
            let turn = DQuat::from_xyzw(x, y, z, w).normalize();
            let corners = torus.solid().mesh().vertices.iter().map(|x| turn * *x);
            let least = corners.fold(DVec3::INFINITY, DVec3::min);
            let apart = rng.range(1e-3, 0.1);
            // Over the plate, over its end, or beside that.
            let place = if k % 3 == 0 {
                DVec3::new(HALF + apart - least.x, rng.range(-0.5, 0.5), rng.range(-0.1, 0.2))
            } else {
                let across = if k % 3 == 1 { HALF + rng.range(-0.1, 0.1) } else { rng.range(-0.5, 0.5) };
                DVec3::new(across, rng.range(-0.5, 0.5), 0.1 + apart - least.z)
            };
            let at = Pose::new(place, turn);
            for pressure in [Pressure::Hertz { modulus: 1e7 }, Pressure::Linear { stiffness: 1e9 }] {
                // Less than the plate is thick: deeper than that its other face would be looked at from behind.
                let margins = Margins { depth: 0.1, gap: 0.0, skin: 0.0 };
                let found = Candidates::find(&plate, &Pose::IDENTITY, &torus, &at, margins);
                let sums = touch(&plate, &Pose::IDENTITY, &torus, &at, &found, &query(pressure)).unwrap();
                let is_free = sums.n_facets == 0 && sums.force == DVec3::ZERO && sums.energy == 0.0;
                assert!(is_free, "r {minor} pose {k}: {sums:?}");
            }
        }
    }
}

/// In a plate by less than its tube is thick, a torus is nowhere deeper than it is.
#[test]
fn tori_are_no_deeper_than_they_are() {
    let plate =
        rounded(generate::cuboid(DVec3::new(2.0 * HALF, 2.0 * HALF, 0.2), 12).unwrap(), &Rounding::Estimated);
    let torus = rounded(generate::torus(0.06, 0.03, 2000).unwrap(), &Rounding::Estimated);
    let mut rng = Rng::new(8);
    for _ in 0..60 {
        let [x, y, z, w] = std::array::from_fn(|_| rng.range(-1.0, 1.0));
        let turn = DQuat::from_xyzw(x, y, z, w).normalize();
        let heights = torus.solid().mesh().vertices.iter().map(|x| (turn * *x).z);
        let depth = rng.range(1e-3, 5e-3);
        let at = Pose::new(DVec3::new(0.02, 0.03, 0.1 - depth - heights.fold(f64::INFINITY, f64::min)), turn);
        let margins = Margins { depth: 0.01, gap: 0.0, skin: 0.0 };
        let found = Candidates::find(&plate, &Pose::IDENTITY, &torus, &at, margins);
        let query = Query { detail: Detail::Polygons, ..hertz(1e7) };
        let sums = touch(&plate, &Pose::IDENTITY, &torus, &at, &found, &query).unwrap();
        let bulge = torus.greatest_bulge();
        assert!(sums.n_facets > 0 && sums.deepest <= depth + bulge, "{depth} {} {bulge}", sums.deepest);
    }
}
