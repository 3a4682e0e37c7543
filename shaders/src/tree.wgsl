// Adds up the sums of a workgroup's threads, always in the same order.

var<workgroup> shares: array<RaySums, 64>;

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

// The total is then in shares[0].
fn add_up(lane: u32) {
    for (var stride = 32u; stride > 0u; stride >>= 1u) {
        workgroupBarrier();
        if (lane < stride) {
            shares[lane] = add_sums(shares[lane], shares[lane + stride]);
        }
    }
    workgroupBarrier();
}
