//! The buffers that stages share, and how large they are.

use bytemuck::{Zeroable, cast_slice, cast_slice_mut};

use super::descend::{n_boxes, with_levels};
use super::layout::{
    BOUNDS, Cluster, ClusterTriangles, ContactBlock, Item, LIST_CAP, LargeItem, MeshPlace, PairFrame,
    PairMeshes, RaySums, Round, SUPPORT_SLOTS, TILE, argument, counter, span,
};
use super::work::Work;

/// A storage buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(usize)]
pub enum Buffer {
    /// All meshes' triangles by cluster: [`ClusterTriangles`].
    Triangles,
    /// All meshes' boxes, mesh after mesh: those around clusters, then those around [`super::FAN`] of them and so on: [`Cluster`].
    Clusters,
    /// Which meshes each pair holds: [`PairMeshes`].
    Pairs,
    /// Where each pair is: [`PairFrame`].
    Frames,
    /// Boxes around what each body has inside the pair's box: [`BOUNDS`] words per body.
    Bounds,
    /// Clusters to look at: [`Item`].
    Items,
    /// How many items and large items there are, and the most large items that there were in any round.
    Counters,
    /// Workgroups for the items and for the large items: for each `x, y, 1` and the number of items.
    Arguments,
    /// Per ray: number of crossings (16 bits), windings of A and of B where it begins (8 bits each).
    Counts,
    /// Per ray: [`LIST_CAP`] crossings; after the sweep, the ends of its intervals.
    Lists,
    /// Tiles of triangles that cover many rays: [`LargeItem`].
    Large,
    /// Sums per tile: [`RaySums`].
    Parts,
    /// Sums per pair and direction: [`RaySums`].
    Sums,
    /// Per tile the support of its points: value and tangential coordinate for each of [`SUPPORT_SLOTS`].
    Supports,
    /// What triangles say of each pair that is measured by them: [`span::N`] words.
    Spans,
    /// Results: [`ContactBlock`].
    Blocks,
}

impl Buffer {
    /// Number of buffers.
    pub const N: usize = 16;

    /// All of them, in the order of their declaration.
    pub const ALL: [Self; Self::N] = [
        Self::Triangles,
        Self::Clusters,
        Self::Pairs,
        Self::Frames,
        Self::Bounds,
        Self::Items,
        Self::Counters,
        Self::Arguments,
        Self::Counts,
        Self::Lists,
        Self::Large,
        Self::Parts,
        Self::Sums,
        Self::Supports,
        Self::Spans,
        Self::Blocks,
    ];

    /// Whether the buffer holds meshes, which outlive a step.
    pub fn is_mesh(self) -> bool {
        matches!(self, Self::Triangles | Self::Clusters)
    }
}

/// How much a chunk of pairs needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capacity {
    /// Pairs.
    pub n_pairs: u32,
    /// Tiles of rays per pair.
    pub n_tiles: u32,
    /// Clusters of all pairs' bodies.
    pub n_items: u32,
    /// Places for tiles of large triangles. A chunk that wants more, see [`Memory::large_wanted`], has to be measured again.
    pub large_cap: u32,
}

/// Bytes of lists and counts for one ray.
pub const BYTES_PER_RAY: u64 = 4 * (LIST_CAP as u64 + 1);

/// Bytes of the scratch memory for one pair, without rays and clusters.
pub const BYTES_PER_PAIR: u64 = (size_of::<PairMeshes>()
    + size_of::<PairFrame>()
    + 2 * BOUNDS * 4
    + 3 * size_of::<RaySums>()
    + size_of::<ContactBlock>()) as u64;

/// Bytes of [`Buffer::Spans`] for one pair that is measured by triangles.
pub const BYTES_PER_PAIR_OF_TRIANGLES: u64 = span::N as u64 * 4;

/// Bytes of sums and supports for one tile, without its rays.
pub const BYTES_PER_TILE: u64 = (size_of::<RaySums>() + SUPPORT_SLOTS as usize * 8) as u64;

impl Capacity {
    /// Words of [`Buffer::Spans`]: none where pairs are measured by rays, which have tiles.
    fn n_spans(&self) -> usize {
        if self.n_tiles == 0 { self.n_pairs as usize * span::N } else { 0 }
    }

    /// Size of a buffer in bytes; 0 for meshes, whose size does not depend on the pairs.
    pub fn bytes(&self, buffer: Buffer) -> u64 {
        let [pairs, tiles, items, large] =
            [self.n_pairs, self.n_pairs * self.n_tiles, self.n_items, self.large_cap].map(u64::from);
        let rays = tiles * u64::from(TILE * TILE);
        match buffer {
            Buffer::Triangles | Buffer::Clusters => 0,
            Buffer::Pairs => pairs * size_of::<PairMeshes>() as u64,
            Buffer::Frames => pairs * size_of::<PairFrame>() as u64,
            Buffer::Bounds => pairs * 2 * BOUNDS as u64 * 4,
            Buffer::Items => items * size_of::<Item>() as u64,
            Buffer::Counters => 4 * counter::N as u64,
            Buffer::Arguments => 4 * argument::N as u64,
            Buffer::Counts => rays * 4,
            Buffer::Lists => rays * u64::from(LIST_CAP) * 4,
            Buffer::Large => large * size_of::<LargeItem>() as u64,
            Buffer::Parts => tiles * size_of::<RaySums>() as u64,
            Buffer::Sums => pairs * 3 * size_of::<RaySums>() as u64,
            Buffer::Supports => tiles * u64::from(SUPPORT_SLOTS) * 8,
            Buffer::Spans => 4 * self.n_spans() as u64,
            Buffer::Blocks => pairs * size_of::<ContactBlock>() as u64,
        }
    }
}

/// Meshes as the stages read them.
#[derive(Clone, Debug, Default)]
pub struct Meshes {
    /// [`Buffer::Triangles`].
    pub triangles: Vec<ClusterTriangles>,
    /// [`Buffer::Clusters`].
    pub clusters: Vec<Cluster>,
}

impl Meshes {
    /// Adds a mesh: its clusters, and the boxes around them.
    pub fn add(&mut self, triangles: &[ClusterTriangles], of_clusters: &[Cluster]) -> MeshPlace {
        let place = MeshPlace {
            first: self.triangles.len() as u32,
            n: triangles.len() as u32,
            boxes: self.clusters.len() as u32,
        };
        self.triangles.extend_from_slice(triangles);
        self.clusters.extend(with_levels(of_clusters));
        place
    }

    /// The boxes of a body of a pair, level after level.
    pub(super) fn boxes_of(&self, pair: &PairMeshes, body: u32) -> &[Cluster] {
        let body = body as usize;
        &self.clusters[pair.boxes[body] as usize..][..n_boxes(pair.n[body]) as usize]
    }

    /// The box around one of its clusters.
    pub(super) fn box_of(&self, pair: &PairMeshes, body: u32, cluster: u32) -> &Cluster {
        let body = body as usize;
        &self.clusters[(pair.boxes[body] + (cluster - pair.first[body])) as usize]
    }
}

/// Everything that stages write, in host memory.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// [`Buffer::Pairs`].
    pub pairs: Vec<PairMeshes>,
    /// [`Buffer::Frames`].
    pub frames: Vec<PairFrame>,
    /// [`Buffer::Bounds`].
    pub bounds: Vec<u32>,
    /// [`Buffer::Items`].
    pub items: Vec<Item>,
    /// [`Buffer::Counters`].
    pub counters: [u32; counter::N],
    /// [`Buffer::Arguments`].
    pub arguments: [u32; argument::N],
    /// [`Buffer::Counts`].
    pub counts: Vec<u32>,
    /// [`Buffer::Lists`].
    pub lists: Vec<u32>,
    /// [`Buffer::Large`].
    pub large: Vec<LargeItem>,
    /// [`Buffer::Parts`].
    pub parts: Vec<RaySums>,
    /// [`Buffer::Sums`].
    pub sums: Vec<RaySums>,
    /// [`Buffer::Supports`].
    pub supports: Vec<[f32; 2]>,
    /// [`Buffer::Spans`].
    pub spans: Vec<u32>,
    /// [`Buffer::Blocks`].
    pub blocks: Vec<ContactBlock>,
}

/// A body's words in [`Buffer::Bounds`] before any triangle was seen: a lower corner above everything.
pub const EMPTY_BOUNDS: [u32; BOUNDS] = {
    let mut words = [0; BOUNDS];
    words[0] = u32::MAX;
    words[1] = u32::MAX;
    words[2] = u32::MAX;
    words
};

impl Memory {
    /// Memory for a chunk, as the first stage expects it.
    pub fn new(capacity: &Capacity) -> Self {
        let mut memory = Self::default();
        memory.prepare(capacity);
        memory
    }

    /// Memory for a chunk of pairs, their places filled in.
    pub fn of_pairs(pairs: &[PairMeshes], frames: &[PairFrame], n_tiles: u32, large_cap: u32) -> Self {
        let mut memory = Self::new(&Capacity {
            n_pairs: pairs.len() as u32,
            n_tiles,
            n_items: pairs.iter().map(|pair| pair.n[0] + pair.n[1]).sum(),
            large_cap,
        });
        memory.pairs.copy_from_slice(pairs);
        memory.frames.copy_from_slice(frames);
        memory
    }

    /// The most places for tiles of large triangles that any round wanted. The blocks are void if there were fewer.
    pub fn large_wanted(&self) -> u32 {
        self.counters[counter::LARGE_WANTED]
    }

    /// Brings the memory to a chunk's size and to the state that the first stage expects.
    pub fn prepare(&mut self, capacity: &Capacity) {
        let pairs = capacity.n_pairs as usize;
        let tiles = pairs * capacity.n_tiles as usize;
        let rays = tiles * (TILE * TILE) as usize;
        self.pairs.resize(pairs, PairMeshes::default());
        self.frames.resize(pairs, PairFrame::default());
        self.bounds.clear();
        for _ in 0..2 * pairs {
            self.bounds.extend(EMPTY_BOUNDS);
        }
        self.items.resize(capacity.n_items as usize, Item::default());
        self.counters = [0; counter::N];
        self.counts.clear();
        self.counts.resize(rays, 0);
        self.lists.resize(rays * LIST_CAP as usize, 0);
        self.large.resize(capacity.large_cap as usize, LargeItem::default());
        self.parts.resize(tiles, RaySums::default());
        self.sums.resize(3 * pairs, RaySums::default());
        self.supports.resize(tiles * SUPPORT_SLOTS as usize, [0.0; 2]);
        self.spans.clear();
        self.spans.resize(capacity.n_spans(), 0);
        self.blocks.resize(pairs, ContactBlock::zeroed());
    }

    /// A buffer's bytes; those of a mesh are in [`Meshes::bytes`].
    pub fn bytes(&self, buffer: Buffer) -> &[u8] {
        match buffer {
            Buffer::Triangles | Buffer::Clusters => &[],
            Buffer::Pairs => cast_slice(&self.pairs),
            Buffer::Frames => cast_slice(&self.frames),
            Buffer::Bounds => cast_slice(&self.bounds),
            Buffer::Items => cast_slice(&self.items),
            Buffer::Counters => cast_slice(&self.counters),
            Buffer::Arguments => cast_slice(&self.arguments),
            Buffer::Counts => cast_slice(&self.counts),
            Buffer::Lists => cast_slice(&self.lists),
            Buffer::Large => cast_slice(&self.large),
            Buffer::Parts => cast_slice(&self.parts),
            Buffer::Sums => cast_slice(&self.sums),
            Buffer::Supports => cast_slice(&self.supports),
            Buffer::Spans => cast_slice(&self.spans),
            Buffer::Blocks => cast_slice(&self.blocks),
        }
    }

    /// A buffer's bytes, to write what a device read back.
    pub fn bytes_mut(&mut self, buffer: Buffer) -> &mut [u8] {
        match buffer {
            Buffer::Triangles | Buffer::Clusters => &mut [],
            Buffer::Pairs => cast_slice_mut(&mut self.pairs),
            Buffer::Frames => cast_slice_mut(&mut self.frames),
            Buffer::Bounds => cast_slice_mut(&mut self.bounds),
            Buffer::Items => cast_slice_mut(&mut self.items),
            Buffer::Counters => cast_slice_mut(&mut self.counters),
            Buffer::Arguments => cast_slice_mut(&mut self.arguments),
            Buffer::Counts => cast_slice_mut(&mut self.counts),
            Buffer::Lists => cast_slice_mut(&mut self.lists),
            Buffer::Large => cast_slice_mut(&mut self.large),
            Buffer::Parts => cast_slice_mut(&mut self.parts),
            Buffer::Sums => cast_slice_mut(&mut self.sums),
            Buffer::Supports => cast_slice_mut(&mut self.supports),
            Buffer::Spans => cast_slice_mut(&mut self.spans),
            Buffer::Blocks => cast_slice_mut(&mut self.blocks),
        }
    }
}

impl Meshes {
    /// A mesh buffer's bytes; empty for the others.
    pub fn bytes(&self, buffer: Buffer) -> &[u8] {
        match buffer {
            Buffer::Triangles => cast_slice(&self.triangles),
            Buffer::Clusters => cast_slice(&self.clusters),
            _ => &[],
        }
    }
}

/// What a stage's twin works on.
pub struct Operands<'a> {
    /// Meshes, only read.
    pub meshes: &'a Meshes,
    /// Everything else.
    pub memory: &'a mut Memory,
    /// The round's numbers.
    pub round: &'a Round,
    /// What was done is added to it.
    pub work: &'a mut Work,
}
