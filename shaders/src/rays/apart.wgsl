// Ends pairs in which no ray passed through an overlap, no triangles cross and no shell of one body is inside the other: they are
// apart.
//
// An overlap without crossing triangles would be bounded by whole shells, and they would be in the box. So a point of each shell in the
// box is enough.

@group(0) @binding(1) var<storage, read> triangles: array<ClusterTriangles>;
@group(0) @binding(2) var<storage, read> clusters: array<Cluster>;
@group(0) @binding(3) var<storage, read> pairs: array<PairMeshes>;
@group(0) @binding(4) var<storage, read> frames: array<PairFrame>;
@group(0) @binding(5) var<storage, read_write> bounds: array<u32>;
@group(0) @binding(6) var<storage, read_write> blocks: array<ContactBlock>;

// A point of each shell in the box, in box coordinates, and how often the other body goes around it.
var<workgroup> seeds: array<vec3<f32>, MAX_SEEDS>;
var<workgroup> windings: array<atomic<u32>, MAX_SEEDS>;
var<workgroup> n_seeds: atomic<u32>;
var<workgroup> n_listed: u32;
var<workgroup> is_unclear: atomic<u32>;
var<workgroup> is_open: u32;
// Clusters in the columns below points, each with a point's number.
var<workgroup> below: array<u32, MAX_COLUMN>;
var<workgroup> n_below: atomic<u32>;

// What is looked for of a body: the beginnings of its shells in the box, or what it has in the columns below so many points.
struct Query {
    is_for_seeds: bool,
    n_seeds: u32,
    first: u32,
    first_box: u32,
    rows: array<vec4<f32>, 3>,
    reach: f32,
    lo: vec3<f32>,
    scale: vec3<f32>,
}

// Whether a box has anything in the column below a point.
fn is_below(lower: vec3<f32>, upper: vec3<f32>, seed: vec3<f32>) -> bool {
    return all(lower <= seed) && all(upper.xy >= seed.xy);
}

fn is_wanted(query: Query, cluster: Cluster) -> bool {
    let extent = extent_of(query.reach, query.rows, cluster);
    let lower = in_box(extent.lo, query.lo, query.scale);
    let upper = in_box(extent.hi, query.lo, query.scale);
    if (query.is_for_seeds) {
        let is_inside = all(lower <= vec3<f32>(1.0)) && all(upper >= vec3<f32>(0.0));
        return cluster.shell == SHELL_UNKNOWN || (cluster.shell == SHELL_NEXT && is_inside);
    }
    for (var k = 0u; k < query.n_seeds; k++) {
        if (is_below(lower, upper, seeds[k])) {
            return true;
        }
    }
    return false;
}

fn take_seed(query: Query, ix: u32) {
    if (clusters[query.first_box + ix].shell == SHELL_UNKNOWN) {
        atomicMax(&is_unclear, 1u);
        return;
    }
    let seed = corner(query.rows, query.lo, query.scale, (query.first + ix) * CLUSTER, 0u);
    if (all(seed >= vec3<f32>(0.0)) && all(seed <= vec3<f32>(1.0))) {
        let slot = atomicAdd(&n_seeds, 1u);
        if (slot < MAX_SEEDS) {
            seeds[slot] = seed;
        } else {
            atomicMax(&is_unclear, 1u);
        }
    }
}

fn take_below(query: Query, ix: u32) {
    let extent = extent_of(query.reach, query.rows, clusters[query.first_box + ix]);
    let lower = in_box(extent.lo, query.lo, query.scale);
    let upper = in_box(extent.hi, query.lo, query.scale);
    for (var k = 0u; k < query.n_seeds; k++) {
        if (is_below(lower, upper, seeds[k])) {
            let slot = atomicAdd(&n_below, 1u);
            if (slot < MAX_COLUMN) {
                below[slot] = (query.first + ix) * MAX_SEEDS + k;
            } else {
                atomicMax(&is_unclear, 1u);
            }
        }
    }
}

fn take(query: Query, ix: u32) {
    if (query.is_for_seeds) {
        take_seed(query, ix);
    } else {
        take_below(query, ix);
    }
}

// How often a triangle of the other body makes a ray to a point enter it.
fn winding_of(rows: array<vec4<f32>, 3>, frame: PairFrame, triangle: u32, seed: vec3<f32>) -> u32 {
    let a = corner(rows, frame.lo, frame.scale, triangle, 0u);
    let b = corner(rows, frame.lo, frame.scale, triangle, 1u);
    let c = corner(rows, frame.lo, frame.scale, triangle, 2u);
    let span = cross_row(a, b, c, seed.y);
    if (span.is_crossed && min(span.up.x, span.down.x) <= seed.x && seed.x < max(span.up.x, span.down.x)) {
        if (depth_at(span, seed.x) < seed.z) {
            return select(1u, 0xffffffffu, is_exit(span));
        }
    }
    return 0u;
}

// Counts how often a body goes around each point.
fn wind_seeds(lane: u32, frame: PairFrame, rows: array<vec4<f32>, 3>) {
    for (var ix = 0u; ix < min(atomicLoad(&n_below), MAX_COLUMN); ix++) {
        let k = below[ix] % MAX_SEEDS;
        let winding = winding_of(rows, frame, (below[ix] / MAX_SEEDS) * CLUSTER + lane, seeds[k]);
        if (winding != 0u) {
            atomicAdd(&windings[k], winding);
        }
    }
}

fn query_of(pair: u32, side: u32, is_for_seeds: bool, n: u32) -> Query {
    let frame = frames[pair];
    let held = pairs[pair];
    return Query(
        is_for_seeds, n, held.first[side], held.boxes[side], rows_of(frame, side), frame.reach, frame.lo, frame.scale,
    );
}

// A workgroup per pair; its threads share out boxes, and then the triangles of a cluster.
@compute @workgroup_size(WORKGROUP)
fn apart(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let pair = workgroup_ix(group);
    if (pair >= params.n_pairs || (frames[pair].state & (STATE_CELL | STATE_EMPTY)) != 0u) {
        return;
    }
    if (lane == 0u) {
        is_open = select(0u, 1u, blocks[pair].volume <= 0.0);
    }
    if (workgroupUniformLoad(&is_open) == 0u) {
        return;
    }
    for (var side = 0u; side < 2u; side++) {
        workgroupBarrier();
        if (lane < MAX_SEEDS) {
            atomicStore(&windings[lane], 0u);
        }
        if (lane == 0u) {
            atomicStore(&n_seeds, 0u);
            atomicStore(&n_below, 0u);
        }
        workgroupBarrier();
        descend(lane, pairs[pair].boxes[side], pairs[pair].n[side], query_of(pair, side, true, 0u));
        workgroupBarrier();
        if (lane == 0u) {
            n_listed = min(atomicLoad(&n_seeds), MAX_SEEDS);
        }
        let n = workgroupUniformLoad(&n_listed);
        let other = 1u - side;
        descend(lane, pairs[pair].boxes[other], pairs[pair].n[other], query_of(pair, other, false, n));
        workgroupBarrier();
        wind_seeds(lane, frames[pair], rows_of(frames[pair], other));
        workgroupBarrier();
        if (lane < n && bitcast<i32>(atomicLoad(&windings[lane])) > 0) {
            atomicMax(&is_unclear, 1u);
        }
    }
    workgroupBarrier();
    if (lane == 0u) {
        let clash = 2u * pair * BOUNDS + BOUND_CLASH;
        if (bounds[clash] == 0u && atomicLoad(&is_unclear) == 0u) {
            blocks[pair].state = blocks[pair].state | STATE_EMPTY;
        }
        bounds[clash] = 0u;
    }
}
