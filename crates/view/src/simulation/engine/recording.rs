//! What is recorded of each step, and of changes that no step has made.

use std::sync::Arc;

use tactum::backend::StageRunner;
use tactum_geometry::Pose;
use tactum_sim::{Body, ContactDetail, ContactRecord, Snapshot, StepReport};

use super::Engine;
use crate::frame::{ContactView, FacetView, Figures, Frame};

impl Engine {
    /// Records the present state once more, after a change that no step has made.
    pub(super) fn record_here(&mut self) {
        let last = self.frame().clone();
        let (state, poses, figures) = self.state(last.figures.clone());
        let contacts = last.contacts.iter().map(|contact| contact.record.clone()).collect();
        let report = StepReport { contacts, ..StepReport::default() };
        let frame = Frame {
            id: self.next_id,
            after: Some(last.id),
            dt: last.dt,
            time: last.time,
            model: self.generations[self.current].model.clone(),
            state,
            poses,
            contacts: last.contacts.clone(),
            facets: last.facets.clone(),
            penalties: last.penalties.clone(),
            figures,
            measured: self.measured(&report),
            expected: self.watcher.now(),
            pull: self.pull.map(|pull| pull.view(self.session.world())),
        };
        self.push(frame);
    }

    pub(super) fn record(&mut self, after: Option<u64>, report: &StepReport, insights: Vec<ContactDetail>) {
        let contacts = self.views(&report.contacts, insights);
        let stages = self.stages();
        let (state, poses, figures) = self.state(Figures {
            max_depth: report.max_depth,
            depth_of_size: report.depth_of_size,
            sweeps: report.sweeps,
            update_norm: report.update_norm,
            update_norms: report.update_norms.clone(),
            unconverged_islands: report.unconverged_islands,
            asleep: report.asleep,
            times: report.times,
            stages,
            answered: self.session.answered().clone(),
            ..Figures::default()
        });
        let world = self.session.world();
        let frame = Frame {
            id: self.next_id,
            after,
            dt: world.settings().dt,
            time: world.time(),
            model: self.generations[self.current].model.clone(),
            state,
            poses,
            contacts,
            facets: FacetView::of(world),
            penalties: world.penalties().to_vec(),
            figures,
            measured: self.measured(report),
            expected: self.watcher.now(),
            pull: self.pull.map(|pull| pull.view(world)),
        };
        self.push(frame);
    }

    /// The contacts of a step. Those of bodies that slept through it were not solved: of them is shown what was known before.
    fn views(&self, records: &[ContactRecord], insights: Vec<ContactDetail>) -> Vec<ContactView> {
        let before = self.history.last().map_or(&[][..], |frame| &frame.contacts);
        let mut insights = insights.into_iter().peekable();
        let view = |record: &ContactRecord| {
            let key = (record.bodies, record.region);
            let solved = insights.next_if(|insight| (insight.bodies, insight.region) == key);
            let known = || before.binary_search_by_key(&key, |view| (view.record.bodies, view.record.region));
            let insight = solved.or_else(|| known().ok().map(|ix| before[ix].insight.clone()))?;
            Some(ContactView { record: record.clone(), insight })
        };
        records.iter().filter_map(view).collect()
    }

    /// What the sensors measure of the present state and the step that led to it.
    fn measured(&self, report: &StepReport) -> Vec<f64> {
        let readings = self.sensors.readings(self.session.world(), report);
        readings.flat_map(|(_, values)| values.into_iter().map(|(_, value, _)| value)).collect()
    }

    fn state(&self, figures: Figures) -> (Snapshot, Vec<Pose>, Figures) {
        let world = self.session.world();
        let (kinetic, potential) = (world.kinetic_energy(), world.potential_energy());
        let poses = world.bodies().iter().map(Body::w_from_shape).collect();
        (world.snapshot(), poses, Figures { kinetic, potential, ..figures })
    }

    pub(super) fn push(&mut self, frame: Frame) {
        self.next_id = frame.id + 1;
        self.history.push(Arc::new(frame));
    }

    pub(super) fn renumber(&mut self, first: u64) {
        self.next_id = first;
        self.record(None, &StepReport::default(), Vec::new());
    }

    /// Has the device's stages timed, where there is a device that can.
    pub(super) fn time_stages(&mut self) {
        if let Some(StageRunner::Device(gpu)) = self.session.detector_mut().runner_mut() {
            gpu.time_stages(true);
        }
    }

    fn stages(&mut self) -> Vec<(&'static str, std::time::Duration)> {
        match self.session.detector_mut().runner_mut() {
            Some(StageRunner::Device(gpu)) => {
                gpu.take_stage_times().into_iter().map(|(stage, time)| (stage.stage().name, time)).collect()
            }
            _ => Vec::new(),
        }
    }
}
