//! Passages against closed forms, quadrature, dense sampling and the theory's own cases.

mod apart;
mod bodies;
mod cases;
mod flush;
mod hostile;
mod sampling;

use glam::DVec3;
use tactum_random::Rng;

use super::{Path, VertexFace};

/// A vector of random numbers between -1 and 1.
fn vector(rng: &mut Rng) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| rng.range(-1.0, 1.0)))
}

/// A path between two random places.
fn path(rng: &mut Rng) -> Path {
    Path { start: vector(rng), end: vector(rng) }
}

/// The vertex and face of case CP-05.
fn cp_05() -> VertexFace {
    let path = |start: [f64; 3], end: [f64; 3]| Path { start: start.into(), end: end.into() };
    VertexFace::new(
        path([0.2, 0.3, 0.1], [0.35, 0.25, -0.2]),
        [
            path([0.0, 0.0, 0.0], [0.1, 0.0, 0.05]),
            path([1.0, 0.0, 0.0], [1.0, 0.1, 0.0]),
            path([0.0, 1.0, 0.0], [-0.1, 1.0, 0.1]),
        ],
    )
}
