//! Where a body that is no ball strikes a plane: with the corners that come down first.
//!
//! An overlap is measured as deep as bodies come in a step, and its patch reaches as far. A tilted box strikes with its lowest edge alone, and
//! starts to turn; asked to rebound wherever it could come to lie, it would do so flat. So the time is sought at which the first of its corners
//! comes down, each on the way that it has by itself, and the bodies are looked at where they are then. Each other corner is asked for no more
//! than what it has left of its way: one that strikes with the first rebounds as it does, one that would just come down by the end of the step
//! goes on as it was.

use std::f64::consts::TAU;

use glam::{DMat2, DMat3, DQuat, DVec2, DVec3};
use tactum_geometry::{Near, Pose, Symmetry};

use crate::constants::TOUCHING;
use crate::law::volume::choose::{Chosen, may_have_corners};
use crate::law::volume::corners::Corners;
use crate::law::volume::flight::Flight;
use crate::law::volume::geometry::ContactGeometry;
use crate::law::volume::meeting::{Meeting, When};
use crate::law::volume::overlaps::PairOverlaps;
use crate::law::volume::restitution::Bodies;
use crate::law::volume::rolling::{RoundSide, SurfacePoint, on_axes};
use crate::{Body, Settings};

/// Points of a rim that are looked at, one of them the lowest. No unit.
const ON_RIM: u32 = 8;

/// Steps of Newton's method, from where the corners' accelerations lead to; three are usual.
const MAX_STEPS: u32 = 20;

/// A body with corners, over a plane of another. Frame: world axes, positions relative to where the origin of A's shape was when the contact was
/// measured.
pub struct Striker<'a> {
    body: &'a Body,
    side: usize,
    places: Places,
    flights: [Flight; 2],
    /// A place on the plane, and the way out of it, in the frame of the other body's shape \[m\].
    plane: [DVec3; 2],
    round: [Option<RoundSide>; 2],
    /// How the place that touches moves on its body when that turns, world axes where it was measured \[m\].
    rounding: DMat3,
}

/// Bodies as their contact was measured.
struct Seen<'s, 'a> {
    flights: [Flight; 2],
    chosen: &'s Chosen<'s>,
    between: &'s Bodies<'a>,
}

/// What of a body may strike. Its shape's frame \[m\].
enum Places {
    /// These corners.
    Corners(Vec<DVec3>),
    /// The ends of the lowest line of a round side.
    Line,
    /// The rim about the end that is lower.
    Rim,
    /// Where the smooth surface that it stands for touches near there, and its corners.
    Smooth(Near),
}

impl<'a> Striker<'a> {
    /// Who strikes whom of the bodies of a contact; `None` where there is no plane, or no corner that could be told from others.
    pub fn of(
        pair: &PairOverlaps<'_>,
        chosen: &Chosen<'_>,
        between: &Bodies<'a>,
        settings: &Settings,
    ) -> Option<Self> {
        if !may_have_corners(settings) || pair.onward.is_some() || pair.may_pass {
            return None;
        }
        let seen = Seen { flights: Flight::of_both(between, settings.dt), chosen, between };
        let is_round = between.bodies.map(|body| body.shape.has_round_side());
        match (&chosen.corners, is_round) {
            (Some(on), _) => Some(seen.corners(&on.corners, &chosen.geometry)),
            (None, [false, false]) => seen.mesh(),
            (None, [true, false]) => seen.round(0),
            (None, [false, true]) => seen.round(1),
            (None, [true, true]) => None,
        }
    }

    /// How it strikes what it was `seen` over, before contacts are measured next; `None` where it does not.
    pub fn strikes<'b>(&self, seen: &ContactGeometry<'b>, h: f64) -> Option<Meeting<'b>> {
        let time = self.first_time(h)?;
        let ways = self.ways(time)?;
        let falling = || ways.iter().filter(|way| way.speed < 0.0);
        let lowest = falling().map(|way| way.above).min_by(f64::total_cmp)?;
        let strikes = |way: &Way| (way.above - lowest).abs() <= TOUCHING * self.body.mean_side;
        let striking: Vec<_> = falling().filter(|way| strikes(way)).map(|way| way.at).collect();
        let point = striking.iter().sum::<DVec3>() / striking.len() as f64;
        let above = |way: &Way| if strikes(way) { 0.0 } else { (way.above - lowest).max(0.0) };
        Some(self.over_plane(seen, point, &ways, above, When::After(time)))
    }

    /// How what is round goes on over what it was `seen` over where it approaches faster than `slow`, and does not strike it before contacts are
    /// measured next: its places come as near as their arcs lead them. `None` of corners, which have gaps of their own, and of what rolls.
    pub fn comes_nearer<'b>(&self, seen: &ContactGeometry<'b>, h: f64, slow: f64) -> Option<Meeting<'b>> {
        let ways = self.ways(0.0).filter(|_| !matches!(self.places, Places::Corners(_)))?;
        let at_end = self.ways(h)?;
        if !ways.iter().chain(&at_end).any(|way| way.speed < -slow) {
            return None;
        }
        let lowest = ways.iter().min_by(|a, b| a.above.total_cmp(&b.above))?;
        let nearer = |way: &Way| (way.above + 0.5 * way.gain * h * h).max(0.0);
        Some(self.over_plane(seen, lowest.at, &ways, nearer, When::Not(-lowest.above)))
    }

    /// The contact about a point when it meets the plane, or as it was measured, with as much of each corner's way.
    fn over_plane<'b>(
        &self,
        seen: &ContactGeometry<'b>,
        point: DVec3,
        ways: &[Way],
        part: impl Fn(&Way) -> f64,
        when: When,
    ) -> Meeting<'b> {
        let time = when.time().unwrap_or(0.0);
        let turned = self.plane_turned(time);
        let axes = seen.axes.map(|axis| turned * axis);
        let mut geometry = ContactGeometry { point, normal: turned * seen.normal, axes, ..seen.clone() };
        let corners: Vec<_> =
            ways.iter().map(|way| (on_axes(&geometry, way.at - point), part(way))).collect();
        geometry.polygon = corners.iter().map(|(at, _)| *at).collect();
        Meeting {
            when,
            geometry,
            round: self.round,
            centers: self.flights.each_ref().map(|flight| flight.center(time)),
            corners,
            is_on_side: matches!(self.places, Places::Line),
        }
    }

    /// When the first of its corners comes down on the plane, from half a step before contacts are measured until the next are \[s\].
    fn first_time(&self, h: f64) -> Option<f64> {
        // What touches at the end may be elsewhere on what is round.
        let at_times = [0.0, h].map(|time| (time, self.ways(time)));
        let times = at_times.iter().flat_map(|(time, ways)| {
            let down = move |way: &Way| way.comes_down(-0.5 * h - time).map(|after| time + after);
            ways.iter().flatten().filter_map(down)
        });
        let mut time = times.fold(f64::INFINITY, f64::min);
        let mut last = f64::INFINITY;
        for _ in 0..MAX_STEPS {
            if time > h {
                return None;
            }
            let ways = self.ways(time)?;
            let closing = ways.iter().filter(|way| way.speed < 0.0);
            let first = closing.min_by(|a, b| a.above.total_cmp(&b.above))?;
            let step = -first.above / first.speed;
            let next = (time + step).max(-0.5 * h);
            if next == time || step.abs() >= last {
                break;
            }
            (time, last) = (next, step.abs());
        }
        Some(time)
    }

    /// Its corners at a time, as they move over the plane.
    fn ways(&self, time: f64) -> Option<Vec<Way>> {
        let (own, under) = (&self.flights[self.side], &self.flights[1 - self.side]);
        let (pose, plane) = (own.pose(time), under.pose(time));
        let (on_plane, out) = (plane.point(self.plane[0]), plane.rotation * self.plane[1]);
        let way = |corner: &DVec3| {
            let at = pose.point(*corner);
            let [arm, arm_under] = [own, under].map(|flight| at - flight.center(time));
            let velocity = own.velocity(arm, time) - under.velocity(arm_under, time);
            let gain = own.acceleration(arm) - under.acceleration(arm_under);
            let turned = 2.0 * under.turning().cross(velocity);
            let tilts = (own.turning() - under.turning()).cross(out);
            let gain = (gain - turned).dot(out) + tilts.dot(self.rounding * tilts);
            Way { at, above: (at - on_plane).dot(out), speed: velocity.dot(out), gain }
        };
        let corners = self.places.of(self.body, pose.rotation.conjugate() * -out)?;
        Some(corners.iter().map(way).collect())
    }

    /// How the plane has turned since the contact was measured.
    fn plane_turned(&self, time: f64) -> DQuat {
        let under = &self.flights[1 - self.side];
        under.pose(time).rotation * under.measured().rotation.conjugate()
    }
}

impl<'a> Seen<'_, 'a> {
    fn pose(&self, side: usize) -> Pose {
        let pose = self.flights[side].measured();
        let moved = if side == 1 { self.chosen.shift } else { DVec3::ZERO };
        Pose { translation: pose.translation + moved, ..pose }
    }

    /// The way out of the plane under this side.
    fn out(&self, side: usize) -> DVec3 {
        if side == 1 { self.chosen.geometry.normal } else { -self.chosen.geometry.normal }
    }

    /// A body with these corners, and the geometry in which they are.
    fn corners(self, corners: &Corners, geometry: &ContactGeometry<'_>) -> Striker<'a> {
        let (points, on_plane) = corners.over_plane(geometry);
        let side = usize::from(corners.are_of_b);
        let from_world = self.pose(side).inverse();
        let places = Places::Corners(points.into_iter().map(|x| from_world.point(x)).collect());
        self.striker(side, places, on_plane)
    }

    /// A body of plane faces, or one that stands for a smooth surface, which is struck where that touches.
    fn mesh(self) -> Option<Striker<'a>> {
        let (geometry, corners) = Corners::of(self.chosen.geometry.clone())?;
        let side = usize::from(corners.are_of_b);
        match self.chosen.round {
            [None, None] => Some(self.corners(&corners, &geometry)),
            round if round[1 - side].is_some() => None,
            _ => {
                let facet = self.between.bodies[side].smooth.as_ref()?.facet();
                let near = SurfacePoint::near(&self.pose(side), &self.chosen.geometry, facet);
                let (_, on_plane) = corners.over_plane(&geometry);
                Some(self.striker(side, Places::Smooth(near), on_plane))
            }
        }
    }

    /// A cylinder, a cone or a capsule.
    fn round(self, side: usize) -> Option<Striker<'a>> {
        let Chosen { geometry, depth, round, .. } = self.chosen;
        let body = self.between.bodies[side];
        if !geometry.has_plane || body.shape.symmetry() != Some(Symmetry::Axis) {
            return None;
        }
        let places = if round[side].is_some() { Places::Line } else { Places::Rim };
        let (out, pose) = (self.out(side), self.pose(side));
        let points = places.of(body, pose.rotation.conjugate() * -out)?;
        let along = |x: &DVec3| pose.point(*x).dot(out);
        let lowest = points.iter().min_by(|a, b| along(a).total_cmp(&along(b)))?;
        let on_plane = pose.point(*lowest) + depth.unwrap_or(geometry.extent) * out;
        Some(self.striker(side, places, on_plane))
    }

    fn striker(self, side: usize, places: Places, on_plane: DVec3) -> Striker<'a> {
        let Chosen { geometry, round, .. } = self.chosen;
        let from_world = self.pose(1 - side).inverse();
        let plane = [from_world.point(on_plane), from_world.rotation * self.out(side)];
        let axes = DMat3::from_cols(geometry.axes[0], geometry.axes[1], DVec3::ZERO);
        let on_axes = round[side].map_or(DMat2::ZERO, |round| round.rounding());
        let rounding = axes * DMat3::from_mat2(on_axes) * axes.transpose();
        let body = self.between.bodies[side];
        Striker { body, side, places, flights: self.flights, plane, round: *round, rounding }
    }
}

/// How a corner moves over a plane.
struct Way {
    /// Where it is \[m\].
    at: DVec3,
    /// How far above the plane it is, how fast that grows and by what it is accelerated \[m, m/s, m/s²\].
    above: f64,
    speed: f64,
    gain: f64,
}

impl Way {
    /// How long after this it comes down, not before `start` \[s\]; `None` where it does not, or is below the plane and rises then.
    fn comes_down(&self, start: f64) -> Option<f64> {
        let Self { above, speed, gain, .. } = *self;
        let square = speed * speed - 2.0 * gain * above;
        let down = |time: f64| (speed + gain * time < 0.0).then_some(time);
        if square < 0.0 {
            return None;
        }
        // Of the two zeros of its parabola the one in which it falls, each by the formula that does not cancel.
        let root = square.sqrt();
        let time = if speed < 0.0 { 2.0 * above / (root - speed) } else { -(root + speed) / gain };
        down(time.max(start)).filter(|time| time.is_finite())
    }
}

impl Places {
    /// Where they are with a plane in this direction, in the shape's frame \[m\].
    fn of(&self, body: &Body, toward: DVec3) -> Option<Vec<DVec3>> {
        match self {
            Self::Corners(corners) => Some(corners.clone()),
            Self::Smooth(near) => {
                let (mut points, surface) = (Vec::new(), body.smooth.as_ref()?);
                surface.touching(toward, f64::NEG_INFINITY, near, &mut points);
                let all: Vec<_> =
                    points.iter().map(|point| point.place).chain(surface.corners(near)).collect();
                (!all.is_empty()).then_some(all)
            }
            Self::Line => body.shape.side_line(toward).map(|ends| ends.to_vec()),
            Self::Rim => {
                let end = usize::from(toward.z > 0.0);
                // Upright, one place on the rim is as low as any other.
                let lean =
                    if toward.truncate() == DVec2::ZERO { toward + DVec3::X * f64::EPSILON } else { toward };
                let on_rim = |ix: u32| {
                    let turn = DQuat::from_rotation_z(TAU * f64::from(ix) / f64::from(ON_RIM));
                    body.shape.side_line(turn * lean).map(|ends| ends[end])
                };
                (0..ON_RIM).map(on_rim).collect()
            }
        }
    }
}
