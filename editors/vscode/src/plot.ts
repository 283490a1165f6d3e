// The page that draws how long the runs of the journal took, and which failed.
import type { ExtensionContext, WebviewPanel } from 'vscode';
import { endingOfEntry } from './history';
import type { PlotAction, PlotContent } from './messages';
import { newPanel } from './panel';
import type { HistoryEntry } from './protocol';

export class Plot {
  private panel: WebviewPanel | undefined;
  private rows: HistoryEntry[] = [];

  /** open shows a run that the person chooses among those in the plot. */
  constructor(
    private readonly context: ExtensionContext,
    private readonly load: () => Promise<HistoryEntry[]>,
    private readonly open: (entry: HistoryEntry, runs: HistoryEntry[]) => void,
  ) {}

  async show(): Promise<void> {
    if (this.panel) {
      this.panel.reveal();
      return this.update();
    }
    const panel = newPanel(this.context, 'plot', 'Runs over Time');
    this.panel = panel;
    panel.webview.onDidReceiveMessage((action: PlotAction) => {
      if (action.type === 'ready') {
        return void this.update();
      }
      const entry = this.rows.find(({ run }) => run === action.run);
      return entry && this.open(entry, this.rows);
    });
    panel.onDidDispose(() => (this.panel = undefined));
  }

  /** Draws what the journal has now. */
  async update(): Promise<void> {
    if (this.panel === undefined) {
      return;
    }
    this.rows = await this.load();
    const runs = this.rows.map((entry) => ({ run: entry.run, tool: entry.tool, time: entry.time, duration_ms: entry.duration_ms, ending: endingOfEntry(entry), message: entry.error?.message ?? '' }));
    void this.panel?.webview.postMessage({ runs } satisfies PlotContent);
  }
}
