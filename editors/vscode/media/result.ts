// The page of a result: what happened, the views of the value, and what belongs to the run.
import type { ResultContent } from '../src/messages';
import { element, takeKey } from './dom';
import { FindBox } from './find';
import { post } from './host';
import { RunningList } from './running';
import { ShownResult } from './shown';

const main = document.getElementById('main') as HTMLElement;

/** Tells screen readers what has changed: they follow an element that stays in the page. */
const announcement = element('div', { role: 'status', class: 'unseen' });
document.body.append(announcement);

const isMac = navigator.platform.startsWith('Mac'); // there Ctrl+F moves the cursor

let shown: ShownResult | undefined;
const find = new FindBox(() => shown?.view);
const running = new RunningList(main, {
  hide: () => shown?.hide() ?? false,
  restore: () => shown?.restore(),
});

window.addEventListener('message', ({ data }: MessageEvent<ResultContent>) => {
  switch (data.type) {
    case 'show': {
      const output = running.take(data.envelope.tool);
      const before = shown;
      shown = new ShownResult(data, output, find, before);
      before?.view?.find(undefined);
      before?.element.remove();
      shown.place(main);
      find.refresh();
      announcement.textContent = `${data.envelope.tool}: ${shown.status}`;
      return;
    }
    case 'running':
      announcement.textContent = `${data.tool}: running`;
      return running.start(data.tool, data.token, data.since);
    case 'progress':
      return running.progress(data.token, data.message);
    case 'output':
      return running.output(data.tool, data.token, data.chunk);
    case 'ended':
      announcement.textContent = data.stopped ? 'Stopped: it has no result.' : announcement.textContent;
      return running.end(data.token, data.stopped);
  }
});

document.addEventListener('keydown', (event) => {
  if ((isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'f' && shown?.isVisible && shown.view) {
    takeKey(event);
    find.open();
  }
});
post({ type: 'ready' });
