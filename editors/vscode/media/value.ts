// The views of a value: by the tool's render hint and by the form of the value. The first one is
// shown at first.
import { binaryParts, byteLength } from '../src/bytes';
import { exactText, indentJSON } from '../src/exact';
import type { Envelope, Json } from '../src/protocol';
import { blockList, hasMedia } from './blocks';
import { chart } from './chart';
import { appendInPieces, element } from './dom';
import { gridOf } from './rows';
import { TableView } from './table';
import type { Tab } from './tabs';
import { TextView } from './text';
import { TreeView } from './tree';
import { noMatches, type View } from './view';

type Displayed = Pick<Envelope, 'value' | 'render' | 'content_type' | 'encoding' | 'text' | 'content'>;

/** Returns the views of a result's value. */
export function valueTabs(e: Displayed): Tab[] {
  const { value } = e;
  const kind = e.render?.kind ?? '';
  const blocks = contentTabs(e);
  const rest = [...hinted(e), ...shapeTabs(value, 'value', isWords(value) && kind === 'code' ? 'code' : '')];
  const all = blocks.length === 0 ? [...pictures(e), ...rest] : hasMedia(e.content ?? []) ? [...blocks, ...rest] : [...rest, ...blocks];
  const preferred = kind === 'json' ? 'Tree' : all[0]?.name;
  return [...all.filter(({ name }) => name === preferred), ...all.filter(({ name }) => name !== preferred)];
}

/** Returns the views by the form of a value, which is found at root in the result. */
export function shapeTabs(value: Json, root: string, kind = ''): Tab[] {
  if (isWords(value)) {
    return [{ name: kind === 'code' ? 'Code' : 'Text', make: () => textView(value, kind) }];
  }
  const grid = gridOf(value);
  const tree = { name: 'Tree', make: () => new TreeView(value, { label: 'Value', root }) };
  return grid ? [{ name: 'Table', make: () => new TableView(grid, root) }, tree] : [tree];
}

/** Returns a view that nothing is found in. */
export function plainView(inside: Node, label: string, more = ''): View {
  const area = element('div', { class: `scroller ${more}`.trim(), tabindex: '0', 'aria-label': label }, inside);
  return { element: element('div', { class: 'view' }, area), find: () => noMatches, focus: () => area.focus() };
}

function textView(value: string, kind: string): View {
  return value === '' ? plainView(element('p', { class: 'hint' }, 'An empty text.'), 'Value') : new TextView(value, { label: 'Value', class: kind === 'code' ? 'code' : 'text', suffix: 'txt' });
}

function isWords(value: Json): value is string {
  return typeof value === 'string' && exactText(value) === undefined;
}

function hinted(e: Displayed): Tab[] {
  const drawn = e.render?.kind === 'chart' ? chart(e.value) : undefined;
  if (drawn) {
    return [{ name: 'Chart', make: () => plainView(drawn, 'Chart') }];
  }
  return e.render?.kind === 'react' ? [{ name: 'Component', make: () => componentView(e) }] : [];
}

/** Returns the name, the properties and the value of a component: a custom component cannot be drawn here. */
function componentView(e: Displayed): View {
  const view = new TreeView({ props: e.render?.props ?? {}, value: e.value }, { label: 'Component', root: '', isWhole: true });
  view.element.prepend(element('p', { class: 'hint' }, `Drawn elsewhere by ${e.render?.component ?? ''}, of this:`));
  return view;
}

/** Returns the view of what an MCP server answered, if that is more than the value. */
function contentTabs({ content }: Displayed): Tab[] {
  return content ? [{ name: 'Content', make: () => plainView(blockList(content), 'Content') }] : [];
}

function pictures(e: Displayed): Tab[] {
  const source = imageSource(e);
  if (source) {
    return [{ name: 'Image', make: () => plainView(picture(source), 'Image') }];
  }
  if (Array.isArray(e.value) && e.value.some(mcpImageSource)) {
    const blocks = e.value;
    return [{ name: 'Blocks', make: () => plainView(mcpBlocks(blocks), 'Blocks') }];
  }
  const [bytes] = e.encoding ? binaryParts(e) : [];
  return bytes ? [{ name: 'Bytes', make: () => plainView(element('p', { class: 'hint' }, `${byteLength(bytes)} bytes of ${bytes.media}`), 'Bytes') }] : [];
}

function picture(source: string): Node {
  return element('img', { src: source, alt: 'The image that the tool returned' });
}

/** Returns a list with images of MCP, and the other blocks. */
function mcpBlocks(value: Json[]): Node {
  const all = element('div');
  const block = (one: Json) => {
    const source = mcpImageSource(one);
    return source ? picture(source) : element('pre', {}, isWords(one) ? one : blockText(one));
  };
  return element('div', {}, all, ...appendInPieces(all, value, block));
}

/** Returns the text of a block of MCP, or its JSON. */
function blockText(block: Json): string {
  const { type, text } = block !== null && typeof block === 'object' && !Array.isArray(block) ? block : {};
  return type === 'text' && typeof text === 'string' ? text : indentJSON(block);
}

function imageSource(e: Displayed): string | undefined {
  const value = e.value;
  if (typeof value === 'string' && /^data:image\/[\w.+-]+;base64,/.test(value)) {
    return value;
  }
  if (typeof value === 'string' && e.content_type === 'image/svg+xml') {
    return `data:image/svg+xml,${encodeURIComponent(value.replace(/\p{Surrogate}/gu, ''))}`; // scripts in an image do not run
  }
  if (typeof value === 'string' && e.content_type.startsWith('image/') && /^[A-Za-z0-9+/=\s]+$/.test(value)) {
    return `data:${e.content_type};base64,${value}`;
  }
  return mcpImageSource(value);
}

function mcpImageSource(value: Json): string | undefined {
  const block = value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
  const { data, mimeType } = block;
  return typeof data === 'string' && String(mimeType).startsWith('image/') ? `data:${mimeType};base64,${data}` : undefined;
}
