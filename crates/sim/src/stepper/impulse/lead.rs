//! The way of the bodies to where contacts are measured.

use glam::{DMat3, DVec3};
use rayon::prelude::*;

use super::Impulse;
use crate::Body;
use crate::constants::PARALLEL_BODIES;
use crate::motion::Drift;
use crate::stepper::step::Input;

impl Impulse {
    /// Moves the bodies to where contacts are measured with the velocities that they have; those that sleep stay.
    pub(super) fn move_freely(&mut self, input: &Input<'_>) {
        let lead = input.settings.dt - self.remaining;
        let place = |((measured, body), inverse_inertia): ((&mut Body, &Body), &DMat3)| {
            measured.rest = body.rest;
            (measured.force, measured.torque, measured.acceleration) =
                (body.force, body.torque, body.acceleration);
            if body.rest.asleep {
                (measured.position, measured.orientation) = (body.position, body.orientation);
                (measured.linear_velocity, measured.angular_velocity) = (DVec3::ZERO, DVec3::ZERO);
                return;
            }
            let twist = body.twist();
            let (place, angular) = Drift::of(body, inverse_inertia).after(&twist, lead);
            (measured.position, measured.orientation) = (place.origin, place.rotation);
            (measured.linear_velocity, measured.angular_velocity) = (body.linear_velocity, angular);
        };
        if input.bodies.len() < PARALLEL_BODIES {
            self.measured.iter_mut().zip(input.bodies).zip(input.inverse_inertias).for_each(place);
        } else {
            self.measured.par_iter_mut().zip(input.bodies).zip(input.inverse_inertias).for_each(place);
        }
    }
}
