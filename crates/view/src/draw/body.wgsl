// Surfaces of bodies and of solid marks.

struct Corner {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    // Several bodies are drawn at once, each by a copy of the surface of its own.
    @location(2) copy: u32,
}

struct Body {
    // Rows of the matrix from the shape's frame to positions relative to the target; columns are orthonormal.
    row_0: vec4<f32>,
    row_1: vec4<f32>,
    row_2: vec4<f32>,
    // Colour, without the curve of sRGB; w: opacity.
    colour: vec4<f32>,
    // Centre of the pattern in the shape's frame; w: 1 where there is one.
    pattern: vec4<f32>,
}

@group(1) @binding(0) var<storage, read> bodies: array<Body>;

struct Varying {
    @builtin(position) clip: vec4<f32>,
    @location(0) at: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) colour: vec4<f32>,
    // From the centre of the pattern, along the shape's axes; w as above.
    @location(3) pattern: vec4<f32>,
}

// Where a corner lies relative to the target.
fn place(corner: Corner, first: u32) -> vec3<f32> {
    let body = &bodies[first + corner.copy];
    let x = vec4(corner.position, 1.0);
    return vec3(dot((*body).row_0, x), dot((*body).row_1, x), dot((*body).row_2, x));
}

@vertex
fn vs_body(corner: Corner, @builtin(instance_index) first: u32) -> Varying {
    let at = place(corner, first);
    let body = &bodies[first + corner.copy];
    let n = corner.normal;
    let normal = vec3(dot((*body).row_0.xyz, n), dot((*body).row_1.xyz, n), dot((*body).row_2.xyz, n));
    let pattern = vec4(corner.position - (*body).pattern.xyz, (*body).pattern.w);
    return Varying(globals.clip_from_target * vec4(at, 1.0), at, normal, (*body).colour, pattern);
}

// How bright a surface is: every other octant of a round body is darker, so that one sees it turn.
fn patterned(in: Varying) -> vec3<f32> {
    let width = max(fwidth(in.pattern.xyz), vec3(1e-12));
    let side = clamp(in.pattern.xyz / width, vec3(-1.0), vec3(1.0));
    return in.colour.rgb * (1.0 - in.pattern.w * 0.21 * (1.0 + side.x * side.y * side.z));
}

@fragment
fn fs_body(in: Varying) -> @location(0) vec4<f32> {
    return vec4(to_screen(shade(patterned(in), in.at, normalize(in.normal))), in.colour.a);
}

// A translucent surface is denser where it is seen at a grazing angle, and its far side fainter, as `scene.rs` reckons.
@fragment
fn fs_glass(in: Varying, @builtin(front_facing) is_front: bool) -> @location(0) vec4<f32> {
    let normal = normalize(in.normal);
    let to_eye = normalize(globals.eye.xyz - in.at);
    let grazing = 1.0 - abs(dot(normal, to_eye));
    let alpha = mix(in.colour.a, min(1.0, in.colour.a + 0.45), grazing * grazing);
    let outwards = select(-normal, normal, is_front);
    let colour = to_screen(shade(patterned(in), in.at, outwards));
    return vec4(colour, select(0.55 * alpha, alpha, is_front));
}

// Marks keep their colour, so that it can be told in the shade.
@fragment
fn fs_mark(in: Varying) -> @location(0) vec4<f32> {
    let normal = normalize(in.normal);
    let bright = 0.82 + 0.18 * dot(normal, globals.light.xyz);
    return vec4(in.colour.rgb * bright, in.colour.a * sight);
}

@vertex
fn vs_mark(@location(0) at: vec3<f32>, @location(1) normal: vec3<f32>, @location(2) colour: vec4<f32>) -> Varying {
    var clip = globals.clip_from_target * vec4(at, 1.0);
    // A little nearer than the surface on which a mark lies; depth is reversed.
    clip.z *= 1.002;
    return Varying(clip, at, normal, colour, vec4(0.0));
}

@vertex
fn vs_shadow(corner: Corner, @builtin(instance_index) first: u32) -> @builtin(position) vec4<f32> {
    return globals.light_from_target * vec4(place(corner, first), 1.0);
}

struct Edge {
    @builtin(position) clip: vec4<f32>,
    @location(0) colour: vec4<f32>,
}

@vertex
fn vs_edge(corner: Corner, @builtin(instance_index) first: u32) -> Edge {
    var clip = globals.clip_from_target * vec4(place(corner, first), 1.0);
    clip.z *= 1.0006;
    return Edge(clip, vec4(0.3 * bodies[first + corner.copy].colour.rgb, 0.8));
}

@fragment
fn fs_edge(in: Edge) -> @location(0) vec4<f32> {
    return in.colour;
}

@vertex
fn vs_mask(corner: Corner, @builtin(instance_index) first: u32) -> @builtin(position) vec4<f32> {
    return globals.clip_from_target * vec4(place(corner, first), 1.0);
}

@fragment
fn fs_mask() -> @location(0) vec4<f32> {
    return vec4(1.0);
}
