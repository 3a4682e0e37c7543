//! Facets of caps of spheres by the stages of a device, within a simulation: what they answer, what they leave, and that bits do not
//! depend on how they are asked.

mod worlds;

use tactum::backend::{Backend, Costs, Detector, FacetShare, StageRunner, cost_model::CostModel};
use tactum::session::Session;
use tactum_gpu::{Gpu, Options};
use tactum_sim::law::facets::Stretched;
use tactum_sim::{FacetsQuestion, Progress, StepError, World};
use worlds::{detector, step, world};

/// Grains that fall on a plate and on each other. The plate is small: places far out are rounded by more than grains press in.
const GRAINS: &str = r#"
    dt = 0.002
    duration = 0.2

    [contact]
    law = "facets"
    young = 1e6
    poisson = 0.3
    friction = 0.4
    restitution = 0.1

    [[body]]
    name = "plate"
    kind = "static"
    shape = { box = [0.4, 0.4, 0.1] }
    position = [0, 0, -0.05]

    [[body]]
    name = "grain"
    shape = { generate = { ellipsoid = { semi_axes = [0.055, 0.05, 0.045], triangles = 80 } } }
    position = [0, 0, 0.056]
    copies = { grid = [2, 1, 2], spacing = [0.105, 0.1, 0.105], random_orientation = true, jitter = 0.002, seed = 3 }
"#;

/// Steps in which the grains land and press on each other.
const STEPS: usize = 50;

fn twins() -> Detector {
    Detector::of_stages(StageRunner::twins(), 64)
}

fn device(options: Options) -> Detector {
    Detector::of_stages(StageRunner::Device(Box::new(Gpu::open(options).expect("a device"))), 64)
}

/// The state after so many steps, who answered on the way, and why it was not the stages.
fn after(mut world: World, detector: &mut Detector, steps: usize) -> (u64, FacetShare, Vec<&'static str>) {
    let (mut share, mut causes) = (FacetShare::default(), Vec::new());
    for _ in 0..steps {
        let step = step(&mut world, detector);
        share.add(&step.facets);
        causes.extend(step.recoveries);
    }
    (world.state_hash(), share, causes)
}

/// What the twins made of a scene beside the exact method.
#[derive(Default)]
struct Beside {
    share: FacetShare,
    causes: Vec<&'static str>,
    n_substeps: u64,
    n_contacts: usize,
    /// How far the bodies are from where the exact method has them, and their sizes \[m\].
    off: Vec<(f64, f64)>,
}

impl Beside {
    /// After so many steps.
    fn exact(scene: &str, steps: usize) -> Self {
        let [mut exact, mut staged] = [world(scene), world(scene)];
        let (mut beside, mut twins) = (Self::default(), twins());
        for _ in 0..steps {
            step(&mut exact, &mut Detector::exact());
            let step = step(&mut staged, &mut twins);
            beside.share.add(&step.facets);
            beside.causes.extend(step.recoveries);
            let report = step.report.expect("a step");
            beside.n_substeps += u64::from(report.substeps);
            beside.n_contacts += report.contacts.len();
        }
        let bodies = exact.bodies().iter().zip(staged.bodies());
        beside.off = bodies.map(|(a, b)| (a.position.distance(b.position), a.shape.size())).collect();
        let Self { share, causes, n_substeps, off, .. } = &beside;
        println!("{share:?} of {n_substeps} sub-steps, {causes:?}; off by {off:?} m");
        beside
    }
}

#[test]
fn stages_move_grains_as_the_exact_method_does() {
    let Beside { share, causes, n_substeps, off, .. } = Beside::exact(GRAINS, STEPS);
    assert_eq!(share.by_stages + causes.len() as u64, share.questions, "each is answered once");
    assert!(share.by_stages * 10 > share.questions * 8, "{share:?}");
    // The first sub-step of a step is asked about, all the others are gone through without a question.
    assert!(share.substeps_alone > 6 * STEPS as u64 && share.goes <= STEPS as u64 + 5, "{share:?}");
    assert!(n_substeps <= share.substeps_alone + STEPS as u64 + 5, "{n_substeps} of {share:?}");
    // Forces differ by up to a thousandth, and bounces multiply what differs: two hundredths of a millimetre as measured.
    assert!(off.iter().all(|(off, size)| *off < 1e-3 * size), "{off:?}");
}

#[test]
fn stages_repeat_bit_for_bit_for_any_threads_and_from_any_step_on() {
    let (hash, ..) = after(world(GRAINS), &mut twins(), STEPS);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    assert_eq!(pool.install(|| after(world(GRAINS), &mut twins(), STEPS).0), hash);
    // In the middle of the impacts: springs and all go on, in a world that knows no pairs, with stages that hold no meshes.
    let mut first = world(GRAINS);
    let mut detector = twins();
    let mut n_steps = 0;
    while n_steps < STEPS / 2 || first.snapshot().memory.facets.pairs.is_empty() {
        step(&mut first, &mut detector);
        n_steps += 1;
        assert!(n_steps < STEPS, "nothing touches");
    }
    let mut second = world(GRAINS);
    second.restore(&first.snapshot()).expect("the same world");
    assert_eq!(after(second, &mut twins(), STEPS - n_steps).0, hash);
}

#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn a_device_does_what_the_twins_do_through_short_lists_and_losses() {
    let (hash, share, causes) = after(world(GRAINS), &mut twins(), STEPS);
    let (found, of_device, why) = after(world(GRAINS), &mut device(Options::default()), STEPS);
    assert_eq!((found, of_device, why), (hash, share, causes.clone()));
    // Hardly any room: lists grow, whatever was asked is asked again, and nothing is lost.
    let mut short = device(Options { facet_cap: 1, ..Options::default() });
    let (found, grown, why) = after(world(GRAINS), &mut short, STEPS);
    assert!(grown.lists_grown > 0, "{grown:?}");
    assert_eq!((found, FacetShare { lists_grown: 0, ..grown }, why), (hash, share, causes));
    // A device that is lost on the way comes back with what it held.
    let mut lost = device(Options::default());
    let mut landing = world(GRAINS);
    for k in 0..STEPS {
        if k % 10 == 5
            && let Some(StageRunner::Device(gpu)) = lost.runner()
        {
            gpu.lose_device();
        }
        step(&mut landing, &mut lost);
    }
    assert_eq!((landing.state_hash(), lost.trouble()), (hash, None));
    // One that stays away is done without.
    if let Some(StageRunner::Device(gpu)) = lost.runner_mut() {
        gpu.unplug();
    }
    let step = step(&mut landing, &mut lost);
    assert!(step.recoveries.contains(&"device_failed") && lost.trouble().is_some());
}

/// Work that is shared goes to the stages where pairs touch and it pays, and to the processor where a submission does not.
#[test]
fn shared_work_is_divided_by_its_costs() {
    let cheap =
        CostModel { exact_pair: 1.0, exact_root: 0.0, submission: 0.0, cast_pair: 1e-9, cast_triangle: 0.0 };
    let by =
        |facets| Detector::shared(StageRunner::twins(), 64, Costs { overlaps: cheap, facets: Some(facets) });
    let (_, share, causes) = after(world(GRAINS), &mut by(cheap), STEPS);
    assert!(share.by_stages > 0 && share.by_stages < share.questions, "{share:?}");
    assert!(!causes.contains(&"facets_first_touch"), "those that do not touch yet are the processor's");
    let dear = CostModel { submission: 1e9, ..cheap };
    let (hash, share, _) = after(world(GRAINS), &mut by(dear), STEPS);
    assert_eq!(share.by_stages, 0);
    assert_eq!(hash, after(world(GRAINS), &mut Detector::exact(), STEPS).0);
}

/// Grains that slide down a plane that is tilted and far from the world's origin.
const SLOPE: &str = r#"
    dt = 0.002
    duration = 0.2

    [contact]
    law = "facets"
    young = 1e6
    poisson = 0.3
    friction = 0.2
    restitution = 0.1

    [[body]]
    name = "slope"
    kind = "static"
    shape = { plane = {} }
    position = [300, 0, 0]
    orientation = { euler_deg = [0, 30, 0] }

    [[body]]
    name = "grain"
    shape = { generate = { ellipsoid = { semi_axes = [0.055, 0.05, 0.045], triangles = 80 } } }
    position = [300, 0, 0.064]
    copies = { grid = [1, 2, 1], spacing = [0.2, 0.2, 0.2], random_orientation = true, seed = 5 }
"#;

/// A plane without end is no more for the processor than a plate is: of it, what lies under a body goes to the stages.
#[test]
fn stages_answer_for_planes_without_end() {
    let Beside { share, causes, n_substeps, n_contacts, off } = Beside::exact(SLOPE, STEPS);
    assert!(n_contacts > STEPS, "they lie on the slope");
    assert!(share.substeps_alone * 10 > 8 * n_substeps && causes.len() < 10, "{share:?}, {causes:?}");
    assert!(share.by_stages > 0, "{share:?}");
    // What 32 bits leave of a grain's place, some hundred sub-steps of it.
    assert!(off.iter().all(|(off, size)| *off < 1e-5 * size.min(0.1)), "{off:?}");
}

/// Two balls that lie side by side on a plate, a micrometre apart: nothing draws them together, and nothing would press them where they touched.
const SIDE_BY_SIDE: &str = r#"
    dt = 0.002
    duration = 0.2

    [contact]
    law = "facets"
    young = 1e6
    poisson = 0.3

    [[body]]
    name = "plate"
    kind = "static"
    shape = { box = [0.6, 0.4, 0.1] }
    position = [0, 0, -0.05]

    [[body]]
    name = "ball"
    shape = { sphere = 0.05 }
    position = [0, 0, 0.0499]
    copies = { grid = [2, 1, 1], spacing = [0.100001, 0.1, 0.1] }
"#;

/// The same far from anything, beside two that fly at each other; those that lay side by side come nearer so slowly that they never touch.
fn adrift() -> String {
    let plate = SIDE_BY_SIDE.find("    [[body]]").expect("bodies");
    let (settings, bodies) = SIDE_BY_SIDE.split_at(plate);
    let balls = bodies.find("    [[body]]\n    name = \"ball\"").expect("balls");
    let flying = |name: &str, x: f64| {
        format!(
            "[[body]]\nname = {name:?}\nshape = {{ sphere = 0.05 }}\nposition = [{x}, 1, 0]\nlinear_velocity = [{}, 0, 0]\n",
            -4.0 * x
        )
    };
    let pair = [flying("left", -0.051), flying("right", 0.051)].concat();
    format!("gravity = [0, 0, 0]\n{settings}{}\nlinear_velocity = [0, 0, 1e-9]\n{pair}", &bodies[balls..])
}

#[test]
fn what_is_looked_at_and_does_not_touch_stops_no_stretch() {
    for (scene, steps) in [(SIDE_BY_SIDE.to_owned(), 20), (adrift(), 20)] {
        let Beside { share, causes, n_substeps, off, .. } = Beside::exact(&scene, steps);
        let asked_about = n_substeps - share.substeps_alone;
        assert!(share.goes > 0 && asked_about <= steps as u64 + 2, "{share:?} of {n_substeps}");
        assert!(causes.len() <= 4, "{causes:?}");
        assert!(off.iter().all(|(off, _)| *off < 1e-6), "{off:?}");
    }
}

/// A steel ball lies on a plate by its weight, some 2e-6 of its size deep: 32 bits would not know that, so every sub-step is the processor's.
#[test]
fn what_lies_so_lightly_that_rounding_counts_is_left_to_the_processor() {
    let steel =
        SIDE_BY_SIDE.replace("young = 1e6", "young = 2e11").replace("grid = [2, 1, 1]", "grid = [1, 1, 1]");
    let steel = steel.replace("0.0499", "0.05");
    let Beside { share, causes, n_substeps, off, .. } = Beside::exact(&steel, 3);
    assert!(n_substeps > 100, "{n_substeps}");
    assert!(share.substeps_alone * 10 < n_substeps, "{share:?}");
    assert!(
        causes.iter().all(|cause| ["facets_shallow", "facets_first_touch"].contains(cause)),
        "{causes:?}"
    );
    assert!(off.iter().all(|(off, _)| *off < 1e-10), "{off:?}");
}

/// Whoever says that he goes through stretches and then does not, is asked sub-step by sub-step, and the world is as it would have been.
#[test]
fn a_stretch_that_nobody_goes_through_changes_nothing() {
    let (mut asked, mut exact) = (world(GRAINS), world(GRAINS));
    let mut n_stretches = 0;
    for _ in 0..STEPS {
        step(&mut exact, &mut Detector::exact());
        let mut progress = asked.begin_step();
        while let Ok(Progress::Ask(questions)) = progress {
            n_stretches += u32::from(questions.stretch.is_some());
            let answers = questions.facets.iter().map(FacetsQuestion::answer).collect();
            progress = asked.advance(questions.answered_with(Vec::new(), answers).with_stretched(None, true));
        }
        assert!(progress.is_ok(), "{progress:?}");
    }
    assert!(n_stretches > 10);
    assert_eq!(asked.state_hash(), exact.state_hash());
    // An answer to more than was asked is refused, and the world stays what it was.
    let before = asked.state_hash();
    let mut progress = asked.begin_step();
    while let Ok(Progress::Ask(questions)) = progress {
        let answers = questions.facets.iter().map(FacetsQuestion::answer).collect();
        let wrong = questions.stretch.as_ref().map(|stretch| Stretched {
            n_done: stretch.n + 1000,
            stopped: None,
            bodies: Vec::new(),
            pairs: Vec::new(),
        });
        progress = asked.advance(questions.answered_with(Vec::new(), answers).with_stretched(wrong, true));
    }
    assert!(matches!(progress, Err(StepError::AnswerCount { .. })), "{progress:?}");
    assert_eq!(asked.state_hash(), before);
}

/// Two balls that stick to each other and go round, with nothing else in the world.
const PAIR: &str = r#"
    dt = 0.01
    duration = 10
    gravity = [0, 0, 0]

    [contact]
    law = "facets"
    young = 1e6
    poisson = 0.3
    friction = 0.5
    restitution = 0.5
    pressure = "jkr"
    adhesion = 20

    [[body]]
    name = "left"
    shape = { sphere = 0.05 }
    position = [-0.0497, 0, 0]
    linear_velocity = [0.1, 0.02, 0]

    [[body]]
    name = "right"
    shape = { sphere = 0.05 }
    density = 500
    position = [0.0497, 0, 0]
    linear_velocity = [-0.1, 0, 0.01]
    angular_velocity = [1, 0, 2]
"#;

#[test]
fn momenta_of_a_pair_stay_over_ten_thousand_sub_steps_by_the_stages() {
    let mut pair = world(PAIR);
    let start = pair.momenta();
    let mass: f64 = pair.bodies().iter().map(|body| body.mass.mass).sum();
    let (mut n_substeps, mut share) = (0, FacetShare::default());
    let mut detector = twins();
    while n_substeps < 10_000 {
        let step = step(&mut pair, &mut detector);
        share.add(&step.facets);
        n_substeps += step.report.expect("a step").substeps;
    }
    assert!(share.by_stages * 2 > share.questions, "{share:?}");
    assert!(share.substeps_alone * 10 > 9 * u64::from(n_substeps), "{share:?}");
    // Of what the bodies carry against each other: 0.1 m/s, 0.05 m from the middle.
    let scale = [0.1 * mass, 0.1 * mass * 0.05];
    // Both feel the same force in 64 bits, whatever it was found with; torques are rounded to 32 bits for each by itself.
    let most = [1e-10, 1e-6];
    for (((now, before), scale), most) in pair.momenta().into_iter().zip(start).zip(scale).zip(most) {
        let off = (now - before).length() / scale;
        println!("{n_substeps} sub-steps: {off:e}, {share:?}");
        assert!(off < most, "{off:e}");
    }
}

/// What viewers ask afterwards: a detail for each contact of the report, and the facets that touch at the end of the step.
#[test]
fn contacts_of_facets_have_details_and_polygons() {
    let mut session = Session::new(world(GRAINS), Detector::exact());
    let (mut n_contacts, mut n_facets) = (0, 0);
    for _ in 0..STEPS {
        let (report, details) = session.step_with_details().expect("a step");
        assert_eq!(details.len(), report.contacts.len());
        for (contact, detail) in report.contacts.iter().zip(&details) {
            assert_eq!((contact.bodies, contact.region), (detail.bodies, detail.region));
            assert_eq!((detail.friction, detail.restitution), (0.4, 0.1));
            let reach = detail.patch.reach();
            assert!(reach > 0.0 && reach < 0.05, "{reach} m, {contact:?}");
            // What damps pulls back as it opens.
            assert_eq!(detail.motion.presses, contact.impulse[0] > 0.0);
        }
        n_contacts += details.len();
        for question in session.world().touching_facets() {
            let touch = question.answer().touch.expect("a touch");
            n_facets += touch.facets.len();
            assert!(touch.facets.iter().all(|facet| facet.touch.corners.len() >= 3));
        }
    }
    assert!(n_contacts > 10 && n_facets > 10, "{n_contacts} contacts, {n_facets} facets");
}

#[test]
fn a_session_can_be_led_by_hand() {
    let mut session = Session::new(world(GRAINS), detector(Backend::Rays));
    (0..3).for_each(|_| drop(session.step().expect("a step")));
    assert_eq!(session.world().state_hash(), after(world(GRAINS), &mut twins(), 3).0);
}
