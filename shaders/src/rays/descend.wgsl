// Finds the clusters of a mesh that are wanted without a look at all of them. A stage says what it wants (Query, is_wanted) and what it
// does with what it finds (take).

// Boxes that are wanted of a level and of the one below, in turn.
var<workgroup> wanted: array<u32, N_WANTED>;
var<workgroup> n_wanted: atomic<u32>;
var<workgroup> n_agreed: u32;

const N_WANTED = 2u * MAX_WANTED;

// Where the boxes of a level begin, from a mesh's first one on, and how many there are.
struct Level {
    first: u32,
    n: u32,
}

fn level_above(level: Level) -> Level {
    return Level(level.first + level.n, (level.n + FAN - 1u) / FAN);
}

fn level_of(n: u32, number: u32) -> Level {
    var level = Level(0u, n);
    for (var k = 0u; k < number; k++) {
        level = level_above(level);
    }
    return level;
}

// The number of the level that a mesh is entered at.
fn entrance_of(n: u32) -> u32 {
    var number = 0u;
    for (var level = Level(0u, n); level.n > WORKGROUP; level = level_above(level)) {
        number++;
    }
    return number;
}

// Takes each wanted cluster among the n of a mesh whose boxes begin at a place. All threads come here together.
fn descend(lane: u32, first_box: u32, n: u32, query: Query) {
    var number = entrance_of(n);
    var is_whole = true;
    var n_above = 0u;
    var above = 0u;
    loop {
        let level = level_of(n, number);
        workgroupBarrier();
        if (lane == 0u) {
            atomicStore(&n_wanted, 0u);
        }
        workgroupBarrier();
        let n_candidates = select(n_above * FAN, level.n, is_whole);
        for (var k = lane; k < n_candidates; k += WORKGROUP) {
            var node = k;
            if (!is_whole) {
                node = wanted[above + k / FAN] * FAN + k % FAN;
            }
            if (node < level.n && is_wanted(query, clusters[first_box + level.first + node])) {
                if (number == 0u) {
                    take(query, node);
                } else {
                    let slot = atomicAdd(&n_wanted, 1u);
                    if (slot < MAX_WANTED) {
                        wanted[MAX_WANTED - above + slot] = node;
                    }
                }
            }
        }
        if (number == 0u) {
            break;
        }
        workgroupBarrier();
        if (lane == 0u) {
            n_agreed = atomicLoad(&n_wanted);
        }
        n_above = workgroupUniformLoad(&n_agreed);
        is_whole = n_above > MAX_WANTED;
        number = select(number - 1u, 0u, is_whole);
        above = MAX_WANTED - above;
    }
}
