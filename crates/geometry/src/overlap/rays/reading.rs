//! Sums over rays as an overlap; why a result is not to be trusted.

use glam::{DMat3, DVec3};
use tactum_shaders::rays::Method;
use tactum_shaders::rays::layout::{ContactBlock, SUPPORTS, state};
use thiserror::Error;

use super::division::{Leaf, Lumps, plane_areas};
use super::grid::{axes_of, frame_origin};
use super::{MIN_DEPTH, RayBody};
use crate::moments::{SurfaceMoments, VolumeMoments};
use crate::overlap::Overlap;
use crate::overlap::integrals::Integrals;
use crate::overlap::regions::{ONE_SIDED, Part, is_shallow, may_be_several};
use crate::{Aabb, Pose};

/// Error of the volume, as a part of it, and of the gradient's direction \[rad\], up to which a reading counts as sure.
const SURE_VOLUME: f64 = 3e-3;
const SURE_DIRECTION: f64 = 5e-3;

/// Vector area over area below which the gradient is as good as zero and its direction says nothing.
const HAS_DIRECTION: f64 = 0.05;

/// Area of one body's surface, as a part of the other's, below which it is rounding.
const NO_AREA: f64 = 1e-5;

/// How much less a grid of twice as many rays a side errs: pixels along a rim err independently, so the error of a sum
/// goes with the power -3/2 of the rays a side.
const GAIN: f64 = 2.8;

/// Intervals along the third axis below which too few rays met the overlap, of `rays²`: a sixteenth.
const MIN_FILLED: f64 = 1.0 / 16.0;

/// Part of a pair's volume that cells may have which rays hardly see: what is to be known of the volume.
const HARDLY_SEEN: f64 = SURE_VOLUME;

/// Part of a pair's area that cells may have which face several ways: as much as a side may have that [`ONE_SIDED`] leaves out.
const ASKEW: f64 = 1.0 - ONE_SIDED;

/// How many times the length of its three projections a plain area may be, at most: √3, of a surface that faces each axis as much.
const LARGEST_AREA: f64 = 1.732_050_807_568_877_2;

/// Why what the rays found is not to be used; the pair has to be measured exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Error)]
pub enum Distrust {
    /// A ray crossed the surfaces more often than its list holds.
    #[error("a ray crosses the surfaces too often")]
    LongList,
    /// A ray left a body more often than it entered it.
    #[error("a ray leaves a body more often than it enters it")]
    Unbalanced,
    /// The overlap is too shallow for 32-bit positions, see [`MIN_DEPTH`].
    #[error("the overlap is too shallow for 32-bit positions")]
    Shallow,
    /// The bodies may meet, but no ray passed through an overlap.
    #[error("no ray passes through an overlap that cannot be ruled out")]
    Unseen,
    /// Few rays passed through the overlap.
    #[error("too few rays pass through the overlap")]
    Missed,
    /// The bodies press on each other from several sides, which rays do not tell apart.
    #[error("the bodies press on each other from several sides")]
    Several,
    /// Finer and finer rays did not agree.
    #[error("rays twice as fine give another result")]
    Uncertain,
    /// The device has no room for the meshes.
    #[error("the device has no room for the meshes")]
    NoRoom,
    /// A mesh covers some of space more than once, which the exact method counts as often and rays count once.
    #[error("a mesh overlaps itself")]
    OverlapsItself,
    /// The sums are not finite numbers.
    #[error("the sums are not finite")]
    NotFinite,
}

impl Distrust {
    /// Whether it is for want of what rays can see, which triangles know.
    pub fn is_blindness(self) -> bool {
        matches!(
            self,
            Self::LongList | Self::Shallow | Self::Unseen | Self::Missed | Self::Several | Self::Uncertain
        )
    }
}

/// What the rays say of a pair.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The overlap in A's axes about A's origin.
    pub overlap: Overlap,
    /// Whether a quarter of the rays would have said nearly the same. The aim is a volume good to 0.3 % and a gradient good
    /// to 0.3 degrees in direction; as this is one draw of the error, some sure readings err a few times more.
    pub is_sure: bool,
    /// Whether it may have regions that the measurement cannot tell: rays know plain areas to a factor of √3, and sides at a right angle
    /// not at all.
    pub may_hide_regions: bool,
    /// The part of A's surface that is in cells which face several ways, where an overlap may have several regions: it is not known exactly
    /// which region it is of.
    pub askew: f64,
}

/// The overlap that the cells of a pair gave.
///
/// `blocks` are those of the cells that were measured, `method` how: by rays, this many a side across the third axis, or by triangles.
/// `reach` is the distance within which all of both bodies lies \[m\], `size` that of the smaller body \[m\].
///
/// Cells that do not push the same way in the same plane make regions of their own. By rays the plain areas are lower bounds from
/// their three projections: exact for flat pieces, up to 1/√3 small for curved ones.
///
/// # Errors
///
/// [`Distrust`] if the pair has to be measured exactly.
pub fn read(
    blocks: &[ContactBlock],
    a: &RayBody,
    method: impl Into<Method>,
    reach: f64,
    size: f64,
) -> Result<Reading, Distrust> {
    let method = method.into();
    let mut total = Total::default();
    for block in blocks.iter().filter(|block| block.state & state::EMPTY == 0) {
        total.add(block, a, method)?;
    }
    let VolumeMoments { volume, .. } = total.volume;
    if total.leaves.is_empty() && total.hardly_seen == 0.0 {
        let overlap = Overlap::EMPTY;
        return Ok(Reading { overlap, is_sure: true, may_hide_regions: false, askew: 0.0 });
    }
    let widest = total.areas[0].max(total.areas[1]);
    let least = match method {
        Method::Rays(_) => MIN_DEPTH * reach * widest,
        // The bound of their error says what is too shallow.
        Method::Triangles => 0.0,
    };
    if volume <= least {
        return Err(if volume > 0.0 { Distrust::Shallow } else { Distrust::Unseen });
    }
    if total.hardly_seen > HARDLY_SEEN * volume {
        return Err(Distrust::Missed);
    }
    let mut overlap = total.overlap(size);
    let lumps = Lumps::new(&total.leaves);
    overlap.n_components = lumps.count();
    let mut askew = 0.0;
    if may_be_several(&overlap, size) {
        askew = lumps.askew_part();
        if askew > ASKEW && method != Method::Triangles {
            return Err(Distrust::Several);
        }
        overlap.regions = lumps.regions(&total.bounds);
    }
    let may_hide_regions = method != Method::Triangles && is_shallow(&overlap, size, LARGEST_AREA);
    Ok(Reading { overlap, is_sure: total.is_sure(), may_hide_regions, askew })
}

/// Sums over a pair's cells, in A's axes about A's origin.
struct Total {
    volume: VolumeMoments,
    surface: SurfaceMoments,
    areas: [f64; 2],
    /// What a quarter of the rays says more.
    volume_error: f64,
    area_error: DVec3,
    /// Volume of cells that rays hardly see, at most \[m³\].
    hardly_seen: f64,
    bounds: Aabb,
    leaves: Vec<Leaf>,
}

impl Default for Total {
    fn default() -> Self {
        Self {
            volume: VolumeMoments::default(),
            surface: SurfaceMoments::default(),
            areas: [0.0; 2],
            volume_error: 0.0,
            area_error: DVec3::ZERO,
            hardly_seen: 0.0,
            bounds: Aabb::EMPTY,
            leaves: Vec::new(),
        }
    }
}

impl Total {
    fn add(&mut self, block: &ContactBlock, a: &RayBody, method: Method) -> Result<(), Distrust> {
        check(block)?;
        let cell = Cell::new(block, a);
        if let Method::Rays(rays) = method
            && is_hardly_seen(block)
        {
            // Between the rays of a square there may be as much as four of them stand for.
            let unseen = 4.0 / f64::from(rays * rays);
            self.hardly_seen += (f64::from(block.volume) + unseen) * cell.size.element_product();
        }
        if block.volume <= 0.0 && method != Method::Triangles {
            return Ok(());
        }
        let leaf = cell.leaf(block, frame_origin(block, a), self.leaves.len() as u32);
        let part = &leaf.part;
        self.volume += part.volume;
        self.surface += part.surface;
        for of in 0..2 {
            self.areas[of] += part.areas[of];
        }
        self.volume_error += f64::from(block.quarter_volume - block.volume) * cell.size.element_product();
        self.area_error += cell.axes * ((vector(block.quarter_area) - vector(block.area)) * cell.faces());
        self.bounds = self.bounds.union(&part.bounds);
        self.leaves.push(leaf);
        Ok(())
    }

    /// All cells as one overlap.
    fn overlap(&self, size: f64) -> Overlap {
        let origin = self.bounds.center();
        // Of a body that is inside the other one, sums over triangles leave rounding of the other's area.
        let is_none = |of: usize| self.areas[of] < NO_AREA * self.areas[1 - of];
        let areas = [0, 1].map(|of| if is_none(of) { 0.0 } else { self.areas[of] });
        let areas = plane_areas(areas, self.surface.area_vector);
        let integrals = Integrals {
            origin,
            volume: self.volume.translated(-origin),
            gradient: self.surface.area_vector,
            angular_gradient: self.surface.translated(-origin).angular(),
            areas,
            facing: [None; 2],
            bounds: Aabb { min: self.bounds.min - origin, max: self.bounds.max - origin },
        };
        let points: Vec<DVec3> =
            self.leaves.iter().flat_map(|leaf| &leaf.points).map(|&x| x - origin).collect();
        integrals.into_overlap(&points, size)
    }

    /// Whether the errors that a quarter of the rays makes, scaled to all of them, are small.
    fn is_sure(&self) -> bool {
        let area = self.surface.area_vector;
        let across = self.area_error.reject_from(area).length();
        let has_direction = area.length() > HAS_DIRECTION * self.areas[0].min(self.areas[1]);
        self.volume_error.abs() <= GAIN * SURE_VOLUME * self.volume.volume
            && (!has_direction || across <= GAIN * SURE_DIRECTION * area.length())
    }
}

/// Whether a cell's sums can be used at all.
fn check(block: &ContactBlock) -> Result<(), Distrust> {
    if block.overflow > 0.0 {
        return Err(Distrust::LongList);
    }
    if block.negative > 0.0 {
        return Err(Distrust::Unbalanced);
    }
    let sums = [block.moment, block.second_diagonal, block.second_mixed, block.area];
    if !block.volume.is_finite() || !sums.as_flattened().iter().all(|x| x.is_finite()) {
        return Err(Distrust::NotFinite);
    }
    Ok(())
}

/// Whether too few rays along the third axis, or none, passed through what a cell holds.
pub(super) fn is_hardly_seen(block: &ContactBlock) -> bool {
    block.volume <= 0.0 || f64::from(block.cover_a[2].max(block.cover_b[2])) < MIN_FILLED
}

/// The cells in which the bodies press on each other from several sides, one of `blocks` each, where the piece of the overlap that is in
/// them faces several ways.
pub(super) fn askew_cells(blocks: &[ContactBlock], a: &RayBody) -> Vec<bool> {
    let is_filled = |block: &ContactBlock| block.state & state::EMPTY == 0;
    let leaf = |block: &ContactBlock| Cell::new(block, a).leaf(block, frame_origin(block, a), 0);
    let leaves: Vec<Leaf> = blocks.iter().filter(|block| is_filled(block)).map(leaf).collect();
    let mut askew = Lumps::new(&leaves).askew.into_iter();
    blocks.iter().map(|block| is_filled(block) && askew.next().unwrap_or(false)).collect()
}

/// The box of a cell in A's frame.
struct Cell {
    /// Columns are the box's axes.
    axes: DMat3,
    /// The box's centre about A's origin.
    center: DVec3,
    size: DVec3,
}

impl Cell {
    fn new(block: &ContactBlock, a: &RayBody) -> Self {
        let axes = axes_of(block);
        let (lo, hi) = (vector(block.lo), vector(block.hi));
        Self { axes, center: axes * ((lo + hi) / 2.0 + frame_origin(block, a)), size: hi - lo }
    }

    fn faces(&self) -> DVec3 {
        DVec3::new(self.size.y * self.size.z, self.size.z * self.size.x, self.size.x * self.size.y)
    }

    /// What is in the cell and the points that span it, in A's axes about A's origin.
    fn leaf(&self, block: &ContactBlock, origin: DVec3, number: u32) -> Leaf {
        let pose = Pose { rotation: glam::DQuat::from_mat3(&self.axes), translation: self.center };
        let faces = self.faces();
        let covers = [block.cover_a, block.cover_b].map(|cover| vector(cover) * faces);
        let plain = [block.plain_a, block.plain_b].map(|area| f64::from(area) * faces.max_element());
        let bounds = Aabb { min: -self.size / 2.0, max: self.size / 2.0 }.transformed(&pose);
        let part = Part {
            volume: self.volume(block).rotated(self.axes).translated(self.center),
            surface: self.surface(block).rotated(self.axes).translated(self.center),
            areas: [0, 1].map(|of| if plain[of] > 0.0 { plain[of] } else { covers[of].length() }),
            bounds,
            around: [bounds; 2],
            facing: Default::default(),
            is_apart: false,
            members: vec![number],
        };
        let mut points = Vec::new();
        self.add_points(block, &mut points);
        let area_b = self.axes * (vector(block.area_b) * faces);
        let cell = Aabb { min: vector(block.lo) + origin, max: vector(block.hi) + origin };
        let floors = DVec3::from([0, 1, 2].map(|k| f64::from(block.arms[k][3])));
        // What bounds the overlap in the box is closed: the surfaces of both bodies and what the box's faces have of it.
        let ceilings = floors - vector(block.area) - vector(block.area_b);
        let open = (block.plain_a > 0.0 || block.plain_b > 0.0).then_some([floors, ceilings]);
        Leaf { part, area_b, axes: self.axes, covers, points, cell, open }
    }

    /// Volume moments in the box's axes about its centre.
    fn volume(&self, block: &ContactBlock) -> VolumeMoments {
        let [xy, yz, zx] = block.second_mixed.map(f64::from);
        let diagonal = vector(block.second_diagonal);
        let second = DMat3::from_cols(
            DVec3::new(diagonal.x, xy, zx),
            DVec3::new(xy, diagonal.y, yz),
            DVec3::new(zx, yz, diagonal.z),
        );
        let scale = DMat3::from_diagonal(self.size);
        let unit = self.size.element_product();
        VolumeMoments {
            volume: f64::from(block.volume) * unit,
            first: vector(block.moment) * self.size * unit,
            second: scale * second * scale * unit,
        }
    }

    /// A's surface in the box's axes about its centre; its plain area is left out.
    fn surface(&self, block: &ContactBlock) -> SurfaceMoments {
        let faces = self.faces();
        let row =
            |i: usize| vector([block.arms[i][0], block.arms[i][1], block.arms[i][2]]) * faces * self.size[i];
        let arms = DMat3::from_cols(row(0), row(1), row(2)).transpose();
        SurfaceMoments { area_vector: vector(block.area) * faces, arms, ..Default::default() }
    }

    /// Support points of the cell's patch and the points farthest along the normal, in A's frame.
    fn add_points(&self, block: &ContactBlock, points: &mut Vec<DVec3>) {
        let normal = vector(block.normal);
        if normal == DVec3::ZERO {
            return;
        }
        if block.volume <= 0.0 {
            return;
        }
        let centroid = vector(block.moment) / f64::from(block.volume) * self.size;
        let u = vector(block.tangent);
        let w = normal.cross(u);
        let (rim, ends) = block.supports.split_at(SUPPORTS as usize);
        let in_a = |x: DVec3| self.axes * (centroid + x) + self.center;
        points.extend(rim.iter().map(|&[x, y]| in_a(u * f64::from(x) + w * f64::from(y))));
        points.extend([in_a(normal * f64::from(ends[0][0])), in_a(-normal * f64::from(ends[1][0]))]);
    }
}

fn vector(x: [f32; 3]) -> DVec3 {
    DVec3::from(x.map(f64::from))
}
