// Background, ground and grid.

struct Screen {
    @builtin(position) clip: vec4<f32>,
    @location(0) up: f32,
}

@vertex
fn vs_background(@builtin(vertex_index) ix: u32) -> Screen {
    let at = vec2(f32((ix << 1u) & 2u), f32(ix & 2u)) * 2.0 - 1.0;
    return Screen(vec4(at, 0.0, 1.0), 0.5 + 0.5 * at.y);
}

@fragment
fn fs_background(in: Screen) -> @location(0) vec4<f32> {
    return vec4(mix(globals.horizon.rgb, globals.sky.rgb, smoothstep(0.25, 1.0, in.up)), 1.0);
}

struct Plane {
    // Origin of the plane relative to the target, and its tangent axes and normal.
    @location(0) origin: vec4<f32>,
    @location(1) u: vec4<f32>,
    @location(2) v: vec4<f32>,
    // Where the target's foot lies on (u, v), and how solid the ground is.
    @location(3) foot: vec4<f32>,
    // Least and greatest offset from the foot.
    @location(4) part: vec4<f32>,
}

struct Ground {
    @builtin(position) clip: vec4<f32>,
    @location(0) at: vec3<f32>,
    // Offset from the foot, and position on the plane's own axes.
    @location(1) from_foot: vec2<f32>,
    @location(2) own: vec2<f32>,
    @location(3) normal: vec3<f32>,
    @location(4) solid: f32,
}

@vertex
fn vs_ground(@builtin(vertex_index) ix: u32, plane: Plane) -> Ground {
    let corners = array(vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(1.0, 1.0), vec2(0.0, 0.0), vec2(1.0, 1.0), vec2(0.0, 1.0));
    let from_foot = mix(plane.part.xy, plane.part.zw, corners[ix]);
    let own = plane.foot.xy + from_foot;
    let at = plane.origin.xyz + plane.u.xyz * own.x + plane.v.xyz * own.y;
    let normal = cross(plane.u.xyz, plane.v.xyz);
    return Ground(globals.clip_from_target * vec4(at, 1.0), at, from_foot, own, normal, plane.foot.z);
}

// Coverage of grid lines of a spacing, a pixel and a bit wide, fading where they come too close together.
fn grid_lines(own: vec2<f32>, width: vec2<f32>, spacing: f32) -> f32 {
    let x = own / spacing;
    let w = max(width / spacing, vec2(1e-6));
    let from_line = abs(fract(x - 0.5) - 0.5) / w;
    let line = 1.0 - smoothstep(vec2(0.3), vec2(1.2), from_line);
    let fade = 1.0 - smoothstep(vec2(0.1), vec2(0.4), w);
    return max(line.x * fade.x, line.y * fade.y);
}

fn ground(in: Ground, bright: f32) -> vec4<f32> {
    let width = fwidth(in.own);
    let from_above = dot(globals.eye.xyz - in.at, in.normal) > 0.0;
    let fade = 1.0 - smoothstep(0.25, 1.0, length(in.from_foot) / globals.scale.y);
    let fine = 0.45 * grid_lines(in.own, width, globals.scale.x);
    let coarse = grid_lines(in.own, width, 10.0 * globals.scale.x);
    let lines = max(fine, coarse) * globals.grid.w;
    let colour = mix(globals.ground.rgb, globals.grid.rgb, lines) * bright;
    // Without ground of its own a scene stands on a sheet of glass that shows its shadow. From below ground is faint.
    let glass = max(lines, 1.0 - bright);
    let alpha = mix(glass, 1.0, in.solid) * fade;
    return vec4(colour, select(0.35 * alpha, alpha, from_above));
}

// Where shadows may fall.
@fragment
fn fs_ground(in: Ground) -> @location(0) vec4<f32> {
    return ground(in, mix(0.62, 1.0, lit(in.at, in.normal)));
}

// Where none does.
@fragment
fn fs_far_ground(in: Ground) -> @location(0) vec4<f32> {
    return ground(in, 1.0);
}
