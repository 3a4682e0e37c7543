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

// Lists a point of each shell of a body that is in the box.
fn list_seeds(lane: u32, pair: u32, side: u32) {
    let rows = rows_of(frames[pair], side);
    let first = pairs[pair].first[side];
    for (var ix = first + lane; ix < first + pairs[pair].n[side]; ix += WORKGROUP) {
        if (clusters[ix].shell == SHELL_UNKNOWN) {
            atomicMax(&is_unclear, 1u);
        } else if (clusters[ix].shell == SHELL_NEXT) {
            let seed = corner(rows, frames[pair].lo, frames[pair].scale, ix * CLUSTER, 0u);
            if (all(seed >= vec3<f32>(0.0)) && all(seed <= vec3<f32>(1.0))) {
                let slot = atomicAdd(&n_seeds, 1u);
                if (slot < MAX_SEEDS) {
                    seeds[slot] = seed;
                } else {
                    atomicMax(&is_unclear, 1u);
                }
            }
        }
    }
}

// Whether a cluster has anything in the column below a point.
fn is_below(frame: PairFrame, rows: array<vec4<f32>, 3>, cluster: Cluster, seed: vec3<f32>) -> bool {
    let extent = extent_of(frame, rows, cluster);
    let lower = in_box(extent.lo, frame.lo, frame.scale);
    let upper = in_box(extent.hi, frame.lo, frame.scale);
    return all(lower <= seed) && all(upper.xy >= seed.xy);
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
fn wind_seeds(lane: u32, pair: u32, side: u32, n: u32) {
    let frame = frames[pair];
    let rows = rows_of(frame, side);
    let first = pairs[pair].first[side];
    var n_looked_at = 0u;
    for (var ix = first + lane; ix < first + pairs[pair].n[side]; ix += WORKGROUP) {
        for (var k = 0u; k < n; k++) {
            if (!is_below(frame, rows, clusters[ix], seeds[k])) {
                continue;
            }
            n_looked_at++;
            if (n_looked_at > MAX_COLUMN) {
                atomicMax(&is_unclear, 1u);
                continue;
            }
            var winding = 0u;
            for (var t = 0u; t < CLUSTER; t++) {
                winding += winding_of(rows, frame, ix * CLUSTER + t, seeds[k]);
            }
            atomicAdd(&windings[k], winding);
        }
    }
}

// A workgroup per pair, a thread for every 64th cluster.
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
        }
        workgroupBarrier();
        list_seeds(lane, pair, side);
        workgroupBarrier();
        if (lane == 0u) {
            n_listed = min(atomicLoad(&n_seeds), MAX_SEEDS);
        }
        let n = workgroupUniformLoad(&n_listed);
        wind_seeds(lane, pair, 1u - side, n);
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
