//! Shapes mapped from the geodesic sphere, whose triangles are nearly equal: sphere, ellipsoid, star.

use glam::DVec3;

use super::GenerateError;
use super::error::Check;
use crate::TriangleMesh;

/// The golden ratio: the corners of an icosahedron are (0, ±1, ±φ) and its cyclic permutations.
const PHI: f64 = 1.618_033_988_749_895;

/// The corners of an icosahedron about the origin, not normalised.
const CORNERS: [[f64; 3]; 12] = [
    [0.0, 1.0, PHI],
    [0.0, -1.0, PHI],
    [0.0, 1.0, -PHI],
    [0.0, -1.0, -PHI],
    [PHI, 0.0, 1.0],
    [-PHI, 0.0, 1.0],
    [PHI, 0.0, -1.0],
    [-PHI, 0.0, -1.0],
    [1.0, PHI, 0.0],
    [-1.0, PHI, 0.0],
    [1.0, -PHI, 0.0],
    [-1.0, -PHI, 0.0],
];

/// The faces of the icosahedron, counter-clockwise from outside.
const FACES: [[usize; 3]; 20] = [
    [0, 1, 4],
    [0, 5, 1],
    [0, 4, 8],
    [0, 8, 9],
    [0, 9, 5],
    [1, 10, 4],
    [1, 11, 10],
    [1, 5, 11],
    [4, 6, 8],
    [4, 10, 6],
    [2, 8, 6],
    [2, 9, 8],
    [2, 7, 9],
    [2, 6, 3],
    [2, 3, 7],
    [3, 6, 10],
    [3, 10, 11],
    [3, 11, 7],
    [5, 9, 7],
    [5, 7, 11],
];

/// Indices of the vertices of a geodesic sphere of `frequency` f: 12 corners, then f - 1 vertices on each of the 30
/// edges, then the insides of the 20 faces.
struct Numbering {
    frequency: usize,
    /// Number of the edge between two corners, smaller corner first.
    edges: [[usize; 12]; 12],
}

impl Numbering {
    fn new(frequency: usize) -> Self {
        let mut edges = [[usize::MAX; 12]; 12];
        let mut n = 0;
        for face in FACES {
            for (a, b) in [(face[0], face[1]), (face[1], face[2]), (face[2], face[0])] {
                // Each edge is met once in each direction.
                if a < b {
                    edges[a][b] = n;
                    n += 1;
                }
            }
        }
        Self { frequency, edges }
    }

    fn on_edge(&self, a: usize, b: usize, steps_from_a: usize) -> usize {
        let (low, high, steps) =
            if a < b { (a, b, steps_from_a) } else { (b, a, self.frequency - steps_from_a) };
        12 + self.edges[low][high] * (self.frequency - 1) + steps - 1
    }

    /// The vertex i steps from corner 0 towards corner 1 and j towards corner 2 of a face.
    fn vertex(&self, face: usize, i: usize, j: usize) -> u32 {
        let f = self.frequency;
        let [a, b, c] = FACES[face];
        let ix = match (i, j, f - i - j) {
            (0, 0, _) => a,
            (_, 0, 0) => b,
            (0, _, 0) => c,
            (i, 0, _) => self.on_edge(a, b, i),
            (0, j, _) => self.on_edge(a, c, j),
            (_, j, 0) => self.on_edge(b, c, j),
            // Row j holds f - 1 - j vertices with i from 1.
            (i, j, _) => {
                let rows_before = (j - 1) * (f - 1) - j * (j - 1) / 2;
                12 + 30 * (f - 1) + face * ((f - 1) * (f - 2) / 2) + rows_before + i - 1
            }
        };
        ix as u32
    }
}

/// The unit sphere's icosahedral subdivision with about so many triangles.
fn unit_sphere(check: Check, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    check.triangles(triangles)?;
    let low = ((triangles as f64 / 20.0).sqrt().floor() as usize).max(1);
    let high = low + 1;
    let frequency = if (20 * high * high).abs_diff(triangles) < (20 * low * low).abs_diff(triangles) {
        high
    } else {
        low
    };
    check.triangles(20 * frequency * frequency)?;

    let numbering = Numbering::new(frequency);
    let mut mesh = TriangleMesh {
        vertices: vec![DVec3::ZERO; 10 * frequency * frequency + 2],
        triangles: Vec::with_capacity(20 * frequency * frequency),
    };
    for (face, corners) in FACES.iter().enumerate() {
        let [a, b, c] = corners.map(|v| DVec3::from_array(CORNERS[v]));
        for j in 0..=frequency {
            for i in 0..=frequency - j {
                let at = |di: usize, dj: usize| numbering.vertex(face, i + di, j + dj);
                let point = a * (frequency - i - j) as f64 + b * i as f64 + c * j as f64;
                mesh.vertices[at(0, 0) as usize] = point.normalize();
                if i + j < frequency {
                    mesh.triangles.push([at(0, 0), at(1, 0), at(0, 1)]);
                }
                if i + j + 1 < frequency {
                    mesh.triangles.push([at(1, 0), at(1, 1), at(0, 1)]);
                }
            }
        }
    }
    Ok(mesh)
}

/// A sphere about the origin as a subdivided icosahedron with vertices on the sphere.
///
/// Each of the 20 faces is cut into n² triangles, so the number of triangles is the nearest `20 n²`, at least 20. The
/// mesh touches the sphere's bounding box for even n and stays inside it otherwise.
///
/// # Errors
/// A radius that is not a positive length, or more than [`MAX_TRIANGLES`](super::MAX_TRIANGLES).
pub fn sphere(radius: f64, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    let check = Check("sphere");
    check.length("radius", radius)?;
    Ok(unit_sphere(check, triangles)?.scaled(radius))
}

/// An ellipsoid about the origin with its axes along x, y, z: the [`sphere`]'s mesh stretched.
///
/// `semi_axes` \[m\]. The number of triangles is the nearest `20 n²`, at least 20.
///
/// # Errors
/// A semi-axis that is not a positive length, or more than [`MAX_TRIANGLES`](super::MAX_TRIANGLES).
pub fn ellipsoid(semi_axes: DVec3, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    let check = Check("ellipsoid");
    check.length("semi_axes.x", semi_axes.x)?;
    check.length("semi_axes.y", semi_axes.y)?;
    check.length("semi_axes.z", semi_axes.z)?;
    let mut mesh = unit_sphere(check, triangles)?;
    for p in &mut mesh.vertices {
        *p *= semi_axes;
    }
    Ok(mesh)
}

/// A ball with twelve blunt spikes, about the origin; deeply non-convex.
///
/// The spikes point to the corners of an icosahedron and reach `radius` \[m\]; the ball between them has
/// `core_radius` \[m\]. The surface is a graph over the sphere, so it never meets itself. The number of triangles is
/// the nearest `20 n²`, at least 320.
///
/// # Errors
/// A radius that is not a positive length, a core radius not below `radius`, or more than
/// [`MAX_TRIANGLES`](super::MAX_TRIANGLES).
pub fn star(radius: f64, core_radius: f64, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    /// Cosine of the angle from a spike's axis at which the core begins; neighbouring axes are 63.4° apart.
    const SPIKE_COSINE: f64 = 0.8;
    /// The fewest triangles that give each spike a top, flanks and a foot.
    const MIN_TRIANGLES: usize = 320;
    let check = Check("star");
    check.length("radius", radius)?;
    check.length("core_radius", core_radius)?;
    check.below("core_radius", core_radius, radius, "the radius")?;
    let mut mesh = unit_sphere(check, triangles.max(MIN_TRIANGLES))?;
    let axes = CORNERS.map(|c| DVec3::from_array(c).normalize());
    for p in &mut mesh.vertices {
        let cosine = axes.iter().map(|axis| axis.dot(*p)).fold(f64::MIN, f64::max);
        let s = ((cosine - SPIKE_COSINE) / (1.0 - SPIKE_COSINE)).clamp(0.0, 1.0);
        *p *= core_radius + (radius - core_radius) * (s * s * (3.0 - 2.0 * s));
    }
    Ok(mesh)
}
