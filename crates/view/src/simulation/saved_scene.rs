//! The present state of a running scene as a scene file of its own.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use glam::DVec3;
use tactum::scene::schema::{
    BodySpec, JointKindSpec, JointSpec, KindSpec, MAX_NAME, OrientationSpec, PairSpec, ShapeSpec,
    ValueOverTimeSpec,
};
use tactum::scene::{NamedBodies, Names, Scene, SceneSpec};
use tactum_geometry::mesh::transform::Center;
use tactum_sim::joint::Placement;
use tactum_sim::{Body, World};

use super::parameters::Parameters;

/// Writes a scene whose bodies stand and move as those of the world do: the scene's own, copies as bodies of their own,
/// and those dropped in later. Its expectations are left out, for they are about another start.
///
/// Impulses that contacts remember are not part of a scene, so a pile may settle by its rounding again.
pub fn write(
    path: &Path,
    scene: &Scene,
    dropped: &[BodySpec],
    world: &World,
    parameters: &Parameters,
) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let spec = of(scene, dropped, world, parameters, folder)?;
    let text = toml::to_string(&spec).map_err(|error| error.to_string())?;
    // What cannot be read again must not be left behind as a scene.
    Scene::parse(&text, path).map_err(|error| error.to_string())?;
    std::fs::write(path, text).map_err(|error| error.to_string())
}

fn of(
    scene: &Scene,
    dropped: &[BodySpec],
    world: &World,
    parameters: &Parameters,
    folder: &Path,
) -> Result<SceneSpec, String> {
    let mut spec = scene.spec().clone();
    if !spec.forces.is_empty() || spec.bodies.iter().any(|body| body.motion.is_some()) {
        return Err(
            "paths and forces over time begin at 0 s, so that a later state cannot be written as a scene"
                .to_owned(),
        );
    }
    let mut bodies = Vec::with_capacity(world.bodies().len());
    let mut states = world.bodies().iter();
    for body in spec.bodies.iter().chain(dropped) {
        for (one, name) in body.expanded().zip(body.expanded_names()) {
            let state = states.next().ok_or("the world has fewer bodies than the scene")?;
            let origin = origin_of_part(body, state);
            let mut saved = as_it_is(one, name, state, origin, |file| moved(scene, file, folder));
            weigh(&mut saved, parameters.masses.get(&(bodies.len() as u32)).copied(), state);
            bodies.push(saved);
        }
    }
    spec.pairs = pairs(&spec, &bodies);
    spec.joints = joints(&spec.joints, world, parameters)?;
    let when = format!(" at {:.4} s", world.time());
    let name: String = scene.name().chars().take(MAX_NAME - when.chars().count().min(MAX_NAME)).collect();
    spec.name = Some(name + &when);
    spec.expectations.clear();
    spec.sensors.clear();
    // What they brought is among the bodies.
    spec.includes.clear();
    spec.bodies = bodies;
    parameters.write_to(&mut spec);
    Ok(spec)
}

/// The origin of the frame that a part of a file that is split has by itself, in the one that it has with the others: all parts are
/// centred together, a single one about itself.
fn origin_of_part(body: &BodySpec, state: &Body) -> DVec3 {
    let ShapeSpec::Mesh(mesh) = &body.shape else { return DVec3::ZERO };
    let bounds = state.shape.own_aabb();
    match mesh.center.point().filter(|_| mesh.split) {
        None => DVec3::ZERO,
        Some(Center::Box) => bounds.center(),
        Some(Center::Base) => bounds.center().with_z(bounds.min.z),
        Some(Center::Mass) => state.shape.unit_mass().map_or(DVec3::ZERO, |mass| mass.center),
    }
}

fn as_it_is(
    mut body: BodySpec,
    name: String,
    state: &Body,
    origin: DVec3,
    file: impl Fn(&str) -> String,
) -> BodySpec {
    body.name = name;
    (body.copies, body.poses, body.placed) = (None, None, None);
    if let ShapeSpec::Mesh(mesh) = &mut body.shape {
        mesh.file = file(&mesh.file);
    }
    body.position = state.w_from_shape().point(origin).to_array();
    body.center_of_mass = body.center_of_mass.map(|center| (DVec3::from_array(center) - origin).to_array());
    body.orientation = OrientationSpec::Quaternion(state.orientation.to_array());
    // A static body has no velocity to state.
    let velocity = |v: DVec3| if body.kind == KindSpec::Static { [0.0; 3] } else { v.to_array() };
    body.linear_velocity = velocity(state.linear_velocity);
    body.angular_velocity = velocity(state.angular_velocity);
    body
}

/// States the mass that a body was given in the window, and the inertia that goes with it.
fn weigh(body: &mut BodySpec, mass: Option<f64>, state: &Body) {
    let Some(mass) = mass else { return };
    (body.mass, body.density) = (Some(mass), None);
    if body.inertia.is_some() {
        let [xx, xy, zx, _, yy, yz, _, _, zz] = state.mass.inertia.to_cols_array();
        body.inertia = Some(vec![xx, yy, zz, xy, yz, zx]);
    }
}

/// What the scene says of pairs, by names that stand for the same of the saved bodies as the scene's for its own: there are
/// no copies any more, and bodies that were dropped in later may have names that begin alike.
fn pairs(scene: &SceneSpec, saved: &[BodySpec]) -> Vec<PairSpec> {
    let names = [Names::new(scene.expanded_names()), Names::new(saved.iter().map(|body| body.name.clone()))];
    let [of_scene, of_saved] =
        [NamedBodies::new(&scene.bodies, &names[0]), NamedBodies::new(saved, &names[1])];
    let renamed = |name: &String| {
        let meant = of_scene.meant_by(name);
        [name.clone(), format!("{name}-*")].into_iter().find(|name| of_saved.meant_by(name) == meant)
    };
    let of_pair = |pair: &PairSpec| {
        let Some(names) = &pair.bodies else { return vec![pair.clone()] };
        let with = |bodies| PairSpec { bodies: Some(bodies), ..pair.clone() };
        if let [Some(a), Some(b)] = names.each_ref().map(renamed) {
            return vec![with([a, b])];
        }
        let one_by_one: BTreeSet<[u32; 2]> = of_scene.pairs(names).collect();
        let name = |ix: u32| saved[ix as usize].name.clone();
        one_by_one.into_iter().map(|pair| with(pair.map(name))).collect()
    };
    scene.pairs.iter().flat_map(of_pair).collect()
}

/// The scene's joints as they stand now, without those that have broken: a joint's coordinate is 0 where a scene begins, so
/// limits and targets are moved by what it is, and values over time by the time that has passed.
fn joints(specs: &[JointSpec], world: &World, parameters: &Parameters) -> Result<Vec<JointSpec>, String> {
    let mut saved = Vec::with_capacity(specs.len());
    for ((ix, (spec, joint)), state) in (0..).zip(specs.iter().zip(world.joints())).zip(world.joint_states())
    {
        if state.broken {
            continue;
        }
        let body = world.body(joint.b);
        let half = Placement { origin: body.position, rotation: body.orientation }.carry(&joint.halves[1]);
        let mut spec = spec.clone();
        if let Some(wanted) = parameters.drives.get(&ix) {
            ask_for(&mut spec.kind, *wanted);
        }
        spec.anchor = half.origin.to_array();
        spec.axis = (half.rotation * DVec3::X).to_array();
        let (by, degrees) = (state.coordinate, state.coordinate.to_degrees());
        match &mut spec.kind {
            JointKindSpec::Rigid => {}
            JointKindSpec::Spherical(ball) if ball.limit_deg.is_some() && by > 0.0 => {
                return Err(format!(
                    "joint '{}' is bent by {degrees:.3} degrees, and a scene can state the limit of a ball joint only for one \
                     that begins straight",
                    spec.name
                ));
            }
            JointKindSpec::Spherical(_) => {}
            JointKindSpec::Revolute(hinge) => {
                hinge.limits_deg = hinge.limits_deg.map(|limits| around_zero(limits, degrees));
                hinge.motor.iter_mut().for_each(|motor| shift(&mut motor.speed, 0.0, world.time()));
                hinge.servo.iter_mut().for_each(|servo| shift(&mut servo.target_deg, degrees, world.time()));
            }
            JointKindSpec::Prismatic(slide) => {
                slide.limits = slide.limits.map(|limits| around_zero(limits, by));
                slide.motor.iter_mut().for_each(|motor| shift(&mut motor.speed, 0.0, world.time()));
                slide.servo.iter_mut().for_each(|servo| shift(&mut servo.target, by, world.time()));
            }
        }
        saved.push(spec);
    }
    Ok(saved)
}

/// Has a drive ask for one position or speed at all times \[rad, m, rad/s or m/s\].
fn ask_for(kind: &mut JointKindSpec, wanted: f64) {
    let constant = ValueOverTimeSpec::Constant;
    match kind {
        JointKindSpec::Rigid | JointKindSpec::Spherical(_) => {}
        JointKindSpec::Revolute(hinge) => {
            hinge.motor.iter_mut().for_each(|motor| motor.speed = constant(wanted));
            hinge.servo.iter_mut().for_each(|servo| servo.target_deg = constant(wanted.to_degrees()));
        }
        JointKindSpec::Prismatic(slide) => {
            slide.motor.iter_mut().for_each(|motor| motor.speed = constant(wanted));
            slide.servo.iter_mut().for_each(|servo| servo.target = constant(wanted));
        }
    }
}

/// Limits about where the joint is now, which may be beyond one of them by rounding.
fn around_zero([low, high]: [f64; 2], now: f64) -> [f64; 2] {
    [(low - now).min(0.0), (high - now).max(0.0)]
}

/// Moves a value over time down by a value and back by a time.
fn shift(over_time: &mut ValueOverTimeSpec, value: f64, time: f64) {
    match over_time {
        ValueOverTimeSpec::Constant(x) => *x -= value,
        ValueOverTimeSpec::Points(points) => points.iter_mut().for_each(|[t, x]| {
            *t -= time;
            *x -= value;
        }),
    }
}

/// The path of a mesh seen from the folder of the new file.
fn moved(scene: &Scene, file: &str, folder: &Path) -> String {
    let full = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
    let mesh = full(scene.resolve(file));
    let folder = full(folder.to_owned());
    mesh.strip_prefix(&folder).unwrap_or(&mesh).display().to_string()
}
