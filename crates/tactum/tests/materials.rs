//! Materials of scenes: copies are paired as single bodies are, runs go on with what they began with, and `tactum check` tells
//! who is made of what.

mod stage;

use stage::Stage;

/// Boxes that are thrown over a floor; `boxes` and `pairs` say which.
fn thrown(boxes: &str, pairs: &str) -> String {
    format!(
        r#"
duration = 0.4
[[material]]
name = "steel"
friction = 0.4
restitution = 0.5
[[material]]
name = "ice"
[[body]]
name = "floor"
kind = "static"
material = "steel"
shape = {{ plane = {{}} }}
{boxes}
{pairs}
"#
    )
}

fn single_box(name: &str, x: f64) -> String {
    let shape = "shape = { box = [1, 1, 1] }\nlinear_velocity = [0, 1, -0.5]\nmaterial = \"ice\"\n";
    format!("[[body]]\nname = \"{name}\"\nposition = [{x}, 0, 0.52]\n{shape}")
}

fn pair(kind: &str, names: [&str; 2], lines: &str) -> String {
    format!("[[pair]]\n{kind} = {names:?}\n{lines}\n")
}

/// The state hash at the end of a run.
fn end(text: &str) -> String {
    Stage::with_scene(text).json("run scene.toml --json", 0)["state_hash"].to_string()
}

#[test]
fn copies_are_paired_as_single_bodies_are() {
    let copies = single_box("box", 0.0) + "copies = { grid = [3, 1, 1], spacing = [2, 0, 0] }\n";
    let singles =
        [("box-0", -2.0), ("box-1", 0.0), ("box-2", 2.0)].map(|(name, x)| single_box(name, x)).concat();
    let slippery = "friction = 0.03";
    let one_by_one =
        ["box-2", "box-0", "box-1"].map(|name| pair("bodies", [name, "floor"], slippery)).concat();
    let expected = end(&thrown(&singles, &one_by_one));
    let same = [
        thrown(&copies, &pair("bodies", ["floor", "box"], slippery)),
        thrown(&copies, &pair("bodies", ["box-*", "floor"], slippery)),
        thrown(&copies, &pair("materials", ["ice", "steel"], slippery)),
        thrown(&singles, &pair("materials", ["steel", "ice"], slippery)),
        // The two bodies are nearer than their materials, whichever is said first.
        thrown(&copies, &(pair("materials", ["ice", "steel"], "friction = 0.9") + &one_by_one)),
        thrown(&copies, &(one_by_one.clone() + &pair("materials", ["ice", "steel"], "friction = 0.9"))),
    ];
    for text in same {
        assert_eq!(end(&text), expected, "{text}");
    }
    let other = [
        thrown(&copies, ""),
        thrown(&copies, &pair("bodies", ["floor", "box-1"], slippery)),
        thrown(&copies, &pair("bodies", ["floor", "box"], "friction = 0.03\nrestitution = 0")),
    ];
    for text in other {
        assert_ne!(end(&text), expected, "{text}");
    }
}

#[test]
fn a_resumed_run_goes_on_with_its_materials() {
    let text = thrown(&single_box("box", 0.0), &pair("materials", ["steel", "ice"], "friction = 0.03"));
    let stage = Stage::with_scene(&text);
    let whole = stage.json("run scene.toml --json", 0);
    stage.ends("run scene.toml --steps 20 --checkpoint-every 20 --out out", 0, &[]);
    let resumed = stage.json("run scene.toml --resume out --json", 0);
    assert_eq!(resumed["state_hash"], whole["state_hash"]);
    // Another number is another simulation, also where no body of the scene states it.
    for (ix, (from, to)) in [
        ("friction = 0.03", "friction = 0.04"),
        ("restitution = 0.5", "restitution = 0.6"),
        ("[\"steel\", \"ice\"]", "[\"ice\", \"ice\"]"),
    ]
    .into_iter()
    .enumerate()
    {
        assert!(text.contains(from));
        let other = format!("other-{ix}.toml");
        std::fs::write(stage.root.join(&other), text.replace(from, to)).expect("a scene");
        let words = ["belongs to another scene"];
        stage.ends(&format!("run {other} --resume out/checkpoint-00000020.json"), 2, &words);
    }
}

#[test]
fn check_tells_who_is_made_of_what() {
    let boxes = single_box("a", 0.0) + &single_box("b", 2.0);
    let pairs = pair("materials", ["steel", "ice"], "friction = 0.03\nrestitution = 0.1")
        + &pair("bodies", ["a", "b"], "friction = 0.2");
    let output = Stage::with_scene(&thrown(&boxes, &pairs)).ends("check scene.toml", 0, &[]);
    let said = String::from_utf8(output.stdout).expect("text");
    for line in [
        "  material  steel: friction 0.4, restitution 0.5; floor\n",
        "  material  ice: nothing of its own; a, b\n",
        "      pair  materials steel and ice: friction 0.03, restitution 0.1\n",
        "      pair  bodies a and b: friction 0.2\n",
    ] {
        assert!(said.contains(line), "'{line}' is missing in:\n{said}");
    }
}
