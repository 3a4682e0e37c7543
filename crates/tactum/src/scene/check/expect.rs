//! Whether an expectation can be tested.

use super::bodies::Bodies;
use super::checker::Checker;
use crate::scene::fault::Fault;
use crate::scene::key_path::KeyPath;
use crate::scene::names::{Names, matches};
use crate::scene::schema::{About, Bound, ExpectSpec, Facts, Observable, Reading, SceneSpec};
use crate::scene::suggest::closest;
use tactum_geometry::quantity::{Quantity, Range};
use tactum_geometry::words::{number, number_beside, quoted};

/// Checks all `[[expect]]`s.
pub fn check_expectations(check: &mut Checker, scene: &SceneSpec, bodies: &Bodies) {
    let joints = Names::new(scene.joints.iter().map(|joint| joint.name.clone()));
    let of_bodies = Whose {
        about: About::Body,
        key: "body",
        plural: "bodies",
        all: "every body that is not static",
        names: &bodies.names,
        any: bodies.any_moves(),
    };
    let of_joints = Whose {
        about: About::Joint,
        key: "joint",
        plural: "joints",
        all: "every joint",
        names: &joints,
        any: !scene.joints.is_empty(),
    };
    for (ix, expect) in scene.expectations.iter().enumerate() {
        let at = KeyPath::default().key("expect").ix(ix);
        check_expectation(check, &at, expect, scene);
        check_whose(check, &at, &of_bodies, expect, expect.body.as_ref());
        check_whose(check, &at, &of_joints, expect, expect.joint.as_ref());
        check_coordinate(check, &at, expect, scene);
    }
}

/// Refuses the angle of a joint that does not turn, the extension of one that does not slide, and what no joint of its kind can
/// have.
fn check_coordinate(check: &mut Checker, at: &KeyPath, expect: &ExpectSpec, scene: &SceneSpec) {
    let Some(pattern) = &expect.joint else { return };
    for (observable, bound) in expect.bounds.about(About::Joint) {
        let Facts { reading: Reading::Coordinate(has, _), quantity } = observable.facts() else { continue };
        let name = observable.name();
        let named = || scene.joints.iter().filter(|joint| matches(pattern, &joint.name));
        let can_hold = |range| contradiction(range, false, bound).is_none();
        let mut narrower = named().map(|joint| observable.range_of(&joint.kind));
        if can_hold(quantity.range)
            && let Some(range) = narrower.find(|range| !can_hold(*range))
        {
            check_can_hold(check, &at.key(name), range, false, bound);
        }
        if let Some(joint) = named().find(|joint| !has(&joint.kind)) {
            let message = format!("the joint '{}' has no {name}", quoted(&joint.name));
            let fault = Fault::error(message, "of another kind of joint").with_help(
                "revolute and spherical joints have an angle_deg, prismatic ones an extension, rigid ones neither",
            );
            check.refuse(&at.key(name), fault);
        }
    }
}

fn check_expectation(check: &mut Checker, at: &KeyPath, expect: &ExpectSpec, scene: &SceneSpec) {
    if expect.bounds.iter().next().is_none() {
        check.refuse(at, Fault::error("the expectation expects nothing", "no quantity is bounded"));
    }
    for (observable, bound) in expect.bounds.iter() {
        check_bound(check, &at.key(observable.name()), observable, bound);
    }
    check_when(check, at, expect, scene);
}

/// Bodies or joints of a scene, as an expectation names them.
struct Whose<'a> {
    about: About,
    key: &'static str,
    plural: &'static str,
    all: &'static str,
    names: &'a Names,
    /// Whether "*" stands for any.
    any: bool,
}

/// Checks that quantities of a body or joint say of which, and that a name fits one.
fn check_whose(
    check: &mut Checker,
    at: &KeyPath,
    whose: &Whose<'_>,
    expect: &ExpectSpec,
    pattern: Option<&String>,
) {
    let Whose { about, key, plural, all, names, any } = *whose;
    let first = expect.bounds.about(about).next();
    let Some(pattern) = pattern else {
        let Some((observable, _)) = first else { return };
        let name = observable.name();
        let fault =
            Fault::error(format!("'{name}' is a {key}'s, but no {key} is named"), format!("of which {key}?"))
                .with_help(format!("add {key} = \"NAME\", or {key} = \"*\" for {all}"));
        check.refuse(&at.key(name), fault);
        return;
    };
    let fits = if pattern == "*" { any } else { names.fit(pattern) };
    if !fits && pattern.ends_with('*') {
        let what =
            if pattern == "*" { all.replacen("every", "a", 1) } else { format!("a {key} of such a name") };
        let message = format!("{key} = \"{}\" stands for no {key}: there is not {what}", quoted(pattern));
        check.refuse(&at.key(key), Fault::error(message, "stands for nothing"));
    } else if !fits {
        check.refuse_with(&at.key(key), || {
            let fault =
                Fault::error(format!("no {key} is named '{}'", quoted(pattern)), format!("unknown {key}"));
            match closest(pattern, &names.all()) {
                Some(best) => fault.with_help(format!("did you mean '{best}'?")),
                None => fault,
            }
        });
    } else if first.is_none() {
        let message =
            format!("{key} = \"{}\" has no effect: nothing expected here is a {key}'s", quoted(pattern));
        let fault = Fault::warning(message, "has no effect")
            .with_help(format!("the other quantities are those of all {plural}"));
        check.warn(&at.key(key), fault);
    }
}

fn check_when(check: &mut Checker, at: &KeyPath, expect: &ExpectSpec, scene: &SceneSpec) {
    let Some(time) = expect.time else { return };
    if expect.always {
        check.refuse(
            &at.key("always"),
            Fault::error("an expectation has a time or holds always, not both", "or time"),
        );
    }
    let is_time = check.not_negative(&at.key("time"), time, "s");
    if is_time && time > scene.duration * (1.0 + 1e-12) {
        let [end, time] = [number(scene.duration), number_beside(time, scene.duration)];
        let message = format!("the scene ends at {end} s, before {time} s");
        check.refuse(&at.key("time"), Fault::error(message, "after the end"));
    }
    // The start is the closest of all steps' ends.
    if is_time && time < 0.5 * scene.dt {
        for (observable, _) in expect.bounds.iter().filter(|(observable, _)| observable.is_of_a_step()) {
            let name = observable.name();
            let fault = Fault::error(
                format!("'{name}' has no value at the start: it is known once a step has been made"),
                "not at the start",
            )
            .with_help(format!("the first step ends at time = {}", number(scene.dt)));
            check.refuse(&at.key(name), fault);
        }
    }
}

fn check_bound(check: &mut Checker, at: &KeyPath, observable: Observable, bound: &Bound) {
    let quantity = observable.facts().quantity;
    let numbers =
        [("is", bound.is), ("within", bound.within), ("below", bound.below), ("above", bound.above)];
    let mut all_good = true;
    for (key, value) in numbers {
        let Some(value) = value else { continue };
        all_good &= match key {
            "within" => check.not_negative(&at.key(key), value, quantity.unit),
            _ => check.finite(&at.key(key), value, quantity.unit),
        };
    }
    if bound.is.is_some() != bound.within.is_some() {
        let fault = Fault::error("'is' and 'within' belong together", "one of the two is missing")
            .with_help("{ is = 1.0, within = 1e-6 }; the tolerance has to be stated");
        check.refuse(at, fault);
        all_good = false;
    }
    if numbers.iter().all(|(_, value)| value.is_none()) {
        let fault = Fault::error(format!("{at} is not bounded"), "empty")
            .with_help("{ is = 1.0, within = 1e-6 }, { below = 2.0 } or { above = 0.5 }");
        check.refuse(at, fault);
    }
    if all_good {
        check_can_hold(check, at, quantity.range, observable.is_count(), bound);
        check_can_fail(check, at, &quantity, bound);
    }
}

/// The end of an interval: a number, whether the number itself belongs to the interval, and where it comes from.
#[derive(Clone, Copy)]
struct End {
    at: f64,
    closed: bool,
    what: &'static str,
}

/// Refuses a bound that no number keeps, or none that the quantity can have: a number in a range, a whole one if `is_count`.
fn check_can_hold(check: &mut Checker, at: &KeyPath, range: Range, is_count: bool, bound: &Bound) {
    let Some([low, high]) = contradiction(range, is_count, bound) else { return };
    let [from, to] = [describe(low, "more than", "at least"), describe(high, "less than", "at most")];
    let number = if is_count { "whole number" } else { "number" };
    let fault = Fault::error(
        format!("{at} can never hold: no {number} is {from} and {to}"),
        format!("'{}' and '{}' leave nothing", low.what, high.what),
    );
    check.refuse(at, fault);
}

/// Two ends between which no number lies, or no whole one if `is_count`, of what a bound asks for and a range allows.
fn contradiction(range: Range, is_count: bool, bound: &Bound) -> Option<[End; 2]> {
    let end = |at: Option<f64>, closed: bool, what| at.map(|at| End { at, closed, what });
    let around = |sign: f64| bound.is.zip(bound.within).map(|(is, within)| is + sign * within);
    let possible =
        |end: Option<(f64, bool)>| end.map(|(at, closed)| End { at, closed, what: "what it can be" });
    let lows =
        [end(bound.above, false, "above"), end(around(-1.0), true, "is and within"), possible(range.low())];
    let highs =
        [end(bound.below, false, "below"), end(around(1.0), true, "is and within"), possible(range.high())];
    let pairs = || {
        lows.into_iter().flatten().flat_map(|low| highs.into_iter().flatten().map(move |high| [low, high]))
    };
    let is_empty = |[low, high]: &[End; 2]| {
        if is_count {
            return low.first_whole() > -high.opposite().first_whole();
        }
        !(low.at < high.at || (low.at == high.at && low.closed && high.closed))
    };
    pairs().find(is_empty)
}

impl End {
    /// The smallest whole number from this end on.
    fn first_whole(self) -> f64 {
        let first = self.at.ceil();
        if first == self.at && !self.closed { first + 1.0 } else { first }
    }

    /// The same end seen from the other side.
    fn opposite(self) -> Self {
        Self { at: -self.at, ..self }
    }
}

fn describe(end: End, open: &str, closed: &str) -> String {
    let relation = if end.closed { closed } else { open };
    format!("{relation} {} ({})", number(end.at), end.what)
}

/// Refuses a bound that every value of the quantity keeps.
fn check_can_fail(check: &mut Checker, at: &KeyPath, quantity: &Quantity, bound: &Bound) {
    let [least, most] = [quantity.range.low(), quantity.range.high()].map(|end| end.map(|(at, _)| at));
    let around = bound.is.zip(bound.within).map(|(is, within)| [is - within, is + within]);
    let is_below_all = |limit: f64| least.is_some_and(|least| limit < least);
    let is_above_all = |limit: f64| most.is_some_and(|most| limit > most);
    let is_around_all = |[from, to]: [f64; 2]| {
        least.is_some_and(|least| from <= least) && most.is_some_and(|most| to >= most)
    };
    for (key, never_fails) in [
        ("above", bound.above.is_some_and(is_below_all)),
        ("below", bound.below.is_some_and(is_above_all)),
        ("within", around.is_some_and(is_around_all)),
    ] {
        if never_fails {
            let what = quantity.in_unit(&quantity.range.words());
            let message = format!("{at}.{key} can never fail: {} is always {what}", quantity.name);
            let fault = Fault::error(message, "nothing can miss this").with_help(
                "an expectation that cannot fail says nothing: give a bound that a wrong result would miss",
            );
            check.refuse(&at.key(key), fault);
        }
    }
}
