//! From a scene to a world: shapes are made once and shared, copies are laid out, masses computed.

use glam::{DMat3, DQuat, DVec3};
use tactum_geometry::Pose;
use tactum_geometry::mesh::MassMoments;
use tactum_geometry::mesh::check::Finding;
use tactum_sim::{
    Accelerator, BodyDesc, BodyKind, ContactModel, LocalSolver, MassProperties, NormalRule, PatchModel,
    RollingRule, Settings, SpinCoupling, SpinRule, SweepOrder, World,
};

use crate::hash::Fnv;
use crate::joints;
use crate::random::Random;
use crate::scene::schema::{
    AcceleratorSpec, BodySpec, CouplingSpec, KindSpec, LocalSpec, ModelSpec, NormalSpec, OrderSpec,
    OrientationSpec, PatchSpec, RollingSpec, SceneSpec, ShapeSpec, SpinSpec,
};
use crate::scene::{Fault, KeyPath, Scene, SceneError, inertia_matrix};
use crate::shapes::{Prepared, prepare};

/// A scene's world at its start.
#[derive(Debug)]
pub struct Built {
    /// The world.
    pub world: World,
    /// Hash of all that decides how the run goes: settings, bodies, meshes, expectations. Comments, the duration
    /// and names of files are not part of it.
    pub fingerprint: u64,
    /// Doubts about the meshes.
    pub warnings: Vec<Fault>,
}

/// Makes the world of a scene.
///
/// # Errors
/// [`SceneError::Faults`] with the meshes that cannot be used and the bodies that cannot be made of them, each at its
/// place in the file.
pub fn build(scene: &Scene) -> Result<Built, SceneError> {
    let spec = scene.spec();
    let shapes = make_shapes(scene)?;
    let root = KeyPath::default();
    let mut hash = Fnv::new();
    let settings = settings(spec);
    hash.text(&format!("{settings:?} {:?}", spec.expectations));
    let mut world = World::new(settings).map_err(|error| {
        SceneError::Faults(vec![scene.locate(&root, Fault::error(error.to_string(), "in this scene"))])
    })?;
    for (ix, body) in spec.bodies.iter().enumerate() {
        let made = shapes.of(&body.shape);
        hash.word(made.fingerprint);
        for desc in describe(spec, body, made) {
            hash.text(&format!("{} {:?} {:?} {:?}", desc.name, desc.kind, desc.w_from_shape, desc.mass));
            hash.text(&format!("{} {} {}", desc.friction, desc.groups, desc.mask));
            world.add_body(desc).map_err(|error| {
                let fault = Fault::error(error.to_string(), "this body");
                SceneError::Faults(vec![scene.locate(&root.key("body").ix(ix), fault)])
            })?;
        }
    }
    add_joints(scene, &mut world, &mut hash)?;
    hash.word(world.state_hash());
    Ok(Built { world, fingerprint: hash.value(), warnings: shapes.warnings })
}

fn add_joints(scene: &Scene, world: &mut World, hash: &mut Fnv) -> Result<(), SceneError> {
    let names: Vec<String> = world.bodies().iter().map(|body| body.name.clone()).collect();
    for (ix, joint) in scene.spec().joints.iter().enumerate() {
        let desc = joints::describe(joint, &names);
        hash.text(&format!("{desc:?}"));
        world.add_joint(desc).map_err(|error| {
            let fault = Fault::error(error.to_string(), "this joint");
            SceneError::Faults(vec![scene.locate(&KeyPath::default().key("joint").ix(ix), fault)])
        })?;
    }
    Ok(())
}

/// What a body of a scene, or each copy of it, is in a world; `made` is its shape.
pub fn describe(scene: &SceneSpec, body: &BodySpec, made: &Prepared) -> Vec<BodyDesc> {
    let groups = scene.group_names();
    let mass = mass_properties(body, made.unit_mass.as_ref());
    let desc = |(name, w_from_shape)| BodyDesc {
        name,
        kind: match body.kind {
            KindSpec::Dynamic => BodyKind::Dynamic,
            KindSpec::Static => BodyKind::Static,
            KindSpec::Kinematic => BodyKind::Kinematic,
        },
        shape: made.shape.clone(),
        w_from_shape,
        mass,
        linear_velocity: DVec3::from_array(body.linear_velocity),
        angular_velocity: DVec3::from_array(body.angular_velocity),
        friction: body.friction.unwrap_or(scene.contact.friction),
        groups: group_bits(&body.groups, &groups),
        mask: body.touches.as_ref().map_or(u32::MAX, |names| group_bits(names, &groups) | NO_GROUP),
    };
    placements(body).into_iter().map(desc).collect()
}

/// The bit of all bodies that belong to no group.
const NO_GROUP: u32 = 1;

fn group_bits(names: &[String], groups: &[&str]) -> u32 {
    let bit = |name: &String| groups.iter().position(|group| group == name).map_or(0, |ix| 2_u32 << ix);
    if names.is_empty() { NO_GROUP } else { names.iter().map(bit).fold(0, |all, one| all | one) }
}

fn settings(spec: &SceneSpec) -> Settings {
    let default = Settings::default();
    let (contact, solver) = (&spec.contact, &spec.solver);
    Settings {
        dt: spec.dt,
        gravity: DVec3::from_array(spec.gravity),
        contact: match contact.model {
            ModelSpec::Patch => ContactModel::Patch,
            ModelSpec::Points => ContactModel::Points,
        },
        patch: match contact.patch {
            PatchSpec::Polygon => PatchModel::Polygon,
            PatchSpec::Ellipse(k) => PatchModel::Ellipse { k },
        },
        normal: match contact.normal {
            NormalSpec::Blend => NormalRule::Blend,
            NormalSpec::Gradient => NormalRule::Gradient,
            NormalSpec::Covariance => NormalRule::Covariance,
        },
        rolling: match contact.rolling {
            RollingSpec::Auto => RollingRule::Auto,
            RollingSpec::Pivot => RollingRule::Pivot,
        },
        spin: match contact.spin {
            SpinSpec::Uniform => SpinRule::Uniform,
            SpinSpec::Hertz => SpinRule::Hertz,
            SpinSpec::Corners => SpinRule::Corners,
        },
        coupling: match contact.coupling {
            CouplingSpec::Surface => SpinCoupling::Surface,
            CouplingSpec::Ellipsoid => SpinCoupling::Ellipsoid,
        },
        local: solver.local.into(),
        target_depth: contact.target_depth.unwrap_or(default.target_depth),
        target_volume: contact.target_volume,
        compliance: contact.compliance,
        damping: contact.damping,
        restitution: contact.restitution,
        restitution_threshold: contact.restitution_threshold.unwrap_or(default.restitution_threshold),
        stabilization: contact.stabilization.unwrap_or(default.stabilization),
        warm_start: solver.warm_start,
        tolerance: solver.tolerance.unwrap_or(default.tolerance),
        motion_tolerance: match (solver.motion_tolerance, solver.tolerance) {
            (Some(part), _) => part,
            (None, Some(_)) => 0.0,
            (None, None) => default.motion_tolerance,
        },
        tolerance_per_row: solver.per_row,
        max_sweeps: solver.max_sweeps.unwrap_or(default.max_sweeps),
        max_solves: match (solver.max_solves, solver.max_sweeps) {
            (Some(n), _) => n,
            (None, Some(_)) => u64::MAX,
            (None, None) => default.max_solves,
        },
        relative_tolerance: default.relative_tolerance,
        accelerator: solver.accelerator.into(),
        order: match solver.order {
            OrderSpec::Forward => SweepOrder::Forward,
            OrderSpec::Symmetric => SweepOrder::Symmetric,
        },
        relaxation: solver.relaxation.unwrap_or(default.relaxation),
    }
}

impl From<LocalSpec> for LocalSolver {
    fn from(spec: LocalSpec) -> Self {
        match spec {
            LocalSpec::Cone => Self::Cone,
            LocalSpec::Paper => Self::Paper,
        }
    }
}

impl From<AcceleratorSpec> for Accelerator {
    fn from(spec: AcceleratorSpec) -> Self {
        match spec {
            AcceleratorSpec::Nncg => Self::Nncg,
            AcceleratorSpec::Anderson => Self::Anderson,
            AcceleratorSpec::None => Self::None,
        }
    }
}

/// The different shapes of a scene, each made once.
#[derive(Debug, Default)]
struct Shapes {
    made: Vec<(ShapeSpec, Prepared)>,
    warnings: Vec<Fault>,
}

impl Shapes {
    fn of(&self, spec: &ShapeSpec) -> &Prepared {
        let found = self.made.iter().find(|(made, _)| made == spec);
        &found.expect("every shape of the scene was made").1
    }
}

fn make_shapes(scene: &Scene) -> Result<Shapes, SceneError> {
    let mut shapes = Shapes::default();
    let mut faults = Vec::new();
    for (ix, body) in scene.spec().bodies.iter().enumerate() {
        if shapes.made.iter().any(|(spec, _)| *spec == body.shape) {
            continue;
        }
        let at = KeyPath::default().key("body").ix(ix).key("shape");
        match prepare(&body.shape, |file| scene.resolve(file)) {
            Ok(prepared) => {
                let warning = |finding: &Finding| {
                    let fault =
                        Fault::warning(format!("body '{}': the mesh {finding}", body.name), "this mesh");
                    scene.locate(&at, fault)
                };
                shapes.warnings.extend(prepared.warnings.iter().map(warning));
                shapes.made.push((body.shape.clone(), prepared));
            }
            Err(error) => {
                let fault = Fault::error(format!("body '{}': {error}", body.name), "this shape");
                let fault = match error.help() {
                    Some(help) => fault.with_help(help),
                    None => fault,
                };
                faults.push(scene.locate(&at, fault));
            }
        }
    }
    if faults.is_empty() { Ok(shapes) } else { Err(SceneError::Faults(faults)) }
}

/// Mass properties from a body's own numbers and, where it gives none, from its shape filled evenly.
fn mass_properties(body: &BodySpec, unit: Option<&MassMoments>) -> MassProperties {
    /// Density of a body that states neither density nor mass, water's \[kg/m³\].
    const DEFAULT_DENSITY: f64 = 1000.0;
    /// Stands for the infinite mass of a half-space, which is never used because nothing can move one.
    const IMMOVABLE: MassProperties =
        MassProperties { mass: 1.0, center: DVec3::ZERO, inertia: DMat3::IDENTITY };
    let Some(unit) = unit else { return IMMOVABLE };
    let density = match body.mass {
        Some(mass) => mass / unit.volume,
        None => body.density.unwrap_or(DEFAULT_DENSITY),
    };
    MassProperties {
        mass: body.mass.unwrap_or(density * unit.volume),
        center: body.center_of_mass.map_or(unit.center, DVec3::from_array),
        inertia: body.inertia.as_ref().map_or(unit.inertia * density, |values| inertia_matrix(values)),
    }
}

/// Names and poses of a body or of its copies.
fn placements(body: &BodySpec) -> Vec<(String, Pose)> {
    let rotation = rotation(body.orientation);
    let position = DVec3::from_array(body.position);
    let Some(copies) = &body.copies else { return vec![(body.name.clone(), Pose::new(position, rotation))] };
    let mut random = Random::new(copies.seed);
    let [nx, ny, nz] = copies.grid;
    let spacing = DVec3::from_array(copies.spacing);
    let middle = DVec3::new(0.5 * f64::from(nx - 1), 0.5 * f64::from(ny - 1), 0.0);
    let mut placed = Vec::new();
    for k in 0..nz {
        for j in 0..ny {
            for i in 0..nx {
                let cell = DVec3::new(f64::from(i), f64::from(j), f64::from(k)) - middle;
                let turn = if copies.random_orientation { random.rotation() } else { DQuat::IDENTITY };
                let offset = cell * spacing + copies.jitter * random.cube();
                let name = format!("{}-{}", body.name, placed.len());
                placed.push((name, Pose::new(position + offset, turn * rotation)));
            }
        }
    }
    placed
}

fn rotation(orientation: OrientationSpec) -> DQuat {
    match orientation {
        OrientationSpec::Identity => DQuat::IDENTITY,
        OrientationSpec::Quaternion(q) => DQuat::from_array(q).normalize(),
        OrientationSpec::EulerDeg(angles) => {
            let [x, y, z] = angles.map(f64::to_radians);
            DQuat::from_rotation_z(z) * DQuat::from_rotation_y(y) * DQuat::from_rotation_x(x)
        }
        OrientationSpec::AxisAngle { axis, deg } => {
            DQuat::from_axis_angle(DVec3::from_array(axis).normalize(), deg.to_radians())
        }
    }
}
