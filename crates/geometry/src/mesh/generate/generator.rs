//! The generators that a user can name: what each makes, from which measures, with which function.

use serde::{Deserialize, Serialize};

use super::{
    Bolt, Bowl, BumpyCube, Cone, Critter, Cuboid, Cylinder, Ellipsoid, Gear, GenerateError, LShape, Mug, Nut,
    Prism, Ring, Sphere, Star, Table, TaperedBlock, Torus, TorusKnot, bolt, bowl, bumpy_cube, cone, critter,
    cuboid, cylinder, ellipsoid, gear, l_shape, mug, nut, prism, ring, sphere, star, table, tapered_block,
    torus, torus_knot,
};
use crate::TriangleMesh;

/// Lists the generators: what each makes, its measures, its usual number of triangles and the function that makes it.
macro_rules! generators {
    ($($(#[doc = $doc:expr])+ $Name:ident: $triangles:expr => |$m:ident, $n:ident| $make:expr;)*) => {
        /// A mesh made from its measures, closed by construction. Where a mesh takes `triangles`, it gets at least as many as
        /// it needs and about as many as are asked for, as square as they can be: a cylinder of 400 that is as high as its radius has 24 sides.
        #[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum Generator {
            $($(#[doc = $doc])+ $Name(Meshed<$Name>),)*
        }

        impl Generator {
            /// Makes the mesh.
            ///
            /// # Errors
            /// If a measure is out of its range.
            pub fn mesh(&self) -> Result<TriangleMesh, GenerateError> {
                match self {
                    $(Self::$Name(Meshed { measures: $m, triangles }) => {
                        let $n = triangles.or($Name::TRIANGLES).unwrap_or(0);
                        $make
                    })*
                }
            }
        }

        $(impl Measures for $Name {
            const TRIANGLES: Option<usize> = $triangles;
        })*
    };
}

generators! {
    /// Box about the origin whose faces are cut into a grid.
    Cuboid: None => |m, n| cuboid(m.size, n);
    /// Regular prism about the origin, its axis along z.
    Prism: None => |m, n| prism(m, n);
    /// Cylinder about the origin, its axis along z.
    Cylinder: Some(1000) => |m, n| cylinder(m.radius, m.height, n);
    /// Cone, its axis along z and its tip up; the origin is its centre of mass, a quarter of the height above its base.
    Cone: Some(1000) => |m, n| cone(m.radius, m.height, n);
    /// Ball of nearly equal triangles about the origin.
    Sphere: Some(1000) => |m, n| sphere(m.radius, n);
    /// Ellipsoid about the origin.
    Ellipsoid: Some(1000) => |m, n| ellipsoid(m.semi_axes, n);
    /// Ball with spikes about the origin.
    Star: Some(1000) => |m, n| star(m.radius, m.core_radius, n);
    /// Torus about the z axis.
    Torus: Some(1000) => |m, n| torus(m.major_radius, m.minor_radius, n);
    /// Ring of rectangular section about the z axis.
    Ring: Some(1000) => |m, n| ring(m, n);
    /// Half of a hollow ball, open at the top; the origin is the middle of the rim.
    Bowl: Some(1000) => |m, n| bowl(m.inner_radius, m.outer_radius, n);
    /// Block whose sides slant, about the origin: a stone of an arch, a truncated pyramid.
    TaperedBlock: None => |m, n| tapered_block(m, n);
    /// L-shaped block, its centre of mass at the origin.
    LShape: None => |m, n| l_shape(m, n);
    /// Table with four legs; the origin is on the floor below its middle.
    Table: None => |m, n| table(m, n);
    /// Cube with bumps about the origin.
    BumpyCube: Some(1000) => |m, n| bumpy_cube(m, n);
    /// Four-legged animal about the origin, looking along x, different for every seed.
    Critter: Some(3000) => |m, n| critter(m.length, m.seed, n);
    /// Mug with a handle along +x, its axis along z; the origin is the middle of the bottom's underside.
    Mug: Some(1000) => |m, n| mug(m, n);
    /// Tube along a torus knot about the z axis, the centre of the torus at the origin.
    TorusKnot: Some(1000) => |m, n| torus_knot(m, n);
    /// Spur gear about the origin, its axis along z and the middle of a tooth on +x.
    Gear: Some(1000) => |m, n| gear(m, n);
    /// Bolt with a hexagonal head at its lower end, its axis along z; the origin is the middle of the thread.
    Bolt: Some(4000) => |m, n| bolt(m, n);
    /// Hexagonal nut about the origin, its axis along z.
    Nut: Some(4000) => |m, n| nut(m, n);
}

impl Generator {
    /// Whether the mesh stands for a body that is round.
    pub fn is_round(&self) -> bool {
        matches!(
            self,
            Self::Cylinder(_)
                | Self::Cone(_)
                | Self::Sphere(_)
                | Self::Ellipsoid(_)
                | Self::Torus(_)
                | Self::Ring(_)
                | Self::Bowl(_)
                | Self::TorusKnot(_)
        )
    }
}

/// The measures of one kind of mesh.
pub trait Measures {
    /// Number of triangles unless another is wanted; `None` for as few as possible.
    const TRIANGLES: Option<usize>;
}

/// Measures, and how many triangles the mesh is wanted with.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Meshed<M> {
    /// The measures.
    #[serde(flatten)]
    pub measures: M,
    /// Number of triangles; `None` for as many as usual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub triangles: Option<usize>,
}

#[cfg(feature = "schema")]
impl<M: Measures + schemars::JsonSchema> schemars::JsonSchema for Meshed<M> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        M::schema_name()
    }

    /// The schema of the measures with one property more.
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut schema = M::json_schema(generator);
        let usual = M::TRIANGLES.map_or_else(|| ": as few as possible".to_owned(), |n| format!(" {n}"));
        let triangles = schemars::json_schema!({
            "description": format!("Number of triangles. Default{usual}."),
            "type": "integer",
            "format": "uint",
            "default": M::TRIANGLES.unwrap_or(0),
            "minimum": 0,
        });
        if let Some(properties) = schema.get_mut("properties").and_then(serde_json::Value::as_object_mut) {
            properties.insert("triangles".to_owned(), triangles.to_value());
        }
        schema
    }
}
