//! The table of stages: what each reads and writes, its shader and its twin.

use crate::layout::WORKGROUP;
use crate::memory::{Buffer, Operands};
use crate::{
    align, assemble, crossings, cull, dispatch, large_crossings, polygon, reduce, shrink, support, sweep,
    tighten,
};

/// How a stage uses a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// `var<storage, read>`.
    Read,
    /// `var<storage, read_write>`.
    Write,
}

/// A buffer that a stage uses. The place in [`Stage::bindings`], plus one, is its number in the shader; number 0 is
/// the uniform [`crate::layout::Round`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The buffer.
    pub buffer: Buffer,
    /// How it is used.
    pub access: Access,
}

/// A step of the measurement: a shader and its twin.
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
    /// Threads of a workgroup.
    pub workgroup: u32,
    /// The same on the CPU: all workgroups, in order.
    pub twin: fn(&mut Operands<'_>),
}

const fn read(buffer: Buffer) -> Binding {
    Binding { buffer, access: Access::Read }
}

const fn write(buffer: Buffer) -> Binding {
    Binding { buffer, access: Access::Write }
}

macro_rules! stages {
    ($($id:ident $name:ident [$($fragment:ident),*] $workgroup:tt: $($access:ident $buffer:ident),+;)+) => {
        /// A stage's place in [`STAGES`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(usize)]
        pub enum StageId {
            $(
                #[doc = concat!("`", stringify!($name), "`")]
                $id
            ),+
        }

        /// All stages, in the order in which a measurement first uses them.
        pub static STAGES: &[Stage] = &[$(
            Stage {
                name: stringify!($name),
                fragments: &[$(include_str!(concat!(stringify!($fragment), ".wgsl"))),*],
                shader: include_str!(concat!(stringify!($name), ".wgsl")),
                bindings: &[$($access(Buffer::$buffer)),+],
                workgroup: $workgroup,
                twin: $name::run,
            }
        ),+];
    };
}

stages! {
    Cull cull [place] WORKGROUP: read Clusters, read Pairs, read Frames, write Items, write Counters;
    Dispatch dispatch [] 1: write Counters, write Arguments;
    Tighten tighten [place, corner, scanline] WORKGROUP: read Triangles, read Frames, read Items, read Arguments, write Bounds;
    Shrink shrink [place] WORKGROUP: write Bounds, write Frames;
    Crossings crossings [place, corner, scanline, hit] WORKGROUP: read Triangles, read Frames, read Items, read Arguments, write Counters, write Counts,
        write Lists, write Large;
    LargeCrossings large_crossings [place, corner, scanline, hit] WORKGROUP: read Triangles, read Frames, read Large, read Arguments, write Counts,
        write Lists;
    Sweep sweep [place, tree] WORKGROUP: write Counts, write Lists, write Parts;
    Reduce reduce [place, tree] WORKGROUP: read Parts, write Sums;
    Align align [place, moments] WORKGROUP: read Sums, write Frames;
    Assemble assemble [place, moments] WORKGROUP: read Sums, read Frames, write Blocks;
    Support support [place] WORKGROUP: read Blocks, read Parts, write Counts, read Lists, write Supports;
    Polygon polygon [place] WORKGROUP: read Parts, read Supports, write Blocks;
}

impl StageId {
    /// The stage.
    pub fn stage(self) -> &'static Stage {
        &STAGES[self as usize]
    }
}
