// The journal's runs of this workspace, the newest first, to show them, to compare them and to run
// them again.
import { commands, EventEmitter, MarkdownString, QuickPickItemKind, ThemeColor, ThemeIcon, TreeItem, Uri, window, workspace, type QuickPickItem, type TreeDataProvider } from 'vscode';
import { emptyEnvelope, endingOf, unknownEnd, type Ending } from './ending';
import { stringify } from './exact';
import { failureTitle } from './failure';
import { folderNameOfFile, folders } from './folder';
import type { Envelope, Fault, HistoryEntry, Json, RunArgument } from './protocol';
import type { Runs } from './run';
import { withoutIcons } from './sanitize';
import { withoutMasked } from './secretarguments';
import { formatDuration } from './units';

const shown = 100;
const searched = 2000; // the runs among which a filter looks
const room = 1000; // for the arguments in a tooltip, in characters
const shortRoom = 24; // for the arguments in a row, which is narrow

/** What the list shows; an empty part restricts nothing. */
interface Filter {
  tools: string[];
  folders: string[];
  endings: Ending[];
}

type Choice = QuickPickItem & { part?: keyof Filter; value?: string };

const endingNames: Ending[] = ['succeeded', 'failed', 'refused', 'cancelled', 'did not run', 'its end is not known'];

export class History implements TreeDataProvider<HistoryEntry> {
  private readonly changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private rows: HistoryEntry[] = [];
  private filter: Filter = { tools: [], folders: [], endings: [] };

  constructor(private readonly runs: Runs) {}

  refresh(): void {
    this.changed.fire(undefined);
  }

  async getChildren(entry?: HistoryEntry): Promise<HistoryEntry[]> {
    if (entry) {
      return [];
    }
    const all = await this.load(this.isFiltered ? searched : shown);
    this.rows = all.filter((row) => this.fits(row)).slice(0, shown);
    return this.rows;
  }

  /** Returns the newest runs of the workspace. */
  load(limit = searched): Promise<HistoryEntry[]> {
    return this.runs.askForList<HistoryEntry[]>('abl.history', { limit, here: true });
  }

  /** The runs that the list shows, the newest first. */
  get listed(): HistoryEntry[] {
    return this.rows;
  }

  /** What the filter lets through, in words; '' if it is everything. */
  get filterText(): string {
    const { tools, folders, endings } = this.filter;
    const names = folders.map((folder) => workspace.asRelativePath(Uri.parse(folder)));
    return [tools.join(', '), names.join(', '), endings.join(', ')].filter(Boolean).join(' · ');
  }

  private get isFiltered(): boolean {
    return this.filterText !== '';
  }

  private fits(entry: HistoryEntry): boolean {
    const { tools, folders, endings } = this.filter;
    const fits = (part: string[], is: string) => part.length === 0 || part.includes(is);
    return fits(tools, entry.tool) && fits(endings, endingOfEntry(entry)) && (folders.length === 0 || folders.some((folder) => entry.uri.startsWith(`${folder}/`)));
  }

  /** Asks what the list shall show. */
  async chooseFilter(): Promise<void> {
    const all = await this.load();
    const choices = (part: keyof Filter, title: string, values: string[], label = (value: string) => value): Choice[] => {
      const items = values.map((value) => ({ label: withoutIcons(label(value)), part, value, picked: (this.filter[part] as string[]).includes(value) }));
      return items.length > 0 ? [{ label: title, kind: QuickPickItemKind.Separator }, ...items] : [];
    };
    const found = (names: string[]) => [...new Set(names)].sort();
    const ends = new Set(all.map(endingOfEntry));
    const chosen = await window.showQuickPick<Choice>([
      ...choices('endings', 'Outcome', endingNames.filter((ending) => ends.has(ending))),
      ...choices('folders', 'Folder', folders().length > 1 ? folders() : [], (folder) => workspace.asRelativePath(Uri.parse(folder))),
      ...choices('tools', 'Tool', found(all.map(({ tool }) => tool))),
    ], { title: 'Which runs?', placeHolder: 'Those with one of the ticked tools, folders and outcomes; nothing ticked: all', canPickMany: true });
    if (chosen) {
      const of = (part: keyof Filter) => chosen.filter((one) => one.part === part).map(({ value }) => value ?? '');
      this.setFilter({ tools: of('tools'), folders: of('folders'), endings: of('endings') as Ending[] });
    }
  }

  clearFilter(): void {
    this.setFilter({ tools: [], folders: [], endings: [] });
  }

  private setFilter(filter: Filter): void {
    this.filter = filter;
    void commands.executeCommand('setContext', 'abl.historyFiltered', this.isFiltered);
    this.refresh();
  }

  getTreeItem(entry: HistoryEntry): TreeItem {
    const label = entry.reverts ? `${entry.tool} (undo)` : entry.tool;
    const item = new TreeItem(label);
    const ended = endingOfEntry(entry);
    const fault = faultOf(entry);
    const where = entry.environment || entry.host || '';
    const [took, time] = [formatDuration(entry.duration_ms), new Date(entry.time).toLocaleString()];
    const args = shortArguments(entry.args ?? {});
    const folder = folderNameOfFile(entry.uri);
    item.id = entry.run;
    item.description = [args, where, folder, took, ended, time].filter(Boolean).join(' · ');
    item.iconPath = icons[ended];
    const said = [`${entry.tool}: ${fault && ended === 'failed' ? failureTitle(fault) : ended}, ${took}`, time, workspace.asRelativePath(Uri.parse(entry.uri)), stringify(entry.args ?? {}).slice(0, room), fault?.message];
    item.tooltip = new MarkdownString().appendText(said.filter(Boolean).join('\n'));
    item.accessibilityInformation = { label: [label, ended, args, took, time, folder, where].filter(Boolean).join(', ') };
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

/** Returns the first arguments in a few words. */
function shortArguments(args: { [name: string]: Json }): string {
  const all = Object.entries(args).map(([name, value]) => `${name}: ${typeof value === 'string' ? value : stringify(value)}`.replace(/\s+/g, ' '));
  const text = all.join(', ');
  return text.length <= shortRoom ? text : `${text.slice(0, shortRoom).trimEnd()}…`;
}

function faultOf(entry: HistoryEntry): Fault | null {
  const { ok, error, title } = entry;
  return ok === null ? unknownEnd : error && title ? { ...error, title } : error;
}

export function endingOfEntry(entry: HistoryEntry): Ending {
  return endingOf(entry.ok === true, faultOf(entry));
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
    time: entry.time,
  };
}
