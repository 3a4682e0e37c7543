//! Whether materials and pairs make sense.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use tactum_geometry::quantity::Range;
use tactum_geometry::words::{listed, quoted};

use super::bodies::Bodies;
use super::checker::Checker;
use crate::scene::fault::Fault;
use crate::scene::key_path::KeyPath;
use crate::scene::named_bodies::NamedBodies;
use crate::scene::names::Names;
use crate::scene::schema::{KindSpec, PairSpec, SceneSpec};
use crate::scene::suggest::closest;

/// Pairs of bodies that a scene can say something of: some 100 MB of memory. Materials say the same of any number of bodies.
const MOST_PAIRS: usize = 1_000_000;

/// Checks all `[[material]]`s, who is made of them, and what is said of pairs of them.
pub fn check_materials(check: &mut Checker, spec: &SceneSpec) {
    let root = KeyPath::default();
    check_names(check, spec);
    for (ix, material) in spec.materials.iter().enumerate() {
        let at = root.key("material").ix(ix);
        check_coefficients(check, &at, material.friction, material.restitution);
        // One without a name is refused: no body can be of it.
        let is_named = !material.name.trim().is_empty();
        if is_named && !spec.bodies.iter().any(|body| body.material.as_ref() == Some(&material.name)) {
            let message = format!("no body is made of the material '{}'", material.name);
            let fault = Fault::warning(message, "not used")
                .with_help(format!("a body says so: material = \"{}\"", quoted(&material.name)));
            check.warn(&at.key("name"), fault);
        }
    }
    for (ix, body) in spec.bodies.iter().enumerate() {
        if let Some(name) = &body.material {
            check_is_known(check, &root.key("body").ix(ix).key("material"), name, spec);
        }
    }
    for (ix, pair) in spec.pairs.iter().enumerate() {
        check_pair(check, &root.key("pair").ix(ix), pair, spec);
    }
    check_pairs_of_materials(check, spec);
}

/// Checks the bodies that `[[pair]]`s name.
pub fn check_pairs_of_bodies(check: &mut Checker, spec: &SceneSpec, bodies: &Bodies) {
    let named = NamedBodies::new(&spec.bodies, &bodies.names);
    let mut said = Said::default();
    let mut n_pairs = 0_usize;
    for (ix, pair) in spec.pairs.iter().enumerate() {
        let Some(names) = &pair.bodies else { continue };
        let at = KeyPath::default().key("pair").ix(ix).key("bodies");
        if !are_known(check, &at, names, &named) {
            continue;
        }
        let [a, b] = [0, 1].map(|ix| named.meant_by(&names[ix]).len());
        n_pairs = n_pairs.saturating_add(a.saturating_mul(b));
        if n_pairs > MOST_PAIRS {
            let message = format!("the scene names {n_pairs} pairs of bodies; the limit is {MOST_PAIRS}");
            let fault = Fault::error(message, "with these").with_help(
                "give the bodies materials, and say it of the pair of materials: materials = [\"a\", \"b\"]",
            );
            check.refuse(&at, fault);
            return;
        }
        let mut any_moves = false;
        let mut twice = None;
        let mut any = false;
        for pair in named.pairs(names) {
            any = true;
            any_moves |= pair.iter().any(|&body| bodies.kinds[body as usize] == KindSpec::Dynamic);
            twice = twice.or(said.add(pair, ix).map(|first| (first, pair)));
        }
        if !any {
            let message = format!("'{}' is paired with itself, which it never touches", quoted(&names[0]));
            check.refuse(&at, Fault::error(message, "one body"));
        } else if !any_moves {
            let message = "the pair has no effect: neither of its bodies is dynamic".to_owned();
            check.warn(&at, Fault::warning(message, "nothing here pushes the other"));
        }
        if let Some((first, pair)) = twice {
            refuse_second(check, [ix, first], "bodies", || {
                let all = spec.expanded_names();
                let [a, b] = pair.map(|body| quoted(&all[body as usize]));
                format!("the pair of '{a}' and '{b}' is given twice")
            });
        }
    }
}

/// Which `[[pair]]` each pair of bodies, or of materials, is in.
#[derive(Default)]
struct Said(BTreeMap<[u32; 2], usize>);

impl Said {
    /// Notes that a pair is in the `ix`-th; the one that it is in already, if it is another.
    fn add(&mut self, [a, b]: [u32; 2], ix: usize) -> Option<usize> {
        match self.0.entry([a.min(b), a.max(b)]) {
            Entry::Vacant(entry) => {
                entry.insert(ix);
                None
            }
            Entry::Occupied(entry) => Some(*entry.get()).filter(|&first| first != ix),
        }
    }
}

fn check_names(check: &mut Checker, spec: &SceneSpec) {
    let name = |ix: usize| KeyPath::default().key("material").ix(ix).key("name");
    for (ix, material) in spec.materials.iter().enumerate() {
        if material.name.trim().is_empty() {
            check.refuse(&name(ix), Fault::error(format!("material {ix} has an empty name"), "empty"));
        }
    }
    for (later, first, taken) in
        Names::new(spec.materials.iter().map(|material| material.name.clone())).taken()
    {
        check.refuse_two(
            || name(later),
            || (name(first), "the first is"),
            || {
                let message = format!("two materials are named '{}'", quoted(taken));
                Fault::error(message, "taken").with_help("bodies say by its name of which material they are")
            },
        );
    }
}

fn check_coefficients(check: &mut Checker, at: &KeyPath, friction: Option<f64>, restitution: Option<f64>) {
    if let Some(friction) = friction {
        check.not_negative(&at.key("friction"), friction, "");
    }
    if let Some(restitution) = restitution {
        check.within(&at.key("restitution"), restitution, Range::FRACTION, "");
    }
}

fn check_is_known(check: &mut Checker, at: &KeyPath, name: &str, spec: &SceneSpec) {
    if spec.materials.iter().any(|material| material.name == name) {
        return;
    }
    check.refuse_with(at, || {
        let fault = Fault::error(format!("no material is named '{}'", quoted(name)), "unknown material");
        let known: Vec<&str> = spec.materials.iter().map(|material| material.name.as_str()).collect();
        match closest(name, &known) {
            Some(best) => fault.with_help(format!("did you mean '{}'?", quoted(best))),
            None if known.is_empty() => fault
                .with_help("a material is a table [[material]] with a name, a friction and a restitution"),
            None => fault.with_help(format!("materials of the scene: {}", listed(&known))),
        }
    });
}

fn check_pair(check: &mut Checker, at: &KeyPath, pair: &PairSpec, spec: &SceneSpec) {
    check_coefficients(check, at, pair.friction, pair.restitution);
    let help = "materials = [\"a\", \"b\"] names two materials, bodies = [\"a\", \"b\"] two bodies";
    match (&pair.materials, &pair.bodies) {
        (None, None) => {
            let fault = Fault::error("the pair names neither two materials nor two bodies", "of what?");
            check.refuse(at, fault.with_help(help));
        }
        (Some(_), Some(_)) => {
            let fault = Fault::error("the pair names both materials and bodies", "give one of the two");
            check.refuse(&at.key("bodies"), fault.with_help(help));
        }
        _ => {}
    }
    if [pair.friction, pair.restitution, pair.stiffness, pair.damping].iter().all(Option::is_none) {
        let fault = Fault::error("the pair says nothing", "nothing is given")
            .with_help("give its friction, its restitution or both");
        check.refuse(at, fault);
    }
    for (ix, name) in pair.materials.iter().flatten().enumerate() {
        check_is_known(check, &at.key("materials").ix(ix), name, spec);
    }
}

/// Refuses pairs of materials that are given twice.
fn check_pairs_of_materials(check: &mut Checker, spec: &SceneSpec) {
    let find = |name: &String| spec.materials.iter().position(|material| material.name == *name);
    let mut said = Said::default();
    for (ix, pair) in spec.pairs.iter().enumerate() {
        let Some([a, b]) = &pair.materials else { continue };
        let (Some(of_a), Some(of_b)) = (find(a), find(b)) else { continue };
        if let Some(first) = said.add([of_a as u32, of_b as u32], ix) {
            let message = || format!("the pair of '{}' and '{}' is given twice", quoted(a), quoted(b));
            refuse_second(check, [ix, first], "materials", message);
        }
    }
}

fn refuse_second(
    check: &mut Checker,
    [later, first]: [usize; 2],
    key: &str,
    message: impl FnOnce() -> String,
) {
    let place = |ix: usize| KeyPath::default().key("pair").ix(ix).key(key);
    check.refuse_two(
        || place(later),
        || (place(first), "the first is"),
        || Fault::error(message(), "the second time"),
    );
}

/// Whether both names of a pair stand for a body.
fn are_known(check: &mut Checker, at: &KeyPath, names: &[String; 2], named: &NamedBodies<'_>) -> bool {
    let mut all = true;
    for (ix, name) in names.iter().enumerate() {
        if !named.meant_by(name).is_empty() {
            continue;
        }
        all = false;
        check.refuse_with(&at.ix(ix), || {
            let fault = Fault::error(format!("no body is named '{}'", quoted(name)), "unknown body");
            match closest(name, &named.all()) {
                Some(best) => fault.with_help(format!("did you mean '{}'?", quoted(best))),
                None => fault,
            }
        });
    }
    all
}
