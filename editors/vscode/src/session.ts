// What the extension asks of a session: views and commands of Reverl, through the debug adapter.

import * as vscode from "vscode";

/** The debug session of ours that is active, if one is. */
export function active(): vscode.DebugSession | undefined {
    const session = vscode.debug.activeDebugSession;
    return session?.type === "reverl" ? session : undefined;
}

/** The answer of a view, as docs/api.md describes them; nothing while there is none. */
export async function view<T>(name: string, asked: object = {}): Promise<T | undefined> {
    try {
        return await active()?.customRequest("reverl/view", { view: name, ...asked });
    } catch {
        // While the program runs, or after its session: there is nothing to show.
        return undefined;
    }
}

/** Carries out a command; why it cannot be is shown. */
export async function carryOut(command: object | string): Promise<void> {
    try {
        await active()?.customRequest("reverl/do", { command });
    } catch (why) {
        void vscode.window.showErrorMessage(why instanceof Error ? why.message : String(why));
    }
}
