//! Materials of scenes: copies are paired as single bodies are, runs go on with what they began with, `tactum check` tells who
//! is made of what, and what cannot be meant is refused.

mod stage;

use std::path::Path;

use stage::Stage;
use tactum::scene::{Fault, Scene, SceneError};

/// Says of a scene what is wrong with it, message and advice of each fault; nothing if it can be read.
fn faults(text: &str) -> Vec<String> {
    match Scene::parse(text, Path::new("scene.toml")) {
        Ok(_) => Vec::new(),
        Err(SceneError::Faults(faults)) => {
            let told = |fault: &Fault| {
                format!("{}: {fault}; {}", fault.location(), fault.help_text().unwrap_or_default())
            };
            faults.iter().map(told).collect()
        }
        Err(other) => panic!("not a fault of the text: {other}"),
    }
}

/// Asserts that a scene is refused with all of `words` among what is said of it.
fn assert_refused(text: &str, words: &[&str]) {
    let said = faults(text).join("\n");
    for word in words {
        assert!(said.contains(word), "'{word}' is missing in:\n{said}\nof {text}");
    }
}

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

/// Materials and pairs that cannot be meant are refused at their places, and a material without bodies is doubted.
#[test]
fn materials_and_pairs_that_cannot_be_meant_are_refused() {
    let copies = "copies = { grid = [3, 1, 1], spacing = [3, 0, 0] }";
    let bodies = format!(
        "[[body]]\nname = \"a\"\nmaterial = \"steel\"\nshape = {{ sphere = 1 }}\n\
         [[body]]\nname = \"b\"\nmaterial = \"ice\"\nshape = {{ sphere = 1 }}\n{copies}\n\
         [[body]]\nname = \"wall\"\nkind = \"static\"\nshape = {{ plane = {{}} }}\n"
    );
    let materials = "[[material]]\nname = \"steel\"\n[[material]]\nname = \"ice\"\n";
    let with = |text: &str| format!("{text}\n{materials}{bodies}");
    let pair = |lines: &str| with(&format!("[[pair]]\n{lines}"));
    assert_eq!(faults(&with("")), Vec::<String>::new());
    for good in [
        "materials = ['ice', 'ice']\nfriction = 0",
        "bodies = ['a', 'b']\nrestitution = 1",
        "bodies = ['b', 'b']\nfriction = 1",
        "bodies = ['b-1', 'b-*']\nfriction = 1",
        "bodies = ['a', '*']\nfriction = 1\n[[pair]]\nbodies = ['b', 'b']\nfriction = 2",
    ] {
        assert_eq!(faults(&pair(good)), Vec::<String>::new(), "{good}");
    }
    for (lines, words) in [
        (
            "materials = ['steel', 'ise']\nfriction = 1",
            &["scene.toml:2:23: no material is named 'ise'", "did you mean 'ice'?"][..],
        ),
        (
            "bodies = ['a', 'bb']\nfriction = 1",
            &["scene.toml:2:16: no body is named 'bb'", "did you mean 'b'?"],
        ),
        ("bodies = ['a', 'x-*']\nfriction = 1", &["no body is named 'x-*'"]),
        ("bodies = ['a', 'a']\nfriction = 1", &["'a' is paired with itself"]),
        ("bodies = ['a']\nfriction = 1", &["a list of 2 texts in quotes, found length 1"]),
        ("friction = 1", &["names neither two materials nor two bodies"]),
        ("materials = ['ice', 'ice']\nbodies = ['a', 'b']\nfriction = 1", &["both materials and bodies"]),
        ("materials = ['steel', 'ice']", &["the pair says nothing"]),
        ("bodies = ['a', 'b']\nfriction = -1", &["pair[0].friction is -1", "scene.toml:3:12"]),
        ("bodies = ['a', 'b']\nrestitution = 1.5", &["pair[0].restitution is 1.5", "between 0 and 1"]),
        ("bodies = ['a', 'b']\nrestituton = 1", &["unknown key 'restituton'", "did you mean 'restitution'?"]),
        (
            "materials = ['steel', 'ice']\nfriction = 1\n[[pair]]\nmaterials = ['ice', 'steel']\nfriction = 1",
            &[
                "scene.toml:5:13: the pair of 'ice' and 'steel' is given twice; the first is at scene.toml:2:13",
            ],
        ),
        (
            "bodies = ['b', 'a']\nfriction = 1\n[[pair]]\nbodies = ['a', 'b-1']\nrestitution = 1",
            &["scene.toml:5:10: the pair of 'a' and 'b-1' is given twice; the first is at scene.toml:2:10"],
        ),
    ] {
        assert_refused(&pair(lines), words);
    }
    let material = |lines: &str| with(&format!("[[material]]\n{lines}"));
    assert_refused(
        &material("name = 'steel'"),
        &["two materials are named 'steel'", "the first is at scene.toml:2:8"],
    );
    assert_refused(&material("name = ' '"), &["material 0 has an empty name"]);
    // Nothing is advised that would be refused as well.
    let nameless = Scene::parse(&material("name = ''"), Path::new("scene.toml")).expect_err("no name");
    assert!(!nameless.to_string().contains("no body is made"), "{nameless}");
    assert_refused(&material("name = 'felt'\nfriction = -1"), &["material 'felt': friction is -1"]);
    assert_refused(&material("name = 'felt'\nrestitution = nan"), &["material 'felt': restitution is"]);
    let body = "[[body]]\nname = 'thing'\nshape = { sphere = 1 }\nmaterial = 'steal'\n";
    assert_refused(&with(body), &["body 'thing': no material is named 'steal'", "did you mean 'steel'?"]);
    assert_refused(body, &["no material is named 'steal'", "a material is a table [[material]]"]);
    let many = "copies = { grid = [2000, 1, 1], spacing = [3, 0, 0] }";
    let text = pair("bodies = ['b', 'b']\nfriction = 1").replace(copies, many);
    assert_refused(&text, &["4000000 pairs of bodies", "materials = ["]);
    let doubts = |text: &str| {
        let scene = Scene::parse(text, Path::new("scene.toml")).unwrap_or_else(|error| panic!("{error}"));
        scene.warnings().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(doubts(&material("name = 'felt'")), ["no body is made of the material 'felt'"]);
    let walls = "[[body]]\nname = 'wall-2'\nkind = 'static'\nshape = { sphere = 1 }\n[[pair]]\nbodies = ['wall', 'wall-*']\nfriction = 1";
    assert_eq!(doubts(&with(walls)), ["the pair has no effect: neither of its bodies is dynamic"]);
}
