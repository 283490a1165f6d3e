// The journal's runs of this workspace, the newest first, to show them and to run them
// again.
import { EventEmitter, MarkdownString, ThemeColor, ThemeIcon, TreeItem, Uri, workspace, type TreeDataProvider } from 'vscode';
import { emptyEnvelope, endingOf, unknownEnd, type Ending } from './ending';
import { stringify } from './exact';
import { folderNameOfFile } from './folder';
import type { Envelope, Fault, HistoryEntry, RunArgument } from './protocol';
import type { Runs } from './run';
import { withoutMasked } from './secretarguments';

const shown = 100;
const room = 1000; // for the arguments in a tooltip, in characters

export class History implements TreeDataProvider<HistoryEntry> {
  private readonly changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private rows: HistoryEntry[] = [];

  constructor(private readonly runs: Runs) {}

  refresh(): void {
    this.changed.fire(undefined);
  }

  async getChildren(entry?: HistoryEntry): Promise<HistoryEntry[]> {
    if (entry) {
      return [];
    }
    this.rows = await this.runs.askForList<HistoryEntry[]>('abl.history', { limit: shown, here: true });
    return this.rows;
  }

  /** Returns the run of the same tool before this one. */
  runBefore(entry: HistoryEntry): HistoryEntry | undefined {
    const older = this.rows.slice(this.rows.findIndex(({ run }) => run === entry.run) + 1);
    return older.find(({ uri, tool, version, reverts }) => uri === entry.uri && tool === entry.tool && version === entry.version && !reverts);
  }

  getTreeItem(entry: HistoryEntry): TreeItem {
    const label = entry.reverts ? `${entry.tool} (undo)` : entry.tool;
    const item = new TreeItem(label);
    const ended = endingOf(entry.ok === true, faultOf(entry));
    item.id = entry.run;
    const about = [new Date(entry.time).toLocaleString(), entry.environment, folderNameOfFile(entry.uri)].filter(Boolean);
    item.description = about.join(' · ');
    item.iconPath = icons[ended];
    const said = [`${entry.tool} ${ended}, ${Math.round(entry.duration_ms)} ms`, workspace.asRelativePath(Uri.parse(entry.uri)), stringify(entry.args ?? {}).slice(0, room), entry.error?.message];
    item.tooltip = new MarkdownString().appendText(said.filter(Boolean).join('\n'));
    item.accessibilityInformation = { label: [label, ended, ...about].join(', ') };
    item.contextValue = entry.revertible ? 'revertible' : entry.reverts ? 'undone' : 'run';
    item.command = { command: 'abl.historyShow', title: 'Show', arguments: [entry] };
    return item;
  }
}

const icons: { [E in Ending]: ThemeIcon } = {
  succeeded: new ThemeIcon('pass', new ThemeColor('testing.iconPassed')),
  failed: new ThemeIcon('error', new ThemeColor('testing.iconFailed')),
  refused: new ThemeIcon('circle-slash', new ThemeColor('testing.iconSkipped')),
  cancelled: new ThemeIcon('debug-stop', new ThemeColor('testing.iconSkipped')),
  'did not run': new ThemeIcon('circle-outline', new ThemeColor('testing.iconSkipped')),
  'its end is not known': new ThemeIcon('question'),
};

function faultOf(entry: HistoryEntry): Fault | null {
  return entry.ok === null ? unknownEnd : entry.error;
}

/** Returns the call of a run, with those arguments whose exact values are known. */
export function callOf(entry: HistoryEntry): RunArgument {
  return {
    uri: entry.uri,
    tool: entry.tool,
    args: entry.cut?.args ? {} : withoutMasked(entry.args ?? {}),
    ...(entry.version ? { version: entry.version } : {}),
    ...(entry.environment ? { environment: entry.environment } : {}),
  };
}

/** Returns what the journal has of a run, as a result. */
export function resultOf(entry: HistoryEntry): Envelope {
  return {
    ...emptyEnvelope,
    run: entry.run,
    ok: entry.ok === true,
    tool: entry.tool,
    kind: entry.kind,
    value: entry.value ?? null,
    error: faultOf(entry),
    warnings: entry.cut?.value ? ['The value was too long to keep whole.'] : null,
    duration_ms: entry.duration_ms,
    can_revert: entry.revertible,
    environment: entry.environment,
  };
}
