//! Signals: what processes send each other, and what happens when it arrives.

use crate::execution::{Maybe, *};
use crate::object::{Object, Value};
use crate::system::{Alias, System, Watcher, message_id};
use crate::timer::SendTimer;
use reverl_lang::code::Pc;
use reverl_machine::{Exception, Message, Program, Raise};
use reverl_term::{Atom, Term, View, atoms};

/// Where a message goes.
pub(crate) struct Address {
    pub to: Option<ProcId>,
    /// Through an alias: dropped on arrival if that has ended.
    alias: Option<Term>,
    /// It is sent as a priority message.
    pub is_urgent: bool,
}

impl System {
    /// `To ! Message`
    #[inline(never)]
    pub(crate) fn send_action(
        &mut self,
        program: &Program,
        proc: ProcId,
        to: &Term,
        message: Term,
    ) {
        let process = &self.running(proc).process;
        let (step, pc) = (process.steps(), process.pc());
        let first = self.first_signal(proc);
        if self.present.has_tracing {
            self.see_edition(proc);
            self.tell_send(proc, to, &message);
        }
        match self.address(proc, to) {
            Ok(address) if self.first_signal(proc) > first => {
                // It has connected two nodes, which others may be told, or is traced.
                self.send_message(proc, address, message.clone());
                let signals = self.finish_signals(proc, first);
                let effect = Effect { signals: signals.clone(), ..Effect::default() };
                let args = vec![to.clone(), message.clone()];
                let answer = Ok(message.clone());
                let sent = Answered { answer, effect, ..Answered::send(args) };
                self.record(proc, step, pc, PackedAction::request(sent));
                self.present.running[proc.0 as usize].process.answer_value(program, message);
                self.deliver_instantly(proc, signals);
            }
            Ok(Address { to: Some(to), alias: None, is_urgent: false })
                if self.arrives_at_once(proc, to)
                    && !self.has_exited(to)
                    && !self.present.has_tracing =>
            {
                self.send_at_once(proc, step, pc, to, message.clone());
                self.present.running[proc.0 as usize].process.answer_value(program, message);
            }
            Ok(address) => {
                let k = self.send_message(proc, address, message.clone());
                self.record(proc, step, pc, PackedAction::send(k));
                self.deliver_instantly(proc, k..k + 1);
                self.present.running[proc.0 as usize].process.answer_value(program, message);
            }
            Err(raise) => {
                let signals = self.finish_signals(proc, first);
                let effect = Effect { signals: signals.clone(), ..Effect::default() };
                let sent = Answered::send(vec![to.clone(), message]);
                let answered = Answered { answer: Err(raise.clone()), effect, ..sent };
                self.record(proc, step, pc, PackedAction::request(answered));
                self.present.running[proc.0 as usize].process.answer(program, Err(raise));
                self.deliver_instantly(proc, signals);
            }
        }
    }

    /// A message to a living process that is there at once, as nearly all are: the same as
    /// `send_message`, `record` and `deliver`, but nothing is looked up twice.
    #[inline]
    fn send_at_once(&mut self, from: ProcId, step: u64, pc: Pc, to: ProcId, message: Term) {
        let delivery = Maybe::some(self.execution.proc(to).deliveries.len() as u32);
        let sender = self.execution.proc_mut(from);
        let sent_by = sender.actions.len() as u32;
        let plain = SignalKind::Message;
        let k = sender.add_signal(sent_by, Some(to), plain, delivery, message.clone());
        self.record(from, step, pc, PackedAction::send(k));
        let id = SignalId { from, k };
        self.arrives_over_line(id, to);
        self.add_delivery(id, to, true);
        self.put_in_mailbox(to, Message { id: message_id(id), term: message });
    }

    /// What a destination means; reading a registered name is an access of it.
    #[inline(always)]
    pub(crate) fn address(&mut self, proc: ProcId, to: &Term) -> Result<Address, Raise> {
        match to.as_pid() {
            Some(pid) => {
                let to = self.execution.find(pid);
                Ok(Address { to: self.reached(proc, to), alias: None, is_urgent: false })
            }
            None => self.address_by_name(proc, to),
        }
    }

    /// The name of the node on which a process runs, as it knows it.
    pub(crate) fn node(&self, proc: ProcId) -> Atom {
        self.running(proc).process.local.node()
    }

    /// The receiver, unless it is on a node that cannot be reached.
    #[inline]
    pub(crate) fn reached(&mut self, from: ProcId, to: Option<ProcId>) -> Option<ProcId> {
        match to {
            Some(to) if self.has_nodes() => self.reaches(from, to).then_some(to),
            to => to,
        }
    }

    fn address_by_name(&mut self, proc: ProcId, to: &Term) -> Result<Address, Raise> {
        let nowhere = Address { to: None, alias: None, is_urgent: false };
        match to.view() {
            View::Atom(name) => match self.whereis(proc, name) {
                Some(to) => Ok(Address { to: Some(to), alias: None, is_urgent: false }),
                None if self.elsewhere.may_have(name) => Ok(nowhere),
                None => Err(Raise::badarg()),
            },
            View::Tuple([name, node]) if name.is_atom() && node.is_atom() => {
                let (Some(name), Some(node)) = (name.as_atom(), node.as_atom()) else {
                    return Err(Raise::badarg());
                };
                Ok(Address { to: self.whereis_on(proc, name, node), alias: None, is_urgent: false })
            }
            View::Ref(r) => {
                // A reference names its maker (see `Local::make_ref`), unless it was given.
                let (node, creation) = (r.node, r.creation);
                let maker = reverl_term::Pid { node, creation, id: r.words[1], serial: 0 };
                let given = self.elsewhere.given_aliases.get(to).copied();
                let owner = given.or_else(|| self.execution.find(maker));
                Ok(Address {
                    to: self.reached(proc, owner),
                    alias: Some(to.clone()),
                    is_urgent: false,
                })
            }
            View::Port(_) => {
                let to = self.whereis(proc, Atom::new(&to.to_string()));
                Ok(Address { to, ..nowhere })
            }
            _ => Err(Raise::badarg()),
        }
    }

    pub(crate) fn whereis(&mut self, proc: ProcId, name: Atom) -> Option<ProcId> {
        let event = self.upcoming(proc);
        self.named_on(self.node_of(proc), name, event)
    }

    fn named_on(&mut self, node: NodeId, name: Atom, event: EventRef) -> Option<ProcId> {
        match self.execution.objects.read(Object::Name(node, name), event) {
            Value::Proc(found) => Some(found),
            _ => None,
        }
    }

    /// Who has a name on a node, if that can be reached. A name is looked up when something is sent to
    /// it, as if it arrived at once.
    pub(crate) fn whereis_on(&mut self, proc: ProcId, name: Atom, node: Atom) -> Option<ProcId> {
        if node == self.node(proc) {
            return self.whereis(proc, name);
        }
        let event = self.upcoming(proc);
        let there = self.node_named(node, event)?;
        let is_reached = self.reach(event, self.node_of(proc), there);
        is_reached.then(|| self.named_on(there, name, event)).flatten()
    }

    pub(crate) fn send_message(&mut self, from: ProcId, address: Address, message: Term) -> u32 {
        let kind = match address.alias {
            Some(alias) => SignalKind::AliasMessage(alias, address.is_urgent),
            None => SignalKind::Message,
        };
        self.put_signal(from, address.to, kind, message)
    }

    /// A signal leaves; it belongs to the action that is being recorded. Returns its number.
    pub(crate) fn put_signal(
        &mut self,
        from: ProcId,
        to: Option<ProcId>,
        kind: SignalKind,
        message: Term,
    ) -> u32 {
        let sent_by = self.execution.proc(from).actions.len() as u32;
        self.put_signal_of(from, sent_by, to, kind, message)
    }

    fn put_signal_of(
        &mut self,
        from: ProcId,
        sent_by: u32,
        to: Option<ProcId>,
        kind: SignalKind,
        message: Term,
    ) -> u32 {
        let sender = self.execution.proc_mut(from);
        let k = sender.add_signal(sent_by, to, kind, Maybe::NONE, message);
        self.send_off(SignalId { from, k }, to);
        k
    }

    /// Whether what one process sends to another now is there at once. It must not overtake what
    /// is on its way already.
    #[inline]
    fn arrives_at_once(&self, from: ProcId, to: ProcId) -> bool {
        let is_clear =
            self.present.network.is_empty() || !self.present.network.contains_key(&(to, from));
        self.present.arrivals.are_at_once() && is_clear
    }

    /// It is on its way, unless it arrives at once.
    fn send_off(&mut self, id: SignalId, to: Option<ProcId>) {
        if let Some(to) = to.filter(|to| !self.arrives_at_once(id.from, *to)) {
            self.present.network.entry((to, id.from)).or_default().push_back(id);
        }
    }

    /// Signals that arrive at once do so as soon as the action that sends them is recorded.
    pub(crate) fn deliver_instantly(&mut self, from: ProcId, signals: std::ops::Range<u32>) {
        if !self.present.arrivals.are_at_once() {
            return;
        }
        if signals.len() > 1 {
            return self.deliver_in_turn(from, signals);
        }
        for k in signals {
            let id = SignalId { from, k };
            let queue =
                self.execution.signal(id).to().and_then(|to| self.present.network.get(&(to, from)));
            if !queue.is_some_and(|queue| queue.contains(&id)) {
                self.deliver(id);
            }
        }
    }

    /// As `deliver_instantly`, of several signals. One of them may end its sender, and what that
    /// sends at its end must not overtake the others: they wait in their queues.
    fn deliver_in_turn(&mut self, from: ProcId, signals: std::ops::Range<u32>) {
        let mut pairs = vec![];
        for k in signals {
            let id = SignalId { from, k };
            let Some(to) = self.execution.signal(id).to() else { continue };
            let queue = self.present.network.entry((to, from)).or_default();
            if !queue.contains(&id) {
                queue.push_back(id);
                pairs.push(to);
            }
        }
        for to in pairs {
            self.deliver_next(from, to);
        }
        // Those that came behind them.
        let behind = |s: &System| s.present.network.keys().copied().find(|(_, f)| *f == from);
        while let Some((to, _)) = behind(self).filter(|_| self.has_exited(from)) {
            self.deliver_next(from, to);
        }
    }

    pub(crate) fn deliver_next(&mut self, from: ProcId, to: ProcId) {
        let Some(queue) = self.present.network.get_mut(&(to, from)) else { return };
        let signal = queue.pop_front();
        if queue.is_empty() {
            self.present.network.remove(&(to, from));
        }
        if let Some(signal) = signal {
            self.deliver(signal);
        }
    }

    /// A signal arrives. One for a process that has ended is lost.
    pub(crate) fn deliver(&mut self, id: SignalId) {
        let Some(to) = self.execution.signal(id).to() else { return };
        let signal = self.execution.signal(id);
        if signal.is_plain() && !self.has_exited(to) {
            self.note_message(id, to);
            let signal = self.execution.signal(id);
            let message = Message { id: message_id(id), term: signal.message.clone() };
            self.arrives_over_line(id, to);
            self.record_delivery(id, to, true);
            return self.put_in_mailbox(to, message);
        }
        let (kind, message) = (self.execution.kind(id).clone(), signal.message.clone());
        if self.has_exited(to) {
            return self.arrived_too_late(id, to, &kind, message);
        }
        let is_end_with_node = self.has_nodes() && self.is_end_with_node(id);
        if let (SignalKind::Exit { .. }, Some(held)) = (&kind, self.present.arrivals.held_mut()) {
            // A process's signal to itself has arrived when the call returns.
            if id.from != to && !is_end_with_node && held.keeps_exit(id) {
                return;
            }
        }
        self.arrives_over_line(id, to);
        let event = EventRef::delivery(to, self.execution.proc(to).deliveries.len());
        if kind.depends_on_ties() {
            self.execution.proc_mut(to).add_tie_delivery();
        }
        let mut killed = None;
        let is_urgent = self.is_urgent(id, to, &kind, &message);
        let in_mailbox = match kind {
            SignalKind::Message | SignalKind::Timer => true,
            SignalKind::Unsent => unreachable!("it was not sent"),
            SignalKind::AliasMessage(alias, _) => self.through_alias(to, &alias),
            SignalKind::Down => {
                let reference = message.as_tuple().map(|t| t[1].clone()).unwrap_or_default();
                let live = self.running_mut(to).relations_mut();
                live.aliases.retain(|r, a| *r != reference || *a == Alias::Explicit);
                live.monitors.remove(&reference).is_some_and(|watched| !watched.is_answered)
            }
            SignalKind::Exit { linked, reason } => {
                // What becomes of it depends on the flag: setting that is in conflict.
                self.execution.objects.read(Object::TrapExit(to), event);
                let other = self.execution.tied_by(id);
                let is_lost = self.execution.is_of_lost_link(id);
                let was_linked = !linked || self.running_mut(to).end_link(other, is_lost);
                let trapping = self.running(to).process.local.trap_exit;
                let kill = !linked && reason.is_atom_eq(atoms::KILL);
                let in_mailbox = if !was_linked {
                    false
                } else if kill {
                    killed = Some(Term::atom(atoms::KILLED));
                    false
                } else if trapping {
                    true
                } else {
                    let ignored = reason.is_atom_eq(atoms::NORMAL) && (linked || id.from != to);
                    if !ignored {
                        killed = Some(reason);
                    }
                    false
                };
                if linked && was_linked && killed.is_none() {
                    self.note_link(other, to, "getting_unlinked");
                }
                in_mailbox
            }
            SignalKind::Link => {
                self.running_mut(to).relations_mut().links.insert(id.from);
                self.note_link(id.from, to, "getting_linked");
                false
            }
            SignalKind::Unlink => {
                if self.running_mut(to).relations_mut().links.remove(&id.from) {
                    self.note_link(id.from, to, "getting_unlinked");
                }
                false
            }
            SignalKind::Monitor => {
                let parts = message.as_tuple().expect("made by `monitor`").to_vec();
                let [reference, what, tag] = <[Term; 3]>::try_from(parts).expect("three");
                let watcher = Watcher { reference, watcher: id.from, what, tag };
                self.running_mut(to).relations_mut().watchers.push(watcher);
                false
            }
            SignalKind::Demonitor => {
                self.running_mut(to).relations_mut().watchers.retain(|w| w.reference != message);
                false
            }
            SignalKind::GroupLeader => {
                let event = EventRef::delivery(to, self.execution.proc(to).deliveries.len());
                self.execution.look_at(to, event);
                self.execution.proc_mut(to).add_leader();
                self.running_mut(to).relations_mut().leader = Some(message.clone());
                false
            }
        };
        if in_mailbox {
            self.note_message(id, to);
        }
        self.record_delivery(id, to, in_mailbox);
        if in_mailbox {
            let message = Message { id: message_id(id), term: message };
            match is_urgent {
                true => self.put_urgent_in_mailbox(to, message),
                false => self.put_in_mailbox(to, message),
            }
        }
        if let Some(reason) = killed {
            let by = self.execution.proc(to).deliveries.len() as u32 - 1;
            self.exit(to, reason, None, None, Some(Killer::Signal(by)));
        }
    }

    fn put_in_mailbox(&mut self, to: ProcId, message: Message) {
        if let Some(held) = self.present.arrivals.held_mut() {
            held.add(to, crate::system::signal_of(message.id));
            if self.running(to).process.steps() == 0 {
                // Processes of the system begin with their first message.
                self.make_ready(to);
            }
            return;
        }
        self.running_mut(to).process.deliver(message);
        self.make_ready(to);
    }

    /// A message that goes before ordinary ones. While messages are held, what is received first is
    /// said from outside.
    fn put_urgent_in_mailbox(&mut self, to: ProcId, message: Message) {
        if self.present.arrivals.held_mut().is_some() {
            return self.put_in_mailbox(to, message);
        }
        let delivery = self.execution.proc(to).deliveries.len() - 1;
        self.execution.proc_mut(to).deliveries[delivery].make_urgent();
        self.running_mut(to).process.deliver_urgent(message);
        self.make_ready(to);
    }

    /// Whether the receiver has asked for this to go before ordinary messages.
    fn is_urgent(&self, id: SignalId, to: ProcId, kind: &SignalKind, message: &Term) -> bool {
        let Some(relations) = self.running(to).relations() else { return false };
        match kind {
            SignalKind::AliasMessage(alias, true) => relations.urgent.contains(alias),
            SignalKind::Down => {
                message.as_tuple().is_some_and(|parts| relations.urgent.contains(&parts[1]))
            }
            SignalKind::Exit { linked: true, .. } => {
                relations.urgent_links.contains(&self.execution.tied_by(id))
            }
            _ => false,
        }
    }

    fn record_delivery(&mut self, signal: SignalId, to: ProcId, in_mailbox: bool) {
        let index = self.add_delivery(signal, to, in_mailbox);
        self.execution.signal_mut(signal).delivery = Maybe::some(index);
    }

    #[inline(always)]
    fn add_delivery(&mut self, signal: SignalId, to: ProcId, in_mailbox: bool) -> u32 {
        let order = self.execution.event_count() as u32;
        let p = self.execution.proc_mut(to);
        let index = p.deliveries.len();
        p.deliveries.push(Delivery::new(signal, p.actions.len(), in_mailbox, order));
        self.execution.order.push_delivery(to);
        index as u32
    }

    fn through_alias(&mut self, to: ProcId, alias: &Term) -> bool {
        let live = self.running_mut(to).relations_mut();
        match live.aliases.get(alias) {
            None => false,
            Some(Alias::Reply) => {
                live.aliases.remove(alias);
                if let Some(watched) = live.monitors.get_mut(alias) {
                    watched.is_answered = true;
                }
                true
            }
            Some(_) => true,
        }
    }

    /// Who links to or monitors a process that has ended is told so.
    fn arrived_too_late(&mut self, id: SignalId, dead: ProcId, kind: &SignalKind, message: Term) {
        let noproc = Term::atom(atoms::NOPROC);
        let (kind, message) = match kind {
            SignalKind::Link => {
                let exit = exit_message(self.pid(dead), noproc.clone());
                (SignalKind::Exit { linked: true, reason: noproc }, exit)
            }
            SignalKind::Monitor => {
                let parts = message.as_tuple().expect("made by `monitor`");
                let down = down_message(&parts[2], &parts[0], &parts[1], noproc);
                (SignalKind::Down, down)
            }
            _ => return,
        };
        let exit = self.execution.proc(dead).actions.len() as u32 - 1;
        let to = Some(id.from);
        let k = match self.in_hand.answer_number.take() {
            Some(k) => {
                let p = self.execution.proc_mut(dead);
                p.add_signal_as(k, exit, to, kind, message);
                self.send_off(SignalId { from: dead, k }, to);
                k
            }
            None => self.put_signal_of(dead, exit, to, kind, message),
        };
        let reply = SignalId { from: dead, k };
        self.execution.late.insert(id, reply);
        self.execution.late_reply_to.insert(reply, id);
        self.deliver_instantly(dead, k..k + 1);
    }

    // -- Ends

    /// The process ends: its names and tables go, links and monitors are told.
    pub(crate) fn exit(
        &mut self,
        proc: ProcId,
        reason: Term,
        exception: Option<Exception>,
        value: Option<Term>,
        killed_by: Option<Killer>,
    ) {
        self.forget_wait(proc);
        if killed_by.is_some() {
            self.running_mut(proc).process.kill(reason.clone());
        }
        // A request that is not answered is not a step that was taken.
        let mut taken = self.execution.proc(proc).steps;
        if self.asked(proc).is_none() {
            taken = taken.max(self.running(proc).process.steps());
        }
        let event = self.upcoming(proc);
        let objects = &mut self.execution.objects;
        objects.write(Object::Life(proc), event, Value::Nothing);
        self.change_population(event, self.node_of(proc));
        let objects = &mut self.execution.objects;
        if objects.map.contains_key(&Object::NameOf(proc)) {
            // Whether a name goes with it.
            objects.read(Object::NameOf(proc), event);
        }
        let name = self.running_mut(proc).name.take();
        if let Some(name) = name {
            self.set_name(proc, name, event, Value::Nothing);
        }
        let first = self.execution.proc(proc).signals.len() as u32;
        self.tell_end(proc, &reason, name);
        if self.has_nodes() && self.is_of_node(proc) {
            self.node_ends(proc, event);
        }
        self.drop_tables(proc, event);
        let own = self.pid(proc);
        let ties = self.running_mut(proc).take_relations();
        // Had it ended before the connections that tied it to others did, these would know.
        for other in ties.lost_nodes {
            self.look_at_line(event, self.node_of(proc), other);
        }
        for linked in ties.links {
            // A tie to another node is there only as long as the connection.
            if !self.is_joined(proc, linked) {
                continue;
            }
            let message = exit_message(own.clone(), reason.clone());
            let kind = SignalKind::Exit { linked: true, reason: reason.clone() };
            self.put_signal(proc, Some(linked), kind, message);
        }
        for w in ties.watchers {
            if !self.is_joined(proc, w.watcher) {
                continue;
            }
            let message = down_message(&w.tag, &w.reference, &w.what, reason.clone());
            self.put_signal(proc, Some(w.watcher), SignalKind::Down, message);
        }
        // It no longer watches anybody.
        let mut monitors: Vec<_> = ties.monitors.into_iter().collect();
        monitors.sort_by(|(a, _), (b, _)| reverl_term::compare(a, b));
        for (reference, watched) in monitors {
            if watched.proc != proc && self.is_joined(proc, watched.proc) {
                self.put_signal(proc, Some(watched.proc), SignalKind::Demonitor, reference);
            }
        }
        self.report_crash(proc, &reason, exception.as_ref());
        let signals = first..self.execution.proc(proc).signals.len() as u32;
        let step = taken + 1;
        let exited = Exited { reason, exception, value, killed_by, signals: signals.clone() };
        let pc = self.running(proc).process.pc();
        self.record(proc, step, pc, PackedAction::exit(exited));
        let p = self.execution.proc_mut(proc);
        (p.steps, p.has_exited) = (step, true);
        self.deliver_instantly(proc, signals);
    }

    /// The number that the message of a timer will have when it fires, whenever that is, and the
    /// number of the action in hand, which starts it.
    pub(crate) fn reserve_timer_signal(&mut self, owner: ProcId, message: Term) -> (u32, u32) {
        let started_by = self.execution.proc(owner).actions.len() as u32;
        let p = self.execution.proc_mut(owner);
        let k = p.add_signal(started_by, None, SignalKind::Timer, Maybe::NONE, message);
        self.execution.timers.insert(EventRef::action(owner, started_by as usize), k);
        (started_by, k)
    }

    pub(crate) fn timer_fired(&mut self, timer: SendTimer) {
        let id = timer.signal();
        let node = self.node_of(timer.owner);
        let SendTimer { reference, to, .. } = timer;
        let name = to.as_atom();
        let to = match (to.as_pid(), name) {
            (Some(pid), _) => self.execution.find(pid),
            (None, Some(name)) => match self.execution.objects.value(Object::Name(node, name)) {
                Value::Proc(found) => Some(*found),
                _ => None,
            },
            _ => None,
        };
        self.execution.signal_mut(id).set_to(to);
        if let Some(to) = to.filter(|to| !self.has_exited(*to)) {
            // Its arrival is the end of the timer, and finding somebody by name a look at that.
            let event = EventRef::delivery(to, self.execution.proc(to).deliveries.len());
            let objects = &mut self.execution.objects;
            if let View::Ref(reference) = reference.view() {
                objects.write(Object::Timer(*reference), event, Value::Nothing);
            }
            if let Some(name) = name {
                objects.read(Object::Name(node, name), event);
            }
        }
        // A timer's message does not travel: it is there when the timer fires.
        self.deliver(id);
    }
}

pub(crate) fn exit_message(from: Term, reason: Term) -> Term {
    Term::tuple(vec![Term::atom(atoms::EXIT_UPPER), from, reason])
}

pub(crate) fn down_message(tag: &Term, reference: &Term, what: &Term, reason: Term) -> Term {
    let kind = if what.as_port().is_some() { Atom::new("port") } else { atoms::PROCESS };
    Term::tuple(vec![tag.clone(), reference.clone(), Term::atom(kind), what.clone(), reason])
}
