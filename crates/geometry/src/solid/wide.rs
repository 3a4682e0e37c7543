//! A tree with four children to a node in single precision, for finding the faces of two meshes that may cross.
//!
//! Four boxes are held against one at a time. They are a filter only: what they let through is decided in double
//! precision, and they let everything through that meets.

use glam::{DVec3, Vec3A, Vec4};

use super::bvh::{Bvh, Node};
use crate::Aabb;

/// Number of children of a node.
const WIDTH: usize = 4;

/// Coordinates in which a mesh fills the cube from -1 to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnitFrame {
    pub centre: DVec3,
    /// Half the longest side of the mesh's box \[m\].
    pub half: f64,
    /// `1 / half`, or as near to it as there are numbers.
    pub scale: f64,
}

impl UnitFrame {
    fn around(aabb: &Aabb) -> Self {
        let half = aabb.half_size().max_element();
        // A mesh that is one point has no scale, and any will do.
        let half = if half > 0.0 { half } else { 1.0 };
        Self { centre: aabb.center(), half, scale: half.recip().min(f64::MAX) }
    }

    /// A point in single precision. Rounding is monotone in every coordinate, so boxes that meet still meet.
    #[inline]
    pub fn point(&self, x: DVec3) -> Vec3A {
        ((x - self.centre) * self.scale).as_vec3a()
    }

    /// The box around the same points in single precision.
    #[inline]
    pub fn aabb(&self, aabb: &Aabb) -> Box32 {
        Box32 { min: self.point(aabb.min), max: self.point(aabb.max) }
    }
}

/// A closed box in single precision.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Box32 {
    pub min: Vec3A,
    pub max: Vec3A,
}

impl Box32 {
    /// A measure of how large the box is.
    #[inline]
    pub fn size(&self) -> f32 {
        (self.max - self.min).element_sum()
    }
}

/// Four closed boxes side by side: `min[axis]` holds the lower bounds of all four. An empty one meets nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Boxes4 {
    pub min: [[f32; WIDTH]; 3],
    pub max: [[f32; WIDTH]; 3],
}

impl Default for Boxes4 {
    fn default() -> Self {
        Self { min: [[f32::INFINITY; WIDTH]; 3], max: [[f32::NEG_INFINITY; WIDTH]; 3] }
    }
}

impl Boxes4 {
    /// Which of the boxes meet another one, a bit for each; touching counts.
    #[inline]
    pub fn meeting(&self, other: &Box32) -> u32 {
        let axis = |i: usize| {
            Vec4::from(self.min[i]).cmple(Vec4::splat(other.max[i]))
                & Vec4::from(self.max[i]).cmpge(Vec4::splat(other.min[i]))
        };
        (axis(0) & axis(1) & axis(2)).bitmask()
    }

    /// Midpoints and half side lengths by axis.
    #[inline]
    pub fn middles(&self) -> [[Vec4; 3]; 2] {
        let each =
            |f: fn(Vec4, Vec4) -> Vec4| [0, 1, 2].map(|i| 0.5 * f(self.max[i].into(), self.min[i].into()));
        [each(|max, min| max + min), each(|max, min| max - min)]
    }

    /// One of the boxes.
    #[inline]
    pub fn get(&self, slot: usize) -> Box32 {
        let corner = |x: &[[f32; WIDTH]; 3]| Vec3A::new(x[0][slot], x[1][slot], x[2][slot]);
        Box32 { min: corner(&self.min), max: corner(&self.max) }
    }

    fn set(&mut self, slot: usize, aabb: &Box32) {
        for i in 0..3 {
            self.min[i][slot] = aabb.min[i];
            self.max[i][slot] = aabb.max[i];
        }
    }
}

/// A node or a face, in one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Child(u32);

impl Child {
    /// The root of the tree.
    pub const ROOT: Self = Self(0);
    /// Marks a face; meshes have fewer than 2^31.
    const FACE: u32 = 1 << 31;

    fn face(ix: u32) -> Self {
        Self(ix | Self::FACE)
    }

    /// Whether this is a face.
    #[inline]
    pub fn is_face(self) -> bool {
        self.0 & Self::FACE != 0
    }

    /// Index of the node or the face.
    #[inline]
    pub fn ix(self) -> u32 {
        self.0 & !Self::FACE
    }
}

/// A node with up to four children.
#[derive(Clone, Debug)]
pub(crate) struct WideNode {
    /// The box around all children.
    pub aabb: Box32,
    /// The children's boxes, empty where there is none.
    pub boxes: Boxes4,
    /// The children; slots without one repeat the root, with an empty box.
    pub children: [Child; WIDTH],
}

/// The tree; a node comes before its children.
#[derive(Debug)]
pub(crate) struct WideTree {
    pub frame: UnitFrame,
    pub nodes: Vec<WideNode>,
}

impl WideTree {
    /// Makes every node of a binary tree, or every second one, into a node of its own.
    ///
    /// `face_box` gives the box of a face.
    pub fn new(bvh: &Bvh, face_box: impl Fn(u32) -> Aabb) -> Self {
        let mut tree = Self { frame: UnitFrame::around(&bvh.nodes[0].aabb), nodes: Vec::new() };
        tree.push(bvh, 0, &face_box);
        tree
    }

    /// Appends the subtree of a binary node.
    fn push(&mut self, bvh: &Bvh, node: u32, face_box: &impl Fn(u32) -> Aabb) -> Child {
        let ix = self.nodes.len();
        let aabb = self.frame.aabb(&bvh.nodes[node as usize].aabb);
        self.nodes.push(WideNode { aabb, boxes: Boxes4::default(), children: [Child::ROOT; WIDTH] });
        for (slot, part) in open(bvh, node).into_iter().enumerate() {
            let (child, aabb) = match part {
                Part::Face(face) => (Child::face(face), face_box(face)),
                Part::Node(node) => (self.push(bvh, node, face_box), bvh.nodes[node as usize].aabb),
            };
            let aabb = self.frame.aabb(&aabb);
            let here = &mut self.nodes[ix];
            here.boxes.set(slot, &aabb);
            here.children[slot] = child;
        }
        Child(ix as u32)
    }
}

#[derive(Clone, Copy)]
enum Part {
    Node(u32),
    Face(u32),
}

/// What a binary node is made of, at most four parts: the largest is opened as long as there is room.
fn open(bvh: &Bvh, node: u32) -> Vec<Part> {
    let get = |part: &Part| match *part {
        Part::Node(node) => Some(&bvh.nodes[node as usize]),
        Part::Face(_) => None,
    };
    let n_inside = |node: &Node| if node.is_leaf() { node.len as usize } else { 2 };
    let mut parts = vec![Part::Node(node)];
    loop {
        let fits = |node: &&Node| parts.len() - 1 + n_inside(node) <= WIDTH;
        let size = |ix: usize| get(&parts[ix]).filter(fits).map(|node| (node.aabb.diagonal(), ix));
        let largest = (0..parts.len()).filter_map(size).max_by(|a, b| a.0.total_cmp(&b.0));
        let Some((_, ix)) = largest else { return parts };
        let Part::Node(node) = parts.remove(ix) else { return parts };
        let inner = &bvh.nodes[node as usize];
        if inner.is_leaf() {
            parts.extend(inner.faces().map(Part::Face));
        } else {
            parts.extend(bvh.children(node).map(Part::Node));
        }
    }
}
