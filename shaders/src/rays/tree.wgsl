// Adds up the sums of a workgroup's threads, always in the same order: each of them is added up by one thread, which
// needs fewer accesses and barriers than a tree over all of them.

// Word w of thread t; one word of distance between rows keeps threads that read one column out of each other's way.
var<workgroup> shares: array<u32, N_SHARES>;

const SHARE_ROW = WORKGROUP + 1u;
const N_WORDS = N_SUMS + 3u;
const N_SHARES = N_WORDS * SHARE_ROW;

fn add_sums(a: RaySums, b: RaySums) -> RaySums {
    var total = a;
    for (var k = 0u; k < N_SUMS; k++) {
        total.sums[k] = a.sums[k] + b.sums[k];
    }
    total.longest = max(a.longest, b.longest);
    total.columns = a.columns | b.columns;
    total.rows = a.rows | b.rows;
    return total;
}

// The total is what thread 0 gets.
fn add_up(lane: u32, share: RaySums) -> RaySums {
    for (var k = 0u; k < N_SUMS; k++) {
        shares[k * SHARE_ROW + lane] = bitcast<u32>(share.sums[k]);
    }
    shares[N_SUMS * SHARE_ROW + lane] = bitcast<u32>(share.longest);
    shares[(N_SUMS + 1u) * SHARE_ROW + lane] = share.columns;
    shares[(N_SUMS + 2u) * SHARE_ROW + lane] = share.rows;
    workgroupBarrier();
    if (lane < N_WORDS) {
        let row = lane * SHARE_ROW;
        var bits = shares[row];
        var added = bitcast<f32>(bits);
        var largest = added;
        for (var k = 1u; k < WORKGROUP; k++) {
            let word = shares[row + k];
            bits |= word;
            added += bitcast<f32>(word);
            largest = max(largest, bitcast<f32>(word));
        }
        if (lane < N_SUMS) {
            bits = bitcast<u32>(added);
        } else if (lane == N_SUMS) {
            bits = bitcast<u32>(largest);
        }
        shares[row] = bits;
    }
    workgroupBarrier();
    var total: RaySums;
    if (lane == 0u) {
        for (var k = 0u; k < N_SUMS; k++) {
            total.sums[k] = bitcast<f32>(shares[k * SHARE_ROW]);
        }
        total.longest = bitcast<f32>(shares[N_SUMS * SHARE_ROW]);
        total.columns = shares[(N_SUMS + 1u) * SHARE_ROW];
        total.rows = shares[(N_SUMS + 2u) * SHARE_ROW];
    }
    return total;
}
