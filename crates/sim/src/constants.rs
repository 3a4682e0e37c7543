//! Named tolerances and thresholds of the step, with unit and reason.

/// Largest relative error with which an inertia tensor may fail to be symmetric or to obey the triangle inequality
/// of its principal moments; covers tensors printed with six digits and flat bodies, where the equality holds.
pub const INERTIA_TOLERANCE: f64 = 1e-6;

/// Smallest length of an orientation quaternion that can still be normalised without losing its direction.
pub const MIN_QUATERNION_LENGTH: f64 = 1e-6;

/// How far apart the numbers for a body's position may lie, as a part of its size: a fiftieth of the depth at which contacts
/// are held, 5e-5, so that a body lies and creeps where it stands as it does at the origin. Reached some 5e9 sizes away.
pub const MAX_POSITION_STEP: f64 = 1e-6;

/// Angle \[rad\] turned per sub-step of the free rotation; the energy is exact at any angle, the path's error per
/// turn is about this squared over 12.
pub const MAX_ROTATION_SUBSTEP: f64 = 0.25;

/// Largest number of sub-steps of the free rotation; a body that turns by more than 16 rad per step is resolved no
/// further, and its angular momentum still holds.
pub const MAX_ROTATION_SUBSTEPS: u32 = 64;

/// Largest number of Newton iterations per rotation sub-step; three or four are usual.
pub const MAX_ROTATION_ITERATIONS: u32 = 20;

/// Relative change at which the rotation's equation is solved: a few units in the last place.
pub const ROTATION_TOLERANCE: f64 = 8.0 * f64::EPSILON;

/// Part of the target volume by which a contact may exceed it before positions are corrected. Far above rounding
/// (so that a body at rest is left alone) and far below anything visible: 1e-9 of 5e-5 of a body's size.
pub const STABILIZATION_DEADBAND: f64 = 1e-9;

/// What a joint may be off by before positions are corrected \[m, rad\]: rounding of poses up to a kilometre from the
/// origin.
pub const JOINT_DEADBAND: f64 = 1e-13;

/// Sweeps of the position correction per step. Each sweep passes a correction up one whole stack in contact order;
/// what is left is taken out in the following steps.
pub const STABILIZATION_SWEEPS: u32 = 20;

/// Part of the largest excess at which the sweeps of the position correction stop.
pub const STABILIZATION_TOLERANCE: f64 = 1e-3;

/// Fewest contacts of a step for which assembling or solving on several threads pays: some 50 µs of work, against
/// about 10 µs for waking a thread.
pub const PARALLEL_CONTACTS: usize = 64;

/// As many contacts of simple shapes as take as long to make as one of a mesh: some 40 µs against 3.
pub const MESH_CONTACT: usize = 12;

/// Fewest contacts handed to one thread at a time.
pub const PARALLEL_CHUNK: usize = 16;

/// Fewest bodies for which moving them on several threads pays, at about 0.1 µs each.
pub const PARALLEL_BODIES: usize = 1024;

/// Fewest finite bodies that go through a bounding volume hierarchy instead of a sort and sweep. Measured on cubic
/// piles, sheets and columns of unit cubes with two to three neighbours each, sweep against tree built anew: 100
/// bodies 8 to 18 µs against 26 to 37 µs, 300 bodies 30 to 220 µs against 70 to 180 µs, 10,000 bodies 6 to 35 ms
/// against 7 to 9 ms.
pub const BVH_BODIES: usize = 256;

/// Pairs per body, on average, that a step may have. The densest packing of balls has six, loose piles of sticks and rings some
/// twenty; a scene with more is one whose bodies were put into each other, as by a slip of the unit, and its pairs would grow as
/// the bodies squared, at one or two kilobytes each.
pub const PAIRS_PER_BODY: usize = 64;

/// Pairs that a step may have whatever the number of its bodies: some 200 MB, and all pairs of 447 bodies.
pub const PAIRS_ANYWAY: usize = 100_000;

/// Overlap of two boxes along an axis, as a part of their half sides, that still counts as touching: the rounding of
/// positions that were added up from sizes.
pub const TOUCHING: f64 = 1e-12;

/// Part of an island's impulses that a sweep may still change when the absolute tolerance is reached: without it, the
/// weight of a gram for 10 ms, 1e-4 N s, would be solved to five digits and that of a cubic millimetre to none.
pub const LIGHT_TOLERANCE: f64 = 1e-6;

/// Accuracy of the contacts' friction within a sweep, as a part of how much the last sweep has changed the impulses. The
/// digits beyond it are changed by the next sweep anyway.
pub const INACCURACY: f64 = 1e-2;

/// The same at most.
pub const MAX_INACCURACY: f64 = 1e-3;

/// Constraints of an island up to which all sweeps are made with full accuracy: they are few.
pub const EXACT_CONSTRAINTS: usize = 16;

/// The same up to which who lands in it is followed in parts of a step: a row of fifteen dominoes that falls has 29.
pub const FOLLOWED_CONSTRAINTS: usize = 32;

/// Fewest sweeps of an island, however large, and of a small one before its motion decides: contact points of other engines are
/// content with fewer.
pub const MIN_SWEEPS: u64 = 20;

/// Part of the bodies' momentum below which a sweep's change of the impulses is rounding.
pub const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Part of the speed that its contacts take from a pile at rest that it counts to have when its motion is solved: with the default tolerance its
/// velocities are found to some 1e-8 m/s.
pub const REST: f64 = 1e-3;

/// Mean depth, as a part of the smaller body's size, below which an overlap makes no contact: rounding of the poses
/// (1e-16 of distances up to a thousand sizes) decides its shape. Far below the target depth of 5e-5.
pub const MIN_DEPTH: f64 = 1e-12;

/// Smallest cosine between the direction in which a pair is apart and the normal found ahead. A pair that meets more
/// sideways than that is crossing a seam or an edge; it is left until it overlaps.
pub const MIN_AHEAD_COSINE: f64 = 0.5;

/// How far a body may leave its place and still be still, as a part of its size: the depth at which contacts are held.
pub const STILL: f64 = 5e-5;

/// Farthest that a tilted face is looked ahead for, as a part of the smaller body's size.
pub const MAX_LANDING: f64 = 0.1;

/// Steepest slope of a face that may land flat in the next few steps, against the one below it; a steeper one stands on an edge or a corner.
pub const MAX_LANDING_SLOPE: f64 = 0.2;

/// Part of its angular velocity across the normal that a body keeps as it comes down on its next corner, above which it rolls on: a prism of
/// six sides keeps 0.59, a cube 0.25. What stops is worth no parts of a step.
pub const ROLLS_ON: f64 = 0.5;

/// How far beyond touching what comes near is looked ahead for, as a part of the depth at which its side is no longer clear: overlaps of
/// flush boxes then lean towards their sides by a tenth at most.
pub const OVERSHOOT: f64 = 0.2;

/// How far the bodies of a pile may come nearer to each other in a part of a step in which they come to touch, as a part of their size.
pub const NEARING: f64 = 0.2;

/// Steepest slope at which surfaces that slide on each other may get deeper on their way; what does so more steeply is an impact. Twice
/// what facets of 60 sectors make of a smooth thread, 0.024.
pub const MAX_SLIDING_SLOPE: f64 = 0.05;

/// Difference of depth over a patch, as a part of its target depth, that is left as it is. Smaller ones are not worth
/// the quarrel of several supports under one body about which of them carries.
pub const MAX_UNEVENNESS: f64 = 1.0;

/// Part of an overlap's extent by which its depth may differ from a linear one for two planar faces; a cap differs by a
/// half.
pub const PLANAR_FACE: f64 = 0.1;

/// Smallest cosine between the normals of a contact and of the region that continues it among several. At a right angle
/// a wrench carried over is no better a start than none.
pub const MIN_CONTINUED_COSINE: f64 = 0.5;

/// Part of its support polygon that a face has to fill to count as convex: covers polygons of 32 corners for round faces,
/// which have 0.6 % less area, and facets.
pub const SOLID_FACE: f64 = 0.99;

/// How many times farther out, in second moment per area, a face may keep its area than its support polygon does, or nearer
/// in: three feet at the corners of an equilateral triangle have four times the triangle's.
pub const MAX_HOLLOW: f64 = 4.5;

/// Contacts of a pair that hold a body straight between them without any torque of their own.
pub const HOLDING_REGIONS: usize = 3;
