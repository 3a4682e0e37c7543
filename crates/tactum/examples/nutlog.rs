//! temporary instrument
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;
use tactum::backend::Detector;
use tactum::run::{Run, RunOptions};
use tactum::scene::Scene;
use tactum::session::Session;
use tactum_geometry::Pose;
use tactum_geometry::overlap::overlap;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mode = args[1].as_str();
    let scene = Scene::load(std::path::Path::new(&args[2])).unwrap_or_else(|e| panic!("{e}"));
    let arg = |k: usize, d: f64| args.get(k).map_or(d, |s| s.parse().unwrap());
    let run = Run::prepare(scene, &RunOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let mut world = run.into_world();
    if mode == "run" {
        let settings = tactum_sim::Settings { dt: arg(3, 0.0025), ..world.settings().clone() };
        world.set_settings(settings).expect("settings");
    }
    if mode == "gap" {
        let (a, b) = (&world.bodies()[0], &world.bodies()[1]);
        let pitch = arg(3, 0.02);
        let sink = arg(4, 7e-4);
        let step = arg(5, 0.1).to_radians();
        let n = arg(6, 20.0) as usize;
        let (pa, pb) = (a.w_from_shape(), b.w_from_shape());
        for i in 0..n {
            let t = step * i as f64;
            // Bisect for the height at which volume is the target.
            let at = |sink: f64| {
                let turn = DQuat::from_rotation_z(-t);
                let pose = Pose::new(
                    turn * pb.translation + DVec3::NEG_Z * (sink + pitch * t / TAU),
                    turn * pb.rotation,
                );
                overlap(&a.shape, &pa, &b.shape, &pose)
            };
            let depth = |o: &tactum_geometry::Overlap| {
                let (v, g): (f64, f64) = o
                    .regions()
                    .iter()
                    .map(|r| (r.volume, r.gradient.length()))
                    .fold((0.0, 0.0), |x, y| (x.0 + y.0, x.1 + y.1));
                if g > 0.0 { v / g } else { 0.0 }
            };
            let (mut lo, mut hi) = (sink - 4e-4, sink + 2e-4);
            for _ in 0..24 {
                let mid = 0.5 * (lo + hi);
                if depth(&at(mid)) > 3.2e-6 { hi = mid } else { lo = mid }
            }
            let o = at(hi);
            let (v, w) = (DVec3::NEG_Z * (pitch / TAU), DVec3::NEG_Z);
            let rate = |r: &tactum_geometry::Overlap| {
                (r.gradient.dot(v) + (r.angular_gradient).dot(w)) / r.gradient.length()
            };
            print!(
                "{:.3} sink {:.3}um n={} rate/r {:+.4} :",
                t.to_degrees(),
                (hi - sink) * 1e6,
                o.regions().len(),
                rate(&o) / 0.02
            );
            for r in o.regions() {
                let c = r.centroid;
                print!(
                    " [{:.0}d z{:.1} A{:.1}mm2 d{:.2} shell{} rate{:+.4}]",
                    c.y.atan2(c.x).to_degrees(),
                    c.z * 1e3,
                    r.gradient.length() * 1e6,
                    r.volume / r.gradient.length() * 1e6,
                    u8::from(r.flatness().is_shell()),
                    rate(r) / 0.02
                );
            }
            println!();
        }
        return;
    }
    let every = arg(4, 0.05);
    let t_end = arg(5, 1.0);
    let ix = arg(6, 1.0) as usize;
    let mut session = Session::new(world, Detector::exact());
    let energy = |s: &Session| s.world().kinetic_energy() + s.world().potential_energy();
    let e0 = energy(&session);
    let z0 = session.world().bodies()[ix].position.z;
    let mut next = 0.0;
    let (mut n, mut regions, mut ms) = (0, 0usize, 0.0);
    while session.world().time() < t_end - 1e-12 {
        let start = std::time::Instant::now();
        let report = session.step().expect("a step");
        ms += start.elapsed().as_secs_f64() * 1e3;
        n += 1;
        regions += report.contacts.len();
        let w = session.world();
        if w.time() >= next - 1e-9 {
            let b = &w.bodies()[ix];
            let e = energy(&session);
            println!(
                "t {:.4} drop {:.3} mm v {:.4} w {:.3} E {:+.5} K {:.5} xy {:.1} um contacts {:.1} ms {:.2} sweeps {} unconv {}",
                w.time(),
                (z0 - b.position.z) * 1e3,
                b.linear_velocity.z,
                b.angular_velocity.z,
                e - e0,
                w.kinetic_energy(),
                b.position.truncate().length() * 1e6,
                regions as f64 / n as f64,
                ms / n as f64,
                report.sweeps,
                report.unconverged_islands
            );
            next += every;
        }
    }
}
