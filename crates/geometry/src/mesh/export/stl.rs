//! STL, binary.

use super::ExportError;
use crate::mesh::TriangleMesh;

/// Bytes of the comment at the beginning.
const COMMENT: usize = 80;

/// Facets with their normals and corners in 32-bit numbers.
pub fn write(mesh: &TriangleMesh) -> Result<Vec<u8>, ExportError> {
    let n = mesh.triangles.len();
    let count = u32::try_from(n).map_err(|_| ExportError::TooMany { n })?;
    let mut bytes = vec![b' '; COMMENT];
    bytes.extend(count.to_le_bytes());
    let mut n_lost = 0;
    for ix in 0..n {
        let exact = mesh.corners(ix);
        let [p, q, r] = exact;
        let corners = [p.as_vec3(), q.as_vec3(), r.as_vec3()];
        if !corners.iter().all(|x| x.is_finite()) {
            return Err(ExportError::TooLarge);
        }
        let [a, b, c] = corners;
        n_lost += usize::from(a == b || b == c || c == a);
        // From all digits: that of a sliver would be lost in rounding.
        let normal = (q - p).cross(r - p).normalize_or_zero().as_vec3();
        for x in [normal, a, b, c].into_iter().flat_map(|x| x.to_array()) {
            bytes.extend(x.to_le_bytes());
        }
        bytes.extend([0; 2]);
    }
    if n_lost > 0 { Err(ExportError::LostCorners { n: n_lost }) } else { Ok(bytes) }
}
