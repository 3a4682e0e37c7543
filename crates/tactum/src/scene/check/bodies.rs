//! All bodies of a scene, copies included: their names and kinds.

use super::checker::Checker;
use crate::scene::fault::Fault;
use crate::scene::key_path::KeyPath;
use crate::scene::names::Names;
use crate::scene::schema::{KindSpec, MAX_NAME, SceneSpec};

/// Bodies in the order of their indices in the world.
pub struct Bodies {
    /// Their names.
    pub names: Names,
    /// What may move each.
    pub kinds: Vec<KindSpec>,
    /// Number of the `[[body]]` that each comes from.
    origins: Vec<usize>,
}

impl Bodies {
    /// The bodies of a scene.
    pub fn of(spec: &SceneSpec) -> Self {
        let mut kinds = Vec::new();
        let mut origins = Vec::new();
        for (ix, body) in spec.bodies.iter().enumerate() {
            let n = usize::try_from(body.count()).unwrap_or(usize::MAX);
            kinds.extend(std::iter::repeat_n(body.kind, n));
            origins.extend(std::iter::repeat_n(ix, n));
        }
        let names = spec.bodies.iter().flat_map(crate::scene::schema::BodySpec::expanded_names);
        Self { names: Names::new(names), kinds, origins }
    }

    /// The name of a body of the world.
    pub fn name(&self, ix: usize) -> &str {
        self.names.name(ix)
    }

    /// Whether anything can move.
    pub fn any_moves(&self) -> bool {
        self.kinds.iter().any(|&kind| kind != KindSpec::Static)
    }

    /// Refuses names that two bodies have.
    pub fn check_names(&self, check: &mut Checker, spec: &SceneSpec) {
        let list = KeyPath::default().key("body");
        for (later, first, name) in self.names.taken() {
            let [at, other] = [later, first].map(|ix| self.origins[ix]);
            if let (Some(file), true) = (&spec.bodies[at].poses, at == other) {
                // Each row stands for all parts of a file that is split.
                let n_parts = spec.bodies[at].shape.n_split().unwrap_or(1) as usize;
                let start = self.origins.partition_point(|&origin| origin < at);
                let [one, two] = [first, later].map(|ix| (ix - start) / n_parts.max(1) + 1);
                let message = format!("rows {one} and {two} of the table '{file}' both name a body '{name}'");
                check.refuse(&list.ix(at).key("poses"), Fault::error(message, "this table"));
                continue;
            }
            check.refuse_two(
                || list.ix(at).key("name"),
                || (list.ix(other).key("name"), "the first is"),
                || {
                    let copied = [at, other].iter().any(|&ix| spec.bodies[ix].is_numbered());
                    let help = if copied {
                        "names tell bodies apart in reports; copies of a body 'a' are named 'a-0', 'a-1' and so on"
                    } else {
                        "names tell bodies apart in reports"
                    };
                    Fault::error(format!("two bodies are named '{name}'"), "taken").with_help(help)
                },
            );
        }
    }
}

/// Refuses names that are empty, or that are too long once copies are numbered.
pub fn check_each_name(check: &mut Checker, spec: &SceneSpec) {
    let list = KeyPath::default().key("body");
    for (ix, body) in spec.bodies.iter().enumerate() {
        if body.name.trim().is_empty() {
            let fault = Fault::error(format!("body {ix} has an empty name"), "empty");
            check.refuse(&list.ix(ix).key("name"), fault);
        }
        if body.is_numbered() {
            // Of a table the names are known, of copies that would be too many the last one.
            let longest = match &body.placed {
                Some(_) => body.expanded_names().into_iter().max_by_key(|name| name.chars().count()),
                None => Some(format!("{}-{}", body.name, body.count().max(1) - 1)),
            };
            let longest = longest.unwrap_or_default();
            let n = longest.chars().count();
            if n > MAX_NAME {
                let behind = longest.strip_prefix(&body.name).unwrap_or_default();
                let message = format!(
                    "with {behind} behind it the name has {n} characters, at most {MAX_NAME} can be used"
                );
                check.refuse(&list.ix(ix).key("name"), Fault::error(message, "too long for its copies"));
            }
        }
    }
}
