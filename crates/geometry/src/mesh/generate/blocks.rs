//! Solids made of axis-aligned boxes: cuboid, L-shape, table; the tapered block; and the cube with bumps.

use std::f64::consts::PI;

use glam::DVec3;

use super::error::Check;
use super::measures::{BumpyCube, LShape, Table, TaperedBlock};
use super::resolution::{Layout, fit, pieces, subdivide};
use super::{GenerateError, MAX_LENGTH};
use crate::TriangleMesh;

/// A union of cells of a coarse rectilinear lattice, with each lattice interval cut into equal pieces.
///
/// Only faces between a filled and an empty cell are meshed, so boxes that share a face leave nothing inside. Cells
/// must not meet in an edge or a corner alone.
struct Blocks {
    planes: [Vec<f64>; 3],
    pieces: [Vec<usize>; 3],
    faces: Vec<Face>,
}

/// One side of a filled cell beyond which there is none.
struct Face {
    axis: usize,
    cell: [usize; 3],
    outward: bool,
}

impl Blocks {
    /// The cells between neighbouring `planes` whose midpoints are `filled`, cut into edges of about `edge`.
    fn new(planes: &[Vec<f64>; 3], filled: impl Fn(DVec3) -> bool, edge: f64) -> Self {
        let cut = |axis: &Vec<f64>| axis.windows(2).map(|w| pieces(w[1] - w[0], edge, 1)).collect();
        let n = [0, 1, 2].map(|axis| planes[axis].len() - 1);
        let inside = |cell: [usize; 3]| {
            (0..3).all(|a| cell[a] < n[a])
                && filled(DVec3::from_array(
                    [0, 1, 2].map(|a| 0.5 * (planes[a][cell[a]] + planes[a][cell[a] + 1])),
                ))
        };
        let mut faces = Vec::new();
        for cell in (0..n[0] * n[1] * n[2]).map(|i| [i / (n[1] * n[2]), i / n[2] % n[1], i % n[2]]) {
            if !inside(cell) {
                continue;
            }
            for (axis, outward) in [(0, false), (0, true), (1, false), (1, true), (2, false), (2, true)] {
                let mut next = cell;
                // Below zero wraps to an index beyond the lattice, which is outside as well.
                next[axis] = if outward { cell[axis] + 1 } else { cell[axis].wrapping_sub(1) };
                if !inside(next) {
                    faces.push(Face { axis, cell, outward });
                }
            }
        }
        Self { planes: planes.clone(), pieces: [0, 1, 2].map(|a| cut(&planes[a])), faces }
    }

    /// The surface. Vertices are in lattice order.
    fn mesh(&self) -> TriangleMesh {
        let points = [0, 1, 2].map(|a| subdivide(&self.planes[a], &self.pieces[a]));
        let starts = self.pieces.each_ref().map(|axis| {
            let ends = axis.iter().scan(0, |sum, n| {
                *sum += n;
                Some(*sum)
            });
            std::iter::once(0).chain(ends).collect::<Vec<_>>()
        });
        let (ny, nz) = (points[1].len() as u64, points[2].len() as u64);
        let mut quads = Vec::with_capacity(self.n_triangles() / 2);
        for face in &self.faces {
            let (a, u, v) = (face.axis, (face.axis + 1) % 3, (face.axis + 2) % 3);
            let mut at = [0; 3];
            at[a] = starts[a][face.cell[a] + usize::from(face.outward)];
            for i in starts[u][face.cell[u]]..starts[u][face.cell[u] + 1] {
                for j in starts[v][face.cell[v]]..starts[v][face.cell[v] + 1] {
                    let quad = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(di, dj)| {
                        (at[u], at[v]) = (i + di, j + dj);
                        (at[0] as u64 * ny + at[1] as u64) * nz + at[2] as u64
                    });
                    quads.push(if face.outward { quad } else { [quad[0], quad[3], quad[2], quad[1]] });
                }
            }
        }
        let mut used: Vec<u64> = quads.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let index = |id| used.partition_point(|&other| other < id) as u32;
        let triangles = quads
            .iter()
            .flat_map(|quad| {
                let [a, b, c, d] = quad.map(index);
                [[a, b, c], [a, c, d]]
            })
            .collect();
        let vertices = used.iter().map(|&id| {
            let ix = [id / (ny * nz), id / nz % ny, id % nz].map(|i| i as usize);
            DVec3::from_array([0, 1, 2].map(|a| points[a][ix[a]]))
        });
        TriangleMesh { vertices: vertices.collect(), triangles }
    }
}

impl Layout for Blocks {
    fn n_triangles(&self) -> usize {
        let area = |f: &Face| -> usize {
            [(f.axis + 1) % 3, (f.axis + 2) % 3].map(|a| self.pieces[a][f.cell[a]]).iter().product()
        };
        2 * self.faces.iter().map(area).sum::<usize>()
    }
}

/// A box about the origin with edges along the axes.
///
/// `size` holds the full side lengths \[m\]. Each face is a grid of nearly square cells, two triangles a cell: 12
/// triangles at least, `4 (nx ny + ny nz + nz nx)` in general.
///
/// # Errors
/// A side that is not a positive length, or more than [`MAX_TRIANGLES`](super::MAX_TRIANGLES).
pub fn cuboid(size: DVec3, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    let check = Check("cuboid");
    check.length("size.x", size.x)?;
    check.length("size.y", size.y)?;
    check.length("size.z", size.z)?;
    let planes = (0.5 * size).to_array().map(|half| vec![-half, half]);
    Ok(fit(check, triangles, size.max_element(), |edge| Blocks::new(&planes, |_| true, edge))?.mesh())
}

/// A block with plane sides between two parallel rectangles, the origin halfway up on the line through their middles.
///
/// Grid faces like [`cuboid`]'s, narrowed towards the smaller end; 12 triangles at least.
///
/// # Errors
/// A dimension that is not a positive length, or more than [`MAX_TRIANGLES`](super::MAX_TRIANGLES).
pub fn tapered_block(size: &TaperedBlock, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    let check = Check("tapered_block");
    let TaperedBlock { bottom, top, height } = *size;
    check.length("bottom.x", bottom.x)?;
    check.length("bottom.y", bottom.y)?;
    check.length("top.x", top.x)?;
    check.length("top.y", top.y)?;
    check.length("height", height)?;
    let widest = bottom.max(top);
    let planes = [widest.x, widest.y, height].map(|side| vec![-0.5 * side, 0.5 * side]);
    let extent = widest.max_element().max(height);
    let mut mesh = fit(check, triangles, extent, |edge| Blocks::new(&planes, |_| true, edge))?.mesh();
    for p in &mut mesh.vertices {
        let narrowed = bottom.lerp(top, p.z / height + 0.5) / widest;
        (p.x, p.y) = (p.x * narrowed.x, p.y * narrowed.y);
    }
    Ok(mesh)
}

/// An L-shaped block whose centre of mass is the origin; the outer corner points to -x, -z.
///
/// Grid faces like [`cuboid`]'s; 28 triangles at least.
///
/// # Errors
/// A dimension that is not a positive length, a thickness not below length and height, or more than
/// [`MAX_TRIANGLES`](super::MAX_TRIANGLES).
pub fn l_shape(size: &LShape, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    let check = Check("l_shape");
    let LShape { length, width, height, thickness: t } = *size;
    check.length("length", length)?;
    check.length("width", width)?;
    check.length("height", height)?;
    check.length("thickness", t)?;
    check.part("thickness", t, length, "the length")?;
    check.part("thickness", t, height, "the height")?;
    let (foot, upright) = (length * t, (height - t) * t);
    let x = (foot * 0.5 * length + upright * 0.5 * t) / (foot + upright);
    let z = (foot * 0.5 * t + upright * 0.5 * (height + t)) / (foot + upright);
    let planes = [vec![-x, t - x, length - x], vec![-0.5 * width, 0.5 * width], vec![-z, t - z, height - z]];
    let filled = |p: DVec3| p.x < t - x || p.z < t - z;
    let extent = length.max(width).max(height);
    Ok(fit(check, triangles, extent, |edge| Blocks::new(&planes, filled, edge))?.mesh())
}

/// A table as one closed surface; the origin is on the floor below the middle of the top.
///
/// Grid faces like [`cuboid`]'s; every face is cut along the planes of the legs, so 172 triangles at least, fewer for
/// legs that stand flush.
///
/// # Errors
/// A dimension that is not a positive length (the inset may be zero), a top as thick as the table is high, legs that
/// touch one another, or more than [`MAX_TRIANGLES`](super::MAX_TRIANGLES).
pub fn table(size: &Table, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    let check = Check("table");
    let Table { length, width, height, top_thickness, leg_thickness, leg_inset } = *size;
    check.length("length", length)?;
    check.length("width", width)?;
    check.length("height", height)?;
    check.length("top_thickness", top_thickness)?;
    check.part("top_thickness", top_thickness, height, "the height")?;
    check.length("leg_thickness", leg_thickness)?;
    check.length_or_zero("leg_inset.x", leg_inset.x)?;
    check.length_or_zero("leg_inset.y", leg_inset.y)?;
    let room = |side: f64, inset: f64| 0.5 * side - inset;
    check.below(
        "leg_thickness",
        leg_thickness,
        room(length, leg_inset.x),
        "half the length less the inset",
    )?;
    check.below("leg_thickness", leg_thickness, room(width, leg_inset.y), "half the width less the inset")?;
    check.share("leg_thickness", leg_thickness, length, "the length")?;
    check.share("leg_thickness", leg_thickness, width, "the width")?;

    // Outer and inner face of a leg as distances from the table's middle plane.
    let leg = |side: f64, inset: f64| [room(side, inset), room(side, inset) - leg_thickness];
    let (leg_x, leg_y) = (leg(length, leg_inset.x), leg(width, leg_inset.y));
    let planes_of = |half: f64, [outer, inner]: [f64; 2]| {
        let mut planes = vec![-half, -outer, -inner, inner, outer, half];
        planes.dedup();
        planes
    };
    let under = height - top_thickness;
    let planes = [planes_of(0.5 * length, leg_x), planes_of(0.5 * width, leg_y), vec![0.0, under, height]];
    let across = |x: f64, [outer, inner]: [f64; 2]| (inner..outer).contains(&x.abs());
    let filled = |p: DVec3| p.z > under || (across(p.x, leg_x) && across(p.y, leg_y));
    let extent = length.max(width).max(height);
    Ok(fit(check, triangles, extent, |edge| Blocks::new(&planes, filled, edge))?.mesh())
}

/// A cube about the origin with edges along the axes and `bumps²` equal bumps on each face.
///
/// A face is raised by `bump_height (sin πku sin πkv)²` with u, v from 0 to 1 across it and k bumps along an edge.
/// It stays above its own square, so faces never meet but in the cube's edges. A face is an n x n grid with at least
/// four cells a bump, in all `12 n²` triangles.
///
/// # Errors
/// A side or height that is not a positive length, a number of bumps out of range, or more than
/// [`MAX_TRIANGLES`](super::MAX_TRIANGLES).
pub fn bumpy_cube(size: &BumpyCube, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    /// Grid cells across a bump: the fewest that show its top, flanks and foot.
    const MIN_CELLS: u32 = 4;
    let check = Check("bumpy_cube");
    let BumpyCube { side, bumps, bump_height } = *size;
    check.length("side", side)?;
    check.count("bumps", bumps, 1..=1000)?;
    check.length("bump_height", bump_height)?;
    check.below("bump_height", bump_height, MAX_LENGTH - side, "the longest length less the side")?;
    let half = 0.5 * side;
    let coarsest = side / f64::from(MIN_CELLS * bumps);
    let planes = [(); 3].map(|()| vec![-half, half]);
    let layout = fit(check, triangles, side, |edge| Blocks::new(&planes, |_| true, edge.min(coarsest)))?;
    let mut mesh = layout.mesh();
    let wave = |x: f64| (PI * f64::from(bumps) * (x / side + 0.5)).sin().powi(2);
    for p in &mut mesh.vertices {
        let flat = *p;
        for axis in 0..3 {
            let (u, v) = (flat[(axis + 1) % 3], flat[(axis + 2) % 3]);
            if flat[axis].abs() == half && u.abs() < half && v.abs() < half {
                p[axis] += flat[axis].signum() * bump_height * wave(u) * wave(v);
            }
        }
    }
    Ok(mesh)
}
