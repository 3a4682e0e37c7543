//! What a stage is: a shader and its twin, and the buffers that both work on. Each question has a table of its own.

/// How a stage uses a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// `var<storage, read>`.
    Read,
    /// `var<storage, read_write>`.
    Write,
}

/// A buffer that a stage uses. The place in [`Stage::bindings`], plus one, is its number in the shader; number 0 is the uniform with
/// the numbers of what is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding<B> {
    /// The buffer.
    pub buffer: B,
    /// How it is used.
    pub access: Access,
}

impl<B> Binding<B> {
    pub(crate) const fn read(buffer: B) -> Self {
        Self { buffer, access: Access::Read }
    }

    pub(crate) const fn write(buffer: B) -> Self {
        Self { buffer, access: Access::Write }
    }
}

/// A step of an answer: a shader and its twin, which work on buffers `B`; `T` is the twin's type.
#[derive(Clone, Copy, Debug)]
pub struct Stage<B: 'static, T> {
    /// Name of the stage, its files and its entry point.
    pub name: &'static str,
    /// Shared parts of WGSL that go before the shader.
    pub fragments: &'static [&'static str],
    /// The shader.
    pub shader: &'static str,
    /// The buffers it uses, at most eight.
    pub bindings: &'static [Binding<B>],
    /// Threads of a workgroup.
    pub workgroup: u32,
    /// The same on the CPU: all workgroups, in order.
    pub twin: T,
}

impl<B: Copy, T> Stage<B, T> {
    /// The buffers that it writes.
    pub fn written(&self) -> impl Iterator<Item = B> {
        let written = self.bindings.iter().filter(|binding| binding.access == Access::Write);
        written.map(|binding| binding.buffer)
    }
}

/// The table of a question's stages, from `Id name [fragments] threads: access Buffer, ...;` for each. Files of that name, shader and
/// twin, lie beside the table.
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

        /// All stages, in the order in which an answer first uses them.
        pub static STAGES: &[Stage] = &[$(
            Stage {
                name: stringify!($name),
                fragments: &[$(include_str!(concat!(stringify!($fragment), ".wgsl"))),*],
                shader: include_str!(concat!(stringify!($name), ".wgsl")),
                bindings: &[$($crate::stage::Binding::$access(Buffer::$buffer)),+],
                workgroup: $workgroup,
                twin: super::$name::run,
            }
        ),+];

        impl StageId {
            /// All of them, in the order of [`STAGES`].
            pub const ALL: &[Self] = &[$(Self::$id),+];

            /// The stage.
            pub fn stage(self) -> &'static Stage {
                &STAGES[self as usize]
            }
        }
    };
}

pub(crate) use stages;
