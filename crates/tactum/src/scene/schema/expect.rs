//! What a scene expects, and the quantities that it can expect something of: each is one entry of the list below, with its name,
//! unit, range, meaning and the way to read it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use glam::{DQuat, DVec3};
use schemars::transform::Transform;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use tactum_geometry::quantity::{Quantity, Range};
use tactum_geometry::words;
use tactum_sim::{Body, JointState, StepReport, World};

use super::{JointKindSpec, MAX_NAME, MAX_REASON};

/// Bounds on what a run must give, for some bodies at some time.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(extend("additionalProperties" = false))]
pub struct ExpectSpec {
    /// Where the numbers come from; printed when the expectation fails.
    #[schemars(length(max = MAX_REASON), regex(pattern = words::SEVERAL_LINES))]
    pub why: Option<String>,
    /// Name of a body; "*" at the end stands for any rest ("box-*"), "*" alone for every body that is not static.
    #[schemars(length(max = MAX_NAME), regex(pattern = words::NAME), transform = NeededFor(About::Body))]
    pub body: Option<String>,
    /// Name of a joint; patterns as for bodies.
    #[schemars(length(max = MAX_NAME), regex(pattern = words::NAME), transform = NeededFor(About::Joint))]
    pub joint: Option<String>,
    /// When to look [s]: after the step that ends closest to it, at 0 before the first. Default: at the end. At 0 there are no
    /// contacts, forces and torques yet.
    pub time: Option<f64>,
    /// Look after every step. Default false.
    pub always: bool,
    /// The quantities that are bounded.
    #[serde(flatten)]
    pub bounds: Bounds,
}

/// What a number must be: { is = 1.0, within = 1e-6 }, { below = 2.0 }, { above = 0.5 } or several of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Bound {
    /// Expected value.
    pub is: Option<f64>,
    /// Largest distance from `is`.
    pub within: Option<f64>,
    /// The number must be smaller than this.
    pub below: Option<f64>,
    /// The number must be larger than this.
    pub above: Option<f64>,
}

impl Bound {
    /// Whether it bounds anything: a limit, or a value with a distance from it.
    pub fn is_one(&self) -> bool {
        let is_pair = self.is.is_some() == self.within.is_some();
        is_pair && (self.is.is_some() || self.below.is_some() || self.above.is_some())
    }

    /// Whether a number is as it must be; one that is not a number is not.
    pub fn holds(&self, value: f64) -> bool {
        let is_near = match (self.is, self.within) {
            (Some(wanted), Some(within)) => (value - wanted).abs() <= within,
            _ => true,
        };
        is_near
            && self.below.is_none_or(|below| value < below)
            && self.above.is_none_or(|above| value > above)
    }
}

/// What a quantity is a quantity of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// A body.
    Body,
    /// A joint.
    Joint,
    /// All that there is.
    World,
}

/// Where a body began.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// Centre of mass \[m\].
    pub position: DVec3,
    /// World from body axes.
    pub orientation: DQuat,
}

impl Start {
    /// The rotation of a body since then.
    fn turn(&self, body: &Body) -> DQuat {
        body.orientation * self.orientation.conjugate()
    }
}

/// What of the steps so far can be expected something of.
#[derive(Clone, Copy, Debug)]
pub struct SoFar {
    /// Largest kinetic energy \[J\].
    pub peak_kinetic_energy: f64,
    /// Number of steps that were not solved.
    pub unsolved_steps: u64,
}

/// How a quantity is read.
#[derive(Clone, Copy, Debug)]
pub enum Reading {
    /// Of a body, as it is and as it began.
    Body(fn(&Body, &Start) -> f64),
    /// Of the joints of some kinds, as they stand.
    Coordinate(fn(&JointKindSpec) -> bool, fn(&JointState) -> f64),
    /// Of what a joint has carried in a step of this length \[s\].
    Load(fn(&JointState, f64) -> f64),
    /// Of the world, and of the steps so far.
    World(fn(&World, &SoFar) -> f64),
    /// Of a step.
    Step(fn(&StepReport) -> f64),
}

/// A quantity in full.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Name, unit, meaning, and the range of values that it can have.
    pub quantity: Quantity,
    /// The way to read it.
    pub reading: Reading,
}

/// Makes the quantities and their facts from one list; a doc comment is what users read of the quantity.
macro_rules! observables {
    ($( $(#[doc = $doc:literal])+ $Name:ident = $name:literal [$unit:literal] in $range:expr, $reading:expr; )+) => {
        /// A quantity that an expectation can bound.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Observable { $( $(#[doc = $doc])+ $Name, )+ }

        impl Observable {
            /// All quantities: of bodies, of joints, of the world.
            pub const ALL: &'static [Self] = &[ $( Self::$Name ),+ ];

            /// Name, unit, meaning, range, and how it is read.
            pub fn facts(self) -> Facts {
                match self { $( Self::$Name => Facts {
                    quantity: Quantity {
                        name: $name,
                        unit: $unit,
                        meaning: concat!($($doc),+),
                        range: $range,
                        usual: (0.0, 1.0),
                    },
                    reading: $reading,
                }, )+ }
            }
        }
    };
}

/// Angles that have no direction \[degrees\].
const UNSIGNED_ANGLE: Range = Range::between(0.0, 180.0);

observables! {
    /// Where the origin of the shape's frame stands, x.
    X = "x" ["m"] in Range::FINITE, Reading::Body(|body, _| body.w_from_shape().translation.x);
    /// Where the origin of the shape's frame stands, y.
    Y = "y" ["m"] in Range::FINITE, Reading::Body(|body, _| body.w_from_shape().translation.y);
    /// Where the origin of the shape's frame stands, z.
    Z = "z" ["m"] in Range::FINITE, Reading::Body(|body, _| body.w_from_shape().translation.z);
    /// Distance of the centre of mass from where it began.
    Travel = "travel" ["m"] in Range::NOT_NEGATIVE,
        Reading::Body(|body, start| (body.position - start.position).length());
    /// Speed of the centre of mass.
    Speed = "speed" ["m/s"] in Range::NOT_NEGATIVE, Reading::Body(|body, _| body.linear_velocity.length());
    /// Magnitude of the angular velocity.
    Spin = "spin" ["rad/s"] in Range::NOT_NEGATIVE, Reading::Body(|body, _| body.angular_velocity.length());
    /// Angular velocity about the vertical, by the right-hand rule.
    SpinZ = "spin_z" ["rad/s"] in Range::FINITE, Reading::Body(|body, _| body.angular_velocity.z);
    /// Angle from the vertical of the body's direction that was vertical at the start.
    TiltDeg = "tilt_deg" ["degrees"] in UNSIGNED_ANGLE, Reading::Body(|body, start| {
        // atan2 keeps small angles exact, where acos of a cosine near one would lose half the digits.
        let up = start.turn(body) * DVec3::Z;
        up.truncate().length().atan2(up.z).to_degrees()
    });
    /// Angle of the rotation since the start.
    TurnDeg = "turn_deg" ["degrees"] in UNSIGNED_ANGLE, Reading::Body(|body, start| {
        let turn = start.turn(body);
        (2.0 * turn.xyz().length().atan2(turn.w.abs())).to_degrees()
    });
    /// Angle of a revolute joint since the start, or between the axes of a spherical one.
    AngleDeg = "angle_deg" ["degrees"] in Range::FINITE, Reading::Coordinate(
        |kind| matches!(kind, JointKindSpec::Revolute(_) | JointKindSpec::Spherical(_)),
        |joint| joint.coordinate.to_degrees(),
    );
    /// Extension of a prismatic joint since the start.
    Extension = "extension" ["m"] in Range::FINITE, Reading::Coordinate(
        |kind| matches!(kind, JointKindSpec::Prismatic(_)),
        |joint| joint.coordinate,
    );
    /// Magnitude of the force that the joint carries.
    Force = "force" ["N"] in Range::NOT_NEGATIVE, Reading::Load(|joint, dt| joint.force.length() / dt);
    /// Magnitude of the torque that the joint carries about its anchor.
    Torque = "torque" ["N m"] in Range::NOT_NEGATIVE, Reading::Load(|joint, dt| joint.torque.length() / dt);
    /// Kinetic energy of all bodies.
    KineticEnergy = "kinetic_energy" ["J"] in Range::NOT_NEGATIVE, Reading::World(|world, _| world.kinetic_energy());
    /// Kinetic energy of all bodies as a part of its largest value so far.
    KineticEnergyOfPeak = "kinetic_energy_of_peak" [""] in Range::FRACTION, Reading::World(|world, so_far| {
        let peak = so_far.peak_kinetic_energy;
        if peak == 0.0 { 0.0 } else { world.kinetic_energy() / peak }
    });
    /// Mean thickness of the thickest overlap as a part of the size (the diagonal of the box) of the smaller of its bodies.
    DepthOfSize = "depth_of_size" [""] in Range::NOT_NEGATIVE, Reading::Step(|step| step.depth_of_size);
    /// Depth of the deepest overlap where it is deepest, along its contact's normal.
    Deepest = "deepest" ["m"] in Range::NOT_NEGATIVE, Reading::Step(StepReport::deepest);
    /// Estimate of what the solver leaves the velocities off by, root mean square over a group of touching bodies, of the group where
    /// it is largest.
    VelocityError = "velocity_error" ["m/s"] in Range::NOT_NEGATIVE, Reading::Step(|step| step.velocity_error);
    /// Number of steps so far that ran out of sweeps with velocities off by more than a ten-thousandth of the bodies' speed and of what
    /// gravity gives in a step.
    UnsolvedSteps = "unsolved_steps" [""] in Range::NOT_NEGATIVE, Reading::World(|_, so_far| so_far.unsolved_steps as f64);
    /// Number of bodies that sleep.
    Asleep = "asleep" [""] in Range::NOT_NEGATIVE, Reading::Step(|step| f64::from(step.asleep));
    /// Number of contacts, those of sleeping bodies among them.
    Contacts = "contacts" [""] in Range::NOT_NEGATIVE, Reading::Step(|step| step.contacts.len() as f64);
}

impl Observable {
    /// Its key.
    pub fn name(self) -> &'static str {
        self.facts().quantity.name
    }

    /// What it is a quantity of.
    pub fn about(self) -> About {
        match self.facts().reading {
            Reading::Body(_) => About::Body,
            Reading::Coordinate(..) | Reading::Load(_) => About::Joint,
            Reading::World(_) | Reading::Step(_) => About::World,
        }
    }

    /// Whether it is a whole number.
    pub fn is_count(self) -> bool {
        matches!(self, Self::Contacts | Self::UnsolvedSteps)
    }

    /// The range of values that it can have of a joint of a kind.
    pub fn range_of(self, joint: &JointKindSpec) -> Range {
        match (self, joint) {
            // Two axes have no direction of turning.
            (Self::AngleDeg, JointKindSpec::Spherical(_)) => UNSIGNED_ANGLE,
            _ => self.facts().quantity.range,
        }
    }

    /// Whether it has a value only once a step has been made.
    pub fn is_of_a_step(self) -> bool {
        matches!(self.facts().reading, Reading::Load(_) | Reading::Step(_))
    }

    /// The quantity of a name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|known| known.name() == name)
    }

    /// Names of all quantities of something.
    fn names_of(about: About) -> Vec<&'static str> {
        Self::ALL.iter().filter(|known| known.about() == about).map(|known| known.name()).collect()
    }
}

/// The quantities that an expectation bounds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounds(BTreeMap<Observable, Bound>);

impl Bounds {
    /// Each of them with its bound.
    pub fn iter(&self) -> impl Iterator<Item = (Observable, &Bound)> {
        self.0.iter().map(|(&observable, bound)| (observable, bound))
    }

    /// Those of bodies, of joints or of the world.
    pub fn about(&self, about: About) -> impl Iterator<Item = (Observable, &Bound)> {
        self.iter().filter(move |(observable, _)| observable.about() == about)
    }
}

impl Serialize for Bounds {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.iter().map(|(observable, bound)| (observable.name(), bound)))
    }
}

impl<'de> Deserialize<'de> for Bounds {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Bounded;
        impl<'de> Visitor<'de> for Bounded {
            type Value = Bounds;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table of bounds")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Bounds, A::Error> {
                let mut bounds = BTreeMap::new();
                while let Some(name) = map.next_key::<String>()? {
                    let observable = Observable::find(&name)
                        .ok_or_else(|| A::Error::custom(format!("there is no quantity '{name}'")))?;
                    bounds.insert(observable, map.next_value()?);
                }
                Ok(Bounds(bounds))
            }
        }
        from.deserialize_map(Bounded)
    }
}

impl JsonSchema for Bounds {
    fn schema_name() -> Cow<'static, str> {
        "Bounds".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut properties = Map::new();
        for observable in Observable::ALL {
            let mut bound = generator.subschema_for::<Bound>();
            bound.insert("description".into(), observable.facts().quantity.explanation().into());
            properties.insert(observable.name().into(), Json::from(bound));
        }
        json_schema!({ "type": "object", "properties": properties })
    }
}

/// Adds to what is said of a key which quantities need it.
struct NeededFor(About);

impl Transform for NeededFor {
    fn transform(&mut self, schema: &mut Schema) {
        let Some(text) = schema.get("description").and_then(Json::as_str) else { return };
        let text = format!("{text} Needed by {}.", Observable::names_of(self.0).join(", "));
        schema.insert("description".into(), text.into());
    }
}
