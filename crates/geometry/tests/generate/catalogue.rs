//! Every generator once, with what is known of its shape.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};
use tactum_geometry::mesh::generate::*;
use tactum_geometry::{Aabb, TriangleMesh};

type Make = Box<dyn Fn(usize) -> Result<TriangleMesh, GenerateError>>;

/// A shape and what is known of it.
pub struct Case {
    pub name: &'static str,
    make: Make,
    /// The stated smallest number of triangles, for these parameters.
    pub min: usize,
    /// Whether that number is exact; it depends on the seed for a critter.
    pub min_is_exact: bool,
    /// Euler characteristic: 2 for a ball, 0 for a handle.
    pub euler: i64,
    /// Volume by a closed form \[m³\].
    pub volume: Option<f64>,
    /// Whether the mesh has the exact volume, as with plane faces.
    pub exact: bool,
    /// How the number of triangles grows with the inverse edge length: by its square, or linearly for a coin.
    pub edge_dimension: f64,
    /// The stated bounding box.
    pub bounds: Aabb,
    /// What facets of 20,000 triangles may take off it, relative to its diagonal.
    pub bounds_tolerance: f64,
    /// Whether the centre of mass is stated to be the origin and the construction is symmetric to the last bit.
    pub centred: bool,
    /// Allowed relative distance from the wanted number n, times √n.
    pub count_step: f64,
}

impl Case {
    pub fn make(&self, wanted: usize) -> TriangleMesh {
        (self.make)(wanted).expect(self.name)
    }

    fn new(name: &'static str, min: usize, half: DVec3, make: Make) -> Self {
        let bounds = Aabb { min: -half, max: half };
        Self {
            name,
            make,
            min,
            min_is_exact: true,
            euler: 2,
            volume: None,
            exact: false,
            edge_dimension: 2.0,
            bounds,
            bounds_tolerance: 1e-12,
            centred: true,
            count_step: 6.0,
        }
    }

    fn volume(self, volume: f64) -> Self {
        Self { volume: Some(volume), ..self }
    }

    fn exactly(self, volume: f64) -> Self {
        Self { volume: Some(volume), exact: true, ..self }
    }

    fn with_handle(self) -> Self {
        Self { euler: 0, ..self }
    }

    fn bounds(self, min: DVec3, max: DVec3) -> Self {
        Self { bounds: Aabb { min, max }, centred: false, ..self }
    }
}

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

/// All generators at their usual proportions, some at unusual ones.
pub fn cases() -> Vec<Case> {
    let mut all = blocks();
    all.extend(round());
    all.extend(machined());
    all.extend(critters());
    all
}

fn blocks() -> Vec<Case> {
    let l = LShape { length: 0.3, width: 0.1, height: 0.2, thickness: 0.1 };
    let (foot, upright) = (0.3 * 0.1, 0.1 * 0.1);
    let (x, z) = ((foot * 0.15 + upright * 0.05) / 0.04, (foot * 0.05 + upright * 0.15) / 0.04);
    let stone = TaperedBlock { bottom: DVec2::new(0.2, 0.4), top: DVec2::new(0.3, 0.1), height: 0.2 };
    let t = Table {
        length: 1.0,
        width: 0.6,
        height: 0.75,
        top_thickness: 0.05,
        leg_thickness: 0.05,
        leg_inset: DVec2::new(0.225, 0.025),
    };
    let flush = Table { leg_inset: DVec2::ZERO, ..t };
    let legs = 4.0 * 0.05 * 0.05 * 0.7;
    let bumpy = BumpyCube { side: 0.2, bumps: 6, bump_height: 0.004 };
    let octagon = Prism { sides: 8, radius: 0.1, height: 0.05 };
    let triangle = Prism { sides: 3, radius: 1.0, height: 5.0 };
    let prism_volume = |p: Prism| {
        let n = f64::from(p.sides);
        0.5 * n * (2.0 * PI / n).sin() * p.radius * p.radius * p.height
    };
    let table_box = |case: Case| case.bounds(v(-0.5, -0.3, 0.0), v(0.5, 0.3, 0.75));
    vec![
        Case::new("cuboid", 12, v(0.5, 1.0, 0.05), Box::new(|n| cuboid(v(1.0, 2.0, 0.1), n))).exactly(0.2),
        // A prismatoid: h / 6 (lower face + upper face + 4 times the one halfway).
        Case::new("tapered_block", 12, v(0.15, 0.2, 0.1), Box::new(move |n| tapered_block(&stone, n)))
            .exactly(0.2 / 6.0 * (0.2 * 0.4 + 0.3 * 0.1 + 4.0 * 0.25 * 0.25))
            .bounds(v(-0.15, -0.2, -0.1), v(0.15, 0.2, 0.1)),
        Case::new("l_shape", 28, DVec3::ONE, Box::new(move |n| l_shape(&l, n)))
            .exactly(0.1 * (foot + upright))
            .bounds(v(-x, -0.05, -z), v(0.3 - x, 0.05, 0.2 - z)),
        table_box(Case::new("table", 172, DVec3::ONE, Box::new(move |n| table(&t, n))).exactly(0.03 + legs)),
        table_box(
            Case::new("flush table", 92, DVec3::ONE, Box::new(move |n| table(&flush, n)))
                .exactly(0.03 + legs),
        ),
        Case {
            // The top of a bump lies between grid lines.
            bounds_tolerance: 1e-3,
            ..Case::new(
                "bumpy_cube",
                12 * 24 * 24,
                DVec3::splat(0.104),
                Box::new(move |n| bumpy_cube(&bumpy, n)),
            )
            // The mean of sin² sin² over a face is a quarter, and equal steps integrate whole waves exactly.
            .exactly(0.008 + 6.0 * 0.04 * 0.001)
        },
        Case::new("prism", 32, v(0.1, 0.1, 0.025), Box::new(move |n| prism(&octagon, n)))
            .exactly(prism_volume(octagon)),
        Case::new("triangular prism", 12, DVec3::ONE, Box::new(move |n| prism(&triangle, n)))
            .exactly(prism_volume(triangle))
            .bounds(v(-0.5, -0.75_f64.sqrt(), -2.5), v(1.0, 0.75_f64.sqrt(), 2.5)),
    ]
}

fn round() -> Vec<Case> {
    let washer = Ring { inner_radius: 0.0105, outer_radius: 0.02, height: 0.01 };
    let pipe = Ring { inner_radius: 0.09, outer_radius: 0.1, height: 1.0 };
    let foil = Ring { inner_radius: 0.0999, outer_radius: 0.1, height: 0.1 };
    let annulus = |r: Ring| PI * (r.outer_radius.powi(2) - r.inner_radius.powi(2)) * r.height;
    let ring_of = |name, r: Ring, min| {
        Case::new(
            name,
            min,
            v(r.outer_radius, r.outer_radius, 0.5 * r.height),
            Box::new(move |n| ring(&r, n)),
        )
        .volume(annulus(r))
        .with_handle()
    };
    let icosahedral = |case: Case| Case { bounds_tolerance: 1e-3, ..case };
    let ball = |r: f64| 4.0 / 3.0 * PI * r * r * r;
    vec![
        icosahedral(
            Case::new("sphere", 20, DVec3::splat(0.1), Box::new(|n| sphere(0.1, n))).volume(ball(0.1)),
        ),
        icosahedral(
            Case::new("ellipsoid", 20, v(0.3, 0.2, 0.1), Box::new(|n| ellipsoid(v(0.3, 0.2, 0.1), n)))
                .volume(ball(1.0) * 0.006),
        ),
        Case {
            // The spikes do not point along the axes.
            bounds_tolerance: 0.03,
            ..Case::new("star", 320, DVec3::splat(0.05), Box::new(|n| star(0.05, 0.025, n)))
        },
        Case::new("uv_sphere", 48, DVec3::splat(0.1), Box::new(|n| uv_sphere(0.1, n))).volume(ball(0.1)),
        Case::new("cylinder", 32, v(0.1, 0.1, 0.2), Box::new(|n| cylinder(0.1, 0.4, n)))
            .volume(PI * 0.01 * 0.4),
        Case {
            edge_dimension: 1.0,
            ..Case::new("coin", 32, v(0.1, 0.1, 0.01), Box::new(|n| coin(0.1, 0.02, n)))
                .volume(PI * 0.01 * 0.02)
        },
        Case::new("cone", 16, DVec3::ONE, Box::new(|n| cone(0.1, 0.4, n)))
            .volume(PI * 0.01 * 0.4 / 3.0)
            .bounds(v(-0.1, -0.1, -0.1), v(0.1, 0.1, 0.3)),
        Case::new("capsule", 48, v(0.2, 0.2, 0.5), Box::new(|n| capsule(0.2, 0.3, n)))
            .volume(ball(0.2) + PI * 0.04 * 0.6),
        Case::new("torus", 128, v(0.13, 0.13, 0.03), Box::new(|n| torus(0.1, 0.03, n)))
            .volume(2.0 * PI * PI * 0.1 * 0.0009)
            .with_handle(),
        ring_of("ring", washer, 64),
        ring_of("tube", pipe, 96),
        // A hundred around at least: too coarse for the order of convergence, and whole rings of two hundred triangles.
        Case { count_step: 8.0, volume: None, ..ring_of("foil ring", foil, 800) },
        Case::new("bowl", 176, DVec3::ONE, Box::new(|n| bowl(0.45, 0.5, n)))
            .volume(0.5 * (ball(0.5) - ball(0.45)))
            .bounds(v(-0.5, -0.5, -0.5), v(0.5, 0.5, 0.0)),
    ]
}

/// The thread of the nut and bolt cases.
pub const THREAD: Thread = Thread { radius: 0.02, pitch: 0.02, amplitude: 0.003, starts: 1 };

fn machined() -> Vec<Case> {
    let wheel = Gear {
        teeth: 20,
        module: 0.01,
        pressure_angle_deg: 20.0,
        backlash: 1e-4,
        height: 0.03,
        bore_radius: 0.03,
    };
    let solid = Gear { teeth: 36, module: 0.005, bore_radius: 0.0, ..wheel };
    let pinion = Gear { teeth: 8, bore_radius: 0.025, ..wheel };
    let gear_of = |name, g: Gear, min| {
        let tip = g.tip_radius();
        Case {
            // Chords of the tip circle, and numbers that change for all teeth at once.
            bounds_tolerance: 1e-4,
            count_step: 15.0,
            ..Case::new(name, min, v(tip, tip, 0.5 * g.height), Box::new(move |n| gear(&g, n)))
        }
    };
    let rod = Bolt {
        thread: THREAD,
        thread_length: 0.16,
        fade: 0.0,
        shank_length: 0.0,
        head_height: 0.0,
        head_width: 0.0,
    };
    let screw = Bolt {
        thread_length: 0.08,
        fade: 0.01,
        shank_length: 0.04,
        head_height: 0.02,
        head_width: 0.07,
        ..rod
    };
    let set_screw = Bolt { shank_length: 0.0, thread: Thread { starts: 3, ..THREAD }, ..screw };
    let corner = 0.035 / (PI / 6.0).cos();
    let plain_nut = Nut { thread: THREAD, clearance: 0.0005, height: 0.04, width: 0.07, fade: 0.0 };
    let eased_nut = Nut { fade: 0.005, thread: Thread { starts: 2, ..THREAD }, ..plain_nut };
    let nut_of = |name, n: Nut, min| {
        Case::new(name, min, v(corner, 0.035, 0.02), Box::new(move |wanted| nut(&n, wanted))).with_handle()
    };
    let trefoil = TorusKnot { p: 2, q: 3, major_radius: 0.1, minor_radius: 0.04, tube_radius: 0.02 };
    let cup = Mug { radius: 0.04, height: 0.095, wall: 0.004, handle_reach: 0.03, handle_thickness: 0.01 };
    let free = |case: Case| Case { centred: false, ..case };
    // A crest is at its widest at one angle only.
    let worn = |case: Case| Case { bounds_tolerance: 1e-3, ..free(case) };
    vec![
        gear_of("gear", wheel, 880).with_handle(),
        gear_of("solid gear", solid, 1440),
        free(gear_of("pinion", pinion, 768).with_handle()),
        worn(Case::new("threaded rod", 4656, v(0.023, 0.023, 0.08), Box::new(move |n| bolt(&rod, n)))),
        Case::new("bolt", 2496, DVec3::ONE, Box::new(move |n| bolt(&screw, n)))
            .bounds(v(-corner, -0.035, -0.1), v(corner, 0.035, 0.04)),
        Case::new("set screw", 3672, DVec3::ONE, Box::new(move |n| bolt(&set_screw, n)))
            .bounds(v(-corner, -0.035, -0.06), v(corner, 0.035, 0.04)),
        free(nut_of("nut", plain_nut, 1296)),
        free(nut_of("eased nut", eased_nut, 1584)),
        Case {
            bounds_tolerance: 1e-2,
            ..Case::new("torus_knot", 2 * 48 * 8, DVec3::ONE, Box::new(move |n| torus_knot(&trefoil, n)))
                .with_handle()
                .bounds(v(-0.1331, -0.1528, -0.06), v(0.16, 0.1528, 0.06))
        },
        Case {
            // No vertex lies exactly at ±y, nor at the handle's tip.
            bounds_tolerance: 1e-3,
            ..Case::new("mug", 620, DVec3::ONE, Box::new(move |n| mug(&cup, n)))
                .with_handle()
                .bounds(v(-0.04, -0.04, 0.0), v(0.075, 0.04, 0.095))
        },
    ]
}

fn critters() -> Vec<Case> {
    (0..3)
        .map(|seed| Case {
            centred: false,
            min_is_exact: false,
            // Seeds differ by tens of per cent: the head reaches +x, the tail -x, the feet -z.
            bounds_tolerance: 0.3,
            ..Case::new("critter", 800, v(1.5, 0.6, 0.9), Box::new(move |n| critter(1.0, seed, n)))
        })
        .collect()
}
