// Strokes of a width in pixels with round ends, and flat areas.
//
// Each stroke is four corners that know both ends, not an instance: drivers that compute on the processor take as long for
// an instance as for hundreds of corners.

struct Stroke {
    // Ends relative to the target; w of the first: width in points, of the second: which corner, 0 to 3.
    @location(0) a: vec4<f32>,
    @location(1) b: vec4<f32>,
    @location(2) colour: vec4<f32>,
}

struct Mark {
    @builtin(position) clip: vec4<f32>,
    // Pixel relative to the first end, along and across.
    @location(0) @interpolate(linear) at: vec2<f32>,
    @location(1) @interpolate(flat) shape: vec2<f32>,
    @location(2) @interpolate(flat) colour: vec4<f32>,
}

const NEAREST: f32 = 1e-6;

fn towards(p: vec4<f32>, q: vec4<f32>) -> vec4<f32> {
    // The part behind the camera is cut off, because it has no place in the picture.
    if (p.w >= NEAREST || q.w <= NEAREST) {
        return p;
    }
    return mix(p, q, (NEAREST - p.w) / (q.w - p.w));
}

@vertex
fn vs_stroke(stroke: Stroke) -> Mark {
    let a = globals.clip_from_target * vec4(stroke.a.xyz, 1.0);
    let b = globals.clip_from_target * vec4(stroke.b.xyz, 1.0);
    let ends = array(towards(a, b), towards(b, a));
    let half_size = 0.5 * globals.picture.xy;
    let pixel_a = ends[0].xy / ends[0].w * half_size;
    let pixel_b = ends[1].xy / ends[1].w * half_size;
    let radius = 0.5 * stroke.a.w * globals.picture.z;
    let reach = radius + 1.0;
    let span = pixel_b - pixel_a;
    let size = length(span);
    let along = select(vec2(1.0, 0.0), span / max(size, 1e-6), size > 1e-6);
    let across = vec2(-along.y, along.x);
    let is_second = stroke.b.w > 1.5;
    let side = select(-1.0, 1.0, stroke.b.w == 1.0 || stroke.b.w == 3.0);
    let local = vec2(select(-reach, size + reach, is_second), side * reach);
    let end = select(ends[0], ends[1], is_second);
    let pixel = pixel_a + along * local.x + across * local.y;
    // A dot lies over the arrow that begins in it.
    let nearer = select(1.004, 1.03, size < 1e-3);
    let clip = vec4(pixel / half_size * end.w, end.z * nearer, end.w);
    return Mark(clip, local, vec2(size, radius), stroke.colour);
}

@fragment
fn fs_stroke(in: Mark) -> @location(0) vec4<f32> {
    let nearest = vec2(clamp(in.at.x, 0.0, in.shape.x), 0.0);
    let coverage = clamp(in.shape.y + 0.5 - distance(in.at, nearest), 0.0, 1.0);
    return vec4(in.colour.rgb, in.colour.a * coverage * sight);
}

struct Area {
    @builtin(position) clip: vec4<f32>,
    @location(0) colour: vec4<f32>,
}

@vertex
fn vs_area(@location(0) at: vec3<f32>, @location(1) colour: vec4<f32>) -> Area {
    var clip = globals.clip_from_target * vec4(at, 1.0);
    clip.z *= 1.003;
    return Area(clip, colour);
}

@fragment
fn fs_area(in: Area) -> @location(0) vec4<f32> {
    return vec4(in.colour.rgb, in.colour.a * sight);
}
