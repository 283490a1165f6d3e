// The commands of the list of runs.
import { commands, window, workspace, type Disposable, type ExtensionContext } from 'vscode';
import { registerCommand } from './errors';
import { callOf, resultOf, type History } from './history';
import { showInfo } from './notify';
import { Plot } from './plot';
import type { HistoryEntry } from './protocol';
import type { Results } from './result';
import type { Runs } from './run';
import { runBefore } from './runbefore';

export function historyCommands(context: ExtensionContext, history: History, runs: Runs, results: Results, rerun: (entry: HistoryEntry) => Promise<unknown>): Disposable[] {
  const view = window.createTreeView('abl.history', { treeDataProvider: history, canSelectMany: true });
  const show = (entry: HistoryEntry, runs: HistoryEntry[]) => {
    const before = runBefore(entry, runs);
    results.showPast(resultOf(entry), callOf(entry), before && resultOf(before), !entry.unrepeatable);
  };
  const plot = new Plot(context, () => history.load(), show);
  const changed = () => {
    history.refresh();
    void plot.update();
  };
  const filtered = async (act: () => unknown) => {
    await act();
    view.description = history.filterText;
  };
  let chosen: HistoryEntry | undefined;
  const choose = (entry: HistoryEntry | undefined) => {
    chosen = entry;
    void commands.executeCommand('setContext', 'abl.historyChosen', entry !== undefined);
  };
  const compare = (one: HistoryEntry, other: HistoryEntry) => {
    const [older, newer] = [one, other].sort((a, b) => Date.parse(a.time) - Date.parse(b.time)) as [HistoryEntry, HistoryEntry];
    const side = (entry: HistoryEntry) => ({ when: new Date(entry.time).toLocaleString(), envelope: resultOf(entry) });
    return results.compare(side(older), side(newer), older.tool === newer.tool ? newer.tool : `${older.tool}, ${newer.tool}`);
  };
  return [
    view,
    view.onDidChangeVisibility(({ visible }) => visible && history.refresh()), // other windows and terminals also run tools
    window.onDidChangeWindowState(({ focused }) => focused && history.refresh()),
    runs.onDidEnd(changed),
    workspace.onDidChangeWorkspaceFolders(changed),
    commands.registerCommand('abl.historyRefresh', changed),
    commands.registerCommand('abl.historyShow', (entry: HistoryEntry) => show(entry, history.listed)),
    registerCommand('abl.historyRerun', (entry: HistoryEntry) => rerun(entry)),
    registerCommand('abl.historyUndo', (entry: HistoryEntry) => runs.revert(entry.run)),
    registerCommand('abl.historyFilter', () => filtered(() => history.chooseFilter())),
    registerCommand('abl.historyClearFilter', () => filtered(() => history.clearFilter())),
    registerCommand('abl.historyPlot', () => plot.show()),
    registerCommand('abl.historySelectForCompare', (entry: HistoryEntry) => choose(entry)),
    registerCommand('abl.historyCompareWithSelected', (entry: HistoryEntry) => chosen && compare(chosen, entry)),
    registerCommand('abl.historyCompare', (_: HistoryEntry | undefined, several?: HistoryEntry[]) => {
      const [one, other, ...more] = several ?? view.selection;
      return one && other && more.length === 0 ? compare(one, other) : showInfo('Select two runs to compare them.');
    }),
  ];
}
