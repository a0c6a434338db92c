// Sums along a workgroup: every invocation gives one number and gets the sum of those before it.
//
// Portable: in two levels of 16, each added up one after the other, with three barriers. A doubling scan
// has 16, and does as many additions in every invocation. With subgroups: one sum per subgroup, added up by all. How
// large a subgroup is they count themselves, since some drivers name a size and run another; they are
// taken to be of one size and made of consecutive invocations.

#import throng_gpu::group::{GROUP, Place}

#ifdef SUBGROUPS
// WebGPU knows no subgroup smaller than four.
var<workgroup> rows: array<u32, GROUP / 4u>;
#else
const ROW: u32 = 16u;
var<workgroup> given: array<u32, GROUP>;
// The sums of all rows before each, and of all.
var<workgroup> rows: array<u32, GROUP / ROW + 1u>;
#endif

/// The sum of what came before, and of all.
struct Sums {
    before: u32,
    all: u32,
}

#ifdef SUBGROUPS

/// To be called by all invocations.
fn group_sums(value: u32, place: Place) -> Sums {
    let lanes = subgroupAdd(1u);
    let inside = subgroupExclusiveAdd(value);
    let row = place.local / lanes;
    if subgroupExclusiveAdd(1u) == lanes - 1u {
        rows[row] = inside + value;
    }
    workgroupBarrier();
    var sums = Sums(inside, 0u);
    for (var i = 0u; i < GROUP / lanes; i++) {
        let sum = rows[i];
        sums.before += select(0u, sum, i < row);
        sums.all += sum;
    }
    // Whoever calls next may write at once.
    workgroupBarrier();
    return sums;
}

#else

/// To be called by all invocations.
fn group_sums(value: u32, place: Place) -> Sums {
    given[place.local] = value;
    workgroupBarrier();
    if place.local < GROUP / ROW {
        var sum = 0u;
        for (var i = 0u; i < ROW; i++) {
            let own = given[place.local * ROW + i];
            given[place.local * ROW + i] = sum;
            sum += own;
        }
        rows[place.local] = sum;
    }
    workgroupBarrier();
    if place.local == 0u {
        var sum = 0u;
        for (var i = 0u; i < GROUP / ROW; i++) {
            let own = rows[i];
            rows[i] = sum;
            sum += own;
        }
        rows[GROUP / ROW] = sum;
    }
    workgroupBarrier();
    return Sums(rows[place.local / ROW] + given[place.local], rows[GROUP / ROW]);
}

#endif
