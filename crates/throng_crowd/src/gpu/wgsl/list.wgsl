// Lists that invocations write to in no order, with the arguments of a dispatch over them in front: three
// words of workgroups, the number of elements, and these. They are emptied before every step.

#import throng_gpu::group::GROUP

const LIST_LENGTH: u32 = 3u;
const LIST_ITEMS: u32 = 4u;

@group(0) @binding(21) var<storage, read_write> growing: array<atomic<u32>>;

fn append(value: u32) {
    let at = atomicAdd(&growing[LIST_LENGTH], 1u);
    if at % GROUP == 0u {
        atomicAdd(&growing[0], 1u);
    }
    atomicStore(&growing[LIST_ITEMS + at], value);
}

// One that was written before.
@group(0) @binding(22) var<storage, read> listed: array<u32>;

fn length_of_list() -> u32 {
    return listed[LIST_LENGTH];
}

fn item(at: u32) -> u32 {
    return listed[LIST_ITEMS + at];
}
