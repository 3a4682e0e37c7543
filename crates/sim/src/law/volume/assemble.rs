//! From a measured region to its contact: frame, volume, matrix and bias of its rows.

use glam::{DMat3, DVec2, DVec3};
use tactum_geometry::Overlap;

use crate::law::Situation;
use crate::law::volume::choose::{Chosen, choose, may_bounce, surface_point, target_depth, target_volume};
use crate::law::volume::contact::{Contact, LookAhead, Mover};
use crate::law::volume::continued::continues;
use crate::law::volume::curved;
use crate::law::volume::gaps::Gaps;
use crate::law::volume::geometry::ContactGeometry;
use crate::law::volume::hollow;
use crate::law::volume::meeting::{Meeting, turns_by, turns_inertia};
use crate::law::volume::memory::{self, StoredContact};
use crate::law::volume::onward;
use crate::law::volume::overlaps::{PairAsked, PairOverlaps, RegionRef, Seen};
use crate::law::volume::restitution::{Bodies, Touch, Wanted, approach, wanted};
use crate::law::volume::rolling::{self, RoundSide, bends_both_ways};
use crate::law::volume::travel::{Side, Travel};
use crate::law::volume::unforeseen::Unforeseen;
use crate::motion::FreeMotion;
use crate::solver::position::VolumeRow;
use crate::solver::{ContactFrame, ContactPatch, Corner, Mat6, Vec6};
use crate::{Body, ContactModel, LocalSolver, PatchModel, RollingRule, Settings, SpinRule};

/// What contacts are made from.
#[derive(Clone, Copy, Debug)]
pub struct Assembly<'a> {
    /// The world before the step.
    pub situation: Situation<'a>,
    /// What was asked of each pair.
    pub pairs: &'a [PairAsked],
    /// The answers.
    pub answers: &'a [Overlap],
    /// What contacts of the step have not foreseen so far.
    pub unforeseen: &'a [Unforeseen],
}

/// A contact and what its constraints have in common.
pub struct Prepared<'a> {
    pub settings: &'a Settings,
    pub contact: Contact,
    /// The overlap's volume as a function of the two poses.
    pub volume: VolumeRow,
    pub geometry: ContactGeometry<'a>,
    /// The patch over which friction resists spinning, where it is not the contact's own.
    pub rubbing: Option<ContactPatch>,
    /// How much farther out the face rubs than that, see [`hollow`].
    pub hollow: f64,
    /// The round sides of A and B, where they roll on them.
    pub round: [Option<RoundSide>; 2],
    /// See [`Wanted::struck`].
    pub struck: Vec<Corner>,
    /// Whether the patch is too curved for its points to keep apart along one normal.
    pub is_point: bool,
    /// Coefficient of friction of the pair.
    pub friction: f64,
    /// `J M⁻¹ Jᵀ` about the contact point, contact axes.
    pub matrix: Mat6,
    /// Compliance of the normal row, as velocity per impulse.
    pub compliance: f64,
    /// Bias of all rows about the contact point.
    pub bias: Vec6,
    /// The contact of the last step whose impulse is the start of this one's, and its point from the origin of A's shape \[m\].
    pub remembered: Option<(&'a StoredContact, DVec3)>,
}

impl<'a> Assembly<'a> {
    /// The contact of a region that is not empty, with these slots of its bodies within their island.
    pub fn prepare(&self, source: RegionRef, slots: [u32; 2]) -> Prepared<'a> {
        let Situation { settings, .. } = self.situation;
        let pair = PairOverlaps::of(&self.pairs[source.pair as usize], self.answers);
        let pair = pair.at(source, self.unforeseen);
        let remembered = self.remembered(&pair, source);
        let between = self.bodies(&pair);
        let (pair, mut chosen) = self.chosen_as_met(pair, source, remembered, &between);
        let measured = frame(&chosen, &between);
        let volume = self.volume_row(&chosen, &pair, slots, &between);
        let (approach, mut here) = self.approach(&pair, source, &chosen, &measured, &volume, &between);
        let (frame, between, Wanted { compliance, bias, bounce, struck }) =
            self.asked(&pair, &mut chosen, measured, between, &here, approach);
        if bounce.is_some() {
            here.target = f64::INFINITY;
        }
        let held = self.held(&pair, &volume.measured);
        let gaps = chosen.corners.as_ref().map(|on| Gaps {
            corners: on.corners.clone(),
            held,
            nearer: chosen.nearer(),
        });
        let follows_normal = gaps.is_none()
            && pair.unforeseen.is_none()
            && pair.onward.is_none()
            && (chosen.geometry.has_plane || chosen.round.iter().any(Option::is_some));
        let travel = bounce.is_none().then(|| travel(gaps.as_ref(), &chosen, &frame, &between, held));
        let contact = Contact {
            source,
            bodies: pair.bodies,
            slots,
            frame,
            origin: pair.origin(self.situation.bodies),
            measured: chosen.measured,
            arms: between.centers.map(|center| frame.point - center),
            look_ahead: look_ahead(&chosen, source.seen == Seen::Onward),
            bounce,
            follows_normal,
            gaps,
            field: chosen.field.filter(|_| chosen.shift == DVec3::ZERO),
            travel,
            movers: [0, 1].map(|side| mover(between.bodies[side], between.free[side])),
            accuracy: Gaps::ACCURACY * held,
            constraints: 0..0,
        };
        let regions = pair.regions(source);
        let Situation { bodies, .. } = self.situation;
        let since = |last: &'a StoredContact| (last, last.point - pair.origin(bodies));
        Prepared {
            settings,
            contact,
            volume: here,
            round: pair.unforeseen.map_or(chosen.round, |unforeseen| unforeseen.surface.round),
            struck,
            is_point: settings.contact == ContactModel::Patch
                && !regions.is_empty()
                && match pair.unforeseen {
                    Some(unforeseen) => unforeseen.surface.is_point,
                    None => curved::is_point(regions, source.region as usize),
                },
            friction: self.situation.touch(pair.bodies).friction,
            matrix: matrix(&frame, &between),
            hollow: hollow_part(settings, &chosen),
            compliance,
            bias,
            remembered: remembered.filter(|_| settings.warm_start).map(since),
            rubbing: rubbing(settings, &chosen),
            geometry: chosen.geometry,
        }
    }

    /// What the rows of a contact ask for, with its frame and its bodies: as they are where it was measured or, where they bounce off each other in a
    /// point, as they meet.
    fn asked(
        &self,
        pair: &PairOverlaps<'a>,
        chosen: &mut Chosen<'a>,
        measured: ContactFrame,
        between: Bodies<'a>,
        here: &VolumeRow,
        approach: (f64, DVec2),
    ) -> (ContactFrame, Bodies<'a>, Wanted) {
        let bounces = may_bounce(&self.situation, pair, chosen.shift, &chosen.geometry);
        let restitution = if bounces { self.situation.touch(pair.bodies).restitution } else { 0.0 };
        let wanted = |frame: &ContactFrame, between: Bodies<'_>, touch: Touch, approach: (f64, DVec2)| {
            wanted(self.situation.settings, restitution, frame, here, touch, approach, between)
        };
        let dt = self.situation.settings.dt;
        if let Some(meeting) = chosen.meeting.take() {
            let between = Bodies { centers: meeting.centers, ..between };
            let frame = meeting.frame();
            let touch = Touch::After(meeting.when.time().unwrap_or(f64::INFINITY));
            let mut wanted = wanted(&frame, between, touch, (0.0, DVec2::ZERO));
            if wanted.bounce.is_some() || meeting.when.time().is_none() {
                let left = dt - wanted.bounce.map_or(0.0, |bounce| bounce.time);
                wanted.struck = meeting.asked(restitution, left, self.situation.is_landing);
                if let Some(bounce) = &mut wanted.bounce {
                    let turns = |body: &&Body| turns_inertia(body, bounce.time);
                    bounce.is_askew = meeting.is_askew() || between.bodies.iter().any(turns);
                }
                (chosen.geometry, chosen.round, chosen.corners) = (meeting.geometry, meeting.round, None);
                return (frame, between, wanted);
            }
        }
        let extent = chosen.depth.unwrap_or(chosen.geometry.extent);
        let to_touch = -chosen.shift.dot(chosen.geometry.normal) - extent;
        let mut wanted = wanted(&measured, between, Touch::Nearer(to_touch), approach);
        if let Some(bounce) = &mut wanted.bounce {
            bounce.is_askew = between.bodies.iter().any(|body| turns_by(body, bounce.time));
        }
        (measured, between, wanted)
    }

    /// The geometry of a region's contact, and the round sides on which the bodies touch.
    pub(super) fn chosen(
        &self,
        pair: &PairOverlaps<'a>,
        source: RegionRef,
        remembered: Option<&StoredContact>,
    ) -> Chosen<'a> {
        let mut chosen = choose(&self.situation, pair, source, remembered);
        if pair.unforeseen.is_some() {
            return chosen;
        }
        if let Some(onward) = pair.onward.filter(|_| source.seen == Seen::Onward) {
            chosen.geometry = chosen.geometry.moved(onward.moved());
        }
        if chosen.round == [None; 2] && chosen.depth.is_none() {
            chosen.round = self.round_sides(pair, &chosen);
        }
        chosen.geometry = rolling::centered(chosen.geometry, &chosen.round);
        chosen
    }

    /// The contact of the last step that a region continues.
    pub(super) fn remembered(&self, pair: &PairOverlaps<'_>, source: RegionRef) -> Option<&'a StoredContact> {
        let stored = memory::of_pair(&self.situation.memory.contacts, pair.bodies);
        continues(pair, &self.situation, source).map(|contact| &stored[contact])
    }

    /// The round sides of a pair under a contact; none where corners or another rule say what they stand on. The smooth surface of a mesh
    /// rolls over what is neither plane nor round itself: edges, and hollows of facets.
    fn round_sides(&self, pair: &PairOverlaps<'_>, chosen: &Chosen<'_>) -> [Option<RoundSide>; 2] {
        let Situation { settings, bodies, .. } = self.situation;
        let is_told = settings.rolling == RollingRule::Auto && settings.local == LocalSolver::Cone;
        if !is_told || chosen.corners.is_some() {
            return [None; 2];
        }
        let geometry = &chosen.geometry;
        let poses = pair.poses(bodies, chosen.shift);
        // What lies against a surface that bends with it does not roll on it, nor does what lies on a face; what bounces does so where the smooth
        // surface touches.
        let lies_on_face = chosen.measured.is_some() && chosen.field.is_some();
        let is_uneven = (!geometry.has_plane || may_bounce(&self.situation, pair, chosen.shift, geometry))
            && !geometry.flatness.is_shell()
            && !lies_on_face
            && pair.onward.is_none();
        let both = pair.bodies.map(|ix| &bodies[ix as usize]);
        let points = [0, 1].map(|side| {
            is_uneven.then(|| surface_point(both[side], &poses[side], side == 1, geometry)).flatten()
        });
        [0, 1].map(|side| {
            let is_on_round = points[1 - side].as_ref().is_some_and(|ground| bends_both_ways(ground.bends));
            let own = RoundSide::of(&both[side].shape, &poses[side], geometry);
            own.or_else(|| points[side].filter(|_| !is_on_round).map(RoundSide::of_surface))
        })
    }

    fn bodies(&self, pair: &PairOverlaps<'_>) -> Bodies<'a> {
        let Situation { bodies, free, .. } = self.situation;
        let origin = pair.origin(bodies);
        let of_pair = pair.bodies.map(|ix| &bodies[ix as usize]);
        Bodies {
            bodies: of_pair,
            free: pair.bodies.map(|ix| &free[ix as usize]),
            centers: of_pair.map(|body| body.position - origin),
        }
    }

    /// How deep a contact with this volume is held \[m\].
    fn held(&self, pair: &PairOverlaps<'_>, volume: &VolumeRow) -> f64 {
        match self.situation.settings.target_volume {
            None => target_depth(&self.situation, pair.bodies, volume.area),
            Some(_) => volume.depth_at_target(),
        }
    }

    fn volume_row(
        &self,
        chosen: &Chosen<'_>,
        pair: &PairOverlaps<'_>,
        slots: [u32; 2],
        Bodies { free, centers, .. }: &Bodies<'_>,
    ) -> Volumes {
        let here = chosen.corners.as_ref().and_then(|on_corners| on_corners.here.as_ref());
        let (held, shift) = here.map_or((&chosen.geometry, chosen.shift), |here| (here, DVec3::ZERO));
        let mut row = self.row_of(held, shift, pair, slots, [centers[0], centers[1] + shift]);
        if let Some(depth) = chosen.depth {
            let arms = [centers[0], centers[1] + shift].map(|center| held.point - center);
            row =
                row.of_point(held.normal, arms, depth, target_depth(&self.situation, pair.bodies, row.area));
        }
        let driven = free.map(|free| (free.inverse_mass == 0.0).then_some(free.twist));
        row.driven_rate = row.rate(&driven);
        if let Some((geometry, depth)) = chosen.meeting.as_ref().and_then(Meeting::nearest) {
            // Of an overlap that was measured elsewhere, to first order, a hollow body's is far from what it is here.
            let arms = centers.map(|center| geometry.point - center);
            let held = target_depth(&self.situation, pair.bodies, row.area);
            let mut here = row.of_point(geometry.normal, arms, depth, held);
            here.driven_rate = here.rate(&driven);
            return Volumes { measured: row, here };
        }
        let volume = row.volume - row.gradient_b.dot(shift);
        // Bodies that are apart have nothing to be taken out, whatever the first order leaves of an overlap far ahead, or ahead along another normal.
        let is_apart = chosen.measured.is_none() && chosen.depth.is_none();
        let volume = if is_apart { volume.min(0.0) } else { volume };
        Volumes { measured: row, here: VolumeRow { volume, ..row } }
    }
}

impl Assembly<'_> {
    /// How far the bodies of a contact may approach and how that changes over the patch, and its volume: as they are, or as they become
    /// on the pair's way.
    fn approach(
        &self,
        pair: &PairOverlaps<'_>,
        source: RegionRef,
        chosen: &Chosen<'_>,
        frame: &ContactFrame,
        Volumes { measured, here }: &Volumes,
        between: &Bodies<'_>,
    ) -> ((f64, DVec2), VolumeRow) {
        if let Some(unforeseen) = pair.unforeseen {
            let h = self.situation.settings.dt;
            return unforeseen.asked(frame, measured, &chosen.geometry, h, between.centers);
        }
        let of_onward = pair.onward.filter(|_| matches!(source.seen, Seen::Here | Seen::Onward));
        let Some(onward) = of_onward else {
            let held = self.held(pair, measured);
            return (approach(chosen, measured, held), *here);
        };
        let times = [self.situation.settings.dt, onward.way.time];
        let there = self.volume_onward(pair, source, here.slots, between);
        // What is new there is not here yet, and what is here and not there leaves.
        let slack = if source.seen == Seen::Onward { 0.0 } else { measured.slack() };
        let depth = if source.seen == Seen::Onward { 0.0 } else { here.volume / here.area };
        let approach = onward::approach(frame, slack, there.as_ref(), times, between);
        match there {
            Some(there) => (approach, onward::on_the_way(depth, there, times[1], between)),
            None => (approach, VolumeRow { target: f64::INFINITY, ..*here }),
        }
    }

    /// The volume of a region at the end of a pair's way; `None` where it is none there.
    fn volume_onward(
        &self,
        pair: &PairOverlaps<'_>,
        source: RegionRef,
        slots: [u32; 2],
        between: &Bodies<'_>,
    ) -> Option<VolumeRow> {
        let (onward, here) = (pair.onward?, source.region as usize);
        let there = if source.seen == Seen::Onward {
            here
        } else {
            onward.becomes(pair.now?).into_iter().find(|&[from, _]| from == here)?[1]
        };
        let region = &onward.overlap.regions()[there];
        let geometry = curved::of(region).or_else(|| ContactGeometry::of(region))?.moved(onward.moved());
        Some(self.row_of(&geometry, DVec3::ZERO, pair, slots, between.centers))
    }

    /// The volume of an overlap that is measured with the bodies' centres of mass there, B moved by `shift`; nothing drives it.
    fn row_of(
        &self,
        geometry: &ContactGeometry<'_>,
        shift: DVec3,
        pair: &PairOverlaps<'_>,
        slots: [u32; 2],
        centers: [DVec3; 2],
    ) -> VolumeRow {
        VolumeRow {
            slots,
            volume: geometry.volume,
            target: target_volume(&self.situation, pair, shift, geometry),
            area: geometry.area(),
            extent: geometry.extent,
            gradient_b: -geometry.gradient,
            angular_a: geometry.angular_gradient - centers[0].cross(geometry.gradient),
            angular_b: geometry.angular_gradient_b(centers[1]),
            driven_rate: 0.0,
        }
    }
}

/// The volume of a contact where its overlap was measured, and continued to where the bodies are.
struct Volumes {
    measured: VolumeRow,
    here: VolumeRow,
}

/// Where the bodies are still apart, the contact is where the body that is moved more easily will touch, or at the corners themselves; in
/// between where both are moved, so that one point keeps the angular momentum.
fn frame(chosen: &Chosen<'_>, between: &Bodies<'_>) -> ContactFrame {
    let ContactGeometry { point, normal, axes, pitch, .. } = chosen.geometry;
    let at = match &chosen.corners {
        Some(on) if on.corners.are_of_b => point - chosen.shift,
        Some(_) => point,
        None if chosen.shift == DVec3::ZERO => point,
        None => {
            let [a, b] = between.free.map(|free| free.inverse_mass);
            let part_of_b = if a + b > 0.0 { b / (a + b) } else { 0.5 };
            let [on_a, on_b] = touching(chosen, between);
            on_a + part_of_b * (on_b - on_a)
        }
    };
    ContactFrame::new(at, normal, axes).with_pitch(pitch)
}

/// How a contact's point travels over both bodies.
fn travel(
    gaps: Option<&Gaps>,
    chosen: &Chosen<'_>,
    frame: &ContactFrame,
    between: &Bodies<'_>,
    held: f64,
) -> Travel {
    let sizes = between.bodies.map(|body| body.mean_side);
    match gaps {
        Some(gaps) => {
            let (own, _) = gaps.sides();
            Travel::of_corner(own, frame.normal(), gaps.rounding(), sizes[own])
        }
        None => {
            let side = |ix: usize| Side {
                rounding: chosen.round[ix].map(|round| round.rounding()),
                size: sizes[ix],
            };
            Travel::between([side(0), side(1)], held, frame.w_from_c)
        }
    }
}

fn mover(body: &Body, free: &FreeMotion) -> Mover {
    let turn = DMat3::from_quat(body.orientation);
    let inertia = if body.is_movable() { turn * body.mass.inertia * turn.transpose() } else { DMat3::ZERO };
    Mover { before: body.twist(), free: free.twist, inertia }
}

/// The points of A and B that come to touch: as far out as each body reaches, and within the overlap in which they were measured.
fn touching(chosen: &Chosen<'_>, Bodies { bodies: [a, b], centers, .. }: &Bodies<'_>) -> [DVec3; 2] {
    let ContactGeometry { point, normal, extent, .. } = chosen.geometry;
    let high = (centers[0] - point).dot(normal) + a.farthest(normal);
    let low = (centers[1] + chosen.shift - point).dot(normal) - b.farthest(-normal);
    [point + normal * high.clamp(0.0, extent), point - chosen.shift + normal * low.clamp(-extent, 0.0)]
}

fn matrix(frame: &ContactFrame, Bodies { free, centers, .. }: &Bodies<'_>) -> Mat6 {
    let mut s = Mat6::ZERO;
    for (body, center) in free.iter().zip(centers) {
        if body.inverse_mass > 0.0 {
            s += frame.admittance(body.inverse_mass, &body.inverse_inertia, *center);
        }
    }
    s
}

/// The patch over which friction resists spinning, where it is not the contact's own.
fn rubbing(settings: &Settings, chosen: &Chosen<'_>) -> Option<ContactPatch> {
    let on = chosen.corners.as_ref()?;
    Some(match &on.here {
        // Bodies that do not touch yet rub at a point, and a smooth surface where it touches, however deep it is held.
        None => ContactPatch::ellipse(0.0, 0.0),
        Some(here) if !on.corners.are_round() || settings.target_volume.is_some() => {
            here.contact_patch(settings.patch)
        }
        Some(_) => ContactPatch::polygon(&on.corners.rubbing(chosen.nearer())),
    })
}

/// How much farther out the face of a contact rubs than its support polygon, where uniform pressure over that is meant.
fn hollow_part(settings: &Settings, chosen: &Chosen<'_>) -> f64 {
    if settings.patch != PatchModel::Polygon || settings.spin != SpinRule::Uniform {
        return 1.0;
    }
    let here = match &chosen.corners {
        Some(on) => on.here.as_ref(),
        None => Some(&chosen.geometry),
    };
    here.map_or(1.0, hollow::mean_distance_part)
}

/// What the next step has to look ahead for in a contact.
fn look_ahead(chosen: &Chosen<'_>, is_on_way: bool) -> LookAhead {
    match chosen.measured {
        None if is_on_way => LookAhead::Onward,
        None => LookAhead::Touch,
        Some(_) if chosen.corners.is_some() || chosen.depth.is_some() => LookAhead::NextCorner,
        Some(_) if chosen.uneven => LookAhead::Landing,
        Some(_) if chosen.geometry.flatness.is_shell() => LookAhead::Onward,
        Some(_) => LookAhead::Nothing,
    }
}
