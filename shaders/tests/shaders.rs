//! Every shader parses, validates and agrees with the host about its structures and bindings.

use std::collections::BTreeMap;
use std::mem::offset_of;
use std::path::Path;

use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{AddressSpace, Module, StorageAccess, TypeInner};
use tactum_shaders::facets::StageId;
use tactum_shaders::facets::layout::{
    Candidate, Facet, FacetBlock, FacetBox, FacetDoubt, FacetPair, FacetPolygon, FacetRound, FacetTouch,
};
use tactum_shaders::facets::stretch_layout::{
    BodyNow, PairAction, PairMemory, PairSeen, Part, PatchMemory, PatchNow, PatchSeen, StretchBody,
    StretchPair, StretchState,
};
use tactum_shaders::rays::layout::{
    Cluster, ClusterTriangles, ContactBlock, Item, LargeItem, PairFrame, PairMeshes, RaySums, Round,
};
use tactum_shaders::{Access, Stage, facets, rays};

/// A stage of any question.
struct Shader {
    name: &'static str,
    text: String,
    accesses: Vec<Access>,
    workgroup: u32,
}

fn shader<B, T>(stage: &Stage<B, T>, text: String) -> Shader {
    let accesses = stage.bindings.iter().map(|binding| binding.access).collect();
    Shader { name: stage.name, text, accesses, workgroup: stage.workgroup }
}

fn shaders() -> Vec<Shader> {
    let of_rays = rays::STAGES.iter().map(|stage| shader(stage, rays::source(stage)));
    let of_facets = facets::STAGES.iter().map(|stage| shader(stage, facets::source(stage)));
    of_rays.chain(of_facets).collect()
}

fn parse(text: &str) -> Module {
    let module =
        naga::front::wgsl::parse_str(text).unwrap_or_else(|error| panic!("{}", error.emit_to_string(text)));
    let checked = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module);
    if let Err(error) = checked {
        panic!("{}", error.emit_to_string(text));
    }
    module
}

#[test]
fn every_shader_is_valid_without_any_optional_capability() {
    for stage in shaders() {
        let module = parse(&stage.text);
        let [entry] = module.entry_points.as_slice() else { panic!("{}: one entry point", stage.name) };
        assert_eq!(entry.name, stage.name);
        assert_eq!(entry.workgroup_size, [stage.workgroup, 1, 1], "{}", stage.name);
    }
}

#[test]
fn bindings_are_those_of_the_stage_table() {
    for stage in shaders() {
        let module = parse(&stage.text);
        let mut found = BTreeMap::new();
        for (_, variable) in module.global_variables.iter() {
            let Some(binding) = &variable.binding else { continue };
            assert_eq!(binding.group, 0, "{}", stage.name);
            match variable.space {
                AddressSpace::Uniform => assert_eq!(binding.binding, 0, "{}", stage.name),
                AddressSpace::Storage { access } => {
                    let writes = access.contains(StorageAccess::STORE);
                    found.insert(binding.binding, if writes { Access::Write } else { Access::Read });
                }
                other => panic!("{}: binding in {other:?}", stage.name),
            }
        }
        let table: BTreeMap<u32, Access> = (1..).zip(stage.accesses).collect();
        assert_eq!(found, table, "{}", stage.name);
        // What every WebGPU device grants.
        assert!(table.len() <= 8, "{} uses {} storage buffers", stage.name, table.len());
    }
}

#[test]
fn workgroup_memory_stays_within_what_every_device_grants() {
    for stage in shaders() {
        let module = parse(&stage.text);
        let shared = module.global_variables.iter().filter(|(_, v)| v.space == AddressSpace::WorkGroup);
        let bytes: u32 = shared.map(|(_, v)| module.types[v.ty].inner.size(module.to_ctx())).sum();
        assert!(bytes <= 16 * 1024, "{} uses {bytes} bytes", stage.name);
    }
}

/// Member names and offsets of a structure, and its size, as the device lays them out.
fn layout_of(module: &Module, name: &str) -> (BTreeMap<String, u32>, u32) {
    let (_, ty) =
        module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name)).expect("the structure exists");
    let TypeInner::Struct { members, span } = &ty.inner else { panic!("{name} is a structure") };
    (members.iter().map(|m| (m.name.clone().expect("a name"), m.offset)).collect(), *span)
}

macro_rules! assert_layout {
    ($module:expr, $ty:ident: $($field:ident),+) => {
        let (members, size) = layout_of($module, stringify!($ty));
        let host = BTreeMap::from([$((stringify!($field).to_owned(), offset_of!($ty, $field) as u32)),+]);
        assert_eq!(members, host, stringify!($ty));
        assert_eq!(size as usize, size_of::<$ty>(), stringify!($ty));
    };
}

#[test]
fn structures_have_the_same_offsets_on_host_and_device() {
    let module = parse(&rays::source(&rays::STAGES[0]));
    let m = &module;
    assert_layout!(m, ClusterTriangles: corners, low);
    assert_layout!(m, Cluster: lo, shell, hi, pad);
    assert_layout!(m, PairMeshes: first, n, boxes);
    assert_layout!(
        m, PairFrame: frame_from_a, frame_from_b, lo, state, hi, reach, scale, pad, fixed_from_a, fixed_from_b, low_a,
        unit_a, low_b, unit_b
    );
    assert_layout!(m, Round: rays, n_pairs, first_tile, n_tiles, columns, coarse, large_cap, spans);
    assert_layout!(m, Item: side, cluster);
    assert_layout!(m, LargeItem: side, triangle, direction, tile);
    assert_layout!(m, RaySums: sums, longest, columns, rows);
    assert_layout!(
        m, ContactBlock: frame_from_a, lo, state, hi, volume, moment, longest, second_diagonal, overflow,
        second_mixed, negative, area, open, arms, normal, quarter_volume, quarter_area, plain_a, tangent, plain_b, area_b, pad0,
        cover_a, pad1, cover_b, pad2, slices, pad3, supports
    );
}

#[test]
fn facets_have_the_same_offsets_on_host_and_device() {
    let module = parse(&facets::source(&facets::STAGES[0]));
    let m = &module;
    assert_layout!(
        m,
        Facet: corner0, curvature, corner1, bulge, corner2, is_cap, apex, ridge_x, normal, ridge_y, axis, ridge_z, swell, swell_last, swell_middle, spread
    );
    assert_layout!(m, FacetBox: lo, bulge, hi, pad);
    assert_layout!(
        m, FacetPair: frame_from_a, frame_from_b, first, n, near, depth, gap, first_group, law, in_touch, modulus, work
    );
    assert_layout!(
        m, FacetRound: n_pairs, n_groups, cap, with_polygons, n_bodies, index, length, since_kick, time, most_stiff,
        most_damped, zero
    );
    assert_layout!(m, Candidate: pair, a, b);
    assert_layout!(
        m, FacetTouch: normal, force, center, area, moment, overlap, nearest, grip, push, gyration, depth, energy, n_corners, state
    );
    assert_layout!(m, FacetPolygon: corners);
    assert_layout!(m, FacetDoubt: n, a, b);
    assert_layout!(
        m, FacetBlock: force, area, moment, deepest, n_facets, n_refused, n_wanted, n_candidates, doubts, pad0, pad1, pad2
    );
}

#[test]
fn stretches_have_the_same_offsets_on_host_and_device() {
    let module = parse(&facets::source(StageId::StretchPlace.stage()));
    let m = &module;
    assert_layout!(
        m, StretchBody: velocity, inverse_mass, spin, reach, inertia, allowance, products, lightness, acceleration,
        first_link, torque, end_link, is_dynamic, pad0, pad1, pad2
    );
    assert_layout!(
        m, StretchState: kicked_shift, pad0, kicked_turn, pad1, shift, pad2, turn, pad3, velocity, pad4, spin, pad5
    );
    assert_layout!(m, BodyNow: center, pad0, velocity, pad1, angular, pad2, inertia, pad3, products, pad4);
    assert_layout!(
        m, StretchPair: base_a, base_b, center_a, friction, center_b, shear, bodies, mass, damping, shear_root,
        areal_normal, areal_shear, is_faint, now
    );
    assert_layout!(m, Part: candidate, on_a, on_b, first);
    assert_layout!(m, PatchMemory: point, grip, normal, n_springs, springs);
    assert_layout!(m, PairMemory: in_touch, n, deepest, pad, patches);
    assert_layout!(m, PatchNow: point, grip, normal, area, force, deepest, torque, n_facets, spread, gyration, products, lever);
    assert_layout!(m, PairAction: force, stiffness, torque_a, damper, torque_b, n, patches);
    assert_layout!(m, PatchSeen: deepest, impulse, pad0, turn, pad1);
    assert_layout!(m, PairSeen: turn_a, n, turn_b, pad, patches);
}

#[test]
fn shaders_leave_out_what_drivers_disagree_about() {
    for Shader { name, text, .. } in shaders() {
        for word in ["while", "subgroup", "f16", "i64", "u64", "atomicCompareExchange"] {
            let found = text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|token| token == word);
            assert!(!found, "{name} uses {word}");
        }
    }
}

/// What a shader shares with the host it takes by name from the constants that the host writes before it. Numbers up to four are
/// axes, corners and sides; a larger whole number would be a size of memory or a mask, typed a second time.
#[test]
fn shaders_repeat_no_number_of_the_host() {
    /// Values of a corner by its three coordinates, and all bits of a word.
    const OF_NO_MEMORY: [&str; 2] = ["9", "0xffffffff"];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = |folder| std::fs::read_dir(folder).expect("a folder of shaders");
    let mut n_shaders = 0;
    for entry in files(folder.join("rays")).chain(files(folder.join("facets"))) {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|extension| extension != "wgsl") {
            continue;
        }
        n_shaders += 1;
        let text = std::fs::read_to_string(&path).expect("a shader");
        for line in text.lines().map(|line| line.split("//").next().unwrap_or_default()) {
            let code = line.split('"').next().unwrap_or_default();
            let tokens = code.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '.');
            for token in tokens.filter(|token| token.starts_with(|c: char| c.is_ascii_digit())) {
                let number = token.trim_end_matches(['u', 'i']);
                let is_float = !number.starts_with("0x") && number.contains(['.', 'e']);
                let is_small = number.parse::<u32>().is_ok_and(|n| n <= 4);
                let is_binding = line.trim_start().starts_with("@group");
                let is_known = is_float || is_small || is_binding || OF_NO_MEMORY.contains(&number);
                assert!(is_known, "{}: {token} in: {line}", path.display());
            }
        }
    }
    assert!(n_shaders > shaders().len());
}

/// The README states what a pair costs; so does the arithmetic of chunks.
#[test]
fn memory_is_what_the_readme_says() {
    use tactum_shaders::rays::{
        BYTES_PER_PAIR, BYTES_PER_PAIR_OF_TRIANGLES, BYTES_PER_RAY, BYTES_PER_TILE, Buffer, Capacity, Rounds,
    };
    assert_eq!([BYTES_PER_RAY, BYTES_PER_TILE], [68, 372]);
    assert_eq!([BYTES_PER_PAIR, BYTES_PER_PAIR_OF_TRIANGLES], [1300, 704]);
    let n_tiles = Rounds::new(1, 64, 0).n_tiles();
    assert_eq!(n_tiles * 64, 6144);
    let capacity = Capacity { n_pairs: 10, n_tiles, n_items: 20, large_cap: 0 };
    let fixed = capacity.bytes(Buffer::Counters) + capacity.bytes(Buffer::Arguments);
    let total: u64 = Buffer::ALL.iter().map(|&buffer| capacity.bytes(buffer)).sum();
    let per_pair = BYTES_PER_PAIR + u64::from(n_tiles) * (BYTES_PER_TILE + 64 * BYTES_PER_RAY);
    assert_eq!(total, 10 * per_pair + 20 * 8 + fixed);
    assert_eq!(per_pair / 1024, 444);
    let by_triangles = Capacity { n_tiles: 0, ..capacity };
    let total: u64 = Buffer::ALL.iter().map(|&buffer| by_triangles.bytes(buffer)).sum();
    assert_eq!(total, 10 * (BYTES_PER_PAIR + BYTES_PER_PAIR_OF_TRIANGLES) + 20 * 8 + fixed);
    let readme = include_str!("../README.md");
    for text in ["68 bytes a ray", "372 bytes a tile", "1,300 bytes a pair", "704 more", "445 KiB"] {
        assert!(readme.contains(text), "{text}");
    }
}

#[test]
fn memory_of_facets_is_what_the_readme_says() {
    let pair = size_of::<FacetPair>() + size_of::<FacetBlock>();
    let candidate = size_of::<Candidate>() + size_of::<FacetTouch>();
    assert_eq!([size_of::<Facet>(), size_of::<FacetBox>(), pair, candidate], [128, 32, 240, 108]);
    assert_eq!([size_of::<FacetPolygon>(), size_of::<FacetBlock>()], [96, 96]);
    // A box over every group and one over each of its clusters.
    let boxes = facets::layout::BOXES as usize * size_of::<FacetBox>();
    assert_eq!((facets::layout::GROUP, boxes), (64, 288));
    let readme = include_str!("../README.md");
    for text in [
        "128 bytes a facet and 288 every 64",
        "240 bytes a pair",
        "108 a candidate",
        "96 for its",
        "block of 96 bytes",
    ] {
        assert!(readme.contains(text), "{text}");
    }
    assert_eq!(facets::layout::MAX_PARTNERS, 64_000);
    let remembered = 2 * size_of::<PairMemory>();
    let pair = size_of::<StretchPair>() + remembered + size_of::<PairAction>() + size_of::<PairSeen>();
    let body = size_of::<StretchBody>() + size_of::<StretchState>();
    assert_eq!([body, pair, remembered, size_of::<Part>()], [208, 4656, 3360, 16]);
    for text in ["208 bytes a body", "4,656 more a pair", "3,360 are", "16 more a candidate"] {
        assert!(readme.contains(text), "{text}");
    }
}
