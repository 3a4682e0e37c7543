//! Overlaps of meshes by rays: which meshes the stages hold, which cells each pair is measured in.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use glam::DMat3;
use tactum_geometry::overlap::rays::{self, Distrust, Grid, RayBody, Reading, Refined};
use tactum_geometry::solid::Clusters;
use tactum_geometry::{Overlap, Pose, Solid};
use tactum_gpu::UploadError;
use tactum_shaders::rays::Method;
use tactum_shaders::rays::layout::{ContactBlock, MeshPlace, PairFrame, PairMeshes, state};

use super::runner::{RunnerError, StageRunner};

/// Passes by rays after which a pair that is still uncertain is left to triangles: enough for 32 cells, cut five times.
const MAX_RAY_PASSES: u32 = 6;

/// Passes after which it is given up: as many by triangles and one more, which halves cells six times, and three to find the normal and to
/// exchange the bodies.
const MAX_PASSES: u32 = 2 * MAX_RAY_PASSES + 4;

/// Part of A's surface that may be in cells which face several ways, up to which it does not matter where they are cut.
const ASKEW: f64 = 0.05;

/// The same, up to which a pair that cannot be cut further is answered: most of its surface says which way its sides face.
const MOST_ASKEW: f64 = 0.5;

/// How many times as large as B's surface in the overlap A's has to be for the bodies to be exchanged: the smaller one says which way they
/// push, as the larger one counts strips along the rim where the other has sunk into it.
const LARGER: f64 = 1.02;

/// Factor on the rays a side up to which an uncertain pair is measured with more of them.
const MAX_REFINEMENT: u32 = 4;

/// Two posed meshes.
#[derive(Clone, Copy, Debug)]
pub struct MeshPair<'a> {
    /// A, whose axes and origin the result is given in.
    pub a: &'a Arc<Solid>,
    /// B.
    pub b: &'a Arc<Solid>,
    /// Where B is.
    pub a_from_b: Pose,
}

impl MeshPair<'_> {
    /// The pair with its bodies exchanged.
    fn swapped(&self) -> Self {
        Self { a: self.b, b: self.a, a_from_b: self.a_from_b.inverse() }
    }

    /// The overlap of the exchanged pair as that of this one.
    fn swapped_back(&self, overlap: Overlap) -> Overlap {
        overlap.swapped(self.a_from_b.inverse().translation).rotated(self.a_from_b.rotation)
    }

    /// The smaller body's \[m\].
    fn size(&self) -> f64 {
        self.a.aabb().diagonal().min(self.b.aabb().diagonal())
    }
}

/// How many times as large as along the normal the box along A's axes may be for a pair to be divided along these.
const ROOMY: f64 = 16.0;

/// How large the boxes of cells are \[m³\].
fn room(blocks: &[ContactBlock]) -> f64 {
    let size = |block: &ContactBlock| (0..3).map(|k| f64::from(block.hi[k] - block.lo[k])).product::<f64>();
    blocks.iter().filter(|block| block.state & state::EMPTY == 0).map(size).sum()
}

/// How many times its mean depth an overlap that pushes one way extends along its normal, from which on it may be pieces in several planes: a
/// cap has two, a corner three.
const STEPPED: f64 = 8.0;

/// Whether an overlap that pushes one way may be pieces in several planes, which are regions of their own.
fn may_be_stepped(overlap: &Overlap) -> bool {
    overlap.patch.as_ref().is_some_and(|patch| patch.extent > STEPPED * patch.mean_depth)
}

/// Whether the surface of one of the bodies is plane, so that all pieces push the same way.
fn is_plane(overlap: &Overlap) -> bool {
    overlap.areas[0].min(overlap.areas[1]) <= overlap.gradient.length()
}

/// How a pair was measured.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The overlap in A's axes about A's origin, or why the rays are not to be trusted.
    pub overlap: Result<Overlap, Distrust>,
    /// How often the pair was measured, with better placed or more rays each time.
    pub passes: u32,
}

/// Measures pairs of meshes by rays.
#[derive(Debug)]
pub struct RayDetector {
    runner: StageRunner,
    rays: u32,
    /// By address; the solids are kept so that no other takes their place.
    meshes: BTreeMap<usize, Registered>,
}

#[derive(Debug)]
struct Registered {
    _solid: Arc<Solid>,
    place: MeshPlace,
    body: RayBody,
    overlaps_itself: bool,
}

/// A pair that is still being measured.
struct Open {
    pair: usize,
    grid: Grid,
    /// What is known of each cell from passes before.
    known: Vec<Option<ContactBlock>>,
    method: Method,
    /// Whether A and B are exchanged.
    is_swapped: bool,
    /// Whether it is measured along A's axes, to divide it.
    is_divided: bool,
    /// The grid that it was measured in before, and how large its box was \[m³\].
    along: Option<(Grid, f64)>,
    /// Whether it was turned upside down.
    is_flipped: bool,
    /// What was found so far, if it is to be known better.
    so_far: Option<Overlap>,
}

impl Open {
    /// A pair in a grid of which nothing is known.
    fn new(pair: usize, grid: Grid, method: Method) -> Self {
        Self {
            pair,
            known: vec![None; grid.n_cells()],
            grid,
            method,
            is_swapped: false,
            is_divided: false,
            along: None,
            is_flipped: false,
            so_far: None,
        }
    }

    /// A pair in another grid of one cell.
    fn in_one_cell(&self, grid: Grid) -> Self {
        Self {
            is_swapped: self.is_swapped,
            is_divided: self.is_divided,
            ..Self::new(self.pair, grid, self.method)
        }
    }

    /// A pair in a grid that was refined.
    fn refined(&self, Refined { grid, kept }: Refined) -> Self {
        Self { grid, known: kept, so_far: None, along: None, ..*self }
    }
}

/// What a pass found of a pair.
struct Found {
    /// One for each cell.
    blocks: Vec<ContactBlock>,
    reading: Result<Reading, Distrust>,
}

impl RayDetector {
    /// Rays a side across a contact.
    pub fn n_rays(&self) -> u32 {
        self.rays
    }

    /// A detector with `rays` rays a side across the contact normal, a power of two from 16.
    pub fn new(runner: StageRunner, rays: u32) -> Self {
        Self { runner, rays, meshes: BTreeMap::new() }
    }

    /// What casts the rays.
    pub fn runner(&self) -> &StageRunner {
        &self.runner
    }

    /// What casts the rays, to make it fail.
    pub fn runner_mut(&mut self) -> &mut StageRunner {
        &mut self.runner
    }

    /// Rays a side across a contact in the first pass.
    pub fn rays(&self) -> u32 {
        self.rays
    }

    /// The overlaps of pairs, in their order.
    ///
    /// All pairs are cast in one go. Those whose rays do not agree among themselves are cast again: in cells of their own
    /// where they touch at several places, along the normal found, or with more rays.
    ///
    /// # Errors
    ///
    /// [`RunnerError`] if the device fails or the meshes do not fit it.
    pub fn overlaps(&mut self, pairs: &[MeshPair<'_>]) -> Result<Vec<Measured>, RunnerError> {
        let mut measured = vec![Measured { overlap: Err(Distrust::NoRoom), passes: 0 }; pairs.len()];
        let mut open = Vec::with_capacity(pairs.len());
        for (ix, pair) in pairs.iter().enumerate() {
            if !(self.register(pair.a)? && self.register(pair.b)?) {
                continue;
            }
            if [pair.a, pair.b].into_iter().any(|mesh| self.registered(mesh).overlaps_itself) {
                measured[ix].overlap = Err(Distrust::OverlapsItself);
            } else {
                open.push(Open::new(ix, Grid::default(), Method::Rays(self.rays)));
            }
        }
        for pass in 1..=MAX_PASSES {
            let found = self.pass(pairs, &open)?;
            let mut again = Vec::new();
            for (open, found) in open.into_iter().zip(found) {
                let pair = open.pair;
                let next = self.improve(&pairs[pair], &open, &found, pass).filter(|_| pass < MAX_PASSES);
                let overlap = match (found.reading, open.so_far) {
                    (Ok(reading), _) if reading.is_sure && reading.askew <= MOST_ASKEW => {
                        Ok(if open.is_swapped {
                            pairs[pair].swapped_back(reading.overlap)
                        } else {
                            reading.overlap
                        })
                    }
                    // What was found in fewer cells told fewer regions.
                    (Ok(reading), _) if reading.is_sure => Err(Distrust::Several),
                    (_, Some(so_far)) => Ok(so_far),
                    (Ok(_), None) => Err(Distrust::Uncertain),
                    (Err(distrust), None) => Err(distrust),
                };
                again.extend(next.map(|next| Open { so_far: overlap.clone().ok(), ..next }));
                measured[pair] = Measured { overlap, passes: pass };
            }
            if again.is_empty() {
                break;
            }
            open = again;
        }
        for (pair, measured) in pairs.iter().zip(&mut measured) {
            if let Ok(overlap) = &mut measured.overlap {
                rays::find_corners(overlap, pair.a, pair.b, &pair.a_from_b);
            }
        }
        Ok(measured)
    }

    /// How to measure a pair again, if that promises more: by rays, and by triangles what rays do not see.
    fn improve(&self, pair: &MeshPair<'_>, open: &Open, found: &Found, pass: u32) -> Option<Open> {
        match open.method {
            Method::Rays(rays) => {
                let again = self.improve_rays(pair, open, found, rays).filter(|_| pass < MAX_RAY_PASSES);
                again.or_else(|| {
                    let is_wanted = match &found.reading {
                        Ok(reading) => !reading.is_sure || reading.may_hide_regions,
                        Err(distrust) => distrust.is_blindness(),
                    };
                    let grid = open.grid.for_triangles(&found.blocks);
                    is_wanted.then(|| Open::new(open.pair, grid, Method::Triangles))
                })
            }
            Method::Triangles => self.improve_triangles(pair, open, found),
        }
    }

    fn improve_triangles(&self, pair: &MeshPair<'_>, open: &Open, found: &Found) -> Option<Open> {
        let body = self.body(if open.is_swapped { pair.b } else { pair.a });
        let turned = || Some(open.in_one_cell(open.grid.turned_to_normal(&found.blocks)?));
        let grid = || open.grid.clone().tightened(&found.blocks, &body);
        let cut = || Some(open.refined(grid().cut(&found.blocks, &body)?));
        if let Some((grid, least)) = &open.along
            && open.grid.n_cells() == 1
            && (grid.has_normal() && room(&found.blocks) > ROOMY * least
                || !matches!(&found.reading, Ok(reading) if reading.is_sure))
        {
            return Some(Open { along: None, ..open.in_one_cell(grid.clone()) });
        }
        match &found.reading {
            // What is below the box is looked at, too: of a mesh that stands on another all of it, seen from there.
            Err(Distrust::LongList) if !open.is_flipped && open.grid.n_cells() == 1 => {
                Some(Open { is_flipped: true, ..open.in_one_cell(open.grid.flipped()) })
            }
            Ok(reading) if reading.is_sure && reading.askew > ASKEW => {
                let [own, other] = reading.overlap.areas;
                if !open.is_divided {
                    let is_swapped = own > LARGER * other;
                    let kept = open.grid.for_triangles(&found.blocks);
                    let kept = if is_swapped {
                        kept.swapped(DMat3::from_quat(pair.a_from_b.rotation))
                    } else {
                        kept
                    };
                    let along = Some((kept, room(&found.blocks)));
                    let divided = open.in_one_cell(Grid::to_divide());
                    return Some(Open { is_swapped, is_divided: true, along, ..divided });
                }
                Some(open.refined(grid().divided(&found.blocks, &body)?))
            }
            Ok(_) if open.is_divided => cut(),
            Ok(Reading { overlap, is_sure: true, .. }) => {
                turned().or_else(|| cut().filter(|_| !is_plane(overlap) || may_be_stepped(overlap)))
            }
            _ => cut().or_else(turned),
        }
    }

    fn improve_rays(&self, pair: &MeshPair<'_>, open: &Open, found: &Found, rays: u32) -> Option<Open> {
        let body = self.body(pair.a);
        let refined = |refined| open.refined(refined);
        match &found.reading {
            Ok(reading) if reading.is_sure => None,
            Ok(reading) => {
                if let Some(cut) = open.grid.cut(&found.blocks, &body) {
                    return Some(refined(cut));
                }
                if let ([block], Some(patch)) = (found.blocks.as_slice(), &reading.overlap.patch)
                    && let Some(turned) = open.grid.turned(block, patch.normal)
                {
                    return Some(Open::new(open.pair, turned, open.method));
                }
                let is_finer = rays < MAX_REFINEMENT * self.rays;
                is_finer.then(|| Open::new(open.pair, open.grid.clone(), Method::Rays(2 * rays)))
            }
            Err(Distrust::Missed) => open.grid.cut(&found.blocks, &body).map(refined),
            Err(_) => None,
        }
    }

    /// Measures all open pairs, those by the same method at once.
    fn pass(&mut self, pairs: &[MeshPair<'_>], open: &[Open]) -> Result<Vec<Found>, RunnerError> {
        let mut found: Vec<Option<Found>> = Vec::new();
        found.resize_with(open.len(), || None);
        let methods: BTreeSet<Method> = open.iter().map(|open| open.method).collect();
        for method in methods {
            let now: Vec<usize> = (0..open.len()).filter(|&ix| open[ix].method == method).collect();
            for (ix, one) in now.iter().zip(self.cast(pairs, open, &now, method)?) {
                found[*ix] = Some(one);
            }
        }
        Ok(found.into_iter().flatten().collect())
    }

    fn cast(
        &mut self,
        pairs: &[MeshPair<'_>],
        open: &[Open],
        now: &[usize],
        method: Method,
    ) -> Result<Vec<Found>, RunnerError> {
        let mut frames: Vec<PairFrame> = Vec::new();
        let mut meshes: Vec<PairMeshes> = Vec::new();
        let mut placed = Vec::with_capacity(now.len());
        for &ix in now {
            let pair = &pairs[open[ix].pair];
            let MeshPair { a, b, a_from_b } = if open[ix].is_swapped { pair.swapped() } else { *pair };
            let cells = rays::place(&self.body(a), &self.body(b), &a_from_b, &open[ix].grid);
            let [a, b] = [self.registered(a), self.registered(b)];
            for (frame, _) in cells.iter().zip(&open[ix].known).filter(|(_, known)| known.is_none()) {
                let Some(frame) = frame else { continue };
                frames.push(*frame);
                meshes.push(PairMeshes::of([a.place, b.place]));
            }
            placed.push(cells);
        }
        let mut blocks = self.runner.measure(&meshes, &frames, method)?.into_iter();
        let mut found = Vec::with_capacity(now.len());
        for (&ix, cells) in now.iter().zip(placed) {
            let reach = cells.iter().flatten().fold(0.0, |reach: f32, frame| reach.max(frame.reach));
            let blocks: Vec<ContactBlock> = cells
                .iter()
                .zip(&open[ix].known)
                .map(|(cell, known)| known.or_else(|| cell.and_then(|_| blocks.next())))
                .map(|block| block.unwrap_or_else(ContactBlock::empty))
                .collect();
            let pair = &pairs[open[ix].pair];
            let own = self.body(if open[ix].is_swapped { pair.b } else { pair.a });
            let reading = rays::read(&blocks, &own, method, f64::from(reach), pair.size());
            found.push(Found { blocks, reading });
        }
        Ok(found)
    }

    /// Sees to it that the stages hold a mesh; false if there is no room for it.
    fn register(&mut self, solid: &Arc<Solid>) -> Result<bool, RunnerError> {
        let key = Arc::as_ptr(solid) as usize;
        if !self.meshes.contains_key(&key) {
            let clusters = Clusters::new(solid);
            let place = match self.runner.upload(&clusters.triangles, &clusters.boxes) {
                Ok(place) => place,
                Err(RunnerError::Upload(UploadError::Full { .. })) => return Ok(false),
                Err(error) => return Err(error),
            };
            let body = RayBody { aabb: solid.aabb(), origin: clusters.origin, unit: clusters.unit };
            let overlaps_itself = rays::overlaps_itself(solid);
            let registered = Registered { _solid: Arc::clone(solid), place, body, overlaps_itself };
            self.meshes.insert(key, registered);
        }
        Ok(true)
    }

    fn registered(&self, solid: &Arc<Solid>) -> &Registered {
        &self.meshes[&(Arc::as_ptr(solid) as usize)]
    }

    fn body(&self, solid: &Arc<Solid>) -> RayBody {
        self.registered(solid).body
    }
}
