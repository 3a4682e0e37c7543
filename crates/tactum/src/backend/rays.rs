//! Overlaps of meshes by rays: which meshes the stages hold, which cells each pair is measured in.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tactum_geometry::overlap::rays::{self, Distrust, Grid, RayBody, Reading, Refined};
use tactum_geometry::solid::Clusters;
use tactum_geometry::{Overlap, Pose, Solid};
use tactum_gpu::UploadError;
use tactum_shaders::rays::Method;
use tactum_shaders::rays::layout::{ContactBlock, PairFrame, PairMeshes};

use super::runner::{RunnerError, StageRunner};

/// Passes by rays after which a pair that is still uncertain is left to triangles: enough for 32 cells, halved five times.
const MAX_RAY_PASSES: u32 = 6;

/// Passes after which it is given up: as many by triangles, and one to find the normal.
const MAX_PASSES: u32 = 2 * MAX_RAY_PASSES + 1;

/// Factor on the rays a side up to which an uncertain pair is measured with more of them.
const MAX_REFINEMENT: u32 = 4;

/// Mean depth, as a part of the smaller body, up to which triangles measure again what rays are sure of. The rim of a patch costs rays some
/// 1e-3 of its volume, and triangles nothing; so shallow is what bodies are that rest.
const RESTING: f64 = 5e-3;

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
    /// The smaller body's \[m\].
    fn size(&self) -> f64 {
        self.a.aabb().diagonal().min(self.b.aabb().diagonal())
    }
}

/// Whether an overlap is as shallow as those of bodies that rest.
fn is_resting(pair: &MeshPair<'_>, overlap: &Overlap) -> bool {
    overlap.volume > 0.0 && overlap.volume < RESTING * pair.size() * overlap.gradient.length()
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
    first: u32,
    n: u32,
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
    /// What rays were sure of, if it is to be known better.
    by_rays: Option<Overlap>,
}

impl Open {
    /// A pair in a grid of which nothing is known.
    fn new(pair: usize, grid: Grid, method: Method) -> Self {
        Self { pair, known: vec![None; grid.n_cells()], grid, method, by_rays: None }
    }

    /// A pair in a grid that was refined.
    fn refined(&self, Refined { grid, kept }: Refined) -> Self {
        Self { pair: self.pair, grid, known: kept, method: self.method, by_rays: None }
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
                let overlap = match (found.reading, open.by_rays) {
                    (Ok(reading), _) if reading.is_sure => Ok(reading.overlap),
                    (_, Some(by_rays)) => Ok(by_rays),
                    (Ok(_), None) => Err(Distrust::Uncertain),
                    (Err(distrust), None) => Err(distrust),
                };
                again.extend(next.map(|next| Open { by_rays: overlap.clone().ok(), ..next }));
                measured[pair] = Measured { overlap, passes: pass };
            }
            if again.is_empty() {
                break;
            }
            open = again;
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
                        Ok(reading) => !reading.is_sure || is_resting(pair, &reading.overlap),
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
        let body = self.body(pair.a);
        let refined = |refined| open.refined(refined);
        let turned = || {
            let turned = open.grid.turned_to_normal(&found.blocks)?;
            Some(Open::new(open.pair, turned, open.method))
        };
        if matches!(&found.reading, Ok(reading) if reading.is_sure) {
            return turned();
        }
        let grid = open.grid.clone().tightened(&found.blocks, &body);
        if let Some(cut) = grid.cut(&found.blocks, &body) {
            return Some(refined(cut));
        }
        if let Some(turned) = turned() {
            return Some(turned);
        }
        match &found.reading {
            Err(Distrust::Several) if open.by_rays.is_none() => {
                grid.halved(&found.blocks, &body).map(refined)
            }
            _ => None,
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
            Err(Distrust::Several) => open.grid.halved(&found.blocks, &body).map(refined),
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
            let MeshPair { a, b, a_from_b } = &pairs[open[ix].pair];
            let cells = rays::place(&self.body(a), &self.body(b), a_from_b, &open[ix].grid);
            let [a, b] = [self.registered(a), self.registered(b)];
            for (frame, _) in cells.iter().zip(&open[ix].known).filter(|(_, known)| known.is_none()) {
                let Some(frame) = frame else { continue };
                frames.push(*frame);
                meshes.push(PairMeshes { first: [a.first, b.first], n: [a.n, b.n] });
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
            let reading = rays::read(&blocks, &self.body(pair.a), method, f64::from(reach), pair.size());
            found.push(Found { blocks, reading });
        }
        Ok(found)
    }

    /// Sees to it that the stages hold a mesh; false if there is no room for it.
    fn register(&mut self, solid: &Arc<Solid>) -> Result<bool, RunnerError> {
        let key = Arc::as_ptr(solid) as usize;
        if !self.meshes.contains_key(&key) {
            let clusters = Clusters::new(solid);
            let first = match self.runner.upload(&clusters.triangles, &clusters.boxes) {
                Ok(first) => first,
                Err(RunnerError::Upload(UploadError::Full { .. })) => return Ok(false),
                Err(error) => return Err(error),
            };
            let body = RayBody { aabb: solid.aabb(), origin: clusters.origin, unit: clusters.unit };
            let n = clusters.boxes.len() as u32;
            let overlaps_itself = rays::overlaps_itself(solid);
            let registered = Registered { _solid: Arc::clone(solid), first, n, body, overlaps_itself };
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
