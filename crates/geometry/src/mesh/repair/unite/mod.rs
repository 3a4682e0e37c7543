//! Uniting surfaces that go through each other: what is enclosed at least once is enclosed once.
//!
//! The surfaces are cut along the lines in which they cross, and of the regions that this makes those are kept that have winding
//! number 0 in front of them. All of it is decided by exact signs (Shewchuk 1997) and by which corner of which facet is which, never by
//! comparing computed places. So that no sign is zero, every vertex is moved, for these decisions only, by as little as it takes (`shift`): a
//! ten-billionth of the size, or more where coordinates are rounded. Surfaces that touch or lie in one plane then cross or do not.
//!
//! | file | what it finds |
//! |---|---|
//! | `shift` | where the vertices are moved to |
//! | `cross` | the lines in which facets cross |
//! | `cut` | the regions into which they cut each facet |
//! | `winding` | the winding number in front of each region |
//! | `weave` | triangles that fill a region |
//! | `needles` | triangles without area that are left, and takes them out |

mod cross;
mod cut;
mod needles;
mod shift;
mod weave;
mod winding;

use self::shift::Shift;
use super::through::deep;
use crate::mesh::TriangleMesh;
use crate::mesh::mass::MassMoments;
use crate::mesh::weld;

/// Why surfaces could not be united.
pub type Obstacle = &'static str;

/// What comes of surfaces that were united.
pub struct United {
    pub mesh: TriangleMesh,
    /// Volume that was enclosed the wrong way round, and is gone.
    pub inverted: f64,
}

/// Unites surfaces of which each is closed and has two facets at every edge.
///
/// # Errors
/// If lines of crossing cross each other, as where three surfaces meet in a point, or the result is not consistent.
pub fn unite(mesh: &TriangleMesh) -> Result<United, Obstacle> {
    let mut outcome = Err("nothing crosses");
    for shift in shift::attempts(mesh) {
        outcome = unite_moved(mesh, &shift);
        if outcome.is_ok() {
            break;
        }
    }
    outcome
}

fn unite_moved(mesh: &TriangleMesh, shift: &Shift) -> Result<United, Obstacle> {
    let moved = shift.moved(mesh);
    let lines = cross::find(&moved, &mesh.vertices)?;
    let regions = cut::cut(&moved, &lines)?;
    let windings = winding::find(&moved, &lines, &regions)?;
    let behind = |number: i32| {
        let mut triangles = Vec::new();
        for (region, _) in regions.iter().zip(&windings).filter(|(_, winding)| **winding == number) {
            weave::fill(region, cut::axes(&moved, region.facet), &lines.nodes, &mut triangles);
        }
        TriangleMesh { vertices: lines.places.clone(), triangles }
    };
    // What is enclosed less than never lies in front of these.
    let inverted = behind(-1);
    let inverted = if inverted.triangles.is_empty() { 0.0 } else { MassMoments::of(&inverted).volume.abs() };
    let united = behind(0);
    let united = joined(united, &lines, shift.opened());
    let still_crosses = deep(&united).map_or(true, |pairs| !pairs.is_empty());
    if still_crosses {
        Err("they still cross after the repair")
    } else {
        Ok(United { mesh: united, inverted })
    }
}

/// Makes vertices one that lie closer together than `tolerance` where surfaces crossed, and drops the triangles that this
/// leaves without area. A closed surface stays one.
fn joined(mut mesh: TriangleMesh, lines: &cross::Lines, tolerance: f64) -> TriangleMesh {
    let mut candidates: Vec<u32> = lines.crossed().flat_map(|facet| lines.corners[facet as usize]).collect();
    candidates.extend(lines.n_given..lines.nodes.len() as u32);
    candidates.sort_unstable();
    candidates.dedup();
    let stands_for = weld::near(&mesh.vertices, &candidates, tolerance);
    mesh.triangles.iter_mut().flatten().for_each(|v| *v = stands_for[*v as usize]);
    needles::remove(&mut mesh, tolerance);
    mesh
}
