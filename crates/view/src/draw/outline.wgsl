// A line around what the mask covers.

struct Settings {
    colour: vec4<f32>,
    // x: width of the line in pixels.
    line: vec4<f32>,
}

@group(0) @binding(0) var mask: texture_2d<f32>;
@group(0) @binding(1) var<uniform> settings: Settings;

@vertex
fn vs_outline(@builtin(vertex_index) ix: u32) -> @builtin(position) vec4<f32> {
    return vec4(vec2(f32((ix << 1u) & 2u), f32(ix & 2u)) * 2.0 - 1.0, 0.0, 1.0);
}

@fragment
fn fs_outline(@builtin(position) clip: vec4<f32>) -> @location(0) vec4<f32> {
    let at = vec2<i32>(clip.xy);
    let size = vec2<i32>(textureDimensions(mask));
    let inside = textureLoad(mask, at, 0).r;
    if (inside > 0.5) {
        discard;
    }
    var nearest = 1e3;
    let reach = i32(ceil(settings.line.x)) + 1;
    for (var i = -reach; i <= reach; i++) {
        for (var j = -reach; j <= reach; j++) {
            let there = clamp(at + vec2(i, j), vec2(0), size - 1);
            if (textureLoad(mask, there, 0).r > 0.5) {
                nearest = min(nearest, length(vec2(f32(i), f32(j))));
            }
        }
    }
    let coverage = clamp(settings.line.x + 0.5 - nearest, 0.0, 1.0);
    return vec4(settings.colour.rgb, settings.colour.a * coverage);
}
