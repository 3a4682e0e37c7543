//! Rigid bodies: what they are made of and how they move.

use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};
use serde::{Deserialize, Serialize};
use tactum_geometry::facets::RoundedMesh;
use tactum_geometry::passage::Surface;
use tactum_geometry::shape::SizeError;
use tactum_geometry::{Near, Pose, Shape, SmoothSurface, Symmetry};

use crate::twist::Twist;
use crate::world::body_error::BodyError;
use crate::world::material::{DEFAULT_FRICTION, MaterialId, Materials, is_friction};
use crate::world::rest::Rest;

use crate::constants::{INERTIA_TOLERANCE, MIN_QUATERNION_LENGTH};

/// Index of a body in its world, in the order of insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BodyId(pub u32);

/// What may move a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// Nothing; it has no velocity.
    Static,
    /// Its own velocities, which contacts do not change.
    Kinematic,
    /// Forces and contacts.
    Dynamic,
}

/// Mass, centre of mass and inertia of a body in the frame of its shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass \[kg\].
    pub mass: f64,
    /// Centre of mass in the shape's frame \[m\].
    pub center: DVec3,
    /// Inertia tensor about the centre of mass along the axes of the shape's frame \[kg m²\].
    pub inertia: DMat3,
}

/// What is needed to put a body into a world.
#[derive(Clone, Debug)]
pub struct BodyDesc {
    /// Name used in reports and errors; need not be unique.
    pub name: String,
    /// What may move it.
    pub kind: BodyKind,
    /// Its shape.
    pub shape: Shape,
    /// The smooth surface that the shape stands for, where it stands for one: see [`Shape::smooth_surface`].
    pub smooth: Option<Arc<SmoothSurface>>,
    /// The mesh whose facets are caps of spheres, in the shape's frame; what the law "facets" asks about.
    pub rounded: Option<Arc<RoundedMesh>>,
    /// The surface, closed or open, in the shape's frame; what the law "continuous_penalty" asks about. A half-space needs none.
    pub surface: Option<Arc<Surface>>,
    /// Pose of the shape's frame.
    pub w_from_shape: Pose,
    /// Mass properties; ignored for static and kinematic bodies.
    pub mass: MassProperties,
    /// Velocity of the centre of mass, world axes \[m/s\].
    pub linear_velocity: DVec3,
    /// Angular velocity, world axes \[rad/s\].
    pub angular_velocity: DVec3,
    /// What it is made of.
    pub material: Option<MaterialId>,
    /// Coefficient of friction of its own; where none is stated that of its material, or else [`DEFAULT_FRICTION`].
    pub friction: Option<f64>,
    /// Bits of the groups the body belongs to.
    pub groups: u32,
    /// Bits of the groups it meets: a pair is tested when each one's `groups` meet the other's `mask`.
    pub mask: u32,
}

/// A body of a world. Its state is the pose of its centre of mass with the axes of the shape's frame.
#[derive(Clone, Debug)]
pub struct Body {
    /// Name used in reports and errors.
    pub name: String,
    /// What may move it.
    pub kind: BodyKind,
    /// Its shape.
    pub shape: Shape,
    /// Mass properties in the shape's frame.
    pub mass: MassProperties,
    /// Position of the centre of mass, world \[m\].
    pub position: DVec3,
    /// Orientation of the shape's frame, unit quaternion.
    pub orientation: DQuat,
    /// Velocity of the centre of mass, world axes \[m/s\].
    pub linear_velocity: DVec3,
    /// Angular velocity, world axes \[rad/s\].
    pub angular_velocity: DVec3,
    /// External force through the centre of mass, world axes, held until changed \[N\].
    pub force: DVec3,
    /// External torque, world axes, held until changed \[N m\].
    pub torque: DVec3,
    /// What a kinematic body's velocities gain per second on its path in the step under way, world axes \[m/s², rad/s²\].
    pub(crate) acceleration: Twist,
    /// For how long it has been still, and whether it sleeps.
    pub rest: Rest,
    /// What it is made of.
    pub material: Option<MaterialId>,
    /// Coefficient of friction in force; a pair of which nothing else is said uses the geometric mean of its two.
    pub friction: f64,
    /// Bits of the groups the body belongs to.
    pub groups: u32,
    /// Bits of the groups it meets.
    pub mask: u32,
    /// See [`BodyDesc::smooth`].
    pub smooth: Option<Arc<SmoothSurface>>,
    /// See [`BodyDesc::rounded`].
    pub rounded: Option<Arc<RoundedMesh>>,
    /// See [`BodyDesc::surface`].
    pub surface: Option<Arc<Surface>>,
    /// [`Shape::mean_side`], which each of its contacts asks for in every step \[m\].
    pub(crate) mean_side: f64,
}

impl Body {
    /// Whether forces and contacts move it: it is dynamic and awake.
    pub(crate) fn is_movable(&self) -> bool {
        self.kind == BodyKind::Dynamic && !self.rest.asleep
    }

    /// Whether it moves by itself: it is kinematic and not at rest.
    pub(crate) fn is_driven(&self) -> bool {
        self.kind == BodyKind::Kinematic && [self.twist(), self.acceleration] != [Twist::default(); 2]
    }

    /// Lets it stand where it is while others move.
    pub(crate) fn stand_aside(&mut self) {
        self.kind = BodyKind::Static;
        (self.linear_velocity, self.angular_velocity) = (DVec3::ZERO, DVec3::ZERO);
    }

    /// Its velocities.
    pub(crate) fn twist(&self) -> Twist {
        Twist { linear: self.linear_velocity, angular: self.angular_velocity }
    }

    /// How far the surface that the shape stands for lies outside it at most \[m\].
    pub(crate) fn bulge(&self) -> f64 {
        self.smooth.as_ref().map_or(0.0, |surface| surface.bulge())
    }

    /// How far it does so within a distance from a place of the world at most \[m\].
    pub(crate) fn bulge_near(&self, place: DVec3, radius: f64) -> f64 {
        let near = || Near { place: self.w_from_shape().inverse().point(place), radius };
        self.smooth.as_ref().map_or(0.0, |surface| surface.bulge_near(&near()))
    }

    /// How far the body reaches from its centre of mass in a direction of the world (unit vector) \[m\].
    pub(crate) fn farthest(&self, direction: DVec3) -> f64 {
        self.along_from_center(direction, Shape::farthest)
    }

    /// The same or a little more, at once.
    pub(crate) fn reach(&self, direction: DVec3) -> f64 {
        self.along_from_center(direction, Shape::reach)
    }

    /// The angular velocity that sweeps its surface over others: none of a ball, and none about its own axis of what is round about one \[rad/s\].
    pub(crate) fn sweeping(&self) -> DVec3 {
        match self.shape.symmetry() {
            Some(Symmetry::Point) => DVec3::ZERO,
            Some(Symmetry::Axis) => {
                self.angular_velocity.reject_from_normalized(self.w_from_shape().vector(DVec3::Z))
            }
            None => self.angular_velocity,
        }
    }

    /// How far a point of it goes in a time by turning, at most: no chord is longer than its arc \[m\].
    pub(crate) fn farthest_swept(&self, dt: f64) -> f64 {
        let around = self.shape.own_aabb();
        let radius = (around.center() - self.mass.center).length() + around.half_size().length();
        dt * self.sweeping().length() * radius
    }

    fn along_from_center(&self, direction: DVec3, reach: impl Fn(&Shape, DVec3) -> f64) -> f64 {
        let pose = self.w_from_shape();
        let along = (pose.translation - self.position).dot(direction);
        along + reach(&self.shape, pose.rotation.conjugate() * direction)
    }

    /// Pose of the shape's frame in the world.
    pub fn w_from_shape(&self) -> Pose {
        Pose { rotation: self.orientation, translation: self.position - self.orientation * self.mass.center }
    }
}

impl MassProperties {
    /// Whether a dynamic body can have these; `body` is its name for the message.
    ///
    /// # Errors
    /// What is not finite, not positive, not possible for a solid body, or beyond what can be computed with.
    pub fn check(&self, body: &str) -> Result<(), BodyError> {
        check_mass(body, self)
    }

    /// Principal moments of inertia, ascending \[kg m²\].
    pub fn principal_moments(&self) -> DVec3 {
        let i = self.inertia;
        let symmetric = nalgebra::Matrix3::new(
            i.x_axis.x, i.y_axis.x, i.z_axis.x, //
            i.y_axis.x, i.y_axis.y, i.z_axis.y, //
            i.z_axis.x, i.z_axis.y, i.z_axis.z,
        );
        let mut moments: [f64; 3] = symmetric.symmetric_eigenvalues().into();
        moments.sort_by(f64::total_cmp);
        DVec3::from_array(moments)
    }
}

impl BodyDesc {
    /// Checks the description and makes the body, of one of these materials.
    ///
    /// # Errors
    /// The first entry that is not finite, not positive where it has to be, or not possible for a solid body.
    pub(crate) fn build(self, materials: &Materials) -> Result<Body, BodyError> {
        let body = self.name;
        check_finite(&body, "position", self.w_from_shape.translation)?;
        check_finite(&body, "linear velocity", self.linear_velocity)?;
        check_finite(&body, "angular velocity", self.angular_velocity)?;
        let orientation = unit_orientation(&body, self.w_from_shape.rotation)?;
        if let Err(SizeError { what, found }) = self.shape.check() {
            return Err(BodyError::ShapeSize { body, what, found });
        }
        let of_material = match self.material.map(|id| materials.get(id).ok_or(id)) {
            Some(Ok(material)) => material.friction,
            Some(Err(MaterialId(found))) => {
                return Err(BodyError::NoMaterial { body, found, n_materials: materials.list().len() });
            }
            None => None,
        };
        let friction = self.friction.or(of_material).unwrap_or(DEFAULT_FRICTION);
        if !is_friction(friction) {
            return Err(BodyError::Friction { body, found: friction });
        }
        let moves = self.linear_velocity != DVec3::ZERO || self.angular_velocity != DVec3::ZERO;
        let mass = match self.kind {
            BodyKind::Static if moves => return Err(BodyError::StaticMoves { body }),
            BodyKind::Dynamic => {
                if !self.shape.is_bounded() {
                    return Err(BodyError::DynamicHalfSpace { body });
                }
                check_mass(&body, &self.mass)?;
                let inertia = (self.mass.inertia + self.mass.inertia.transpose()) * 0.5;
                MassProperties { inertia, ..self.mass }
            }
            BodyKind::Static | BodyKind::Kinematic => {
                // Only the centre is used, as the point that a kinematic body turns about.
                check_finite(&body, "centre of mass", self.mass.center)?;
                self.mass
            }
        };
        Ok(Body {
            name: body,
            kind: self.kind,
            mean_side: self.shape.mean_side(),
            smooth: self.smooth,
            rounded: self.rounded,
            surface: self.surface,
            shape: self.shape,
            position: self.w_from_shape.translation + orientation * mass.center,
            mass,
            orientation,
            linear_velocity: self.linear_velocity,
            angular_velocity: self.angular_velocity,
            force: DVec3::ZERO,
            torque: DVec3::ZERO,
            acceleration: Twist::default(),
            rest: Rest::default(),
            material: self.material,
            friction,
            groups: self.groups,
            mask: self.mask,
        })
    }
}

impl Body {
    /// Refuses a body whose energies are no numbers, at the start or once gravity \[m/s²\] has acted on it for a step \[s\].
    ///
    /// Only what moves freely has energies. What vanishes is let pass: a body that creeps has next to no energy.
    pub(crate) fn check_energy(&self, gravity: DVec3, dt: f64) -> Result<(), BodyError> {
        if self.kind != BodyKind::Dynamic {
            return Ok(());
        }
        let mass = self.mass.mass;
        let refuse = |what, of, size, unit| {
            Err(BodyError::Energy { body: self.name.clone(), what, mass, of, size, unit })
        };
        let spin = self.orientation.conjugate() * self.angular_velocity;
        if !(0.5 * spin.dot(self.mass.inertia * spin)).is_finite() {
            return refuse(
                "kinetic energy at the start",
                "spinning at",
                length(self.angular_velocity),
                "rad/s",
            );
        }
        for (what, velocity) in [
            ("kinetic energy at the start", self.linear_velocity),
            ("kinetic energy after a step of free fall", self.linear_velocity + gravity * dt),
        ] {
            if !(0.5 * mass * velocity.length_squared()).is_finite() {
                return refuse(what, "moving at", length(velocity), "m/s");
            }
        }
        if !(mass * gravity.dot(self.position)).is_finite() || !self.position.length_squared().is_finite() {
            return refuse("potential energy at the start", "from the origin by", length(self.position), "m");
        }
        Ok(())
    }
}

/// Length of a vector whose square may be no number.
fn length(v: DVec3) -> f64 {
    let largest = v.abs().max_element();
    if largest > 0.0 && largest.is_finite() { (v / largest).length() * largest } else { largest }
}

/// Refuses a vector with an infinite or undefined component.
pub(crate) fn check_finite(body: &str, what: &'static str, value: DVec3) -> Result<(), BodyError> {
    if value.is_finite() {
        return Ok(());
    }
    Err(BodyError::NotFinite { body: body.to_owned(), what, found: format!("{:?}", value.to_array()) })
}

/// The quaternion at unit length, or why it has no direction.
pub(crate) fn unit_orientation(body: &str, rotation: DQuat) -> Result<DQuat, BodyError> {
    if !rotation.is_finite() {
        let found = format!("{:?}", rotation.to_array());
        return Err(BodyError::NotFinite { body: body.to_owned(), what: "orientation", found });
    }
    // Scaled first, so that the square of a large component cannot overflow.
    let largest = rotation.to_array().iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    if largest < MIN_QUATERNION_LENGTH {
        return Err(BodyError::Orientation { body: body.to_owned(), found: rotation.length() });
    }
    Ok((rotation / largest).normalize())
}

fn check_mass(body: &str, mass: &MassProperties) -> Result<(), BodyError> {
    let body = || body.to_owned();
    check_finite(&body(), "centre of mass", mass.center)?;
    // Below the normal numbers digits are lost, and the inverse is infinite.
    if !mass.mass.is_normal() || mass.mass <= 0.0 {
        return Err(BodyError::Mass { body: body(), found: mass.mass });
    }
    let i = mass.inertia;
    for column in [i.x_axis, i.y_axis, i.z_axis] {
        check_finite(&body(), "inertia tensor", column)?;
    }
    let transposed = i.transpose();
    let mirrored = [i.x_axis - transposed.x_axis, i.y_axis - transposed.y_axis, i.z_axis - transposed.z_axis];
    let found = mirrored.iter().fold(0.0_f64, |m, d| m.max(d.abs().max_element()));
    let scale = [i.x_axis, i.y_axis, i.z_axis].iter().fold(0.0_f64, |m, c| m.max(c.abs().max_element()));
    let allowed = INERTIA_TOLERANCE * scale;
    if found > allowed {
        return Err(BodyError::InertiaAsymmetric { body: body(), found, allowed });
    }
    let moments = mass.principal_moments();
    // Below rounding of the largest moment the smallest one is noise, and its inverse meaningless.
    let needed = 4.0 * f64::EPSILON * moments.z;
    if moments.x <= needed {
        return Err(BodyError::InertiaNotPositive { body: body(), found: moments.x, needed });
    }
    // The inverse divides by the product of all three.
    let inverse = i.inverse();
    if !i.determinant().is_normal() || !inverse.is_finite() || inverse.x_axis.x <= 0.0 {
        return Err(BodyError::InertiaRange { body: body(), smallest: moments.x, largest: moments.z });
    }
    if moments.z > (moments.x + moments.y) * (1.0 + INERTIA_TOLERANCE) {
        return Err(BodyError::InertiaTriangle {
            body: body(),
            largest: moments.z,
            sum: moments.x + moments.y,
        });
    }
    Ok(())
}
