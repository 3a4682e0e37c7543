//! What may be wrong with a body.

use thiserror::Error;

use crate::constants::MIN_QUATERNION_LENGTH;
use crate::world::CoarsePlace;

/// Why a body cannot be put into a world or set to a state.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BodyError {
    /// The id is not of this world.
    #[error("there is no body {found}, the world has {needed}")]
    Unknown {
        /// The index given.
        found: u32,
        /// Number of bodies of the world.
        needed: usize,
    },
    /// A number of the description is infinite or not a number.
    #[error("body '{body}': {what} is {found}, but has to be finite numbers")]
    NotFinite {
        /// Name of the body.
        body: String,
        /// Which quantity.
        what: &'static str,
        /// What was given.
        found: String,
    },
    /// The orientation has no direction.
    #[error(
        "body '{body}': orientation quaternion has length {found:?}, needed at least {MIN_QUATERNION_LENGTH:?}"
    )]
    Orientation {
        /// Name of the body.
        body: String,
        /// Its length.
        found: f64,
    },
    /// A length of the shape is not positive.
    #[error("body '{body}': {what} is {found:?} m, but has to be positive and finite")]
    ShapeSize {
        /// Name of the body.
        body: String,
        /// Which length.
        what: &'static str,
        /// What was given \[m\].
        found: f64,
    },
    /// A body of infinite extent cannot be moved by forces.
    #[error(
        "body '{body}': a half-space has infinite mass and cannot be dynamic; make it static or kinematic"
    )]
    DynamicHalfSpace {
        /// Name of the body.
        body: String,
    },
    /// The mass is not positive, or a number that has lost its digits.
    #[error(
        "body '{body}': mass is {found:?} kg, but has to be between {:?} and {:?} kg",
        f64::MIN_POSITIVE,
        f64::MAX
    )]
    Mass {
        /// Name of the body.
        body: String,
        /// What was given \[kg\].
        found: f64,
    },
    /// The inertia tensor is not symmetric.
    #[error(
        "body '{body}': inertia tensor differs from its transpose by {found:?} kg m², allowed {allowed:?}"
    )]
    InertiaAsymmetric {
        /// Name of the body.
        body: String,
        /// Largest difference of two mirrored entries \[kg m²\].
        found: f64,
        /// Largest difference allowed \[kg m²\].
        allowed: f64,
    },
    /// A principal moment of inertia is not positive, or so small beside the largest that rounding leaves nothing of it.
    #[error(
        "body '{body}': smallest principal moment of inertia is {found:?} kg m², but has to be positive and above {needed:.1e}, the rounding of \
         the largest"
    )]
    InertiaNotPositive {
        /// Name of the body.
        body: String,
        /// Smallest principal moment \[kg m²\].
        found: f64,
        /// Largest moment that is refused \[kg m²\].
        needed: f64,
    },
    /// The inverse of the inertia cannot be computed.
    #[error(
        "body '{body}': principal moments of inertia from {smallest:?} to {largest:?} kg m² are too {} to compute with",
        if *largest > 1.0 { "large" } else { "small" }
    )]
    InertiaRange {
        /// Name of the body.
        body: String,
        /// Smallest principal moment \[kg m²\].
        smallest: f64,
        /// Largest principal moment \[kg m²\].
        largest: f64,
    },
    /// A body so heavy, fast or far that its energy is no number.
    #[error(
        "body '{body}': {what} is beyond the numbers of 64 bits, for a mass of {mass:?} kg, {of} {size:?} {unit}"
    )]
    Energy {
        /// Name of the body.
        body: String,
        /// Which energy.
        what: &'static str,
        /// Its mass \[kg\].
        mass: f64,
        /// What the energy comes from besides the mass.
        of: &'static str,
        /// How large that is.
        size: f64,
        /// The unit of that.
        unit: &'static str,
    },
    /// A body so far out that its position is not known finely enough.
    #[error("body '{body}' stands too far out: {place}")]
    CoarsePlace {
        /// Name of the body.
        body: String,
        /// Where that is, and what it needs.
        place: CoarsePlace,
    },
    /// The principal moments belong to no distribution of mass.
    #[error(
        "body '{body}': largest principal moment of inertia is {largest:?} kg m², needed at most {sum:?}, the sum of the \
         other two"
    )]
    InertiaTriangle {
        /// Name of the body.
        body: String,
        /// Largest principal moment \[kg m²\].
        largest: f64,
        /// Sum of the two others \[kg m²\].
        sum: f64,
    },
    /// The coefficient of friction is negative.
    #[error("body '{body}': friction is {found:?}, but has to be 0 or more, and finite")]
    Friction {
        /// Name of the body.
        body: String,
        /// What was given.
        found: f64,
    },
    /// The material is none of the world's.
    #[error("body '{body}': there is no material {found}, the world has {n_materials}")]
    NoMaterial {
        /// Name of the body.
        body: String,
        /// Index of the material.
        found: u32,
        /// Materials of the world.
        n_materials: usize,
    },
    /// Only a kinematic body follows a path.
    #[error("body '{body}' is not kinematic, so it cannot follow a path")]
    NotKinematic {
        /// Name of the body.
        body: String,
    },
    /// A force moves dynamic bodies only.
    #[error("body '{body}' is not dynamic, so that no force moves it")]
    NotDynamic {
        /// Name of the body.
        body: String,
    },
    /// A static body was given a velocity.
    #[error("body '{body}' is static but was given a velocity; make it kinematic")]
    StaticMoves {
        /// Name of the body.
        body: String,
    },
}
