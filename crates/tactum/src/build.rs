//! From a scene to a world: shapes are made once and shared, copies are laid out, masses computed.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{DMat3, DVec3};
use rayon::prelude::*;
use tactum_geometry::facets::RoundedMesh;
use tactum_geometry::mesh::MassMoments;
use tactum_geometry::passage::Surface;
use tactum_geometry::words;
use tactum_geometry::{Aabb, Pose, Shape, SmoothSurface};
use tactum_sim::{Body, BodyDesc, BodyKind, ContactLaw, MassProperties, MaterialId, World};
use thiserror::Error;

use crate::hash::Fnv;
use crate::joints;
use crate::materials::{self, UnknownMaterial};
use crate::over_time;
use crate::rounded::{RoundedError, misfit};
use crate::scene::schema::{BodySpec, KindSpec, SceneSpec, ShapeSpec};
use crate::scene::{Fault, Gathered, KeyPath, Names, Place, Scene, SceneError, inertia_matrix, placements};
use crate::shapes::{Prepared, ShapeError};
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
    refuse_edges(scene, &shapes)?;
    warn_of_misfits(spec, &mut shapes);
    warn_of_units(spec, &mut shapes);
    warn_of_centers(spec, &mut shapes);
    let root = KeyPath::default();
    let mut hash = Fnv::new();
    let settings = spec.settings();
    hash.text(&format!("{settings:?} {:?}", spec.expectations));
    hash.text(&format!("{:?}", spec.sensors));
    let mut world = World::new(settings)
        .map_err(|error| refused(scene, &root, Fault::error(error.to_string(), "in this scene")))?;
    add_materials(scene, &mut world, &mut hash)?;
    add_bodies(scene, &shapes, &mut world, &mut hash)?;
    set_pairs(scene, &mut world, &mut hash)?;
    check_energy(scene, &world)?;
    add_over_time(scene, &mut world, &mut hash)?;
    add_joints(scene, &mut world, &mut hash)?;
    hash.word(world.state_hash());
    Ok(Built { world, fingerprint: hash.value(), warnings: scene.locate(shapes.warnings) })
}

/// Refuses bodies with edges that nothing would hold under the law of rounded facets.
///
/// Facets that meet in a crease end there: such a body sinks in until a face of it meets something, deep, and is thrown out with more
/// energy than it had.
fn refuse_edges(scene: &Scene, shapes: &Shapes) -> Result<(), SceneError> {
    let spec = scene.spec();
    if spec.settings().law != ContactLaw::Facets {
        return Ok(());
    }
    let mut faults = Gathered::default();
    for (ix, body) in spec.bodies.iter().enumerate().filter(|(_, body)| body.kind == KindSpec::Dynamic) {
        // What cannot be rounded is refused with the body.
        let edges = |part: &Prepared| part.rounded(body.rounding).map_or(0, |mesh| mesh.n_sharp_edges());
        let n: usize = shapes.made[shapes.of_body[ix]].iter().map(edges).sum();
        if n > 0 {
            let at = || Place::Key(KeyPath::default().key("body").ix(ix).key("shape"));
            let text = format!(
                "body '{}': {} of its rounded facets {} sharp, but a body that moves under the law \"facets\" has to be round all over: at \
                 edges and corners no sphere touches",
                body.name,
                words::counted(n as u64, "edge", "edges"),
                if n == 1 { "is" } else { "are" }
            );
            let help = "give a round mesh more triangles, or that of a ball its radius as rounding; round the edges off in the mesh, or take \
                        the law \"volume\", which holds edges";
            faults.error(at, || Fault::error(text, "this shape").with_help(help));
        }
    }
    if faults.has_errors() { Err(SceneError::Faults(scene.locate(faults))) } else { Ok(()) }
}

/// Says of which bodies the rounding given is not how their meshes bend.
fn warn_of_misfits(spec: &SceneSpec, shapes: &mut Shapes) {
    if spec.settings().law != ContactLaw::Facets {
        return;
    }
    for (ix, body) in spec.bodies.iter().enumerate() {
        let of_part =
            |part: &Prepared| part.rounded(body.rounding).ok().and_then(|mesh| misfit(&mesh, body.rounding));
        let told = shapes.made[shapes.of_body[ix]].iter().find_map(of_part);
        if let Some(text) = told {
            let at = || Place::Key(KeyPath::default().key("body").ix(ix).key("rounding"));
            shapes.warnings.warning(at, || {
                Fault::warning(format!("body '{}': {text}", body.name), "this rounding")
                    .with_help("rounding = \"estimated\" takes each facet's radius from the mesh")
            });
        }
    }
}

/// What to ask of a body of a mesh of this size \[m\] and mass \[kg\], zero where the scene states it, that is as large or heavy as hardly any
/// part is: its file may be in millimetres. `None` of any other.
pub(crate) fn doubt_of_units(size: f64, mass: f64) -> Option<String> {
    /// Larger ones are asked about \[m\].
    const LARGE: f64 = 10.0;
    /// The same of heavier ones \[kg\].
    const HEAVY: f64 = 1e5;
    let weighs = if mass > 0.0 { format!(" and weighs {} kg", words::number(mass)) } else { String::new() };
    let is_ordinary = size <= LARGE && mass <= HEAVY;
    (!is_ordinary).then(|| format!("is {} m long{weighs}: millimetres?", words::number(size)))
}

/// Says of which bodies the centre of mass is where none of their mass can be.
fn warn_of_centers(spec: &SceneSpec, shapes: &mut Shapes) {
    for (ix, body) in spec.bodies.iter().enumerate() {
        let Some(center) = body.center_of_mass.map(DVec3::from_array) else { continue };
        let boxes = shapes.made[shapes.of_body[ix]].iter().map(|part| part.shape.aabb(&Pose::IDENTITY));
        let outside = |bounds: Aabb| center.distance(center.clamp(bounds.min, bounds.max));
        let outside = boxes.map(outside).fold(f64::INFINITY, f64::min);
        if !(outside > 0.0 && outside.is_finite()) {
            continue;
        }
        let text = format!(
            "the centre of mass of '{}' is {} m outside the box around its shape",
            body.name,
            words::number(outside)
        );
        let at = || Place::Key(KeyPath::default().key("body").ix(ix).key("center_of_mass"));
        shapes.warnings.warning(at, || {
            Fault::warning(text, "this centre").with_help("it is meant in the shape's own axes")
        });
    }
}

/// Asks for the unit of files whose bodies are as large or heavy as hardly any part is.
fn warn_of_units(spec: &SceneSpec, shapes: &mut Shapes) {
    for (ix, body) in spec.bodies.iter().enumerate().filter(|(_, body)| body.kind != KindSpec::Static) {
        let ShapeSpec::Mesh(mesh) = &body.shape else { continue };
        let parts = &shapes.made[shapes.of_body[ix]];
        let size = |part: &Prepared| {
            let bounds = part.shape.aabb(&Pose::IDENTITY);
            (bounds.max - bounds.min).max_element()
        };
        let size = parts.iter().map(size).fold(0.0, f64::max);
        let mass = |part: &Prepared| mass_properties(body, part.unit_mass.as_ref()).mass;
        let mass = if body.mass.is_some() { 0.0 } else { parts.iter().map(mass).fold(0.0, f64::max) };
        let Some(doubt) = doubt_of_units(size, mass).filter(|_| mesh.units.is_none()) else { continue };
        let text = format!("body '{}' {doubt}", body.name);
        let at = || Place::Key(KeyPath::default().key("body").ix(ix).key("shape"));
        let help = "units = \"mm\" beside `file` if the file's numbers are millimetres, units = \"m\" if they are not";
        shapes.warnings.warning(at, || Fault::warning(text, "this mesh").with_help(help));
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
        made.iter().for_each(|part| hash.word(part.fingerprint));
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

fn add_over_time(scene: &Scene, world: &mut World, hash: &mut Fnv) -> Result<(), SceneError> {
    let mut faults = Gathered::default();
    over_time::add_over_time(scene, world, hash, &mut faults);
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

/// What a body of a scene, or each copy or part of it, is in a world that has the scene's materials; `made` are the shapes of its parts.
///
/// # Errors
/// A material that the scene does not have; facets that cannot be rounded; a shape without a surface.
pub fn describe(
    scene: &SceneSpec,
    body: &BodySpec,
    made: &[Prepared],
) -> Result<Vec<BodyDesc>, DescribeError> {
    describe_in(scene, &scene.group_names(), body, made)
}

/// The same, with the names of the scene's groups at hand.
fn describe_in(
    scene: &SceneSpec,
    groups: &[&str],
    body: &BodySpec,
    made: &[Prepared],
) -> Result<Vec<BodyDesc>, DescribeError> {
    let material = materials::of(scene, body)?;
    let friction = if materials::takes_scene_friction(scene, body) {
        Some(scene.contact.friction)
    } else {
        body.friction
    };
    let mut parts = Vec::with_capacity(made.len());
    for part in made {
        parts.push(Part::of(scene, body, part)?);
    }
    // The parts of one copy follow each other.
    let poses = placements(body).into_iter().flat_map(|pose| parts.iter().map(move |part| (pose, part)));
    let desc = |(name, (w_from_shape, part)): (String, (Pose, &Part))| BodyDesc {
        name,
        kind: match body.kind {
            KindSpec::Dynamic => BodyKind::Dynamic,
            KindSpec::Static => BodyKind::Static,
            KindSpec::Kinematic => BodyKind::Kinematic,
        },
        shape: part.shape.clone(),
        smooth: part.smooth.clone(),
        rounded: part.rounded.clone(),
        surface: part.surface.clone(),
        w_from_shape,
        mass: part.mass,
        linear_velocity: DVec3::from_array(body.linear_velocity),
        angular_velocity: DVec3::from_array(body.angular_velocity),
        material,
        friction,
        groups: group_bits(&body.groups, groups),
        mask: body.touches.as_ref().map_or(u32::MAX, |names| group_bits(names, groups) | NO_GROUP),
    };
    Ok(body.expanded_names().into_iter().zip(poses).map(desc).collect())
}

/// What all copies of a body, or of a part of its file, share.
struct Part {
    shape: Shape,
    smooth: Option<Arc<SmoothSurface>>,
    rounded: Option<Arc<RoundedMesh>>,
    surface: Option<Arc<Surface>>,
    mass: MassProperties,
}

impl Part {
    fn of(scene: &SceneSpec, body: &BodySpec, made: &Prepared) -> Result<Self, DescribeError> {
        let (mut of_facets, mut of_penalty) = (None, None);
        match scene.settings().law {
            ContactLaw::Volume => {}
            ContactLaw::Facets => {
                let named = |source| DescribeError::Rounded { body: body.name.clone(), source };
                of_facets = Some(Arc::new(made.rounded(body.rounding).map_err(named)?));
            }
            ContactLaw::ContinuousPenalty => {
                let named = |source| DescribeError::Surface { body: body.name.clone(), source };
                of_penalty = surface(&made.shape, made.sheet.as_deref()).map_err(named)?.map(Arc::new);
            }
        }
        Ok(Self {
            shape: made.shape.clone(),
            smooth: made.smooth_surface(body.smooth_deg.to_radians()),
            rounded: of_facets,
            surface: of_penalty,
            mass: mass_properties(body, made.unit_mass.as_ref()),
        })
    }
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
    made: Vec<Arc<[Prepared]>>,
    /// Which of them each `[[body]]` has.
    of_body: Vec<usize>,
    warnings: Gathered,
}

impl Shapes {
    /// The shape of each `[[body]]`, or those of its parts.
    fn of_bodies(&self) -> impl Iterator<Item = &[Prepared]> {
        self.of_body.iter().map(|&ix| &*self.made[ix])
    }
}

fn make_shapes(scene: &Scene) -> Result<Shapes, SceneError> {
    let bodies = &scene.spec().bodies;
    let mut shapes = Shapes::default();
    // The first body that has each shape. Equal shapes are written equally, but for the sign of a zero, which no shape has.
    let mut first: Vec<usize> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for (ix, body) in bodies.iter().enumerate() {
        let n_known = known.len();
        let shape = *known.entry(format!("{:?}", body.shape)).or_insert(n_known);
        if shape == first.len() {
            first.push(ix);
        }
        shapes.of_body.push(shape);
    }
    let make = |&ix: &usize| {
        let body = &bodies[ix];
        let made = scene.shapes().get(&body.shape, |file| scene.resolve(file))?;
        // Smooth surfaces take as long to make as the shapes, which keep them.
        made.iter().for_each(|part| drop(part.smooth_surface(body.smooth_deg.to_radians())));
        Ok::<_, ShapeError>(made)
    };
    let made: Vec<_> = first.par_iter().map(make).collect();
    let mut faults = Gathered::default();
    for (ix, made) in first.into_iter().zip(made) {
        let body = &bodies[ix];
        let at = || Place::Key(KeyPath::default().key("body").ix(ix).key("shape"));
        match made {
            Ok(prepared) => {
                let why = prepared.iter().find_map(|part| out_of_range(part.unit_mass.as_ref()?));
                if let Some(why) = why {
                    faults.error(at, || {
                        Fault::error(format!("body '{}': its {why}", body.name), "this shape")
                            .with_help("lengths are in metres")
                    });
                }
                for finding in prepared.iter().flat_map(|part| &part.warnings) {
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
