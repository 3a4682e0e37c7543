// A corner of a triangle in box coordinates.

fn corner(rows: array<vec4<f32>, 3>, frame_lo: vec3<f32>, scale: vec3<f32>, triangle: u32, k: u32) -> vec3<f32> {
    let cluster = triangle / CLUSTER;
    let lane = triangle % CLUSTER;
    let x = vec3<f32>(
        triangles[cluster].corners[3u * k][lane],
        triangles[cluster].corners[3u * k + 1u][lane],
        triangles[cluster].corners[3u * k + 2u][lane],
    );
    return in_box(in_frame(rows, x), frame_lo, scale);
}
