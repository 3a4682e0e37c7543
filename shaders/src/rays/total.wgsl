// Puts the sums over pairs of triangles into the form of sums over rays, of which one stands for the whole face of the box.

@group(0) @binding(1) var<storage, read_write> spans: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<RaySums>;

// A thread per direction of a pair.
@compute @workgroup_size(WORKGROUP)
fn total(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let ix = workgroup_ix(group) * WORKGROUP + lane;
    if (ix >= 3u * params.n_pairs) {
        return;
    }
    let first = (ix / 3u) * N_SPAN;
    let at = first + SPAN_SUMS + (ix % 3u) * 2u * N_SUMS;
    var found: RaySums;
    for (var k = 0u; k < N_SUMS; k++) {
        found.sums[k] = from_fixed(vec2<u32>(spans[at + 2u * k], spans[at + 2u * k + 1u])) * LAST;
        spans[at + 2u * k] = 0u;
        spans[at + 2u * k + 1u] = 0u;
    }
    let length = found.sums[LENGTH];
    let square = found.sums[SQUARE];
    // A ray is taken to stand for a square, which what is exact does not.
    found.sums[LENGTH_XX] -= length / 12.0;
    found.sums[LENGTH_YY] -= length / 12.0;
    found.sums[SQUARE] = 0.5 * (length - square);
    found.sums[SQUARE_X] = 0.5 * (found.sums[LENGTH_X] - found.sums[SQUARE_X]);
    found.sums[SQUARE_Y] = 0.5 * (found.sums[LENGTH_Y] - found.sums[SQUARE_Y]);
    found.sums[CUBE] = 0.25 * length - (0.5 * square - found.sums[CUBE] / 3.0);
    found.longest = found.sums[FLOOR];
    found.sums[MIXED] = max(min(found.sums[ENDS_A], found.sums[ENDS_B]), 0.0);
    found.sums[OVERFLOW] = select(0.0, 1.0, spans[first + SPAN_OVERFLOW] != 0u);
    // What a quarter of the rays says more is the bound of the error.
    found.sums[QUARTER_LENGTH] = 0.25 * (length + found.sums[QUARTER_LENGTH]);
    found.columns = 0xffffffffu;
    found.rows = 0xffffffffu;
    sums[ix] = found;
}
