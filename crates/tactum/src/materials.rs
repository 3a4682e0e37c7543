//! From a scene's materials and pairs to those of a world.

use tactum_sim::{BodyId, Material, MaterialId, Pair, PairOverride, World};
use thiserror::Error;

use crate::hash::Fnv;
use crate::scene::schema::{BodySpec, PairSpec, SceneSpec};
use crate::scene::{Fault, Gathered, KeyPath, NamedBodies, Names, Place};

/// A body names a material that its scene does not have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("body '{body}': no material is named '{material}'")]
pub struct UnknownMaterial {
    /// Name of the body.
    pub body: String,
    /// Name of the material.
    pub material: String,
}

/// The material that a body is made of.
pub(crate) fn of(spec: &SceneSpec, body: &BodySpec) -> Result<Option<MaterialId>, UnknownMaterial> {
    let Some(name) = &body.material else { return Ok(None) };
    let unknown = || UnknownMaterial { body: body.name.clone(), material: name.clone() };
    find(spec, name).ok_or_else(unknown).map(Some)
}

/// The material of a scene with this name.
fn find(spec: &SceneSpec, name: &str) -> Option<MaterialId> {
    spec.materials.iter().position(|material| material.name == name).map(|ix| MaterialId(ix as u32))
}

/// Whether the friction of a body is that of the scene's `[contact]`: neither it nor its material states one.
pub fn takes_scene_friction(spec: &SceneSpec, body: &BodySpec) -> bool {
    let material = body.material.as_ref().and_then(|name| find(spec, name));
    let of_material = material.and_then(|MaterialId(ix)| spec.materials[ix as usize].friction);
    body.friction.or(of_material).is_none()
}

/// Adds the scene's materials to a world.
pub(crate) fn add_materials(spec: &SceneSpec, world: &mut World, hash: &mut Fnv, faults: &mut Gathered) {
    for (ix, material) in spec.materials.iter().enumerate() {
        let material = Material {
            name: material.name.clone(),
            friction: material.friction,
            restitution: material.restitution,
            young: material.young,
            poisson: material.poisson,
        };
        hash.text(&format!("{material:?}"));
        if let Err(error) = world.add_material(material) {
            let at = || Place::Key(KeyPath::default().key("material").ix(ix));
            faults.error(at, || Fault::error(error.to_string(), "this material"));
        }
    }
}

/// Tells a world that has the scene's bodies and materials what the scene says of pairs.
pub(crate) fn set_pairs(spec: &SceneSpec, world: &mut World, hash: &mut Fnv, faults: &mut Gathered) {
    if spec.pairs.is_empty() {
        return;
    }
    let names = Names::new(world.bodies().iter().map(|body| body.name.clone()));
    let named = NamedBodies::new(&spec.bodies, &names);
    for (ix, pair) in spec.pairs.iter().enumerate() {
        hash.text(&format!("{pair:?}"));
        let said = PairOverride {
            friction: pair.friction,
            restitution: pair.restitution,
            stiffness: pair.stiffness,
            damping: pair.damping,
        };
        for one in meant(spec, pair, &named) {
            if let Err(error) = world.set_pair(one, said) {
                let at = || Place::Key(KeyPath::default().key("pair").ix(ix));
                faults.error(at, || Fault::error(error.to_string(), "this pair"));
                break;
            }
        }
    }
}

/// The pairs of a world that a scene means by one of its own.
fn meant(spec: &SceneSpec, pair: &PairSpec, named: &NamedBodies<'_>) -> Vec<Pair> {
    let of_materials = pair.materials.as_ref().and_then(|[a, b]| Some([find(spec, a)?, find(spec, b)?]));
    let of_bodies = pair.bodies.iter().flat_map(|names| named.pairs(names));
    let of_bodies = of_bodies.map(|pair| Pair::Bodies(pair.map(BodyId)));
    of_materials.map(Pair::Materials).into_iter().chain(of_bodies).collect()
}
