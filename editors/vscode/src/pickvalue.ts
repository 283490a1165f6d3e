// Lets a person choose a part of an earlier result, for an argument.
import { window } from 'vscode';
import { exactText, stringify } from './exact';
import { showInfo } from './notify';
import { formatPath, type Step } from './path';
import type { Envelope, Json } from './protocol';
import { withoutIcons } from './sanitize';

const most = 1000; // parts to choose from
const room = 80; // characters of a value

/** Returns the chosen part; undefined if there is none. */
export async function pickValue(name: string, results: Envelope[]): Promise<Json | undefined> {
  if (results.length === 0) {
    void showInfo('No tool of this session has given a result yet.');
    return undefined;
  }
  const items = results.map((result) => ({ label: withoutIcons(result.tool), description: summary(result.value), result }));
  const from = items.length === 1 ? items[0] : await window.showQuickPick(items, { title: `${name}: from the result of which tool?`, matchOnDescription: true });
  const parts = from && partsOf(from.result.value).map(({ path, value }) => ({ label: withoutIcons(path), description: summary(value), value }));
  const chosen = parts && (await window.showQuickPick(parts, { title: `${name}: which part of the result of ${from.result.tool}?`, matchOnDescription: true }));
  return chosen?.value;
}

interface Part {
  path: string;
  value: Json;
}

/** Returns the parts of a value with their paths, those that contain others first, level by level. */
function partsOf(value: Json): Part[] {
  const found: Part[] = [];
  let level: { steps: Step[]; value: Json }[] = [{ steps: [], value }];
  while (level.length > 0 && found.length < most) {
    found.push(...level.slice(0, most - found.length).map(({ steps, value }) => ({ path: formatPath('value', steps), value })));
    level = level.slice(0, most).flatMap(({ steps, value }) => below(value).map(([step, part]) => ({ steps: [...steps, step], value: part })));
  }
  return found;
}

function below(value: Json): [Step, Json][] {
  if (Array.isArray(value)) {
    return value.slice(0, most).map((item, i) => [i, item]);
  }
  return value !== null && typeof value === 'object' ? Object.entries(value).slice(0, most) : [];
}

function summary(value: Json): string {
  const size = value !== null && typeof value === 'object' ? Object.keys(value).length : 0;
  const text = size > 100 ? `${size} parts` : (exactText(value) ?? stringify(value));
  return withoutIcons(text.length > room ? `${text.slice(0, room)}…` : text);
}
