//! Materials: the friction and the restitution of bodies, and of pairs of them.
//!
//! | | friction | restitution |
//! |---|---|---|
//! | of a body | its own, or else its material's | its material's, or else the world's setting |
//! | of a pair | geometric mean of the two bodies' | the larger of the two bodies' |
//! | of a pair of which something is said | what is said of the two bodies, or else of their materials | likewise |
//!
//! The two rules for pairs are those that most engines have (Box2D and Jolt among them). With the larger restitution a body of
//! which none is stated does not deaden one that bounces: a rubber ball bounces off a floor that nobody thought of. A
//! measured value belongs to two materials rather than to either, and is said of the pair.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::{Body, BodyId, Settings};

/// Coefficient of friction of a body that states none and whose material states none.
pub const DEFAULT_FRICTION: f64 = 0.5;

/// Index of a material in its world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MaterialId(pub u32);

/// What bodies are made of, as far as it decides how they touch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// Name used in reports and errors; need not be unique.
    pub name: String,
    /// Coefficient of friction of its bodies that state none of their own.
    pub friction: Option<f64>,
    /// Coefficient of restitution of its bodies, 0 to 1; the world's where none is stated.
    pub restitution: Option<f64>,
    /// Young's modulus \[Pa\]; the world's where none is stated. Used by the law "facets".
    pub young: Option<f64>,
    /// Poisson's ratio, 0 to 0.5; likewise.
    pub poisson: Option<f64>,
}

/// Two materials or two bodies, in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pair {
    /// Every body of the one against every body of the other; they may be the same.
    Materials([MaterialId; 2]),
    /// Two bodies, which beats what is said of their materials.
    Bodies([BodyId; 2]),
}

/// What is said of a pair; what is not said follows from its bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairOverride {
    /// Coefficient of friction.
    pub friction: Option<f64>,
    /// Coefficient of restitution, 0 to 1.
    pub restitution: Option<f64>,
    /// Stiffness of a penalty \[N/m\]; the world's where none is stated. Used by the law "continuous_penalty".
    pub stiffness: Option<f64>,
    /// Coefficient of its damper \[N s/m\]; likewise.
    pub damping: Option<f64>,
}

/// How two bodies touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Coefficient of friction.
    pub friction: f64,
    /// Coefficient of restitution, 0 to 1.
    pub restitution: f64,
}

/// A coefficient out of its range.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{name} is {found:?}, but has to be {needed}")]
pub struct CoefficientError {
    /// `friction`, `restitution`, `young`, `poisson`, `stiffness` or `damping`.
    pub name: &'static str,
    /// The range in words.
    pub needed: &'static str,
    /// What was given.
    pub found: f64,
}

/// What makes a material impossible.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("material '{material}': {source}")]
pub struct MaterialError {
    /// Name of the material.
    pub material: String,
    /// Which number.
    pub source: CoefficientError,
}

/// Why something cannot be said of a pair.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PairError {
    /// A material that the world does not have.
    #[error("there is no material {found}: the world has {n_materials}")]
    NoMaterial {
        /// Its index.
        found: u32,
        /// Materials of the world.
        n_materials: usize,
    },
    /// A body that the world does not have.
    #[error("there is no body {found}: the world has {n_bodies}")]
    NoBody {
        /// Its index.
        found: u32,
        /// Bodies of the world.
        n_bodies: usize,
    },
    /// A body with itself.
    #[error("body '{body}' is paired with itself, which it never touches")]
    OneBody {
        /// Its name.
        body: String,
    },
    /// A number out of its range.
    #[error("{what}: {source}")]
    Coefficient {
        /// Names of the two.
        what: String,
        /// Which number.
        source: CoefficientError,
    },
}

/// The materials of a world and what is said of pairs.
#[derive(Clone, Debug, Default)]
pub struct Materials {
    list: Vec<Material>,
    /// By the two indices, the smaller first.
    of_materials: BTreeMap<[u32; 2], PairOverride>,
    of_bodies: BTreeMap<[u32; 2], PairOverride>,
}

impl Materials {
    /// All of them, by index.
    pub fn list(&self) -> &[Material] {
        &self.list
    }

    /// A material, if there is one of this id.
    pub fn get(&self, MaterialId(ix): MaterialId) -> Option<&Material> {
        self.list.get(ix as usize)
    }

    /// How two bodies with these indices touch; the order does not matter.
    pub fn between(&self, ids: [u32; 2], bodies: [&Body; 2], settings: &Settings) -> Touch {
        let [a, b] = bodies.map(|body| self.restitution_of(body, settings));
        let said = self.said_of(ids, bodies);
        Touch {
            friction: said.friction.unwrap_or_else(|| (bodies[0].friction * bodies[1].friction).sqrt()),
            restitution: said.restitution.unwrap_or_else(|| a.max(b)),
        }
    }

    /// Young's modulus \[Pa\] and Poisson's ratio of a body.
    pub fn elastic(&self, body: &Body, settings: &Settings) -> (f64, f64) {
        let material = body.material.and_then(|id| self.get(id));
        let young = material.and_then(|material| material.young).unwrap_or(settings.young);
        let poisson = material.and_then(|material| material.poisson).unwrap_or(settings.poisson);
        (young, poisson)
    }

    /// Stiffness \[N/m\] and coefficient of the damper \[N s/m\] of a penalty between two bodies with these indices.
    pub fn penalty(&self, ids: [u32; 2], bodies: [&Body; 2], settings: &Settings) -> (f64, f64) {
        let said = self.said_of(ids, bodies);
        (said.stiffness.unwrap_or(settings.stiffness), said.damping.unwrap_or(settings.damping))
    }

    fn restitution_of(&self, body: &Body, settings: &Settings) -> f64 {
        let material = body.material.and_then(|id| self.get(id));
        material.and_then(|material| material.restitution).unwrap_or(settings.restitution)
    }

    fn said_of(&self, ids: [u32; 2], [a, b]: [&Body; 2]) -> PairOverride {
        // Most worlds say nothing of any pair: nothing is looked up then.
        let look_up = |table: &BTreeMap<[u32; 2], PairOverride>, pair: [u32; 2]| {
            if table.is_empty() { None } else { table.get(&in_order(pair)).copied() }
        };
        let of_bodies = look_up(&self.of_bodies, ids).unwrap_or_default();
        let of_materials = match (a.material, b.material) {
            (Some(a), Some(b)) => look_up(&self.of_materials, [a.0, b.0]).unwrap_or_default(),
            _ => PairOverride::default(),
        };
        PairOverride {
            friction: of_bodies.friction.or(of_materials.friction),
            restitution: of_bodies.restitution.or(of_materials.restitution),
            stiffness: of_bodies.stiffness.or(of_materials.stiffness),
            damping: of_bodies.damping.or(of_materials.damping),
        }
    }

    pub(crate) fn add(&mut self, material: Material) -> Result<MaterialId, MaterialError> {
        let Material { friction, restitution, young, poisson, .. } = material;
        check_coefficients(friction, restitution)
            .and_then(|()| check_moduli(young, poisson))
            .map_err(|source| MaterialError { material: material.name.clone(), source })?;
        self.list.push(material);
        Ok(MaterialId(self.list.len() as u32 - 1))
    }

    /// Replaces what was said of a pair of these bodies or of their materials.
    pub(crate) fn set_pair(
        &mut self,
        pair: Pair,
        said: PairOverride,
        bodies: &[Body],
    ) -> Result<(), PairError> {
        let names = self.names_of(pair, bodies)?;
        check_coefficients(said.friction, said.restitution)
            .and_then(|()| check_penalty(said.stiffness, said.damping))
            .map_err(|source| PairError::Coefficient {
                what: format!("'{}' and '{}'", names[0], names[1]),
                source,
            })?;
        let (table, ids) = match pair {
            Pair::Materials(ids) => (&mut self.of_materials, ids.map(|MaterialId(ix)| ix)),
            Pair::Bodies(ids) => (&mut self.of_bodies, ids.map(|BodyId(ix)| ix)),
        };
        if said == PairOverride::default() {
            table.remove(&in_order(ids));
        } else {
            table.insert(in_order(ids), said);
        }
        Ok(())
    }

    /// The names of a pair that there is.
    fn names_of<'a>(&'a self, pair: Pair, bodies: &'a [Body]) -> Result<[&'a str; 2], PairError> {
        match pair {
            Pair::Materials([a, b]) => {
                let n_materials = self.list.len();
                let name = |id: MaterialId| {
                    let material = self.get(id).ok_or(PairError::NoMaterial { found: id.0, n_materials })?;
                    Ok(material.name.as_str())
                };
                Ok([name(a)?, name(b)?])
            }
            Pair::Bodies([a, b]) => {
                let n_bodies = bodies.len();
                let name = |BodyId(found): BodyId| {
                    let body = bodies.get(found as usize).ok_or(PairError::NoBody { found, n_bodies })?;
                    Ok(body.name.as_str())
                };
                let names = [name(a)?, name(b)?];
                if a == b { Err(PairError::OneBody { body: names[0].to_owned() }) } else { Ok(names) }
            }
        }
    }
}

fn in_order([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// Whether a coefficient of friction can be computed with.
pub(crate) fn is_friction(x: f64) -> bool {
    x.is_finite() && x >= 0.0
}

fn check_moduli(young: Option<f64>, poisson: Option<f64>) -> Result<(), CoefficientError> {
    if let Some(found) = young.filter(|x| !(x.is_finite() && *x > 0.0)) {
        return Err(CoefficientError { name: "young", needed: "positive and finite, in Pa", found });
    }
    match poisson.filter(|x| !(0.0..=0.5).contains(x)) {
        Some(found) => Err(CoefficientError { name: "poisson", needed: "0 to 0.5", found }),
        None => Ok(()),
    }
}

fn check_penalty(stiffness: Option<f64>, damping: Option<f64>) -> Result<(), CoefficientError> {
    if let Some(found) = stiffness.filter(|x| !(x.is_finite() && *x > 0.0)) {
        return Err(CoefficientError { name: "stiffness", needed: "positive and finite, in N/m", found });
    }
    match damping.filter(|x| !(x.is_finite() && *x >= 0.0)) {
        Some(found) => {
            Err(CoefficientError { name: "damping", needed: "0 or more, and finite, in N s/m", found })
        }
        None => Ok(()),
    }
}

fn check_coefficients(friction: Option<f64>, restitution: Option<f64>) -> Result<(), CoefficientError> {
    if let Some(found) = friction.filter(|&x| !is_friction(x)) {
        return Err(CoefficientError { name: "friction", needed: "0 or more, and finite", found });
    }
    match restitution.filter(|x| !(0.0..=1.0).contains(x)) {
        Some(found) => Err(CoefficientError { name: "restitution", needed: "0 to 1", found }),
        None => Ok(()),
    }
}
