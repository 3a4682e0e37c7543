// Shared by all drawing shaders. Positions are relative to the camera's target along the world's axes, so that 32 bits
// are enough wherever a scene stands. Colours are as a screen shows them (sRGB) except while light is added up.

// Opacity of marks: less for those behind something.
override sight: f32 = 1.0;

// Comparisons of a shadow along each side of a square, less one, halved: 0 or 1; below 0 the nearest texel alone decides,
// which is several times faster where the processor draws.
override softness: i32 = 1;

struct Globals {
    clip_from_target: mat4x4<f32>,
    light_from_target: mat4x4<f32>,
    // Camera; w: width of a pixel at distance one.
    eye: vec4<f32>,
    // Direction to the light; w: how dark shadows are.
    light: vec4<f32>,
    sky: vec4<f32>,
    horizon: vec4<f32>,
    ground: vec4<f32>,
    // w: how strong the grid is.
    grid: vec4<f32>,
    // Width and height of the picture, pixels per point, one over the side of the shadow map.
    picture: vec4<f32>,
    // Fine spacing of the grid, and how far it is seen.
    scale: vec4<f32>,
}

@group(0) @binding(0) var<uniform> globals: Globals;
@group(0) @binding(1) var shadow_map: texture_depth_2d;
@group(0) @binding(2) var shadow_sampler: sampler_comparison;

// The curve of sRGB by roots, which are cheaper than powers, to within 0.003.
fn to_screen(c: vec3<f32>) -> vec3<f32> {
    let x = clamp(c, vec3(0.0), vec3(1.0));
    let root_2 = sqrt(x);
    let root_4 = sqrt(root_2);
    let root_8 = sqrt(root_4);
    return 0.66200 * root_2 + 0.68412 * root_4 - 0.32358 * root_8 - 0.02254 * x;
}

// Part of the light that arrives at a point; comparisons around it soften the border.
fn lit(at: vec3<f32>, normal: vec3<f32>) -> f32 {
    let offset = normal * globals.scale.z;
    let p = globals.light_from_target * vec4(at + offset, 1.0);
    let uv = vec2(0.5 + 0.5 * p.x, 0.5 - 0.5 * p.y);
    if (any(uv < vec2(0.0)) || any(uv > vec2(1.0)) || p.z > 1.0) {
        return 1.0;
    }
    if (softness < 0) {
        let texel = vec2<i32>(uv / globals.picture.w);
        let is_lit = textureLoad(shadow_map, texel, 0) >= p.z;
        return select(1.0 - globals.light.w, 1.0, is_lit);
    }
    var sum = 0.0;
    for (var i = -softness; i <= softness; i++) {
        for (var j = -softness; j <= softness; j++) {
            let shift = vec2(f32(i), f32(j)) * 1.2 * globals.picture.w;
            sum += textureSampleCompareLevel(shadow_map, shadow_sampler, uv + shift, p.z);
        }
    }
    return mix(1.0, sum / f32((2 * softness + 1) * (2 * softness + 1)), globals.light.w);
}

// A matt surface (its colour without the curve of sRGB) under one light and a sky that is brighter above than below.
fn shade(colour: vec3<f32>, at: vec3<f32>, normal: vec3<f32>) -> vec3<f32> {
    let to_light = globals.light.xyz;
    let to_eye = normalize(globals.eye.xyz - at);
    let facing = dot(normal, to_light);
    var direct = max(facing, 0.0);
    if (facing > 0.0) {
        direct *= lit(at, normal);
    }
    let above = 0.5 + 0.5 * normal.z;
    let ambient = mix(vec3(0.24, 0.22, 0.20), vec3(0.44, 0.47, 0.50), above);
    let half_way = normalize(to_light + to_eye);
    let near_2 = max(dot(normal, half_way), 0.0) * max(dot(normal, half_way), 0.0);
    let near_4 = near_2 * near_2;
    let near_16 = near_4 * near_4 * near_4 * near_4;
    let gloss = 0.09 * near_16 * near_16 * sign(direct);
    let grazing = 1.0 - max(dot(normal, to_eye), 0.0);
    let rim = 0.05 * grazing * grazing * grazing * above;
    return colour * (ambient + 0.72 * direct) + gloss + rim;
}
