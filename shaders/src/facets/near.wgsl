// Which facets of two bodies may touch: see `Candidates` of tactum-geometry for why these are all.

// The last pair whose groups begin at or before a group. Halvings of 2^32 pairs end after as many steps as a word has bits.
fn pair_of(group: u32) -> u32 {
    var low = 0u;
    var high = params.n_pairs;
    for (var step = 0u; step < WORD_BITS; step++) {
        if (high - low <= 1u) {
            break;
        }
        let middle = low + (high - low) / 2u;
        if (pairs[middle].first_group <= group) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

struct Extent {
    lo: vec3<f32>,
    hi: vec3<f32>,
}

fn extent_of(corners: array<vec3<f32>, 3>) -> Extent {
    return Extent(min(min(corners[0], corners[1]), corners[2]), max(max(corners[0], corners[1]), corners[2]));
}

// A body's box in the pair's frame.
fn extent_of_box(rows: array<vec4<f32>, 3>, around: FacetBox) -> Extent {
    let center = in_frame(rows, 0.5 * (around.lo + around.hi));
    let half = 0.5 * (around.hi - around.lo);
    let reach = vec3<f32>(
        dot(abs(rows[0].xyz), half),
        dot(abs(rows[1].xyz), half),
        dot(abs(rows[2].xyz), half),
    );
    return Extent(center - reach, center + reach);
}

fn meet(a: Extent, b: Extent, margin: f32) -> bool {
    let room = vec3<f32>(margin);
    return all(a.lo - room <= b.hi) && all(b.lo - room <= a.hi);
}

// Whether a triangle lies farther than a distance from the plane of another, on one side of it.
fn is_off_plane(a: Cap, b: Cap, distance: f32) -> bool {
    let h0 = dot(b.corners[0] - a.corners[0], a.normal);
    let h1 = dot(b.corners[1] - a.corners[0], a.normal);
    let h2 = dot(b.corners[2] - a.corners[0], a.normal);
    return min(min(h0, h1), h2) > distance || max(max(h0, h1), h2) < -distance;
}

// The same for a box.
fn is_box_off_plane(a: Cap, b: Extent, distance: f32) -> bool {
    let height = dot(0.5 * (b.lo + b.hi) - a.corners[0], a.normal);
    return abs(height) > distance + dot(0.5 * (b.hi - b.lo), abs(a.normal));
}

fn is_box_near(cap: Cap, extent: Extent, around: Extent, margin: f32) -> bool {
    return meet(extent, around, margin) && !is_box_off_plane(cap, around, margin);
}

fn is_near(a: Cap, b: Cap, near: f32) -> bool {
    let margin = near + SLANT * (a.bulge + b.bulge);
    return meet(extent_of(a.corners), extent_of(b.corners), margin) && !is_off_plane(a, b, margin) && !is_off_plane(b, a, margin);
}

// The box of a group of facets, of the body whose first facet is at a place; and that of one of its clusters.
fn group_box(first: u32, facet: u32) -> u32 {
    return (first + facet) / GROUP * BOXES;
}

// Hands the facets of B that a facet of A, counted among A's, may touch, counted among B's, to the stage's own take_partner, in their order.
fn visit_partners(pair: FacetPair, a: u32) {
    let own = boxes[group_box(pair.first.x, a) + 1u + a % GROUP / CLUSTER];
    let own_extent = extent_of_box(pair.frame_from_a, own);
    for (var first = 0u; first < pair.n.y; first += GROUP) {
        let at = group_box(pair.first.y, first);
        let whole = boxes[at];
        let whole_extent = extent_of_box(pair.frame_from_b, whole);
        // Most of A's clusters are on its other side, and what is in them needs no look.
        if (meet(own_extent, whole_extent, pair.near + SLANT * (own.bulge + whole.bulge))) {
            visit_group(pair, facets[pair.first.x + a], first, at);
        }
    }
}

// The same for a group of B's facets, whose boxes begin at a place.
fn visit_group(pair: FacetPair, facet: Facet, first: u32, at: u32) {
    let cap = cap_of(pair.frame_from_a, facet);
    let extent = extent_of(cap.corners);
    let whole = boxes[at];
    if (!is_box_near(cap, extent, extent_of_box(pair.frame_from_b, whole), pair.near + SLANT * (cap.bulge + whole.bulge))) {
        return;
    }
    for (var k = 0u; k < GROUP / CLUSTER; k++) {
        let start = first + k * CLUSTER;
        if (start >= pair.n.y) {
            break;
        }
        let around = boxes[at + 1u + k];
        if (!is_box_near(cap, extent, extent_of_box(pair.frame_from_b, around), pair.near + SLANT * (cap.bulge + around.bulge))) {
            continue;
        }
        // In twos, so that no thread takes more turns than drivers allow.
        for (var b = start; b < start + CLUSTER; b += 2u) {
            visit(pair, cap, b);
            visit(pair, cap, b + 1u);
        }
    }
}

fn visit(pair: FacetPair, cap: Cap, b: u32) {
    if (b >= pair.n.y) {
        return;
    }
    let other = facets[pair.first.y + b];
    if (other.is_cap != 0u && is_near(cap, cap_of(pair.frame_from_b, other), pair.near)) {
        take_partner(b);
    }
}
