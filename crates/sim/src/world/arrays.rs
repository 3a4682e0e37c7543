//! A world's state as flat arrays, as numerical libraries take them.

use crate::World;

/// States of all bodies in the order of their ids, each quantity as one array without gaps: body `i`'s numbers of a quantity
/// of `k` numbers are at `k i .. k (i + 1)`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StateArrays {
    /// Positions of the shapes' frames, world, 3 numbers each \[m\].
    pub positions: Vec<f64>,
    /// Orientations of the shapes' frames, unit quaternions `x, y, z, w`, 4 numbers each.
    pub orientations: Vec<f64>,
    /// Velocities of the centres of mass, world axes, 3 numbers each \[m/s\].
    pub linear_velocities: Vec<f64>,
    /// Angular velocities, world axes, 3 numbers each \[rad/s\].
    pub angular_velocities: Vec<f64>,
}

impl World {
    /// The state of all bodies as flat arrays; memory of `arrays` is used again.
    pub fn read_state(&self, arrays: &mut StateArrays) {
        let StateArrays { positions, orientations, linear_velocities, angular_velocities } = arrays;
        for array in [&mut *positions, orientations, linear_velocities, angular_velocities] {
            array.clear();
        }
        for body in self.bodies() {
            positions.extend(body.w_from_shape().translation.to_array());
            orientations.extend(body.orientation.to_array());
            linear_velocities.extend(body.linear_velocity.to_array());
            angular_velocities.extend(body.angular_velocity.to_array());
        }
    }
}
