// Where things are: indices of workgroups, maps from bodies to the pair's box.

fn workgroup_ix(group: vec3<u32>) -> u32 {
    return group.y * MAX_GROUPS + group.x;
}

// Explicit fused operations: an optimiser that contracts one copy of this code and not another would open gaps
// between neighbouring triangles.
fn in_frame(rows: array<vec4<f32>, 3>, x: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(
        fma(rows[0].x, x.x, fma(rows[0].y, x.y, fma(rows[0].z, x.z, rows[0].w))),
        fma(rows[1].x, x.x, fma(rows[1].y, x.y, fma(rows[1].z, x.z, rows[1].w))),
        fma(rows[2].x, x.x, fma(rows[2].y, x.y, fma(rows[2].z, x.z, rows[2].w))),
    );
}

// The rows of the body that a side stands for.
fn rows_of(frame: PairFrame, side: u32) -> array<vec4<f32>, 3> {
    if (side % 2u == 1u) {
        return frame.frame_from_b;
    }
    return frame.frame_from_a;
}

fn in_box(x: vec3<f32>, lo: vec3<f32>, scale: vec3<f32>) -> vec3<f32> {
    return (x - lo) * scale;
}

// Where the rays of a row stand between the columns' left sides: the row's number with its bits reversed, as in
// Hammersley's set, so that an edge along the columns is not met by all rows in the same way. Exact in 32 bits, and the
// same from both ends.
fn row_offset(row: u32, n_rays: u32) -> f32 {
    return (f32(reverseBits(row) >> (countLeadingZeros(n_rays) + 1u)) + 0.5) / f32(n_rays);
}

// The axis of the rays a tile belongs to.
fn direction_of_tile(tile: u32) -> u32 {
    if (tile >= params.first_tile.z) {
        return 2u;
    }
    if (tile >= params.first_tile.y) {
        return 1u;
    }
    return 0u;
}

// Coordinates in the order of a direction: the two axes after it, then the direction itself.
fn by_direction(x: vec3<f32>, direction: u32) -> vec3<f32> {
    if (direction == 0u) {
        return x.yzx;
    }
    if (direction == 1u) {
        return x.zxy;
    }
    return x;
}

// The inverse of by_direction.
fn by_axis(x: vec3<f32>, direction: u32) -> vec3<f32> {
    if (direction == 0u) {
        return x.zxy;
    }
    if (direction == 1u) {
        return x.yzx;
    }
    return x;
}
