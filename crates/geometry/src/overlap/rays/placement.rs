//! A pair's bodies in the frame of a cell, for the device.

use glam::{DMat3, DVec3};
use tactum_shaders::rays::fixed_rows;
use tactum_shaders::rays::layout::PairFrame;

use super::{Grid, RayBody};
use crate::{Aabb, Pose};

/// Growth of the first box, as a part of the reach: more than 32-bit numbers move a corner.
const SLACK: f64 = 1e-6;

/// How many times less the boxes have to share along B's axes than along A's for these to be taken. The box around a cube that is turned is
/// up to 5.2 times as large, and rays along the faces of one inside the other all err the same way; what lies on a slab shares thousands of
/// times less along the slab. No unit.
const MUCH_LESS: f64 = 16.0;

/// Frames of a pair's cells for the device; `None` for a cell that the bodies' boxes do not both meet, where the overlap
/// is certainly empty.
///
/// Where the axes are not known they are A's, or B's if the boxes share much less along those.
///
/// Everything is composed in 64 bits about the middle of the cell's box and rounded once. `a_from_b` is the relative
/// pose.
pub fn place(a: &RayBody, b: &RayBody, a_from_b: &Pose, grid: &Grid) -> Vec<Option<PairFrame>> {
    let room = |axes: &DMat3| Room::new(&axes.transpose(), a, b, a_from_b);
    let Room { frame_from_a, frame_from_b, b_origin, shared, all } = match grid.a_from_frame() {
        Some(axes) => room(&axes),
        // Those of a slab are as good as along what rests on it, from whichever side it is asked.
        None => {
            let rooms = [DMat3::IDENTITY, a_from_b.matrix()].map(|axes| room(&axes));
            let size = |room: &Room| (room.shared.max - room.shared.min).max(DVec3::ZERO).element_product();
            let [of_a, of_b] = rooms.each_ref().map(size);
            let [along_a, along_b] = rooms;
            if MUCH_LESS * of_b < of_a { along_b } else { along_a }
        }
    };
    let cell_frame = |cell: &Aabb| {
        let own = shared.intersection(cell);
        if own.is_empty() {
            return None;
        }
        let middle = own.center();
        let reach = (all.max - middle).abs().max((all.min - middle).abs()).length();
        let grown = own.inflated(SLACK * reach).intersection(cell);
        let (lo, hi) = ((grown.min - middle).as_vec3(), (grown.max - middle).as_vec3());
        let translations = [frame_from_a * a.origin - middle, frame_from_b * b.origin + (b_origin - middle)];
        let [(fixed_from_a, low_a), (fixed_from_b, low_b)] = [
            fixed_rows(row_arrays(&frame_from_a), translations[0].to_array(), a.unit),
            fixed_rows(row_arrays(&frame_from_b), translations[1].to_array(), b.unit),
        ];
        Some(PairFrame {
            frame_from_a: rows(&frame_from_a, translations[0]),
            frame_from_b: rows(&frame_from_b, translations[1]),
            lo: lo.to_array(),
            state: grid.state(),
            hi: hi.to_array(),
            reach: reach as f32,
            scale: (hi - lo).recip().to_array(),
            pad: 0.0,
            fixed_from_a,
            fixed_from_b,
            low_a,
            unit_a: a.unit,
            low_b,
            unit_b: b.unit,
        })
    };
    grid.cells().iter().map(cell_frame).collect()
}

/// Where the bodies' boxes are in a frame about A's origin.
struct Room {
    frame_from_a: DMat3,
    frame_from_b: DMat3,
    b_origin: DVec3,
    /// What the boxes share, and what holds both.
    shared: Aabb,
    all: Aabb,
}

impl Room {
    fn new(frame_from_a: &DMat3, a: &RayBody, b: &RayBody, a_from_b: &Pose) -> Self {
        let frame_from_b = *frame_from_a * a_from_b.matrix();
        let b_origin = *frame_from_a * a_from_b.translation;
        let box_a = turned_box(frame_from_a, DVec3::ZERO, &a.aabb);
        let box_b = turned_box(&frame_from_b, b_origin, &b.aabb);
        let (shared, all) = (box_a.intersection(&box_b), box_a.union(&box_b));
        Self { frame_from_a: *frame_from_a, frame_from_b, b_origin, shared, all }
    }
}

/// The box around a turned and moved box.
fn turned_box(rotation: &DMat3, translation: DVec3, aabb: &Aabb) -> Aabb {
    let center = *rotation * aabb.center() + translation;
    let half = rotation.abs() * aabb.half_size();
    Aabb { min: center - half, max: center + half }
}

fn row_arrays(rotation: &DMat3) -> [[f64; 3]; 3] {
    [0, 1, 2].map(|k| rotation.row(k).to_array())
}

fn rows(rotation: &DMat3, translation: DVec3) -> [[f32; 4]; 3] {
    [0, 1, 2].map(|k| rotation.row(k).extend(translation[k]).as_vec4().to_array())
}
