// Sums along a workgroup: every invocation gives one number and gets the sum of those before it.
//
// Portable: in two levels of 16, with two barriers. Few barriers count for more than few additions:
// a software device changes context at each, and on hardware 30 reads of workgroup memory cost less
// than the 16 barriers of a doubling scan. With subgroups: one sum per subgroup, added up by all. How
// large a subgroup is they count themselves, since some drivers name a size and run another; they are
// taken to be of one size and made of consecutive invocations.

#import throng_gpu::group::{GROUP, Place}

#ifdef SUBGROUPS
// WebGPU knows no subgroup smaller than four.
var<workgroup> rows: array<u32, GROUP / 4u>;
#else
const ROW: u32 = 16u;
var<workgroup> given: array<u32, GROUP>;
var<workgroup> rows: array<u32, GROUP / ROW>;
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
    let row = place.local / ROW;
    if place.local < GROUP / ROW {
        var sum = 0u;
        for (var i = 0u; i < ROW; i++) {
            sum += given[place.local * ROW + i];
        }
        rows[place.local] = sum;
    }
    var sums = Sums(0u, 0u);
    for (var i = row * ROW; i < place.local; i++) {
        sums.before += given[i];
    }
    workgroupBarrier();
    for (var i = 0u; i < GROUP / ROW; i++) {
        let sum = rows[i];
        sums.before += select(0u, sum, i < row);
        sums.all += sum;
    }
    return sums;
}

#endif
