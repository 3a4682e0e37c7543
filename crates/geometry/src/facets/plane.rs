//! Where the spheres of two caps meet.

use glam::{DMat2, DVec2, DVec3};

use super::cap::{Cap, Swelling};

/// The plane in which the spheres of two caps A and B meet, and how deep they overlap on their axis.
///
/// One set of formulas serves curved, flat and hollow caps, as all of them are in curvatures k = 1/R: with the apices x, the
/// normals n and v = x_b - x_a,
///
/// ```text
/// m     = k_b n_a - k_a n_b + k_a k_b v            ( = k_a k_b (c_b - c_a), and -k_a n_b where B is flat )
/// N     = m / |m|
/// delta = (|n_a + n_b|² - k_a k_b v² - 2 v.(k_b n_a - k_a n_b)) / (k_a + k_b + |m|)     ( = R_a + R_b - d )
/// D     = k_a + k_b - k_a k_b delta = |m|
/// a_g²  = delta (k_a + k_b + D) (2 - k_a delta) (2 - k_b delta) / (4 D²)
/// ```
///
/// The supplement of Smeets et al. (2014) prints the overlap with the other sign; positive when they overlap is right for
/// the equations that follow there. Its difference of radii and distance loses all digits as a radius grows; the quotient loses
/// none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPlane {
    /// Unit normal of the plane, from A to B.
    pub normal: DVec3,
    /// Where the axis of the two spheres crosses the plane \[m\].
    pub center: DVec3,
    /// Overlap of the two spheres on their axis \[m\]; negative for a gap.
    pub overlap: f64,
    /// Sum of the curvatures, 1/R* \[1/m\]: the mean of both ways where they differ.
    pub curvature: f64,
    /// The way in the plane in which the gap is most curved; its length is how much more than the mean \[1/m\]. Zero for spheres.
    pub bend: DVec3,
    /// Radius of the circle in which the spheres meet, squared \[m²\]; negative for a gap.
    pub rim_squared: f64,
}

/// Sum of two curvatures over the larger of them below which it is their rounding that decides whether one fits into the other.
const TIGHT: f64 = 1e-9;

/// Most that a surface may be curved more one way than on the mean, over the mean: contacts four times as long as wide. What is curved one way only, as
/// a cylinder's side, has no contact of finite length for a depth alone, and is taken as curved a little the other way.
pub(super) const ONE_WAY: f64 = 0.8;

/// Why two caps cannot touch, or have no law of spheres.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Both caps are flat: no sphere touches.
    TwoFlats,
    /// The curvatures' sum is not positive, or by rounding only: a ball in a socket that is not wider than it.
    TightSocket,
    /// A saddle that the other does not fit into: where their spheres meet they are nearest one way and farthest the other.
    Saddle,
    /// A cap looks away from the other by a right angle or more.
    FacingAway,
    /// The centre of the rounder sphere is in the other body, where no side of that is nearer than another: a plate
    /// would push out by its far face what came through its near one.
    Swallowed,
}

impl ContactPlane {
    /// The plane of two caps in one frame.
    ///
    /// A facet faces the other body when its normal makes less than a right angle with the plane's, on its side (Smeets et al.
    /// 2014, eq. 37). N is the outward normal of A's sphere where the axis leaves it, hollow or not, so one test serves all.
    ///
    /// # Errors
    ///
    /// See [`Refusal`].
    pub fn between(a: &Cap, b: &Cap) -> Result<Self, Refusal> {
        let mut meeting = Meeting::of_bends(a, b)?;
        meeting.swell(a, b);
        Ok(meeting.plane)
    }

    /// The plane of the spheres alone, and where their axis leaves either \[m\].
    fn of_spheres(a: &Cap, b: &Cap) -> Result<(Self, [DVec3; 2]), Refusal> {
        let (ka, kb) = (a.curvature, b.curvature);
        let curvature = ka + kb;
        if ka == 0.0 && kb == 0.0 {
            return Err(Refusal::TwoFlats);
        }
        if curvature <= TIGHT * ka.max(kb) {
            return Err(Refusal::TightSocket);
        }
        let v = b.apex - a.apex;
        let crossed = a.axis * kb - b.axis * ka;
        let m = crossed + v * (ka * kb);
        if !(a.axis.dot(m) > 0.0 && b.axis.dot(m) < 0.0) {
            return Err(Refusal::FacingAway);
        }
        let d = m.length();
        let normal = m / d;
        let apart = (a.axis + b.axis).length_squared();
        let overlap = (apart - ka * kb * v.length_squared() - 2.0 * v.dot(crossed)) / (curvature + d);
        if ka.max(kb) * overlap >= 1.0 {
            return Err(Refusal::Swallowed);
        }
        let [left_a, left_b] = [2.0 - ka * overlap, 2.0 - kb * overlap];
        let rim_squared = overlap * (curvature + d) * left_a * left_b / (4.0 * d * d);
        // From the rounder sphere: the other may be a plane, whose pole is nowhere.
        let (poles, center);
        if ka.abs() >= kb.abs() {
            let pole = a.apex + (normal - a.axis) / ka;
            center = pole - normal * (overlap * ka * left_b / (2.0 * d));
            poles = [pole, pole - normal * overlap];
        } else {
            let pole = b.apex - (normal + b.axis) / kb;
            center = pole + normal * (overlap * kb * left_a / (2.0 * d));
            poles = [pole + normal * overlap, pole];
        }
        Ok((Self { normal, center, overlap, curvature, bend: DVec3::ZERO, rim_squared }, poles))
    }

    /// Mean square of how far the pressure is from the axis, one way \[m²\].
    pub(super) fn disc(&self) -> f64 {
        self.overlap.max(0.0) / (5.0 * self.curvature)
    }

    /// D of two spheres \[1/m\].
    pub(super) fn span(&self, [a, b]: [&Cap; 2]) -> f64 {
        self.curvature - a.curvature * b.curvature * self.overlap
    }
}

/// The plane of two caps, and what it comes from.
pub(super) struct Meeting {
    pub plane: ContactPlane,
    /// What leads from their spheres to it, unless they are spheres.
    pub bent: Option<Bent>,
}

/// What the plane of two caps comes from that are no spheres.
pub(super) struct Bent {
    /// The plane of their spheres, and where its axis leaves either \[m\].
    pub spheres: ContactPlane,
    pub poles: [DVec3; 2],
    /// What their bends make of it; `None` where the spheres have to do.
    pub bending: Option<Bending>,
    /// The plane without what the caps swell.
    pub plane: ContactPlane,
    /// What that is, once it is looked for.
    pub swellings: [Option<Swelling>; 2],
}

impl Meeting {
    /// Of two caps in one frame, see [`ContactPlane::between`], without what they swell.
    pub fn of_bends(a: &Cap, b: &Cap) -> Result<Self, Refusal> {
        let (spheres, poles) = ContactPlane::of_spheres(a, b)?;
        if a.ridge == DVec3::ZERO && b.ridge == DVec3::ZERO {
            return Ok(Self { plane: spheres, bent: None });
        }
        let bending = Bending::of(spheres, [a, b], poles)?;
        let plane = bending.as_ref().map_or(spheres, Bending::plane);
        Ok(Self { plane, bent: Some(Bent { spheres, poles, bending, plane, swellings: [None; 2] }) })
    }

    /// Adds what these caps swell at its place.
    pub fn swell(&mut self, a: &Cap, b: &Cap) {
        let Some(bent) = &mut self.bent else { return };
        bent.swellings = [a, b].map(|cap| cap.swelling(&bent.plane));
        let [more_a, more_b] =
            bent.swellings.map(|swelling| swelling.map_or(0.0, |swelling| swelling.height));
        self.plane.overlap += more_a + more_b;
    }
}

/// The plane of two caps that are curved more one way than the other, and what leads to it from that of their spheres.
///
/// The gap is the spheres' and, with the places y from either apex, the two -y^T D y / 2: a quadric again, whose pole is at t from the
/// spheres' axis,
///
/// ```text
/// M t = -(D_a y_a + D_b y_b),    M = (k_a + k_b) 1 + D_a + D_b,
/// ```
///
/// where both surfaces have the slope -(k_a t + D_a (y_a + t)).
pub(super) struct Bending {
    pub spheres: ContactPlane,
    /// Axes of the spheres' plane.
    pub axes: [DVec3; 2],
    pub of: [Saddle; 2],
    /// Of M.
    pub inverse: DMat2,
    /// t.
    pub shift: DVec2,
    /// How much the normal leans.
    pub lean: DVec2,
    /// The way in which both bends are largest together, see [`steepest`].
    pub steep: DVec2,
}

impl Bending {
    /// From the plane of the spheres, whose poles on the axis are given \[m\]. In a hollow that is nearly as curved as the other body one way there is no such pole, and a quadric is
    /// no surface's a radius of its mean curvature from its apex, where the sphere itself has turned by a right angle: the spheres have to do, `None`.
    ///
    /// Nor is there one on a saddle that the other does not fit into, whose spheres are nothing like it: [`Refusal::Saddle`]. What fits but for rounding, as a ball on the rim of a hole all around it,
    /// and of what is curved less than its body nobody knows whether it fits, is taken for its sphere.
    pub fn of(spheres: ContactPlane, caps: [&Cap; 2], poles: [DVec3; 2]) -> Result<Option<Self>, Refusal> {
        let (u, w) = spheres.normal.any_orthonormal_pair();
        let of_a = Saddle::of(caps[0], poles[0], u, w);
        let of_b = Saddle::of(caps[1], poles[1], u, w);
        let (both, pull) = (of_a.tensor + of_b.tensor, of_a.pull + of_b.pull);
        let steep = steepest(both);
        let mean = spheres.curvature + 0.5 * (both.x_axis.x + both.y_axis.y);
        let is_known = caps.iter().any(|cap| cap.is_saddle()) && !caps.iter().any(|cap| cap.is_flattened);
        let without = |fits: bool| if is_known && !fits { Err(Refusal::Saddle) } else { Ok(None) };
        if steep.length() > ONE_WAY * mean {
            // Seen askew, as from a pole that is far away, a bend is less than it is.
            let may_fit = caps[0].may_fit(caps[1]) && caps[1].may_fit(caps[0]);
            return without(may_fit && ONE_WAY * steep.length() <= mean);
        }
        let inverse = (DMat2::from_diagonal(DVec2::splat(spheres.curvature)) + both).inverse();
        let shift = -(inverse * pull);
        let moved = u * shift.x + w * shift.y;
        let is_far = |i: usize| {
            let cap = caps[i];
            cap.ridge != DVec3::ZERO && cap.curvature * (poles[i] + moved).distance(cap.apex) >= 1.0
        };
        if is_far(0) || is_far(1) {
            return without(false);
        }
        let lean = shift * caps[0].curvature + (of_a.pull + of_a.tensor * shift);
        Ok(Some(Self { spheres, axes: [u, w], of: [of_a, of_b], inverse, shift, lean, steep }))
    }

    /// The plane.
    pub fn plane(&self) -> ContactPlane {
        let Self { spheres, of: [of_a, of_b], shift, lean, steep, axes: [u, w], .. } = self;
        let (both, pull) = (of_a.tensor + of_b.tensor, of_a.pull + of_b.pull);
        let normal = (spheres.normal + *u * lean.x + *w * lean.y).normalize();
        let bend = *u * steep.x + *w * steep.y;
        ContactPlane {
            normal,
            center: spheres.center + *u * shift.x + *w * shift.y,
            overlap: spheres.overlap - (of_a.fall + of_b.fall) - 0.5 * pull.dot(*shift),
            curvature: spheres.curvature + 0.5 * (both.x_axis.x + both.y_axis.y),
            bend: bend.reject_from_normalized(normal),
            ..*spheres
        }
    }
}

/// The way in which a symmetric tensor of two dimensions is largest, its length how much more than the mean.
pub(super) fn steepest(tensor: DMat2) -> DVec2 {
    let (even, odd) = (0.5 * (tensor.x_axis.x - tensor.y_axis.y), tensor.x_axis.y);
    let size = (even * even + odd * odd).sqrt();
    // The way of twice the angle, halved.
    let way = if even > 0.0 { DVec2::new(even + size, odd) } else { DVec2::new(odd, size - even) };
    way.normalize_or_zero() * size
}

/// What a cap that is curved more one way than the other adds to its sphere, at a place of it, in a plane.
#[derive(Clone, Copy)]
pub(super) struct Saddle {
    pub tensor: DMat2,
    /// Tensor times the way from the apex: how much steeper it falls there.
    pub slope: DVec3,
    /// The same along the plane.
    pub pull: DVec2,
    /// How far it is below the sphere \[m\].
    pub fall: f64,
}

impl Saddle {
    fn of(cap: &Cap, place: DVec3, u: DVec3, w: DVec3) -> Self {
        let valley = cap.axis.cross(cap.ridge);
        let [ridge_way, valley_way] = [cap.ridge, valley].map(|x| x.dot(place - cap.apex));
        let [r, v] = [cap.ridge, valley].map(|x| DVec2::new(x.dot(u), x.dot(w)));
        let odd = r.x * r.y - v.x * v.y;
        Self {
            slope: cap.ridge * ridge_way - valley * valley_way,
            tensor: DMat2::from_cols(
                DVec2::new(r.x * r.x - v.x * v.x, odd),
                DVec2::new(odd, r.y * r.y - v.y * v.y),
            ),
            pull: r * ridge_way - v * valley_way,
            fall: 0.5 * (ridge_way * ridge_way - valley_way * valley_way),
        }
    }
}
