//! Materials of a scene, and how pairs of them touch.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::MAX_NAME;
use tactum_geometry::words;

/// What bodies are made of, as far as it decides how they touch.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MaterialSpec {
    /// Name by which bodies and pairs say that they mean it.
    #[schemars(length(max = MAX_NAME), regex(pattern = words::NAME))]
    pub name: String,
    /// Coefficient of friction of its bodies that give none of their own; a pair uses the geometric mean of its two. Default:
    /// that of [contact].
    pub friction: Option<f64>,
    /// Coefficient of restitution of its bodies, 0 to 1; a pair uses the larger of its two. Default: that of [contact].
    pub restitution: Option<f64>,
    /// Young's modulus of its bodies [Pa], for the law "facets". Default: that of [contact].
    pub young: Option<f64>,
    /// Poisson's ratio of its bodies, 0 to 0.5, for the law "facets". Default: that of [contact].
    pub poisson: Option<f64>,
}

/// How two materials or two bodies touch. What is said of two bodies beats what is said of their materials, and both beat what
/// bodies and materials give by themselves.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PairSpec {
    /// Names of two materials, in any order: ["steel", "ice"]. Twice the same: its bodies among each other.
    #[schemars(inner(length(max = MAX_NAME), regex(pattern = words::NAME)))]
    pub materials: Option<[String; 2]>,
    /// Names of two bodies, in any order, instead of `materials`: ["puck", "table"]. The name of a body with copies means all of
    /// them; "*" at the end stands for any rest ("box-*").
    #[schemars(inner(length(max = MAX_NAME), regex(pattern = words::NAME)))]
    pub bodies: Option<[String; 2]>,
    /// Coefficient of friction of the pair. Default: the geometric mean of its two bodies'.
    pub friction: Option<f64>,
    /// Coefficient of restitution of the pair, 0 to 1. Default: the larger of its two bodies'.
    pub restitution: Option<f64>,
    /// Penalty force per depth of the pair [N/m], for the law "continuous_penalty". Default: that of [contact].
    pub stiffness: Option<f64>,
    /// Damping of the pair's penalty [N s/m], for the law "continuous_penalty". Default: that of [contact].
    pub damping: Option<f64>,
}
