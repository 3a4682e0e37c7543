//! The recorded steps, as many as fit into a budget of memory.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::frame::Frame;

/// Memory for recorded steps \[bytes\].
pub const BUDGET: usize = 256 << 20;

/// Recorded steps in the order in which they were made.
#[derive(Debug)]
pub struct Timeline {
    frames: VecDeque<Arc<Frame>>,
    bytes: usize,
    budget: usize,
}

impl Default for Timeline {
    fn default() -> Self {
        Self::new(BUDGET)
    }
}

impl Timeline {
    /// An empty time line that keeps to a budget of memory, but always keeps the last frame.
    pub fn new(budget: usize) -> Self {
        Self { frames: VecDeque::new(), bytes: 0, budget }
    }

    /// Adds a frame. Frames later than the one it follows are another future and are dropped, the oldest ones too where
    /// the budget is exceeded.
    pub fn push(&mut self, frame: Arc<Frame>) {
        while self.frames.back().is_some_and(|last| frame.after.is_none_or(|after| last.id > after)) {
            self.bytes -= self.frames.pop_back().map_or(0, |old| old.bytes());
        }
        self.bytes += frame.bytes();
        self.frames.push_back(frame);
        while self.bytes > self.budget && self.frames.len() > 1 {
            self.bytes -= self.frames.pop_front().map_or(0, |old| old.bytes());
        }
    }

    /// Number of frames.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether nothing is recorded.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The frame at a place, the oldest at 0.
    pub fn get(&self, ix: usize) -> Option<&Arc<Frame>> {
        self.frames.get(ix)
    }

    /// The last frame.
    pub fn last(&self) -> Option<&Arc<Frame>> {
        self.frames.back()
    }

    /// The place of the frame with a number.
    pub fn place_of(&self, id: u64) -> Option<usize> {
        self.frames.binary_search_by_key(&id, |frame| frame.id).ok()
    }

    /// The frame with a number.
    pub fn find(&self, id: u64) -> Option<&Arc<Frame>> {
        self.place_of(id).and_then(|ix| self.get(ix))
    }

    /// All frames, the oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<Frame>> + ExactSizeIterator {
        self.frames.iter()
    }

    /// Memory held \[bytes\].
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use tactum_geometry::Pose;

    use super::*;

    fn frame(id: u64, after: Option<u64>, n_bodies: usize) -> Arc<Frame> {
        Arc::new(Frame { id, after, poses: vec![Pose::IDENTITY; n_bodies], ..Frame::default() })
    }

    fn ids(timeline: &Timeline) -> Vec<u64> {
        timeline.iter().map(|frame| frame.id).collect()
    }

    #[test]
    fn another_future_takes_the_place_of_the_old_one() {
        let mut timeline = Timeline::default();
        timeline.push(frame(0, None, 1));
        (1..6).for_each(|id| timeline.push(frame(id, Some(id - 1), 1)));
        timeline.push(frame(6, Some(2), 1));
        assert_eq!(ids(&timeline), [0, 1, 2, 6]);
        assert_eq!(timeline.place_of(6), Some(3));
        assert!(timeline.find(4).is_none());
        // A frame that follows none begins anew.
        timeline.push(frame(7, None, 1));
        assert_eq!(ids(&timeline), [7]);
    }

    #[test]
    fn the_oldest_frames_leave_when_memory_is_full() {
        let one = frame(0, None, 100).bytes();
        let mut timeline = Timeline::new(4 * one);
        timeline.push(frame(0, None, 100));
        (1..50).for_each(|id| timeline.push(frame(id, Some(id - 1), 100)));
        assert_eq!(ids(&timeline), [46, 47, 48, 49]);
        assert_eq!(timeline.bytes(), 4 * one);
        // A frame that does not fit at all is kept all the same, because there has to be one to show.
        timeline.push(frame(50, Some(49), 10_000));
        assert_eq!(ids(&timeline), [50]);
    }

    #[test]
    fn bytes_are_those_of_the_frames_that_are_left() {
        let mut timeline = Timeline::default();
        timeline.push(frame(0, None, 5));
        (1..9).for_each(|id| timeline.push(frame(id, Some(id - 1), id as usize)));
        timeline.push(frame(9, Some(3), 2));
        assert_eq!(timeline.bytes(), timeline.iter().map(|frame| frame.bytes()).sum::<usize>());
    }
}
