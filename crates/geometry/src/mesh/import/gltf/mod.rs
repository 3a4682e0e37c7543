//! glTF 2.0, text and binary.
//!
//! The parts of the format that place triangles are few: scenes, nodes, meshes, accessors, buffer views and buffers.
//! They are read here with every index, offset and count checked against what it points into.

mod buffer;
mod document;
mod transform;

use std::path::{Path, PathBuf};

use glam::{DMat4, DVec3};

use super::error;
use super::{Cause, Imported, Oddity};
use crate::TriangleMesh;
use crate::words::{counted, quoted};
use document::{Accessor, Document, Primitive};

/// Reads the triangle lists of the default scene (or the first, or of all root nodes where there is no scene), each
/// moved by its node's transform, in the file's axes (y is up). Skins, morph targets and instances are left out and
/// reported; animations are not applied.
pub fn parse(bytes: &[u8], folder: Option<&Path>) -> Result<Imported, Cause> {
    let (json, blob) = split(bytes)?;
    let document: Document = serde_json::from_slice(json).map_err(|e| fault(crate::json::explained(&e)))?;
    if !document.asset.version.starts_with("2.") {
        return Err(fault(format!("version {}, needs 2", quoted(&document.asset.version))));
    }
    if let Some(name) = document.extensions_required.first() {
        let name = quoted(name);
        return Err(fault(format!("requires the extension \"{name}\", which is not supported")));
    }
    let buffers = buffer::load_all(&document.buffers, blob, folder)?;
    let roots = document.roots()?;
    let mesh = TriangleMesh::default();
    let mut reader =
        Reader { document: &document, buffers, mesh, n_skipped: 0, n_deformed: 0, n_instanced: 0 };
    reader.read_nodes(&roots)?;
    let Reader { mesh, n_skipped, n_deformed, n_instanced, .. } = reader;
    if mesh.triangles.is_empty() && n_skipped > 0 {
        return Err(fault(format!(
            "no triangle list, only strips, fans, lines or points ({}); export it as triangles",
            counted(n_skipped as u64, "primitive", "primitives")
        )));
    }
    let found = [
        Oddity::PrimitivesSkipped { n: n_skipped },
        Oddity::DeformationsSkipped { n: n_deformed },
        Oddity::InstancesSkipped { n: n_instanced },
    ];
    let oddities = found.into_iter().zip([n_skipped, n_deformed, n_instanced]).filter(|(_, n)| *n > 0);
    Ok(Imported { mesh, oddities: oddities.map(|(oddity, _)| oddity).collect() })
}

/// The files that the buffers of a document are in, those that are there; none of what is no document.
pub fn buffer_files(bytes: &[u8], folder: &Path) -> Vec<PathBuf> {
    let document = split(bytes).ok().and_then(|(json, _)| serde_json::from_slice::<Document>(json).ok());
    let uris =
        document.iter().flat_map(|document| &document.buffers).filter_map(|buffer| buffer.uri.as_deref());
    uris.filter_map(|uri| buffer::file(uri, folder)).collect()
}

fn fault(message: impl Into<String>) -> Cause {
    Cause::Gltf(message.into())
}

/// An item of one of the document's lists.
fn item<'a, T>(list: &'a [T], ix: usize, kind: &str) -> Result<&'a T, Cause> {
    list.get(ix).ok_or_else(|| fault(format!("no {kind} {ix} ({} in the file)", list.len())))
}

/// Primitive mode "triangle list", which is also the default.
const TRIANGLES: u32 = 4;

/// Component types of accessors, by the format's numbers.
const UNSIGNED_BYTE: u32 = 5121;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
const FLOAT: u32 = 5126;

/// The document, and the binary chunk of a container.
fn split(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), Cause> {
    if bytes.starts_with(b"glTF") { split_glb(bytes) } else { Ok((bytes, None)) }
}

/// The JSON chunk and the binary chunk of a GLB container.
fn split_glb(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), Cause> {
    const CONTAINER_HEADER: usize = 12;
    let too_short = || fault(format!("GLB container of {} bytes breaks off", bytes.len()));
    let word = |at: usize| -> Result<u32, Cause> {
        let word = bytes.get(at..).and_then(<[u8]>::first_chunk).ok_or_else(too_short)?;
        Ok(u32::from_le_bytes(*word))
    };
    let version = word(4)?;
    if version != 2 {
        return Err(fault(format!("GLB version {version}, needs 2")));
    }
    let chunk = |at: usize, kind: &[u8; 4]| {
        let length = word(at)? as usize;
        if bytes.get(at + 4..at + 8) != Some(kind) {
            let kind = String::from_utf8_lossy(kind);
            return Err(fault(format!("no {} chunk at byte {at}", kind.trim_end_matches('\0'))));
        }
        bytes.get(at + 8..at + 8 + length).ok_or_else(too_short)
    };
    let json = chunk(CONTAINER_HEADER, b"JSON")?;
    let after = CONTAINER_HEADER + 8 + json.len();
    let blob = if after < bytes.len() { Some(chunk(after, b"BIN\0")?) } else { None };
    Ok((json, blob))
}

struct Reader<'a> {
    document: &'a Document,
    buffers: Vec<Vec<u8>>,
    mesh: TriangleMesh,
    /// Primitives that are no triangle lists.
    n_skipped: usize,
    /// Nodes that bend their mesh.
    n_deformed: usize,
    /// Nodes that place their mesh many times.
    n_instanced: usize,
}

impl Reader<'_> {
    /// Reads some nodes and all below them, parents first.
    fn read_nodes(&mut self, roots: &[usize]) -> Result<(), Cause> {
        let mut is_visited = vec![false; self.document.nodes.len()];
        let mut open: Vec<_> = roots.iter().rev().map(|&ix| (ix, Ok(DMat4::IDENTITY))).collect();
        while let Some((ix, scene_from_parent)) = open.pop() {
            let node = item(&self.document.nodes, ix, "node")?;
            if std::mem::replace(&mut is_visited[ix], true) {
                return Err(fault(format!("node {ix} has two parents")));
            }
            // A transform that makes no sense is a fault only where it places a mesh: nodes of bones and cameras
            // have all kinds.
            let scene_from_node = transform::scene_from_node(scene_from_parent, node, ix);
            if let Some(mesh) = node.mesh {
                let scene_from_node = scene_from_node.clone().map_err(fault)?;
                let mesh = item(&self.document.meshes, mesh, "mesh")?;
                self.n_deformed += usize::from(node.deforms(mesh));
                self.n_instanced += usize::from(node.extensions.instancing.is_some());
                for primitive in &mesh.primitives {
                    self.read_primitive(primitive, scene_from_node)?;
                }
            }
            open.extend(node.children.iter().rev().map(|&child| (child, scene_from_node.clone())));
        }
        Ok(())
    }

    fn read_primitive(&mut self, primitive: &Primitive, scene_from_node: DMat4) -> Result<(), Cause> {
        if primitive.mode.unwrap_or(TRIANGLES) != TRIANGLES {
            self.n_skipped += 1;
            return Ok(());
        }
        let positions = primitive.attributes.position.ok_or_else(|| fault("a primitive has no positions"))?;
        let accessor = item(&self.document.accessors, positions, "accessor")?;
        if (accessor.component_type, accessor.shape.as_str()) != (FLOAT, "VEC3") {
            return Err(fault(format!("accessor {positions} holds no positions of 32-bit floats")));
        }
        let start = self.mesh.vertices.len();
        let vertices = self.items(accessor, positions, 12)?;
        bounded(start, accessor.count, "vertices")?;
        let vertices = vertices.map(|bytes| {
            let [x, y, z] = [0, 4, 8].map(|at| f64::from(f32::from_le_bytes(array(&bytes[at..]))));
            scene_from_node.transform_point3(DVec3::new(x, y, z))
        });
        let vertices: Vec<DVec3> = vertices.collect();
        let n_primitive = vertices.len();
        self.mesh.vertices.extend(vertices);
        let indices = match primitive.indices {
            Some(ix) => self.indices(ix)?,
            None => (0..n_primitive as u32).collect(),
        };
        if let Some(index) = indices.iter().find(|&&ix| ix as usize >= n_primitive) {
            return Err(fault(format!(
                "vertex index {index} out of range ({})",
                error::vertices(n_primitive)
            )));
        }
        if !indices.len().is_multiple_of(3) {
            return Err(fault(format!(
                "a triangle list of {} corners, needs a multiple of 3",
                indices.len()
            )));
        }
        bounded(self.mesh.triangles.len(), indices.len() / 3, "triangles")?;
        let is_mirrored = scene_from_node.determinant() < 0.0;
        self.mesh.triangles.extend(indices.chunks_exact(3).map(|corners| {
            let [a, b, c] = [0, 1, 2].map(|at| start as u32 + corners[at]);
            if is_mirrored { [a, c, b] } else { [a, b, c] }
        }));
        Ok(())
    }

    /// The values of an accessor that holds indices.
    fn indices(&self, ix: usize) -> Result<Vec<u32>, Cause> {
        let accessor = item(&self.document.accessors, ix, "accessor")?;
        let size = match accessor.component_type {
            UNSIGNED_BYTE => 1,
            UNSIGNED_SHORT => 2,
            UNSIGNED_INT => 4,
            _ => 0,
        };
        if size == 0 || accessor.shape != "SCALAR" {
            return Err(fault(format!("accessor {ix} holds no indices")));
        }
        let value = |bytes: &[u8]| match size {
            1 => u32::from(bytes[0]),
            2 => u32::from(u16::from_le_bytes(array(bytes))),
            _ => u32::from_le_bytes(array(bytes)),
        };
        Ok(self.items(accessor, ix, size)?.map(value).collect())
    }

    /// The items of an accessor, `size` bytes each, after checking that all of them lie inside their buffer.
    fn items(
        &self,
        accessor: &Accessor,
        ix: usize,
        size: usize,
    ) -> Result<impl Iterator<Item = &[u8]>, Cause> {
        if accessor.sparse.is_some() {
            return Err(fault(format!("accessor {ix} is sparse, which is not supported")));
        }
        let view = accessor.buffer_view.ok_or_else(|| fault(format!("accessor {ix} has no buffer view")))?;
        let view = item(&self.document.buffer_views, view, "buffer view")?;
        let buffer = item(&self.buffers, view.buffer, "buffer")?;
        let stride = view.byte_stride.unwrap_or(size);
        if stride < size {
            return Err(fault(format!("accessor {ix}: items of {size} bytes lie {stride} bytes apart")));
        }
        let n_bytes = match accessor.count {
            0 => Some(0),
            count => (count - 1).checked_mul(stride).and_then(|last| last.checked_add(size)),
        };
        let items = buffer
            .get(view.byte_offset..)
            .and_then(|bytes| bytes.get(..view.byte_length))
            .and_then(|bytes| bytes.get(accessor.byte_offset..))
            .and_then(|bytes| bytes.get(..n_bytes?))
            .ok_or_else(|| fault(format!("accessor {ix} reaches beyond its buffer")))?;
        Ok(items.chunks(stride))
    }
}

/// Most vertices, and most triangles, that a document may place. Any number of nodes may place the same few bytes, so
/// that a small file could ask for all memory; this is what the largest file of another format holds.
const MAX_PLACED: usize = 1 << 25;

fn bounded(placed: usize, more: usize, what: &str) -> Result<(), Cause> {
    match placed.checked_add(more) {
        Some(n) if n <= MAX_PLACED => Ok(()),
        _ => Err(fault(format!("places more than {MAX_PLACED} {what}"))),
    }
}

/// The first bytes of an item that is long enough.
fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    *bytes.first_chunk().expect("accessor items have at least the size of their type")
}
