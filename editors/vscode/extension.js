// Connects the editor to the language server `strata lsp`, and offers its commands.
"use strict";
const vscode = require("vscode");
const {LanguageClient, WorkDoneProgress} = require("vscode-languageclient/node");

let client = null;

function program() {
  return vscode.workspace.getConfiguration("strata").get("path") || "strata";
}

// The saved file of the active editor; null, after a message, if there is none.
async function savedModel() {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !["murphi", "dve"].includes(editor.document.languageId)) {
    vscode.window.showWarningMessage("Open a model of Murphi or DVE first.");
    return null;
  }
  return await editor.document.save() ? editor.document.uri : null;
}

async function checkModel(output) {
  const uri = await savedModel();
  if (!uri) return;
  const options = vscode.workspace.getConfiguration("strata").get("checkOptions") || [];
  const place = {location: vscode.ProgressLocation.Notification, title: "strata check", cancellable: true};
  await vscode.window.withProgress(place, async (progress, token) => {
    const workDoneToken = `check-${Date.now()}`;
    const listener = client.onProgress(WorkDoneProgress.type, workDoneToken, (value) => {
      if (value.message) progress.report({message: value.message});
    });
    token.onCancellationRequested(
        () => client.sendNotification("window/workDoneProgress/cancel", {token: workDoneToken}));
    try {
      const request = {command: "strata.check", arguments: [uri.toString(), ...options], workDoneToken};
      const result = await client.sendRequest("workspace/executeCommand", request);
      output.clear();
      output.append(result.output);
      output.show(true);
    } catch (error) {
      if (!token.isCancellationRequested) vscode.window.showErrorMessage(`strata check: ${error.message}`);
    } finally {
      listener.dispose();
    }
  });
}
async function stepModel() {
  const uri = await savedModel();
  if (!uri) return;
  const shellArgs = ["step", "--", uri.fsPath];
  vscode.window.createTerminal({name: "strata step", shellPath: program(), shellArgs}).show();
}

async function activate(context) {
  const output = vscode.window.createOutputChannel("Strata");
  client = new LanguageClient(
      "strata", "Strata", {command: program(), args: ["lsp"]},
      {documentSelector: [{scheme: "file", language: "murphi"}, {scheme: "file", language: "dve"}]});
  context.subscriptions.push(
      output, vscode.commands.registerCommand("strata.checkModel", () => checkModel(output)),
      vscode.commands.registerCommand("strata.stepModel", stepModel));
  await client.start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = {activate, deactivate};
