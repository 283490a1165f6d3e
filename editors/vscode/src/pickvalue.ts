// Lets a person choose a part of an earlier result, for an argument.
import { QuickInputButtons, window, type QuickInputButton, type QuickPickItem } from 'vscode';
import { exactText, stringify } from './exact';
import { showInfo } from './notify';
import { formatPath, type Step } from './path';
import type { Envelope, Json } from './protocol';
import { withoutIcons } from './sanitize';

const most = 1000; // parts to choose from
const room = 80; // characters of a value

/** Returns the chosen part; undefined if there is none. One box asks both questions: a box that closes gives the
 * keyboard back to the form, which may take it late, and that would close a second box. */
export async function pickValue(name: string, results: Envelope[]): Promise<Json | undefined> {
  if (results.length === 0) {
    void showInfo('No tool of this session has given a result yet.');
    return undefined;
  }
  const box = window.createQuickPick<Item>();
  const show = (title: string, items: Item[], buttons: QuickInputButton[] = []) => Object.assign(box, { title, items, buttons, value: '' });
  const askForResult = () => show(`${name}: from the result of which tool?`, results.map(resultItem));
  const askForPart = (result: Envelope, ...buttons: QuickInputButton[]) => show(`${name}: which part of the result of ${result.tool}?`, partsOf(result.value).map(partItem), buttons);
  box.matchOnDescription = true;
  const [first, ...others] = results;
  if (first && others.length === 0) {
    askForPart(first);
  } else {
    askForResult();
  }
  const chosen = new Promise<Json | undefined>((resolve) => {
    box.onDidTriggerButton(askForResult);
    box.onDidHide(() => resolve(undefined));
    box.onDidAccept(() => {
      const [item] = box.selectedItems;
      if (item?.result) {
        askForPart(item.result, QuickInputButtons.Back);
      } else if (item) {
        resolve(item.value);
        box.hide();
      }
    });
  });
  box.show();
  return chosen.finally(() => box.dispose());
}

/** A result of which a part is chosen, or that part. */
interface Item extends QuickPickItem {
  result?: Envelope;
  value?: Json;
}

function resultItem(result: Envelope): Item {
  return { label: withoutIcons(result.tool), description: summary(result.value), result };
}

function partItem({ path, value }: Part): Item {
  return { label: withoutIcons(path), description: summary(value), value };
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
