//! How many workgroups a command starts.

use crate::layout::MAX_GROUPS;

/// How many workgroups a command starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Groups {
    /// This many, folded into rows of [`MAX_GROUPS`].
    Direct(u32),
    /// As many as there are items, from [`crate::Buffer::Arguments`].
    Items,
    /// As many as there are large items, from [`crate::Buffer::Arguments`].
    LargeItems,
}

impl Groups {
    /// Sides of a dispatch of `n` workgroups; a shader's index is `y * MAX_GROUPS + x`, and those past `n` leave.
    pub fn fold(n: u32) -> [u32; 3] {
        [n.min(MAX_GROUPS), n.div_ceil(MAX_GROUPS), 1]
    }
}
