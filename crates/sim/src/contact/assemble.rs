//! From measured overlaps to contact constraints.

use std::borrow::Cow;

use glam::{DVec2, DVec3};
use nalgebra::Matrix3;
use tactum_geometry::Overlap;
use tactum_geometry::overlap::{OverlapKind, Patch};

use crate::constants::MIN_AHEAD_COSINE;
use crate::contact::bent::{self, Bent};
use crate::contact::depth_field::DepthField;
use crate::contact::rows::Rows;
use crate::contact::tips::Tips;
use crate::contact::{Contact, ContactFrame, RecordedOverlap, RegionRef, VolumeRow, memory};
use crate::contact::{normal, tips};
use crate::solver::block_gs::SolverBody;
use crate::solver::constraint::Constraint;
use crate::solver::islands::Islands;
use crate::solver::{Mat6, Vec6};
use crate::state::StoredContact;
use crate::{Body, ContactModel, LocalSolver, PairJob, PatchModel, Settings};

/// What contacts are made from.
#[derive(Clone, Copy, Debug)]
pub struct Assembly<'a> {
    /// Settings of the step.
    pub settings: &'a Settings,
    /// Bodies before the step.
    pub bodies: &'a [Body],
    /// Their free velocities and inverse masses; zero inverse mass for bodies that nothing can move.
    pub free: &'a [SolverBody],
    /// Pairs of the step.
    pub jobs: &'a [PairJob],
    /// Their overlaps.
    pub overlaps: &'a [Overlap],
    /// Contacts of the last step, sorted by pair and region.
    pub memory: &'a [StoredContact],
}

impl Assembly<'_> {
    /// The contact of a region that is not empty, and its constraints; its slots count from `first_slot`, its island's
    /// first.
    pub fn contact(
        &self,
        source: RegionRef,
        islands: &Islands,
        first_slot: u32,
    ) -> (Contact, Vec<Constraint>) {
        let pair = self.jobs[source.job as usize].bodies;
        let remembered = self.remembered(source);
        let measured = self.measured(source, remembered);
        let overlap = measured.overlap.as_ref();
        let patch =
            overlap.patch.as_ref().expect("a contact's overlap has a patch, its own or an equivalent one");
        let [a, b] = pair.map(|ix| &self.bodies[ix as usize]);
        let origin = a.w_from_shape().translation;
        let shift = measured.shift;
        // Halfway between the point on A and the point on B where the bodies are still apart, or at the corners themselves.
        let point = overlap.centroid - measured.part_of_b * shift;
        let frame =
            ContactFrame::new(point, patch.normal, patch.axes).with_pitch(measured.pitch.unwrap_or(0.0));
        let centers = [a.position - origin, b.position - origin];
        let free = pair.map(|ix| &self.free[ix as usize]);
        let slots = pair.map(|ix| islands.slot_within(ix, first_slot));
        let lifted = measured.here.filter(|_| !measured.lands);
        let (held, ahead) = lifted.map_or((overlap, shift), |here| (here, DVec3::ZERO));
        let mut volume = self.volume_row(held, pair, [centers[0], centers[1] + ahead], free);
        let gap = -shift.dot(patch.normal);
        let approach = match measured.field {
            Some(field) if measured.on_tips => {
                let depth = match self.settings.target_volume {
                    None => volume.target / volume.area,
                    Some(_) => volume.depth_at_target(),
                };
                field.approach(depth + gap, &patch.polygon)
            }
            field => approach(&volume, patch, field, gap),
        };
        volume.volume -= volume.gradient_b.dot(ahead);
        let (compliance, bias) = self.rows(&frame, &volume, approach, [a, b], centers, free);
        let mut s = Mat6::ZERO;
        for (body, center) in free.iter().zip(centers) {
            if body.inverse_mass > 0.0 {
                s += frame.admittance(body.inverse_mass, &body.inverse_inertia, center);
            }
        }
        let rows = Rows {
            settings: self.settings,
            slots,
            frame,
            arms: centers.map(|center| point - center),
            is_round: [a, b].iter().any(|body| body.shape.is_smooth()),
            is_point: self.settings.contact == ContactModel::Patch
                && bent::is_point(self.overlaps[source.job as usize].regions(), source.region as usize),
            friction: (a.friction * b.friction).sqrt(),
            matrix: s,
            compliance,
            bias,
            origin,
            remembered: remembered.filter(|_| self.settings.warm_start),
        };
        let contact = Contact {
            source,
            slots,
            frame,
            origin,
            record: measured.record,
            arm_b: rows.arms[1],
            uneven: measured.uneven,
            on_tips: measured.on_tips,
            constraints: 0..0,
            volume,
        };
        let constraints = match self.settings.contact {
            ContactModel::Patch => {
                let rubbing = if measured.on_tips { measured.here } else { Some(overlap) };
                vec![rows.over_patch(overlap, rubbing)]
            }
            ContactModel::Points => rows.at_points(&patch.polygon),
        };
        (contact, constraints)
    }

    /// The overlap that a region's contact is made from.
    fn measured(&self, source: RegionRef, remembered: Option<&StoredContact>) -> Measured<'_> {
        let job = source.job;
        let PairJob { bodies, shift } = self.jobs[job as usize];
        let regions = self.overlaps[job as usize].regions();
        let here = &regions[source.region as usize];
        let Some(patch) = here.patch.as_ref().filter(|_| here.kind == OverlapKind::Regular) else {
            let normal = remembered.map_or_else(|| self.fallback_normal(bodies, here), |c| c.normal);
            let overlap = with_normal(here, normal);
            let record = Some(RecordedOverlap::of(&overlap));
            return Measured { record, ..Measured::new(Cow::Owned(overlap), shift) };
        };
        if self.settings.contact == ContactModel::Patch
            && let Some(Bent { overlap, pitch }) = bent::of(here)
        {
            let record = (shift == DVec3::ZERO).then(|| RecordedOverlap::of(&overlap));
            return Measured { record, pitch: Some(pitch), ..Measured::new(Cow::Owned(overlap), shift) };
        }
        let here = normal::with_rule(here, self.settings.normal);
        let patch = here.patch.as_ref().unwrap_or(patch);
        let field = DepthField::new(patch, &here);
        let area = here.gradient.length();
        let landing = field.is_some_and(|field| field.is_landing(self.target_volume(bodies, area) / area));
        let record = (shift == DVec3::ZERO).then(|| RecordedOverlap::of(&here));
        // On an edge or a corner, or on a face that has still to come down.
        let stands = (landing || tips::is_sharp(patch)) && self.minds_tips(bodies);
        if stands && let Some(measured) = self.on_tips(source, record) {
            return Measured { lands: landing, ..measured };
        }
        // A face that lies tilted touches with a part of itself. Where the rest is about to land is seen ahead.
        if landing
            && let Some((next, ahead)) = self.ahead_of(source)
            && ahead.patch.is_some()
        {
            let overlap = normal::with_rule(ahead, self.settings.normal);
            let field = overlap.patch.as_ref().and_then(|patch| DepthField::new(patch, &overlap));
            return Measured { field, record, uneven: true, ..Measured::new(overlap, next.shift) };
        }
        let uneven = record.is_some() && (landing || stands && Tips::of(&here).is_some());
        Measured { field, record, uneven, ..Measured::new(here, shift) }
    }

    /// The overlap ahead of a region that is the only one of a pair where the bodies are: of several it is not known which
    /// one of those ahead each becomes.
    fn ahead_of(&self, source: RegionRef) -> Option<(&PairJob, &Overlap)> {
        let job = source.job as usize;
        let next = self.jobs.get(job + 1).filter(|next| next.bodies == self.jobs[job].bodies)?;
        let ahead = &self.overlaps[job + 1];
        let is_one = self.overlaps[job].regions().len() == 1 && ahead.regions.is_empty();
        (is_one && can_look_ahead(next, ahead)).then_some((next, ahead))
    }

    /// The contact of a body that stands on an edge or a corner with the corners that it may stand on after the step; `None`
    /// where they are not known.
    fn on_tips(&self, source: RegionRef, record: Option<RecordedOverlap>) -> Option<Measured<'_>> {
        let job = &self.jobs[source.job as usize];
        let here = &self.overlaps[source.job as usize].regions()[source.region as usize];
        let (job, ahead) = if job.is_ahead() { (job, here) } else { self.ahead_of(source)? };
        let Tips { overlap, field, are_of_b } = Tips::of(ahead)?;
        Some(Measured {
            field: Some(field),
            record,
            uneven: true,
            on_tips: true,
            part_of_b: if are_of_b { 1.0 } else { 0.0 },
            here: record.is_some().then_some(here),
            ..Measured::new(Cow::Owned(overlap), job.shift)
        })
    }

    /// Whether the corners of a pair's overlap are looked for. Round bodies have none. What bounces does so from where it is,
    /// what gives is held by its volume, and ellipses, points and the paper's projection are for comparison.
    fn minds_tips(&self, pair: [u32; 2]) -> bool {
        let Settings { restitution, compliance, contact, local, patch, .. } = *self.settings;
        let round = |ix: u32| self.bodies[ix as usize].shape.is_smooth();
        restitution == 0.0
            && compliance == 0.0
            && contact == ContactModel::Patch
            && local == LocalSolver::Cone
            && patch == PatchModel::Polygon
            && !pair.into_iter().any(round)
    }

    /// The contact of the last step that a region continues.
    fn remembered(&self, source: RegionRef) -> Option<&StoredContact> {
        let pair = self.jobs[source.job as usize].bodies;
        let stored = memory::of_pair(self.memory, pair);
        let regions = self.overlaps[source.job as usize].regions();
        let origin = self.bodies[pair[0] as usize].w_from_shape().translation;
        memory::continued(stored, regions, source.region as usize, origin)
    }

    /// Volume at which a contact of the given patch area is held \[m³\].
    fn target_volume(&self, pair: [u32; 2], area: f64) -> f64 {
        self.settings.target_volume.unwrap_or_else(|| {
            let [a, b] = pair.map(|ix| self.bodies[ix as usize].shape.mean_side());
            self.settings.target_depth * a.min(b) * area
        })
    }

    fn volume_row(
        &self,
        overlap: &Overlap,
        pair: [u32; 2],
        centers: [DVec3; 2],
        free: [&SolverBody; 2],
    ) -> VolumeRow {
        let area = overlap.gradient.length();
        let mut row = VolumeRow {
            volume: overlap.volume,
            target: self.target_volume(pair, area),
            area,
            extent: overlap.patch.as_ref().map_or(0.0, |patch| patch.extent),
            gradient_b: -overlap.gradient,
            angular_a: overlap.angular_gradient - centers[0].cross(overlap.gradient),
            angular_b: overlap.angular_gradient_b(centers[1]),
            driven_rate: 0.0,
        };
        for (body, sign, angular) in [(free[0], -1.0, row.angular_a), (free[1], 1.0, row.angular_b)] {
            if body.inverse_mass == 0.0 {
                row.driven_rate +=
                    sign * row.gradient_b.dot(body.twist.linear) + angular.dot(body.twist.angular);
            }
        }
        row
    }

    /// Compliance of the normal row and bias of all rows; `approach` is how far the bodies
    /// may still approach at the contact point, and how that changes over the patch.
    fn rows(
        &self,
        frame: &ContactFrame,
        volume: &VolumeRow,
        (approach, slope): (f64, DVec2),
        bodies: [&Body; 2],
        centers: [DVec3; 2],
        free: [&SolverBody; 2],
    ) -> (f64, Vec6) {
        let settings = self.settings;
        let h = settings.dt;
        let mut bias = Vec6::ZERO;
        for ((body, center), sign) in free.iter().zip(centers).zip([-1.0, 1.0]) {
            if body.inverse_mass == 0.0 {
                bias += frame.twist(center, body.twist.linear, body.twist.angular) * sign;
            }
        }
        let [a, b] = bodies;
        let before = frame.twist(centers[1], b.linear_velocity, b.angular_velocity)
            - frame.twist(centers[0], a.linear_velocity, a.angular_velocity);
        let bounces = settings.restitution > 0.0 && before[0] < -settings.restitution_threshold;
        if bounces {
            // The same rigid shift for all rows that move the patch along the normal, so that it is right at every
            // point of the patch.
            for row in [0, 4, 5] {
                bias[row] += settings.restitution * before[row];
            }
        }
        if settings.compliance > 0.0 {
            let stiffness = settings.compliance.recip();
            let rate = h * stiffness + settings.damping;
            let depth = (volume.volume - volume.target) / volume.area;
            bias[0] -= stiffness / rate * depth;
            return ((h * rate).recip(), bias);
        }
        if !bounces {
            // v_n(x) + approach(x) / h >= 0, and the gradient of v_n over the patch is (-ω_w, ω_u).
            bias[0] += approach / h;
            bias[4] += slope.y / h;
            bias[5] -= slope.x / h;
        }
        (0.0, bias)
    }

    /// The direction from A to B where the overlap does not say: a half-space's own normal, else from centre of mass
    /// to centre of mass, else the overlap's thinnest direction.
    fn fallback_normal(&self, pair: [u32; 2], overlap: &Overlap) -> DVec3 {
        let [a, b] = pair.map(|ix| &self.bodies[ix as usize]);
        for (body, sign) in [(a, 1.0), (b, -1.0)] {
            if let Some(plane_normal) = body.shape.plane_normal() {
                return sign * (body.orientation * plane_normal);
            }
        }
        (b.position - a.position).try_normalize().unwrap_or_else(|| principal_axes(overlap).0[0])
    }
}

/// An overlap chosen for a contact.
struct Measured<'a> {
    overlap: Cow<'a, Overlap>,
    /// How far B was moved for it.
    shift: DVec3,
    field: Option<DepthField>,
    /// The overlap where the bodies are; `None` if they do not overlap yet.
    record: Option<RecordedOverlap>,
    uneven: bool,
    /// Pitch of a contact of curved surfaces.
    pitch: Option<f64>,
    /// By what part of the shift the contact point is moved back to where the bodies are: 1 for a point of B, 0 for one of A.
    part_of_b: f64,
    /// Whether a face comes down that is nearly flat.
    lands: bool,
    /// Whether the patch is that of the corners that one of the bodies may come to stand on.
    on_tips: bool,
    /// The overlap where the bodies are, if the other one shows such corners and the bodies overlap.
    here: Option<&'a Overlap>,
}

impl<'a> Measured<'a> {
    fn new(overlap: Cow<'a, Overlap>, shift: DVec3) -> Self {
        Self {
            overlap,
            shift,
            field: None,
            record: None,
            uneven: false,
            pitch: None,
            part_of_b: 0.5,
            lands: false,
            on_tips: false,
            here: None,
        }
    }
}

/// How far the bodies may still approach at the contact point, and how that changes over the patch; nowhere negative.
/// `gap` is how far apart they are from where the overlap was measured.
fn approach(volume: &VolumeRow, patch: &Patch, field: Option<DepthField>, gap: f64) -> (f64, DVec2) {
    match field {
        Some(field) if field.is_landing(volume.target / volume.area) => {
            field.approach(volume.target / volume.area + gap, &patch.polygon)
        }
        _ => ((volume.slack() + gap).max(0.0), DVec2::ZERO),
    }
}

/// Whether an overlap ahead is one that the bodies reach along its normal.
pub fn can_look_ahead(job: &PairJob, overlap: &Overlap) -> bool {
    let closing = job.shift.dot(overlap.gradient);
    overlap.kind == OverlapKind::Regular
        && -closing >= MIN_AHEAD_COSINE * job.shift.length() * overlap.gradient.length()
}

/// Axes of the overlap's second moment, the thinnest first, and half the edges of the cuboid with the same moment.
pub fn principal_axes(overlap: &Overlap) -> ([DVec3; 3], [f64; 3]) {
    let c = overlap.second_moment;
    let matrix = Matrix3::from_fn(|i, j| 0.5 * (c.col(j)[i] + c.col(i)[j]) / overlap.volume);
    let eigen = matrix.symmetric_eigen();
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| eigen.eigenvalues[i].total_cmp(&eigen.eigenvalues[j]));
    let axes = order.map(|i| {
        let v = eigen.eigenvectors.column(i);
        DVec3::new(v[0], v[1], v[2])
    });
    (axes, order.map(|i| (3.0 * eigen.eigenvalues[i].max(0.0)).sqrt()))
}

/// The overlap with `normal` in place of the one it does not have: the cuboid of the same volume, centroid and second
/// moment stands for it, and the gradient is that of a prism of the cuboid's extent along the normal.
fn with_normal(overlap: &Overlap, normal: DVec3) -> Overlap {
    let (axes, half) = principal_axes(overlap);
    let corners: [DVec3; 8] = std::array::from_fn(|corner| {
        (0..3).fold(overlap.centroid, |x, i| {
            let sign = if corner >> i & 1 == 0 { -1.0 } else { 1.0 };
            x + axes[i] * (sign * half[i])
        })
    });
    let extent: f64 = (0..3).map(|i| 2.0 * half[i] * axes[i].dot(normal).abs()).sum();
    // An overlap without any extent has no second moment either; it is then as deep as a cube of its volume.
    let depth = if extent > 0.0 { extent } else { overlap.volume.cbrt() };
    let gradient = normal * (overlap.volume / depth);
    let patch = Patch::new(&corners, gradient, overlap.volume, overlap.centroid, &overlap.second_moment)
        .expect("a positive volume and a unit normal make a patch");
    Overlap {
        gradient,
        angular_gradient: overlap.centroid.cross(gradient),
        patch: Some(Patch { extent: depth, tips: Vec::new(), ..patch }),
        ..overlap.clone()
    }
}
