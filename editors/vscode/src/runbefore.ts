// The run to compare with.
import type { HistoryEntry } from './protocol';

/** Returns the run of the same tool before this one among runs, of which the newest is the first; undefined if either is not there. */
export function runBefore(entry: HistoryEntry, runs: HistoryEntry[]): HistoryEntry | undefined {
  const at = runs.findIndex(({ run }) => run === entry.run);
  const older = at < 0 ? [] : runs.slice(at + 1);
  return older.find(({ uri, tool, version, reverts }) => uri === entry.uri && tool === entry.tool && version === entry.version && !reverts);
}
