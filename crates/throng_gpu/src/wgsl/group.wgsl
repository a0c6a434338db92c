// Workgroups and the place of an invocation among them.

/// Invocations in a workgroup.
const GROUP: u32 = #{GROUP}u;

/// Where an invocation is; the argument of an entry point.
struct Place {
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
}

/// The number of a workgroup in a dispatch that may have been split in rows (`workgroups` in Rust).
fn flat_group(place: Place) -> u32 {
    return place.group.x + place.group.y * place.groups.x;
}

/// The number of an invocation in such a dispatch.
fn flat_invocation(place: Place) -> u32 {
    return flat_group(place) * GROUP + place.local;
}
