// Generated from the structs of `crates/session/src/query` and of the server: do not edit.
// `UPDATE_TYPES=1 cargo test -p reverl --bin reverl` writes it anew.

/**
 * What a page asks a session to do.
 */
export type Action = { command: CommandInput, proc?: number | null, } | { move: MoveDirection, } | { place: PlaceSpec, } | { ask: DialogueStep, };

/**
 * What came of a failure.
 */
export type AroundFailure = {
/**
 * The processes that its supervisor started in its place, one after the other.
 */
restarted_as: Array<ProcRef>,
/**
 * Those that ended because of it.
 */
ended_with_it: Array<ProcRef>, };

/**
 * What is guaranteed about the arrival of messages.
 */
export type Arrival = "pair" | "instant";

/**
 * How an arrow is drawn, by what it stands for.
 */
export type Arrow = { "kind": "message", id: string, from: [number, number],
/**
 * It has no column if it has not arrived.
 */
to: [number | null, number], delivered: number | null, received: boolean, flags: number,
/**
 * The flags of its end.
 */
end: number, } | { "kind": "spawn", from: [number, number], to: [number, number], flags: number, };

/**
 * A question that was answered.
 */
export type Asked = { question: string, at: string, pid: string, answer: string,
/**
 * `user`, or who answered instead.
 */
by: string, };

/**
 * The rule by which one event comes directly before another, and that other.
 */
export type Because = {
/**
 * The kind of edge, as docs/semantics.md calls it.
 */
rule: string,
/**
 * The same as a sentence about the later event.
 */
text: string,
/**
 * The earlier event.
 */
event: string, };

/**
 * A process: what it was called with, and what came of it.
 */
export type Beginning = { proc: number, pid: string, first_call: string, result: string, sent: Array<string>, created: Array<string>, };

/**
 * The behaviour that a process runs.
 */
export type Behaviour = "gen_server" | "gen_statem" | "gen_event" | "supervisor";

/**
 * A variable with its value.
 */
export type Binding = { name: string, text: string, kind: TermKind, opens: boolean, };

/**
 * One branch on the map.
 */
export type BranchBar = { name: string, is_current: boolean,
/**
 * What its processes did.
 */
actions: number,
/**
 * The earlier branch that it is most like, and how much of it is alike.
 */
parent: string | null, alike: number, depth: number,
/**
 * How it ended, in words.
 */
end: string, };

/**
 * All branches, each below the one that it parts from.
 */
export type BranchMap = { branches: Array<BranchBar>, };

/**
 * Asks for the branches as a tree.
 */
export type BranchMapQuery = Record<symbol, never>;

/**
 * One branch.
 */
export type BranchRow = { name: string, events: number, current: boolean, };

/**
 * A breakpoint that is asked for.
 */
export type BreakSpec = { at: StopAt,
/**
 * An Erlang expression that has to be true there.
 */
condition?: string | null, lifetime?: Lifetime,
/**
 * Which of the times that a process comes there.
 */
hits?: HitRule | null, };

/**
 * The breakpoints.
 */
export type BreakpointList = { breakpoints: Array<BreakpointRow>, };

/**
 * One breakpoint.
 */
export type BreakpointRow = { id: number,
/**
 * As it was typed.
 */
text: string, lifetime: Lifetime,
/**
 * So many stops it lets pass.
 */
ignored: number,
/**
 * What is done at each stop.
 */
commands: Array<string>, };

/**
 * Asks for the breakpoints.
 */
export type BreakpointsQuery = Record<symbol, never>;

/**
 * What is going on.
 */
export type BusyView = { ticket: number, what: string, seconds: number, events: number, };

/**
 * A call in progress.
 */
export type CallRow = { function: string, owner: CodeOwner, file: string | null, line: number | null, bindings: Array<Binding>, };

/**
 * A call, from its sending to its reply.
 */
export type CallSpan = {
/**
 * Who calls.
 */
proc: number, from: number,
/**
 * None: no reply was received.
 */
to: number | null, text: string, };

/**
 * A message that changed a state.
 */
export type ChangeRow = {
/**
 * Its receive.
 */
event: EventRow,
/**
 * What it was; none if it was not there.
 */
before: ShownTerm | null, after: ShownTerm | null,
/**
 * The parts that are others now, if they are few.
 */
parts: Array<PartChange>, };

/**
 * An expression of one process.
 */
export type ChangeSpec = { expression: string,
/**
 * As a command names it.
 */
process: string,
/**
 * The function whose variables are meant, as `module:name/arity`; else those of all.
 */
function?: string | null,
/**
 * It is about the state that a server keeps, which is called `State` in it.
 */
of_state?: boolean, };

/**
 * Asks which events changed a part of a server's state.
 */
export type ChangesQuery = {
/**
 * Which part of the state is asked about.
 */
path?: Array<number>, proc?: number | null, at?: MomentSpec | null, };

/**
 * What is to happen instead of what did.
 */
export type Chosen = { "message": string } | { "timeout": string } | { "value": { name: string,
/**
 * What it is, as an expression of Erlang.
 */
expression: string, at: ProcessMoment, } } | { "nodes": NodeChange } | { "kill": {
/**
 * The reason of its exit, as an expression; `killed` unless given.
 */
reason?: string | null, at: ProcessMoment, } };

/**
 * One clause of a receive with the reason why it did not take the message.
 */
export type ClauseRow = {
/**
 * The pattern, with its guard.
 */
text: string, verdict: ClauseVerdict, };

/**
 * What a clause says to values.
 */
export type ClauseVerdict = "takes" | "pattern" | "guard" | "unknown";

/**
 * The lines of a file on which a run can stop.
 */
export type CodeLines = { lines: Array<number>, };

/**
 * Asks for the lines of a file on which a run can stop.
 */
export type CodeLinesQuery = {
/**
 * As stack traces name it.
 */
file: string, from?: number, to?: number | null, };

/**
 * Whose code something is in.
 */
export type CodeOwner = "own" | "library";

/**
 * In which code a walk can end.
 */
export type CodeScope = "own" | "all";

/**
 * A command. The table in `table.rs` has the words in which each is typed.
 */
export type Command = { "step": { count?: number | null, unit?: Unit | null, process?: ProcessRef | null, } } | { "next": { count?: number | null, process?: ProcessRef | null, } } | { "finish": { process?: ProcessRef | null, } } | { "continue": { process?: ProcessRef | null, } } | { "reverse-step": { count?: number | null, unit?: Unit | null, process?: ProcessRef | null, } } | { "reverse-next": { count?: number | null, process?: ProcessRef | null, } } | { "reverse-finish": {
/**
 * Calls further out.
 */
count?: number | null, process?: ProcessRef | null, } } | { "reverse-continue": { all?: boolean | null, process?: ProcessRef | null, } } | { "run": {
/**
 * None: to the end, or to a breakpoint.
 */
choices?: number | null, } } | { "back": { count?: number | null, } } | { "deliver": { what?: DeliverWhat | null, } } | { "choose": Chosen } | { "take": Chosen } | { "adopt": { file: string, } } | { "compare": { name: string, } } | { "changes": { process?: ProcessRef | null, } } | { "info": { about: InfoAbout, process?: ProcessRef | null, } } | { "logged": LogSpec } | { "why-before": { first: string, second: string, } } | { "notation": { process?: ProcessRef | null, } } | { "why-not": { message: string, } } | { "explore": { most?: number | null, } } | { "undo": { target: TargetSpec, dry_run?: boolean | null, } } | { "redo": { target: TargetSpec, dry_run?: boolean | null, } } | { "alone": { command: Command, } } | { "undo-one": { process?: ProcessRef | null, } } | { "redo-one": { process?: ProcessRef | null, } } | { "goto": { process: ProcessRef, step: number, } } | { "goto-mark": { name: string, } } | { "goto-failure": { which?: number | null, } } | { "goto-origin": { expression: string, } } | { "note": { event?: string | null, text: string, } } | "notes" | { "unnote": { number: number, } } | "report" | { "mark": { name: string, } } | { "unmark": { name: string, } } | "marks" | { "values": { expression: string, } } | { "last": { expression: string, } } | { "find": { value: string, } } | { "break": BreakSpec } | "breaks" | { "watch": { expression: string, } } | { "ignore": { id: number, count: number, } } | { "commands": { id: number, commands: Command[], } } | { "display": { expression?: string | null, } } | { "undisplay": { id?: number | null, } } | { "until": { place?: StopAt | null, } } | { "delete": { id?: number | null, } } | { "ps": {
/**
 * All of them, one on each line.
 */
all?: boolean | null, } } | { "process": { process: ProcessRef, } } | { "bindings": { all?: boolean | null,
/**
 * Only those that what is left of the function needs.
 */
needed?: boolean | null, process?: ProcessRef | null, } } | { "where": { process?: ProcessRef | null, } } | { "up": { count?: number | null, } } | { "down": { count?: number | null, } } | { "frame": { level?: number | null, } } | { "source": { process?: ProcessRef | null, } } | { "mailbox": { process?: ProcessRef | null, } } | "network" | { "history": { process?: ProcessRef | null,
/**
 * The last of them.
 */
most?: number | null, } } | { "steps": { process?: ProcessRef | null,
/**
 * The last of them.
 */
most?: number | null, } } | { "log": { process?: ProcessRef | null, } } | { "trace": { most?: number | null, } } | { "events": { by?: SearchBy | null, text?: string | null, most?: number | null, } } | "rolllog" | "enabled" | "problems" | { "failure": { which?: number | null, } } | { "at": { event: string, look: Command, } } | "races" | "race-senders" | "output" | { "print": { expression: string, } } | { "why": { variable: string, } } | "branches" | { "branch": { name: string, } } | { "set": Setting } | { "save": { file: string, } } | { "load": { file: string, } } | "restart" | { "help": { command?: string | null, } } | "quit";

/**
 * A command as help shows it.
 */
export type CommandHelp = { name: string, short: Array<string>, usage: string,
/**
 * One way to type it.
 */
example: string, help: string, };

/**
 * A command as a face sends it: as it would be typed, or as data.
 */
export type CommandInput = Command | string;

/**
 * What a command does to the session.
 */
export type CommandKind = "looks" | "moves" | "runs-on" | "sets" | "replaces" | "leaves";

/**
 * Asks for the text of a command that only looks.
 */
export type CommandQuery = { command: CommandInput, proc?: number | null, };

/**
 * Asks where two executions differ.
 */
export type CompareQuery = {
/**
 * The name of the other branch.
 */
with: string,
/**
 * One process, or none: all that differ.
 */
proc?: number, count?: number, };

/**
 * How two branches ended, and which processes differ.
 */
export type ComparedBranches = { here: string, there: string,
/**
 * How each of them ended, in words.
 */
here_end: string, there_end: string,
/**
 * How many processes differ, and the first of them.
 */
differ: number, processes: Array<ComparedProcess>, };

/**
 * One process in both executions, from where it differs.
 */
export type ComparedEvents = { same: number, here: Array<EventRow>, there: Array<EventRow>, };

/**
 * Two executions as one picture.
 */
export type ComparedPicture = { here: string, there: string, lanes: Array<ProcRef>,
/**
 * Processes that differ and have no lane.
 */
more_lanes: number, events: Array<PicturedEvent>, messages: Array<PicturedMessage>, columns: number,
/**
 * The first events that only one of them has, by their places in the list: before them all
 * that happened in either is the same.
 */
first: Array<number>,
/**
 * Later events are not drawn.
 */
has_more: boolean, };

/**
 * How one process differs between two branches.
 */
export type ComparedProcess = {
/**
 * How many of its actions are alike.
 */
same: number, here: ComparedSide, there: ComparedSide, proc: number, pid: string,
/**
 * The registered name, which it keeps after its end.
 */
name: string | null,
/**
 * What people call it.
 */
called: string, };

/**
 * How a process went on in one of two executions.
 */
export type ComparedSide = {
/**
 * How much it did, if it was there.
 */
events: number | null,
/**
 * The first thing that it did otherwise.
 */
next: string | null, };

/**
 * What is compared with the current execution.
 */
export type Comparison = ComparedBranches | ComparedEvents;

/**
 * A crash on the map.
 */
export type CrashMark = { column: number, row: number, };

/**
 * Which message is to arrive.
 */
export type DeliverWhat = { "message": string } | { "between": { from: ProcessRef, to: ProcessRef, } };

/**
 * When a message arrives.
 */
export type DeliveryMode = "instant" | "manual";

/**
 * For each lane one digit per bucket: 0 nothing, each further digit about twice as many.
 */
export type Density = { buckets: number, rows: Array<string>,
/**
 * The messages between two lanes in one part of the window, together; none of a window that has
 * too many.
 */
bundles: Array<MessageBundle>, };

/**
 * Asks for a window of the diagram.
 */
export type DiagramQuery = {
/**
 * The processes that have a lane, those whose descendants are drawn with them, and those that
 * were put away.
 */
lanes: Array<number>, folded?: Array<number>, hidden?: Array<number>, select?: string | null, buckets?: number,
/**
 * So many events there is room for one by one.
 */
most?: number, from?: number, to?: number, scale?: Scale,
/**
 * Those of these processes.
 */
among?: Array<number> | null,
/**
 * Without what concerns libraries alone, and without arrivals of what was received. Where these
 * are too many to look at, it is not heeded.
 */
telling?: boolean, };

/**
 * What is drawn of the diagram: lanes, marks and arrows within a window.
 */
export type DiagramWindow = {
/**
 * The length of the time axis.
 */
columns: number, from: number, to: number, lanes: Array<Lane>,
/**
 * The first column that has something outside the cut.
 */
frontier: number, selected: SelectedEvent | null, drawn: Drawn, };

/**
 * Where one can begin, and how.
 */
export type DialogueChoices = { processes: Array<Beginning>, strategies: Array<string>, };

/**
 * Asks where the dialogue stands.
 */
export type DialogueQuery = Record<symbol, never>;

/**
 * Where something wrong was seen: at an event, in a process, or anywhere.
 */
export type DialogueStart = { event?: string, process?: number, strategy?: string, };

/**
 * Where a dialogue stands.
 */
export type DialogueState = {
/**
 * Why it cannot go on here: the session shows another execution.
 */
elsewhere: string | null, question: QuestionRow | null, why: string | null, suspects: number, asked: Array<Asked>, over: boolean, verdict: Verdict | null, strategy: string,
/**
 * What the computation in question did itself, step by step.
 */
inside: Array<Part>, };

/**
 * What is said to a dialogue.
 */
export type DialogueStep = { "begin": DialogueStart } | { "option": number } | { "say": SaidWord } | { "undo": number } | { "strategy": string } | { "end": boolean };

/**
 * The question to be answered, or where to begin.
 */
export type DialogueView = { dialogue: DialogueState, } | DialogueChoices;

/**
 * What came of an action.
 */
export type Done = { ok: boolean,
/**
 * The command as it would be typed.
 */
command: string | null,
/**
 * What kind of command it was.
 */
kind: CommandKind | null,
/**
 * How a move came about.
 */
moved: MoveKind | null, text: string, error: string | null, data: unknown, };

/**
 * What there is room for.
 */
export type Drawn = { "detail": DrawnEvents } | { "density": Density };

/**
 * Column, process, kind, flags, chain (0: actions, 1: deliveries), number in the chain. Kinds: `s`
 * send, `r` receive, `d` deliver, `p` spawn, `x` exit, `X` crash, `t` time-out, `o` output, `g`
 * signal, `c` any other. Flags: 1 in the cut, 2 a cause, 4 a consequence of the selected event.
 */
export type DrawnEvent = [number, number, string, number, number, number];

/**
 * Events one by one, with texts beside them if there are few.
 */
export type DrawnEvents = { events: Array<DrawnEvent>, labels: Array<string>, arrows: Array<Arrow>, through: Array<HiddenArrow>, spans: Array<CallSpan>, };

/**
 * Asks what could happen next.
 */
export type EnabledQuery = Record<symbol, never>;

/**
 * One thing that could happen next.
 */
export type EnabledStep = { "run": ProcRef } | { "deliver": { message: string, what: string, from: ProcRef, to: ProcRef, } } | { "replay": ProcRef };

/**
 * All that could happen next.
 */
export type EnabledSteps = { enabled: Array<EnabledStep>, };

/**
 * A command about the event, and what it would move.
 */
export type EventChoice = { label: string, command: Command, moves: Size | null, };

/**
 * What an event was, in one word.
 */
export type EventKind = "send" | "receive" | "deliver" | "spawn" | "exit" | "timeout" | "register" | "unregister" | "output" | "call" | "signal" | "table" | "assign";

/**
 * Events with the number of those left out.
 */
export type EventList = {
/**
 * How many there are; the list may have fewer.
 */
count: number, events: Array<EventRow>, };

/**
 * Why one event comes before another, from the cause to the consequence.
 */
export type EventOrder = { order: OrderKind, way: Array<OrderHop>, };

/**
 * Asks for one event with its causes and consequences.
 */
export type EventQuery = { event: string, };

/**
 * One event in one line.
 */
export type EventRow = {
/**
 * `2a5`: the sixth action of process 2; `2d0`: the first delivery to it.
 */
event: string, path: string, step: number, kind: EventKind, weight: EventWeight,
/**
 * What it was, without who and where.
 */
text: string,
/**
 * `file:line`
 */
at: string,
/**
 * Of an event in a library: the line of the program's own code that led to it. What is only
 * searched through does not have it.
 */
own_at: string | null,
/**
 * `#84.2`, of a send, delivery or receive.
 */
message_id: string | null, message: string | null, proc: number, pid: string,
/**
 * The registered name, which it keeps after its end.
 */
name: string | null,
/**
 * What people call it.
 */
called: string, };

/**
 * One event with its direct causes and consequences.
 */
export type EventView = {
/**
 * Its place in the order of all events.
 */
order: number, causes: number, consequences: number, term: ShownTerm | null, related: Array<RelatedEvent>, choices: Array<EventChoice>,
/**
 * Of a receive: what it could have taken instead.
 */
racing: Array<RacingMessage>,
/**
 * What could be tried instead of it.
 */
what_ifs: Array<WhatIf>,
/**
 * `2a5`: the sixth action of process 2; `2d0`: the first delivery to it.
 */
event: string, path: string, step: number, kind: EventKind, weight: EventWeight,
/**
 * What it was, without who and where.
 */
text: string,
/**
 * `file:line`
 */
at: string,
/**
 * Of an event in a library: the line of the program's own code that led to it. What is only
 * searched through does not have it.
 */
own_at: string | null,
/**
 * `#84.2`, of a send, delivery or receive.
 */
message_id: string | null, message: string | null, proc: number, pid: string,
/**
 * The registered name, which it keeps after its end.
 */
name: string | null,
/**
 * What people call it.
 */
called: string, };

/**
 * To whom an event matters.
 */
export type EventWeight = "main" | "internal";

/**
 * At which exceptions a run stops.
 */
export type ExceptionStop = "error" | "exit" | "throw" | "uncaught" | "crash";

/**
 * How far a search is, and what it has found.
 */
export type ExplorationView = { running: boolean, visited: number,
/**
 * Why it ended before its time.
 */
trouble: string | null, executions: number,
/**
 * No execution was left out.
 */
complete: boolean,
/**
 * Things whose orders were not explored.
 */
unexplored: Array<string>, cut_off: number,
/**
 * Executions with more delays than allowed were left out.
 */
left_out: boolean, out_of_memory: boolean,
/**
 * If executions were drawn at random, what that promises.
 */
sampled: Sampled | null,
/**
 * What the search took for granted, in words.
 */
assumed: string | null, seconds: number, results: Array<ResultCount>, failures: Array<FailureGroup>, };

/**
 * What the page asks to explore.
 */
export type ExploreRequest = { delivery?: Arrival, executions?: number,
/**
 * Ends a search instead of beginning one.
 */
stop?: boolean, };

/**
 * One failure with all that is known about it.
 */
export type FailureCard = {
/**
 * The whole reason.
 */
reason: string,
/**
 * When it was raised: what is shown is what was so then.
 */
moment: MomentSpec | null, serving: Serving | null,
/**
 * What came of it: restarts, others that ended with it.
 */
after: AroundFailure,
/**
 * The lines around it.
 */
file: string | null, lines: Array<SourceLine>,
/**
 * From where to where in its line the expression stands, counted from 1.
 */
columns: [number, number] | null, bindings: Array<Binding>,
/**
 * Of a deadlock: who waits for whom.
 */
waits: Array<WaitRow>, test: TestReport | null,
/**
 * Where the value came from that the reason is about.
 */
why: Reason | null, kind: FailureKind,
/**
 * `shelf_13 crashed: there is no key cheese`
 */
headline: string,
/**
 * `file:line`, in the program's own code if that is known.
 */
at: string,
/**
 * The event to look at.
 */
event: string | null, proc: number, pid: string,
/**
 * The registered name, which it keeps after its end.
 */
name: string | null,
/**
 * What people call it.
 */
called: string, };

/**
 * Executions that fail in one way.
 */
export type FailureGroup = {
/**
 * It is told, but does not make the search fail.
 */
is_warning: boolean,
/**
 * Somebody has said that it is known, so that it does not make the search fail either.
 */
is_known: boolean, count: number,
/**
 * The race that decides about it, in a sentence.
 */
decisive: string | null,
/**
 * What happens in one of them.
 */
story: Array<string>,
/**
 * After this line of the story, counted from 1, it fails so whatever comes next; 0 if it always
 * fails so.
 */
inevitable: number | null,
/**
 * What that line tells, in the execution that was kept.
 */
inevitable_at: InevitableAt | null,
/**
 * The seed of a random execution that fails so.
 */
seed: number | null,
/**
 * Where one of them was saved, to be walked through.
 */
recording: string | null,
/**
 * The branch that one of them became.
 */
branch: string | null, kind: FailureKind,
/**
 * `file:line`, in words.
 */
at: string, reason: string, };

/**
 * What went wrong, in one word; the worst first.
 */
export type FailureKind = "crashed" | "assertion" | "killed" | "property" | "invariant" | "linearizability" | "halted" | "failed" | "deadlock" | "blocked" | "idle" | "lost" | "orphan" | "unreceived" | "limit";

/**
 * Asks for the report of a failure.
 */
export type FailureQuery = {
/**
 * Which of the failures is shown in full; the first unless given.
 */
which?: number, };

/**
 * All failures of an execution, the worst first, and one of them in full.
 */
export type FailureReport = {
/**
 * How many there are; the list may have fewer.
 */
count: number, failures: Array<FailureRow>, card: FailureCard | null,
/**
 * Where the replay of a recording did something else than was recorded.
 */
departed: string | null,
/**
 * What else a recording does not show as it was.
 */
notices: Array<string>, };

/**
 * One failure in a line.
 */
export type FailureRow = { kind: FailureKind,
/**
 * `shelf_13 crashed: there is no key cheese`
 */
headline: string,
/**
 * `file:line`, in the program's own code if that is known.
 */
at: string,
/**
 * The event to look at.
 */
event: string | null, proc: number, pid: string,
/**
 * The registered name, which it keeps after its end.
 */
name: string | null,
/**
 * What people call it.
 */
called: string, };

/**
 * One process, or several that are alike.
 */
export type FamilyRow = { depth: number,
/**
 * Of several that are alike, how many more there are than this one.
 */
more: number, behaviour: Behaviour | null, children: number, state: ProcessState,
/**
 * What it is about: `idle`, `waits`, `crashed: ...`.
 */
about: string, mailbox: number,
/**
 * The processes that were started in its place.
 */
restarted_as: Array<ProcRef>, proc: number, pid: string,
/**
 * The registered name, which it keeps after its end.
 */
name: string | null,
/**
 * What people call it.
 */
called: string, };

/**
 * Who started whom.
 */
export type FamilyTree = {
/**
 * The process that commands are about.
 */
current: number, rows: Array<FamilyRow>,
/**
 * Processes of the runtime.
 */
runtime: number, };

/**
 * Asks for the source files.
 */
export type FilesQuery = Record<symbol, never>;

/**
 * A receive that could have taken another message.
 */
export type Fork = { event: string, proc: number, column: number, arms: Array<ForkArm>, };

/**
 * A message that could have been taken at a fork.
 */
export type ForkArm = {
/**
 * `#84.2`
 */
message: string, text: string,
/**
 * Who sent it, and when.
 */
from: number, column: number, };

/**
 * The forks of a window.
 */
export type Forks = { forks: Array<Fork>,
/**
 * There are more: it took too long to look at all.
 */
more: boolean, };

/**
 * Asks which receives of a window of the diagram could have gone otherwise.
 */
export type ForksQuery = { lanes: Array<number>, from?: number, to?: number, scale?: Scale,
/**
 * Those of these processes.
 */
among?: Array<number> | null,
/**
 * Without what concerns libraries alone, and without arrivals of what was received. Where these
 * are too many to look at, it is not heeded.
 */
telling?: boolean, };

/**
 * What a search found.
 */
export type FoundEvents = {
/**
 * How many fit among those that were looked at.
 */
count: number, events: Array<EventRow>,
/**
 * Where to go on; none at the end.
 */
next: number | null, looked_at: number, of: number, };

/**
 * Functions that were found.
 */
export type FunctionList = { functions: Array<FunctionRow>, };

/**
 * A function and where it stands.
 */
export type FunctionRow = {
/**
 * `module:name/arity`
 */
function: string,
/**
 * `file:line`
 */
at: string, };

/**
 * Asks for functions by a part of their name.
 */
export type FunctionsQuery = { text: string, count?: number, };

/**
 * The commands with what they do.
 */
export type HelpList = { commands: Array<CommandHelp>, };

/**
 * Asks for the commands.
 */
export type HelpQuery = Record<symbol, never>;

/**
 * An arrow between visible processes that passes through hidden ones.
 */
export type HiddenArrow = { from: [number, number], to: [number, number], flags: number, };

/**
 * Asks for the events of a process up to the cut.
 */
export type HistoryQuery = { proc: number, count?: number, };

/**
 * Which of the times count that a breakpoint was come to, over the whole execution. Going back,
 * the same ones do.
 */
export type HitRule = { "exactly": number } | { "at-least": number } | { "every": number };

/**
 * The event after which a failure could not be avoided any more.
 */
export type InevitableAt = { event: string,
/**
 * How much the program's processes had done by then.
 */
actions: number, };

/**
 * What is asked about.
 */
export type InfoAbout = "links" | "monitors" | "dictionary" | "names" | "tables" | "timers" | "applications" | "supervisors" | "nodes";

/**
 * Asks what there is at a moment beside variables and messages.
 */
export type InfoQuery = { about: InfoAbout, proc?: number | null, at?: MomentSpec | null, };

/**
 * The state of a server, a state machine or an event manager.
 */
export type KeptState = { behaviour: Behaviour, module: string,
/**
 * Of a state machine, the name of its state.
 */
name: string | null, text: string, kind: TermKind, opens: boolean, };

/**
 * From where to where a process is there, and between which of its events the cut lies.
 */
export type Lane = { id: number, start: number | null, end: number | null,
/**
 * The last event in the cut.
 */
last: number | null,
/**
 * The first event outside it.
 */
next: number | null, };

/**
 * How long a breakpoint stays.
 */
export type Lifetime = "stays" | "once";

/**
 * `FILE:N` or `N`.
 */
export type LineSpec = { file?: string | null, line: number, };

/**
 * The first of the processes that there are here.
 */
export type LivingProcesses = {
/**
 * How many there are.
 */
count: number, processes: Array<ProcessRow>, };

/**
 * Asks for the processes that there are here.
 */
export type LivingQuery = { count?: number | null, };

/**
 * Asks for the log of a process: its deliveries, receives, spawns and sends, as the papers define
 * it.
 */
export type LogQuery = { proc: number, count?: number, };

/**
 * An expression that is printed after the fact, each time a place was come to.
 */
export type LogSpec = { at: StopAt, expression: string, };

/**
 * Asks what an expression was each time a place of the code was come to.
 */
export type LoggedQuery = {
/**
 * `[FILE:]LINE`, `[MODULE:]FUNCTION[/ARITY]`, or a kind of event with what it has in quotes.
 */
place: string, expression: string,
/**
 * Only in this process.
 */
proc?: number | null, };

/**
 * What an expression was once.
 */
export type LoggedRow = {
/**
 * The position, which can be gone to and looked at.
 */
step: number, at: string, value: LoggedValue,
/**
 * It has not happened yet at the cut.
 */
is_ahead: boolean, proc: number, pid: string,
/**
 * The registered name, which it keeps after its end.
 */
name: string | null,
/**
 * What people call it.
 */
called: string, };

/**
 * The value, or why there is none.
 */
export type LoggedValue = { "value": string } | { "none": string };

/**
 * What an expression was each time, in an order in which it can have happened.
 */
export type LoggedValues = { rows: Array<LoggedRow>,
/**
 * How many were found; those that are not in the rows are later ones.
 */
found: number, };

/**
 * The answer of a query that was typed as a command.
 */
export type Looked = { version: number, moves: MoveCounts, answers: Array<Seen>, };

/**
 * The text of a command that only looks.
 */
export type LookedAt = { text: string, };

/**
 * Process and number of messages, for every process.
 */
export type Mailboxes = { mailboxes: Array<[number, number]>, };

/**
 * Asks for the mailboxes that are not empty.
 */
export type MailboxesQuery = Record<symbol, never>;

/**
 * Messages that go from one lane to another at about the same time: from where to where in the
 * middle, and how many.
 */
export type MessageBundle = { from: [number, number], to: [number, number], count: number, };

/**
 * One message in one line.
 */
export type MessageRow = {
/**
 * `#84.2`
 */
id: string, from: ProcRef,
/**
 * None: it was sent to nobody.
 */
to: ProcRef | null,
/**
 * The event that sent it.
 */
sent: string,
/**
 * Where it was sent.
 */
at: string,
/**
 * What it is in OTP's words, `call {take,cheese}`; none of a message as programs write it.
 */
words: string | null, text: string, kind: TermKind, opens: boolean, };

/**
 * Messages with the number of those left out.
 */
export type Messages = {
/**
 * How many there are; the list may have fewer.
 */
count: number, messages: Array<MessageRow>, };

/**
 * The whole execution in a few hundred columns.
 */
export type Minimap = { columns: number,
/**
 * Rows of lanes, of all lanes together if none were named; each has how many events there are
 * in each bucket, as digits that grow with the logarithm.
 */
rows: Array<string>, crashes: Array<CrashMark>, };

/**
 * Asks for the whole execution at a glance.
 */
export type MinimapQuery = { buckets?: number,
/**
 * The lanes that the diagram has, from above. One that is not named belongs to the nearest of
 * its ancestors that is.
 */
lanes?: Array<number>, scale?: Scale,
/**
 * Those of these processes.
 */
among?: Array<number> | null,
/**
 * Without what concerns libraries alone, and without arrivals of what was received. Where these
 * are too many to look at, it is not heeded.
 */
telling?: boolean, };

/**
 * A moment as a face names it.
 */
export type MomentSpec = { event: string, } | { proc: number, step: number, };

/**
 * Moves of the person that can be taken back, and made again.
 */
export type MoveCounts = { back: number, forward: number, };

/**
 * Which way a move of the page goes.
 */
export type MoveDirection = "back" | "forward";

/**
 * How a move came about.
 */
export type MoveKind = "replayed" | "ran" | { "branched": { branch: string, } } | "undone" | "stayed";

/**
 * Some events by name, one line each, for pointing at things.
 */
export type NamedQuery = { events: Array<string>, };

/**
 * Asks which messages are on their way.
 */
export type NetworkQuery = Record<symbol, never>;

/**
 * What can happen to nodes, here. They are named with or without their host.
 */
export type NodeChange = { "split": { these: Array<string>,
/**
 * All others, if nobody is named.
 */
those: Array<string>, } } | { "lose": { one: string, other: string, } } | "heal" | { "kill": { node: string, } };

/**
 * Processes in the papers' notation.
 */
export type Notation = { processes: Array<ProcessNotation>, };

/**
 * Asks for logs and traces in the papers' notation.
 */
export type NotationQuery = { proc?: number | null, };

/**
 * All notes, in the order in which their events happened; those of other branches at the end.
 */
export type NoteList = { notes: Array<NoteRow>, };

/**
 * A note, with the event that it is about.
 */
export type NoteRow = { number: number, text: string, branch: string,
/**
 * None if it is on another branch.
 */
event: EventRow | null, };

/**
 * Asks for all notes.
 */
export type NotesQuery = Record<symbol, never>;

/**
 * One event on the way, and by which rule it follows the one before.
 */
export type OrderHop = {
/**
 * None of the first.
 */
because: Because | null,
/**
 * `2a5`: the sixth action of process 2; `2d0`: the first delivery to it.
 */
event: string, path: string, step: number, kind: EventKind, weight: EventWeight,
/**
 * What it was, without who and where.
 */
text: string,
/**
 * `file:line`
 */
at: string,
/**
 * Of an event in a library: the line of the program's own code that led to it. What is only
 * searched through does not have it.
 */
own_at: string | null,
/**
 * `#84.2`, of a send, delivery or receive.
 */
message_id: string | null, message: string | null, proc: number, pid: string,
/**
 * The registered name, which it keeps after its end.
 */
name: string | null,
/**
 * What people call it.
 */
called: string, };

/**
 * How two events stand to each other.
 */
export type OrderKind = "before" | "after" | "concurrent" | "same";

/**
 * Asks why one event comes before another.
 */
export type OrderQuery = {
/**
 * `2a5`, or `#84.2` for the sending of a message.
 */
first: string,
/**
 * `2a7`, or `#84.2` for its receive.
 */
second: string, };

/**
 * One place on the way back.
 */
export type OriginHop = { kind: OriginKind, step: number, at: string, variable: string | null, value: string,
/**
 * The sending or the spawn.
 */
event: EventRow | null,
/**
 * Whose code this place is in.
 */
owner: CodeOwner,
/**
 * Of a place in a library: the line of the program's own code that called it.
 */
own_at: string | null, proc: number, pid: string,
/**
 * The registered name, which it keeps after its end.
 */
name: string | null,
/**
 * What people call it.
 */
called: string, };

/**
 * How a value got from one place to the next.
 */
export type OriginKind = "bound" | "returned" | "sent" | "spawned" | "made";

/**
 * What a whole run came to.
 */
export type OutcomeKind = "finished" | "deadlock" | "crashed" | "failed" | "limit";

/**
 * What one event printed.
 */
export type OutputPart = { event: string, text: string,
/**
 * It was printed by an event that is not in the cut.
 */
undone: boolean, proc: number, pid: string,
/**
 * The registered name, which it keeps after its end.
 */
name: string | null,
/**
 * What people call it.
 */
called: string, };

/**
 * Asks for what the program printed.
 */
export type OutputQuery = { count?: number, };

/**
 * One thing that the function did.
 */
export type Part = { kind: PartKind, text: string, at: string, };

/**
 * A part that is another one.
 */
export type PartChange = {
/**
 * Fields, keys and places on the way to it: `items.milk.stock`.
 */
name: string,
/**
 * None: it was not there.
 */
before: string | null, after: string | null, };

/**
 * What a part of a function is.
 */
export type PartKind = "rejected" | "clause" | "branch" | "binding" | "value";

/**
 * An event that a move passes, and which other one of them it has to go with.
 */
export type PassedEvent = {
/**
 * None of what was asked for itself.
 */
because: Because | null,
/**
 * `2a5`: the sixth action of process 2; `2d0`: the first delivery to it.
 */
event: string, path: string, step: number, kind: EventKind, weight: EventWeight,
/**
 * What it was, without who and where.
 */
text: string,
/**
 * `file:line`
 */
at: string,
/**
 * Of an event in a library: the line of the program's own code that led to it. What is only
 * searched through does not have it.
 */
own_at: string | null,
/**
 * `#84.2`, of a send, delivery or receive.
 */
message_id: string | null, message: string | null, proc: number, pid: string,
/**
 * The registered name, which it keeps after its end.
 */
name: string | null,
/**
 * What people call it.
 */
called: string, };

/**
 * Asks for two executions as one picture.
 */
export type PictureQuery = {
/**
 * The name of the other branch.
 */
with: string, };

/**
 * Which of two executions has something.
 */
export type PictureSide = "both" | "here" | "there";

/**
 * An event of the picture.
 */
export type PicturedEvent = { side: PictureSide,
/**
 * The lane of its process, from 0.
 */
lane: number, column: number,
/**
 * `2a5`: the sixth action of process 2; `2d0`: the first delivery to it.
 */
event: string, path: string, step: number, kind: EventKind, weight: EventWeight,
/**
 * What it was, without who and where.
 */
text: string,
/**
 * `file:line`
 */
at: string,
/**
 * Of an event in a library: the line of the program's own code that led to it. What is only
 * searched through does not have it.
 */
own_at: string | null,
/**
 * `#84.2`, of a send, delivery or receive.
 */
message_id: string | null, message: string | null, proc: number, pid: string,
/**
 * The registered name, which it keeps after its end.
 */
name: string | null,
/**
 * What people call it.
 */
called: string, };

/**
 * A message from its sending to its receive, by their places in the list of events.
 */
export type PicturedMessage = { from: number, to: number, side: PictureSide, };

/**
 * A branch and a cut, as the summary names them.
 */
export type PlaceSpec = { branch: string, cut: string, };

/**
 * Asks what an undo or redo would do.
 */
export type PlanQuery = { target: TypedTarget, proc?: number | null, };

/**
 * How much would move, or why nothing would.
 */
export type PlannedMove = { "moves": Size } | { "error": string };

/**
 * What an undo or redo would do, before it is done.
 */
export type PlannedMoves = { undo: PlannedMove, redo: PlannedMove, };

/**
 * Asks for the value of an expression.
 */
export type PrintQuery = { expression: string,
/**
 * How many calls further out than the innermost.
 */
level?: number, proc?: number | null, at?: MomentSpec | null, };

/**
 * The value of an expression.
 */
export type PrintedValue = {
/**
 * On one line.
 */
value: string,
/**
 * On as many lines as it takes.
 */
pretty: string, };

/**
 * One thing that went wrong.
 */
export type Problem = { kind: FailureKind, path: string,
/**
 * What the process was started to do.
 */
entry: string,
/**
 * It is about the main process.
 */
is_main: boolean,
/**
 * `file:line` where it happened; of a message, where it was sent.
 */
at: string,
/**
 * If that is in OTP's code: the line of the program's own that called it.
 */
own_at: string | null,
/**
 * The reason of an exit, or the message.
 */
text: string,
/**
 * Whose exit signal ended it.
 */
by: ProcRef | null,
/**
 * Whom the message was sent to.
 */
to: ProcRef | null,
/**
 * `#84.2`
 */
message: string | null,
/**
 * The event to look at.
 */
event: string | null, proc: number, pid: string,
/**
 * The registered name, which it keeps after its end.
 */
name: string | null,
/**
 * What people call it.
 */
called: string, };

/**
 * All that went wrong, the worst first.
 */
export type Problems = {
/**
 * How many there are; the list may have fewer.
 */
count: number, problems: Array<Problem>, };

/**
 * Asks what went wrong.
 */
export type ProblemsQuery = Record<symbol, never>;

/**
 * A process as every answer names it: its number, the same on every branch, and what people call
 * it.
 */
export type ProcRef = { proc: number, pid: string,
/**
 * The registered name, which it keeps after its end.
 */
name: string | null,
/**
 * What people call it.
 */
called: string, };

/**
 * The processes, with the number of those left out.
 */
export type ProcessList = {
/**
 * The process that commands are about.
 */
current: number, processes: Array<ProcessRow>, };

/**
 * A process at a moment; what is not said is the current process, here.
 */
export type ProcessMoment = { process?: ProcessRef | null, moment?: MomentSpec | null, };

/**
 * One process in the papers' notation.
 */
export type ProcessNotation = {
/**
 * `(spawn(<0.85.0>), send(#84.1), rec(#85.1))`
 */
log: string,
/**
 * `spawn(<0.85.0>), send(#84.1,<0.85.0>,hello), deliver(#85.1), receive(#85.1)`
 */
trace: string,
/**
 * It did more than is written.
 */
has_more: boolean, proc: number, pid: string,
/**
 * The registered name, which it keeps after its end.
 */
name: string | null,
/**
 * What people call it.
 */
called: string, };

/**
 * Asks for one process.
 */
export type ProcessQuery = { proc: number, at?: MomentSpec | null, };

/**
 * A process as a command names it: by its number, or by what a person types (`<0.84.0>`, `84`, a
 * registered name, a spawn path `P.1`).
 */
export type ProcessRef = number | string;

/**
 * What a list shows of a process.
 */
export type ProcessRow = {
/**
 * How many messages wait.
 */
mailbox: number,
/**
 * Of a process in a library: the line of the program's own code that called it, or that
 * raised what ended it.
 */
own_at: string | null,
/**
 * Whose code it is in.
 */
owner: CodeOwner,
/**
 * What it is about: `idle`, `waits`, `crashed: ...`.
 */
about: string, behaviour: Behaviour | null,
/**
 * Who spawned it: `P.1.2` is the second child of the first child of the main process.
 */
path: string,
/**
 * What it was started to do.
 */
entry: string, state: ProcessState, step: number,
/**
 * None where no function of a program runs: before the first step and after the last.
 */
function: string | null, file: string | null, line: number | null, column: number | null,
/**
 * The text of the line.
 */
source: string | null,
/**
 * The reduction that comes next.
 */
rule: string | null,
/**
 * The expression that is reduced next.
 */
expression: string | null, proc: number, pid: string,
/**
 * The registered name, which it keeps after its end.
 */
name: string | null,
/**
 * What people call it.
 */
called: string, };

/**
 * What a process is about at the cut.
 */
export type ProcessState = "unspawned" | "running" | "waiting" | "exited" | "crashed";

/**
 * Every process in order of spawning.
 */
export type ProcessTable = { texts: Array<string>, processes: Array<TableRow>, };

/**
 * Everything that a face shows of one process.
 */
export type ProcessView = {
/**
 * The reason, if it has exited here.
 */
exit: string | null,
/**
 * The value of its function, if that has returned here.
 */
result: string | null, waiting: Messages,
/**
 * Of a process with a behaviour: the state that its callback module keeps.
 */
state_kept: KeptState | null,
/**
 * The variables that what is left of the innermost function needs, if its text is known.
 */
needed: Array<string> | null,
/**
 * How many messages wait.
 */
mailbox: number,
/**
 * Of a process in a library: the line of the program's own code that called it, or that
 * raised what ended it.
 */
own_at: string | null,
/**
 * Whose code it is in.
 */
owner: CodeOwner,
/**
 * What it is about: `idle`, `waits`, `crashed: ...`.
 */
about: string, behaviour: Behaviour | null,
/**
 * Who spawned it: `P.1.2` is the second child of the first child of the main process.
 */
path: string,
/**
 * What it was started to do.
 */
entry: string, state: ProcessState, step: number,
/**
 * None where no function of a program runs: before the first step and after the last.
 */
function: string | null, file: string | null, line: number | null, column: number | null,
/**
 * The text of the line.
 */
source: string | null,
/**
 * The reduction that comes next.
 */
rule: string | null,
/**
 * The expression that is reduced next.
 */
expression: string | null, proc: number, pid: string,
/**
 * The registered name, which it keeps after its end.
 */
name: string | null,
/**
 * What people call it.
 */
called: string,
/**
 * How many there are; the list may have fewer.
 */
depth: number, calls: Array<CallRow>,
/**
 * The one that looks are about: the innermost unless somebody went up.
 */
chosen: number, };

/**
 * What the program printed up to the cut.
 */
export type ProgramOutput = { output: Array<OutputPart>, };

/**
 * How far the session's thread is, and the answer of a ticket when it is there.
 */
export type Progress = { version: number, ticket: number | null,
/**
 * The answer of the action with this ticket, when there is one.
 */
done: Done | null, busy: BusyView | null, exploration: ExplorationView | null,
/**
 * What the program printed before it began to wait for a line, while it waits.
 */
input: string | null, };

/**
 * A question as a face shows it.
 */
export type QuestionRow = { question: string, prompt: string,
/**
 * The whole of it as one sentence, to be answered with right or wrong.
 */
sentence: string, options: Array<string>,
/**
 * The option, from 1, that says that nothing is wrong.
 */
right: number | null, at: string, pid: string,
/**
 * The process and the step at which the computation began that it is about.
 */
proc: number, step: number, };

/**
 * The races of an execution, with how much of it was looked at.
 */
export type RaceList = { races: Array<RaceRow>,
/**
 * Where to go on; none at the end.
 */
next: number | null, looked_at: number, processes: number, };

/**
 * A receive, and what it could have taken instead.
 */
export type RaceRow = { racing: Array<RacingMessage>,
/**
 * `2a5`: the sixth action of process 2; `2d0`: the first delivery to it.
 */
event: string, path: string, step: number, kind: EventKind, weight: EventWeight,
/**
 * What it was, without who and where.
 */
text: string,
/**
 * `file:line`
 */
at: string,
/**
 * Of an event in a library: the line of the program's own code that led to it. What is only
 * searched through does not have it.
 */
own_at: string | null,
/**
 * `#84.2`, of a send, delivery or receive.
 */
message_id: string | null, message: string | null, proc: number, pid: string,
/**
 * The registered name, which it keeps after its end.
 */
name: string | null,
/**
 * What people call it.
 */
called: string, };

/**
 * Race sets by who sent the other message (paper 004, Sect. 3.2).
 */
export type RaceSenders = { senders: Array<SenderRaces>,
/**
 * Not all processes were looked at.
 */
has_more: boolean, };

/**
 * The races of the receives of a process, or of all processes, from where the answer before
 * stopped (its `next`).
 */
export type RacesQuery = { proc?: number, from?: number, };

/**
 * A message that a receive could have taken instead.
 */
export type RacingMessage = {
/**
 * `#84.2`
 */
id: string, from: ProcRef, text: string,
/**
 * The receive would have matched it.
 */
actual: boolean, };

/**
 * Where a value came from.
 */
export type Reason = {
/**
 * What was asked: a variable, an expression, a message or `exit`.
 */
variable: string, value: string,
/**
 * Where it was bound: `file:line`, and the step.
 */
at: string, step: number,
/**
 * The event that sent the message it came with.
 */
message: EventRow | null,
/**
 * The way back, the nearest place first.
 */
chain: Array<OriginHop>, proc: number, pid: string,
/**
 * The registered name, which it keeps after its end.
 */
name: string | null,
/**
 * What people call it.
 */
called: string, };

/**
 * Another event of the same message.
 */
export type RelatedEvent = { how: Relation, event: string, proc: number, };

/**
 * How another event is related to this one.
 */
export type Relation = "sent" | "delivered" | "received";

/**
 * A report of the session in Markdown.
 */
export type Report = { markdown: string,
/**
 * The messages as a drawing, if they are few enough to be read.
 */
svg: string | null, };

/**
 * Asks for a report: what went wrong, what was noted, who sent what to whom.
 */
export type ReportQuery = Record<symbol, never>;

/**
 * A result and how many executions gave it.
 */
export type ResultCount = { value: string, count: number,
/**
 * Where one of them was saved that went well.
 */
recording?: string, };

/**
 * Asks what was undone, the last first.
 */
export type RollLogQuery = { count?: number, };

/**
 * A process of another branch is none here: it is left out.
 */
export type RowsQuery = { ids: Array<number>, };

/**
 * An answer beside the options.
 */
export type SaidWord = "dont-know" | "inadmissible" | "trust-function" | "trust-module" | "trust-process";

/**
 * What was drawn, and what that promises.
 */
export type Sampled = { walks: number,
/**
 * With how many priorities at the most, and choices among them; 0 for other schedules.
 */
agents: number, choices: number,
/**
 * The probability that one walk shows a failure of the depth that was asked for, at the least.
 */
bound: number | null,
/**
 * Pairs of messages that arrived one after the other and need not have.
 */
pairs: number,
/**
 * Those that were seen in both orders.
 */
both_orders: number, };

/**
 * What the horizontal axis of the diagram counts.
 */
export type Scale = "order" | "messages" | "depth";

/**
 * The schedules that can be asked for by name.
 */
export type ScheduleName = "round-robin" | "random" | "random-delivery" | "processes-first" | "deliveries-first";

/**
 * What the text of a search is.
 */
export type SearchBy = "any" | "text" | "message" | "process" | "function" | "kind";

/**
 * Asks for the events that fit.
 */
export type SearchQuery = { text: string, by: SearchBy, from?: number, count?: number, };

/**
 * The answer of one view.
 */
export type Seen = { view: string, data?: unknown, error?: string, ms: number, };

/**
 * The selected event with its causes and consequences.
 */
export type SelectedEvent = { event: string, column: number, causes: number, consequences: number,
/**
 * The processes that have to do with it, the nearest first.
 */
near: Array<number>, };

/**
 * What one process sent that could have been received instead of something else.
 */
export type SenderRaces = { races: Array<SentRace>, proc: number, pid: string,
/**
 * The registered name, which it keeps after its end.
 */
name: string | null,
/**
 * What people call it.
 */
called: string, };

/**
 * Asks for race sets by sender.
 */
export type SendersQuery = Record<symbol, never>;

/**
 * A message, and the receive that could have taken it.
 */
export type SentRace = { message: RacingMessage, receive: EventRow, };

/**
 * A message that a process was busy with.
 */
export type Serving = {
/**
 * `call {take,cheese}`
 */
what: string, from: ProcRef,
/**
 * The receive.
 */
event: string,
/**
 * The sending.
 */
sent: string,
/**
 * Where in the program's own code it was sent.
 */
at: string | null, };

/**
 * All open sessions.
 */
export type SessionList = { sessions: Array<SessionRow>, };

/**
 * One open session.
 */
export type SessionRow = { id: number, title: string, };

/**
 * How the session runs.
 */
export type Setting = { "schedule": { name: ScheduleName, seed?: number, } } | { "delivery": DeliveryMode } | { "code": CodeScope };

/**
 * A term on one line, and whether there is more inside.
 */
export type ShownTerm = { text: string, kind: TermKind, opens: boolean, };

/**
 * How much a plan moves.
 */
export type Size = { steps: number, events: number, processes: number, };

/**
 * One source file.
 */
export type SourceFileRow = { name: string,
/**
 * Whether its text is at hand.
 */
text: boolean,
/**
 * Whether a module of the program's own is in it.
 */
own: boolean, };

/**
 * The source files of the program.
 */
export type SourceFiles = { files: Array<SourceFileRow>, };

/**
 * One line of a listing.
 */
export type SourceLine = { line: number, text: string, current: boolean, };

/**
 * Asks for the text of one source file.
 */
export type SourceQuery = { file: string, };

/**
 * The text of one source file.
 */
export type SourceText = { file: string, source: string, };

/**
 * A page of the calls of a process.
 */
export type StackPage = {
/**
 * How many there are.
 */
depth: number, calls: Array<StackRow>, };

/**
 * The calls of a process, the innermost first.
 */
export type StackQuery = { proc: number, from?: number, count?: number | null, at?: MomentSpec | null, };

/**
 * One call in progress, and where it is.
 */
export type StackRow = {
/**
 * How many calls further out than the innermost.
 */
level: number, function: string, module: string, owner: CodeOwner,
/**
 * The file as stack traces show it.
 */
file: string | null,
/**
 * Where in it the expression stands that is evaluated.
 */
range: TextRange | null, };

/**
 * The changes, the latest first.
 */
export type StateChanges = { changes: Array<ChangeRow>,
/**
 * So many receives before these were not looked at.
 */
earlier: number, };

/**
 * The last reductions of a process up to the cut.
 */
export type StepList = {
/**
 * How many there are.
 */
count: number, steps: Array<StepRow>, };

/**
 * One reduction that a process has done.
 */
export type StepRow = {
/**
 * The step before it.
 */
step: number,
/**
 * The rule of the semantics; none where the process took a message, or ended.
 */
rule: string | null,
/**
 * The expression that was reduced.
 */
expression: string | null,
/**
 * `file:line`.
 */
at: string | null, };

/**
 * Asks for the steps of a process up to the cut.
 */
export type StepsQuery = { proc: number, count?: number, };

/**
 * Where a run stops.
 */
export type StopAt = { "line": LineSpec } | { "function": { module?: string | null, name: string, arity?: number | null, } } | { "event": { kind: EventKind, pattern?: string | null, } } | { "variable": string } | { "change": ChangeSpec } | "forever" | "orphan" | { "exception": ExceptionStop };

/**
 * The session at a glance.
 */
export type Summary = { branch: string, branches: Array<BranchRow>,
/**
 * The process that commands are about.
 */
current: number, main: number, events: number,
/**
 * Events in the cut.
 */
events_here: number, steps_here: number, processes: number, at_end: boolean,
/**
 * Something can happen at the end of the execution.
 */
more: boolean, outcome: OutcomeKind,
/**
 * The cut as a text that can be kept and gone back to.
 */
place: string,
/**
 * How much the last undo undid.
 */
rolled: number,
/**
 * In which code moves by lines and calls can end.
 */
code: CodeScope,
/**
 * When messages arrive.
 */
delivery: DeliveryMode, };

/**
 * Asks for the session at a glance.
 */
export type SummaryQuery = Record<symbol, never>;

/**
 * Asks for every process in a few numbers.
 */
export type TableQuery = Record<symbol, never>;

/**
 * Number, pid, number of the nearest of the program's own processes that spawned it, registered
 * name, label, entry, events, flags (1: exited, 2: crashed, 4: the console or the clock, 8: run by
 * a library alone), node. Label, entry and node are places in the list of texts; where there is one
 * node, it is not named.
 */
export type TableRow = [number, string, number | null, string | null, number, number, number, number, number | null];

/**
 * What undo and redo go to.
 */
export type TargetSpec = "all" | { "steps": number } | { "send": string } | { "deliver": string } | { "receive": string } | { "spawn": ProcessRef } | { "start": ProcessRef } | { "exit": ProcessRef } | { "register": string } | { "event": string } | { "variable": string } | { "line": LineSpec } | { "stepsof": { process: ProcessRef, count: number, } } | { "mark": string } | { "several": TargetSpec[] };

/**
 * What a term is.
 */
export type TermKind = "leaf" | "tuple" | "list" | "map";

/**
 * One part of a term.
 */
export type TermPart = {
/**
 * Of a pair in a map, or of a field in a record.
 */
key: string | null,
/**
 * Of a state: what stood here before the last message, if that was something else.
 */
was: string | null, text: string, kind: TermKind, opens: boolean, };

/**
 * The parts of a term, with the number of those left out.
 */
export type TermParts = { count: number, from: number, parts: Array<TermPart>, };

/**
 * The parts of a term: `of` says which term, `path` which part of it, `from` where to begin.
 */
export type TermQuery = { of: TermSource, path: Array<number>, from: number,
/**
 * How many parts are wanted.
 */
count?: number | null, };

/**
 * Which term is meant: the message of an event, a variable of a call, or the state of a process.
 */
export type TermSource = { event: string, } | { proc: number, level: number, variable: string, at?: MomentSpec | null, } | { state: number, at?: MomentSpec | null, } | { info: InfoAbout, proc: number, } | { expression: string, proc: number, level: number, };

/**
 * What a test wanted and what it found.
 */
export type TestReport = { name: string, expression: string | null, expected: string | null, got: string | null, };

/**
 * From where to where something stands in a file, counted from 1; the end is behind it.
 */
export type TextRange = { line: number, column: number, end_line: number, end_column: number, };

/**
 * Asks for the trace of a process in the papers' notation.
 */
export type TraceQuery = { count?: number, };

/**
 * Asks who started whom.
 */
export type TreeQuery = Record<symbol, never>;

/**
 * A target as it is typed after `undo`, or as data.
 */
export type TypedTarget = TargetSpec | string;

/**
 * What the last undo undid.
 */
export type UndoneEvents = {
/**
 * How many there are; the list may have fewer.
 */
count: number, events: Array<PassedEvent>, };

/**
 * What a step is a step of.
 */
export type Unit = "step" | "line" | "call" | "event";

/**
 * A message and the receive that does not take it.
 */
export type Unmatched = { message: string, process: ProcRef,
/**
 * `file:line` of the receive; None if the process is not in one.
 */
at: string | null, clauses: Array<ClauseRow>,
/**
 * Why, in a sentence.
 */
sentence: string, };

/**
 * Asks why a message is not received.
 */
export type UnmatchedQuery = {
/**
 * `#84.2`
 */
message: string, at?: MomentSpec | null, };

/**
 * What a dialogue came to: the wrong call, its clause and its line.
 */
export type Verdict = { kind: VerdictKind,
/**
 * `m:f/a`; of a fun, the function that it is in.
 */
function: string,
/**
 * `file:line` of the clause that ran, or of the receive.
 */
at: string, pid: string,
/**
 * The call, or the text of the receive.
 */
text: string,
/**
 * Computations inside it that nobody could judge: one of them may be wrong instead.
 */
unless: Array<string>, };

/**
 * What kind of error it is (paper 003).
 */
export type VerdictKind = "wrong receive" | "erroneously failing receive" | "wrong transition" | "wrong first step" | "wrong function";

/**
 * Who waits for what.
 */
export type WaitRow = {
/**
 * `waits for the reply of b to call next`
 */
text: string,
/**
 * Where it waits, in the program's own code if that is known.
 */
at: string,
/**
 * The event to look at: the sending of what is not answered, or the last thing it did.
 */
event: string | null, proc: number, pid: string,
/**
 * The registered name, which it keeps after its end.
 */
name: string | null,
/**
 * What people call it.
 */
called: string, };

/**
 * Something else that could be tried here.
 */
export type WhatIf = { label: string,
/**
 * What it is about, in more words.
 */
detail: string, chosen: Chosen, };

/**
 * Asks where a value came from.
 */
export type WhyQuery = { variable: string,
/**
 * Which call, from the innermost.
 */
level?: number, proc?: number | null, at?: MomentSpec | null, };

/** Every view: what it is asked with, and what it answers. */
export interface Views {
  summary: { asked: SummaryQuery; answer: Summary };
  processes: { asked: TableQuery; answer: ProcessTable };
  rows: { asked: RowsQuery; answer: ProcessList };
  tree: { asked: TreeQuery; answer: FamilyTree };
  mailboxes: { asked: MailboxesQuery; answer: Mailboxes };
  process: { asked: ProcessQuery; answer: ProcessView };
  stack: { asked: StackQuery; answer: StackPage };
  living: { asked: LivingQuery; answer: LivingProcesses };
  term: { asked: TermQuery; answer: TermParts };
  changes: { asked: ChangesQuery; answer: StateChanges };
  forks: { asked: ForksQuery; answer: Forks };
  notes: { asked: NotesQuery; answer: NoteList };
  report: { asked: ReportQuery; answer: Report };
  logged: { asked: LoggedQuery; answer: LoggedValues };
  info: { asked: InfoQuery; answer: PrintedValue };
  unmatched: { asked: UnmatchedQuery; answer: Unmatched };
  flying: { asked: NetworkQuery; answer: Messages };
  files: { asked: FilesQuery; answer: SourceFiles };
  functions: { asked: FunctionsQuery; answer: FunctionList };
  source: { asked: SourceQuery; answer: SourceText };
  code_lines: { asked: CodeLinesQuery; answer: CodeLines };
  breakpoints: { asked: BreakpointsQuery; answer: BreakpointList };
  help: { asked: HelpQuery; answer: HelpList };
  diagram: { asked: DiagramQuery; answer: DiagramWindow };
  minimap: { asked: MinimapQuery; answer: Minimap };
  event: { asked: EventQuery; answer: EventView };
  events: { asked: NamedQuery; answer: EventList };
  history: { asked: HistoryQuery; answer: EventList };
  steps: { asked: StepsQuery; answer: StepList };
  log: { asked: LogQuery; answer: EventList };
  trace: { asked: TraceQuery; answer: EventList };
  rolllog: { asked: RollLogQuery; answer: UndoneEvents };
  output: { asked: OutputQuery; answer: ProgramOutput };
  failure: { asked: FailureQuery; answer: FailureReport };
  problems: { asked: ProblemsQuery; answer: Problems };
  races: { asked: RacesQuery; answer: RaceList };
  ask: { asked: DialogueQuery; answer: DialogueView };
  enabled: { asked: EnabledQuery; answer: EnabledSteps };
  print: { asked: PrintQuery; answer: PrintedValue };
  why: { asked: WhyQuery; answer: Reason };
  command: { asked: CommandQuery; answer: LookedAt };
  plan: { asked: PlanQuery; answer: PlannedMoves };
  search: { asked: SearchQuery; answer: FoundEvents };
  compare: { asked: CompareQuery; answer: Comparison };
  branch_map: { asked: BranchMapQuery; answer: BranchMap };
  picture: { asked: PictureQuery; answer: ComparedPicture };
  order: { asked: OrderQuery; answer: EventOrder };
  notation: { asked: NotationQuery; answer: Notation };
  senders: { asked: SendersQuery; answer: RaceSenders };
}
