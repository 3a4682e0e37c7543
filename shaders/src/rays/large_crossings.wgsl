// Casts the rays of one tile against a triangle that covers many.

@group(0) @binding(1) var<storage, read> triangles: array<ClusterTriangles>;
@group(0) @binding(2) var<storage, read> frames: array<PairFrame>;
@group(0) @binding(3) var<storage, read> large: array<LargeItem>;
@group(0) @binding(4) var<storage, read> groups: array<u32>;
@group(0) @binding(5) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> lists: array<u32>;

// A workgroup per tile, a thread per ray.
@compute @workgroup_size(WORKGROUP)
fn large_crossings(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let ix = workgroup_ix(group);
    if (ix >= groups[ARGUMENT_LARGE + ARGUMENT_COUNT]) {
        return;
    }
    let item = large[ix];
    if (item.direction > 2u) {
        return;
    }
    let frame = frames[item.side / 2u];
    let rows = rows_of(frame, item.side);
    let side_rays = params.rays[item.direction];
    let n = f32(side_rays);
    let to_grid = vec3<f32>(n, n, 1.0);
    let a = by_direction(corner(rows, frame.lo, frame.scale, item.triangle, 0u), item.direction) * to_grid;
    let b = by_direction(corner(rows, frame.lo, frame.scale, item.triangle, 1u), item.direction) * to_grid;
    let c = by_direction(corner(rows, frame.lo, frame.scale, item.triangle, 2u), item.direction) * to_grid;
    let tiles = side_rays / TILE;
    let i = (item.tile % tiles) * TILE + lane % TILE;
    let j = (item.tile / tiles) * TILE + lane / TILE;
    let span = cross_row(a, b, c, f32(j) + 0.5);
    let offset = row_offset(j, side_rays);
    if (span.is_crossed
        && i >= ray_from(min(span.up.x, span.down.x), offset, n)
        && i < ray_from(max(span.up.x, span.down.x), offset, n)) {
        let ray = ray_ix(item.side / 2u, item.direction, i, j);
        add_hit(ray, depth_at(span, f32(i) + offset), is_exit(span), item.side % 2u);
    }
}
