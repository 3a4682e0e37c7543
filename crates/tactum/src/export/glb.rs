//! A binary glTF file (Khronos, glTF 2.0, sections 3.6 and 4.4): numbers in one buffer, and the document that says what they are.
//!
//! The document is a `serde_json` value. The types of `gltf-json` would be a second description of the same three dozen keys.

use serde_json::{Value, json};

const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;

/// What a view of the buffer is for, as the format numbers it.
#[derive(Clone, Copy)]
enum Target {
    Vertices = 34962,
    Indices = 34963,
}

/// Bytes of the header of a file, and of each of its two chunks.
const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;

/// A glTF document and its buffer under construction.
#[derive(Debug, Default)]
pub struct Glb {
    buffer: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Glb {
    /// Adds positions of vertices; the number of their accessor.
    pub fn positions(&mut self, points: &[[f32; 3]]) -> usize {
        let view = self.view(floats(points), Some(Target::Vertices));
        self.accessor(json!({
            "bufferView": view, "componentType": FLOAT, "count": points.len(), "type": "VEC3",
            "min": extreme(points, f32::min), "max": extreme(points, f32::max),
        }))
    }

    /// Adds normals of vertices.
    pub fn normals(&mut self, normals: &[[f32; 3]]) -> usize {
        let view = self.view(floats(normals), Some(Target::Vertices));
        self.accessor(
            json!({"bufferView": view, "componentType": FLOAT, "count": normals.len(), "type": "VEC3"}),
        )
    }

    /// Adds the corners of triangles.
    pub fn indices(&mut self, corners: &[u32]) -> usize {
        let view = self.view(corners.iter().flat_map(|ix| ix.to_le_bytes()), Some(Target::Indices));
        self.accessor(json!({"bufferView": view, "componentType": UNSIGNED_INT, "count": corners.len(), "type": "SCALAR"}))
    }

    /// Adds the times of pictures \[s\], ascending and at least one.
    pub fn times(&mut self, times: &[f32]) -> usize {
        let view = self.view(times.iter().flat_map(|t| t.to_le_bytes()), None);
        let (first, last) = (times[0], times[times.len() - 1]);
        self.accessor(json!({
            "bufferView": view, "componentType": FLOAT, "count": times.len(), "type": "SCALAR", "min": [first], "max": [last],
        }))
    }

    /// Adds what a channel of an animation is at its times: `kind` is VEC3 or VEC4.
    pub fn channel<const N: usize>(&mut self, kind: &str, values: &[[f32; N]]) -> usize {
        let view = self.view(floats(values), None);
        self.accessor(
            json!({"bufferView": view, "componentType": FLOAT, "count": values.len(), "type": kind}),
        )
    }

    fn view(&mut self, bytes: impl Iterator<Item = u8>, target: Option<Target>) -> usize {
        let offset = self.buffer.len();
        self.buffer.extend(bytes);
        let mut view = json!({"buffer": 0, "byteOffset": offset, "byteLength": self.buffer.len() - offset});
        if let Some(target) = target {
            view["target"] = json!(target as u32);
        }
        self.views.push(view);
        self.views.len() - 1
    }

    fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// The file of a document that lists nodes, meshes and so on, but no buffers; or its number of bytes, where that is more than
    /// `limit`.
    pub fn finish(self, mut document: Value, limit: u64) -> Result<Vec<u8>, u64> {
        let Self { buffer, views, accessors } = self;
        if !buffer.is_empty() {
            document["buffers"] = json!([{"byteLength": buffer.len()}]);
            document["bufferViews"] = Value::Array(views);
            document["accessors"] = Value::Array(accessors);
        }
        let mut text = document.to_string().into_bytes();
        // Chunks are whole words: a document ends with spaces, a buffer is of words.
        text.resize(text.len().next_multiple_of(4), b' ');
        let chunks = [(b"JSON", &text), (b"BIN\0", &buffer)];
        let length: usize =
            HEADER + chunks.iter().map(|(_, chunk)| CHUNK_HEADER + chunk.len()).sum::<usize>();
        if length as u64 > limit {
            return Err(length as u64);
        }
        let mut file = Vec::with_capacity(length);
        file.extend(b"glTF");
        file.extend(2_u32.to_le_bytes());
        file.extend((length as u32).to_le_bytes());
        for (kind, chunk) in chunks {
            file.extend((chunk.len() as u32).to_le_bytes());
            file.extend(kind);
            file.extend(chunk);
        }
        Ok(file)
    }
}

fn floats<const N: usize>(vectors: &[[f32; N]]) -> impl Iterator<Item = u8> + '_ {
    vectors.iter().flatten().flat_map(|x| x.to_le_bytes())
}

fn extreme(points: &[[f32; 3]], of: fn(f32, f32) -> f32) -> Value {
    let first = points.first().copied().unwrap_or_default();
    json!(points.iter().fold(first, |all, x| [0, 1, 2].map(|k| of(all[k], x[k]))))
}
