// Corners of triangles by whole numbers.

// A body's axes, its translation from the box's lower corner and its units.
struct FixedPlace {
    rows: array<vec3<i32>, 3>,
    from_lo: array<vec2<u32>, 3>,
    inverse_of_unit: f32,
    fine: f32,
    scale: vec3<f32>,
}

fn fixed_place(frame: PairFrame, side: u32) -> FixedPlace {
    var rows = frame.fixed_from_a;
    var low = frame.low_a;
    var unit = frame.unit_a;
    if (side % 2u == 1u) {
        rows = frame.fixed_from_b;
        low = frame.low_b;
        unit = frame.unit_b;
    }
    var place: FixedPlace;
    place.inverse_of_unit = inverse_of_power(unit);
    place.fine = unit * FINE;
    place.scale = frame.scale;
    for (var k = 0u; k < 3u; k++) {
        place.rows[k] = rows[k].xyz;
        let from_origin = vec2<u32>(low[k], bitcast<u32>(rows[k].w));
        let corner = to_fixed(frame.lo[k] * inverse_of_power(place.fine));
        place.from_lo[k] = add_wide(from_origin, negated_wide(corner));
    }
    return place;
}

// How far two bodies' points may be off along each axis of the box, in box coordinates.
fn place_error(frame: PairFrame) -> vec3<f32> {
    return frame.scale * (PLACE * frame.reach);
}

fn fixed_along(place: FixedPlace, axis: u32, x: vec3<i32>) -> vec2<u32> {
    let row = place.rows[axis];
    var along = add_wide(place.from_lo[axis], product_wide(row.x, x.x));
    along = add_wide(along, product_wide(row.y, x.y));
    return add_wide(along, product_wide(row.z, x.z));
}

// A byte of a word, with its sign.
fn signed_byte(word: u32, byte: u32) -> i32 {
    let above = WORD_BITS - BYTE_BITS;
    return bitcast<i32>(word << (above - BYTE_BITS * byte)) >> above;
}

// A point from the box's lower corner.
struct FixedPoint {
    x: vec2<u32>,
    y: vec2<u32>,
    z: vec2<u32>,
}

fn fixed_point(place: FixedPlace, cluster: u32, lane: u32, k: u32) -> FixedPoint {
    let low = triangles[cluster].low[k][lane];
    let x = vec3<i32>(
        i32(triangles[cluster].corners[3u * k][lane] * place.inverse_of_unit) + signed_byte(low, 0u),
        i32(triangles[cluster].corners[3u * k + 1u][lane] * place.inverse_of_unit) + signed_byte(low, 1u),
        i32(triangles[cluster].corners[3u * k + 2u][lane] * place.inverse_of_unit) + signed_byte(low, 2u),
    );
    return FixedPoint(fixed_along(place, 0u, x), fixed_along(place, 1u, x), fixed_along(place, 2u, x));
}

// A point in box coordinates.
fn in_box_of(place: FixedPlace, x: FixedPoint) -> vec3<f32> {
    return vec3<f32>(
        from_fixed(x.x) * place.fine * place.scale.x,
        from_fixed(x.y) * place.fine * place.scale.y,
        from_fixed(x.z) * place.fine * place.scale.z,
    );
}

// A corner of a triangle in box coordinates.
fn fixed_corner(place: FixedPlace, cluster: u32, lane: u32, k: u32) -> vec3<f32> {
    return in_box_of(place, fixed_point(place, cluster, lane, k));
}

fn middle_of(a: FixedPoint, b: FixedPoint) -> FixedPoint {
    return FixedPoint(
        add_wide(half_wide(a.x), half_wide(b.x)),
        add_wide(half_wide(a.y), half_wide(b.y)),
        add_wide(half_wide(a.z), half_wide(b.z)),
    );
}
