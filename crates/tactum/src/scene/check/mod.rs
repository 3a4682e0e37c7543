//! Whether the numbers of a scene make sense, as far as that can be told without loading its meshes.

mod bodies;
mod body;
mod checker;
mod expect;
mod idle;
mod joint;
mod material;
mod over_time;
mod sensor;
mod view;

use std::collections::HashSet;

use super::fault::Fault;
use super::gathered::Gathered;
use super::key_path::KeyPath;
use super::schema::{BodySpec, ContactSpec, FRICTION, GivenSettings, IncludeSpec, SceneSpec};
use super::suggest::closest;
use bodies::{Bodies, check_each_name};
pub use body::inertia_matrix;
use checker::Checker;
use tactum_geometry::words::{listed, number, quoted};

/// Steps beyond which a run is taken for a slip of the unit: at a microsecond each, a quarter of an hour.
pub const MAX_STEPS: f64 = 1e9;

/// A step longer than this is taken for a slip of the unit \[s\]: a body falls 5 cm in the first one.
const LONG_STEP: f64 = 0.1;

/// Groups are bits of a word, of which one is for the bodies in no group.
const MAX_GROUPS: usize = 31;

/// Memory of a body between steps, with its name, box and share of the contacts \[bytes\]; for warnings only.
const BODY_BYTES: f64 = 2048.0;

/// Bodies that a scene can allow itself: about 20 GB of memory, and a slip of the keyboard beyond.
const MOST_BODIES: u64 = 10_000_000;

/// Everything that is wrong or doubtful, each with the key it is about.
pub fn check(spec: &SceneSpec) -> Gathered {
    let mut check = Checker::default();
    let root = KeyPath::default();
    check_time(&mut check, &root, spec);
    check.vector(&root.key("gravity"), spec.gravity, "m/s²");
    check_contact(&mut check, &root.key("contact"), &spec.contact);
    check_settings(&mut check, &root.key("solver"), &spec.solver.settings);
    check_some_bodies(&mut check, spec);
    check_each_name(&mut check, spec);
    let can_list_bodies = check_count(&mut check, spec);
    check_groups(&mut check, spec);
    idle::check_idle_keys(&mut check, spec);
    for (ix, body) in spec.bodies.iter().enumerate() {
        let at = root.key("body").ix(ix);
        body::check_body(&mut check, &at, body);
        view::check_color(&mut check, &at, body);
    }
    view::check_view(&mut check, &spec.view);
    material::check_materials(&mut check, spec);
    if can_list_bodies {
        let bodies = Bodies::of(spec);
        bodies.check_names(&mut check, spec);
        material::check_pairs_of_bodies(&mut check, spec, &bodies);
        joint::check_joints(&mut check, spec, &bodies);
        over_time::check_forces(&mut check, spec, &bodies);
        sensor::check_sensors(&mut check, spec, &bodies);
        expect::check_expectations(&mut check, spec, &bodies);
    }
    check.into_faults()
}

/// Whether included files are placed by frames that can be computed with.
pub fn check_includes(includes: &[IncludeSpec]) -> Gathered {
    let mut check = Checker::default();
    for (ix, include) in includes.iter().enumerate() {
        let at = KeyPath::default().key("include").ix(ix);
        if include.name.trim().is_empty() {
            check.refuse(&at.key("name"), Fault::error(format!("include {ix} has an empty name"), "empty"));
        }
        if includes[..ix].iter().any(|other| other.name == include.name) {
            let message = format!("two includes are named '{}'", quoted(&include.name));
            let fault =
                Fault::error(message, "taken").with_help("it stands before the names of their bodies");
            check.refuse(&at.key("name"), fault);
        }
        check.vector(&at.key("position"), include.position, "m");
        body::check_orientation(&mut check, &at.key("orientation"), include.orientation);
    }
    check.into_faults()
}

fn check_time(check: &mut Checker, root: &KeyPath, spec: &SceneSpec) {
    let dt_is_good = check.positive(&root.key("dt"), spec.dt, "s");
    if dt_is_good && !(spec.dt * spec.dt).is_normal() {
        let message = format!("dt is {} s, too short to compute with: its square vanishes", number(spec.dt));
        check.refuse(&root.key("dt"), Fault::error(message, "in seconds"));
    }
    let duration_is_good = check.positive(&root.key("duration"), spec.duration, "s");
    if dt_is_good && spec.dt > LONG_STEP {
        check.warn(
            &root.key("dt"),
            Fault::warning(format!("a time step of {} s is very long", number(spec.dt)), "in seconds")
                .with_help("a step of 0.01 s suits most scenes"),
        );
    }
    if dt_is_good && duration_is_good && spec.duration / spec.dt > MAX_STEPS {
        let message = format!(
            "{} s in steps of {} s are {:.1e} steps",
            number(spec.duration),
            number(spec.dt),
            spec.duration / spec.dt
        );
        check.refuse(
            &root.key("duration"),
            Fault::error(message, format!("the limit is {MAX_STEPS:.0e} steps")),
        );
    }
}

fn check_contact(check: &mut Checker, at: &KeyPath, contact: &ContactSpec) {
    check.within(&at.key(FRICTION.name), contact.friction, FRICTION.range, FRICTION.unit);
    check_settings(check, at, &contact.settings);
}

/// Refuses settings that are out of their ranges.
fn check_settings(check: &mut Checker, at: &KeyPath, given: &GivenSettings) {
    for (setting, value) in given.iter() {
        for x in value.numbers() {
            check.within(&at.key(setting.name()), x, setting.range_of(value), setting.quantity.unit);
        }
    }
}

fn check_some_bodies(check: &mut Checker, spec: &SceneSpec) {
    if spec.bodies.is_empty() {
        let fault = Fault::error("the scene has no bodies", "")
            .with_help("a body is a table [[body]] with at least a name and a shape");
        check.refuse(&KeyPath::default().key("body"), fault);
    }
}

/// Whether the scene's bodies are few enough to be listed.
fn check_count(check: &mut Checker, spec: &SceneSpec) -> bool {
    if spec.max_bodies > MOST_BODIES {
        let message = format!("max_bodies is {}, but can be {MOST_BODIES} at most", spec.max_bodies);
        check.refuse(&KeyPath::default().key("max_bodies"), Fault::error(message, "out of range"));
    }
    let total = spec.bodies.iter().map(BodySpec::count).fold(0, u128::saturating_add);
    if total <= u128::from(spec.max_bodies.min(MOST_BODIES)) {
        return true;
    }
    let largest = (0..spec.bodies.len()).max_by_key(|&ix| spec.bodies[ix].count()).unwrap_or(0);
    let mut at = KeyPath::default().key("body").ix(largest);
    if spec.bodies[largest].copies.is_some() {
        at = at.key("copies").key("grid");
    }
    let message = format!(
        "the scene asks for {total} bodies, about {} GB of memory; the limit is {}",
        gigabytes(total),
        spec.max_bodies.min(MOST_BODIES)
    );
    let help = if total <= u128::from(MOST_BODIES) {
        format!("if you mean it, set max_bodies = {total}")
    } else {
        format!("max_bodies can be {MOST_BODIES} at most")
    };
    check.refuse(&at, Fault::error(message, "most of them here").with_help(help));
    false
}

/// Memory of so many bodies, to a tenth.
fn gigabytes(bodies: u128) -> String {
    let gigabytes = bodies as f64 * BODY_BYTES / 1e9;
    if gigabytes < 1e6 { format!("{gigabytes:.1}") } else { format!("{gigabytes:.0e}") }
}

fn check_groups(check: &mut Checker, spec: &SceneSpec) {
    let names = spec.group_names();
    let known: HashSet<&str> = names.iter().copied().collect();
    let body = KeyPath::default().key("body");
    if names.len() > MAX_GROUPS {
        let message = format!("{} groups are named; at most {MAX_GROUPS} can be told apart", names.len());
        check.refuse(&body, Fault::error(message, "in the bodies' groups"));
    }
    for (ix, spec) in spec.bodies.iter().enumerate() {
        for (n, _) in spec.groups.iter().enumerate().filter(|(_, name)| name.trim().is_empty()) {
            check
                .refuse(&body.ix(ix).key("groups").ix(n), Fault::error("a group has an empty name", "empty"));
        }
        for (n, name) in spec.touches.iter().flatten().enumerate() {
            if known.contains(name.as_str()) {
                continue;
            }
            check.refuse_with(&body.ix(ix).key("touches").ix(n), || {
                let fault =
                    Fault::error(format!("no body is in a group '{}'", quoted(name)), "unknown group");
                match closest(name, &names) {
                    Some(best) => fault.with_help(format!("did you mean '{best}'?")),
                    None if names.is_empty() => fault.with_help("no body names a group: groups = [\"name\"]"),
                    None => fault.with_help(format!("groups named by bodies: {}", listed(&names))),
                }
            });
        }
    }
}
