//! The tables of processes and functions: read without locks, written by many threads.
#![allow(dead_code, reason = "the tracer uses more of it")]
#![allow(unsafe_code, reason = "slots of the tracer are laid out by hand")]

#[path = "../src/table.rs"]
mod table;

use std::collections::HashSet;
use std::sync::Mutex;
use table::{ACTIVE, KNOWN, LISTENS, Table};

#[test]
fn a_key_has_one_slot_and_one_number_whoever_adds_it_first() {
    let table = Table::new(14).expect("memory");
    let defined = Mutex::new(vec![]);
    std::thread::scope(|scope| {
        for thread in 0..4u64 {
            let (table, defined) = (&table, &defined);
            scope.spawn(move || {
                for i in 0..1000u64 {
                    // Each begins at another key, and all add the same ones.
                    let key = 1 + (i + thread * 250) % 1000;
                    let slot = table.find_or_add(key, |_, number| {
                        defined.lock().expect("no panic").push((key, number));
                    });
                    assert!(slot.is_some_and(|slot| slot.number() > 0));
                }
            });
        }
    });
    let defined = defined.into_inner().expect("no panic");
    let keys: HashSet<u64> = defined.iter().map(|(key, _)| *key).collect();
    let numbers: HashSet<u32> = defined.iter().map(|(_, number)| *number).collect();
    assert_eq!((defined.len(), keys.len(), numbers.len()), (1000, 1000, 1000));
    for (key, number) in defined {
        assert_eq!(table.find(key).map(|slot| slot.number()), Some(number));
    }
    assert!(table.find(5000).is_none());
}

#[test]
fn a_full_table_forgets_newcomers_and_nobody_else() {
    let table = Table::new(4).expect("memory");
    let added = (1..=100u64).filter(|key| table.find_or_add(*key, |_, _| ()).is_some());
    let added: Vec<u64> = added.collect();
    assert_eq!(added.len(), 16);
    assert!(added.iter().all(|key| table.find(*key).is_some()));
    assert!((1..=100).filter(|key| table.find(*key).is_some()).count() == 16);
}

#[test]
fn a_slot_keeps_what_is_set_until_it_is_cleared() {
    let table = Table::new(4).expect("memory");
    let slot = table.find_or_add(7, |slot, _| slot.set(ACTIVE)).expect("room");
    assert_eq!(slot.state(), ACTIVE);
    assert!(!slot.takes_part());
    slot.set(KNOWN | LISTENS);
    slot.clear(ACTIVE | LISTENS);
    assert_eq!(slot.state(), KNOWN);
    assert!(slot.takes_part());
    slot.renumber(99);
    assert_eq!(table.find(7).map(|slot| slot.number()), Some(99));
}
