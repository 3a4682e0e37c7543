// Puts every crossing of a triangle with a ray into the ray's list, in all three directions.

@group(0) @binding(1) var<storage, read> triangles: array<ClusterTriangles>;
@group(0) @binding(2) var<storage, read> frames: array<PairFrame>;
@group(0) @binding(3) var<storage, read> items: array<Item>;
@group(0) @binding(4) var<storage, read> groups: array<u32>;
@group(0) @binding(5) var<storage, read_write> counters: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> lists: array<u32>;
@group(0) @binding(8) var<storage, read_write> large: array<LargeItem>;

// Hands the triangle's rays out by tiles. Where the list is full the result is void: the host sees from the number of
// tiles that it has to make the list longer.
fn hand_out(side: u32, triangle: u32, direction: u32, first: vec2<u32>, end: vec2<u32>) {
    let lo = first / TILE;
    let hi = (end + (TILE - 1u)) / TILE;
    let n_tiles = (hi.x - lo.x) * (hi.y - lo.y);
    let slot = atomicAdd(&counters[COUNTER_LARGE], n_tiles);
    let fits = slot + n_tiles <= params.large_cap;
    var at = slot;
    for (var ty = lo.y; ty < hi.y; ty++) {
        for (var tx = lo.x; tx < hi.x; tx++) {
            if (at < params.large_cap) {
                // A place that was taken in vain names no direction.
                var item = LargeItem(side, triangle, 3u, 0u);
                if (fits) {
                    item.direction = direction;
                    item.tile = ty * (params.rays[direction] / TILE) + tx;
                }
                large[at] = item;
            }
            at++;
        }
    }
}

fn cast_rows(side: u32, direction: u32, a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, first: u32, end: u32, n: f32) {
    for (var j = first; j < end; j++) {
        let span = cross_row(a, b, c, f32(j) + 0.5);
        if (span.is_crossed) {
            let offset = row_offset(j, params.rays[direction]);
            let i_end = ray_from(max(span.up.x, span.down.x), offset, n);
            for (var i = ray_from(min(span.up.x, span.down.x), offset, n); i < i_end; i++) {
                let depth = depth_at(span, f32(i) + offset);
                add_hit(ray_ix(side / 2u, direction, i, j), depth, is_exit(span), side % 2u);
            }
        }
    }
}

fn cast_rays(side: u32, triangle: u32, direction: u32, a: vec3<f32>, b: vec3<f32>, c: vec3<f32>) {
    if (min(a.z, min(b.z, c.z)) >= 1.0) {
        return;
    }
    let n = f32(params.rays[direction]);
    let lo = min(a.xy, min(b.xy, c.xy));
    let hi = max(a.xy, max(b.xy, c.xy));
    // Rays stand anywhere between two columns, and a rounded crossing may reach one beyond the corners.
    let first = vec2<u32>(ray_from(lo.x, 2.0, n), ray_from(lo.y, 0.5, n));
    let end = vec2<u32>(ray_from(hi.x, -1.0, n), ray_from(hi.y, 0.5, n));
    if (first.x >= end.x || first.y >= end.y) {
        return;
    }
    let size = end - first;
    if (size.x * size.y > LARGE_TRIANGLE) {
        hand_out(side, triangle, direction, first, end);
    } else {
        cast_rows(side, direction, a, b, c, first.y, end.y, n);
    }
}

// A workgroup per item, a thread per triangle.
@compute @workgroup_size(WORKGROUP)
fn crossings(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let ix = workgroup_ix(group);
    if (ix >= groups[ARGUMENT_ITEMS + ARGUMENT_COUNT]) {
        return;
    }
    let item = items[ix];
    let frame = frames[item.side / 2u];
    let rows = rows_of(frame, item.side);
    let triangle = item.cluster * CLUSTER + lane;
    let a = corner(rows, frame.lo, frame.scale, triangle, 0u);
    let b = corner(rows, frame.lo, frame.scale, triangle, 1u);
    let c = corner(rows, frame.lo, frame.scale, triangle, 2u);
    for (var d = 0u; d < 3u; d++) {
        let n = f32(params.rays[d]);
        let to_grid = vec3<f32>(n, n, 1.0);
        cast_rays(
            item.side,
            triangle,
            d,
            by_direction(a, d) * to_grid,
            by_direction(b, d) * to_grid,
            by_direction(c, d) * to_grid,
        );
    }
}
