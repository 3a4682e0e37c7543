//! Winding numbers of the pieces of a surface and of the vertices along the curve.

use super::curve::Curve;
use super::pieces::{Division, Piece};
use super::placed::Placed;
use super::ray;
use super::reusable_map::ReusableMap;
use crate::Aabb;
use crate::solid::bvh::NONE;

/// The element that stands for everything outside the other mesh; pieces and then vertices follow it.
const OUTSIDE: u32 = 0;

/// How often the other surface is wound round each piece and each vertex of a cut face: 0 outside, 1 inside.
///
/// Crossing an event along an edge changes the number by the event's step, and nothing else does. So pieces and
/// vertices are joined into sets with known differences, and one known number settles a set: zero outside the other
/// mesh's box, or else a ray.
#[derive(Debug, Default)]
pub(super) struct Windings {
    n_pieces: u32,
    element_of_vertex: ReusableMap<u32>,
    /// Vertex of each element after the pieces.
    vertices: Vec<u32>,
    elements: Vec<Element>,
    /// Winding number of each element, once found.
    windings: Vec<i32>,
}

#[derive(Clone, Copy, Debug)]
struct Element {
    parent: u32,
    /// This element's number less its parent's.
    above_parent: i32,
}

impl Windings {
    /// Finds all winding numbers of `bodies[of]` in the other mesh.
    pub fn find(
        &mut self,
        bodies: &mut [Placed<'_>; 2],
        of: usize,
        other_box: &Aabb,
        division: &Division,
        curve: &Curve,
        stack: &mut Vec<u32>,
    ) {
        let [host, guest] = bodies;
        let (body, other) = if of == 0 { (host, guest) } else { (guest, host) };
        self.element_of_vertex.reset(body.solid.vertices().len());
        self.vertices.clear();
        self.elements.clear();
        self.n_pieces = division.pieces.len() as u32;
        self.elements.extend((0..=self.n_pieces).map(|parent| Element { parent, above_parent: 0 }));
        for (ix, piece) in division.pieces.iter().enumerate() {
            if piece.is_far {
                self.join(OUTSIDE, 1 + ix as u32, 0);
            }
        }
        self.join_across_borders(body, other_box, division, curve);
        for element in 1..self.elements.len() as u32 {
            if self.find_root(element).0 != OUTSIDE {
                let ix = element as usize - 1;
                let vertex = match division.pieces.get(ix) {
                    Some(piece) => body.solid.faces()[piece.first as usize].corners[0],
                    None => self.vertices[ix - division.pieces.len()],
                };
                let winding = ray::winding(other, body.point(vertex), stack);
                self.join(OUTSIDE, element, winding);
            }
        }
        self.windings.clear();
        for element in 0..self.elements.len() as u32 {
            let (root, winding) = self.find_root(element);
            debug_assert_eq!(root, OUTSIDE, "every set holds a known number by now");
            self.windings.push(winding);
        }
    }

    /// Joins what the borders connect.
    fn join_across_borders(
        &mut self,
        body: &mut Placed<'_>,
        other_box: &Aabb,
        division: &Division,
        curve: &Curve,
    ) {
        for border in &division.borders {
            let pieces =
                border.pieces.map(|piece| if piece == NONE { NONE } else { self.piece_element(piece) });
            if pieces[0] != NONE && pieces[1] != NONE {
                self.join(pieces[0], pieces[1], 0);
                continue;
            }
            let ends = body.solid.edges()[border.edge as usize].ends;
            let [low, high] = ends.map(|v| self.vertex(body, other_box, v));
            let events = curve.events_on(body.owner, border.edge);
            let step: i32 = events.map(|e| curve.events[e as usize].step).sum();
            self.join(low, high, step);
            for piece in pieces.into_iter().filter(|&piece| piece != NONE) {
                self.join(low, piece, 0);
            }
        }
    }

    /// The element of a vertex, made when it is first asked for.
    fn vertex(&mut self, body: &mut Placed<'_>, other_box: &Aabb, vertex: u32) -> u32 {
        if let Some(element) = self.element_of_vertex.get(vertex) {
            return element;
        }
        let element = self.elements.len() as u32;
        let is_far = !other_box.contains(body.point(vertex));
        let parent = if is_far { OUTSIDE } else { element };
        self.elements.push(Element { parent, above_parent: 0 });
        self.vertices.push(vertex);
        self.element_of_vertex.set(vertex, element);
        element
    }

    /// Root of an element's set, and the element's number less the root's.
    fn find_root(&mut self, mut element: u32) -> (u32, i32) {
        let mut above_root = 0;
        loop {
            let Element { parent, above_parent } = self.elements[element as usize];
            let upper = self.elements[parent as usize];
            above_root += above_parent;
            if upper.parent == parent {
                return (parent, above_root);
            }
            // Path halving: hang the element on its grandparent.
            let above_parent = above_parent + upper.above_parent;
            self.elements[element as usize] = Element { parent: upper.parent, above_parent };
            above_root += upper.above_parent;
            element = upper.parent;
        }
    }

    /// States that the number of `b` is that of `a` plus `step`.
    fn join(&mut self, a: u32, b: u32, step: i32) {
        let ((root_a, a_above), (root_b, b_above)) = (self.find_root(a), self.find_root(b));
        // w(b) = w(root_b) + b_above = w(root_a) + a_above + step
        let difference = a_above + step - b_above;
        if root_a == root_b {
            debug_assert_eq!(difference, 0, "winding numbers must not depend on the way along the surface");
        } else if root_a < root_b {
            self.elements[root_b as usize] = Element { parent: root_a, above_parent: difference };
        } else {
            self.elements[root_a as usize] = Element { parent: root_b, above_parent: -difference };
        }
    }

    /// Number of elements that [`Windings::piece_element`] and [`Windings::vertex_element`] number.
    pub fn n_elements(&self) -> usize {
        self.elements.len()
    }

    /// Winding number of an element.
    pub fn of(&self, element: u32) -> i32 {
        self.windings[element as usize]
    }

    /// Element of a piece.
    pub fn piece_element(&self, piece: u32) -> u32 {
        1 + piece
    }

    /// Element of a vertex of a cut face.
    pub fn vertex_element(&self, vertex: u32) -> u32 {
        self.element_of_vertex.get(vertex).expect("every vertex of a cut face is on a border")
    }

    /// The pieces inside the other mesh.
    pub fn inside<'a>(&'a self, division: &'a Division) -> impl Iterator<Item = &'a Piece> + Clone + 'a {
        let is_inside = |ix: usize| self.of(self.piece_element(ix as u32)) != 0;
        division.pieces.iter().enumerate().filter(move |&(ix, _)| is_inside(ix)).map(|(_, piece)| piece)
    }

    /// The vertices of cut faces inside the other mesh, with their elements.
    pub fn inside_vertices(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let first = 1 + self.n_pieces;
        self.vertices.iter().copied().zip(first..).filter(|&(_, element)| self.of(element) != 0)
    }
}
