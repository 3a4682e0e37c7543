//! Finding the pairs of faces that may cross: both trees at once.

use glam::{Mat3A, Vec3A, Vec4};

use super::curve::Curve;
use super::placed::Placed;
use super::predicates::Facet;
use super::reusable_map::ReusableMap;
use super::triangles::cross;
use crate::Aabb;
use crate::solid::wide::{Box32, Boxes4, Child, UnitFrame, WideNode};

/// Ratio of sizes from which on only the larger one of two nodes is opened, not both.
const MUCH_LARGER: f32 = 4.0;

/// Walks two trees and keeps its memory from pair to pair.
///
/// Four boxes at a time are held against the box of a node, or against box and plane of a face, in the host's unit
/// frame and in single precision. All tests are closed, so that touching counts: the infinitely small shift of the
/// predicates can turn it into crossing.
#[derive(Debug, Default)]
pub(super) struct Walk {
    pairs: Pairs,
    guest_nodes: ReusableMap<MovedNode>,
    guest_faces: Faces<GuestFace>,
    host_faces: Faces<Facet>,
}

impl Walk {
    /// Adds every crossing of two faces to the curve.
    pub fn find_curve(&mut self, bodies: &mut [Placed<'_>; 2], curve: &mut Curve) {
        self.find_near(bodies);
        self.host_faces.reset(bodies[0].solid.faces().len());
        let frame = bodies[0].solid.wide().frame;
        for &faces in &self.pairs.near {
            let host = self.host_faces.get(faces[0], || bodies[0].facet(faces[0]));
            let guest = self.guest_faces.get(faces[1], || GuestFace::new(&mut bodies[1], faces[1], &frame));
            if let Some(crossing) = cross(host, &guest.facet) {
                curve.add(bodies, faces, &crossing);
            }
        }
    }

    /// Lists the pairs of faces whose boxes meet, without most of those where the guest's plane misses the host's box.
    fn find_near(&mut self, bodies: &mut [Placed<'_>; 2]) {
        let motion = Motion32::new(bodies);
        let [host_body, guest_body] = bodies;
        let [host_tree, guest_tree] = [host_body.solid.wide(), guest_body.solid.wide()];
        let frame = host_tree.frame;
        let Self { pairs, guest_nodes, guest_faces, .. } = self;
        guest_nodes.reset(guest_tree.nodes.len());
        guest_faces.reset(guest_body.solid.faces().len());
        pairs.start();
        while let Some([host, guest]) = pairs.open.pop() {
            if guest.is_face() {
                let face = guest_faces.get(guest.ix(), || GuestFace::new(guest_body, guest.ix(), &frame));
                pairs.open_host(&host_tree.nodes[host.ix() as usize], guest, face.meeting());
                continue;
            }
            let guest_node = &guest_tree.nodes[guest.ix() as usize];
            let moved = guest_nodes.get_or_set(guest.ix(), || motion.around_node(guest_node));
            if host.is_face() {
                let aabb = frame.aabb(&Aabb::from_points(host_body.corners(host.ix())));
                pairs.open_guest(host, guest_node, moved.boxes.meeting(&aabb));
                continue;
            }
            let host_node = &host_tree.nodes[host.ix() as usize];
            let (host_size, guest_size) = (host_node.aabb.size(), moved.aabb.size());
            if host_size > MUCH_LARGER * guest_size {
                pairs.open_host(host_node, guest, |boxes| boxes.meeting(&moved.aabb));
                continue;
            }
            let meeting = moved.boxes.meeting(&host_node.aabb);
            if guest_size > MUCH_LARGER * host_size {
                pairs.open_guest(host, guest_node, meeting);
                continue;
            }
            for slot in bits(meeting) {
                let child = guest_node.children[slot];
                if child.is_face() {
                    let face = guest_faces.get(child.ix(), || GuestFace::new(guest_body, child.ix(), &frame));
                    pairs.open_host(host_node, child, face.meeting());
                } else {
                    let aabb = moved.boxes.get(slot);
                    pairs.open_host(host_node, child, |boxes| boxes.meeting(&aabb));
                }
            }
        }
    }
}

/// Pairs found on the way down.
#[derive(Debug, Default)]
struct Pairs {
    /// Pairs with a node, which are still to be looked into.
    open: Vec<[Child; 2]>,
    /// Pairs of faces that may cross.
    near: Vec<[u32; 2]>,
}

impl Pairs {
    fn start(&mut self) {
        self.near.clear();
        self.open.clear();
        self.open.push([Child::ROOT; 2]);
    }

    /// Pairs those children of a node of the host that `meeting` chooses with a node or face of the guest.
    #[inline]
    fn open_host(&mut self, host: &WideNode, guest: Child, meeting: impl Fn(&Boxes4) -> u32) {
        for slot in bits(meeting(&host.boxes)) {
            self.push([host.children[slot], guest]);
        }
    }

    /// Pairs a node or face of the host with chosen children of a node of the guest.
    #[inline]
    fn open_guest(&mut self, host: Child, guest: &WideNode, meeting: u32) {
        for slot in bits(meeting) {
            self.push([host, guest.children[slot]]);
        }
    }

    #[inline]
    fn push(&mut self, pair: [Child; 2]) {
        if pair[0].is_face() && pair[1].is_face() {
            self.near.push([pair[0].ix(), pair[1].ix()]);
        } else {
            self.open.push(pair);
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
    fn around_node(&self, node: &WideNode) -> MovedNode {
        MovedNode { aabb: self.around(&node.aabb), boxes: self.around_four(&node.boxes) }
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
    fn new(guest: &mut Placed<'_>, face: u32, frame: &UnitFrame) -> Self {
        let facet = guest.facet(face);
        let aabb = frame.aabb(&Aabb::from_points(facet.corners));
        Self { aabb, plane: Plane32::new(&facet, frame, aabb.size()), facet }
    }

    /// Tells which of four boxes meet the face's box and plane.
    #[inline]
    fn meeting(&self) -> impl Fn(&Boxes4) -> u32 {
        |boxes| boxes.meeting(&self.aabb) & self.plane.meeting(boxes)
    }
}

/// The plane `normal . x = height` in the host's unit frame, or nothing in particular if the normal is zero.
#[derive(Clone, Copy, Debug)]
struct Plane32 {
    normal: Vec3A,
    height: f32,
    /// Bound of the error of a distance from the plane inside the host.
    margin: f32,
}

impl Plane32 {
    /// The plane of a face of a certain size.
    fn new(facet: &Facet, frame: &UnitFrame, size: f32) -> Self {
        /// Some thirty roundings of numbers up to one.
        const ROUNDING: f32 = 2e-6;
        /// No point of the host is farther from a face that meets it than this and the face's size.
        const HOST_SIZE: f32 = 4.0;
        let (normal, error) = facet.direction();
        let height = normal.dot(facet.corners[0] - frame.centre) * frame.scale;
        let margin = ROUNDING + error as f32 * (size + HOST_SIZE);
        Self { normal: normal.as_vec3a(), height: height as f32, margin }
    }

    /// Which of four boxes of the host may have points on both sides of the plane, or in it.
    #[inline]
    fn meeting(&self, boxes: &Boxes4) -> u32 {
        let [centre, half] = boxes.middles();
        let [n, spread] = [self.normal, self.normal.abs()];
        let off = centre[0] * n.x + centre[1] * n.y + centre[2] * n.z - self.height;
        let reach = half[0] * spread.x + half[1] * spread.y + half[2] * spread.z + self.margin;
        off.abs().cmple(reach).bitmask()
    }
}

/// The faces met so far, each worked out once.
#[derive(Debug)]
struct Faces<T> {
    ix: ReusableMap<u32>,
    faces: Vec<T>,
}

impl<T> Default for Faces<T> {
    fn default() -> Self {
        Self { ix: ReusableMap::default(), faces: Vec::new() }
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
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};

    use super::super::placed::PlacedCache;
    use super::*;
    use crate::mesh::generate;
    use crate::{Pose, Solid, TriangleMesh};

    /// Every pair of faces that crosses is found, as if all pairs had been tried.
    fn check(host: TriangleMesh, guest: TriangleMesh, host_from_guest: &Pose) {
        let [host, guest] = [host, guest].map(|mesh| Solid::new(mesh).unwrap());
        let mut cache = PlacedCache::default();
        let mut bodies = [Placed::host(&host), Placed::guest(&guest, host_from_guest, &mut cache)];
        let mut walk = Walk::default();
        walk.find_near(&mut bodies);
        walk.pairs.near.sort_unstable();
        assert!(walk.pairs.near.windows(2).all(|pair| pair[0] != pair[1]));
        let mut n_crossings = 0;
        for i in 0..host.faces().len() as u32 {
            for j in 0..guest.faces().len() as u32 {
                if cross(&bodies[0].facet(i), &bodies[1].facet(j)).is_some() {
                    n_crossings += 1;
                    assert!(walk.pairs.near.binary_search(&[i, j]).is_ok(), "faces {i} and {j}");
                }
            }
        }
        assert!(n_crossings > 0);
    }

    #[test]
    fn no_crossing_is_missed() {
        let turned = DQuat::from_xyzw(0.2, 0.3, -0.1, 0.9);
        let ball = |n| generate::sphere(1.0, n).unwrap();
        check(ball(320), ball(320), &Pose::new(DVec3::new(0.9, 0.3, 0.2), turned));
        // Coplanar faces and touching boxes.
        let cube = |side, n| generate::cuboid(DVec3::splat(side), n).unwrap();
        check(cube(1.0, 300), cube(1.0, 300), &Pose::from_translation(DVec3::new(0.25, 0.0, 0.0)));
        // Sizes far apart, either way round.
        check(cube(1e4, 12), ball(320), &Pose::new(DVec3::new(10.0, -3.0, 5e3), turned));
        check(ball(320), cube(1e4, 12), &Pose::new(DVec3::new(10.0, -3.0, 5e3), DQuat::IDENTITY));
        // Needles a thousand million times as long as wide.
        let mut needles = ball(320);
        for x in &mut needles.vertices {
            *x *= DVec3::new(1e3, 1e-6, 1.0);
        }
        check(ball(320), needles, &Pose::from_translation(DVec3::new(0.1, 0.3, 0.0)));
    }
}
