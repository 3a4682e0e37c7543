//! Dividing pairs into chunks that the scratch memory can hold.

use std::ops::Range;

use tactum_shaders::rays::layout::PairMeshes;
use tactum_shaders::rays::{Buffer, Capacity};

use crate::error::MeasureError;

/// What bounds a chunk.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Bytes that a binding can hold.
    pub max_binding: u64,
    /// Bytes that all scratch buffers together should take; a single pair may take more.
    pub max_scratch: u64,
    pub max_pairs: usize,
}

/// Consecutive pairs that are measured together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    pub pairs: Range<usize>,
    pub capacity: Capacity,
}

/// As few chunks as fit, in order.
pub fn plan(pairs: &[PairMeshes], empty: &Capacity, bounds: &Bounds) -> Result<Vec<Chunk>, MeasureError> {
    let mut chunks: Vec<Chunk> = Vec::new();
    for (ix, pair) in pairs.iter().enumerate() {
        // Checked before: no pair names more clusters than the device holds.
        let n_items = pair.n[0] + pair.n[1];
        if let Some(chunk) = chunks.last_mut()
            && chunk.pairs.len() < bounds.max_pairs
        {
            let capacity = with(&chunk.capacity, n_items);
            if too_large(&capacity, bounds).is_none() && total(&capacity) <= bounds.max_scratch {
                chunk.capacity = capacity;
                chunk.pairs.end = ix + 1;
                continue;
            }
        }
        let capacity = with(empty, n_items);
        if let Some((buffer, needed)) = too_large(&capacity, bounds) {
            return Err(MeasureError::PairTooLarge { pair: ix, buffer, needed, limit: bounds.max_binding });
        }
        chunks.push(Chunk { pairs: ix..ix + 1, capacity });
    }
    Ok(chunks)
}

fn with(capacity: &Capacity, n_items: u32) -> Capacity {
    Capacity { n_pairs: capacity.n_pairs + 1, n_items: capacity.n_items.saturating_add(n_items), ..*capacity }
}

fn too_large(capacity: &Capacity, bounds: &Bounds) -> Option<(Buffer, u64)> {
    Buffer::ALL
        .map(|buffer| (buffer, capacity.bytes(buffer)))
        .into_iter()
        .find(|(_, bytes)| *bytes > bounds.max_binding)
}

fn total(capacity: &Capacity) -> u64 {
    Buffer::ALL.iter().map(|&buffer| capacity.bytes(buffer)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tactum_shaders::rays::{BYTES_PER_RAY, Rounds};

    const CLUSTERS: [u32; 2] = [20, 30];

    fn pairs(n: usize) -> Vec<PairMeshes> {
        vec![PairMeshes { first: [0, 20], n: CLUSTERS, boxes: [0, 20] }; n]
    }

    fn empty(rays: u32) -> Capacity {
        Capacity { n_tiles: Rounds::new(1, rays, 100).n_tiles(), large_cap: 100, ..Capacity::default() }
    }

    fn generous() -> Bounds {
        Bounds { max_binding: 1 << 27, max_scratch: 1 << 27, max_pairs: usize::MAX }
    }

    fn assert_covers(chunks: &[Chunk], n: usize) {
        let mut next = 0;
        for chunk in chunks {
            assert_eq!(chunk.pairs.start, next);
            assert_eq!(chunk.capacity.n_pairs as usize, chunk.pairs.len());
            assert_eq!(chunk.capacity.n_items, chunk.pairs.len() as u32 * (CLUSTERS[0] + CLUSTERS[1]));
            next = chunk.pairs.end;
        }
        assert_eq!(next, n);
    }

    #[test]
    fn what_fits_is_one_chunk() {
        let chunks = plan(&pairs(100), &empty(32), &generous()).unwrap();
        assert_eq!(chunks.len(), 1);
        assert_covers(&chunks, 100);
    }

    #[test]
    fn no_pairs_are_no_chunks() {
        assert!(plan(&[], &empty(32), &generous()).unwrap().is_empty());
    }

    #[test]
    fn no_buffer_of_a_chunk_outgrows_a_binding_nor_all_of_them_the_scratch_memory() {
        let rays = 24 * 64 * 10;
        let bounds = Bounds { max_binding: rays * (BYTES_PER_RAY - 4), ..generous() };
        let chunks = plan(&pairs(35), &empty(32), &bounds).unwrap();
        assert_eq!(chunks.iter().map(|chunk| chunk.pairs.len()).collect::<Vec<_>>(), [10, 10, 10, 5]);
        assert_covers(&chunks, 35);

        let chunks = plan(&pairs(35), &empty(32), &Bounds { max_pairs: 8, ..generous() }).unwrap();
        assert_eq!(chunks.iter().map(|chunk| chunk.pairs.len()).collect::<Vec<_>>(), [8, 8, 8, 8, 3]);

        let bounds = Bounds { max_scratch: 1_000_000, ..generous() };
        let chunks = plan(&pairs(35), &empty(32), &bounds).unwrap();
        assert!(chunks.len() > 1 && chunks.iter().all(|chunk| total(&chunk.capacity) <= 1_000_000));
        assert_covers(&chunks, 35);
    }

    #[test]
    fn a_pair_may_outgrow_the_scratch_memory_but_not_a_binding() {
        let chunks = plan(&pairs(3), &empty(64), &Bounds { max_scratch: 1, ..generous() }).unwrap();
        assert_eq!(chunks.len(), 3);
        let error = plan(&pairs(3), &empty(64), &Bounds { max_binding: 1000, ..generous() }).unwrap_err();
        assert!(matches!(error, MeasureError::PairTooLarge { pair: 0, limit: 1000, .. }), "{error}");
    }
}
