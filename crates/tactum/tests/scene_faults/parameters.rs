//! Parameters, the expressions that use them, and values that are replaced by path.

use std::path::Path;

use tactum::build::build;
use tactum::scene::{Override, Scene};

use crate::stage::{Ended, Folder, tactum};
use crate::{assert_refused, body};

/// A scene with a box of these parameters and keys.
fn scene(parameters: &str, keys: &str) -> String {
    format!("[parameters]\n{parameters}\n{}", body(keys))
}

/// The same world, bit for bit, as with the numbers written out.
#[test]
fn expressions_stand_for_their_numbers() {
    let by_name = scene(
        "twice = '= 2 * size'\nsize = 0.25\nn = 2",
        "mass = '= twice^2 / 2'\nposition = [0, '= -size', '= sqrt(twice^2 * 4)']\ncopies = { grid = [1, '= n + 1', 1], spacing = [1, 1, 1] }",
    );
    let by_number =
        body("mass = 0.125\nposition = [0, -0.25, 1]\ncopies = { grid = [1, 3, 1], spacing = [1, 1, 1] }");
    let world = |text: &str| {
        let scene = Scene::parse(text, Path::new("scene.toml")).unwrap_or_else(|error| panic!("{error}"));
        assert!(scene.warnings().is_empty(), "{:?}", scene.warnings());
        build(&scene).unwrap_or_else(|error| panic!("{error}"))
    };
    let (by_name, by_number) = (world(&by_name), world(&by_number));
    assert_eq!(by_name.world.bodies().len(), 3);
    assert_eq!(by_name.fingerprint, by_number.fingerprint);
}

#[test]
fn mistakes_in_expressions_are_told_at_their_places() {
    let cases: [(&str, &str, &[&str]); 10] = [
        (
            "size = 1",
            "mass = '= 2 * siz'",
            &["scene.toml:6:15", "'siz' is no parameter", "did you mean 'size'?"],
        ),
        ("size = 1", "friction = '= size / 0'", &["friction", "gives inf"]),
        ("size = 1", "position = [0, 0, '= (size']", &["6:22", "not closed"]),
        ("a = '= b'\nb = '= a'", "mass = '= a'", &["in a circle", "a, b"]),
        ("a = '= b'", "mass = '= a'", &["2:8", "'b' is no parameter"]),
        ("sin = 1", "", &["2:1", "cannot be the name"]),
        ("'my size' = 1", "", &["cannot be the name"]),
        ("size = 'big'", "", &["parameters.size is the text \"big\"", "a number"]),
        (
            "n = 1.5",
            "copies = { grid = [1, '= n', 1], spacing = [1, 1, 1] }",
            &["grid[1] is 1.5", "whole number"],
        ),
        ("m = -1", "mass = '= m'", &["mass is -1"]),
    ];
    for (parameters, keys, words) in cases {
        assert_refused(&scene(parameters, keys), words);
    }
    // Where a text stands, none is an expression.
    let text = scene("size = 1", "mass = '= size'").replace("\"thing\"", "\"= 2 * size\"");
    let scene = Scene::parse(&text, Path::new("scene.toml")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(scene.spec().bodies[0].name, "= 2 * size");
}

#[test]
fn a_parameter_that_nothing_uses_is_told() {
    let scene = Scene::parse(&scene("size = 1", ""), Path::new("scene.toml"));
    let warnings = scene.unwrap_or_else(|error| panic!("{error}")).warnings().to_vec();
    assert!(
        warnings.iter().any(|fault| fault.to_string().contains("no expression uses the parameter 'size'"))
    );
}

/// What is replaced counts, in expressions too, and the text with the values in it is a scene of its own.
#[test]
fn replaced_values_count() {
    let text = scene("size = 1", "mass = '= 2 * size'");
    let set = ["parameters.size=3", "body.thing.position=[0, 0, 0.5]", "gravity=[0, 0, -1.62]"];
    let set = set.map(|text| Override::parse(text).unwrap_or_else(|error| panic!("{error}")));
    let scene =
        Scene::parse_with(&text, Path::new("scene.toml"), &set).unwrap_or_else(|error| panic!("{error}"));
    for scene in [&scene, &Scene::parse(scene.text(), Path::new("other.toml")).expect("it is a scene")] {
        let (spec, body) = (scene.spec(), &scene.spec().bodies[0]);
        assert_eq!((body.mass, body.position[2], spec.gravity[2]), (Some(6.0), 0.5, -1.62));
    }
}

#[test]
fn the_program_replaces_values_and_names_paths_that_lead_nowhere() {
    let folder = Folder::new();
    let scene = folder.write("scene.toml", body("position = [0, 0, 1]"));
    let run = |set: &str| tactum(&["run", &scene, "--steps", "1", "--json", "--set", set]);
    let Ended { code, stdout, stderr } = run("body.thing.linear_velocity=[1, 0, 0]");
    assert_eq!(code, 0, "{stderr}");
    let report: serde_json::Value = serde_json::from_str(&stdout).expect("one object");
    // Steps are of 0.01 s.
    assert_eq!(report["bodies"][0]["linear_velocity"][0], 1.0);
    assert!((report["bodies"][0]["position"][0].as_f64().expect("a number") - 0.01).abs() < 1e-15);
    let cases: [(&str, &[&str]); 5] = [
        (
            "body.thng.mass=1",
            &["cannot set 'body.thng.mass'", "there is no body 'thng'", "did you mean 'thing'?"],
        ),
        ("body.thing.mas=1", &["cannot set 'body.thing.mas'", "unknown key 'mas'", "did you mean 'mass'?"]),
        ("body.thing.mass=-1", &["cannot set 'body.thing.mass'", "mass is -1"]),
        ("body.thing.mass=heavy", &["cannot set 'body.thing.mass'", "the text \"heavy\""]),
        ("mass", &["there is no value", "path=value"]),
    ];
    for (set, words) in cases {
        let Ended { code, stderr, .. } = run(set);
        assert_eq!(code, 2, "{set}: {stderr}");
        for word in words {
            assert!(stderr.contains(word), "{set}: '{word}' is missing in:\n{stderr}");
        }
    }
}
