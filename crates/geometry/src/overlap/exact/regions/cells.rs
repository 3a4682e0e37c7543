//! Dividing a piece of an overlap by the directions that its surface faces.

use glam::DVec3;

use super::clusters::{Cluster, sides};
use super::merge::Part;
use super::soup::{Source, Triangle};

/// The parts of one piece of an overlap: for every side the points that are nearest to its plane.
///
/// Normals are those of the body that has less surface there: the other one also counts the strips along the rim that
/// face sideways, where a body has sunk into it.
pub(super) fn divide(triangles: Vec<Triangle>, component: u32) -> Vec<Part> {
    let area = |source| triangles.iter().filter(|t| t.source == source).map(Triangle::area).sum::<f64>();
    let (source, other) = if area(Source::Host) <= area(Source::Guest) {
        (Source::Host, Source::Guest)
    } else {
        (Source::Guest, Source::Host)
    };
    let clusters = sides(&triangles, source, other);
    if clusters.len() < 2 {
        let points = triangles.iter().flat_map(|t| t.corners).collect();
        return vec![Part::new(&triangles, points, source, component)];
    }
    let mut points = vec![Vec::new(); clusters.len()];
    for x in triangles.iter().flat_map(|t| t.corners) {
        points[nearest(&clusters, x)].push(x);
    }
    let mut cells = vec![triangles];
    for (ix, cluster) in clusters.iter().enumerate().skip(1) {
        let mut share = Vec::new();
        for (cell, owner) in cells.iter_mut().zip(&clusters[..ix]) {
            let (keeps, gives) = share_out(std::mem::take(cell), owner, cluster);
            *cell = keeps;
            share.extend(gives);
        }
        cells.push(share);
    }
    let whole = cells.iter().zip(points);
    whole
        .filter(|(cell, _)| !cell.is_empty())
        .map(|(cell, points)| Part::new(cell, points, source, component))
        .collect()
}

/// The cluster whose plane is nearest to a point, the first of equals.
fn nearest(clusters: &[Cluster], x: DVec3) -> usize {
    let mut best = (f64::INFINITY, 0);
    for (ix, cluster) in clusters.iter().enumerate() {
        let distance = cluster.normal.dot(x - cluster.centre).abs();
        if distance < best.0 {
            best = (distance, ix);
        }
    }
    best.1
}

/// Divides a cell between two clusters: what is nearer to the first one's plane, and to the second one's.
///
/// With δ the signed distances to the planes, `δ₂² < δ₁²` holds where just one of `δ₂ - δ₁` and `δ₂ + δ₁` is negative,
/// and these vanish on two planes.
fn share_out(cell: Vec<Triangle>, first: &Cluster, second: &Cluster) -> (Vec<Triangle>, Vec<Triangle>) {
    let offsets = [first, second].map(|cluster| cluster.normal.dot(cluster.centre));
    let [positive, negative] = cut(cell, second.normal - first.normal, offsets[1] - offsets[0]);
    let sum = |part| cut(part, second.normal + first.normal, offsets[1] + offsets[0]);
    let ([mut keeps, mut gives], [gives_too, keeps_too]) = (sum(positive), sum(negative));
    keeps.extend(keeps_too);
    gives.extend(gives_too);
    (keeps, gives)
}

/// Cuts a closed set of triangles by the plane `normal · x = offset` into two closed sets: where `normal · x` is larger
/// (or equal), and where it is smaller.
///
/// No topology is needed: every line in which a triangle is cut makes a triangle with one and the same point of the
/// plane, and together these fill the cut whatever its shape.
fn cut(triangles: Vec<Triangle>, normal: DVec3, offset: f64) -> [Vec<Triangle>; 2] {
    let mut sides = [Vec::new(), Vec::new()];
    let mut apex = None;
    for triangle in triangles {
        let heights = triangle.corners.map(|x| normal.dot(x) - offset);
        let is_below = heights.map(|height| height < 0.0);
        if is_below[0] == is_below[1] && is_below[1] == is_below[2] {
            sides[usize::from(is_below[0])].push(triangle);
            continue;
        }
        // The corner that is alone on its side.
        let lone =
            (0..3).find(|&i| is_below[i] != is_below[(i + 1) % 3] && is_below[i] != is_below[(i + 2) % 3]);
        let lone = lone.unwrap_or(0);
        let order = [lone, (lone + 1) % 3, (lone + 2) % 3];
        let [a, b, c] = order.map(|i| triangle.corners[i]);
        let [ha, hb, hc] = order.map(|i| heights[i]);
        let (p, q) = (crossing(a, ha, b, hb), crossing(a, ha, c, hc));
        let apex = *apex.get_or_insert(p);
        let own = usize::from(is_below[lone]);
        let with = |corners: [DVec3; 3]| Triangle { corners, ..triangle };
        let lid = |corners: [DVec3; 3]| Triangle {
            corners,
            weight: triangle.weight,
            normal: DVec3::ZERO,
            source: Source::Cut,
        };
        sides[own].extend([with([a, p, q]), lid([apex, q, p])]);
        sides[1 - own].extend([with([p, b, c]), with([p, c, q]), lid([apex, p, q])]);
    }
    sides
}

/// Where a line between two sides of a plane meets it: the same point for either direction.
fn crossing(a: DVec3, height_a: f64, b: DVec3, height_b: f64) -> DVec3 {
    let (above, below, from, to) =
        if height_a >= 0.0 { (a, b, height_a, height_b) } else { (b, a, height_b, height_a) };
    above + (below - above) * (from / (from - to))
}
