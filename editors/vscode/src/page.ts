// The page of `reverl ui` as a panel, for the same session at the same place.

import * as vscode from "vscode";
import { active } from "./session";

let panel: vscode.WebviewPanel | undefined;

export async function show(): Promise<void> {
    const answer = await active()?.customRequest("reverl/page");
    if (!answer) return;
    const { Beside } = vscode.ViewColumn;
    panel ??= vscode.window.createWebviewPanel("reverl.page", "Reverl", Beside, {
        enableScripts: true,
        retainContextWhenHidden: true,
    });
    panel.onDidDispose(() => (panel = undefined));
    const address = await vscode.env.asExternalUri(vscode.Uri.parse(answer.address));
    panel.webview.html = `<!DOCTYPE html>
<html style="height: 100%">
<head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; frame-src ${address.scheme}://${address.authority}; style-src 'unsafe-inline'"></head>
<body style="margin: 0; padding: 0; height: 100%">
<iframe src="${address.toString(true)}" style="border: 0; width: 100%; height: 100%"></iframe>
</body>
</html>`;
    panel.reveal(undefined, true);
}

export function close(): void {
    panel?.dispose();
}
