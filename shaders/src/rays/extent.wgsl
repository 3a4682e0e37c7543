// The box around a cluster in the pair's frame.

struct Extent {
    lo: vec3<f32>,
    hi: vec3<f32>,
}

fn half_size(rows: array<vec4<f32>, 3>, half: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(
        dot(abs(rows[0].xyz), half),
        dot(abs(rows[1].xyz), half),
        dot(abs(rows[2].xyz), half),
    );
}

fn extent_of(reach: f32, rows: array<vec4<f32>, 3>, cluster: Cluster) -> Extent {
    let center = in_frame(rows, 0.5 * (cluster.lo + cluster.hi));
    let half = half_size(rows, 0.5 * (cluster.hi - cluster.lo)) + vec3<f32>(EXTENT_SLACK * reach);
    return Extent(center - half, center + half);
}
