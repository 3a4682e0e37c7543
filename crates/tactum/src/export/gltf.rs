//! The motion of a run as an animated glTF scene: a node for each body, with its surface, and channels where it moves.
//!
//! glTF has y up, scenes have z up: all bodies are below one node that turns by -90 degrees about x, so that what is inside reads as in
//! the scene.

use std::collections::BTreeMap;
use std::path::Path;

use glam::{DQuat, DVec3};
use serde_json::{Value, json};
use tactum_geometry::shape::{DrawnSurface, ShapeKey, surface::SurfacePoint};
use tactum_geometry::{Pose, Shape};
use tactum_sim::{Body, BodyKind};

use super::glb::Glb;
use super::sheet::Sheet;
use super::tracks::{Room, moving, standing};
use super::{Claim, ExportError, MERIDIANS, Sampling};
use crate::files::write_whole;
use crate::recorded::{Frame, Recorded};

/// Largest glb file: its length is a number of 32 bits.
const LIMIT: u64 = u32::MAX as u64;

/// Colours of moving bodies, linear red, green and blue: Tableau's ten (Stone 2016), told apart by most people.
const COLOURS: [[f32; 3]; 10] = [
    [0.078, 0.185, 0.389],
    [0.887, 0.268, 0.024],
    [0.753, 0.095, 0.098],
    [0.181, 0.473, 0.447],
    [0.100, 0.356, 0.078],
    [0.847, 0.584, 0.065],
    [0.434, 0.192, 0.356],
    [1.000, 0.337, 0.386],
    [0.337, 0.180, 0.114],
    [0.491, 0.434, 0.413],
];

/// The colour of what stands.
const GREY: [f32; 3] = [0.35, 0.36, 0.38];

/// Writes the motion of a run as a binary glTF file.
///
/// # Errors
/// If the run cannot be read, or the file not written.
pub fn write_gltf(run: &Recorded, sampling: Sampling, claim: &Claim<'_>) -> Result<(), ExportError> {
    claim.file(run)?;
    let path = claim.path;
    let world = run.world();
    let tracks = Tracks::read(run, sampling, path)?;
    let mut scene = Scene { colors: run.scene().spec().expanded_colors(), ..Scene::default() };
    for (ix, body) in standing(world) {
        let drawn = drawn(&body.shape, &body.w_from_shape(), &tracks.room);
        scene.add(ix, body, &drawn, &body.w_from_shape());
    }
    let times = (!tracks.times.is_empty()).then(|| scene.glb.times(&tracks.times));
    for (k, (ix, body)) in moving(world).enumerate() {
        let start = tracks.starts.get(k).copied().unwrap_or_else(|| body.w_from_shape());
        let node = scene.add(ix, body, &drawn(&body.shape, &start, &tracks.room), &start);
        if let Some(times) = times {
            scene.animate(node, times, &tracks.translations[k], &tracks.rotations[k]);
        }
    }
    let too_large = |needed| ExportError::TooLarge { path: path.to_owned(), needed, limit: LIMIT };
    let file = scene.finish(&run.scene().name()).map_err(too_large)?;
    write_whole(path, &file).map_err(ExportError::write(path))
}

/// Where the moving bodies are over the frames, as the file has it.
struct Tracks {
    times: Vec<f32>,
    /// Where each body is in the first frame.
    starts: Vec<Pose>,
    /// Of each body, one for each time \[m\].
    translations: Vec<Vec<[f32; 3]>>,
    rotations: Vec<Vec<[f32; 4]>>,
    room: Room,
}

impl Tracks {
    fn read(run: &Recorded, sampling: Sampling, path: &Path) -> Result<Self, ExportError> {
        /// Bytes of a body in a frame.
        const BYTES: u64 = 28;
        let world = run.world();
        let every = sampling.every(world.settings().dt);
        let mut frames = run.frames(every)?;
        let n = moving(world).count();
        let needed = BYTES.saturating_mul(n as u64).saturating_mul(frames.n_at_most());
        if needed > LIMIT {
            return Err(ExportError::TooLarge { path: path.to_owned(), needed, limit: LIMIT });
        }
        let mut tracks = Self {
            times: Vec::new(),
            starts: Vec::new(),
            translations: vec![Vec::new(); n],
            rotations: vec![Vec::new(); n],
            room: Room::new(world),
        };
        while let Some(frame) = frames.next_frame()? {
            tracks.add(&frame);
        }
        if tracks.times.is_empty() {
            let here = |(_, body): (usize, &Body)| {
                body.shape.is_bounded().then(|| body.shape.aabb(&body.w_from_shape()))
            };
            tracks.room.cover(moving(world).filter_map(here));
        }
        Ok(tracks)
    }

    fn add(&mut self, frame: &Frame) {
        let time = frame.time as f32;
        // Late in a long run the times of two steps may be one number of 32 bits.
        if self.times.last().is_some_and(|last| *last >= time) {
            return;
        }
        self.times.push(time);
        self.room.add(frame);
        if self.starts.is_empty() {
            self.starts = frame.motions.iter().map(|motion| motion.w_from_shape).collect();
        }
        for (k, motion) in frame.motions.iter().enumerate() {
            let Pose { translation, rotation } = motion.w_from_shape;
            self.translations[k].push(translation.as_vec3().to_array());
            let rotation = rotation.as_quat().normalize();
            // Of the two quaternions of a turn the one next to the last is on the shorter way there.
            let turned = |last: &[f32; 4]| glam::Quat::from_array(*last).dot(rotation) < 0.0;
            let is_far = self.rotations[k].last().is_some_and(turned);
            self.rotations[k].push(if is_far { -rotation } else { rotation }.to_array());
        }
    }
}

/// The surface of a body; of a plane a sheet under all that there is, which is returned as well.
fn drawn(shape: &Shape, w_from_shape: &Pose, room: &Room) -> Drawn {
    if let Some(surface) = shape.surface(MERIDIANS).drawn() {
        return Drawn { surface, sheet: None };
    }
    let sheet = Sheet::under(room.box_w(), w_from_shape);
    let point = |position| SurfacePoint { position, normal: DVec3::Z };
    let surface =
        DrawnSurface { points: sheet.corners().map(point).to_vec(), triangles: vec![[0, 1, 2], [0, 2, 3]] };
    Drawn { surface, sheet: Some(sheet) }
}

struct Drawn {
    surface: DrawnSurface,
    /// The part of a plane that is shown.
    sheet: Option<Sheet>,
}

/// A component of a colour without the curve of sRGB (IEC 61966-2-1), as glTF has it.
fn linear(c: f32) -> f32 {
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// The document under construction.
#[derive(Default)]
struct Scene {
    glb: Glb,
    /// The colours that bodies ask for, sRGB.
    colors: Vec<Option<[f32; 3]>>,
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    channels: Vec<Value>,
    samplers: Vec<Value>,
    /// The vertices and triangles of shapes that are there: numbers of the accessors of positions, normals and corners.
    shapes: BTreeMap<ShapeKey, [usize; 3]>,
    /// Meshes by shape and material.
    known_meshes: BTreeMap<(ShapeKey, usize), usize>,
    /// Materials by name and whether both sides are seen.
    known_materials: BTreeMap<(String, bool), usize>,
}

impl Scene {
    /// Adds a body where it is at first; the number of its node.
    fn add(&mut self, ix: usize, body: &Body, drawn: &Drawn, w_from_shape: &Pose) -> usize {
        let material = self.material(ix, body.kind, drawn.sheet.is_some());
        let mesh = match &drawn.sheet {
            // Planes share no sheet.
            Some(_) => {
                let accessors = self.surface(&drawn.surface);
                self.mesh(accessors, material)
            }
            None => {
                let key = body.shape.key();
                match self.known_meshes.get(&(key, material)) {
                    Some(mesh) => *mesh,
                    None => {
                        let accessors = match self.shapes.get(&key) {
                            Some(known) => *known,
                            None => self.surface(&drawn.surface),
                        };
                        self.shapes.insert(key, accessors);
                        let mesh = self.mesh(accessors, material);
                        self.known_meshes.insert((key, material), mesh);
                        mesh
                    }
                }
            }
        };
        let mut node = json!({
            "name": body.name, "mesh": mesh,
            "translation": w_from_shape.translation.as_vec3().to_array(),
            "rotation": w_from_shape.rotation.as_quat().normalize().to_array(),
        });
        if let Some(sheet) = &drawn.sheet {
            node["extras"] = json!({"endless_plane_shown_m": 2.0 * sheet.half_side});
        }
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// The material of a body: of the colour that it asks for, or else of one in turn.
    fn material(&mut self, ix: usize, kind: BodyKind, is_sheet: bool) -> usize {
        let turn = ix % COLOURS.len();
        let (name, [r, g, b]) = match (self.colors.get(ix).copied().flatten(), kind) {
            (Some(rgb), _) => {
                let [r, g, b] = rgb.map(|c| (255.0 * c).round() as u8);
                (format!("#{r:02x}{g:02x}{b:02x}"), rgb.map(linear))
            }
            (None, BodyKind::Static) => ("static".to_owned(), GREY),
            (None, _) => (format!("body {turn}"), COLOURS[turn]),
        };
        let Self { materials, known_materials, .. } = self;
        *known_materials.entry((name.clone(), is_sheet)).or_insert_with(|| {
            let mut material = json!({
                "name": name,
                "pbrMetallicRoughness": {"baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.7},
            });
            if is_sheet {
                material["doubleSided"] = json!(true);
            }
            materials.push(material);
            materials.len() - 1
        })
    }

    fn surface(&mut self, surface: &DrawnSurface) -> [usize; 3] {
        let of = |which: fn(&SurfacePoint) -> DVec3| -> Vec<[f32; 3]> {
            surface.points.iter().map(|point| which(point).as_vec3().to_array()).collect()
        };
        [
            self.glb.positions(&of(|point| point.position)),
            self.glb.normals(&of(|point| point.normal)),
            self.glb.indices(surface.triangles.as_flattened()),
        ]
    }

    fn mesh(&mut self, [positions, normals, corners]: [usize; 3], material: usize) -> usize {
        self.meshes.push(json!({"primitives": [{
            "attributes": {"POSITION": positions, "NORMAL": normals}, "indices": corners, "material": material,
        }]}));
        self.meshes.len() - 1
    }

    /// Adds the channels of a node, unless it stands still.
    fn animate(&mut self, node: usize, times: usize, translations: &[[f32; 3]], rotations: &[[f32; 4]]) {
        fn is_still<const N: usize>(values: &[[f32; N]]) -> bool {
            values.iter().all(|value| *value == values[0])
        }
        if !is_still(translations) {
            let values = self.glb.channel("VEC3", translations);
            self.channel(node, "translation", times, values);
        }
        if !is_still(rotations) {
            let values = self.glb.channel("VEC4", rotations);
            self.channel(node, "rotation", times, values);
        }
    }

    fn channel(&mut self, node: usize, path: &str, times: usize, values: usize) {
        self.channels.push(json!({"sampler": self.samplers.len(), "target": {"node": node, "path": path}}));
        self.samplers.push(json!({"input": times, "output": values, "interpolation": "LINEAR"}));
    }

    /// The file, or how long it would be.
    fn finish(mut self, name: &str) -> Result<Vec<u8>, u64> {
        let y_from_z = DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2);
        let bodies: Vec<usize> = (0..self.nodes.len()).collect();
        let mut root = json!({"name": format!("{name} (z up)"), "rotation": y_from_z.as_quat().to_array()});
        if !bodies.is_empty() {
            root["children"] = json!(bodies);
        }
        self.nodes.push(root);
        let mut document = json!({
            "asset": {"version": "2.0", "generator": concat!("Tactum ", env!("CARGO_PKG_VERSION"))},
            "scene": 0,
            "scenes": [{"name": name, "nodes": [self.nodes.len() - 1]}],
            "nodes": self.nodes,
        });
        // The format has no empty lists.
        for (key, list) in [("meshes", self.meshes), ("materials", self.materials)] {
            if !list.is_empty() {
                document[key] = Value::Array(list);
            }
        }
        if !self.channels.is_empty() {
            document["animations"] =
                json!([{"name": name, "channels": self.channels, "samplers": self.samplers}]);
        }
        self.glb.finish(document, LIMIT)
    }
}
