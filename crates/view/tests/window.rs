//! A real window on an X server without a screen, driven by mouse and keys; what it did is read from its log.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tactum::backend::{Backend, BackendOptions};
use tactum_view::simulation::replay;

/// How long to wait for anything: the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// Time for the window to draw and to notice what changed under the mouse.
const MOMENT: Duration = Duration::from_millis(400);

/// An X server, and the viewer on it.
struct Stage {
    server: Child,
    display: String,
    viewer: Child,
    window: String,
    log: PathBuf,
    folder: tempfile::TempDir,
}

impl Drop for Stage {
    fn drop(&mut self) {
        for child in [&mut self.viewer, &mut self.server] {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Stage {
    fn open(scene: &str) -> Self {
        Self::open_with(scene, &[])
    }

    fn open_with(scene: &str, args: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (server, display) = start_server();
        let log = folder.path().join("log.jsonl");
        let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(format!("{scene}.toml"));
        let viewer = Command::new(env!("CARGO_BIN_EXE_tactum-view"))
            .arg(scene)
            .args(["--size", "1000x640", "--backend", "exact", "--log"])
            .arg(&log)
            .args(args)
            .env("DISPLAY", &display)
            .env("XDG_RUNTIME_DIR", folder.path())
            .env_remove("WAYLAND_DISPLAY")
            .current_dir(folder.path())
            .stderr(File::create(folder.path().join("messages")).expect("a file"))
            .spawn()
            .expect("the viewer starts");
        let mut stage = Self { server, display, viewer, window: String::new(), log, folder };
        stage.window = stage.find_window();
        stage.xdotool(&["windowfocus", "--sync", &stage.window]);
        stage.wait_for("the scene", |log| log.iter().any(|entry| entry["sim"]["open"].is_string()));
        std::thread::sleep(3 * MOMENT);
        stage
    }

    fn find_window(&mut self) -> String {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            let found = self.xdotool(&["search", "--onlyvisible", "--name", "Tactum"]);
            if let Some(id) = found.lines().next() {
                return id.to_owned();
            }
            if let Ok(Some(status)) = self.viewer.try_wait() {
                panic!("the viewer ended with {status}: {}", self.messages());
            }
            std::thread::sleep(MOMENT);
        }
        panic!("no window appeared");
    }

    fn xdotool(&self, args: &[&str]) -> String {
        let output = Command::new("xdotool")
            .args(args)
            .env("DISPLAY", &self.display)
            .output()
            .expect("xdotool starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn key(&self, key: &str) {
        self.xdotool(&["key", key]);
        std::thread::sleep(MOMENT);
    }

    fn move_to(&self, [x, y]: [u32; 2]) {
        self.xdotool(&["mousemove", "--window", &self.window, &x.to_string(), &y.to_string()]);
        std::thread::sleep(MOMENT);
    }

    fn click(&self, at: [u32; 2]) {
        self.move_to(at);
        self.xdotool(&["click", "1"]);
        std::thread::sleep(MOMENT);
    }

    fn drag(&self, from: [u32; 2], to: [u32; 2]) {
        self.move_to(from);
        self.xdotool(&["mousedown", "1"]);
        std::thread::sleep(MOMENT);
        let middle = [0, 1].map(|axis| (from[axis] + to[axis]) / 2);
        self.move_to(middle);
        self.move_to(to);
        self.xdotool(&["mouseup", "1"]);
        std::thread::sleep(MOMENT);
    }

    /// The commands so far.
    fn commands(&self) -> Vec<Value> {
        let Ok(file) = File::open(&self.log) else { return Vec::new() };
        let lines = BufReader::new(file).lines().map_while(Result::ok);
        let entries = lines.filter_map(|line| serde_json::from_str::<Value>(&line).ok());
        entries.map(|entry| entry["do"]["command"].clone()).filter(|command| !command.is_null()).collect()
    }

    fn wait_for(&self, what: &str, found: impl Fn(&[Value]) -> bool) {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            if found(&self.commands()) {
                return;
            }
            std::thread::sleep(MOMENT / 4);
        }
        panic!("waited in vain for {what}; the log has {:#?}", self.commands());
    }

    /// What the viewer has written to its error stream so far.
    fn messages(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("messages")).unwrap_or_default()
    }

    /// Waits for a command of the simulation by its name.
    fn wait_for_sim(&self, name: &str) {
        self.wait_for(name, |log| log.iter().any(|entry| is_sim(entry, name)));
    }

    /// Waits until the window has ended by itself.
    fn end(&mut self) {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            if let Ok(Some(status)) = self.viewer.try_wait() {
                assert!(status.success(), "the viewer ended with {status}: {}", self.messages());
                return;
            }
            std::thread::sleep(MOMENT);
        }
        panic!("the window did not close");
    }
}

fn is_sim(entry: &Value, name: &str) -> bool {
    entry["sim"] == name || !entry["sim"][name].is_null()
}

/// Starts an X server on a display that is free. Two that start at the same moment may take the same one, of which only
/// one then answers.
fn start_server() -> (Child, String) {
    for _ in 0..10 {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts");
        let mut number = String::new();
        let output = server.stdout.take().expect("its output");
        BufReader::new(output).read_line(&mut number).expect("a display number");
        let display = format!(":{}", number.trim());
        std::thread::sleep(MOMENT);
        let is_own = matches!(server.try_wait(), Ok(None)) && answers(&display);
        if is_own {
            return (server, display);
        }
        let _ = server.kill();
        let _ = server.wait();
    }
    panic!("Xvfb found no display that answers");
}

fn answers(display: &str) -> bool {
    let asked = Command::new("xdotool").arg("getdisplaygeometry").env("DISPLAY", display).output();
    asked.is_ok_and(|output| output.status.success())
}

/// Places in a window of 1000 by 640 points.
mod at {
    pub const RUN: [u32; 2] = [38, 580];
    pub const STEP: [u32; 2] = [108, 580];
    /// The box of the scene `drop` at its start.
    pub const BOX: [u32; 2] = [600, 250];
    /// Somewhere on the floor.
    pub const FLOOR: [u32; 2] = [900, 60];
    /// Header of the layers, which folds them away.
    pub const LAYERS: [u32; 2] = [46, 91];
    /// Knob and right end of the slider of mu, once the layers are folded away.
    pub const MU: [[u32; 2]; 2] = [[66, 136], [110, 136]];
}

#[test]
#[cfg_attr(
    not(all(software_vulkan, window_system)),
    ignore = "needs a Vulkan driver, Xvfb and xdotool; see `cargo xtask help`"
)]
fn a_window_is_driven_by_mouse_and_keys() {
    let mut stage = Stage::open("drop");
    // Select by a click, and nothing by a click beside it.
    stage.click(at::BOX);
    stage.wait_for("a selected box", |log| log.iter().any(|entry| entry["view"]["select"] == 1));
    stage.click(at::FLOOR);
    stage.wait_for("an empty selection", |log| {
        log.iter().any(|entry| entry["view"].get("select") == Some(&Value::Null))
    });
    // Pull the box while the scene runs.
    stage.xdotool(&["keydown", "ctrl"]);
    stage.drag(at::BOX, [at::BOX[0] + 60, at::BOX[1] - 40]);
    stage.xdotool(&["keyup", "ctrl"]);
    stage.wait_for_sim("grab");
    stage.wait_for_sim("drag");
    stage.wait_for_sim("release");
    stage.click(at::FLOOR);
    stage.click(at::RUN);
    stage.wait_for_sim("play");
    std::thread::sleep(2 * MOMENT);
    stage.key("space");
    stage.wait_for_sim("pause");
    stage.click(at::STEP);
    stage.key("period");
    stage.wait_for("two steps", |log| log.iter().filter(|entry| is_sim(entry, "step")).count() == 2);
    // The slider of mu.
    stage.click(at::LAYERS);
    stage.drag(at::MU[0], at::MU[1]);
    let set = |entry: &Value| entry["sim"]["set"]["friction"].as_f64().is_some_and(|mu| mu > 0.7);
    stage.wait_for("another friction", |log| log.iter().any(set));
    // Plots, kick, a new body, another size.
    ["1", "2", "3", "4", "5"].iter().for_each(|key| stage.key(key));
    for plot in ["energy", "depth", "solver", "sweeps", "times"] {
        stage.wait_for(plot, |log| {
            log.iter().any(|entry| entry["view"]["plot"] == serde_json::json!([plot, true]))
        });
    }
    ["1", "2", "3", "4", "5"].iter().for_each(|key| stage.key(key));
    stage.key("b");
    stage.wait_for_sim("drop");
    stage.key("space");
    stage.xdotool(&["windowsize", "--sync", &stage.window, "800", "500"]);
    stage.wait_for("a size", |log| {
        log.iter().any(|entry| entry["view"]["resize"] == serde_json::json!([800, 500]))
    });
    stage.key("ctrl+q");
    stage.end();
    // The whole session again, without a window.
    let exact = BackendOptions { backend: Backend::Exact, ..BackendOptions::default() };
    let again = replay(&stage.log, &exact).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.is_equal(), Some(true), "{:?}", again.state_hash);
    assert_eq!(again.engine.world().bodies().len(), 5);
}

#[test]
#[cfg_attr(
    not(all(software_vulkan, window_system)),
    ignore = "needs a Vulkan driver, Xvfb and xdotool; see `cargo xtask help`"
)]
fn looking_back_and_going_on_takes_another_way() {
    let mut stage = Stage::open("stack10");
    for _ in 0..4 {
        stage.key("period");
    }
    stage.key("Left");
    stage.key("Left");
    stage.wait_for("an earlier frame", |log| log.iter().any(|entry| entry["view"]["show"].is_u64()));
    stage.key("period");
    stage.wait_for_sim("go_to");
    stage.key("ctrl+q");
    stage.end();
    let exact = BackendOptions { backend: Backend::Exact, ..BackendOptions::default() };
    let again = replay(&stage.log, &exact).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.is_equal(), Some(true));
    // Four steps, two of them taken back, and one.
    assert_eq!(again.engine.frame().step(), 3);
    assert_eq!(again.engine.n_steps(), 5);
}

/// The window goes on with another device, and says so, when the one that draws is lost.
#[test]
#[cfg_attr(
    not(all(software_vulkan, window_system)),
    ignore = "needs a Vulkan driver, Xvfb and xdotool; see `cargo xtask help`"
)]
fn a_lost_device_is_replaced() {
    let mut stage = Stage::open_with("stack10", &["--lose-device-after", "4"]);
    stage.key("space");
    stage.wait_for_sim("play");
    let begin = Instant::now();
    while !stage.messages().contains("the device that draws failed: it was lost on purpose") {
        assert!(begin.elapsed() < PATIENCE, "no device was lost: {}", stage.messages());
        std::thread::sleep(MOMENT);
    }
    // Mouse and keys are heard, and pictures drawn, after it as before.
    stage.click(at::RUN);
    stage.wait_for_sim("pause");
    stage.click(at::STEP);
    stage.wait_for_sim("step");
    stage.key("ctrl+q");
    stage.end();
    assert_eq!(stage.messages().matches("error").count(), 1, "{}", stage.messages());
}

/// A window that is measured runs, closes by itself and says how fast it was drawn.
#[test]
#[cfg_attr(
    not(all(software_vulkan, window_system)),
    ignore = "needs a Vulkan driver, Xvfb and xdotool; see `cargo xtask help`"
)]
fn a_window_can_be_measured() {
    let (mut server, display) = start_server();
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/stack10.toml");
    let output = Command::new(env!("CARGO_BIN_EXE_tactum-view"))
        .arg(scene)
        .args(["--size", "600x400", "--measure", "2"])
        .env("DISPLAY", display)
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .expect("the viewer runs");
    let _ = server.kill();
    let _ = server.wait();
    let text = String::from_utf8_lossy(&output.stdout);
    let rate: f64 = text.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0.0);
    // Any machine draws several pictures in two seconds; how many is not for a test to say.
    assert!(output.status.success() && rate > 1.0 && text.contains("pictures a second"), "{output:?}");
}
