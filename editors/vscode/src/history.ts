// The runs of the journal, the newest first, to look at and to run again.
import { EventEmitter, MarkdownString, ThemeColor, ThemeIcon, TreeItem, type TreeDataProvider } from 'vscode';
import type { Envelope, HistoryEntry, RunArgument } from './protocol';
import type { Runs } from './run';

const shown = 100;

export class History implements TreeDataProvider<HistoryEntry> {
  private readonly changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly runs: Runs) {}

  refresh(): void {
    this.changed.fire(undefined);
  }

  getChildren(entry?: HistoryEntry): Promise<HistoryEntry[]> {
    return entry ? Promise.resolve([]) : this.runs.known<HistoryEntry[]>('abl.history', { limit: shown });
  }

  getTreeItem(entry: HistoryEntry): TreeItem {
    const item = new TreeItem(entry.tool);
    const ended = entry.ok === true ? 'succeeded' : entry.ok === false ? 'failed' : 'its end is not known';
    const time = new Date(entry.time).toLocaleString();
    item.id = entry.run;
    item.description = `${time}${entry.environment ? ` · ${entry.environment}` : ''}`;
    item.iconPath = entry.ok ? new ThemeIcon('pass', new ThemeColor('testing.iconPassed')) : new ThemeIcon('error', new ThemeColor('testing.iconFailed'));
    item.tooltip = new MarkdownString().appendText(`${entry.tool} ${ended}, ${Math.round(entry.duration_ms)} ms\n${JSON.stringify(entry.args ?? {})}`);
    item.accessibilityInformation = { label: `${entry.tool}, ${ended}, ${time}` };
    item.contextValue = entry.revertible ? 'revertible' : 'run';
    item.command = { command: 'abl.historyShow', title: 'Show', arguments: [entry] };
    return item;
  }
}

/** The call that was made. */
export function callOf(entry: HistoryEntry): RunArgument {
  return {
    uri: entry.uri,
    tool: entry.tool,
    args: entry.args ?? {},
    ...(entry.version ? { version: entry.version } : {}),
    ...(entry.environment ? { environment: entry.environment } : {}),
  };
}

/** What is kept of a run, as a result. */
export function resultOf(entry: HistoryEntry): Envelope {
  return {
    run: entry.run,
    ok: entry.ok === true,
    tool: entry.tool,
    kind: entry.kind,
    value: entry.value ?? null,
    text: '',
    content_type: '',
    render: null,
    set: null,
    error: entry.error,
    needs: null,
    warnings: entry.cut ? ['The value was too long to keep whole.'] : null,
    attempts: null,
    request: null,
    console: '',
    breaker: null,
    verified: null,
    cached: false,
    truncated: null,
    duration_ms: entry.duration_ms,
    can_revert: entry.revertible,
  };
}
