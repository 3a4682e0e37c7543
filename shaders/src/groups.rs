//! How many threads and workgroups there are.

/// Threads of a workgroup of every stage but `dispatch`.
pub const WORKGROUP: u32 = 64;

/// Longest side of a dispatch, in workgroups (the limit every device grants).
pub const MAX_GROUPS: u32 = 65_535;

/// Sides of a dispatch of `n` workgroups, in rows of [`MAX_GROUPS`]; a shader's index is `y * MAX_GROUPS + x`, and those past `n`
/// leave.
pub fn fold_groups(n: u32) -> [u32; 3] {
    [n.min(MAX_GROUPS), n.div_ceil(MAX_GROUPS), 1]
}
