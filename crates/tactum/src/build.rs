//! From a scene to a world: shapes are made once and shared, copies are laid out, masses computed.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3, DVec4};
use tactum_geometry::Pose;
use tactum_geometry::mesh::MassMoments;
use tactum_geometry::words;
use tactum_sim::{Body, BodyDesc, BodyKind, ContactLaw, MassProperties, MaterialId, World};
use thiserror::Error;

use crate::hash::Fnv;
use crate::joints;
use crate::materials::{self, UnknownMaterial};
use crate::ordinary_length::of_ordinary_length;
use crate::random::Random;
use crate::rounded::{RoundedError, rounded, sharp_edges};
use crate::scene::schema::{BodySpec, KindSpec, OrientationSpec, SceneSpec};
use crate::scene::{Fault, Gathered, KeyPath, Names, Place, Scene, SceneError, inertia_matrix};
use crate::shapes::{Prepared, prepare};
use crate::surfaces::{SurfaceOfError, surface};

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
    let mut shapes = make_shapes(scene)?;
    warn_of_edges(spec, &mut shapes);
    let root = KeyPath::default();
    let mut hash = Fnv::new();
    let settings = spec.settings();
    hash.text(&format!("{settings:?} {:?}", spec.expectations));
    let mut world = World::new(settings)
        .map_err(|error| refused(scene, &root, Fault::error(error.to_string(), "in this scene")))?;
    add_materials(scene, &mut world, &mut hash)?;
    add_bodies(scene, &shapes, &mut world, &mut hash)?;
    set_pairs(scene, &mut world, &mut hash)?;
    check_energy(scene, &world)?;
    add_joints(scene, &mut world, &mut hash)?;
    hash.word(world.state_hash());
    Ok(Built { world, fingerprint: hash.value(), warnings: scene.locate(shapes.warnings) })
}

/// Says which bodies have edges that nothing holds under the law of rounded facets.
fn warn_of_edges(spec: &SceneSpec, shapes: &mut Shapes) {
    if spec.settings().law != ContactLaw::Facets {
        return;
    }
    for (ix, body) in spec.bodies.iter().enumerate().filter(|(_, body)| body.kind == KindSpec::Dynamic) {
        let n = sharp_edges(&shapes.made[shapes.of_body[ix]].shape);
        if n > 0 {
            let at = || Place::Key(KeyPath::default().key("body").ix(ix).key("shape"));
            let text = format!(
                "body '{}': {} of its mesh {} sharp: under the law \"facets\" nothing holds a body at its edges and corners, where it sinks \
                 in until a face meets something",
                body.name,
                words::counted(n as u64, "edge", "edges"),
                if n == 1 { "is" } else { "are" }
            );
            let help = "the law is for bodies that are round all over; the law \"volume\" holds edges";
            shapes.warnings.warning(at, || Fault::warning(text, "this shape").with_help(help));
        }
    }
}

fn refused(scene: &Scene, at: &KeyPath, fault: Fault) -> SceneError {
    let mut faults = Gathered::default();
    faults.error(|| Place::Key(at.clone()), || fault);
    SceneError::Faults(scene.locate(faults))
}

fn add_materials(scene: &Scene, world: &mut World, hash: &mut Fnv) -> Result<(), SceneError> {
    let mut faults = Gathered::default();
    materials::add_materials(scene.spec(), world, hash, &mut faults);
    if faults.has_errors() { Err(SceneError::Faults(scene.locate(faults))) } else { Ok(()) }
}

fn set_pairs(scene: &Scene, world: &mut World, hash: &mut Fnv) -> Result<(), SceneError> {
    let mut faults = Gathered::default();
    materials::set_pairs(scene.spec(), world, hash, &mut faults);
    if faults.has_errors() { Err(SceneError::Faults(scene.locate(faults))) } else { Ok(()) }
}

fn add_bodies(scene: &Scene, shapes: &Shapes, world: &mut World, hash: &mut Fnv) -> Result<(), SceneError> {
    let spec = scene.spec();
    let groups = spec.group_names();
    let mut faults = Gathered::default();
    for (ix, (body, made)) in spec.bodies.iter().zip(shapes.of_bodies()).enumerate() {
        hash.word(made.fingerprint);
        let at = || Place::Key(KeyPath::default().key("body").ix(ix));
        let descs = match describe_in(spec, &groups, body, made) {
            Ok(descs) => descs,
            Err(error) => {
                faults.error(at, || Fault::error(error.to_string(), "this body"));
                continue;
            }
        };
        for desc in descs {
            hash.text(&format!("{} {:?} {:?} {:?}", desc.name, desc.kind, desc.w_from_shape, desc.mass));
            match world.add_body(desc) {
                Ok(id) => {
                    let Body { friction, groups, mask, material, .. } = world.body(id);
                    hash.text(&format!("{friction} {groups} {mask}"));
                    if let Some(MaterialId(material)) = material {
                        hash.word(u64::from(*material));
                    }
                }
                Err(error) => {
                    faults.error(at, || Fault::error(error.to_string(), "this body"));
                    // Its copies would be refused for the same reason.
                    break;
                }
            }
        }
    }
    if faults.has_errors() { Err(SceneError::Faults(scene.locate(faults))) } else { Ok(()) }
}

/// Refuses bodies whose energies are numbers each, but not together.
fn check_energy(scene: &Scene, world: &World) -> Result<(), SceneError> {
    for (what, energy) in [("kinetic", world.kinetic_energy()), ("potential", world.potential_energy())] {
        if !energy.is_finite() {
            let message =
                format!("the {what} energy of all bodies together is beyond the numbers of 64 bits");
            let fault = Fault::error(message, "").with_help("the largest number of 64 bits is 1.8e308");
            return Err(refused(scene, &KeyPath::default().key("body"), fault));
        }
    }
    Ok(())
}

fn add_joints(scene: &Scene, world: &mut World, hash: &mut Fnv) -> Result<(), SceneError> {
    if scene.spec().joints.is_empty() {
        return Ok(());
    }
    let names = Names::new(world.bodies().iter().map(|body| body.name.clone()));
    let mut faults = Gathered::default();
    for (ix, joint) in scene.spec().joints.iter().enumerate() {
        let desc = joints::describe(joint, &names);
        hash.text(&format!("{desc:?}"));
        if let Err(error) = world.add_joint(desc) {
            let at = || Place::Key(KeyPath::default().key("joint").ix(ix));
            faults.error(at, || Fault::error(error.to_string(), "this joint"));
        }
    }
    if faults.has_errors() { Err(SceneError::Faults(scene.locate(faults))) } else { Ok(()) }
}

/// Why a body of a scene is none of a world.
#[derive(Debug, Error)]
pub enum DescribeError {
    /// Its material.
    #[error(transparent)]
    Material(#[from] UnknownMaterial),
    /// Its facets.
    #[error("body '{body}': {source}")]
    Rounded {
        /// Its name.
        body: String,
        /// Why they cannot be rounded.
        source: RoundedError,
    },
    /// Its surface.
    #[error("body '{body}': {source}")]
    Surface {
        /// Its name.
        body: String,
        /// Why it has none.
        source: SurfaceOfError,
    },
}

/// What a body of a scene, or each copy of it, is in a world that has the scene's materials; `made` is its shape.
///
/// # Errors
/// A material that the scene does not have; facets that cannot be rounded; a shape without a surface.
pub fn describe(scene: &SceneSpec, body: &BodySpec, made: &Prepared) -> Result<Vec<BodyDesc>, DescribeError> {
    describe_in(scene, &scene.group_names(), body, made)
}

/// The same, with the names of the scene's groups at hand.
fn describe_in(
    scene: &SceneSpec,
    groups: &[&str],
    body: &BodySpec,
    made: &Prepared,
) -> Result<Vec<BodyDesc>, DescribeError> {
    let material = materials::of(scene, body)?;
    let friction = if materials::takes_scene_friction(scene, body) {
        Some(scene.contact.friction)
    } else {
        body.friction
    };
    let mass = mass_properties(body, made.unit_mass.as_ref());
    let smooth = made.shape.smooth_surface(body.smooth_deg.to_radians()).map(Arc::new);
    let rounded = match scene.settings().law {
        ContactLaw::Volume | ContactLaw::ContinuousPenalty => None,
        ContactLaw::Facets => {
            let named = |source| DescribeError::Rounded { body: body.name.clone(), source };
            Some(Arc::new(rounded(&made.shape, body.rounding).map_err(named)?))
        }
    };
    let surface = match scene.settings().law {
        ContactLaw::Volume | ContactLaw::Facets => None,
        ContactLaw::ContinuousPenalty => {
            let named = |source| DescribeError::Surface { body: body.name.clone(), source };
            surface(&made.shape).map_err(named)?.map(Arc::new)
        }
    };
    let desc = |(name, w_from_shape)| BodyDesc {
        name,
        kind: match body.kind {
            KindSpec::Dynamic => BodyKind::Dynamic,
            KindSpec::Static => BodyKind::Static,
            KindSpec::Kinematic => BodyKind::Kinematic,
        },
        shape: made.shape.clone(),
        smooth: smooth.clone(),
        rounded: rounded.clone(),
        surface: surface.clone(),
        w_from_shape,
        mass,
        linear_velocity: DVec3::from_array(body.linear_velocity),
        angular_velocity: DVec3::from_array(body.angular_velocity),
        material,
        friction,
        groups: group_bits(&body.groups, groups),
        mask: body.touches.as_ref().map_or(u32::MAX, |names| group_bits(names, groups) | NO_GROUP),
    };
    Ok(placements(body).into_iter().map(desc).collect())
}

/// The bit of all bodies that belong to no group.
const NO_GROUP: u32 = 1;

fn group_bits(names: &[String], groups: &[&str]) -> u32 {
    let bit = |name: &String| groups.iter().position(|group| group == name).map_or(0, |ix| 2_u32 << ix);
    if names.is_empty() { NO_GROUP } else { names.iter().map(bit).fold(0, |all, one| all | one) }
}

/// The different shapes of a scene, each made once.
#[derive(Debug, Default)]
struct Shapes {
    made: Vec<Prepared>,
    /// Which of them each `[[body]]` has.
    of_body: Vec<usize>,
    warnings: Gathered,
}

impl Shapes {
    fn of_bodies(&self) -> impl Iterator<Item = &Prepared> {
        self.of_body.iter().map(|&ix| &self.made[ix])
    }
}

fn make_shapes(scene: &Scene) -> Result<Shapes, SceneError> {
    let mut shapes = Shapes::default();
    let mut faults = Gathered::default();
    // Equal shapes are written equally, but for the sign of a zero, which no shape has.
    let mut known: HashMap<String, usize> = HashMap::new();
    for (ix, body) in scene.spec().bodies.iter().enumerate() {
        let at = || Place::Key(KeyPath::default().key("body").ix(ix).key("shape"));
        let entry = match known.entry(format!("{:?}", body.shape)) {
            Entry::Occupied(made) => {
                shapes.of_body.push(*made.get());
                continue;
            }
            Entry::Vacant(entry) => entry,
        };
        // After a shape that cannot be made the numbers are not right, but then there is nothing to build either.
        shapes.of_body.push(*entry.insert(shapes.made.len()));
        match prepare(&body.shape, |file| scene.resolve(file)) {
            Ok(prepared) => {
                if let Some(why) = prepared.unit_mass.as_ref().and_then(out_of_range) {
                    faults.error(at, || {
                        Fault::error(format!("body '{}': its {why}", body.name), "this shape")
                            .with_help("lengths are in metres")
                    });
                }
                for finding in &prepared.warnings {
                    let text = || format!("body '{}': its mesh: {finding}", body.name);
                    shapes.warnings.warning(at, || Fault::warning(text(), "this mesh"));
                }
                shapes.made.push(prepared);
            }
            Err(error) => {
                faults.error(at, || {
                    let fault = Fault::error(format!("body '{}': {error}", body.name), "this shape");
                    match error.help() {
                        Some(help) => fault.with_help(help),
                        None => fault,
                    }
                });
            }
        }
    }
    if faults.has_errors() { Err(SceneError::Faults(scene.locate(faults))) } else { Ok(shapes) }
}

/// Why the size of a shape cannot be computed with, in words that follow "its": volume and inertia at density one are products
/// of three and of five lengths, and overflow or vanish long before these do.
fn out_of_range(unit: &MassMoments) -> Option<String> {
    let moments = unit.inertia.to_cols_array();
    let [xx, _, _, _, yy, _, _, _, zz] = moments;
    let are_numbers = moments.iter().all(|x| x.is_finite()) && [xx, yy, zz].iter().all(|x| x.is_normal());
    if unit.volume.is_normal() && are_numbers {
        return None;
    }
    // The volume tells on which side it is, even where it has made the inertia no number at all.
    let (size, side) = if unit.volume > 1.0 { ("large", "beyond") } else { ("small", "below") };
    Some(format!("shape is too {size} to compute with: volume or inertia are {side} the numbers of 64 bits"))
}

/// Density of a body that states neither density nor mass, water's \[kg/m³\].
const DEFAULT_DENSITY: f64 = 1000.0;

/// Mass properties of a body that states none of its own; `unit` are those of its shape for density one.
pub fn default_mass(unit: &MassMoments) -> MassProperties {
    MassProperties {
        mass: DEFAULT_DENSITY * unit.volume,
        center: unit.center,
        inertia: unit.inertia * DEFAULT_DENSITY,
    }
}

/// Mass properties from a body's own numbers and, where it gives none, from its shape filled evenly.
fn mass_properties(body: &BodySpec, unit: Option<&MassMoments>) -> MassProperties {
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
        OrientationSpec::Quaternion(q) => {
            DQuat::from_vec4(of_ordinary_length(DVec4::from_array(q))).normalize()
        }
        OrientationSpec::EulerDeg(angles) => {
            let [x, y, z] = angles.map(f64::to_radians);
            DQuat::from_rotation_z(z) * DQuat::from_rotation_y(y) * DQuat::from_rotation_x(x)
        }
        OrientationSpec::AxisAngle { axis, deg } => {
            let axis = of_ordinary_length(DVec3::from_array(axis).extend(0.0)).truncate();
            DQuat::from_axis_angle(axis.normalize(), deg.to_radians())
        }
    }
}
