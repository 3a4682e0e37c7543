//! What a glTF document says, as far as it places triangles.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::item;
use crate::mesh::import::Cause;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    pub asset: Asset,
    #[serde(default)]
    pub extensions_required: Vec<String>,
    pub scene: Option<usize>,
    #[serde(default)]
    pub scenes: Vec<Scene>,
    #[serde(default)]
    pub nodes: Vec<Node>,
    #[serde(default)]
    pub meshes: Vec<Mesh>,
    #[serde(default)]
    pub accessors: Vec<Accessor>,
    #[serde(default)]
    pub buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub buffers: Vec<Buffer>,
}

#[derive(Deserialize)]
pub struct Asset {
    pub version: String,
}

#[derive(Deserialize)]
pub struct Scene {
    #[serde(default)]
    pub nodes: Vec<usize>,
}

#[derive(Deserialize)]
pub struct Node {
    pub name: Option<String>,
    #[serde(default)]
    pub children: Vec<usize>,
    pub mesh: Option<usize>,
    pub skin: Option<IgnoredAny>,
    /// Weights of the mesh's morph targets in place of its own.
    pub weights: Option<Vec<f64>>,
    #[serde(default)]
    pub extensions: NodeExtensions,
    pub matrix: Option<[f64; 16]>,
    pub translation: Option<[f64; 3]>,
    pub rotation: Option<[f64; 4]>,
    pub scale: Option<[f64; 3]>,
}

#[derive(Default, Deserialize)]
pub struct NodeExtensions {
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    pub instancing: Option<IgnoredAny>,
}

#[derive(Deserialize)]
pub struct Mesh {
    pub primitives: Vec<Primitive>,
    #[serde(default)]
    pub weights: Vec<f64>,
}

#[derive(Deserialize)]
pub struct Primitive {
    pub attributes: Attributes,
    pub indices: Option<usize>,
    pub mode: Option<u32>,
    #[serde(default)]
    pub targets: Vec<IgnoredAny>,
}

#[derive(Deserialize)]
pub struct Attributes {
    #[serde(rename = "POSITION")]
    pub position: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accessor {
    pub buffer_view: Option<usize>,
    #[serde(default)]
    pub byte_offset: usize,
    pub component_type: u32,
    pub count: usize,
    #[serde(rename = "type")]
    pub shape: String,
    pub sparse: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BufferView {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: usize,
    pub byte_length: usize,
    pub byte_stride: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Buffer {
    pub byte_length: usize,
    pub uri: Option<String>,
}

impl Node {
    /// Whether the mesh that the node places is bent from the shape that is stored.
    pub fn deforms(&self, mesh: &Mesh) -> bool {
        let weights = self.weights.as_ref().unwrap_or(&mesh.weights);
        let has_targets = mesh.primitives.iter().any(|primitive| !primitive.targets.is_empty());
        self.skin.is_some() || has_targets && weights.iter().any(|weight| *weight != 0.0)
    }
}

impl Document {
    /// The nodes at which reading starts.
    pub fn roots(&self) -> Result<Vec<usize>, Cause> {
        if let Some(ix) = self.scene.or_else(|| (!self.scenes.is_empty()).then_some(0)) {
            return Ok(item(&self.scenes, ix, "scene")?.nodes.clone());
        }
        let mut is_root = vec![true; self.nodes.len()];
        for &child in self.nodes.iter().flat_map(|node| &node.children) {
            item(&self.nodes, child, "node")?;
            is_root[child] = false;
        }
        Ok((0..self.nodes.len()).filter(|&ix| is_root[ix]).collect())
    }
}
