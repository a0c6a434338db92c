// How many elements there are.

/// The uniform of every primitive: the most elements there can be, the word of the count buffer that
/// tells how many there are, and two words of the primitive's own.
struct Extent {
    at_most: u32,
    word: u32,
    first: u32,
    second: u32,
}

/// Elements to look at, given what the count buffer says.
fn elements(extent: Extent, stored: u32) -> u32 {
    return min(extent.at_most, stored);
}

/// Blocks of `size` for so many elements.
fn blocks(elements: u32, size: u32) -> u32 {
    return elements / size + select(0u, 1u, elements % size != 0u);
}
