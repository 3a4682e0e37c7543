//! A frame as the device sees it.

use std::ops::Range;
use std::sync::Arc;

use glam::{DVec2, DVec3, Mat4, Vec4};
use tactum_geometry::shape::ShapeKey;
use tactum_geometry::{Aabb, Shape};
use tactum_sim::BodyKind;

use super::bindings::Globals;
use super::buffers::{Body, Look, SurfaceBuffers};
use super::hiding::kept_opacity;
use super::planes::{Planes, grid_spacing};
use super::{DrawError, Picture, Quality, Style};
use crate::frame::{BodyInfo, Frame};
use crate::mesh::{DETAILS, Surface};
use crate::palette::{BODIES, Rgb, STATIC};

/// Direction to the light: from above, the left and the front of the first view.
pub const LIGHT: DVec3 = DVec3::new(-0.30, -0.55, 0.85);

/// How much darker a shadow is.
const SHADOW: f32 = 0.85;

/// From this opacity on a body is solid.
const SOLID: f32 = 0.995;

/// Translucent bodies are drawn from far to near in this many slabs at least, one body each where they are fewer. Within a
/// slab bodies of one surface are drawn together, whatever their order, which is faster where the processor draws.
const SLABS: usize = 64;

/// Opacity of the far side of a translucent body, as a part of that of its near side; `body.wgsl` has the same.
const FAR_SIDE: f32 = 0.55;

/// How far the ground is seen, in distances of the camera from its target.
pub const HORIZON: f64 = 16.0;

/// Largest radius of what casts sharp shadows, in distances of the camera.
const SHADOW_REACH: f64 = 2.5;

/// Bodies of one shape that are drawn together.
#[derive(Debug)]
pub struct Batch {
    pub shape: Shape,
    /// Index of one of the bodies in the model.
    pub example: usize,
    /// How much of the surface is drawn, see [`DETAILS`].
    pub detail: usize,
    /// Places in the list of bodies.
    pub bodies: Range<u32>,
    /// Whether the far side of translucent bodies is drawn too.
    pub has_far_side: bool,
    /// Pixels that the outline may touch: x, y, width, height.
    pub pixels: [u32; 4],
}

/// Lists of what is drawn.
#[derive(Debug)]
pub struct Prepared {
    pub globals: Globals,
    pub bodies: Vec<Body>,
    /// Parts of the ground.
    pub planes: Planes,
    pub solid: Vec<Batch>,
    /// The farthest first.
    pub glass: Vec<Batch>,
    /// The same bodies for their shadows, in no order.
    pub glass_shadows: Vec<Batch>,
    pub selected: Option<Batch>,
    pub has_edges: bool,
    pub viewport: [u32; 4],
    pub clip: [u32; 4],
    pub around: Rgb,
}

/// The colour of a body: the one that it asks for, or else one in turn.
pub fn body_colour(ix: usize, body: &BodyInfo) -> Rgb {
    body.colour.unwrap_or(match body.kind {
        BodyKind::Static => STATIC,
        BodyKind::Kinematic | BodyKind::Dynamic => BODIES[ix % BODIES.len()],
    })
}

impl Prepared {
    pub fn new(picture: &Picture<'_>, quality: &Quality) -> Self {
        let mut prepared = Self {
            globals: globals(picture, quality.shadow_map),
            bodies: Vec::new(),
            planes: Planes::of(picture),
            solid: Vec::new(),
            glass: Vec::new(),
            glass_shadows: Vec::new(),
            selected: None,
            has_edges: picture.style.wireframe,
            viewport: picture.viewport,
            clip: picture.clip,
            around: picture.around,
        };
        prepared.sort_bodies(picture, quality.roughness);
        prepared
    }

    fn sort_bodies(&mut self, picture: &Picture<'_>, roughness: f64) {
        let frame = picture.frame;
        let eye = picture.camera.eye();
        let n_bodies = frame.poses.len().min(frame.model.bodies.len());
        let finite = |ix: &usize| frame.model.bodies[*ix].shape.is_bounded();
        let kept = if picture.style.sees_into {
            kept_opacity(frame, picture.camera)
        } else {
            vec![1.0; frame.model.bodies.len()]
        };
        let drawn = |ix: usize| {
            let body = &frame.model.bodies[ix];
            let bounds = frame.bounds_of(ix as u32);
            Drawn {
                ix,
                key: (body.shape.key(), detail_of(picture, &body.shape, &bounds, roughness)),
                alpha: kept[ix] * opacity(body, picture.style),
                distance: bounds.center().distance_squared(eye),
            }
        };
        let all = (0..n_bodies).filter(finite).map(drawn);
        let (mut solid, mut glass): (Vec<Drawn>, Vec<Drawn>) = all.partition(|body| body.alpha >= SOLID);
        solid.sort_by_key(|body| (body.key, body.ix));
        glass.sort_by(|a, b| b.distance.total_cmp(&a.distance));
        self.solid = self.batches(picture, &solid);
        let n_together = (glass.len() / SLABS).max(1);
        for slab in glass.chunks_mut(n_together) {
            slab.sort_by_key(|body| (body.key, body.ix));
            let batches = self.batches(picture, slab);
            self.glass.extend(batches);
        }
        if picture.style.shadows {
            glass.sort_by_key(|body| (body.key, body.ix));
            self.glass_shadows = self.batches(picture, &glass);
        }
        let selected = picture.selected.map(|ix| ix as usize).filter(|ix| *ix < n_bodies && finite(ix));
        if let Some(ix) = selected
            && let Some(pixels) = pixels_of(picture, ix as u32)
        {
            let batches = self.batches(picture, &[Drawn { alpha: 1.0, ..drawn(ix) }]);
            self.selected = batches.into_iter().next().map(|batch| Batch { pixels, ..batch });
        }
    }

    /// Adds bodies to the list, and says which of them are drawn together: those of one surface that follow each other.
    fn batches(&mut self, picture: &Picture<'_>, bodies: &[Drawn]) -> Vec<Batch> {
        let same = bodies.chunk_by(|a, b| a.key == b.key);
        same.map(|run| {
            let first = self.bodies.len() as u32;
            for body in run {
                let info = &picture.frame.model.bodies[body.ix];
                let colour = body_colour(body.ix, info);
                let pose = &picture.frame.poses[body.ix];
                let look = Look { colour, alpha: body.density(), pattern_about: info.pattern_about() };
                self.bodies.push(Body::at(pose, picture.camera.target, &look));
            }
            let shape = picture.frame.model.bodies[run[0].ix].shape.clone();
            let has_far_side = run[0].has_far_side();
            let bodies = first..self.bodies.len() as u32;
            let (example, detail) = (run[0].ix, run[0].key.1);
            Batch { shape, example, detail, bodies, has_far_side, pixels: [0; 4] }
        })
        .collect()
    }
}

/// A body that is drawn.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    ix: usize,
    /// Its surface, and how much of it.
    key: (ShapeKey, usize),
    alpha: f32,
    /// Squared distance of its middle from the eye \[m²\].
    distance: f64,
}

impl Drawn {
    /// Of a body that is drawn as roughly as can be only the near side is seen, made as dense as both.
    fn has_far_side(&self) -> bool {
        self.key.1 + 1 < DETAILS.len()
    }

    fn density(&self) -> f32 {
        if self.has_far_side() {
            self.alpha
        } else {
            1.0 - (1.0 - self.alpha) * (1.0 - FAR_SIDE * self.alpha)
        }
    }
}

/// The roughest surface whose cells are no wider than `roughness` pixels.
fn detail_of(picture: &Picture<'_>, shape: &Shape, bounds: &Aabb, roughness: f64) -> usize {
    let depth =
        picture.camera.axes()[2].dot(picture.camera.eye() - bounds.center()) - bounds.half_size().length();
    let at_target = picture.camera.metres_per_pixel(f64::from(picture.viewport[3])) / picture.camera.distance;
    let pixels = shape.size() / (at_target * depth);
    let is_enough =
        |cells: &Option<u32>| cells.is_some_and(|n| depth > 0.0 && pixels < roughness * f64::from(n));
    DETAILS.iter().rposition(is_enough).unwrap_or(0)
}

fn opacity(body: &BodyInfo, style: &Style) -> f32 {
    if body.kind == BodyKind::Static { style.fixed_opacity } else { style.opacity }
}

/// The rectangle of pixels around a body and its outline; `None` where it is out of sight. The whole picture where a part
/// of it is behind the camera.
fn pixels_of(picture: &Picture<'_>, body: u32) -> Option<[u32; 4]> {
    /// Room for the line itself \[points\].
    const MARGIN: f64 = 4.0;
    let [x, y, width, height] = picture.viewport;
    let size = DVec2::new(f64::from(width), f64::from(height));
    let bounds = picture.frame.bounds_of(body);
    let corners = (0..8_u32).map(|ix| {
        let pick = |bit: u32| if ix >> bit & 1 == 0 { bounds.min } else { bounds.max };
        DVec3::new(pick(0).x, pick(1).y, pick(2).z)
    });
    let seen: Option<Vec<DVec2>> = corners.map(|x| picture.camera.project(x, size)).collect();
    let Some(seen) = seen else { return Some(picture.clip) };
    let margin = DVec2::splat(MARGIN * f64::from(picture.scale));
    let min = seen.iter().fold(DVec2::INFINITY, |m, x| m.min(*x)) - margin;
    let max = seen.iter().fold(DVec2::NEG_INFINITY, |m, x| m.max(*x)) + margin;
    let corner = DVec2::new(f64::from(x), f64::from(y));
    let [left, top, clip_width, clip_height] = picture.clip.map(f64::from);
    let clip = [DVec2::new(left, top), DVec2::new(left + clip_width, top + clip_height)];
    let [min, max] = [corner + min.floor(), corner + max.ceil()].map(|x| x.clamp(clip[0], clip[1]));
    let extent = max - min;
    (extent.min_element() >= 1.0).then_some([min.x as u32, min.y as u32, extent.x as u32, extent.y as u32])
}

fn globals(picture: &Picture<'_>, shadow_side: u32) -> Globals {
    let Picture { camera, style, viewport: [_, _, width, height], .. } = *picture;
    let around = style.theme.surroundings();
    let rgb = |[r, g, b]: Rgb, w: f32| [r, g, b, w];
    let (light_from_target, radius) = light(picture);
    // What lets light through casts a lighter shadow.
    let strength = if style.shadows { SHADOW * (0.35 + 0.65 * style.opacity) } else { 0.0 };
    // A texel and a half away from the surface nothing shades itself.
    let offset = 1.5 * 2.0 * radius / f64::from(shadow_side);
    Globals {
        clip_from_target: camera.clip_from_target(f64::from(width) / f64::from(height)).to_cols_array_2d(),
        light_from_target: light_from_target.to_cols_array_2d(),
        eye: (camera.eye() - camera.target).as_vec3().extend(0.0).to_array(),
        light: LIGHT.normalize().as_vec3().extend(strength).to_array(),
        sky: rgb(around.sky, 1.0),
        horizon: rgb(around.horizon, 1.0),
        ground: rgb(around.ground, 1.0),
        grid: rgb(around.grid, if style.grid { 0.9 } else { 0.0 }),
        picture: [width as f32, height as f32, picture.scale, 1.0 / shadow_side as f32],
        scale: [grid_spacing(camera.distance) as f32, (HORIZON * camera.distance) as f32, offset as f32, 0.0],
    }
}

/// The ball whose shadows are drawn: its centre relative to the target, and its radius \[m\].
pub fn shadowed(picture: &Picture<'_>) -> (DVec3, f64) {
    let bounds = picture.frame.bounds();
    let most = SHADOW_REACH * picture.camera.distance;
    let whole = 0.5 * bounds.diagonal();
    if whole.is_finite() && whole > 0.0 && whole <= most {
        (bounds.center() - picture.camera.target, whole)
    } else {
        (DVec3::ZERO, most)
    }
}

/// Matrix from positions relative to the target to the shadow map, and the radius of what it covers \[m\].
fn light(picture: &Picture<'_>) -> (Mat4, f64) {
    let (center, radius) = shadowed(picture);
    let towards = LIGHT.normalize();
    let right = DVec3::Z.cross(towards).normalize();
    let up = towards.cross(right);
    // Bodies beyond the circle cast shadows into it from up to four radii away.
    let (side, deep) = (radius.recip(), (8.0 * radius).recip());
    let rows = [(right * side, 0.0), (up * side, 0.0), (towards * -deep, 0.5)];
    let rows = rows.map(|(v, shift)| v.extend(shift - v.dot(center)).as_vec4());
    (Mat4::from_cols(rows[0], rows[1], rows[2], Vec4::W).transpose(), radius)
}

/// Surfaces of the shapes in use.
#[derive(Debug, Default)]
pub struct Surfaces {
    /// One for each detail, or the last one for all that follow.
    known: Vec<(ShapeKey, Shape, Vec<SurfaceBuffers>)>,
    /// The bodies that the surfaces are those of.
    model: Option<Arc<crate::frame::Model>>,
}

impl Surfaces {
    /// Makes the surfaces of a frame's bodies that are not there yet, and forgets those of other scenes.
    ///
    /// # Errors
    /// If the device cannot hold one of them.
    pub fn keep(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        frame: &Frame,
    ) -> Result<(), DrawError> {
        if self.model.as_ref().is_some_and(|model| Arc::ptr_eq(model, &frame.model)) {
            return Ok(());
        }
        let mut old = std::mem::take(&mut self.known);
        for body in &frame.model.bodies {
            let key = body.shape.key();
            if self.find(key).is_ok() {
                continue;
            }
            let found = old.iter().position(|(known, ..)| *known == key);
            let entry = match found {
                Some(ix) => old.swap_remove(ix),
                None => {
                    let details = Surface::details(&body.shape);
                    let buffers = details.iter().map(|surface| SurfaceBuffers::new(device, queue, surface));
                    (key, body.shape.clone(), buffers.collect::<Result<_, _>>()?)
                }
            };
            let at = self.find(key).unwrap_or_else(|at| at);
            self.known.insert(at, entry);
        }
        self.model = Some(frame.model.clone());
        Ok(())
    }

    fn find(&self, key: ShapeKey) -> Result<usize, usize> {
        self.known.binary_search_by_key(&key, |(known, ..)| *known)
    }

    /// The surface of bodies of the last frame.
    ///
    /// # Errors
    /// If their shape has none.
    pub fn get(&self, batch: &Batch) -> Result<&SurfaceBuffers, DrawError> {
        let details = self.find(batch.shape.key()).ok().map(|at| self.known[at].2.as_slice());
        let details = details.unwrap_or_default();
        details.get(batch.detail).or(details.last()).ok_or_else(|| {
            let body = self.model.as_ref().and_then(|model| model.bodies.get(batch.example));
            DrawError::NoSurface { body: body.map_or_else(String::new, |body| body.name.clone()) }
        })
    }
}

#[cfg(test)]
mod tests {
    use tactum_geometry::Pose;

    use super::*;
    use crate::camera::Camera;
    use crate::frame::Model;
    use crate::overlay::Overlay;

    /// A frame of unit balls in a row away from the first view, all at rest but the last `n_moving`.
    fn row(n: usize, n_moving: usize) -> Frame {
        let ball = |ix: usize| {
            let kind = if ix < n - n_moving { BodyKind::Static } else { BodyKind::Dynamic };
            BodyInfo {
                kind,
                ..BodyInfo::of_shape(
                    &format!("ball-{ix}"),
                    Shape::Sphere(tactum_geometry::Sphere { radius: 0.5 }),
                )
            }
        };
        let model = Model { bodies: (0..n).map(ball).collect(), ..Model::default() };
        let poses = (0..n).map(|ix| Pose::from_translation(DVec3::Y * ix as f64)).collect();
        Frame { model: Arc::new(model), poses, ..Frame::default() }
    }

    /// Nothing at rest is faint.
    fn prepared(frame: &Frame, style: &Style) -> Prepared {
        let style = &Style { sees_into: false, ..*style };
        let picture = Picture {
            frame,
            camera: &Camera::default(),
            style,
            overlay: &Overlay::default(),
            selected: None,
            size: [200, 100],
            viewport: [0, 0, 200, 100],
            clip: [0, 0, 200, 100],
            around: [0.0; 3],
            scale: 1.0,
        };
        Prepared::new(&picture, &Quality::FINE)
    }

    #[test]
    fn a_few_translucent_bodies_among_many_are_drawn_one_by_one() {
        let frame = row(6400, 50);
        let prepared = prepared(&frame, &Style { opacity: 0.5, ..Style::default() });
        assert_eq!(prepared.glass.len(), 50);
        assert!(prepared.glass.iter().all(|batch| batch.bodies.len() == 1));
        // The farthest first.
        let order: Vec<usize> = prepared.glass.iter().map(|batch| batch.example).collect();
        assert_eq!(order, (6350..6400).rev().collect::<Vec<_>>());
    }

    #[test]
    fn many_translucent_bodies_are_drawn_in_slabs() {
        let frame = row(6400, 6400);
        let prepared = prepared(&frame, &Style { opacity: 0.5, ..Style::default() });
        assert_eq!(prepared.glass.len(), SLABS);
    }

    #[test]
    fn a_body_without_a_surface_is_named() {
        let frame = row(2, 1);
        let prepared = prepared(&frame, &Style::default());
        let surfaces = Surfaces { known: Vec::new(), model: Some(frame.model.clone()) };
        let error = surfaces.get(&prepared.solid[0]).expect_err("nothing was made").to_string();
        assert!(error.contains("'ball-0'") && error.contains("no surface"), "{error}");
    }
}
