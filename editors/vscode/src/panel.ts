// The page of a web view: it has one script and one style of the extension, and nothing else.
import { randomBytes } from 'node:crypto';
import { TabInputWebview, Uri, ViewColumn, window, type ExtensionContext, type Tab, type Webview, type WebviewPanel } from 'vscode';

/** Opens a panel that runs the script `dist/NAME.js` with the style `media/NAME.css`. */
export function newPanel(context: ExtensionContext, name: string, title: string, preserveFocus = false): WebviewPanel {
  const roots = ['dist', 'media'].map((folder) => Uri.joinPath(context.extensionUri, folder));
  const panel = window.createWebviewPanel(`abl.${name}`, title, { viewColumn: panelColumn(), preserveFocus }, {
    enableScripts: true,
    localResourceRoots: roots,
    retainContextWhenHidden: true,
  });
  panel.iconPath = Uri.joinPath(context.extensionUri, 'icons', 'abl.svg');
  panel.webview.html = pageHTML(context, panel.webview, name, title);
  return panel;
}

/** Returns the column of the extension's panels. The column beside a focused panel would be a third one. */
export function panelColumn(): ViewColumn {
  const ours = (tab: Tab) => tab.input instanceof TabInputWebview && /\babl\.(case|form|plot|result)$/.test(tab.input.viewType);
  return window.tabGroups.all.find((group) => group.tabs.some(ours))?.viewColumn ?? ViewColumn.Beside;
}

function pageHTML(context: ExtensionContext, webview: Webview, name: string, title: string): string {
  const nonce = randomBytes(16).toString('hex');
  const at = (...parts: string[]) => webview.asWebviewUri(Uri.joinPath(context.extensionUri, ...parts));
  const policy = `default-src 'none'; img-src data:; media-src data:; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${at('media', 'common.css')}">
<link rel="stylesheet" href="${at('media', `${name}.css`)}">
<title>${title.replace(/[&<]/g, (c) => (c === '&' ? '&amp;' : '&lt;'))}</title>
</head>
<body>
<main id="main"></main>
<script nonce="${nonce}" src="${at('dist', `${name}.js`)}"></script>
</body>
</html>`;
}
