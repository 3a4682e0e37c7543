//! The bodies of a run over the frames that are shown.

use tactum_geometry::Aabb;
use tactum_sim::{Body, BodyKind, World};

use crate::recorded::Frame;

/// The bodies that can move, in the order of frames.
pub fn moving(world: &World) -> impl Iterator<Item = (usize, &Body)> {
    world.bodies().iter().enumerate().filter(|(_, body)| body.kind != BodyKind::Static)
}

/// The bodies that stand for ever.
pub fn standing(world: &World) -> impl Iterator<Item = (usize, &Body)> {
    world.bodies().iter().enumerate().filter(|(_, body)| body.kind == BodyKind::Static)
}

/// A box around all that has an end, wherever it is: grows frame by frame.
#[derive(Clone, Debug)]
pub struct Room {
    /// The boxes of the moving bodies in their own frames; none of those without end.
    own: Vec<Option<Aabb>>,
    /// The box so far, world axes \[m\].
    box_w: Aabb,
}

impl Room {
    /// The box around what stands.
    pub fn new(world: &World) -> Self {
        let own = |body: &Body| body.shape.is_bounded().then(|| body.shape.own_aabb());
        let mut room =
            Self { own: moving(world).map(|(_, body)| own(body)).collect(), box_w: Aabb::from_points([]) };
        let bounded = standing(world).filter(|(_, body)| body.shape.is_bounded());
        room.cover(bounded.map(|(_, body)| body.shape.aabb(&body.w_from_shape())));
        room
    }

    /// Takes in where the bodies are.
    pub fn add(&mut self, frame: &Frame) {
        for (own, motion) in self.own.iter().zip(&frame.motions) {
            self.box_w =
                own.iter().fold(self.box_w, |all, own| all.union(&own.transformed(&motion.w_from_shape)));
        }
    }

    /// Takes in boxes of the world.
    pub fn cover(&mut self, boxes_w: impl Iterator<Item = Aabb>) {
        self.box_w = boxes_w.fold(self.box_w, |all, one| all.union(&one));
    }

    /// The box so far, empty around nothing.
    pub fn box_w(&self) -> &Aabb {
        &self.box_w
    }
}
