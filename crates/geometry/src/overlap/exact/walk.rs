//! Finding the pairs of faces that may cross: both trees at once.

use glam::{DVec3, Mat3A, Vec3A, Vec4};

use super::curve::Curve;
use super::placed::Placed;
use super::predicates::Facet;
use super::stamped::Stamped;
use super::triangles::cross;
use crate::Aabb;
use crate::solid::wide::{Box32, Boxes4, Child, UnitFrame, WideNode};

/// Walks two trees and keeps its memory from pair to pair.
///
/// Four boxes at a time are held against the box of a node, or against box and plane of a face, in the host's unit
/// frame and in single precision. All tests are closed, so that touching counts: the infinitely small shift of the
/// predicates can turn it into crossing.
#[derive(Debug, Default)]
pub(super) struct Walk {
    pairs: Vec<[Child; 2]>,
    /// Pairs of faces that may cross.
    near: Vec<[u32; 2]>,
    nodes: MovedNodes,
    host_faces: Faces<Facet>,
    guest_faces: Faces<GuestFace>,
}

/// Ratio of sizes from which on only the larger one of two nodes is opened.
const MUCH_LARGER: f32 = 4.0;

impl Walk {
    /// Adds every crossing of two faces to the curve.
    pub fn find_curve(&mut self, bodies: &mut [Placed<'_>; 2], curve: &mut Curve) {
        self.find_near(bodies);
        for &faces in &self.near {
            let host = self.host_faces.get(faces[0], || bodies[0].facet(faces[0]));
            let guest = self.guest_faces.known(faces[1]);
            if let Some(crossing) = cross(host, &guest.facet) {
                curve.add(bodies, faces, &crossing);
            }
        }
    }

    /// Lists the pairs of faces whose boxes meet and where the guest's plane meets the host's box.
    fn find_near(&mut self, bodies: &mut [Placed<'_>; 2]) {
        let [host_tree, guest_tree] = [bodies[0].solid.wide(), bodies[1].solid.wide()];
        let frame = host_tree.frame;
        let motion = Motion32::new(bodies);
        self.nodes.0.reset(guest_tree.nodes.len());
        self.host_faces.reset(bodies[0].solid.faces().len());
        self.guest_faces.reset(bodies[1].solid.faces().len());
        self.near.clear();
        self.pairs.clear();
        self.pairs.push([Child::ROOT; 2]);
        while let Some([host, guest]) = self.pairs.pop() {
            if guest.is_face() {
                self.open_host(&mut bodies[1], &frame, &host_tree.nodes[host.ix() as usize], guest, None);
                continue;
            }
            let guest_node = &guest_tree.nodes[guest.ix() as usize];
            let moved = *self.nodes.get(&motion, guest, guest_node);
            if host.is_face() {
                let aabb = frame.aabb(&Aabb::from_points(bodies[0].corners(host.ix())));
                for slot in bits(moved.boxes.meeting(&aabb)) {
                    let child = guest_node.children[slot];
                    if child.is_face() {
                        self.guest_faces.get(child.ix(), || GuestFace::new(&mut bodies[1], child, &frame));
                    }
                    self.push([host, child]);
                }
                continue;
            }
            let host_node = &host_tree.nodes[host.ix() as usize];
            let (host_size, guest_size) = (host_node.aabb.size(), moved.aabb.size());
            if host_size > MUCH_LARGER * guest_size {
                self.open_host(&mut bodies[1], &frame, host_node, guest, Some(&moved.aabb));
                continue;
            }
            let is_small = guest_size > MUCH_LARGER * host_size;
            for slot in bits(moved.boxes.meeting(&host_node.aabb)) {
                let child = guest_node.children[slot];
                if is_small {
                    self.push([host, child]);
                } else {
                    self.open_host(&mut bodies[1], &frame, host_node, child, Some(&moved.boxes.get(slot)));
                }
            }
        }
    }

    /// Pairs those children of a node of the host with a node or face of the guest that may meet it.
    #[inline]
    fn open_host(
        &mut self,
        guest_body: &mut Placed<'_>,
        frame: &UnitFrame,
        host: &WideNode,
        guest: Child,
        guest_box: Option<&Box32>,
    ) {
        let mask = match guest_box {
            Some(aabb) if !guest.is_face() => host.boxes.meeting(aabb),
            _ => {
                let face = self.guest_faces.get(guest.ix(), || GuestFace::new(guest_body, guest, frame));
                host.boxes.meeting(&face.aabb) & face.plane.meeting(&host.boxes)
            }
        };
        for slot in bits(mask) {
            self.push([host.children[slot], guest]);
        }
    }

    #[inline]
    fn push(&mut self, pair: [Child; 2]) {
        if pair[0].is_face() && pair[1].is_face() {
            self.near.push([pair[0].ix(), pair[1].ix()]);
        } else {
            self.pairs.push(pair);
        }
    }
}

/// The numbers of the bits that are set, of four.
#[inline]
fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let lowest = mask.trailing_zeros() as usize & 3;
            mask &= mask - 1;
            lowest
        })
    })
}

/// The boxes of a node of the guest, in the host's unit frame.
#[derive(Clone, Copy, Debug, Default)]
struct MovedNode {
    aabb: Box32,
    boxes: Boxes4,
}

/// The nodes of the guest met so far, each moved once.
#[derive(Debug, Default)]
struct MovedNodes(Stamped<MovedNode>);

impl MovedNodes {
    #[inline]
    fn get(&mut self, motion: &Motion32, ix: Child, node: &WideNode) -> &MovedNode {
        self.0.get_or_set(ix.ix(), || MovedNode {
            aabb: motion.around(&node.aabb),
            boxes: motion.around_four(&node.boxes),
        })
    }
}

/// The motion from the guest's unit frame into the host's, in single precision.
#[derive(Debug)]
struct Motion32 {
    rotation: Mat3A,
    /// Magnitudes of the rotation's elements.
    spread: Mat3A,
    translation: Vec3A,
    /// Bound of the rounding error of a moved box.
    margin: f32,
}

impl Motion32 {
    fn new(bodies: &[Placed<'_>; 2]) -> Self {
        /// Sixteen units in the last place of all magnitudes that are summed.
        const ROUNDING: f32 = 1e-6;
        let [host, guest] = [bodies[0].solid.wide().frame, bodies[1].solid.wide().frame];
        let scale = guest.half / host.half;
        let rotation = (bodies[1].rotation() * scale).as_mat3();
        let centre = (bodies[1].to_host_frame(guest.centre) - host.centre) / host.half;
        let translation = centre.as_vec3a();
        let spread = Mat3A::from_cols(
            rotation.x_axis.abs().into(),
            rotation.y_axis.abs().into(),
            rotation.z_axis.abs().into(),
        );
        let margin = ROUNDING * (1.0 + 3.0 * scale as f32 + translation.abs().max_element());
        Self { rotation: rotation.into(), spread, translation, margin }
    }

    #[inline]
    fn around(&self, aabb: &Box32) -> Box32 {
        let centre = self.rotation * (0.5 * (aabb.min + aabb.max)) + self.translation;
        let half = self.spread * (0.5 * (aabb.max - aabb.min)) + self.margin;
        Box32 { min: centre - half, max: centre + half }
    }

    #[inline]
    fn around_four(&self, boxes: &Boxes4) -> Boxes4 {
        let [centre, half] = boxes.middles();
        let mut moved = Boxes4::default();
        for i in 0..3 {
            let row = |m: &Mat3A, v: &[Vec4; 3]| v[0] * m.x_axis[i] + v[1] * m.y_axis[i] + v[2] * m.z_axis[i];
            let centre = row(&self.rotation, &centre) + self.translation[i];
            let half = row(&self.spread, &half) + self.margin;
            (moved.min[i], moved.max[i]) = ((centre - half).into(), (centre + half).into());
        }
        moved
    }
}

/// A face of the guest with its box and its plane in the host's unit frame.
#[derive(Clone, Copy, Debug)]
struct GuestFace {
    aabb: Box32,
    plane: Plane32,
    facet: Facet,
}

impl GuestFace {
    fn new(guest: &mut Placed<'_>, face: Child, frame: &UnitFrame) -> Self {
        let facet = guest.facet(face.ix());
        let aabb = frame.aabb(&Aabb::from_points(facet.corners));
        Self { aabb, plane: Plane32::new(&facet, frame), facet }
    }
}

/// The plane `normal . x = height` in the host's unit frame, or nothing in particular if the normal is zero.
#[derive(Clone, Copy, Debug)]
struct Plane32 {
    normal: Vec3A,
    height: f32,
}

impl Plane32 {
    fn new(facet: &Facet, frame: &UnitFrame) -> Self {
        let normal = facet.direction().unwrap_or(DVec3::ZERO);
        let height = normal.dot(facet.corners[0] - frame.centre) / frame.half;
        Self { normal: normal.as_vec3a(), height: height as f32 }
    }

    /// Which of four boxes may have points on both sides of the plane, or in it.
    #[inline]
    fn meeting(&self, boxes: &Boxes4) -> u32 {
        /// Some thirty roundings of numbers up to one.
        const MARGIN: f32 = 2e-6;
        let [centre, half] = boxes.middles();
        let [n, spread] = [self.normal, self.normal.abs()];
        let off = centre[0] * n.x + centre[1] * n.y + centre[2] * n.z - self.height;
        let reach = half[0] * spread.x + half[1] * spread.y + half[2] * spread.z + MARGIN;
        off.abs().cmple(reach).bitmask()
    }
}

/// The faces met so far, each worked out once.
#[derive(Debug)]
struct Faces<T> {
    ix: Stamped<u32>,
    faces: Vec<T>,
}

impl<T> Default for Faces<T> {
    fn default() -> Self {
        Self { ix: Stamped::default(), faces: Vec::new() }
    }
}

impl<T> Faces<T> {
    fn reset(&mut self, n_faces: usize) {
        self.ix.reset(n_faces);
        self.faces.clear();
    }

    #[inline]
    fn get(&mut self, face: u32, make: impl FnOnce() -> T) -> &T {
        let faces = &mut self.faces;
        let ix = *self.ix.get_or_set(face, || {
            faces.push(make());
            faces.len() as u32 - 1
        });
        &self.faces[ix as usize]
    }

    /// A face that has been asked for before.
    #[inline]
    fn known(&self, face: u32) -> &T {
        &self.faces[self.ix.get(face).expect("the face is known") as usize]
    }
}
