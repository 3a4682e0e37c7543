//! What is said of scenes that run but look like a slip: bodies deep in each other at the start, bodies too fast for the step.

mod stage;

use stage::Stage;

const FLOOR: &str = "[[body]]\nname = 'floor'\nkind = 'static'\nshape = { plane = {} }\n";

fn warnings(scene: &str) -> Vec<String> {
    let output = Stage::with_scene(scene).ends("run scene.toml", 0, &[]);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    stderr.lines().filter(|line| line.starts_with("warning")).map(str::to_owned).collect()
}

/// A cube of 0.1 m that starts 9.5 mm deep in the floor shares less than a tenth of its volume with it, yet is far deeper than anything
/// that rests; of one 1 mm deep nothing is said.
#[test]
fn what_starts_deep_in_another_is_told_by_its_depth_too() {
    let scene = |depth: f64| {
        let z = 0.05 - depth;
        format!(
            "duration = 0.01\n{FLOOR}[[body]]\nname = 'cube'\nshape = {{ box = [0.1, 0.1, 0.1] }}\nposition = [0, 0, {z}]\n"
        )
    };
    let said = warnings(&scene(0.0095));
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(
        said[0].contains("'cube' overlap by 10 % of the smaller one at the start, 9.500 mm deep on average"),
        "{said:?}"
    );
    assert_eq!(warnings(&scene(0.001)), Vec::<String>::new());
}

/// Eight balls of 2 cm come at a plate of 1 cm at 60 to 67 m/s, which is 0.6 to 0.67 m in a step: the fastest is told, the others are counted.
#[test]
fn pairs_that_are_too_fast_are_one_warning() {
    let mut scene = "duration = 0.02\ngravity = [0, 0, 0]\n".to_owned();
    scene += "[[body]]\nname = 'plate'\nkind = 'static'\nshape = { box = [4, 4, 0.01] }\n";
    for n in 0..8 {
        let (x, v) = (0.4 * f64::from(n) - 1.4, -60 - n);
        scene += &format!(
            "[[body]]\nname = 'ball-{n}'\nshape = {{ sphere = 0.01 }}\nposition = [{x}, 0, 0.4]\nlinear_velocity = [0, 0, {v}]\n"
        );
    }
    let said = warnings(&scene);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("'plate' and 'ball-7' came at each other"), "{said:?}");
    assert!(said[0].contains("the fastest of 8 pairs"), "{said:?}");
}
