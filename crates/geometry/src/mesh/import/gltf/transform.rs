//! Where a node stands.

use glam::{DMat4, DQuat, DVec3};

use super::document::Node;
use crate::words::{number, quoted, vector};

/// How far the length of a rotation's quaternion may be from 1: what the roundings of a writer of 8-bit components add
/// up to, which is also what Khronos' validator allows. Within it the quaternion is brought to length 1.
const UNIT: f64 = 0.007_69;

/// Error of a matrix that was written in 32 bits, in the size of its columns.
const ROUNDING_32: f64 = 8.0 * f32::EPSILON as f64;

/// The transform of a node from that of its parent, or what is wrong with it or with one above it.
pub fn scene_from_node(parent: Result<DMat4, String>, node: &Node, ix: usize) -> Result<DMat4, String> {
    let scene_from_parent = parent?;
    let placed = parent_from_node(node).and_then(|parent_from_node| {
        let scene_from_node = scene_from_parent * parent_from_node;
        keeps_volumes(scene_from_node).map(|()| scene_from_node)
    });
    placed.map_err(|problem| match &node.name {
        Some(name) => format!("node {ix} (\"{}\"): {problem}", quoted(name)),
        None => format!("node {ix}: {problem}"),
    })
}

fn parent_from_node(node: &Node) -> Result<DMat4, String> {
    let Some(matrix) = node.matrix else { return from_parts(node) };
    if node.translation.is_some() || node.rotation.is_some() || node.scale.is_some() {
        return Err("has a matrix and also translation, rotation or scale".to_owned());
    }
    if matrix.iter().any(|x| !x.is_finite()) {
        return Err("the matrix has an element that is not finite".to_owned());
    }
    let row = [matrix[3], matrix[7], matrix[11], matrix[15]];
    if row.iter().zip([0.0, 0.0, 0.0, 1.0]).any(|(x, needed)| (x - needed).abs() > ROUNDING_32) {
        let [a, b, c, d] = row.map(number);
        return Err(format!("the last row of the matrix is ({a}, {b}, {c}, {d}), needs (0, 0, 0, 1)"));
    }
    let mut affine = DMat4::from_cols_array(&matrix);
    (affine.x_axis.w, affine.y_axis.w, affine.z_axis.w, affine.w_axis.w) = (0.0, 0.0, 0.0, 1.0);
    keeps_volumes(affine).map(|()| affine)
}

fn from_parts(node: &Node) -> Result<DMat4, String> {
    let rotation = node.rotation.map_or(DQuat::IDENTITY, DQuat::from_array);
    let scale = node.scale.map_or(DVec3::ONE, DVec3::from);
    let translation = node.translation.map_or(DVec3::ZERO, DVec3::from);
    let length = rotation.length();
    if !(1.0 - UNIT..=1.0 + UNIT).contains(&length) {
        return Err(format!("the quaternion of its rotation has length {}, needs 1", number(length)));
    }
    if !scale.is_finite() || scale.to_array().contains(&0.0) {
        return Err(format!("its scale is {}, needs finite numbers other than 0", vector(scale)));
    }
    if !translation.is_finite() {
        return Err(format!("its translation is {}, needs finite numbers", vector(translation)));
    }
    Ok(DMat4::from_scale_rotation_translation(scale, rotation.normalize(), translation))
}

/// Refuses a transform that leaves the numbers or makes a body flat.
fn keeps_volumes(transform: DMat4) -> Result<(), String> {
    if !transform.is_finite() {
        return Err("its place in the scene overflows".to_owned());
    }
    let [x, y, z] = [transform.x_axis, transform.y_axis, transform.z_axis].map(|column| {
        let column = column.truncate();
        // Scaled first, so that no square overflows; a column of zeros becomes NaN.
        (column / column.abs().max_element()).normalize()
    });
    let spanned = x.cross(y).dot(z).abs();
    if spanned > ROUNDING_32 { Ok(()) } else { Err("its transform makes all bodies flat".to_owned()) }
}
