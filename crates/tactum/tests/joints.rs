//! Joints in scene files: what they do, and what is said of those that make no sense.
#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

use std::path::Path;

use tactum::backend::{BackendOptions, Detector};
use tactum::build::build;
use tactum::scene::{Scene, SceneError};
use tactum::session::Session;

const BODIES: &str = "
dt = 0.01
[[body]]
name = \"wall\"
kind = \"static\"
shape = { box = [1, 1, 1] }
[[body]]
name = \"link\"
shape = { box = [0.1, 0.1, 0.2] }
position = [5, 0, -0.1]
copies = { grid = [1, 1, 3], spacing = [0, 0, 0.2] }
";

fn load(joint: &str) -> Result<Scene, SceneError> {
    Scene::parse(&format!("{BODIES}\n[[joint]]\nname = \"j\"\n{joint}"), Path::new("joints.toml"))
}

/// All that is said of a scene that is refused.
fn refusal(joint: &str) -> String {
    match load(joint) {
        Err(SceneError::Faults(faults)) => {
            faults.iter().map(|fault| format!("{fault:?} {fault}\n")).collect()
        }
        other => panic!("not refused: {joint}: {other:?}"),
    }
}

fn session(scene: &Scene) -> Session {
    Session::new(build(scene).unwrap().world, Detector::open(&BackendOptions::default()).unwrap())
}

#[test]
fn a_copy_hangs_on_the_world_by_its_number_and_follows_its_servo() {
    let scene = load(
        "bodies = [\"link-1\"]\nanchor = [5, 0, 0.2]\naxis = [0, 1, 0]\n\
         [joint.kind.revolute]\nlimits_deg = [-90, 90]\n\
         servo = { target_deg = [[0, 0], [0.5, 30]], stiffness = 1e4, damping = 300 }\n\
         [[expect]]\njoint = \"j\"\nangle_deg = { is = 30, within = 0.1 }",
    )
    .unwrap();
    let mut session = session(&scene);
    for _ in 0..100 {
        session.step().unwrap();
    }
    let angle = session.world().joint_states()[0].coordinate.to_degrees();
    assert!((angle - 30.0).abs() < 0.1, "{angle} degrees");
    assert_eq!(session.world().body(session.world().joints()[0].b).name, "link-1");
    // The others fall.
    assert!(session.world().bodies()[1].position.z < -4.0);
}

#[test]
fn joints_that_make_no_sense_are_refused_with_the_key_and_a_way_out() {
    let anchor = "anchor = [0, 0, 0]";
    let hinge =
        |inner: &str| format!("bodies = [\"link-0\"]\n{anchor}\nkind = {{ revolute = {{ {inner} }} }}");
    let cases = [
        (
            format!("bodies = [\"lnk-0\"]\n{anchor}\nkind = \"rigid\""),
            vec!["no body is named 'lnk-0'", "link-0"],
        ),
        (format!("bodies = [\"link\"]\n{anchor}\nkind = \"rigid\""), vec!["no body is named 'link'"]),
        (format!("bodies = []\n{anchor}\nkind = \"rigid\""), vec!["0 bodies", "1 or 2"]),
        (format!("bodies = [\"wall\"]\n{anchor}\nkind = \"rigid\""), vec!["nothing dynamic"]),
        (format!("bodies = [\"link-0\", \"link-0\"]\n{anchor}\nkind = \"rigid\""), vec!["to itself"]),
        (
            format!("bodies = [\"link-0\"]\n{anchor}\nkind = \"hinge\""),
            vec!["'hinge' is none of the choices"],
        ),
        (
            "bodies = [\"link-0\"]\nanchor = [0, nan, 0]\nkind = \"rigid\"".to_owned(),
            vec!["anchor[1] is NaN"],
        ),
        (format!("bodies = [\"link-0\"]\n{anchor}\naxis = [0, 0, 0]\nkind = \"rigid\""), vec!["axis"]),
        (
            format!("bodies = [\"link-0\"]\n{anchor}\nkind = \"rigid\"\nbreak_force = 0"),
            vec!["break_force is 0"],
        ),
        (
            format!("bodies = [\"link-0\"]\n{anchor}\nkind = {{ spherical = {{ limit_deg = 200 }} }}"),
            vec!["limit_deg is 200"],
        ),
        (hinge("limits_deg = [10, 20]"), vec!["[10, 20]", "has to hold 0"]),
        (hinge("limit_deg = 3"), vec!["unknown key 'limit_deg'", "limits_deg"]),
        (hinge("servo = { target_deg = 0, stiffness = 0 }"), vec!["without stiffness and damping"]),
        (hinge("servo = { target_deg = 0, stiffness = -1 }"), vec!["stiffness is -1"]),
        (
            hinge("servo = { target_deg = \"up\", stiffness = 1 }"),
            vec!["a number, or a list of pairs of numbers"],
        ),
        (hinge("motor = { speed = [[1, 0], [0.5, 1]] }"), vec!["goes back in time: 0.5 s after 1 s"]),
        (hinge("motor = { speed = [] }"), vec!["empty list"]),
        (hinge("motor = { speed = 1, max_torque = -2 }"), vec!["max_torque is -2"]),
        (
            hinge("motor = { speed = 1 }, servo = { target_deg = 0, stiffness = 1 }"),
            vec!["both a motor and a servo"],
        ),
        (
            format!("{}\n[[expect]]\nangle_deg = {{ below = 1 }}", hinge("")),
            vec!["'angle_deg' is a joint's, but no joint is named"],
        ),
        (
            format!("{}\n[[expect]]\njoint = \"k\"\nangle_deg = {{ below = 1 }}", hinge("")),
            vec!["no joint is named 'k'", "'j'"],
        ),
    ];
    for (joint, words) in cases {
        let said = refusal(&joint);
        for word in words {
            assert!(said.contains(word), "'{word}' is missing in what is said of\n{joint}\n{said}");
        }
    }
}

#[test]
fn two_joints_of_one_name_are_refused() {
    let joint = "bodies = [\"link-0\"]\nanchor = [0, 0, 0]\nkind = \"rigid\"\n";
    let said = refusal(&format!("{joint}[[joint]]\nname = \"j\"\n{joint}"));
    assert!(said.contains("two joints are named 'j'; the first is at joints.toml:14:8"), "{said}");
}

/// What holds a body inside another one by joints that allow it no way out ends in words, never in a panic.
#[test]
fn joints_that_contradict_each_other_fail_in_words() {
    let text = r#"
        dt = 0.01
        duration = 1

        [[body]]
        name = "held"
        shape = { capsule = { radius = 0.05, length = 0.1 } }
        position = [0.5, 0, 0.2]

        [[body]]
        name = "plate"
        shape = { generate = { prism = { sides = 5, radius = 16, height = 0.1 } } }
        position = [2.5, 0, 0.2]

        [[joint]]
        name = "slide"
        bodies = ["held"]
        anchor = [0.5, 0, 0.2]
        kind = { prismatic = { limits = [-1, 1], motor = { speed = 0.1, max_force = 100 } } }

        [[joint]]
        name = "ball"
        bodies = ["held"]
        anchor = [0.7, 0, 0.2]
        kind = { spherical = {} }
        "#;
    let scene = Scene::parse(text, Path::new("joints.toml")).unwrap();
    let mut session = session(&scene);
    let before = |session: &Session| (session.world().step_count(), session.world().state_hash());
    for _ in 0..100 {
        let last = before(&session);
        if let Err(error) = session.step() {
            assert!(error.to_string().contains("non-finite"), "{error}");
            assert_eq!(before(&session), last);
            return;
        }
    }
}
