//! What the springs of two bodies were given, and that they give back no more.
//!
//! The force on what is in a body is no gradient of one potential: which features hold, how many share a spring and along which normals changes as
//! bodies slide about in each other, all at once where a corner goes over from one face to the next or two places part. What is deep then would have another
//! energy than a moment before, and bodies could leave with more than they came with. So of each spring it is kept account of what was put in: depth²,
//! of which the energy is `k/2` times. One that begins a motion with more has its rest moved to where it has as much, and gives way from there by
//! its full stiffness. What one has too much, and what was let go, goes to those of the same two bodies that lack it, as where edges take over from a corner.
//! Where nothing has changed but depths, all have what was put in, and nothing is moved.

use std::collections::BTreeMap;
use std::ops::Range;

use super::integral::Press;
use super::tracks::Tracks;

/// A pair of features: a vertex, of B or not, or two edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    Vertex(bool, u32),
    Edges([u32; 2]),
}

/// A time in which a pair of features is in each other without a break.
#[derive(Clone, Debug)]
pub struct Hold {
    pub key: Key,
    /// Its presses.
    pub presses: Range<usize>,
    /// When, in τ.
    pub interval: [f64; 2],
    /// How deep then \[m\].
    pub depth: [f64; 2],
}

/// What was put into the spring of each pair of features \[m²\], and into those that have let go.
#[derive(Debug, Default)]
struct Ledger {
    springs: BTreeMap<Key, f64>,
    loose: f64,
}

impl Hold {
    /// The part of a spring that it has in the mean.
    fn share(&self, presses: &[Press]) -> f64 {
        let length = |press: &Press| press.interval[1] - press.interval[0];
        let of = &presses[self.presses.clone()];
        let sum: f64 = of.iter().map(length).sum();
        if sum > 0.0 { of.iter().map(|press| length(press) * press.share).sum::<f64>() / sum } else { 0.0 }
    }
}

/// Moves the rests of springs that have more than was put into them, and notes in `after` what is in those that hold at the end; `before` is what held at the
/// start, `None` where nothing is known of it, and all that there is counts as put in: how much that is \[m²\].
pub fn settle(
    presses: &mut [Press],
    holds: &[Hold],
    before: Option<&Tracks>,
    rounding: f64,
    after: &mut Tracks,
) -> f64 {
    let there = |hold: &Hold, presses: &[Press]| hold.share(presses) * hold.depth[0] * hold.depth[0];
    let at_start: Vec<(Key, f64)> = holds
        .iter()
        .filter(|hold| hold.interval[0] == 0.0)
        .map(|hold| (hold.key, there(hold, presses)))
        .collect();
    let mut ledger = before.map_or_else(
        || Ledger { springs: at_start.iter().copied().collect(), loose: 0.0 },
        |tracks| Ledger {
            springs: keys(tracks).zip(tracks.put_in.iter().copied()).collect(),
            loose: tracks.loose,
        },
    );
    let begun = if before.is_none() { ledger.springs.values().sum() } else { 0.0 };
    ledger.even_out(&at_start);
    // What comes in deep, beside what presses already, takes over from that, and presses no more.
    let spring_of = |(key, there): &(Key, f64)| there.min(ledger.springs.get(key).copied().unwrap_or(0.0));
    let deepest = at_start.iter().map(spring_of).fold(0.0, f64::max).sqrt();
    let mut rest: Option<(Key, f64, f64)> = None;
    for hold in holds {
        let share = hold.share(presses);
        let spring = ledger.springs.entry(hold.key).or_insert(0.0);
        let at = if hold.interval[0] == 0.0 {
            let there = there(hold, presses);
            if *spring < there { hold.depth[0] * (1.0 - (*spring / there).sqrt()) } else { 0.0 }
        } else {
            // One that another face has held until then goes on from there.
            let goes_on = rest.filter(|(key, _, until)| *key == hold.key && *until == hold.interval[0]);
            goes_on.map_or((hold.depth[0] - deepest).max(0.0), |(_, at, _)| at)
        };
        rest = Some((hold.key, at, hold.interval[1]));
        let [from, to] = hold.depth.map(|depth| (depth - at).max(0.0));
        *spring = (*spring + share * (to * to - from * from)).max(0.0);
        if at > 0.0 {
            presses[hold.presses.clone()].iter_mut().for_each(|press| lessen(press, at));
        }
    }
    after.put_in = keys(after).map(|key| ledger.springs.remove(&key).unwrap_or(0.0)).collect();
    // What has come out has given all back.
    let last: BTreeMap<Key, f64> = holds.iter().map(|hold| (hold.key, hold.depth[1])).collect();
    let let_go = ledger.springs.into_iter().map(|(key, put_in)| {
        let depth = last.get(&key).copied().unwrap_or(0.0);
        if depth > rounding { put_in.min(depth * depth) } else { 0.0 }
    });
    after.loose = if after.is_empty() { 0.0 } else { let_go.sum() };
    begun
}

/// The pairs of features in the order of what was put into them.
fn keys(tracks: &Tracks) -> impl Iterator<Item = Key> {
    let vertices = tracks.vertices.iter().map(|track| Key::Vertex(track.of_b, track.vertex));
    vertices.chain(tracks.edges.iter().map(|track| Key::Edges(track.edges)))
}

impl Ledger {
    /// Gives what springs have more than is there, and what was let go, to those that have less, to all the same part of what they lack.
    fn even_out(&mut self, there: &[(Key, f64)]) {
        let has = |springs: &BTreeMap<Key, f64>, key: &Key| springs.get(key).copied().unwrap_or(0.0);
        let lacks: f64 = there.iter().map(|(key, there)| (there - has(&self.springs, key)).max(0.0)).sum();
        let over: f64 = there.iter().map(|(key, there)| (has(&self.springs, key) - there).max(0.0)).sum();
        if lacks > 0.0 && over + self.loose > 0.0 {
            let given = lacks.min(over + self.loose);
            let of_over = (given - self.loose).max(0.0);
            let part = if over > 0.0 { of_over / over } else { 0.0 };
            for (key, there) in there {
                let spring = self.springs.entry(*key).or_insert(0.0);
                let differs = there - *spring;
                *spring += if differs > 0.0 { differs * (given / lacks) } else { differs * part };
            }
        }
        self.loose = 0.0;
    }
}

/// Lets a spring press as if it were less deep by so much \[m\] all the time.
fn lessen(press: &mut Press, by: f64) {
    press.depth = (press.depth - by).max(0.0);
    let whole = press.push.length();
    let less = by * press.share * (press.interval[1] - press.interval[0]);
    press.push *= if whole > less { 1.0 - less / whole } else { 0.0 };
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::super::tracks::{EdgeTrack, VertexTrack};
    use super::*;

    const VERTEX: VertexTrack = VertexTrack { of_b: true, vertex: 3, face: 0, from_back: false };
    const EDGES: EdgeTrack = EdgeTrack { edges: [1, 2], along: true };

    /// Tracks of a vertex and, if told, of two edges.
    fn tracks(with_edges: bool, put_in: &[f64], loose: f64) -> Tracks {
        let edges = if with_edges { vec![EDGES] } else { Vec::new() };
        Tracks { vertices: vec![VERTEX], edges, put_in: put_in.to_vec(), loose }
    }

    /// Springs that go from one depth to another, and what they press and have in them then.
    fn go(before: Option<&Tracks>, keys: &[Key], depths: [f64; 2]) -> (Vec<f64>, Tracks) {
        let mut presses = Vec::new();
        let mut holds = Vec::new();
        for (ix, key) in keys.iter().enumerate() {
            let mean = 0.5 * (depths[0] + depths[1]);
            presses.push(Press { push: mean * DVec3::Z, depth: depths[0].max(depths[1]), ..PRESS });
            holds.push(Hold { key: *key, presses: ix..ix + 1, interval: [0.0, 1.0], depth: depths });
        }
        let mut after = tracks(keys.len() > 1, &[], 0.0);
        settle(&mut presses, &holds, before, 1e-12, &mut after);
        (presses.iter().map(|press| press.push.z).collect(), after)
    }

    const PRESS: Press = Press {
        interval: [0.0, 1.0],
        push: DVec3::Z,
        closing: DVec3::ZERO,
        point: DVec3::ZERO,
        normal: DVec3::Z,
        slip: DVec3::ZERO,
        way: DVec3::ZERO,
        depth: 10.0,
        share: 1.0,
    };

    const ONE: [Key; 1] = [Key::Vertex(true, 3)];
    const BOTH: [Key; 2] = [Key::Vertex(true, 3), Key::Edges([1, 2])];

    #[test]
    fn a_spring_of_which_only_the_depth_changes_is_left_alone() {
        let (pushes, after) = go(Some(&tracks(false, &[4.0], 0.0)), &ONE, [2.0, 3.0]);
        assert_eq!((pushes, after.put_in), (vec![2.5], vec![9.0]));
        let (pushes, after) = go(None, &ONE, [3.0, 1.0]);
        assert_eq!((pushes, after.put_in), (vec![2.0], vec![1.0]));
    }

    /// One that was given a ninth of what its depth would hold presses as if it were as deep as a third of that, on and on from there.
    #[test]
    fn a_spring_gives_back_what_was_put_in() {
        let (pushes, after) = go(Some(&tracks(false, &[1.0], 0.0)), &ONE, [3.0, 4.0]);
        assert!((pushes[0] - 1.5).abs() < 1e-15 && (after.put_in[0] - 4.0).abs() < 1e-15);
        let (pushes, after) = go(Some(&tracks(false, &[1.0], 0.0)), &ONE, [3.0, 2.0]);
        assert!((pushes[0] - 0.5).abs() < 1e-15 && after.put_in[0].abs() < 1e-15);
    }

    /// What comes in beside, in the middle of a step, presses as deep as what presses already, and is as stiff from there.
    #[test]
    fn what_comes_in_deep_presses_no_more_than_what_presses() {
        let press = |interval| Press { interval, ..PRESS };
        let mut presses = vec![press([0.0, 1.0]), press([0.5, 1.0])];
        let hold = |key, presses, from, depth| Hold { key, presses, interval: [from, 1.0], depth };
        let holds = [hold(ONE[0], 0..1, 0.0, [2.0, 2.0]), hold(BOTH[1], 1..2, 0.5, [9.0, 10.0])];
        let mut after = tracks(true, &[], 0.0);
        settle(&mut presses, &holds, Some(&tracks(false, &[4.0], 0.0)), 1e-12, &mut after);
        assert!((presses[1].depth - (PRESS.depth - 7.0)).abs() < 1e-15, "{}", presses[1].depth);
        assert_eq!(after.put_in, vec![4.0, 5.0]);
    }

    /// What has let go leaves what was put into it to what takes over, and no more.
    #[test]
    fn what_takes_over_has_what_was_let_go() {
        let (pushes, after) = go(Some(&tracks(true, &[4.0, 0.0], 4.0)), &BOTH, [2.0, 2.0]);
        assert_eq!((pushes, after.put_in), (vec![2.0, 2.0], vec![4.0, 4.0]));
        let (pushes, _) = go(Some(&tracks(true, &[4.0, 0.0], 1.0)), &BOTH, [2.0, 2.0]);
        assert_eq!(pushes, vec![2.0, 1.0]);
        let (pushes, after) = go(Some(&tracks(true, &[7.0, 1.0], 0.0)), &BOTH, [2.0, 2.0]);
        assert_eq!((pushes, after.put_in), (vec![2.0, 2.0], vec![4.0, 4.0]));
    }
}
