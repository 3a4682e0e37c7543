// Finds pairs in which triangles of both bodies may cross inside the box, of those where no ray passed through an overlap.

@group(0) @binding(1) var<storage, read> triangles: array<ClusterTriangles>;
@group(0) @binding(2) var<storage, read> clusters: array<Cluster>;
@group(0) @binding(3) var<storage, read> pairs: array<PairMeshes>;
@group(0) @binding(4) var<storage, read> frames: array<PairFrame>;
@group(0) @binding(5) var<storage, read> items: array<Item>;
@group(0) @binding(6) var<storage, read> groups: array<u32>;
@group(0) @binding(7) var<storage, read> blocks: array<ContactBlock>;
@group(0) @binding(8) var<storage, read_write> bounds: array<atomic<u32>>;

// Clusters of B near that of A, and the triangles of one of them in the pair's frame.
var<workgroup> near: array<u32, MAX_NEAR>;
var<workgroup> n_near: atomic<u32>;
var<workgroup> n_listed: u32;
var<workgroup> corners: array<vec3<f32>, N_CLUSTER_CORNERS>;

const N_CLUSTER_CORNERS = 3u * CLUSTER;

struct Triangle {
    a: vec3<f32>,
    b: vec3<f32>,
    c: vec3<f32>,
}

fn corner_in_frame(rows: array<vec4<f32>, 3>, cluster: u32, lane: u32, k: u32) -> vec3<f32> {
    let x = vec3<f32>(
        triangles[cluster].corners[3u * k][lane],
        triangles[cluster].corners[3u * k + 1u][lane],
        triangles[cluster].corners[3u * k + 2u][lane],
    );
    return in_frame(rows, x);
}

// What two boxes share.
fn shared_extent(a: Extent, b: Extent) -> Extent {
    return Extent(max(a.lo, b.lo), min(a.hi, b.hi));
}

fn is_parted(extent: Extent, margin: f32) -> bool {
    return any(extent.lo > extent.hi + vec3<f32>(margin));
}

fn extent_of_triangle(t: Triangle) -> Extent {
    return Extent(min(t.a, min(t.b, t.c)), max(t.a, max(t.b, t.c)));
}

// Sums and products that a driver can fuse in one way only.
fn scalar(a: vec3<f32>, b: vec3<f32>) -> f32 {
    return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z));
}

fn vector(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(fma(a.y, b.z, -(a.z * b.y)), fma(a.z, b.x, -(a.x * b.z)), fma(a.x, b.y, -(a.y * b.x)));
}

// Whether two triangles, given from the first one's first corner on, are apart along an axis; any axis proves it.
fn is_apart_along(axis: vec3<f32>, a: Triangle, b: Triangle, margin: f32) -> bool {
    let a1 = scalar(axis, a.b);
    let a2 = scalar(axis, a.c);
    let b0 = scalar(axis, b.a);
    let b1 = scalar(axis, b.b);
    let b2 = scalar(axis, b.c);
    let gap = max(min(b0, min(b1, b2)) - max(0.0, max(a1, a2)), min(0.0, min(a1, a2)) - max(b0, max(b1, b2)));
    let least = margin * (abs(axis.x) + abs(axis.y) + abs(axis.z));
    return least > TINY && gap > least;
}

// Whether two triangles are certainly apart within the box: along the frame's axes, their normals, the normals of their sides or what
// is normal to a side of each.
fn are_apart(a: Triangle, b: Triangle, box: Extent, margin: f32) -> bool {
    if (is_parted(shared_extent(shared_extent(extent_of_triangle(a), extent_of_triangle(b)), box), margin)) {
        return true;
    }
    let own = Triangle(vec3<f32>(0.0), a.b - a.a, a.c - a.a);
    let other = Triangle(b.a - a.a, b.b - a.a, b.c - a.a);
    let p = array<vec3<f32>, 3>(own.b, own.c - own.b, own.c);
    let q = array<vec3<f32>, 3>(other.b - other.a, other.c - other.b, other.a - other.c);
    let n = vector(p[0], p[2]);
    let m = vector(q[0], q[1]);
    // Written out: some drivers count the turns of all loops together.
    return is_apart_along(n, own, other, margin)
        || is_apart_along(m, own, other, margin)
        || is_apart_along(vector(p[0], q[0]), own, other, margin)
        || is_apart_along(vector(p[0], q[1]), own, other, margin)
        || is_apart_along(vector(p[0], q[2]), own, other, margin)
        || is_apart_along(vector(p[1], q[0]), own, other, margin)
        || is_apart_along(vector(p[1], q[1]), own, other, margin)
        || is_apart_along(vector(p[1], q[2]), own, other, margin)
        || is_apart_along(vector(p[2], q[0]), own, other, margin)
        || is_apart_along(vector(p[2], q[1]), own, other, margin)
        || is_apart_along(vector(p[2], q[2]), own, other, margin)
        || is_apart_along(vector(n, p[0]), own, other, margin)
        || is_apart_along(vector(n, p[1]), own, other, margin)
        || is_apart_along(vector(n, p[2]), own, other, margin)
        || is_apart_along(vector(m, q[0]), own, other, margin)
        || is_apart_along(vector(m, q[1]), own, other, margin)
        || is_apart_along(vector(m, q[2]), own, other, margin);
}

// Unused places of a cluster repeat one point.
fn is_point(t: Triangle) -> bool {
    return all(t.a == t.b) && all(t.b == t.c);
}

// What a cluster of A has in the box, and how B lies.
struct Query {
    first: u32,
    around: Extent,
    rows: array<vec4<f32>, 3>,
    reach: f32,
    margin: f32,
}

fn is_wanted(query: Query, cluster: Cluster) -> bool {
    return !is_parted(shared_extent(extent_of(query.reach, query.rows, cluster), query.around), query.margin);
}

fn take(query: Query, ix: u32) {
    let slot = atomicAdd(&n_near, 1u);
    if (slot < MAX_NEAR) {
        near[slot] = query.first + ix;
    }
}

// A workgroup per item of a body A, a thread per triangle of it.
@compute @workgroup_size(WORKGROUP)
fn clash(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let ix = workgroup_ix(group);
    if (ix >= groups[ARGUMENT_ITEMS + ARGUMENT_COUNT] || items[ix].side % 2u == 1u) {
        return;
    }
    let item = items[ix];
    let pair = item.side / 2u;
    if (!(blocks[pair].volume <= 0.0) || (frames[pair].state & STATE_CELL) != 0u) {
        return;
    }
    let frame = frames[pair];
    let margin = SEPARATION * frame.reach;
    let box = Extent(frame.lo, frame.hi);
    let held = pairs[pair];
    let cluster = clusters[held.boxes.x + item.cluster - held.first.x];
    let around = shared_extent(extent_of(frame.reach, frame.frame_from_a, cluster), box);
    descend(lane, held.boxes.y, held.n.y, Query(held.first.y, around, frame.frame_from_b, frame.reach, margin));
    workgroupBarrier();
    if (lane == 0u) {
        n_listed = atomicLoad(&n_near);
    }
    let n_wanted = workgroupUniformLoad(&n_listed);
    let a = Triangle(
        corner_in_frame(frame.frame_from_a, item.cluster, lane, 0u),
        corner_in_frame(frame.frame_from_a, item.cluster, lane, 1u),
        corner_in_frame(frame.frame_from_a, item.cluster, lane, 2u),
    );
    let is_looked_at = !is_point(a) && !is_parted(shared_extent(extent_of_triangle(a), box), margin);
    // What has no room in the list is not told apart.
    var is_clash = n_wanted > MAX_NEAR;
    for (var k = 0u; k < min(n_wanted, MAX_NEAR); k++) {
        workgroupBarrier();
        for (var c = 0u; c < 3u; c++) {
            corners[3u * lane + c] = corner_in_frame(frame.frame_from_b, near[k], lane, c);
        }
        workgroupBarrier();
        for (var t = 0u; t < CLUSTER && is_looked_at && !is_clash; t++) {
            let b = Triangle(corners[3u * t], corners[3u * t + 1u], corners[3u * t + 2u]);
            is_clash = !is_point(b) && !are_apart(a, b, box, margin);
        }
    }
    if (is_clash) {
        atomicMax(&bounds[item.side * BOUNDS + BOUND_CLASH], 1u);
    }
}
