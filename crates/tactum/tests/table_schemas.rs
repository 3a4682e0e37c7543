//! The columns of all Parquet tables, their types and units: what programs that read them rely on. A change here is one that users notice.

mod stage;

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use stage::Stage;

/// A box on a floor, a ball on a hinge, and a sensor: something for every table.
const SCENE: &str = r#"
dt = 0.01
duration = 0.05
[[body]]
name = "floor"
kind = "static"
shape = { plane = {} }
[[body]]
name = "box"
shape = { box = [0.1, 0.1, 0.1] }
position = [0, 0, 0.05]
[[body]]
name = "ball"
shape = { sphere = 0.1 }
position = [1, 0, 1]
[[joint]]
name = "hinge"
bodies = ["ball"]
anchor = [1, 0, 1.5]
axis = [0, 1, 0]
kind = { revolute = {} }
[[sensor]]
name = "load"
measures = { contact = ["box", "floor"] }
"#;

const SWEEP: &str = r#"
scene = "scene.toml"
expect = true
[cross]
body.box.copies.random_orientation = [false]
body.box.friction = [0.1, 0.2]
body.box.shape = [{ sphere = 0.05 }]
solver.max_sweeps = [50, 60]
[replicas]
n = 2
seeds = ["body.box.copies.seed"]
[[event]]
name = "rest"
body = "box"
speed = { below = 1 }
[[keep]]
quantity = "kinetic_energy"
reduce = ["final", "max", "min", "mean", "integral"]
series = true
[[keep]]
quantity = "contacts"
"#;

/// The columns of a table as lines of name, type and unit.
fn columns(stage: &Stage, table: &str) -> Vec<String> {
    let file = std::fs::File::open(stage.root.join(table)).expect("the table");
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("it is Parquet");
    let line = |field: &std::sync::Arc<arrow_schema::Field>| {
        let unit = field.metadata().get("unit").map_or("-", String::as_str);
        // Whether a value may be missing is the same for all: readers need not know which table it is.
        assert!(field.is_nullable(), "{table} {}", field.name());
        format!("{} {} {unit}", field.name(), field.data_type())
    };
    reader.schema().fields().iter().map(line).collect()
}

fn check(stage: &Stage, table: &str, wanted: &str) {
    let wanted: Vec<&str> = wanted.split(';').map(str::trim).collect();
    assert_eq!(columns(stage, table), wanted, "{table}");
}

#[test]
fn tables_of_runs_have_these_columns() {
    let stage = Stage::with_scene(SCENE);
    stage.ends("run scene.toml --out out --quiet", 0, &[]);
    stage.ends("export out --parquet tables", 0, &[]);
    let step = "step Int64 -; time Float64 s";
    for (table, rest) in [
        (
            "poses",
            "body Utf8 -; x Float64 m; y Float64 m; z Float64 m; qx Float64 -; qy Float64 -; qz Float64 -; qw Float64 -; vx Float64 m/s; \
             vy Float64 m/s; vz Float64 m/s; wx Float64 rad/s; wy Float64 rad/s; wz Float64 rad/s",
        ),
        (
            "contacts",
            "a Utf8 -; b Utf8 -; region Int64 -; volume Float64 m³; area Float64 m²; depth Float64 m; extent Float64 m; px Float64 m; \
             py Float64 m; pz Float64 m; nx Float64 -; ny Float64 -; nz Float64 -; ux Float64 -; uy Float64 -; uz Float64 -; fn Float64 N; \
             fu Float64 N; fw Float64 N; tn Float64 N m; tu Float64 N m; tw Float64 N m; cop_u Float64 m; cop_w Float64 m; \
             deepest Float64 m",
        ),
        (
            "joints",
            "joint Utf8 -; coordinate Float64 rad or m; fx Float64 N; fy Float64 N; fz Float64 N; tx Float64 N m; ty Float64 N m; \
             tz Float64 N m; broken Boolean -",
        ),
        (
            "energy",
            "kinetic Float64 J; potential Float64 J; total Float64 J; contacts Int64 -; max_depth Float64 m; sweeps Int64 -; \
             update_norm Float64 N s; unconverged_islands Int64 -; deepest Float64 m; velocity_error Float64 m/s; asleep Int64 -; \
             state_hash Utf8 -",
        ),
        ("sensors", "sensor Utf8 -; quantity Utf8 -; value Float64 -; unit Utf8 -"),
    ] {
        check(&stage, &format!("tables/{table}.parquet"), &format!("{step}; {rest}"));
    }
}

#[test]
fn tables_of_batches_have_these_columns() {
    let copied = SCENE.replace("\"box\", \"floor\"", "\"box-0\", \"floor\"");
    let stage = Stage::with_scene(&copied.replacen(
        "position = [0, 0, 0.05]",
        "position = [0, 0, 0.05]\nfriction = 0.5\ncopies = { grid = [1, 1, 1], spacing = [1, 1, 1], seed = 1 }",
        1,
    ));
    std::fs::write(stage.root.join("sweep.toml"), SWEEP.replace("\"box\"", "\"box-0\"")).expect("a sweep");
    stage.ends("batch sweep.toml --out out", 0, &[]);
    check(
        &stage,
        "out/runs.parquet",
        "run Int64 -; body.box.copies.random_orientation Boolean -; body.box.friction Float64 -; body.box.shape Utf8 -; \
         solver.max_sweeps Int64 -; body.box.copies.seed Int64 -; replica Int64 -; end Utf8 -; end_reason Utf8 -; steps Int64 -; time Float64 s; \
         state_hash Utf8 -; unsolved_steps Int64 -; recoveries Int64 -; deepest Float64 m; expectations_unmet Int64 -; rest Float64 s; \
         kinetic_energy Float64 J; kinetic_energy.max Float64 J; kinetic_energy.min Float64 J; kinetic_energy.mean Float64 J; \
         kinetic_energy.integral Float64 J s; contacts Float64 -",
    );
    check(&stage, "out/series.parquet", "run Int64 -; time Float64 s; kinetic_energy Float64 J");
}
