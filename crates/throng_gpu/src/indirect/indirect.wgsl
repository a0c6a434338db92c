// A count becomes the arguments of a dispatch.

#import throng_gpu::extent::{Extent, elements, blocks}

const MOST_IN_ROW: u32 = #{MOST_IN_ROW}u;

@group(0) @binding(0) var<uniform> extent: Extent; // first: elements of a workgroup; second: word of the arguments
@group(0) @binding(1) var<storage, read> count: array<u32>;
@group(0) @binding(2) var<storage, read_write> arguments: array<u32>;

@compute @workgroup_size(1)
fn write_arguments() {
    let groups = blocks(elements(extent, count[extent.word]), extent.first);
    let rows = max(blocks(groups, MOST_IN_ROW), 1u);
    arguments[extent.second] = blocks(groups, rows);
    arguments[extent.second + 1u] = rows;
    arguments[extent.second + 2u] = 1u;
}
