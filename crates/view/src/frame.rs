//! What the viewer knows of one step: made by the simulation, never changed afterwards.

use std::sync::Arc;
use std::time::Duration;

use glam::{DVec2, DVec3};
use tactum::backend::OverlapAnswers;
use tactum::tables::{Reading, Sensors};
use tactum_geometry::facets::{FacetTouch, Profile};
use tactum_geometry::{Aabb, Pose, Shape};
use tactum_sim::joint::Placement;
use tactum_sim::report::PhaseTimes;
use tactum_sim::{
    BodyId, BodyKind, ContactDetail, ContactRecord, Joint, JointState, MassProperties, PenaltyDetail,
    Snapshot, StepReport, World,
};

use crate::palette::Rgb;
use crate::simulation::expected::Expected;

/// What of a scene's bodies stays the same from step to step.
#[derive(Debug, Default)]
pub struct Model {
    /// Name of the scene.
    pub scene: String,
    /// How many of the bodies are the scene's own; those behind were dropped in later.
    pub n_scene_bodies: usize,
    /// The bodies, by index.
    pub bodies: Vec<BodyInfo>,
    /// The joints, by index.
    pub joints: Vec<Joint>,
    /// The sensors of the scene, in its order.
    pub sensors: Vec<SensorInfo>,
}

/// What of a sensor stays the same from step to step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SensorInfo {
    /// Its name.
    pub name: String,
    /// What it measures, each quantity with its unit, as in the table of sensors.
    pub quantities: Vec<(&'static str, &'static str)>,
}

impl SensorInfo {
    /// The sensors of a scene in a world of its bodies.
    pub fn all(sensors: &Sensors, world: &World) -> Vec<Self> {
        let report = StepReport::default();
        let info = |(name, readings): (&str, Vec<Reading>)| Self {
            name: name.to_owned(),
            quantities: readings.into_iter().map(|(quantity, _, unit)| (quantity, unit)).collect(),
        };
        sensors.readings(world, &report).map(info).collect()
    }
}

/// What of a body stays the same from step to step.
#[derive(Clone, Debug)]
pub struct BodyInfo {
    /// Its name.
    pub name: String,
    /// What may move it.
    pub kind: BodyKind,
    /// Its shape.
    pub shape: Shape,
    /// Its mass properties.
    pub mass: MassProperties,
    /// Name of what it is made of.
    pub material: Option<String>,
    /// Coefficient of friction of its own or of its material; `None` where it is the scene's, which can be changed.
    pub friction: Option<f64>,
    /// Coefficient of restitution of its material; `None` where it is the scene's, which can be changed.
    pub restitution: Option<f64>,
    /// The colour that it asks for.
    pub colour: Option<Rgb>,
}

/// What was said of a body besides what the world knows of it.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// Whether it takes the scene's friction.
    pub takes_friction: bool,
    /// The colour that it asks for.
    pub colour: Option<Rgb>,
}

/// Triangles from which on a mesh may look round.
const MANY_TRIANGLES: usize = 200;

/// Difference of two principal moments of inertia, as a part of the larger, up to which a mesh of many triangles is taken for
/// round: those of a polyhedron of 200 faces differ less from those of the round body that it stands for.
const SAME_MOMENT: f64 = 0.02;

impl BodyInfo {
    /// The point \[m\], in the frame of its shape, about which a body that may turn without being seen to carries a pattern: a ball,
    /// a capsule, a cylinder, a cone, or a mesh as fine and as even as one of them; `None` for others.
    pub fn pattern_about(&self) -> Option<DVec3> {
        let is_fine = || self.shape.solid().is_some() && self.shape.n_faces() >= MANY_TRIANGLES;
        let is_even = || {
            let [a, b, c] = self.mass.principal_moments().to_array();
            (b - a).min(c - b) <= SAME_MOMENT * c
        };
        let is_moving = self.kind != BodyKind::Static;
        (is_moving && (self.shape.has_round_side() || is_fine() && is_even())).then_some(self.mass.center)
    }

    /// A static body of a shape, for tests of what concerns the shape alone.
    #[cfg(test)]
    pub fn of_shape(name: &str, shape: Shape) -> Self {
        let mass = MassProperties { mass: 1.0, center: DVec3::ZERO, inertia: glam::DMat3::IDENTITY };
        Self {
            name: name.to_owned(),
            kind: BodyKind::Static,
            shape,
            mass,
            material: None,
            friction: None,
            restitution: None,
            colour: None,
        }
    }
}

impl Model {
    /// The model of a world whose first bodies are a scene's.
    pub fn of(
        world: &World,
        scene: String,
        n_scene_bodies: usize,
        given: &[Given],
        sensors: &Sensors,
    ) -> Self {
        let info = |(body, given): (&tactum_sim::Body, &Given)| {
            let material = body.material.and_then(|id| world.materials().get(id));
            BodyInfo {
                name: body.name.clone(),
                kind: body.kind,
                shape: body.shape.clone(),
                mass: body.mass,
                material: material.map(|material| material.name.clone()),
                friction: (!given.takes_friction).then_some(body.friction),
                restitution: material.and_then(|material| material.restitution),
                colour: given.colour,
            }
        };
        let bodies = world.bodies().iter().zip(given).map(info).collect();
        let sensors = SensorInfo::all(sensors, world);
        Self { scene, n_scene_bodies, bodies, joints: world.joints().to_vec(), sensors }
    }
}

/// A contact of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactView {
    /// What the step reports of it.
    pub record: ContactRecord,
    /// What its solver knew of it.
    pub insight: ContactDetail,
}

impl ContactView {
    /// A point of the contact plane, world \[m\].
    pub fn in_world(&self, x: DVec2) -> DVec3 {
        self.record.point + self.record.axes[0] * x.x + self.record.axes[1] * x.y
    }

    /// Centre of pressure, world \[m\]; `None` where nothing presses.
    pub fn cop(&self) -> Option<DVec3> {
        self.insight.motion.presses.then(|| self.in_world(self.record.cop))
    }

    /// Centre of pressure before it was held back at the patch's border, world \[m\].
    pub fn free_cop(&self) -> Option<DVec3> {
        self.insight.motion.presses.then_some(self.insight.free_cop).flatten().map(|x| self.in_world(x))
    }

    /// Mean force on B in the step, world axes \[N\].
    pub fn force(&self, dt: f64) -> DVec3 {
        let [n, u, w, ..] = self.record.impulse;
        (self.record.normal * n + self.record.axes[0] * u + self.record.axes[1] * w) / dt
    }

    /// Mean torque on B about the normal through the centre of pressure in the step \[N m\].
    pub fn spin_torque(&self, dt: f64) -> f64 {
        let [_, fu, fw, tn, ..] = self.record.impulse;
        (tn - (self.record.cop.x * fw - self.record.cop.y * fu)) / dt
    }

    /// Whether it is a contact of this body.
    pub fn is_of(&self, body: u32) -> bool {
        self.record.bodies.iter().any(|id| id.0 == body)
    }

    fn bytes(&self) -> usize {
        let corners = self.insight.patch.hull().map_or(0, |polygon| polygon.corners().len());
        // A polygon keeps a corner, a direction and a length for each of its sides.
        size_of::<Self>() + corners * size_of::<[f64; 5]>()
    }
}

/// Two facets that touch, as they are at the end of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct FacetView {
    /// Their bodies.
    pub bodies: [BodyId; 2],
    /// What both triangles have in common in the plane of the contact, world \[m\].
    pub corners: Vec<DVec3>,
    /// Where the axis of their spheres crosses it \[m\].
    pub center: DVec3,
    /// The contact point: that of the polygon nearest to the axis \[m\].
    pub nearest: DVec3,
    /// Pressure about the axis; where `ratio` is not 1 that of the round contact which this one is stretched from.
    pub profile: Profile,
    /// Unit vector across which the contact is long; zero for a round one.
    pub narrow: DVec3,
    /// Its width over its length.
    pub ratio: f64,
}

impl FacetView {
    /// The facets of a world that touch under the law that asks about them, in the order of their pairs.
    pub fn of(world: &World) -> Vec<Self> {
        let mut views = Vec::new();
        for question in world.touching_facets() {
            let Ok(touch) = question.answer().touch else { continue };
            let origin = question.poses[0].translation;
            views.extend(touch.facets.iter().map(|FacetTouch { touch, .. }| Self {
                bodies: question.bodies,
                corners: touch.corners.iter().map(|corner| origin + *corner).collect(),
                center: origin + touch.plane.center,
                nearest: origin + touch.nearest,
                profile: touch.profile,
                narrow: touch.plane.bend.normalize_or_zero(),
                ratio: touch.ratio,
            }));
        }
        views
    }
}

/// Figures of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Kinetic energy \[J\].
    pub kinetic: f64,
    /// Potential energy \[J\].
    pub potential: f64,
    /// Largest mean depth of a contact \[m\].
    pub max_depth: f64,
    /// Thickness of the thickest region as a part of the smaller body's size.
    pub depth_of_size: f64,
    /// Sweeps of the island that took most.
    pub sweeps: u32,
    /// Largest final update norm of an island.
    pub update_norm: f64,
    /// Update norm of each sweep of the island that took most.
    pub update_norms: Vec<f64>,
    /// Islands that hit the sweep limit.
    pub unconverged_islands: u32,
    /// Bodies that sleep.
    pub asleep: u32,
    /// Wall times of the phases \[s\].
    pub times: PhaseTimes,
    /// Device times of the stages, in the order of their first use.
    pub stages: Vec<(&'static str, Duration)>,
    /// Who answered questions about overlaps of meshes, where stages of a device are asked.
    pub answered: OverlapAnswers,
}

/// A body that is pulled by a spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// The body.
    pub body: u32,
    /// The point of the body at which it is pulled, world \[m\].
    pub anchor: DVec3,
    /// Where it is pulled to, world \[m\].
    pub target: DVec3,
}

/// A state of the simulation with all that is drawn or told of it.
#[derive(Debug, Default)]
pub struct Frame {
    /// Number of the frame, unique and ascending within a run of the program.
    pub id: u64,
    /// Number of the frame that it follows; what was recorded after that one is another future.
    pub after: Option<u64>,
    /// Time step \[s\].
    pub dt: f64,
    /// Simulated time \[s\].
    pub time: f64,
    /// The bodies.
    pub model: Arc<Model>,
    /// State from which the simulation can go on.
    pub state: Snapshot,
    /// Poses of the shapes' frames.
    pub poses: Vec<Pose>,
    /// Contacts of the step that led here, in the order of their pairs and regions.
    pub contacts: Vec<ContactView>,
    /// Facets that touch, under the law that asks about them.
    pub facets: Vec<FacetView>,
    /// What vertices and edges that are in each other did in that step, under the law that asks about them.
    pub penalties: Vec<PenaltyDetail>,
    /// Figures of that step.
    pub figures: Figures,
    /// What the sensors measure, the quantities of each one behind those of the one before.
    pub measured: Vec<f64>,
    /// What has become of the scene's expectations.
    pub expected: Arc<Expected>,
    /// The spring, if one pulls.
    pub pull: Option<Pull>,
}

impl Frame {
    /// Steps made since the scene's start.
    pub fn step(&self) -> u64 {
        self.state.step_count
    }

    /// Which of a pair's forces is drawn, as a factor of that on the second body: the one on a body that can be moved, so that what lies on a
    /// floor is carried, whichever of the two the scene lists first.
    pub fn shown_side(&self, bodies: [u32; 2]) -> f64 {
        let [is_a_moved, is_b_moved] = bodies
            .map(|ix| self.model.bodies.get(ix as usize).is_some_and(|body| body.kind == BodyKind::Dynamic));
        if is_a_moved && !is_b_moved { -1.0 } else { 1.0 }
    }

    /// Memory that the frame holds for itself \[bytes\].
    pub fn bytes(&self) -> usize {
        let contacts: usize = self.contacts.iter().map(ContactView::bytes).sum();
        let facets: usize = self.facets.iter().map(|facet| size_of_val(facet.corners.as_slice())).sum();
        size_of::<Self>()
            + contacts
            + facets
            + size_of_val(self.facets.as_slice())
            + size_of_val(self.penalties.as_slice())
            + size_of_val(self.poses.as_slice())
            + size_of_val(self.measured.as_slice())
            + size_of_val(self.state.bodies.as_slice())
            + size_of_val(self.state.memory.contacts.as_slice())
            + self
                .state
                .memory
                .contacts
                .iter()
                .map(|contact| size_of_val(contact.points.as_slice()))
                .sum::<usize>()
            + size_of_val(self.state.joints.as_slice())
            + size_of_val(self.figures.update_norms.as_slice())
            + size_of_val(self.figures.stages.as_slice())
            + self.figures.answered.causes.len() * size_of::<[(&str, u64); 2]>()
    }

    /// What a sensor measures, in the order of its quantities.
    pub fn readings(&self, sensor: usize) -> &[f64] {
        let n_of = |info: &SensorInfo| info.quantities.len();
        let Some(info) = self.model.sensors.get(sensor) else { return &[] };
        let first: usize = self.model.sensors[..sensor].iter().map(n_of).sum();
        self.measured.get(first..first + n_of(info)).unwrap_or_default()
    }

    /// The joints that hold, each with its state and the frame of its second half in the world.
    pub fn joints(&self) -> impl Iterator<Item = (&Joint, &JointState, Placement)> {
        let joints = self.model.joints.iter().zip(&self.state.joints);
        joints.filter(|(_, state)| !state.broken).filter_map(|(joint, state)| {
            let BodyId(ix) = joint.b;
            let body = self.state.bodies.get(ix as usize)?;
            let body = Placement { origin: body.position, rotation: body.orientation };
            Some((joint, state, body.carry(&joint.halves[1])))
        })
    }

    /// Box around a body \[m\].
    pub fn bounds_of(&self, body: u32) -> Aabb {
        let ix = body as usize;
        match (self.model.bodies.get(ix), self.poses.get(ix)) {
            (Some(body), Some(pose)) => body.shape.aabb(pose),
            _ => Aabb::EMPTY,
        }
    }

    /// Box around all bodies of finite size \[m\].
    pub fn bounds(&self) -> Aabb {
        let all = (0..self.poses.len() as u32).map(|ix| self.bounds_of(ix));
        all.filter(|aabb| aabb.diagonal().is_finite()).fold(Aabb::EMPTY, |all, one| all.union(&one))
    }
}
