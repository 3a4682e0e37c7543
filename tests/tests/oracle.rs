//! The exact overlap against the case set beside the checkout, whose answers come from two independent exact methods.

use std::collections::BTreeMap;

use glam::{DMat3, DQuat, DVec3};
use serde_json::Value;
use tactum_geometry::mesh::import;
use tactum_geometry::overlap::exact;
use tactum_geometry::{Overlap, Pose, Solid};
use tactum_tests::shared;

/// Largest relative error of volumes and gradients, where the truth itself is not less certain than a tenth of it.
const RELATIVE: f64 = 1e-9;
/// Largest volume where there is none, in cubes of the smaller mesh's size.
const NOTHING: f64 = 1e-15;
/// Largest error of the centroid, each direction in units of the overlap's own width there.
const CENTROID: f64 = 1e-6;
/// Largest error of the second moment in the same units.
const SECOND_MOMENT: f64 = 1e-5;

#[test]
#[cfg_attr(not(shared), ignore = "needs the shared data folder beside the checkout")]
fn every_case_is_measured_to_its_tolerance() {
    let text = std::fs::read_to_string(shared("oracle/dev.json")).unwrap();
    let set: Value = serde_json::from_str(&text).unwrap();
    let cases = set["cases"].as_array().unwrap();
    assert_eq!(cases.len() as u64, set["count"].as_u64().unwrap());
    let mut solids = BTreeMap::new();
    let mut faults = Vec::new();
    for case in cases {
        let mut solid = |side: &str| {
            let file = case[format!("mesh_{side}")].as_str().unwrap().to_owned();
            let scale = number(&case[format!("scale_{side}")]);
            solids.entry((file, scale.to_bits())).or_insert_with_key(|(file, _)| load(file, scale)).clone()
        };
        let (a, b) = (solid("a"), solid("b"));
        let (w_from_a, w_from_b) = (pose(&case["pose_a"]), pose(&case["pose_b"]));
        let overlap = exact::overlap(&a, &b, &w_from_a.relative(&w_from_b)).rotated(w_from_a.rotation);
        for fault in compare(case, &overlap, &w_from_a) {
            faults.push(format!("{} {}: {fault}", case["id"], case["category"]));
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

fn load(file: &str, scale: f64) -> std::sync::Arc<Solid> {
    let path = shared("meshes").join(file);
    let path = if path.is_file() { path } else { shared("meshes/more").join(file) };
    let mesh = import::load(path).expect("a mesh of the case set can be read").mesh;
    std::sync::Arc::new(Solid::new(mesh.scaled(scale)).expect("a mesh of the case set is closed"))
}

/// What is wrong with an overlap.
fn compare(case: &Value, overlap: &Overlap, w_from_a: &Pose) -> Vec<String> {
    let mut faults = Vec::new();
    let mut check = |what: &str, error: f64, limit: f64| {
        if error.is_nan() || error > limit {
            faults.push(format!("{what} is off by {error:.2e}, more than {limit:.0e}"));
        }
    };
    let truth = number(&case["V"]);
    let length = number(&case["length"]);
    if truth == 0.0 {
        check("V", overlap.volume.abs() / length.powi(3), NOTHING);
        return faults;
    }
    // Where the truth is exact it states no error.
    let uncertainty = |quantity: &str| case["oracle_error"][quantity].as_f64().unwrap_or(0.0);
    let limit = |quantity: &str| RELATIVE.max(10.0 * uncertainty(quantity));
    check("V", (overlap.volume - truth).abs() / truth, limit("V"));

    let centroid = vector(&case["centroid"]);
    let c = symmetric(&case["second_moment"]) * (1.0 / truth);
    let to_widths = cholesky(c).inverse();
    let off = overlap.centroid + w_from_a.translation - centroid;
    check("the centroid", (to_widths * off).length(), CENTROID);
    let off = overlap.second_moment * (1.0 / truth) - c;
    let off = to_widths * off * to_widths.transpose();
    check("the second moment", frobenius(off) / 3_f64.sqrt(), SECOND_MOMENT);

    let area = number(&case["area_a_in_b"]).max(number(&case["area_b_in_a"]));
    let spread = (c.x_axis.x + c.y_axis.y + c.z_axis.z).sqrt();
    let arm = (centroid - w_from_a.translation).length() + spread;
    for (name, gradient, scale) in [
        ("gradient_translation", overlap.gradient, area),
        ("gradient_rotation", overlap.angular_gradient, area * arm),
    ] {
        let expected = format!("{name}_A");
        let off = if case["gradient_smooth"].as_bool().expect("a case says whether its gradient jumps") {
            gradient - vector(&case[&expected])
        } else {
            beyond(gradient, &case[format!("{name}_range")])
        };
        check(name, off.length() / scale, limit(&expected));
    }
    let n = u64::from(overlap.n_components);
    check(
        "the number of pieces",
        n.abs_diff(case["components"].as_u64().expect("a case counts its pieces")) as f64,
        0.0,
    );
    faults
}

/// How far a vector is outside of a range per component.
fn beyond(x: DVec3, range: &Value) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|i| {
        let (low, high) = (number(&range[i][0]), number(&range[i][1]));
        x[i] - x[i].clamp(low, high)
    }))
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn vector(value: &Value) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|i| number(&value[i])))
}

fn pose(value: &Value) -> Pose {
    let q = [0, 1, 2, 3].map(|i| number(&value["quaternion"][i]));
    Pose::new(vector(&value["position"]), DQuat::from_array(q))
}

/// The tensor of [xx, yy, zz, xy, yz, zx].
fn symmetric(value: &Value) -> DMat3 {
    let [xx, yy, zz, xy, yz, zx] = [0, 1, 2, 3, 4, 5].map(|i| number(&value[i]));
    DMat3::from_cols(DVec3::new(xx, xy, zx), DVec3::new(xy, yy, yz), DVec3::new(zx, yz, zz))
}

/// Lower factor L of `m = L Lᵀ`; pivots at least 1e-30 of the trace.
fn cholesky(m: DMat3) -> DMat3 {
    let floor = 1e-30 * (m.x_axis.x + m.y_axis.y + m.z_axis.z);
    let mut l = DMat3::ZERO;
    for i in 0..3 {
        for j in 0..=i {
            let rest = m.col(j)[i] - (0..j).map(|k| l.col(k)[i] * l.col(k)[j]).sum::<f64>();
            l.col_mut(j)[i] = if i == j { rest.max(floor).sqrt() } else { rest / l.col(j)[j] };
        }
    }
    l
}

fn frobenius(m: DMat3) -> f64 {
    m.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt()
}
