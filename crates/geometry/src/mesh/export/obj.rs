//! Wavefront OBJ.

use std::fmt::Write;

use crate::mesh::TriangleMesh;

/// Vertices with as many digits as tell them from all others, and faces.
pub fn write(mesh: &TriangleMesh) -> Vec<u8> {
    let mut text = String::new();
    // Writing into a string does not fail.
    for x in &mesh.vertices {
        let _ = writeln!(text, "v {:?} {:?} {:?}", x.x, x.y, x.z);
    }
    for [a, b, c] in mesh.triangles.iter().map(|corners| corners.map(|v| u64::from(v) + 1)) {
        let _ = writeln!(text, "f {a} {b} {c}");
    }
    text.into_bytes()
}
