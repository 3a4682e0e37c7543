//! Rays against exact overlaps.

use glam::DVec3;
use rayon::prelude::*;
use tactum_geometry::Overlap;
use tactum_geometry::overlap::exact;
use tactum_geometry::overlap::rays::Distrust;

use super::cases::Case;
use super::{Check, CheckError, Context, Figure};
use crate::backend::rays::{MeshPair, RayDetector};
use crate::backend::{DEFAULT_RAYS, StageRunner};

/// Error of the volume, as a part of it: half of the pairs, and nine tenths, are better. What 64 rays a side reach by the
/// error of their pixels, see `tactum_geometry::overlap::rays`.
const VOLUME: [f64; 2] = [3e-4, 3e-3];

/// Error of the gradient's direction \[degrees\] of overlaps that have one: what a reading promises when it calls itself
/// sure, and twice that, as it judges by one draw.
const DIRECTION: [f64; 2] = [0.29, 0.58];

/// The same of shallow contacts, whose sides, which err, are small: about twice the 0.07 and 0.28 degrees that these cases
/// have on software drivers. Rounding of a device changes them far less.
const CONTACT_DIRECTION: [f64; 2] = [0.15, 0.5];

/// Error of the centroid, as a part of the overlap's box's diagonal: that of the volume, at most.
const CENTROID: [f64; 2] = [3e-4, 3e-3];

/// Part of the pairs that overlap which may be left to the exact method, besides those pressed from several sides. A fifth
/// of the cases are made to touch or to be thinner than rays resolve; on software drivers 0.27 of them are left.
const LEFT: f64 = 0.32;

pub fn check(context: &Context<'_>) -> Result<Vec<Check>, CheckError> {
    let cases = context.affordable(context.shapes.pairs(context.some(400), 6));
    let mut detector = RayDetector::new(StageRunner::device(context.options.adapter.clone())?, DEFAULT_RAYS);
    let pairs: Vec<MeshPair<'_>> = cases.iter().map(Case::pair).collect();
    let found = detector.overlaps(&pairs)?;
    let expected: Vec<Overlap> =
        cases.par_iter().map(|case| exact::overlap(&case.a, &case.b, &case.a_from_b)).collect();
    let mut errors = Errors::default();
    for ((case, found), expected) in cases.iter().zip(&found).zip(&expected) {
        errors.add(case, &found.overlap, expected);
    }
    Ok(errors.checks())
}

#[derive(Debug, Default)]
struct Errors {
    volume: Vec<f64>,
    direction: Vec<f64>,
    contact_direction: Vec<f64>,
    centroid: Vec<f64>,
    n_empty: u64,
    n_full: u64,
    /// Left to the exact method because rays were too few or disagreed.
    n_left: usize,
    /// Left to it because the bodies press on each other from several sides.
    n_several: u64,
    /// Overlaps found where there is none.
    n_invented: usize,
    /// Overlaps taken for none.
    n_missed: usize,
}

impl Errors {
    /// A pair that the rays leave to the exact method has no error but counts as left.
    fn add(&mut self, case: &Case, found: &Result<Overlap, Distrust>, expected: &Overlap) {
        if expected.volume == 0.0 {
            self.n_empty += 1;
            self.n_invented += usize::from(found.as_ref().is_ok_and(|found| found.volume != 0.0));
            return;
        }
        self.n_full += 1;
        let found = match found {
            Ok(found) => found,
            Err(Distrust::Several) => {
                self.n_several += 1;
                return;
            }
            Err(_) => {
                self.n_left += 1;
                return;
            }
        };
        if found.volume == 0.0 {
            self.n_missed += 1;
            return;
        }
        self.volume.push((found.volume / expected.volume - 1.0).abs());
        self.centroid.push(found.centroid.distance(expected.centroid) / expected.bounds.diagonal());
        if expected.patch.is_some() {
            let error = angle(found.gradient, expected.gradient).to_degrees();
            self.direction.push(error);
            if case.is_contact {
                self.contact_direction.push(error);
            }
        }
    }

    fn checks(mut self) -> Vec<Check> {
        let mut checks = Vec::new();
        for (name, errors, limits, unit) in [
            ("volume", &mut self.volume, VOLUME, "of it"),
            ("gradient's direction", &mut self.direction, DIRECTION, "degrees"),
            ("direction of contacts", &mut self.contact_direction, CONTACT_DIRECTION, "degrees"),
            ("centroid", &mut self.centroid, CENTROID, "of the box"),
        ] {
            errors.sort_by(f64::total_cmp);
            let cases = (errors.len() as u64, "overlaps");
            for (part, limit, of) in [(0.5, limits[0], "median"), (0.9, limits[1], "90 %")] {
                let worst = errors.get((part * errors.len() as f64) as usize).copied().unwrap_or(f64::NAN);
                checks.push(Check::new(
                    format!("{name} against exact, {of}"),
                    cases,
                    Figure { worst, limit, unit },
                ));
            }
        }
        let n_one_sided = self.n_full - self.n_several;
        let left = self.n_left as f64 / n_one_sided as f64;
        let figure = Figure { worst: left, limit: LEFT, unit: "of them" };
        checks.push(Check::new("left to the exact method", (n_one_sided, "overlaps"), figure));
        let invented = Figure::faults(self.n_invented);
        checks.push(Check::new("empty ones are empty", (self.n_empty, "pairs"), invented));
        let missed = Figure::faults(self.n_missed);
        checks.push(Check::new("none is taken for empty", (self.n_full, "overlaps"), missed));
        checks
    }
}

fn angle(a: DVec3, b: DVec3) -> f64 {
    a.cross(b).length().atan2(a.dot(b))
}
