//! The table of ray stages: what each reads and writes, its shader and its twin.

use super::memory::{Buffer, Operands};
use crate::groups::WORKGROUP;
use crate::stage;

/// A stage of a measurement by rays.
pub type Stage = stage::Stage<Buffer, fn(&mut Operands<'_>)>;

stage::stages! {
    Cull cull [place, extent, descend] WORKGROUP: read Clusters, read Pairs, read Frames, write Items, write Counters;
    Dispatch dispatch [] 1: write Counters, write Arguments;
    Tighten tighten [place, corner, scanline] WORKGROUP: read Triangles, read Frames, read Items, read Arguments, write Bounds;
    Shrink shrink [place] WORKGROUP: write Bounds, write Frames;
    Crossings crossings [place, corner, scanline, hit] WORKGROUP: read Triangles, read Frames, read Items, read Arguments, write Counters, write Counts,
        write Lists, write Large;
    LargeCrossings large_crossings [place, corner, scanline, hit] WORKGROUP: read Triangles, read Frames, read Large, read Arguments, write Counts,
        write Lists;
    Sweep sweep [place, tree] WORKGROUP: write Counts, write Lists, write Parts;
    Reduce reduce [place, tree] WORKGROUP: read Parts, write Sums;
    Align align [place, moments] WORKGROUP: read Sums, write Frames;
    Assemble assemble [place, moments] WORKGROUP: read Sums, read Frames, write Blocks;
    Meet meet [place, extent, descend] WORKGROUP: read Clusters, read Pairs, read Frames, read Items, read Arguments, write Counters, write Large;
    Overlay overlay [place, fixed, corner_fixed, pairing, tree] WORKGROUP: read Triangles, read Frames, read Large, read Arguments, write Spans;
    Total total [place, fixed] WORKGROUP: write Spans, write Sums;
    Rim rim [place, fixed, corner_fixed, pairing, extent, descend, scanline, probe] WORKGROUP: read Triangles, read Clusters, read Pairs, read Frames, read Items,
        read Arguments, read Blocks, write Spans;
    Bound bound [place] WORKGROUP: read Frames, write Spans, write Bounds;
    Hull hull [place, probe] WORKGROUP: write Spans, write Blocks;
    Clash clash [place, extent, descend] WORKGROUP: read Triangles, read Clusters, read Pairs, read Frames, read Items, read Arguments, read Blocks,
        write Bounds;
    Apart apart [place, corner, scanline, extent, descend] WORKGROUP: read Triangles, read Clusters, read Pairs, read Frames, write Bounds, write Blocks;
    Support support [place] WORKGROUP: read Blocks, read Parts, write Counts, read Lists, write Supports;
    Polygon polygon [place] WORKGROUP: read Parts, read Supports, write Blocks;
}
