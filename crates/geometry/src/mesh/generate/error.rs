//! What a generator refuses, and the checks that refuse it.

use thiserror::Error;

/// Most triangles a generator makes: half a gigabyte of indices and positions.
pub const MAX_TRIANGLES: usize = 20_000_000;

/// Shortest length a generator accepts \[m\]: its fifth power, which an inertia needs, is far from underflow.
pub const MIN_LENGTH: f64 = 1e-12;

/// Longest length a generator accepts \[m\]: its fifth power, which an inertia needs, is far from overflow.
pub const MAX_LENGTH: f64 = 1e12;

/// Smallest part of a length that another length of the same shape may be where positions are sums of both: rounding of a
/// sum moves such a part by less than a millionth of itself, and a part below rounding would vanish from the shape. No unit.
pub const MIN_SHARE: f64 = 1e-9;

/// Why a mesh could not be generated.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum GenerateError {
    /// A parameter is outside the range in which the shape exists.
    #[error("{generator}: {parameter} must be {needed}, found {found}")]
    Parameter {
        /// Name of the generator.
        generator: &'static str,
        /// Name of the parameter.
        parameter: &'static str,
        /// The condition it has to meet, with the numbers that follow from the other parameters.
        needed: String,
        /// The value it has; lengths in metres.
        found: f64,
    },
    /// More triangles are wanted, or needed to resolve the shape, than a generator makes.
    #[error("{generator}: a mesh has at most {MAX_TRIANGLES} triangles, this one would have {found}")]
    TooManyTriangles {
        /// Name of the generator.
        generator: &'static str,
        /// Number of triangles asked for or needed.
        found: usize,
    },
}

/// The parameter checks of one generator.
#[derive(Clone, Copy)]
pub(super) struct Check(pub &'static str);

impl Check {
    /// Refuses `found` unless `holds`.
    pub fn require(
        self,
        holds: bool,
        parameter: &'static str,
        found: f64,
        needed: impl FnOnce() -> String,
    ) -> Result<(), GenerateError> {
        if holds {
            return Ok(());
        }
        Err(GenerateError::Parameter { generator: self.0, parameter, needed: needed(), found })
    }

    /// Refuses a length that is not positive, not finite or of absurd size.
    pub fn length(self, parameter: &'static str, found: f64) -> Result<(), GenerateError> {
        self.require((MIN_LENGTH..=MAX_LENGTH).contains(&found), parameter, found, || {
            format!("a length from {MIN_LENGTH} to {MAX_LENGTH} m")
        })
    }

    /// Refuses a length that is neither zero nor a proper length.
    pub fn length_or_zero(self, parameter: &'static str, found: f64) -> Result<(), GenerateError> {
        if found == 0.0 { Ok(()) } else { self.length(parameter, found) }
    }

    /// Refuses `found` unless it is smaller than `limit`, which `what` names.
    pub fn below(
        self,
        parameter: &'static str,
        found: f64,
        limit: f64,
        what: &str,
    ) -> Result<(), GenerateError> {
        self.require(found < limit, parameter, found, || format!("below {limit} ({what})"))
    }

    /// Refuses a part of a length that rounding would eat from `whole`, which `what` names.
    pub fn share(
        self,
        parameter: &'static str,
        found: f64,
        whole: f64,
        what: &str,
    ) -> Result<(), GenerateError> {
        self.require(found >= MIN_SHARE * whole, parameter, found, || {
            format!("at least {} ({MIN_SHARE} of {what})", MIN_SHARE * whole)
        })
    }

    /// The same for a length of which a part is taken away: both have to be left.
    pub fn part(
        self,
        parameter: &'static str,
        found: f64,
        whole: f64,
        what: &str,
    ) -> Result<(), GenerateError> {
        self.below(parameter, found, whole, what)?;
        self.share(parameter, found, whole, what)?;
        self.require(whole - found >= MIN_SHARE * whole, parameter, found, || {
            format!("at most {} (what leaves {MIN_SHARE} of {what})", whole - MIN_SHARE * whole)
        })
    }

    /// Refuses a count outside `range`.
    pub fn count(
        self,
        parameter: &'static str,
        found: u32,
        range: std::ops::RangeInclusive<u32>,
    ) -> Result<(), GenerateError> {
        self.require(range.contains(&found), parameter, f64::from(found), || {
            format!("from {} to {}", range.start(), range.end())
        })
    }

    /// Refuses a number of triangles above [`MAX_TRIANGLES`].
    pub fn triangles(self, found: usize) -> Result<(), GenerateError> {
        if found <= MAX_TRIANGLES {
            return Ok(());
        }
        Err(GenerateError::TooManyTriangles { generator: self.0, found })
    }
}
