//! Overlaps of balls, capsules, cylinders and cones with polyhedra, in closed form up to smooth one-dimensional quadrature, and with
//! capsules, by two-dimensional quadrature.
//!
//! The surface of the overlap of a ball (or an infinite cylinder) and a polyhedron is made of planar pieces, a polygon
//! cut by a circle (or an ellipse), and of a part of the round surface whose rim are the same arcs. Volume integrals
//! become surface integrals by the divergence theorem, with cones from an apex on the round surface near the contact,
//! so that nothing cancels in a shallow one; the surface integrals become integrals along segments and arcs by
//! Stokes's theorem. Segments are integrated exactly, arcs by Gauss's rule, whose error is below rounding because
//! the integrands are trigonometric polynomials or rational functions with far poles.
//!
//! | module | what it holds |
//! |---|---|
//! | [`face`] | a polygon cut by a quadric: planar moments and arcs |
//! | [`ball`] | integrals over a part of a sphere, and the overlap of a ball and a polyhedron |
//! | [`cylinder`] | the same for a cylinder |
//! | [`frustum`] | the same for cylinders with flat ends and cones; [`rational`]: the curves in which planes cut them |
//! | [`frustum_polyhedron`], [`frustum_mesh`] | a cylinder or a cone against a convex polyhedron or a closed mesh |
//! | [`frustum_round`] | a cylinder or a cone against a ball, a capsule, a cylinder or a cone; [`side_contact`]: where they meet |
//! | [`capsule_polyhedron`] | a capsule as two half balls and a cylinder, against a convex polyhedron |
//! | [`capsule_mesh`] | the same against any closed mesh;  [`placed_mesh`]: the mesh in the capsule's frame; [`pieces`]: several regions |
//! | [`capsule_capsule`] | two capsules, or a ball and a capsule |
//! | [`polar`] | quadrature over the overlap of two capsules, about a point inside |

mod ball;
pub(super) mod capsule_capsule;
pub(super) mod capsule_mesh;
pub(super) mod capsule_polyhedron;
mod cylinder;
mod face;
mod frustum;
pub(super) mod frustum_mesh;
pub(super) mod frustum_polyhedron;
pub(super) mod frustum_round;
mod pieces;
mod placed_mesh;
mod polar;
mod rational;
mod side_contact;
