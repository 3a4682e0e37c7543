//! From a wanted number of triangles to an edge length.

use super::error::Check;
use super::{GenerateError, MAX_LENGTH, MAX_TRIANGLES};

/// A subdivision of a shape from which its number of triangles is known before the mesh is built.
pub(super) trait Layout {
    /// Number of triangles of the mesh.
    fn n_triangles(&self) -> usize;
}

/// Halvings of the bracket around the edge length: afterwards both ends give neighbouring subdivisions unless their
/// edge lengths differ by less than 1e-12 of themselves.
const BISECTIONS: usize = 40;

/// Halvings of the edge length from the shape's extent, at which even a line of that length has more edges than the most
/// triangles ([`MAX_TRIANGLES`], 2²⁴ and a quarter of that): a layout that has fewer then has no
/// bound to come to.
const HALVINGS: i32 = 28;

/// The layout whose number of triangles is nearest to `triangles`, the coarsest one if that has more.
///
/// `layout` subdivides the shape into edges of about the given length \[m\]; its number of triangles must grow without
/// bound as the length goes to zero. `extent` is a length along the shape \[m\].
pub(super) fn fit<L: Layout>(
    check: Check,
    triangles: usize,
    extent: f64,
    layout: impl Fn(f64) -> L,
) -> Result<L, GenerateError> {
    check.triangles(triangles)?;
    let mut coarse = layout(f64::MAX);
    check.triangles(coarse.n_triangles())?;
    if coarse.n_triangles() >= triangles {
        return Ok(coarse);
    }
    // Powers of two bracket the edge length, from an edge longer than any shape, whose layouts are small: another length
    // of the shape may be far longer than its extent, and edges of that would make too many to be counted.
    let mut short = extent;
    while short < MAX_LENGTH {
        short *= 2.0;
    }
    let mut fine = layout(short);
    while fine.n_triangles() < triangles {
        check.require(short > extent * 0.5_f64.powi(HALVINGS), "triangles", triangles as f64, || {
            format!("at most {}: shorter edges make no more of this shape", fine.n_triangles())
        })?;
        short *= 0.5;
        coarse = fine;
        fine = layout(short);
    }
    let mut long = 2.0 * short;
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (long + short);
        let between = layout(middle);
        if between.n_triangles() < triangles {
            (long, coarse) = (middle, between);
        } else {
            (short, fine) = (middle, between);
        }
    }
    let below = triangles.saturating_sub(coarse.n_triangles());
    let above = fine.n_triangles().saturating_sub(triangles);
    Ok(if above <= below { fine } else { coarse })
}

/// Most pieces of anything: more than the most triangles, so that what needs so many is refused, and few enough for numbers of
/// triangles to be multiplied from.
pub(super) const MAX_PIECES: usize = MAX_TRIANGLES + MAX_TRIANGLES / 4;

/// Number of pieces of about `edge` into which a length is cut, at least `min` and at most [`MAX_PIECES`].
pub(super) fn pieces(length: f64, edge: f64, min: usize) -> usize {
    min.max((length / edge).round() as usize).min(MAX_PIECES)
}

/// The points that cut each interval between neighbours of `corners` into `pieces[i]` equal parts, both ends of the
/// whole included; every corner is met exactly.
pub(super) fn subdivide(corners: &[f64], pieces: &[usize]) -> Vec<f64> {
    let mut points = vec![corners[0]];
    for (pair, &n) in corners.windows(2).zip(pieces) {
        points.extend((1..n).map(|i| pair[0] + (pair[1] - pair[0]) * (i as f64 / n as f64)));
        points.push(pair[1]);
    }
    points
}
