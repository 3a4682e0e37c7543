//! Blocks that random draws have found, each with what once went wrong with it.

use glam::DVec2;
use tactum_sim::ContactLimits;
use tactum_sim::ContactPatch;
use tactum_sim::solver::frame::{center_of_pressure, normal_velocity_gradient, spin_torque};
use tactum_sim::solver::local::{Block, solve_cone};
use tactum_sim::solver::{Mat6, Vec6};
use tactum_sim::{SpinCoupling, SpinRule};

use crate::random::project;

/// Matrix and twist of a block on six corners, two of which quarrel.
#[rustfmt::skip]
const QUARREL: ([[f64; 6]; 6], [f64; 6]) = (
    [
        [3588223.0782143394, 786150.956113263, 2733749.6300021796, -59535298.86003228, -92473113.12836234, -563418474.6711289],
        [786150.956113263, 19136072.863575403, 1275376.759187215, 546120949.2657266, 850070573.7968683, 418271912.9768685],
        [2733749.6300021796, 1275376.759187215, 18114174.552091777, 182306229.37764025, 164592082.2890039, -790535274.9368359],
        [-59535298.86003228, 546120949.2657266, 182306229.37764025, 73301318977.57637, 39828797309.638565, 34764760306.085976],
        [-92473113.12836234, 850070573.7968683, 164592082.2890039, 39828797309.638565, 111160794000.10632, 54424501670.00981],
        [-563418474.6711289, 418271912.9768685, -790535274.9368359, 34764760306.085976, 54424501670.00981, 156119666037.5687],
    ],
    [-0.001271678608869082, 0.02129615670325239, -0.03181617358368036, -0.07832905500596277, -0.06784777521567353, -0.03923334420419411],
);

/// The corners of its patch \[m\].
#[rustfmt::skip]
const QUARREL_CORNERS: [[f64; 2]; 6] = [
    [-0.0075557893349148236, -0.009127562972960997],
    [0.0019880457848128617, -0.005447970982157133],
    [0.005939381855413378, -0.000685370211678626],
    [0.008082120339917894, 0.004380687869374685],
    [0.00528186830721333, 0.007754941343943183],
    [-0.0055678057989445254, 0.006828886640212763],
];

/// Friction at either of two corners drives the other one in, by more than they resist together: with that friction no
/// impulse leaves nothing approaching, as Painlevé's rod has none. One of the two was once taken for the answer, and the
/// other went on, faster than before.
#[test]
fn corners_that_drive_each_other_in_are_no_answer() {
    let (block, e) = (Block::new(Mat6(QUARREL.0)), Vec6(QUARREL.1));
    let patch = ContactPatch::polygon(&QUARREL_CORNERS.map(DVec2::from_array));
    let lowest = |y: &Vec6| y[0] + normal_velocity_gradient(y).dot(patch.lowest(normal_velocity_gradient(y)));
    for friction in [0.3, 0.8, 2.0] {
        for rule in [SpinRule::Hertz, SpinRule::Uniform, SpinRule::Corners] {
            let limits = ContactLimits::new(patch.clone(), friction, rule, SpinCoupling::Surface);
            let solution = solve_cone(&block, &e, &limits, &Vec6::ZERO, 0.0);
            let l = solution.impulse;
            let y = e + block.matrix() * l;
            assert!(lowest(&y) >= 1e-9 * lowest(&e), "{friction} {rule:?} {} {solution:?}", lowest(&y));
            let energy = 0.5 * l.dot(&(block.matrix() * l)) + l.dot(&e);
            assert!(l[0] > 0.0 && energy < 0.0, "{energy} {solution:?}");
        }
    }
}

/// Matrix and twist of a block whose friction drove the slip that it left.
#[rustfmt::skip]
const DRIVEN: ([[f64; 6]; 6], [f64; 6]) = (
    [
        [153.55544817966316, 11.231241767228909, -10.521822378346723, -232.4041953530244, 306.1628875205614, 260.90125108072317],
        [11.231241767228909, 338.76210224418463, -2.701234118670481, -589.9233898400755, 202.41073350894217, 70.52640507742507],
        [-10.521822378346723, -2.701234118670481, 267.140528277285, -233.46724527084797, 152.62903982189619, 29.993461844082205],
        [-232.4041953530244, -589.9233898400755, -233.46724527084797, 3853.4253607111286, -1055.2650650399323, -938.9873940065521],
        [306.1628875205614, 202.41073350894217, 152.62903982189619, -1055.2650650399323, 2268.3403169795183, 398.78934109780107],
        [260.90125108072317, 70.52640507742507, 29.993461844082205, -938.9873940065521, 398.78934109780107, 2070.1497050878247],
    ],
    [-0.4092815950890689, -0.16247951553014028, -0.18915881464711098, -1.1949545827161396, -1.4210318866323897, -0.9219226685060986],
);

/// Matrix and twist of a block whose limit of spin moved with its centre of pressure.
#[rustfmt::skip]
const MOVING: ([[f64; 6]; 6], [f64; 6]) = (
    [
        [115354876.6746127, -23027153.177435227, -27812643.839457367, 27177583374.431477, 9856121069.593246, 21387837315.209656],
        [-23027153.177435227, 115451133.37799884, 47952726.255326904, -42937940789.18902, -5216519935.790394, -17046242266.93007],
        [-27812643.839457367, 47952726.255326904, 164987721.67697328, -70611598243.11127, -4829268926.210584, -21961063438.64109],
        [27177583374.431477, -42937940789.18902, -70611598243.11127, 63707626790150.59, 7613128042354.216, 19876809053613.5],
        [9856121069.593246, -5216519935.790394, -4829268926.210584, 7613128042354.216, 12106976408109.059, 2625918560736.9546],
        [21387837315.209656, -17046242266.93007, -21961063438.64109, 19876809053613.5, 2625918560736.9546, 17382971036363.66],
    ],
    [-0.0026127556937093586, 0.0011769615128194148, 0.006479166276039463, 1.2325722583574663, -0.2438838099801623, -0.7141568028033186],
);

/// The corners of its patch \[m\].
#[rustfmt::skip]
const MOVING_CORNERS: [[f64; 2]; 3] = [
    [-0.0005223185083881578, -0.0006810780781523147],
    [0.0009945583655734187, 0.00047068615738794914],
    [-0.00026775685713735216, 0.00019832379545804037],
];

/// The one once gained energy, 0.09 of the square of its impulse in the block's metric; the other was left 0.26 beyond its
/// limit of spin.
#[test]
fn friction_neither_adds_energy_nor_passes_the_limit_of_spin() {
    let sliver = ContactPatch::ellipse(0.1613182738345309, 0.00807007220644563);
    let triangle = ContactPatch::polygon(&MOVING_CORNERS.map(DVec2::from_array));
    let friction = 0.8;
    for ((s, e), patch, rule) in [(DRIVEN, sliver, SpinRule::Corners), (MOVING, triangle, SpinRule::Hertz)] {
        let (block, e) = (Block::new(Mat6(s)), Vec6(e));
        let l = project(&block, &e, &patch, friction, rule);
        let square = l.dot(&(block.matrix() * l));
        assert!(0.5 * square + l.dot(&e) <= 0.0, "{l:?}");
        let x = center_of_pressure(&l);
        assert!(l[0] > 0.0 && patch.contains(x), "{l:?}");
        assert!(l[1].hypot(l[2]) <= friction * l[0] * (1.0 + 1e-12), "{l:?}");
        let limit = friction * patch.spin_radius(rule, x) * l[0];
        assert!(spin_torque(&l, x).abs() <= limit * (1.0 + 1e-9), "{l:?}");
    }
}
