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

// Hands the facets of B that a facet of A may touch, counted among B's, to the stage's own take_partner, in their order.
fn visit_partners(pair: FacetPair, facet: Facet) {
    let cap = cap_of(pair.frame_from_a, facet);
    let extent = extent_of(cap.corners);
    for (var first = 0u; first < pair.n.y; first += GROUP) {
        let around = boxes[(pair.first.y + first) / GROUP];
        let margin = pair.near + SLANT * (cap.bulge + around.bulge);
        if (!is_box_near(cap, extent, extent_of_box(pair.frame_from_b, around), margin)) {
            continue;
        }
        let end = min(pair.n.y, first + GROUP);
        for (var b = first; b < end; b++) {
            let other = facets[pair.first.y + b];
            if (other.is_cap != 0u && is_near(cap, cap_of(pair.frame_from_b, other), pair.near)) {
                take_partner(b);
            }
        }
    }
}
