// A picture drawn with fewer pixels, spread over more.

@group(0) @binding(0) var small: texture_2d<f32>;
@group(0) @binding(1) var filtering: sampler;

struct Screen {
    @builtin(position) clip: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

@vertex
fn vs_upscale(@builtin(vertex_index) ix: u32) -> Screen {
    let at = vec2(f32((ix << 1u) & 2u), f32(ix & 2u));
    return Screen(vec4(2.0 * at - 1.0, 0.0, 1.0), vec2(at.x, 1.0 - at.y));
}

@fragment
fn fs_upscale(in: Screen) -> @location(0) vec4<f32> {
    return textureSampleLevel(small, filtering, in.uv, 0.0);
}
