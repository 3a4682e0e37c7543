//! What carries out the ray stages.

use rayon::prelude::*;
use tactum_shaders::layout::{Cluster, ClusterTriangles, ContactBlock, PairFrame, PairMeshes};
use tactum_shaders::{Capacity, Memory, Meshes, Rounds, needs_axes, record, twin};
use thiserror::Error;

/// Why rays could not be cast.
#[derive(Debug, Error)]
pub enum CastError {}

/// What carries out the ray stages.
#[derive(Debug)]
pub enum Caster {
    /// Their twins, on the processor.
    Twins(Twins),
}

impl Caster {
    /// Keeps a mesh for later pairs; the number of its first cluster.
    ///
    /// # Errors
    ///
    /// [`CastError`] if the device has no room for it.
    pub fn upload(&mut self, triangles: &[ClusterTriangles], boxes: &[Cluster]) -> Result<u32, CastError> {
        match self {
            Self::Twins(twins) => Ok(twins.upload(triangles, boxes)),
        }
    }

    /// Casts `rays` rays a side across the third axis of each frame, and half as many across the others.
    ///
    /// # Errors
    ///
    /// [`CastError`] if the device fails.
    pub fn measure(
        &mut self,
        pairs: &[PairMeshes],
        frames: &[PairFrame],
        rays: u32,
    ) -> Result<Vec<ContactBlock>, CastError> {
        match self {
            Self::Twins(twins) => Ok(twins.measure(pairs, frames, rays)),
        }
    }
}

/// The stages' twins, a pair at a time on all threads.
#[derive(Debug, Default)]
pub struct Twins {
    meshes: Meshes,
}

/// Places for tiles of large triangles of one pair; more would change nothing but the memory.
const LARGE_CAP: u32 = 4096;

impl Twins {
    fn upload(&mut self, triangles: &[ClusterTriangles], boxes: &[Cluster]) -> u32 {
        let first = self.meshes.clusters.len() as u32;
        self.meshes.triangles.extend_from_slice(triangles);
        self.meshes.clusters.extend_from_slice(boxes);
        first
    }

    fn measure(&self, pairs: &[PairMeshes], frames: &[PairFrame], rays: u32) -> Vec<ContactBlock> {
        let rounds = Rounds::new(1, rays, LARGE_CAP);
        let measure = |memory: &mut Memory, (pair, frame): (&PairMeshes, &PairFrame)| {
            memory.prepare(&Capacity {
                n_pairs: 1,
                n_tiles: rounds.n_tiles(),
                n_items: pair.n[0] + pair.n[1],
                large_cap: LARGE_CAP,
            });
            memory.pairs[0] = *pair;
            memory.frames[0] = *frame;
            twin::run(&record(1, &rounds, needs_axes(&[*frame])), &rounds, &self.meshes, memory);
            memory.blocks[0]
        };
        pairs.par_iter().zip(frames).map_init(Memory::default, measure).collect()
    }
}
