// Lenses above EUnit tests: debug one, explore every execution of it, record it on a real node.

import * as path from "node:path";
import * as vscode from "vscode";

const TEST = /^([a-z]\w*_test_?)\s*\(\s*\)/;

/** A test: its module, its function, and the file. */
export interface Test {
    module: string;
    name: string;
    file: string;
    folder: string;
}

export class Lenses implements vscode.CodeLensProvider {
    provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
        const lenses: vscode.CodeLens[] = [];
        const file = document.uri.fsPath;
        const module = path.basename(file, ".erl");
        const folder = vscode.workspace.getWorkspaceFolder(document.uri)?.uri.fsPath ?? path.dirname(file);
        for (let line = 0; line < document.lineCount; line++) {
            const name = TEST.exec(document.lineAt(line).text)?.[1];
            if (!name) continue;
            const test: Test = { module, name, file, folder };
            const range = document.lineAt(line).range;
            for (const [title, command] of [
                ["debug", "reverl.debugTest"],
                ["explore", "reverl.exploreTest"],
                ["record", "reverl.recordTest"],
            ]) {
                lenses.push(new vscode.CodeLens(range, { title, command, arguments: [test] }));
            }
        }
        return lenses;
    }
}

const binary = (): string => vscode.workspace.getConfiguration("reverl").get("path", "reverl");

export async function debugTest(test: Test): Promise<void> {
    await vscode.debug.startDebugging(undefined, {
        type: "reverl",
        request: "launch",
        name: `${test.module}:${test.name}`,
        program: test.folder,
        test: `${test.module}:${test.name}`,
    });
}

/** Exploring is work for a terminal: it says how far it is, and what it has found. */
export function exploreTest(test: Test): void {
    const terminal = vscode.window.createTerminal({
        name: `explore ${test.module}`,
        cwd: test.folder,
        shellPath: binary(),
        shellArgs: ["explore", test.module, "--eunit"],
    });
    terminal.show();
}

export async function recordTest(test: Test): Promise<void> {
    await vscode.debug.startDebugging(undefined, {
        type: "reverl",
        request: "launch",
        name: `record ${test.module}`,
        record: ["rebar3", "eunit", `--test=${test.module}:${test.name.replace(/_$/, "")}`],
        cwd: test.folder,
    });
}
