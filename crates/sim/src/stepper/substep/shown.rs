//! What viewers are told of contacts of facets, besides their records: asked afterwards, so that runs that nobody watches pay nothing.

use glam::DVec3;
use tactum_geometry::facets::{Detail, Margins, Patch, Query};

use super::end::SeenPatch;
use super::near::{NearPair, mesh};
use crate::law::volume::{ContactDetail, ContactMotion};
use crate::question::FacetsQuestion;
use crate::settings::ContactLaw;
use crate::solver::ContactPatch;
use crate::stepper::step::Input;
use crate::{Body, BodyId};

/// Part of a limit from which on an impulse counts as being at it: what slides throughout turns by some degrees in a step. No unit.
const AT_LIMIT: f64 = 0.999;

/// How much deeper than a step looks first what is shown is looked for: beyond it the laws of small contacts hold no longer.
const DEEPER: f64 = 10.0;

impl SeenPatch {
    /// What is known of the patch besides its record: a disc as wide as it grips, and what its friction did over the step.
    pub fn detail(&self, input: &Input<'_>) -> ContactDetail {
        let (record, Patch { grip, lever, .. }) = (self.record(), *self.deepest());
        let pair = record.bodies.map(|BodyId(ix)| ix);
        let both = pair.map(|ix| &input.bodies[ix as usize]);
        let touch = input.materials.between(pair, both, input.settings);
        let [normal, u, w, about, ..] = record.impulse;
        let velocity =
            |body: &Body| body.linear_velocity + body.angular_velocity.cross(record.point - body.position);
        let axes = [record.normal, record.axes[0], record.axes[1]];
        let along = |v: DVec3| axes.map(|axis| v.dot(axis));
        let [vn, vu, vw] = along(velocity(both[1]) - velocity(both[0]));
        let [wn, wu, ww] = along(both[1].angular_velocity - both[0].angular_velocity);
        // Squares of what can be held against sliding and turning, and of that and what is held; see `law::facets::limit`.
        let limit = touch.friction * normal;
        let most = [limit.powi(2), (limit * lever).powi(2)];
        let [slides, turns] =
            [most[0] + (u.hypot(w) / AT_LIMIT).powi(2), most[1] + (about / AT_LIMIT).powi(2)];
        let slips = normal > 0.0 && slides * turns >= 2.0 * most[0] * most[1];
        ContactDetail {
            bodies: record.bodies,
            region: record.region,
            patch: ContactPatch::ellipse(grip, grip),
            free_cop: None,
            friction: touch.friction,
            restitution: touch.restitution,
            spin_radius: lever,
            twist: [vn, vu, vw, wn, wu, ww],
            update: 0.0,
            motion: ContactMotion {
                presses: normal > 0.0,
                // Unless turning, or sliding, is there by itself.
                slides: slips && turns <= 2.0 * most[1],
                spins: slips && slides <= 2.0 * most[0],
                rolls: false,
            },
            equivalent_box: None,
        }
    }
}

/// What is to be asked to see the facets of all pairs that touch, where the bodies are now.
pub fn touching(input: &Input<'_>) -> Vec<FacetsQuestion> {
    let of = |bodies: [u32; 2]| {
        let pair = NearPair::of(input, input.bodies, bodies).ok()?;
        let both = bodies.map(|ix| &input.bodies[ix as usize]);
        let meshes = [mesh(both[0]).ok()?.clone(), mesh(both[1]).ok()?.clone()];
        let poses = both.map(Body::w_from_shape);
        let (pressure, about) = (pair.law.pressure, poses[0].translation);
        Some(FacetsQuestion {
            bodies: bodies.map(BodyId),
            meshes,
            poses,
            candidates: None,
            margins: Margins { depth: DEEPER * pair.margins.depth, skin: 0.0, ..pair.margins },
            query: Query { pressure, in_touch: true, about, detail: Detail::Polygons },
        })
    };
    let is_asked = input.settings.law == ContactLaw::Facets;
    let touching = input.memory.facets.pairs.iter().filter(|_| is_asked);
    touching.filter_map(|stored| of(stored.bodies)).collect()
}
