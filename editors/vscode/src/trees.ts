// The trees beside the variables: processes as they belong to each other, what the current one has
// done, messages that raced, and branches.

import * as vscode from "vscode";
import type { BranchMap, EventList, EventRow, FamilyTree, RaceList, Summary } from "../../../web/src/types";
import { view } from "./session";

/** A line of a tree; `key` is what its commands are about. */
export class Item extends vscode.TreeItem {
    readonly children: Item[] = [];

    constructor(label: string, readonly key: string, kind: string, description?: string) {
        super(label);
        this.contextValue = kind;
        this.description = description;
    }

    /** As people see it: what has something inside is open. */
    get shown(): this {
        const { Expanded, None } = vscode.TreeItemCollapsibleState;
        this.collapsibleState = this.children.length > 0 ? Expanded : None;
        return this;
    }
}

/** A tree that is asked for anew whenever the session stands still. */
export class Tree implements vscode.TreeDataProvider<Item> {
    private readonly changed = new vscode.EventEmitter<void>();
    readonly onDidChangeTreeData = this.changed.event;

    constructor(private readonly load: () => Promise<Item[]>) {}

    refresh(): void {
        this.changed.fire();
    }

    getTreeItem(item: Item): Item {
        return item.shown;
    }

    async getChildren(item?: Item): Promise<Item[]> {
        return item ? item.children : this.load();
    }
}

/** Rows with their depths, as a tree. */
function nested<Row extends { depth: number }>(rows: Row[], item: (row: Row) => Item): Item[] {
    const roots: Item[] = [];
    const open: { depth: number; item: Item }[] = [];
    for (const row of rows) {
        while (open.length > 0 && open[open.length - 1].depth >= row.depth) open.pop();
        const made = item(row);
        (open[open.length - 1]?.item.children ?? roots).push(made);
        open.push({ depth: row.depth, item: made });
    }
    return roots;
}

export const processes = new Tree(async () => {
    const tree = await view<FamilyTree>("tree");
    return nested(tree?.rows ?? [], (row) => {
        const mailbox = row.mailbox > 0 ? `, ${row.mailbox} waiting` : "";
        return new Item(row.called, row.pid, "process", `${row.pid} ${row.state}${mailbox}`);
    });
});

export const events = new Tree(async () => {
    const summary = await view<Summary>("summary");
    if (!summary) return [];
    const asked = { proc: summary.current, count: 200 };
    const done = await view<EventList>("history", asked);
    const ahead = await view<EventList>("log", { ...asked, count: 50 });
    const item = (when: string) => (row: EventRow) =>
        new Item(row.text, row.event, "event", `${row.at}${when}`);
    const past = (done?.events ?? []).map(item(""));
    return [...past.reverse(), ...(ahead?.events ?? []).map(item(" (ahead)"))];
});

export const races = new Tree(async () => {
    const found = await view<RaceList>("races");
    return (found?.races ?? []).map((race) => {
        const item = new Item(`${race.called}: ${race.text}`, race.event, "event", race.at);
        for (const { id, text, from } of race.racing) {
            item.children.push(new Item(`or ${text}`, id, "race", `${id} from ${from.called}`));
        }
        return item;
    });
});

export const branches = new Tree(async () => {
    const map = await view<BranchMap>("branch_map");
    return nested(map?.branches ?? [], (row) => new Item(row.name, row.name, "branch", row.end));
});

export function refreshAll(): void {
    [processes, events, races, branches].forEach((tree) => tree.refresh());
}
