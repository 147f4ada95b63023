// The extension: which adapter a session has, and what there is beside the protocol.

import { spawnSync } from "node:child_process";
import * as vscode from "vscode";
import * as page from "./page";
import { carryOut } from "./session";
import * as tests from "./tests";
import * as trees from "./trees";

/** The binary speaks the protocol; a session that runs already does so on a port. */
class Adapters implements vscode.DebugAdapterDescriptorFactory {
    createDebugAdapterDescriptor(session: vscode.DebugSession): vscode.DebugAdapterDescriptor {
        const { request, port } = session.configuration;
        if (request === "attach") return new vscode.DebugAdapterServer(port, "127.0.0.1");
        const binary = vscode.workspace.getConfiguration("reverl").get("path", "reverl");
        checkBinary(binary);
        return new vscode.DebugAdapterExecutable(binary, ["dap"]);
    }
}

/** An adapter that cannot be started would end without a word. */
function checkBinary(binary: string): void {
    const { error } = spawnSync(binary, ["--version"]);
    if (error) {
        throw new Error(
            `'${binary}' cannot be started (${error.message}): install Reverl, or set "reverl.path" in the settings`,
        );
    }
}

/** Trees show what is so where the session stands. */
class Trackers implements vscode.DebugAdapterTrackerFactory {
    createDebugAdapterTracker(): vscode.DebugAdapterTracker {
        return {
            onDidSendMessage: (message) => {
                if (message.type === "event" && message.event === "stopped") trees.refreshAll();
            },
            onExit: () => {
                trees.refreshAll();
                page.close();
            },
        };
    }
}

/** F5 in a file without a configuration debugs that file. */
class Configurations implements vscode.DebugConfigurationProvider {
    resolveDebugConfiguration(
        _: vscode.WorkspaceFolder | undefined,
        config: vscode.DebugConfiguration,
    ): vscode.DebugConfiguration | undefined {
        if (config.type || config.request || config.name) return config;
        const file = vscode.window.activeTextEditor?.document.fileName;
        const plain = { type: "reverl", request: "launch", name: "Reverl", program: file };
        return file ? plain : undefined;
    }
}

export function activate(context: vscode.ExtensionContext): void {
    const command = (name: string, act: (argument: trees.Item) => unknown) =>
        vscode.commands.registerCommand(`reverl.${name}`, act);
    const test = (name: string, act: (test: tests.Test) => unknown) =>
        vscode.commands.registerCommand(`reverl.${name}`, act);
    context.subscriptions.push(
        vscode.debug.registerDebugAdapterDescriptorFactory("reverl", new Adapters()),
        vscode.debug.registerDebugAdapterTrackerFactory("reverl", new Trackers()),
        vscode.debug.registerDebugConfigurationProvider("reverl", new Configurations()),
        vscode.languages.registerCodeLensProvider({ language: "erlang" }, new tests.Lenses()),
        vscode.window.registerTreeDataProvider("reverl.processes", trees.processes),
        vscode.window.registerTreeDataProvider("reverl.events", trees.events),
        vscode.window.registerTreeDataProvider("reverl.races", trees.races),
        vscode.window.registerTreeDataProvider("reverl.branches", trees.branches),
        command("undoEvent", (item) => carryOut({ undo: { target: { event: item.key } } })),
        command("redoEvent", (item) => carryOut({ redo: { target: { event: item.key } } })),
        command("choose", (item) => carryOut({ choose: { message: item.key } })),
        command("branch", (item) => carryOut({ branch: { name: item.key } })),
        command("process", (item) => carryOut({ process: { process: item.key } })),
        command("page", () => page.show()),
        test("debugTest", tests.debugTest),
        test("exploreTest", tests.exploreTest),
        test("recordTest", tests.recordTest),
    );
}
