//! Settings that are one word out of several: each word, and what it means, is written once here.

/// Enums whose arms are words of a scene; each doc comment is also what users read of the arm.
macro_rules! choices {
    ($(
        $(#[doc = $about:literal])+
        pub enum $Name:ident { $( $(#[doc = $doc:literal])+ $Arm:ident = $word:literal, )+ }
    )+) => { $(
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $Name { $( $(#[doc = $doc])+ $Arm, )+ }

        impl $Name {
            /// The word of a scene.
            pub fn name(self) -> &'static str {
                match self { $( Self::$Arm => $word ),+ }
            }
        }

        impl Typed for $Name {
            const KIND: Kind = Kind::Choice(&[
                $( Choice { name: $word, meaning: concat!($($doc),+), number: None } ),+
            ]);

            fn to_value(self) -> Value {
                Value::Choice { name: self.name(), number: None }
            }

            fn from_value(value: Value) -> Option<Self> {
                match value { $( Value::Choice { name: $word, number: None } => Some(Self::$Arm), )+ _ => None }
            }
        }
    )+ };
}

use super::value::{Choice, ChoiceNumber, Kind, Typed, Value};
use tactum_geometry::quantity::Range;

choices! {
    /// Which rows a contact is solved with.
    pub enum ContactModel {
        /// One block of six rows over the contact's patch (Bouchard et al. 2015).
        Patch = "patch",
        /// Three rows at each corner of the same patch, as in engines of contact points, to compare with. Torques come from the
        /// points alone, so `patch` and `spin` do nothing.
        Points = "points",
    }

    /// What acts between bodies that touch, and with it how a step goes.
    pub enum ContactLaw {
        /// Rigid bodies that overlap a little: one contact per patch of the overlap, impulses (Bouchard et al. 2015).
        Volume = "volume",
        /// Elastic bodies whose facets are caps of spheres, for grains, fruit and pills: forces in explicit sub-steps (Smeets et al. 2014).
        Facets = "facets",
        /// Penalty forces of vertices and edges, integrated over each step's motion, so that thin plates hold fast bodies (Tang et al. 2012).
        ContinuousPenalty = "continuous_penalty",
    }

    /// What of a step's motion the law "continuous_penalty" looks at.
    pub enum PenaltyTime {
        /// All of it: when in the step features are in each other, and the integral of the penalty over that.
        Continuous = "continuous",
        /// Its start only, vertices only, as if it stayed so for the whole step: plain penalty forces, to compare with.
        Instant = "instant",
    }

    /// How bodies under the law "facets" press on each other.
    pub enum FacetPressure {
        /// Elastic bodies without adhesion (Hertz 1882).
        Hertz = "hertz",
        /// An elastic foundation: pressure is the overlap times `foundation`.
        Foundation = "foundation",
        /// Soft bodies that stick by `adhesion` (Johnson, Kendall and Roberts 1971).
        Jkr = "jkr",
        /// Bodies that draw each other by `cohesive_stress` over gaps of `adhesion` over it (Maugis 1992).
        Maugis = "maugis",
    }

    /// How far from the centre of pressure friction acts when it resists spinning: `|τ_n| <= μ r_s f_n`.
    pub enum SpinRule {
        /// Uniform pressure over the patch: the mean distance from the centre of pressure.
        Uniform = "uniform",
        /// Hertz's pressure over an ellipse; a polygon uses the ellipse of its own second moment.
        Hertz = "hertz",
        /// The four corners of the rectangle around the patch, weighted bilinearly (Bouchard et al. 2015, equation 13).
        Corners = "corners",
    }

    /// Which way a contact pushes.
    pub enum NormalRule {
        /// Along the gradient of the overlap's volume, or across the face off which walls lean that: where a face ends, as a box over an
        /// edge does.
        Blend = "blend",
        /// Along the gradient (Bouchard et al. 2015). A box that hangs over an edge is pushed aside by the ratio of its
        /// overlap's depth to its width.
        Gradient = "gradient",
        /// Along the overlap's thinnest direction, the axis of smallest covariance.
        Covariance = "covariance",
    }

    /// Over how much of its patch a contact resists rolling.
    pub enum RollingRule {
        /// Over all of it where a face stands on another, facets of meshes included; not at all along directions in which a ball
        /// or capsule touches with its curve. Used by the local solver "cone".
        Auto = "auto",
        /// Over all of it: a ball pivots over the rim of its patch (Bouchard et al. 2015).
        Pivot = "pivot",
    }

    /// How friction against sliding and friction against spinning limit each other.
    pub enum SpinCoupling {
        /// The limit surface of uniform pressure over the patch, stretched to the spin rule's radius
        /// (Goyal, Ruina and Papadopoulos 1991; Farkas et al. 2003 for a disc).
        Surface = "surface",
        /// The ellipsoid with the same semi-axes (Leine and Glocker 2003). It takes more power from bodies that slide and spin
        /// at once: a uniform disc comes 12 % less far.
        Ellipsoid = "ellipsoid",
    }

    /// What solves one contact block.
    pub enum LocalSolver {
        /// All limits at once: nothing on the patch approaches, friction opposes the slip at the centre of pressure.
        Cone = "cone",
        /// One limit after the other (Bouchard et al. 2015, Algorithm 1, mended), with a limit each for sliding and spinning.
        Paper = "paper",
    }

    /// In which order a sweep takes the contacts of an island.
    pub enum SweepOrder {
        /// In the order of their bodies, every time.
        Forward = "forward",
        /// In that order and against it by turns.
        Symmetric = "symmetric",
    }

    /// What speeds the sweeps up.
    pub enum Accelerator {
        /// Where the sweeps would take longer than that, all impulses at once by Newton's method, for what presses, sticks and slides
        /// after a sweep (Alart and Curnier 1991): a stack of fifty in six sweeps. Between its steps as "anderson".
        Newton = "newton",
        /// The combination of the last eight sweeps that would change the impulses least (Anderson 1965), a stack of ten in ten
        /// sweeps; conjugate gradients where friction lets the changes grow.
        Anderson = "anderson",
        /// Nonsmooth nonlinear conjugate gradients with a sweep as their step (Silcowitz-Hansen, Niebe and Erleben 2010): some
        /// seven times fewer sweeps for a stack of ten, at the price of a few per cent per sweep.
        Nncg = "nncg",
        /// Nothing: plain block Gauss-Seidel.
        None = "none",
    }
}

/// How the contact patch that bounds the centre of pressure is made from an overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PatchModel {
    /// The overlap's support polygon; exact for bodies that stand on planar feet.
    Polygon,
    /// An ellipse with semi-axes `sqrt(k λ)` from the eigenvalues λ of the tangential second moment per volume
    /// (Bouchard et al. 2015, section 3.3).
    Ellipse {
        /// Squared semi-axis per variance, without unit.
        k: f64,
    },
}

impl PatchModel {
    const POLYGON: &'static str = "polygon";
    const ELLIPSE: &'static str = "ellipse";
}

impl Typed for PatchModel {
    const KIND: Kind = Kind::Choice(&[
        Choice {
            name: Self::POLYGON,
            meaning: "The support polygon of the overlap; exact for bodies that stand on planar feet.",
            number: None,
        },
        Choice {
            name: Self::ELLIPSE,
            meaning: "An ellipse whose squared semi-axes are this many tangential variances of the overlap: 3 for a rectangular \
                      prism, 4 for a flat ellipse, 5 for an ellipsoid, 6 for a shallow cap.",
            number: Some(ChoiceNumber { range: Range::POSITIVE, usual: &[3.0, 4.0, 5.0, 6.0] }),
        },
    ]);

    fn to_value(self) -> Value {
        match self {
            Self::Polygon => Value::Choice { name: Self::POLYGON, number: None },
            Self::Ellipse { k } => Value::Choice { name: Self::ELLIPSE, number: Some(k) },
        }
    }

    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Choice { name: Self::POLYGON, number: None } => Some(Self::Polygon),
            Value::Choice { name: Self::ELLIPSE, number: Some(k) } => Some(Self::Ellipse { k }),
            _ => None,
        }
    }
}
