//! The scenes of the comparison.

/// A scene and how to measure it.
pub struct Case {
    pub name: &'static str,
    /// Over its figure.
    pub title: &'static str,
    /// The scene.
    pub text: &'static str,
    /// Steps before the first that is measured.
    pub settling_steps: usize,
    /// Largest number of sweeps per step.
    pub max_sweeps: u32,
}

/// The scenes of table 1, in its order.
pub const CASES: &[Case] = &[CUBE, SALAD, SPHERE, STACK];

/// Section 6.1.7: a cube with 36 bumps on each side lands on a plane with normal and tangential speed.
const CUBE: Case = Case {
    name: "cube (197k)",
    title: "A bumpy cube of 196,608 triangles on a plane",
    text: r#"
        [contact]
        friction = 0.4
        [[body]]
        name = "floor"
        kind = "static"
        shape = { plane = {} }
        [[body]]
        name = "cube"
        shape = { generate = { bumpy_cube = { side = 0.2, bumps = 6, bump_height = 0.004, triangles = 196608 } } }
        position = [0, 0, 0.106]
        linear_velocity = [1, 0, -0.5]
        "#,
    settling_steps: 0,
    max_sweeps: 10_000,
};

/// Section 6.1.7: animals of many triangles come to rest in a bowl.
const SALAD: Case = Case {
    name: "salad (102k)",
    title: "30 animals at rest in a bowl, without warm start",
    text: r#"
        dt = 0.0025
        # How it comes to rest is not measured: it may be quick.
        [solver]
        tolerance = 1e-5
        local = "paper"
        accelerator = "nncg"
        [[body]]
        name = "bowl"
        kind = "static"
        shape = { generate = { bowl = { inner_radius = 0.7, outer_radius = 0.8, triangles = 2000 } } }
        position = [0, 0, 0.8]
        [[body]]
        name = "newt"
        shape = { generate = { critter = { length = 0.08, seed = 1, triangles = 3333 } } }
        position = [-0.25, 0, 0.6]
        copies = { grid = [1, 5, 2], spacing = [0, 0.25, 0.25], random_orientation = true, jitter = 0.01, seed = 1 }
        [[body]]
        name = "vole"
        shape = { generate = { critter = { length = 0.08, seed = 2, triangles = 3333 } } }
        position = [0, 0, 0.6]
        copies = { grid = [1, 5, 2], spacing = [0, 0.25, 0.25], random_orientation = true, jitter = 0.01, seed = 2 }
        [[body]]
        name = "toad"
        shape = { generate = { critter = { length = 0.08, seed = 3, triangles = 3333 } } }
        position = [0.25, 0, 0.6]
        copies = { grid = [1, 5, 2], spacing = [0, 0.25, 0.25], random_orientation = true, jitter = 0.01, seed = 3 }
        "#,
    settling_steps: 800,
    max_sweeps: 1_000,
};

/// Section 6.1.3: a ball of triangles rolls down a slope of 20 degrees.
const SPHERE: Case = Case {
    name: "sphere (524)",
    title: "A ball of 500 triangles rolls down a slope",
    text: r#"
        # Short enough for the ball to touch in every step: it rolls over facets of 16 mm.
        dt = 0.001
        gravity = [3.3552176, 0, -9.2183846]
        [[body]]
        name = "floor"
        kind = "static"
        shape = { generate = { cuboid = { size = [8, 1, 1], triangles = 24 } } }
        position = [2, 0, -0.5]
        [[body]]
        name = "ball"
        shape = { generate = { sphere = { radius = 0.1, triangles = 500 } } }
        position = [0, 0, 0.1]
        "#,
    settling_steps: 20,
    max_sweeps: 10_000,
};

/// Section 6.1.2: ten cubes, each two thirds as wide as the one below, at rest.
const STACK: Case = Case {
    name: "stack",
    title: "Ten nested cubes at rest, without warm start",
    text: r#"
        [[body]]
        name = "floor"
        kind = "static"
        shape = { plane = {} }
        [[body]]
        name = "cube 0"
        density = 1
        shape = { box = [1, 1, 1] }
        position = [0, 0, 0.5]
        [[body]]
        name = "cube 1"
        density = 1
        shape = { box = [0.67, 0.67, 0.67] }
        position = [0, 0, 1.335]
        [[body]]
        name = "cube 2"
        density = 1
        shape = { box = [0.4489, 0.4489, 0.4489] }
        position = [0, 0, 1.89445]
        [[body]]
        name = "cube 3"
        density = 1
        shape = { box = [0.300763, 0.300763, 0.300763] }
        position = [0, 0, 2.2692815]
        [[body]]
        name = "cube 4"
        density = 1
        shape = { box = [0.20151121, 0.20151121, 0.20151121] }
        position = [0, 0, 2.520418605]
        [[body]]
        name = "cube 5"
        density = 1
        shape = { box = [0.1350125107, 0.1350125107, 0.1350125107] }
        position = [0, 0, 2.68868046535]
        [[body]]
        name = "cube 6"
        density = 1
        shape = { box = [0.09045838217, 0.09045838217, 0.09045838217] }
        position = [0, 0, 2.801415911785]
        [[body]]
        name = "cube 7"
        density = 1
        shape = { box = [0.06060711605, 0.06060711605, 0.06060711605] }
        position = [0, 0, 2.876948660895]
        [[body]]
        name = "cube 8"
        density = 1
        shape = { box = [0.04060676776, 0.04060676776, 0.04060676776] }
        position = [0, 0, 2.9275556028]
        [[body]]
        name = "cube 9"
        density = 1
        shape = { box = [0.0272065344, 0.0272065344, 0.0272065344] }
        position = [0, 0, 2.96146225388]
        "#,
    settling_steps: 100,
    max_sweeps: 10_000,
};

/// Section 6.1.8: an octagonal block slides on a plane.
pub const OCTAGON: Case = Case {
    name: "octagon",
    title: "An octagonal block slides on a plane, without warm start",
    text: r#"
        [contact]
        friction = 0.3
        [[body]]
        name = "floor"
        kind = "static"
        shape = { plane = {} }
        [[body]]
        name = "octagon"
        shape = { generate = { prism = { sides = 8, radius = 0.1, height = 0.05 } } }
        position = [0, 0, 0.024999]
        linear_velocity = [2, 0, 0]
        "#,
    settling_steps: 5,
    max_sweeps: 10_000,
};
