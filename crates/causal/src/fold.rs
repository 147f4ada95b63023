//! Folds over happened-before: a value for each event, made from those of its direct causes.
//!
//! Depths, clocks and what processes know of each other are all of this form; they differ in
//! which edges they follow and in how values come together.

use crate::edges::Edge;
use crate::execution::{Chain, EventRef, Execution};
use rustc_hash::FxHashMap;

/// Goes through events in an order in which causes come first, carrying a value along each chain
/// and across the edges that `follows` holds for. Where several values meet, `merge` brings the
/// second into the first. `visit` sees each event with what its causes brought, and may change
/// it: that is what its consequences get.
pub fn carry<V: Clone + Default>(
    execution: &Execution,
    events: impl Iterator<Item = EventRef>,
    follows: impl Fn(Edge) -> bool,
    merge: impl Fn(&mut V, &V),
    mut visit: impl FnMut(EventRef, &mut V),
) {
    // The value at the end of each chain, and those that other chains will ask for.
    let mut ends: Vec<Option<V>> = vec![None; 2 * execution.procs.len()];
    let mut kept: FxHashMap<EventRef, V> = FxHashMap::default();
    for event in events {
        let chain = 2 * event.proc.0 as usize + usize::from(event.chain() == Chain::Delivery);
        let goes_on = match event.chain() {
            Chain::Action => follows(Edge::Program),
            Chain::Delivery => follows(Edge::Arrival),
        };
        let mut value = ends[chain].take().filter(|_| goes_on).unwrap_or_default();
        execution.causes(event, &mut |edge, cause| {
            if !edge.is_along_chain() && follows(edge) {
                // One that is not there lies before the first event that is gone through, or is
                // the death that a killing signal is one with.
                if let Some(other) = kept.get(&cause) {
                    merge(&mut value, other);
                }
            }
        });
        visit(event, &mut value);
        let mut is_asked_for = false;
        execution.consequences(event, &mut |edge, _| {
            is_asked_for |= !edge.is_along_chain() && follows(edge);
        });
        if is_asked_for {
            kept.insert(event, value.clone());
        }
        ends[chain] = Some(value);
    }
}

/// For each event, by its place in the order, the length of the longest chain of causes that
/// ends in it.
pub fn depths(execution: &Execution) -> Vec<u32> {
    let mut depths = Vec::with_capacity(execution.event_count());
    let deeper = |depth: &mut u32, other: &u32| *depth = (*depth).max(*other);
    carry(
        execution,
        execution.events(),
        |_| true,
        deeper,
        |_, depth: &mut u32| {
            depths.push(*depth);
            *depth += 1;
        },
    );
    depths
}

/// Whether an edge hands something on, so that who comes later can know of it. Arrivals at one
/// process come in an order that nobody need be able to tell, and a time-out tells nothing to
/// what arrives after it.
pub fn tells(edge: Edge) -> bool {
    !matches!(edge, Edge::Arrival | Edge::Timeout)
}
