// Work of which some threads have more than others, shared out evenly: every thread marks which of as many others as a word has bits its triangle is to be paired
// with, and the pairs are numbered, thread after thread.

var<workgroup> marks: array<u32, WORKGROUP>;
// Marks of the threads up to each one.
var<workgroup> marked: array<u32, WORKGROUP>;

// Which triangles of a cluster have anything to do, a bit for each.
var<workgroup> votes: array<atomic<u32>, CLUSTER_WORDS>;
var<workgroup> elected: array<u32, CLUSTER_WORDS>;

const CLUSTER_WORDS = CLUSTER / WORD_BITS;

// Lets all threads know for which of them something holds. All threads come here together.
fn those_that(lane: u32, holds: bool) -> array<u32, CLUSTER_WORDS> {
    if (lane < CLUSTER_WORDS) {
        atomicStore(&votes[lane], 0u);
    }
    workgroupBarrier();
    if (holds) {
        atomicOr(&votes[lane / WORD_BITS], 1u << (lane % WORD_BITS));
    }
    workgroupBarrier();
    if (lane < CLUSTER_WORDS) {
        elected[lane] = atomicLoad(&votes[lane]);
    }
    return workgroupUniformLoad(&elected);
}

fn is_any(those: array<u32, CLUSTER_WORDS>) -> bool {
    var words = those;
    var together = 0u;
    for (var k = 0u; k < CLUSTER_WORDS; k++) {
        together |= words[k];
    }
    return together != 0u;
}

// Lets all threads know all marks, and returns their number. What threads wrote for others before is known as well.
fn share_marks(lane: u32, mark: u32) -> u32 {
    workgroupBarrier();
    marks[lane] = mark;
    marked[lane] = countOneBits(mark);
    for (var distance = 1u; distance < WORKGROUP; distance *= 2u) {
        workgroupBarrier();
        var before = 0u;
        if (lane >= distance) {
            before = marked[lane - distance];
        }
        workgroupBarrier();
        marked[lane] += before;
    }
    return workgroupUniformLoad(&marked[WORKGROUP - 1u]);
}

// The thread among twice as many from first on that has the pair of a number.
fn owner_from(first: u32, half: u32, number: u32) -> u32 {
    return select(first, first + half, marked[first + half - 1u] <= number);
}

// Of a word's bits from x.x on, the one that x.y others come before; both for the lower or the upper half of twice as many.
fn bit_from(word: u32, x: vec2<u32>, half: u32) -> vec2<u32> {
    let n = countOneBits((word >> x.x) & ((1u << half) - 1u));
    return select(x, vec2<u32>(x.x + half, x.y - n), x.y >= n);
}

const QUARTER = WORKGROUP / 4u;
const SIXTEENTH = QUARTER / 4u;

// The pair of a number: who marked it, and which of the others. Without loops, as some drivers count the turns of all of them.
fn marked_pair(number: u32) -> vec2<u32> {
    var owner = owner_from(0u, 2u * QUARTER, number);
    owner = owner_from(owner, QUARTER, number);
    owner = owner_from(owner, 2u * SIXTEENTH, number);
    owner = owner_from(owner, SIXTEENTH, number);
    owner = owner_from(owner, 2u, number);
    owner = owner_from(owner, 1u, number);
    let word = marks[owner];
    var bit = bit_from(word, vec2<u32>(0u, number - (marked[owner] - countOneBits(word))), HALF_BITS);
    bit = bit_from(word, bit, BYTE_BITS);
    bit = bit_from(word, bit, BYTE_BITS / 2u);
    bit = bit_from(word, bit, 2u);
    bit = bit_from(word, bit, 1u);
    return vec2<u32>(owner, bit.x);
}

// Sets of triangles, coordinate by coordinate, for the threads that pair them: those of both clusters, and as many more as a stage keeps.
var<workgroup> kept_corners: array<f32, N_KEPT>;

const KEPT_CORNER = 3u * CLUSTER;
const KEPT_TRIANGLE = 3u * KEPT_CORNER;
const N_KEPT = KEPT_SETS * KEPT_TRIANGLE;

struct Triangle {
    a: vec3<f32>,
    b: vec3<f32>,
    c: vec3<f32>,
}

fn keep_corner(at: u32, x: vec3<f32>) {
    kept_corners[at] = x.x;
    kept_corners[at + CLUSTER] = x.y;
    kept_corners[at + 2u * CLUSTER] = x.z;
}

fn keep_triangle(kept: u32, lane: u32, t: Triangle) {
    let at = KEPT_TRIANGLE * kept + lane;
    keep_corner(at, t.a);
    keep_corner(at + KEPT_CORNER, t.b);
    keep_corner(at + 2u * KEPT_CORNER, t.c);
}

fn kept_corner(at: u32) -> vec3<f32> {
    return vec3<f32>(kept_corners[at], kept_corners[at + CLUSTER], kept_corners[at + 2u * CLUSTER]);
}

fn kept_triangle(kept: u32, lane: u32) -> Triangle {
    let at = KEPT_TRIANGLE * kept + lane;
    return Triangle(kept_corner(at), kept_corner(at + KEPT_CORNER), kept_corner(at + 2u * KEPT_CORNER));
}
