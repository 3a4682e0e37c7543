// The laws of pressure: see `Profile` of tactum-geometry. Lengths are in contact radii, so that no power of them leaves what 32
// bits hold.

struct Profile {
    contact: f32,
    // Terms of -Psi [N]: of (1 - r^2) to the powers 2, 3/2 and 1/2.
    quadratic: f32,
    hertz: f32,
    punch: f32,
}

// Steps of Newton's method from an estimate that is good to a tenth: more would change nothing.
fn cube_root(x: f32) -> f32 {
    var y = bitcast<f32>(bitcast<u32>(x) / 3u + CUBE_ROOT_BITS);
    for (var step = 0u; step < 4u; step++) {
        y = y - (y - x / (y * y)) / 3.0;
    }
    return y;
}

// Radius of a contact by Johnson, Kendall and Roberts (1971) by Newton's steps on a quartic in its root, from above; 0 beyond the
// gap at which it ends.
fn jkr_contact(pair: FacetPair, overlap: f32, curvature: f32) -> f32 {
    let pull = sqrt(2.0 * PI * pair.work / pair.modulus);
    if (overlap < -0.75 * pull * cube_root(pull / (4.0 * curvature))) {
        return 0.0;
    }
    let quarter = sqrt(sqrt(2.0 * max(overlap, 0.0) / curvature));
    var x = max(quarter, cube_root(2.0 * pull / curvature));
    for (var step = 0u; step < MAX_STEPS; step++) {
        let value = (curvature * x * x * x - pull) * x - overlap;
        let slope = 4.0 * curvature * x * x * x - pull;
        if (slope <= 0.0) {
            break;
        }
        let change = value / slope;
        x = x - change;
        if (change <= ARRIVED * x) {
            break;
        }
    }
    return x * x;
}

// A contact that is longer than wide as a round one: see `Oval` of tactum-geometry.
struct Oval {
    curvature: f32,
    ratio: f32,
}

struct Ellipse {
    bend: f32,
    length: f32,
    mean: f32,
    // How fast the logarithm of bend falls with that of the ratio.
    steepness: f32,
}

fn ellipse_of(ratio: f32) -> Ellipse {
    let half = 0.5 * (1.0 + ratio);
    let difference = 0.5 * (1.0 - ratio);
    var mean = half;
    var root = sqrt(ratio);
    var c = difference;
    var part = 1.0;
    var power = 1.0;
    var sum = 0.5 * difference;
    var share = 0.5;
    for (var step = 0u; step < MEAN_STEPS; step++) {
        let next = 0.5 * (mean + root);
        let less = c / (4.0 * next);
        part = part * less;
        c = c * less;
        power = power * 2.0;
        sum = sum + 0.5 * power * c * part;
        share = share + 0.5 * power * part * part;
        root = sqrt(mean * root);
        mean = next;
    }
    let steepness = 2.0 + (kept(share) - kept(kept(half + sum) * kept(half + sum))) / kept(kept(half + sum) * kept(half - sum));
    return Ellipse((half - sum) / (ratio * ratio * (half + sum)), (half + sum) / half, mean, steepness);
}

fn oval_of(pair: FacetPair, curvature: f32, bend: f32) -> Oval {
    var oval = Oval(curvature, 1.0);
    if (bend == 0.0) {
        return oval;
    }
    let steep = curvature + bend;
    let shallow = curvature - bend;
    if (pair.law == LAW_LINEAR) {
        oval.curvature = sqrt(steep * shallow);
        oval.ratio = sqrt(shallow / steep);
        return oval;
    }
    let first = bend / (1.5 * curvature);
    oval.ratio = (1.0 - first) / (1.0 + first);
    for (var step = 0u; step < OVAL_STEPS; step++) {
        let off = ellipse_of(oval.ratio).bend * shallow / steep;
        oval.ratio = oval.ratio * ((5.0 * off + 1.0) / (off + 5.0));
    }
    let ellipse = ellipse_of(oval.ratio);
    oval.curvature = shallow / (ellipse.length * ellipse.mean * ellipse.mean);
    return oval;
}

// Whether there is any pressure at an overlap: most candidates are apart, and need no ellipse to tell that.
fn may_act(pair: FacetPair, overlap: f32) -> bool {
    return (pair.law == LAW_JKR && (pair.in_touch != 0u || overlap >= 0.0)) || overlap > 0.0;
}

// Without a contact radius where the spheres do not act on each other.
fn profile_of(pair: FacetPair, overlap: f32, curvature: f32) -> Profile {
    var profile: Profile;
    if (pair.law == LAW_JKR) {
        if (pair.in_touch != 0u || overlap >= 0.0) {
            profile.contact = jkr_contact(pair, overlap, curvature);
        }
    } else if (overlap > 0.0) {
        var height = overlap;
        if (pair.law == LAW_LINEAR) {
            height = 2.0 * overlap;
        }
        profile.contact = sqrt(height / curvature);
    }
    let a = profile.contact;
    if (pair.law == LAW_LINEAR) {
        profile.quadratic = 0.125 * pair.modulus * curvature * (a * a) * (a * a);
    } else {
        profile.hertz = 2.0 * pair.modulus * curvature / (3.0 * PI) * (a * a * a);
    }
    if (pair.law == LAW_JKR) {
        profile.punch = -(sqrt(2.0 * pair.work * pair.modulus * a / PI) * a);
    }
    return profile;
}

// How an oval contact changes with the curvature of its gap and with how much more that is one way: see `OvalSlopes` of tactum-geometry.
struct OvalSlopes {
    // Of the logarithm of the round contact's curvature, by the curvature and by the bend.
    curvature: vec2<f32>,
    // Of the logarithm of the ratio.
    ratio: vec2<f32>,
}

fn oval_slopes(pair: FacetPair, curvature: f32, bend: f32, ratio: f32) -> OvalSlopes {
    let steep = curvature + bend;
    let shallow = curvature - bend;
    let product = kept(steep * shallow);
    let apart = kept_pair(vec2<f32>(-2.0 * bend, 2.0 * curvature) / product);
    if (pair.law == LAW_LINEAR) {
        return OvalSlopes(vec2<f32>(curvature, -bend) / product, apart * -0.5);
    }
    let ellipse = ellipse_of(ratio);
    let long = kept(0.5 * ellipse.length / shallow);
    let wide = kept(ratio * ratio);
    return OvalSlopes(kept_pair(vec2<f32>(long * kept(1.0 + wide), long * kept(wide - 1.0))), apart / -ellipse.steepness);
}

// The energy per area over -Psi: see `Pressure::stored` of tactum-geometry.
fn stored_of(pair: FacetPair, curvature: f32) -> f32 {
    if (pair.law == LAW_LINEAR) {
        return curvature;
    }
    return 2.0 * curvature;
}
