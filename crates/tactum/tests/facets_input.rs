//! Scenes under the law "facets": what it does not go with ends in an error or a warning that names the body or the pair.

mod stage;

use stage::Stage;

const FLOOR: &str = "[[body]]\nname = 'floor'\nkind = 'static'\nshape = { plane = {} }\n";

/// A scene under the law with settings of `[contact]`, a floor, a ball of 5 cm radius at a height \[m\], and more.
fn with(settings: &str, z: f64, rest: &str) -> Stage {
    Stage::with_scene(&format!(
        "dt = 1e-3\nduration = 0.01\n[contact]\nlaw = 'facets'\n{settings}\n{FLOOR}[[body]]\nname = 'ball'\n\
         shape = {{ sphere = 0.05 }}\nmass = 1\nposition = [0, 0, {z}]\n{rest}\n"
    ))
}

/// Fails before the first step, and says nothing of units that have nothing to do with it.
fn is_refused(stage: &Stage, words: &[&str]) {
    let output = stage.ends("run scene.toml", 2, words);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!told.contains("another unit"), "{told}");
}

#[test]
fn what_the_law_does_not_go_with_is_refused() {
    let block = "[[body]]\nname = 'block'\nposition = [1, 0, 1]\nshape = { box = [0.1, 0.1, 0.1] }";
    is_refused(
        &with("", 0.06, block),
        &["body 'block'", "12 edges of its rounded facets are sharp", "round all over"],
    );
    let rod =
        "[[body]]\nname = 'rod'\nposition = [1, 0, 1]\nshape = { capsule = { radius = 0.1, length = 1 } }";
    is_refused(&with("", 0.06, rod), &["body 'rod'", "needs a mesh"]);
    is_refused(&with("", 0.06, "rounding = { radius = 0.04 }"), &["body 'ball'", "sphere of radius 0.05 m"]);
    is_refused(&with("", 0.06, "rounding = 'flat'"), &["body 'ball'", "sphere of radius 0.05 m"]);
    let joint = "[[joint]]\nname = 'hook'\nbodies = ['ball']\nanchor = [0, 0, 1]\nkind = { spherical = {} }";
    is_refused(&with("", 0.06, joint), &["joint 'hook'", "facets"]);
    for (setting, words) in [
        ("young = 0", "contact.young is 0"),
        ("foundation = 0\npressure = 'foundation'", "contact.foundation is 0"),
        ("adhesion = 0\npressure = 'jkr'", "contact.adhesion is 0"),
    ] {
        is_refused(&with(setting, 0.06, ""), &[words]);
    }
    is_refused(
        &with("young = 1e12\n[solver]\nmax_substeps = 10", 0.05, ""),
        &["sub-steps for bodies 'floor' and 'ball'", "solver.max_substeps, is 10"],
    );
}

#[test]
fn an_open_mesh_is_refused() {
    let open = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n";
    let body = "[[body]]\nname = 'shard'\nposition = [0, 0, 3]\nshape = { mesh = { file = 'open.obj' } }";
    let stage = with("", 0.06, body);
    std::fs::write(stage.root.join("open.obj"), open).expect("the mesh");
    is_refused(&stage, &["open.obj"]);
}

#[test]
fn what_is_doubtful_is_told_with_its_pair() {
    let pair = "'floor' and 'ball'";
    // A cap of two fifths of the radius is a tenth of a ball.
    with("", 0.03, "").ends("check scene.toml", 0, &["bodies 'floor' and 'ball' overlap by 10 %"]);
    // A seventh of the radius: a force all the same, and a doubt about it.
    let stage = with("restitution = 1", 0.043, "");
    stage.ends("run scene.toml", 0, &[pair, "deeper than a tenth of their radius"]);
    let ball = &stage.json("run scene.toml --json", 0)["bodies"][1];
    assert!(ball["linear_velocity"][2].as_f64().expect("a speed") > 1.0, "{ball}");
    // A ball in a bowl that is narrower.
    let bowl = "[[body]]\nname = 'bowl'\nkind = 'static'\nposition = [0, 0, 1]\n\
                shape = { generate = { sphere = { radius = 0.045, triangles = 320 } } }\nrounding = { radius = -0.045 }\n\
                [[body]]\nname = 'stone'\nmass = 1\nshape = { sphere = 0.045 }\nposition = [0, 0, 1.0899]";
    let words = ["body 'bowl'", "the mesh is round as a ball of 0.045 m radius"];
    let stage = with("", 0.06, bowl);
    stage.ends("check scene.toml", 0, &words);
    stage.ends("run scene.toml", 0, &["'bowl' and 'stone'", "in hollow ones that are not wider"]);
}

#[test]
fn a_body_that_is_beyond_an_edge_is_told_and_one_that_rolls_over_a_seam_is_not() {
    let scene = |beside: f64| {
        let table = |name: &str, x: f64| {
            format!(
                "[[body]]\nname = '{name}'\nkind = 'static'\nshape = {{ box = [1, 1, 0.2] }}\nposition = [{x}, 0, -0.1]\n"
            )
        };
        Stage::with_scene(&format!(
            "dt = 1e-3\nduration = 0.1\n[contact]\nlaw = 'facets'\n{}{}[[body]]\nname = 'ball'\nshape = {{ sphere = 0.05 }}\nmass = 1\n\
             position = [-0.02, 0, 0.05]\nlinear_velocity = [0.5, 0, 0]\n",
            table("table", -0.5),
            table("next", beside)
        ))
    };
    let words = ["'table' and 'ball'", "beyond a sharp edge"];
    scene(2.0).ends("run scene.toml", 0, &words);
    let told = scene(0.5).ends("run scene.toml", 0, &[]).stderr;
    assert!(!String::from_utf8_lossy(&told).contains("sharp edge"), "the two tables are flush");
}

/// From a file that was written while a ball with a spin bounces aslant: its springs are drawn then, and go on as they were.
#[test]
fn a_run_goes_on_bit_for_bit_from_the_middle_of_an_impact() {
    let stage = Stage::with_scene(&format!(
        "dt = 5e-4\nduration = 0.02\n[contact]\nlaw = 'facets'\nyoung = 1e7\nrestitution = 0.6\nfriction = 0.4\n{FLOOR}\
         [[body]]\nname = 'ball'\nshape = {{ generate = {{ sphere = {{ radius = 0.05, triangles = 320 }} }} }}\n\
         rounding = {{ radius = 0.05 }}\nmass = 1\nposition = [0, 0, 0.0503]\nlinear_velocity = [0.3, 0.1, -0.5]\n\
         angular_velocity = [1, 2, 20]\n"
    ));
    let whole = stage.json("run scene.toml --json --out whole --checkpoint-every 5", 0);
    let middle = "whole/checkpoint-00000005.json";
    let stored = std::fs::read_to_string(stage.root.join(middle)).expect("a checkpoint");
    assert!(stored.contains("\"springs\":[{"), "the springs are in it");
    let rest = stage.json(&format!("run scene.toml --json --out rest --resume {middle}"), 0);
    assert_eq!((&rest["steps"], &rest["state_hash"]), (&whole["steps"], &whole["state_hash"]));
    assert!(whole["bodies"][1]["linear_velocity"][2].as_f64().expect("a speed") > 0.2, "it has bounced");
}

/// Three hundred contacts are enough for threads to share questions and forces.
#[test]
fn threads_share_pairs_and_change_no_bit() {
    let grains = "dt = 2e-4\nduration = 4e-4\n[contact]\nlaw = 'facets'\n[[body]]\nname = 'grain'\n\
                  shape = { generate = { sphere = { radius = 0.005, triangles = 80 } } }\nrounding = { radius = 0.005 }\n\
                  position = [0, 0, 1]\n\
                  copies = { grid = [5, 5, 5], spacing = [0.00999, 0.00999, 0.00999], random_orientation = true }\n";
    let stage = Stage::with_scene(grains);
    let [one, two] = [1, 2].map(|n| stage.json(&format!("run scene.toml --json --threads {n}"), 0));
    assert!(one["contacts"].as_array().expect("contacts").len() > 200);
    assert_eq!(one["state_hash"], two["state_hash"]);
}
