//! A window of the viewer on an X server of its own, driven by mouse and keys.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tactum::backend::{Backend, BackendOptions};

/// How long to wait for anything: the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// Time for the window to draw and to notice what changed under the mouse.
pub const MOMENT: Duration = Duration::from_millis(400);

/// An X server, and the viewer on it.
pub struct Stage {
    server: Child,
    display: String,
    viewer: Child,
    pub window: String,
    pub log: PathBuf,
    pub folder: tempfile::TempDir,
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
    pub fn open(scene: &str) -> Self {
        Self::open_with(&scene_file(scene), &[])
    }

    pub fn open_with(scene: &Path, args: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (server, display) = start_server();
        let log = folder.path().join("log.jsonl");
        let viewer = Command::new(env!("CARGO_BIN_EXE_tactum-view"))
            .arg(scene)
            .args(["--size", "1000x640", "--backend", "exact", "--log"])
            .arg(&log)
            .arg("--widget-list")
            .arg(folder.path().join("widgets"))
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

    pub fn xdotool(&self, args: &[&str]) -> String {
        let output = Command::new("xdotool")
            .args(args)
            .env("DISPLAY", &self.display)
            .output()
            .expect("xdotool starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    pub fn key(&self, key: &str) {
        self.xdotool(&["key", key]);
        std::thread::sleep(MOMENT);
    }

    pub fn move_to(&self, [x, y]: [u32; 2]) {
        self.xdotool(&["mousemove", "--window", &self.window, &x.to_string(), &y.to_string()]);
        std::thread::sleep(MOMENT);
    }

    pub fn click(&self, at: [u32; 2]) {
        self.move_to(at);
        self.xdotool(&["click", "1"]);
        std::thread::sleep(MOMENT);
    }

    /// The middle of the widget with a role and a label, once it is there.
    pub fn widget(&self, role: &str, label: &str) -> [u32; 2] {
        middle(self.place(role, |text| text == label, label))
    }

    /// Where the first widget is that has a role and a label as wanted: left, upper, right and lower border.
    pub fn place(&self, role: &str, is_wanted: impl Fn(&str) -> bool, what: &str) -> [f64; 4] {
        self.place_where(role, is_wanted, what, |_| true)
    }

    /// Where the first such widget is that lies as wanted, once it stays there: rows below a table move when it comes or goes.
    pub fn place_where(
        &self,
        role: &str,
        is_wanted: impl Fn(&str) -> bool,
        what: &str,
        lies: impl Fn([f64; 4]) -> bool,
    ) -> [f64; 4] {
        let begin = Instant::now();
        let is_it = |w: &Widget| w.role == role && is_wanted(&w.label) && lies(w.place);
        let mut before = None;
        while begin.elapsed() < PATIENCE {
            let now = self.widgets().into_iter().find(is_it).map(|widget| widget.place);
            if let Some(place) = now.filter(|_| now == before) {
                return place;
            }
            before = now;
            std::thread::sleep(MOMENT / 4);
        }
        panic!("there is no {role} '{what}' among {:#?}", self.widgets());
    }

    fn widgets(&self) -> Vec<Widget> {
        let text = std::fs::read(self.folder.path().join("widgets")).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    pub fn press(&self, label: &str) {
        self.click(self.widget("Button", label));
    }

    pub fn drag(&self, from: [u32; 2], to: [u32; 2]) {
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
    pub fn commands(&self) -> Vec<Value> {
        let Ok(file) = File::open(&self.log) else { return Vec::new() };
        let lines = BufReader::new(file).lines().map_while(Result::ok);
        let entries = lines.filter_map(|line| serde_json::from_str::<Value>(&line).ok());
        entries.map(|entry| entry["do"]["command"].clone()).filter(|command| !command.is_null()).collect()
    }

    /// Whether the commands are as wanted within an eighth of what a test waits at most.
    pub fn finds_soon(&self, found: impl Fn(&[Value]) -> bool) -> bool {
        self.finds_within(PATIENCE / 8, found)
    }

    fn finds_within(&self, limit: Duration, found: impl Fn(&[Value]) -> bool) -> bool {
        let begin = Instant::now();
        while begin.elapsed() < limit {
            if found(&self.commands()) {
                return true;
            }
            std::thread::sleep(MOMENT / 4);
        }
        false
    }

    pub fn wait_for(&self, what: &str, found: impl Fn(&[Value]) -> bool) {
        if self.finds_within(PATIENCE, found) {
            return;
        }
        panic!("waited in vain for {what}; the log has {:#?}", self.commands());
    }

    /// What the viewer has written to its error stream so far.
    pub fn messages(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("messages")).unwrap_or_default()
    }

    /// Waits for a command of the simulation by its name.
    pub fn wait_for_sim(&self, name: &str) {
        self.wait_for(name, |log| log.iter().any(|entry| is_sim(entry, name)));
    }

    /// Waits until the window has ended by itself, with an exit code.
    pub fn end_with(&mut self, code: i32) {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            if let Ok(Some(status)) = self.viewer.try_wait() {
                let text = self.messages();
                assert_eq!(status.code(), Some(code), "the viewer ended with {status}: {text}");
                return;
            }
            std::thread::sleep(MOMENT);
        }
        panic!("the window did not close");
    }

    pub fn end(&mut self) {
        self.end_with(0);
    }
}

/// A widget as the window lists it.
#[derive(Debug, Default, serde::Deserialize)]
struct Widget {
    role: String,
    label: String,
    place: [f64; 4],
}

pub fn middle([left, top, right, bottom]: [f64; 4]) -> [u32; 2] {
    [(left + right) / 2.0, (top + bottom) / 2.0].map(|x| x as u32)
}

pub fn scene_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(format!("{name}.toml"))
}

pub fn exact() -> BackendOptions {
    BackendOptions { backend: Backend::Exact, ..BackendOptions::default() }
}

pub fn is_sim(entry: &Value, name: &str) -> bool {
    entry["sim"] == name || !entry["sim"][name].is_null()
}

/// Starts an X server on a display that is free. It is told which one: a server that looks for one itself takes no lock on
/// it, so that two that start at the same moment may take the same one.
pub fn start_server() -> (Child, String) {
    // Tests that run at the same time mostly begin with different numbers.
    let first = 100 + std::process::id() % 800;
    for number in first..first + 20 {
        let display = format!(":{number}");
        let mut server = Command::new("Xvfb")
            // A server that starts anew when its last client leaves turns away the next for a moment.
            .args([&display, "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts");
        let begin = Instant::now();
        // A server whose display is taken ends.
        while matches!(server.try_wait(), Ok(None)) && begin.elapsed() < PATIENCE {
            if locked_by(number) == Some(server.id()) && answers(&display) {
                return (server, display);
            }
            std::thread::sleep(MOMENT / 4);
        }
        let _ = server.kill();
        let _ = server.wait();
    }
    panic!("Xvfb found no display that answers");
}

/// The process that a display belongs to.
fn locked_by(number: u32) -> Option<u32> {
    std::fs::read_to_string(format!("/tmp/.X{number}-lock")).ok()?.trim().parse().ok()
}

fn answers(display: &str) -> bool {
    let asked = Command::new("xdotool").arg("getdisplaygeometry").env("DISPLAY", display).output();
    asked.is_ok_and(|output| output.status.success())
}
