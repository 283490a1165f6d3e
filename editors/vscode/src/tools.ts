// The tools of files, as the server lists them.
import { window } from 'vscode';
import type { ActiveFile } from './activefile';
import { showInfo } from './notify';
import type { RunArgument, Tool } from './protocol';
import type { Runs } from './run';
import { withoutIcons } from './sanitize';

export async function findTool(runs: Runs, argument: RunArgument): Promise<Tool | undefined> {
  const tools = await runs.ask<Tool[]>('abl.tools', { uri: argument.uri });
  const named = (tool: Tool) => tool.name === argument.tool && (argument.version ?? tool.version) === tool.version;
  const is = (tool: Tool) => named(tool) || nameWithVersion(tool) === argument.tool; // lenses add the version to the name
  return tools.find(is) ?? tools.find((tool) => is({ ...tool, name: ownName(tool) })); // and leave out the service
}

/** Returns the name of a tool with its version, as in lenses and files of cases. */
export function versionedName({ tool, version }: RunArgument): string {
  return version ? `${tool}@${version}` : tool;
}

function ownName({ name, namespace }: Tool): string {
  return namespace ? name.slice(`${namespace}_`.length) : name;
}

function nameWithVersion({ name, version }: Tool): string {
  return versionedName({ uri: '', tool: name, version });
}

/** Returns the tools of the active file; if there are none, tells the person and returns undefined. */
export async function toolsInFront(runs: Runs, front: ActiveFile): Promise<{ uri: string; tools: Tool[] } | undefined> {
  const { uri } = front;
  if (uri === undefined) {
    void showInfo('Open a file with tools first.');
    return undefined;
  }
  if (!['file', 'untitled'].includes(uri.scheme)) {
    void showInfo('What is in front is not the file itself, such as an older state of it: open the file first.');
    return undefined;
  }
  const tools = await runs.ask<Tool[]>('abl.tools', { uri: uri.toString() });
  if (tools.length === 0) {
    void showInfo('The file in front has no tools.');
    return undefined;
  }
  return { uri: uri.toString(), tools };
}

/** Asks for a tool of the active file. */
export async function askTool(runs: Runs, front: ActiveFile): Promise<RunArgument | undefined> {
  const found = await toolsInFront(runs, front);
  if (found === undefined) {
    return undefined;
  }
  const { uri, tools } = found;
  const items = tools.map((tool) => ({
    label: withoutIcons(tool.name),
    description: withoutIcons([tool.version, tool.kind].filter(Boolean).join(' · ')),
    detail: withoutIcons(tool.description),
    tool,
  }));
  const chosen = (await window.showQuickPick(items, { title: 'Which tool?', matchOnDetail: true }))?.tool;
  return chosen && { uri, tool: chosen.name, ...(chosen.version ? { version: chosen.version } : {}) };
}
