//! Force over depth of bodies whose facets are caps of spheres, beside the closed forms of the bodies they stand for.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use glam::DVec3;
use tactum_geometry::facets::{Candidates, Detail, Margins, Pressure, Query, RoundedMesh, Rounding, touch};
use tactum_geometry::{Pose, Solid, mesh::generate};

use super::{BenchError, Measurement, Options, make_folder, write};
use crate::plot::{COLOURS, Legend, Line, Mark, Plot, Scale};

/// E* \[Pa\].
const MODULUS: f64 = 5e7;

/// Depths of a curve, up to two hundredths of a radius.
const DEPTHS: u32 = 60;
const RADIUS: f64 = 0.05;
const DEEPEST: f64 = 0.02 * RADIUS;

/// Semi-axes of the ellipsoids \[m\], which meet at the ends of their third ones with curvatures of 18 and 22.2 1/m each.
const AXES: DVec3 = DVec3::new(0.05, 0.045, 0.045);

/// Force over E* and the power 3/2 of the depth of these ellipsoids \[m^0.5\]: `2/3 pi a b / (b K(e))` of a contact a by b with the
/// eccentricity e for which (a/b)² E(e) - K(e) over K(e) - E(e) is 22.2/18 (Johnson 1985, equations 4.28 to 4.32).
const ELLIPTIC: f64 = 0.211_013_5;

/// Work of adhesion of the balls that stick \[J/m²\]: so much that it is seen.
const WORK: f64 = 500.0;

/// A pair of bodies pole to pole along z.
struct Pair {
    name: String,
    mesh: RoundedMesh,
    /// Half of their distance when they touch \[m\].
    pole: f64,
    pressure: Pressure,
    /// Force over depth, both as parameters of the contact's radius or depth: pairs from the first touch on.
    exact: Vec<[f64; 2]>,
}

pub fn run(options: &Options) -> Result<Vec<Measurement>, BenchError> {
    let hertz = Pressure::Hertz { modulus: MODULUS };
    let balls = |pressure, name: &str, exact| -> Result<Pair, BenchError> {
        let solid = Arc::new(Solid::new(generate::sphere(RADIUS, 320)?)?);
        let mesh = RoundedMesh::new(solid, &Rounding::Uniform(RADIUS.recip()))?;
        Ok(Pair { name: name.to_owned(), mesh, pole: RADIUS, pressure, exact })
    };
    let ellipsoids = |triangles: usize| -> Result<Pair, BenchError> {
        let solid = Arc::new(Solid::new(generate::ellipsoid(AXES, triangles)?)?);
        let mesh = RoundedMesh::new(solid, &Rounding::Estimated)?;
        let name = format!("ellipsoids of {} facets, Hertz", mesh.n_facets());
        Ok(Pair { name, mesh, pole: AXES.z, pressure: hertz, exact: power_law(ELLIPTIC) })
    };
    let pairs = [
        balls(hertz, "balls of 320 facets, Hertz", power_law(4.0 / 3.0 * (0.5 * RADIUS).sqrt()))?,
        balls(Pressure::Jkr { modulus: MODULUS, work: WORK }, "balls of 320 facets, JKR", jkr())?,
        ellipsoids(1280)?,
        ellipsoids(5120)?,
    ];
    let mut table = String::from("pair,depth [m],force [N],closed form [N]\n");
    let (mut measured, mut lines) = (Vec::new(), Vec::new());
    for (pair, colour) in pairs.iter().zip(COLOURS) {
        let start = Instant::now();
        let found =
            pair.exact.iter().map(|[depth, _]| pair.force(*depth)).collect::<Result<Vec<f64>, _>>()?;
        let largest = pair.exact.iter().map(|[_, force]| force.abs()).fold(0.0, f64::max);
        let mut worst = 0.0_f64;
        for ([depth, exact], force) in pair.exact.iter().zip(&found) {
            writeln!(table, "{},{depth},{force},{exact}", pair.name).expect("a text takes all");
            // A force that passes through zero is no scale.
            let scale = if pair.exact[0][1] < 0.0 { largest } else { *exact };
            worst = worst.max((force - exact).abs() / scale);
        }
        measured.push(Measurement {
            bench: "curves",
            case: pair.name.clone(),
            method: "facets",
            median_ms: 1e3 * start.elapsed().as_secs_f64() / found.len() as f64,
            runs: found.len(),
            remark: format!("force off by {worst:.1e} of the closed form at most"),
        });
        let points = pair.exact.iter().zip(&found).map(|([depth, _], force)| [1e3 * depth, *force]).collect();
        lines.push(Line { name: pair.name.clone(), colour, mark: Mark::Dots, points, aside: 0.0 });
        let points = pair.exact.iter().map(|[depth, force]| [1e3 * depth, *force]).collect();
        lines.push(Line { name: "closed form".to_owned(), colour, mark: Mark::Joined, points, aside: 0.0 });
    }
    if let Some(out) = &options.out {
        make_folder(out)?;
        let labels = ["depth [mm]", "force [N]"].map(str::to_owned);
        let title = "Force over depth".to_owned();
        let plot = Plot { title, labels, scales: [Scale::Linear; 2], legend: Legend::Left, lines };
        write(&out.join("curves.csv"), &table)?;
        write(&out.join("curves.svg"), &plot.svg())?;
    }
    Ok(measured)
}

impl Pair {
    /// Force of the second body's facets on the first one's at a depth, negative where they draw \[N\].
    fn force(&self, depth: f64) -> Result<f64, BenchError> {
        let at = Pose::from_translation(DVec3::Z * (2.0 * self.pole - depth));
        let gap = self.pressure.range(2.0 * self.mesh.least_curvature());
        let margins = Margins { depth: 2.0 * DEEPEST, gap, skin: 0.0 };
        let candidates = Candidates::find(&self.mesh, &Pose::IDENTITY, &self.mesh, &at, margins);
        let (pressure, about) = (self.pressure, DVec3::ZERO);
        let query = Query { pressure, in_touch: true, about, detail: Detail::Sums };
        Ok(touch(&self.mesh, &Pose::IDENTITY, &self.mesh, &at, &candidates, &query)?.force.z)
    }
}

/// Depths from a hundredth of the deepest on, and the forces that grow with their power 3/2, over E*.
fn power_law(factor: f64) -> Vec<[f64; 2]> {
    let depths = (1..=DEPTHS).map(|ix| DEEPEST * f64::from(ix) / f64::from(DEPTHS));
    depths.map(|depth| [depth, factor * MODULUS * depth.powf(1.5)]).collect()
}

/// Depths and forces of two balls that stick, from where they let go: Johnson, Kendall and Roberts (1971), over the radius of the contact.
fn jkr() -> Vec<[f64; 2]> {
    use std::f64::consts::PI;
    let round = 0.5 * RADIUS;
    let at = |a: f64| {
        let depth = a * a / round - (2.0 * PI * WORK * a / MODULUS).sqrt();
        [depth, 4.0 / 3.0 * MODULUS * a.powi(3) / round - (8.0 * PI * WORK * MODULUS * a.powi(3)).sqrt()]
    };
    // The depth is least where its derivative vanishes: held there at the latest.
    let least = (0.125 * PI * WORK * round * round / MODULUS).cbrt();
    let widest = (0..200).fold([least, 10.0 * (DEEPEST * round).sqrt()], |[low, high], _| {
        let middle = 0.5 * (low + high);
        if at(middle)[0] < DEEPEST { [middle, high] } else { [low, middle] }
    });
    (1..=DEPTHS).map(|ix| at(least + (widest[0] - least) * f64::from(ix) / f64::from(DEPTHS))).collect()
}
