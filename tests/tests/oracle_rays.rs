//! Rays against the case set beside the checkout. Pairs that rays cannot tell are measured exactly, as in a simulation;
//! they count, and so does how many they are.

use serde_json::Value;
use tactum::backend::{Backend, BackendOptions};
use tactum::query::query;
use tactum_tests::shared;

/// Limits for volume (relative) and direction of the gradient \[degrees\]: median and nine tenths.
const VOLUME: [f64; 2] = [3e-4, 3e-3];
const DIRECTION: [f64; 2] = [0.05, 0.5];
/// Nine tenths of the volumes of bodies that rest on small patches far from each other.
const VOLUME_AT_REST: f64 = 1e-2;
/// Largest volume where there is none, in cubes of the smaller mesh's size.
const NOTHING: f64 = 1e-9;

#[test]
#[cfg_attr(not(shared), ignore = "needs the shared data folder beside the checkout")]
fn rays_are_as_accurate_as_stated() {
    let path = shared("oracle/dev.json");
    let set: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let cases = set["cases"].as_array().unwrap();
    let rays = BackendOptions { backend: Backend::Rays, ..BackendOptions::default() };
    let meshes = [shared("meshes"), shared("meshes/more")];
    let answers = serde_json::to_value(query(&path, &meshes, &rays, None).unwrap()).unwrap();
    let (mut volumes, mut at_rest, mut directions) = (Vec::new(), Vec::new(), Vec::new());
    let mut n_by_rays = 0;
    for (case, answer) in cases.iter().zip(answers["cases"].as_array().unwrap()) {
        assert_eq!(case["id"], answer["id"]);
        n_by_rays += usize::from(answer["method"] == "rays");
        let truth = number(&case["V"]);
        let found = number(&answer["V"]);
        if truth == 0.0 {
            assert!(found.abs() <= NOTHING * number(&case["length"]).powi(3), "{}: {found}", case["id"]);
            continue;
        }
        let error = (found - truth).abs() / truth;
        volumes.push(error);
        if case["category"] == "shallow_rest" {
            at_rest.push(error);
        }
        directions.extend(angle(case, answer));
    }
    let volumes = [quantile(&mut volumes, 0.5), quantile(&mut volumes, 0.9)];
    let directions = [quantile(&mut directions, 0.5), quantile(&mut directions, 0.9)];
    let at_rest = quantile(&mut at_rest, 0.9);
    let summary =
        format!("volume {volumes:?}, at rest {at_rest}, direction {directions:?} of {n_by_rays} by rays");
    assert!(volumes[0] <= VOLUME[0] && volumes[1] <= VOLUME[1], "{summary}");
    assert!(directions[0] <= DIRECTION[0] && directions[1] <= DIRECTION[1], "{summary}");
    assert!(at_rest <= VOLUME_AT_REST, "{summary}");
    // What touches without depth is left to the exact method, and what one cluster of triangles meets in too many places.
    assert!(n_by_rays >= cases.len() * 9 / 10, "{summary}");
}

/// Angle between a gradient and its truth; none where it jumps or nearly cancels.
fn angle(case: &Value, answer: &Value) -> Option<f64> {
    let [truth, found] = [case, answer].map(|at| {
        let x = &at["gradient_translation_A"];
        glam::DVec3::from_array([0, 1, 2].map(|k| number(&x[k])))
    });
    let area = number(&case["area_a_in_b"]);
    let has_direction = case["gradient_smooth"] == true && truth.length() > 0.05 * area;
    has_direction.then(|| truth.cross(found).length().atan2(truth.dot(found)).to_degrees())
}

fn quantile(errors: &mut [f64], part: f64) -> f64 {
    errors.sort_by(f64::total_cmp);
    errors[((errors.len() as f64 * part) as usize).min(errors.len() - 1)]
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}
