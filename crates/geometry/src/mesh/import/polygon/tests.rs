//! Polygons of every kind, judged by their area and by the sides of their triangles.

use super::*;

fn area(points: &[DVec3], triangles: &[[u32; 3]]) -> f64 {
    let cross = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|ix| points[ix as usize]);
        (b - a).cross(c - a)
    };
    triangles.iter().map(|t| 0.5 * cross(t).length()).sum()
}

/// Triangles that overlapped or left the polygon would have more area than it.
fn assert_covers(points: &[DVec3], expected_area: f64) {
    for shift in 0..points.len() as u32 {
        let n = points.len() as u32;
        let polygon: Vec<u32> = (0..n).map(|ix| (ix + shift) % n).collect();
        let mut triangles = Vec::new();
        triangulate(&polygon, points, &mut triangles);
        assert_eq!(triangles.len(), points.len() - 2);
        // Ten products of numbers of order one.
        assert!((area(points, &triangles) - expected_area).abs() < 1e-13, "{triangles:?}");
    }
}

#[test]
fn concave_polygons_are_covered_exactly_from_every_first_corner_and_in_every_plane() {
    let l_shape = [(0., 0.), (3., 0.), (3., 1.), (1., 1.), (1., 2.), (0., 2.)];
    let comb = [
        (0., 0.),
        (5., 0.),
        (5., 2.),
        (4., 2.),
        (4., 1.),
        (3., 1.),
        (3., 2.),
        (2., 2.),
        (2., 1.),
        (1., 1.),
        (1., 2.),
        (0., 2.),
    ];
    for (flat, expected) in [(&l_shape[..], 4.0), (&comb[..], 8.0)] {
        for [u, v] in [[DVec3::X, DVec3::Y], [DVec3::Y, DVec3::X], [DVec3::Y, DVec3::Z], [DVec3::Z, DVec3::X]]
        {
            let points: Vec<DVec3> = flat.iter().map(|&(x, y)| u * x + v * y + DVec3::splat(0.25)).collect();
            assert_covers(&points, expected);
        }
    }
}

#[test]
fn polygons_with_corners_in_a_line_or_in_one_point_keep_their_sides() {
    let flat = [(0., 0.), (1., 0.), (2., 0.), (2., 2.), (1., 1.), (0., 2.)];
    assert_covers(&flat.map(|(x, y)| DVec3::new(x, y, 1.0)), 3.0);
    let mut triangles = Vec::new();
    triangulate(&[0, 0, 0, 0, 0], &[DVec3::ONE], &mut triangles);
    assert_eq!(triangles.len(), 3);
}

/// The same by looking at every corner for every ear: the definition, in cubic time.
fn by_definition(flat: &[DVec2]) -> Vec<[u32; 3]> {
    let mut ring: Vec<usize> = (0..flat.len()).collect();
    let corner = |ring: &[usize], at: usize| {
        let n = ring.len();
        [ring[(at + n - 1) % n], ring[at], ring[(at + 1) % n]]
    };
    let turn_at = |ring: &[usize], at: usize| turn(corner(ring, at).map(|ix| flat[ix]));
    let find_ear = |ring: &[usize]| {
        let is_ear = |&at: &usize| {
            let own = corner(ring, at).map(|ix| flat[ix]);
            let [a, b, c] = own;
            let holds = |other: usize| {
                let x = flat[ring[other]];
                turn_at(ring, other) <= 0.0
                    && !own.contains(&x)
                    && [[a, b, x], [b, c, x], [c, a, x]].into_iter().all(|t| turn(t) >= 0.0)
            };
            turn(own) > 0.0 && !(0..ring.len()).any(holds)
        };
        (0..ring.len()).find(is_ear).or_else(|| (0..ring.len()).find(|&at| turn_at(ring, at) == 0.0))
    };
    let is_convex = (0..ring.len()).all(|at| turn_at(&ring, at) >= 0.0);
    let mut triangles = Vec::new();
    while !is_convex && ring.len() > 3 {
        let Some(at) = find_ear(&ring) else { break };
        triangles.push(corner(&ring, at).map(|ix| ix as u32));
        ring.remove(at);
    }
    triangles.extend(ring[1..].windows(2).map(|pair| [ring[0], pair[0], pair[1]].map(|ix| ix as u32)));
    triangles
}

/// Triangles of a polygon in the plane whose corners are all different vertices.
fn split(flat: &[DVec2]) -> Vec<[u32; 3]> {
    let vertices: Vec<DVec3> = flat.iter().map(|x| x.extend(0.0)).collect();
    let polygon: Vec<u32> = (0..flat.len() as u32).collect();
    let mut triangles = Vec::new();
    triangulate(&polygon, &vertices, &mut triangles);
    triangles
}

/// Every side of the polygon is a side of one triangle, and all other sides meet their opposite.
fn assert_keeps_sides(n: usize, triangles: &[[u32; 3]]) {
    assert_eq!(triangles.len(), n - 2);
    let mut sides: Vec<[u32; 2]> = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
    sides.extend((0..n as u32).map(|ix| [(ix + 1) % n as u32, ix]));
    let opposite: Vec<[u32; 2]> = sides.iter().map(|&[a, b]| [b, a]).collect();
    let sorted = |mut sides: Vec<[u32; 2]>| {
        sides.sort_unstable();
        sides
    };
    assert_eq!(sorted(sides), sorted(opposite));
}

/// Triangles none of which lies upside down cover a simple polygon once.
fn assert_upright(flat: &[DVec2], triangles: &[[u32; 3]]) {
    for t in triangles {
        assert!(turn(t.map(|ix| flat[ix as usize])) >= 0.0, "{t:?}");
    }
}

/// Marsaglia's xorshift (2003), in 0..n.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// Corners on a small grid: with many in one point, in a line and on sides, and sides that cross.
#[test]
fn polygons_that_are_not_simple_are_split_as_the_definition_says() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..3000 {
        let n = 4 + random.below(14);
        let step = 2 + random.below(8);
        let flat: Vec<DVec2> =
            (0..n).map(|_| DVec2::new(random.below(step) as f64, random.below(step) as f64)).collect();
        let triangles = split(&flat);
        assert_keeps_sides(n, &triangles);
        // The plane is seen from the side on which the polygon runs counter-clockwise.
        let area: f64 = (0..n).map(|ix| flat[ix].perp_dot(flat[(ix + 1) % n])).sum();
        let seen = |x: &DVec2| if area < 0.0 { x.with_y(-x.y) } else { *x };
        if area != 0.0 {
            assert_eq!(triangles, by_definition(&flat.iter().map(seen).collect::<Vec<_>>()), "{flat:?}");
        }
    }
}

fn polar(radius: f64, turns: f64) -> DVec2 {
    radius * DVec2::from_angle(turns * std::f64::consts::TAU)
}

fn star(n: usize) -> Vec<DVec2> {
    (0..n).map(|ix| polar(if ix % 2 == 0 { 0.5 } else { 1.0 }, ix as f64 / n as f64)).collect()
}

fn spiral(n: usize) -> Vec<DVec2> {
    let arm = |ix: usize, width: f64| polar(1.0 + ix as f64 * 0.01 + width, ix as f64 / 90.0);
    let n = n / 2;
    (0..n).map(|ix| arm(ix, 0.4)).chain((0..n).rev().map(|ix| arm(ix, 0.0))).collect()
}

/// Teeth that point up, on a slope: their tips and their feet lie in lines, as far as rounding lets them.
fn comb(n: usize) -> Vec<DVec2> {
    let n_teeth = n / 2 - 1;
    let slope = DVec2::from_angle(0.7);
    let tooth = |ix: usize| [DVec2::new(ix as f64, 1.0), DVec2::new(ix as f64 - 0.5, 500.0)];
    let mut flat = vec![DVec2::ZERO, DVec2::new(n_teeth as f64, 0.0)];
    flat.extend((1..=n_teeth).rev().flat_map(tooth));
    flat.into_iter().map(|x| slope.rotate(x)).collect()
}

/// A snake of nested angles: each outer corner's triangle holds all corners that are further in.
fn chevrons(n: usize) -> Vec<DVec2> {
    let n_layers = n / 6;
    // One edge of the snake is the outer one in its turns on the right, the other one in those on the left.
    let edge = |is_right: bool, ix: usize| {
        let is_upper = is_right == ix.is_multiple_of(2);
        let low = 2.0 * ix as f64 + if is_upper { 0.0 } else { 0.5 };
        let [left, right] = if is_right { [-2e6 + 1.0, 2e6] } else { [-2e6, 2e6 - 1.0] };
        let mut corners = [left, 0.0, right].map(|x: f64| DVec2::new(x, 1e6 - 0.5 * x.abs() - low));
        if ix % 2 == 1 {
            corners.reverse();
        }
        corners
    };
    let ahead = (0..n_layers).flat_map(|ix| edge(true, ix));
    let back: Vec<DVec2> = (0..n_layers).flat_map(|ix| edge(false, ix)).collect();
    ahead.chain(back.into_iter().rev()).rev().collect()
}

fn zig_zag(n: usize) -> Vec<DVec2> {
    let n = n / 2;
    let at = |ix: usize, y: f64| DVec2::new(ix as f64, y + if ix.is_multiple_of(2) { 0.0 } else { 300.0 });
    (0..n).map(|ix| at(ix, 0.0)).chain((0..n).rev().map(|ix| at(ix, 1.0))).collect()
}

/// Corners in the order of their angle about a point, at random distances.
fn rough(n: usize) -> Vec<DVec2> {
    let mut random = Random(77);
    (0..n).map(|ix| polar(1.0 + random.below(1000) as f64, ix as f64 / n as f64)).collect()
}

/// A disc with square holes in a row, each joined to the one before by a bridge there and back.
fn keyholes(n: usize) -> Vec<DVec2> {
    let n_holes = n / 6;
    let hole = |ix: usize| {
        let x = ix as f64;
        [[x, 0.2], [x, 0.8], [x + 0.5, 0.8], [x + 0.5, 0.2]].map(DVec2::from)
    };
    let mut flat = vec![DVec2::new(-1.0, -1.0), DVec2::new(n_holes as f64, -1.0)];
    flat.extend([DVec2::new(n_holes as f64, 2.0), DVec2::new(-1.0, 2.0)]);
    // Along the foot of each hole from left to right, and back along the same points.
    (0..n_holes).for_each(|ix| flat.extend(hole(ix)));
    for ix in (0..n_holes).rev() {
        flat.extend((ix + 1 < n_holes).then(|| hole(ix)[3]));
        flat.push(hole(ix)[0]);
    }
    flat.push(DVec2::new(-1.0, 2.0));
    flat
}

/// Corners of a polygon, about as many as are asked for.
type Make = fn(usize) -> Vec<DVec2>;

const SIMPLE: [(&str, Make); 6] = [
    ("star", star),
    ("spiral", spiral),
    ("comb", comb),
    ("chevrons", chevrons),
    ("zig-zag", zig_zag),
    ("rough", rough),
];

#[test]
fn simple_polygons_are_covered_once_and_as_the_definition_says() {
    for (name, make) in SIMPLE {
        for n in [12, 60, 120] {
            let flat = make(n);
            let triangles = split(&flat);
            assert_keeps_sides(flat.len(), &triangles);
            assert_upright(&flat, &triangles);
            assert_eq!(triangles, by_definition(&flat), "{name} of {n}");
        }
    }
}

/// A hole joined to the rim by a side there and back.
#[test]
fn holes_on_bridges_stay_holes() {
    for n in [12, 60] {
        let flat = keyholes(n);
        let triangles = split(&flat);
        assert_keeps_sides(flat.len(), &triangles);
        assert_upright(&flat, &triangles);
        let twice: f64 = triangles.iter().map(|t| turn(t.map(|ix| flat[ix as usize]))).sum();
        let n_holes = (n / 6) as f64;
        assert!((0.5 * twice - (3.0 * (n_holes + 1.0) - 0.3 * n_holes)).abs() < 1e-9, "{twice}");
    }
}

/// Looking at all corners for every ear takes minutes to hours for each of these; these take seconds for all.
#[test]
fn many_corners_take_time_in_proportion() {
    const N: usize = 100_000;
    let start = std::time::Instant::now();
    let mut random = Random(5);
    let mut any = || DVec2::new(random.below(1000) as f64, random.below(1000) as f64);
    let tangle: Vec<DVec2> = (0..N).map(|_| any()).collect();
    // One point between any two others: a flower.
    let flower: Vec<DVec2> =
        (0..N).map(|ix| if ix % 3 == 0 { DVec2::ZERO } else { polar(1.0, ix as f64 / N as f64) }).collect();
    let mut polygons: Vec<(&str, Vec<DVec2>)> = SIMPLE.iter().map(|&(name, make)| (name, make(N))).collect();
    polygons.extend([("tangle", tangle), ("flower", flower), ("keyholes", keyholes(N))]);
    polygons.push(("one point", vec![DVec2::ONE; N]));
    for (name, flat) in polygons {
        let triangles = split(&flat);
        assert_keeps_sides(flat.len(), &triangles);
        assert!(start.elapsed().as_secs() < 120, "{name}: {:?} until now", start.elapsed());
    }
}
