//! Two executions as one picture: what is drawn of either is in the order in which it happened
//! there, what is called shared is the same in both, and messages arrive after they were sent.

mod nowhere;

use nowhere::Nowhere;
use reverl_causal::schedule::{Preference, Random};
use reverl_causal::{Execution, System};
use reverl_programs::Length;
use reverl_session::command::Debugger;
use reverl_session::event::event_named;
use reverl_session::query::picture::{ComparedPicture, PictureSide, picture};
use reverl_session::session::{Session, default_schedule};

const LENGTH: Length = Length { events: 150, steps: 6_000 };

fn ran(beginning: &System, seed: u64) -> System {
    let mut system = beginning.beginning();
    let mut schedule = Random::new(seed, Preference::None, false);
    reverl_programs::go_on(&mut system, &mut schedule, LENGTH);
    system
}

/// The places in an execution of what is drawn of it on each lane.
fn lanes(picture: &ComparedPicture, execution: &Execution, side: PictureSide) -> Vec<Vec<u32>> {
    let mut found = vec![vec![]; picture.lanes.len()];
    for event in &picture.events {
        if event.side == side || event.side == PictureSide::Both {
            let known = event_named(execution, &event.row.event).expect("it is there");
            found[event.lane].push(execution.order_of(known));
        }
    }
    found
}

#[test]
fn a_picture_of_two_executions_is_true_to_both() {
    let (mut parted, mut messages) = (0, 0);
    for (number, program) in reverl_programs::all().enumerate() {
        let beginning = program.system();
        let (one, other) = (ran(&beginning, number as u64), ran(&beginning, 1_000 + number as u64));
        let mut session = Session::new(one, default_schedule());
        let name = session.keep_branch(other);
        let d = Debugger::new(session, Box::new(Nowhere));
        let drawn = picture(&d.session, &name).expect("two branches");
        let there = d.session.other_branches()[0].execution();
        for (execution, side) in
            [(d.session.execution(), PictureSide::Here), (there, PictureSide::There)]
        {
            for lane in lanes(&drawn, execution, side) {
                assert!(lane.is_sorted(), "{program}: {lane:?}");
            }
        }
        for (column, event) in drawn.events.iter().enumerate() {
            assert_eq!(event.column, column, "{program}");
        }
        for message in &drawn.messages {
            assert!(message.from < message.to, "{program}: {message:?}");
            messages += 1;
        }
        let own = drawn.events.iter().position(|e| e.side != PictureSide::Both);
        assert_eq!(drawn.first.iter().min().copied(), own, "{program}");
        parted += usize::from(own.is_some());
        // With itself there is nothing to see.
        let mut same = Session::new(ran(&beginning, 7), default_schedule());
        let name = same.keep_branch(ran(&beginning, 7));
        let drawn = picture(&same, &name).expect("two branches");
        assert!(drawn.lanes.is_empty() && drawn.events.is_empty(), "{program}");
    }
    eprintln!("{parted} pairs differ, {messages} messages");
    assert!(parted > 20 && messages > 50);
}
