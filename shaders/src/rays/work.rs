//! What stages do for the pairs that they are given, counted where it is done: by the twins, which do what the shaders do.
//!
//! Bytes are those that a workgroup reads from and writes to buffers, as if no cache held any of them. Operations are those of the shaders'
//! text for what is counted, to a factor of two: those of a box, of a triangle and so on, times how many there were.

use std::ops::AddAssign;

use super::layout::{CLUSTER, Cluster};

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Workgroups that had something to do.
    pub groups: u64,
    /// Boxes that were looked at: around clusters of triangles, or around such boxes.
    pub boxes: u64,
    /// Triangles that were placed, each as often as it was.
    pub triangles: u64,
    /// Pairs of triangles of both bodies whose boxes were compared.
    pub compared: u64,
    /// Those that were looked at more closely: whether they cross, or what they have in common.
    pub pairs: u64,
    /// Rays that were walked along.
    pub rays: u64,
    /// Crossings of rays with triangles.
    pub crossings: u64,
    /// Bytes read from buffers.
    pub read: u64,
    /// Bytes written to buffers.
    pub written: u64,
    /// Operations with numbers of 32 bits.
    pub operations: u64,
}

/// Bytes of a cluster's corners, without what whole numbers say more.
const CORNERS: u64 = 9 * 4 * CLUSTER as u64;

/// Bytes of a cluster's triangles.
const FIXED_CORNERS: u64 = 12 * 4 * CLUSTER as u64;

/// Operations for each of what is counted.
mod cost {
    /// A box: its middle and its half sides turned (18 and 15), ends, places in the pair's box and comparisons.
    pub const BOX: u64 = 80;
    /// A triangle: three corners, each turned and brought into the box.
    pub const TRIANGLE: u64 = 72;
    /// A triangle by whole numbers: three corners along three axes, each three products of 64 bits of some ten operations, and their sums.
    pub const FIXED_TRIANGLE: u64 = 450;
    /// Two triangles' boxes.
    pub const COMPARED: u64 = 30;
    /// A crossing with a ray: a depth and a place in a list.
    pub const CROSSING: u64 = 20;
    /// A ray: its place, and its part of 22 sums.
    pub const RAY: u64 = 80;
    /// A crossing again, as one of a ray's: sorted, and its part of the sums along the ray.
    pub const WALKED: u64 = 30;
}

/// Operations for two triangles that may be apart: along up to seventeen axes, six products each.
pub(super) const PARTED: u64 = 17 * 30;

/// Operations for two triangles that may cross: six sides, each with two heights above a plane and three lines.
pub(super) const CROSSED: u64 = 6 * 120;

/// Operations for what two triangles have in common: cuts by seven lines, then twice by three heights, and polynomials over what is left, of
/// some five corners.
pub(super) const OVERLAID: u64 = 7 * 60 + 2 * (3 * 60 + 300);

/// Operations for a triangle that is clipped to the box: six cuts of some four corners.
pub(super) const CLIPPED: u64 = 6 * 40;

impl Work {
    /// What a buffer's elements of a type take.
    pub(super) fn reads<T>(&mut self, n: usize) {
        self.read += (n * size_of::<T>()) as u64;
    }

    /// The same where they are written.
    pub(super) fn writes<T>(&mut self, n: usize) {
        self.written += (n * size_of::<T>()) as u64;
    }

    /// Boxes.
    pub(super) fn look_at_boxes(&mut self, n: usize) {
        self.boxes += n as u64;
        self.operations += cost::BOX * n as u64;
        self.reads::<Cluster>(n);
    }

    /// All triangles of a cluster.
    pub(super) fn place_cluster(&mut self) {
        self.triangles += CLUSTER as u64;
        self.operations += cost::TRIANGLE * CLUSTER as u64;
        self.read += CORNERS;
    }

    /// All triangles of a cluster, by whole numbers.
    pub(super) fn place_fixed_cluster(&mut self) {
        self.triangles += CLUSTER as u64;
        self.operations += cost::FIXED_TRIANGLE * CLUSTER as u64;
        self.read += FIXED_CORNERS;
    }

    /// One triangle of a cluster.
    pub(super) fn place_triangle(&mut self) {
        self.triangles += 1;
        self.operations += cost::TRIANGLE;
        self.read += CORNERS / CLUSTER as u64;
    }

    /// Each triangle of a cluster with so many of another one.
    pub(super) fn compare_with(&mut self, n: usize) {
        let n = (CLUSTER * n) as u64;
        self.compared += n;
        self.operations += cost::COMPARED * n;
    }

    /// Pairs of triangles, with so many operations each.
    pub(super) fn look_at_pairs(&mut self, n: u64, operations: u64) {
        self.pairs += n;
        self.operations += operations * n;
    }

    /// Crossings that were found, each a counter and a place in a list.
    pub(super) fn cross(&mut self, n: u64) {
        self.crossings += n;
        self.operations += cost::CROSSING * n;
        self.writes::<[u32; 2]>(n as usize);
    }

    /// A ray with so many crossings, which are replaced by the ends of its intervals.
    pub(super) fn walk(&mut self, n: u64) {
        self.rays += 1;
        self.operations += cost::RAY + cost::WALKED * n;
        self.reads::<u32>(n as usize);
        self.writes::<u32>(n as usize);
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.groups += other.groups;
        self.boxes += other.boxes;
        self.triangles += other.triangles;
        self.compared += other.compared;
        self.pairs += other.pairs;
        self.rays += other.rays;
        self.crossings += other.crossings;
        self.read += other.read;
        self.written += other.written;
        self.operations += other.operations;
    }
}
