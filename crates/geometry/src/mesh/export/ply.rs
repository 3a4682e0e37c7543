//! PLY, binary, with coordinates of 64 bits.

use glam::DVec3;

use super::ExportError;
use crate::mesh::TriangleMesh;

/// Vertices and faces.
pub fn write(mesh: &TriangleMesh) -> Result<Vec<u8>, ExportError> {
    let n = mesh.triangles.len();
    // Indices are read as signed numbers by most programs.
    if i32::try_from(n).is_err() || i32::try_from(mesh.vertices.len()).is_err() {
        return Err(ExportError::TooMany { n });
    }
    let mut bytes = format!(
        "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty double x\nproperty double y\nproperty double z\n\
         element face {n}\nproperty list uchar int vertex_indices\nend_header\n",
        mesh.vertices.len()
    )
    .into_bytes();
    for x in mesh.vertices.iter().flat_map(DVec3::to_array) {
        bytes.extend(x.to_le_bytes());
    }
    for corners in &mesh.triangles {
        bytes.push(3);
        corners.iter().for_each(|v| bytes.extend(v.to_le_bytes()));
    }
    Ok(bytes)
}
