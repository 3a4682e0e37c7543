// How the two facets of a candidate touch.

@group(0) @binding(1) var<storage, read> facets: array<Facet>;
@group(0) @binding(2) var<storage, read> pairs: array<FacetPair>;
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read> candidates: array<Candidate>;
@group(0) @binding(5) var<storage, read_write> touches: array<FacetTouch>;
@group(0) @binding(6) var<storage, read_write> polygons: array<FacetPolygon>;

struct Found {
    touch: FacetTouch,
    // Axes of the plane, stretched to the ellipse's: its polygon is in contact radii along them.
    u: vec3<f32>,
    w: vec3<f32>,
    contact: f32,
    polygon: Polygon,
}

fn flat(x: vec3<f32>, plane: Plane, u: vec3<f32>, w: vec3<f32>, stretch: f32, contact: f32) -> vec2<f32> {
    let arm = x - plane.center;
    return vec2<f32>(dot(arm, u) * stretch, dot(arm, w) / stretch) / contact;
}

// Whether the box around a triangle is outside of the square around the contact.
fn is_outside(t: array<vec2<f32>, 3>) -> bool {
    let low = min(min(t[0], t[1]), t[2]);
    let high = max(max(t[0], t[1]), t[2]);
    return max(low.x, low.y) > 1.0 || min(high.x, high.y) < -1.0;
}

fn is_wide(cap: Cap, contact: f32) -> bool {
    let k = abs(cap.curvature);
    return 2.0 * k * contact > 1.0 - k * cap.bulge;
}

fn doubts_of(pair: FacetPair, plane: Plane, a: Cap, b: Cap, contact: f32) -> u32 {
    let round = max(abs(a.curvature), abs(b.curvature));
    let widest = contact * round;
    var bits = 0u;
    if (plane.overlap * round > HERTZ_LIMIT || widest * widest > HERTZ_LIMIT || is_wide(a, contact) || is_wide(b, contact)) {
        bits |= STATE_DOUBT << BEYOND_HERTZ;
    }
    if (plane.overlap > pair.depth) {
        bits |= STATE_DOUBT << TOO_DEEP;
    }
    if (-local_overlap(plane, a, b, contact) > pair.gap) {
        bits |= STATE_DOUBT << RING_CUT;
    }
    return bits;
}

// Whether all of two facets is apart along a normal from the first one to the other, by more than their caps rise.
fn are_apart(a: Cap, b: Cap, normal: vec3<f32>) -> bool {
    let top = max(max(dot(a.corners[0], normal), dot(a.corners[1], normal)), dot(a.corners[2], normal));
    let bottom = min(min(dot(b.corners[0], normal), dot(b.corners[1], normal)), dot(b.corners[2], normal));
    return bottom - top > SLANT * (a.bulge + b.bulge);
}

fn touch_caps(pair: FacetPair, a: Cap, b: Cap) -> Found {
    var found: Found;
    let plane = plane_between(a, b);
    if (plane.kind != PLANE_MEETS) {
        if (plane.kind == PLANE_REFUSED) {
            found.touch.state = STATE_REFUSED;
        }
        return found;
    }
    if (!may_act(pair, plane.overlap) || (pair.law != LAW_JKR && are_apart(a, b, plane.normal))) {
        return found;
    }
    if (min(abs(dot(a.normal, plane.normal)), abs(dot(b.normal, plane.normal))) < ON_EDGE) {
        return found;
    }
    let oval = oval_of(pair, plane.curvature, plane.bend);
    let profile = profile_of(pair, plane.overlap, oval.curvature);
    let contact = profile.contact;
    if (contact <= 0.0) {
        return found;
    }
    var u = across(plane.normal);
    var w = cross(plane.normal, u);
    let stretch = sqrt(oval.ratio);
    if (plane.bend > 0.0) {
        w = plane.steep;
        u = cross(w, plane.normal);
    }
    var p: array<vec2<f32>, 3>;
    var q: array<vec2<f32>, 3>;
    for (var k = 0u; k < 3u; k++) {
        p[k] = flat(a.corners[k], plane, u, w, stretch, contact);
        q[k] = flat(b.corners[k], plane, u, w, stretch, contact);
    }
    if (is_outside(p) || is_outside(q)) {
        return found;
    }
    var polygon = common_polygon(p, q);
    if (polygon.n == 0u) {
        return found;
    }
    let nearest = nearest_to_origin(&polygon);
    let near_squared = square(nearest);
    if (near_squared >= 1.0) {
        return found;
    }
    let at_nearest = vec2<f32>(nearest.x / stretch, nearest.y * stretch);
    let hollow = at_nearest.y * at_nearest.y - at_nearest.x * at_nearest.x;
    let saddle = 0.5 * plane.bend * (hollow * (contact * contact));
    let overlap = local_overlap(plane, a, b, sqrt(square(at_nearest)) * contact) - saddle;
    let load = over_polygon(profile, &polygon, near_squared);
    let wrench = wrench_of(pair, a, b, Held(plane, u, w, contact, oval.ratio, stretch), oval.curvature, load);
    u = u / stretch;
    w = w * stretch;
    found.u = u;
    found.w = w;
    found.contact = contact;
    found.polygon = polygon;
    found.touch.normal = plane.normal;
    found.touch.force = load.force.x;
    found.touch.center = plane.center;
    found.touch.area = load.area * (contact * contact);
    found.touch.push = wrench.force;
    found.touch.moment = wrench.moment;
    found.touch.energy = wrench.energy;
    found.touch.overlap = overlap;
    found.touch.nearest = plane.center + (u * nearest.x + w * nearest.y) * contact;
    found.touch.grip = load.force.y * contact;
    found.touch.gyration = contact * sqrt((1.0 / oval.ratio + oval.ratio) / 3.0);
    found.touch.depth = plane.overlap;
    found.touch.n_corners = polygon.n;
    found.touch.state = STATE_TOUCHES | doubts_of(pair, plane, a, b, contact);
    return found;
}

// A thread per candidate.
@compute @workgroup_size(WORKGROUP)
fn tri_overlap(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let ix = workgroup_ix(group) * WORKGROUP + lane;
    let n = starts[params.n_groups];
    if (n > params.cap || ix >= n) {
        return;
    }
    let candidate = candidates[ix];
    var found: Found;
    if (candidate.pair < params.n_pairs) {
        let pair = pairs[candidate.pair];
        let a = cap_of(pair.frame_from_a, facets[pair.first.x + candidate.a]);
        let b = cap_of(pair.frame_from_b, facets[pair.first.y + candidate.b]);
        found = touch_caps(pair, a, b);
    }
    touches[ix] = found.touch;
    if (params.with_polygons != 0u) {
        for (var k = 0u; k < MAX_CORNERS; k++) {
            var corner = vec4<f32>(0.0);
            if (k < found.polygon.n) {
                let x = found.polygon.corners[k] * found.contact;
                corner = vec4<f32>(found.touch.center + found.u * x.x + found.w * x.y, 0.0);
            }
            polygons[ix].corners[k] = corner;
        }
    }
}
