//! The table of facet stages: what each reads and writes, its shader and its twin.

use super::layout::FacetRound;
use super::layout::WORKGROUP;
use super::memory::{Buffer, Memory};
use super::{tri_count, tri_fill, tri_overlap, tri_scan, tri_sum};
use crate::stage::Access;

/// A buffer that a stage uses. The place in [`Stage::bindings`], plus one, is its number in the shader; number 0 is the uniform
/// [`FacetRound`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The buffer.
    pub buffer: Buffer,
    /// How it is used.
    pub access: Access,
}

/// A step of the answer: a shader and its twin.
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    /// Name of the stage, its files and its entry point.
    pub name: &'static str,
    /// Shared parts of WGSL that go before the shader.
    pub fragments: &'static [&'static str],
    /// The shader.
    pub shader: &'static str,
    /// The buffers it uses, at most eight.
    pub bindings: &'static [Binding],
    /// How many workgroups of [`WORKGROUP`] threads it takes.
    pub groups: fn(&FacetRound) -> u32,
    /// The same on the CPU: all workgroups, in order.
    pub twin: fn(&mut Memory, &FacetRound),
}

const fn read(buffer: Buffer) -> Binding {
    Binding { buffer, access: Access::Read }
}

const fn write(buffer: Buffer) -> Binding {
    Binding { buffer, access: Access::Write }
}

fn per_group(round: &FacetRound) -> u32 {
    round.n_groups
}

fn once(_: &FacetRound) -> u32 {
    1
}

fn per_candidate(round: &FacetRound) -> u32 {
    round.cap.div_ceil(WORKGROUP)
}

fn per_pair(round: &FacetRound) -> u32 {
    round.n_pairs
}

macro_rules! stages {
    ($($name:ident [$($fragment:ident),*] $groups:ident: $($access:ident $buffer:ident),+;)+) => {
        /// All facet stages, in the order in which they run.
        pub static STAGES: &[Stage] = &[$(
            Stage {
                name: stringify!($name),
                fragments: &[$(include_str!(concat!(stringify!($fragment), ".wgsl"))),*],
                shader: include_str!(concat!(stringify!($name), ".wgsl")),
                bindings: &[$($access(Buffer::$buffer)),+],
                groups: $groups,
                twin: $name::run,
            }
        ),+];
    };
}

stages! {
    tri_count [place, near] per_group: read Facets, read Boxes, read Pairs, write Counts, write Starts;
    tri_scan [place] once: write Starts;
    tri_fill [place, near] per_group: read Facets, read Boxes, read Pairs, read Counts, read Starts, write Candidates;
    tri_overlap [place, plane, polygon, pressure, integral] per_candidate: read Facets, read Pairs, read Starts, read Candidates, write Touches,
        write Polygons;
    tri_sum [place] per_pair: read Pairs, read Starts, read Candidates, read Touches, write Blocks;
}
