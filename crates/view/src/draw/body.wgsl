// Surfaces of bodies and of solid marks.

struct Corner {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
}

struct Instance {
    // Rows of the matrix from the shape's frame to positions relative to the target; columns are orthogonal.
    @location(2) row_0: vec4<f32>,
    @location(3) row_1: vec4<f32>,
    @location(4) row_2: vec4<f32>,
    // Colour, without the curve of sRGB; w: opacity.
    @location(5) colour: vec4<f32>,
}

struct Varying {
    @builtin(position) clip: vec4<f32>,
    @location(0) at: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) colour: vec4<f32>,
}

fn place(corner: Corner, instance: Instance) -> vec3<f32> {
    let x = vec4(corner.position, 1.0);
    return vec3(dot(instance.row_0, x), dot(instance.row_1, x), dot(instance.row_2, x));
}

fn surface(corner: Corner, instance: Instance) -> Varying {
    let at = place(corner, instance);
    let rows = mat3x3(instance.row_0.xyz, instance.row_1.xyz, instance.row_2.xyz);
    let lengths = rows[0] * rows[0] + rows[1] * rows[1] + rows[2] * rows[2];
    // The inverse transpose of a matrix with orthogonal columns divides each by its squared length.
    let n = corner.normal / lengths;
    let normal = vec3(dot(rows[0], n), dot(rows[1], n), dot(rows[2], n));
    return Varying(globals.clip_from_target * vec4(at, 1.0), at, normalize(normal), instance.colour);
}

@vertex
fn vs_body(corner: Corner, instance: Instance) -> Varying {
    return surface(corner, instance);
}

@fragment
fn fs_body(in: Varying) -> @location(0) vec4<f32> {
    return vec4(to_screen(shade(in.colour.rgb, in.at, normalize(in.normal))), in.colour.a);
}

// A translucent surface is denser where it is seen at a grazing angle.
@fragment
fn fs_glass(in: Varying, @builtin(front_facing) is_front: bool) -> @location(0) vec4<f32> {
    let normal = normalize(in.normal);
    let to_eye = normalize(globals.eye.xyz - in.at);
    let grazing = 1.0 - abs(dot(normal, to_eye));
    let alpha = mix(in.colour.a, min(1.0, in.colour.a + 0.45), grazing * grazing);
    let outwards = select(-normal, normal, is_front);
    let colour = to_screen(shade(in.colour.rgb, in.at, outwards));
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
    return Varying(clip, at, normal, colour);
}

@vertex
fn vs_shadow(corner: Corner, instance: Instance) -> @builtin(position) vec4<f32> {
    return globals.light_from_target * vec4(place(corner, instance), 1.0);
}

struct Edge {
    @builtin(position) clip: vec4<f32>,
    @location(0) colour: vec4<f32>,
}

@vertex
fn vs_edge(corner: Corner, instance: Instance) -> Edge {
    var clip = globals.clip_from_target * vec4(place(corner, instance), 1.0);
    clip.z *= 1.0006;
    return Edge(clip, vec4(0.3 * instance.colour.rgb, 0.8));
}

@fragment
fn fs_edge(in: Edge) -> @location(0) vec4<f32> {
    return in.colour;
}

@vertex
fn vs_mask(corner: Corner, instance: Instance) -> @builtin(position) vec4<f32> {
    return globals.clip_from_target * vec4(place(corner, instance), 1.0);
}

@fragment
fn fs_mask() -> @location(0) vec4<f32> {
    return vec4(1.0);
}
