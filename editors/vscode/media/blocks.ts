// The view of the content blocks of an MCP server: texts, pictures, sounds, embedded resources, and links
// to resources, which are read when the person clicks.
import { indentJSON } from '../src/exact';
import type { ResultAction } from '../src/messages';
import type { Json } from '../src/protocol';
import { formatBytes } from '../src/units';
import { saveAs } from './copy';
import { appendInPieces, button, element } from './dom';
import { post } from './host';

type Fields = { [name: string]: Json };

/** Reports whether there is more than texts. */
export function hasMedia(blocks: Json[]): boolean {
  return blocks.some((block) => fields(block)['type'] !== 'text');
}

/** Returns the blocks, one below the other. */
export function blockList(blocks: Json[]): Node {
  const all = element('div', { class: 'blocks' });
  return element('div', {}, all, ...appendInPieces(all, blocks, blockView));
}

function blockView(block: Json): Node {
  const one = fields(block);
  switch (one['type']) {
    case 'text':
      return element('pre', {}, words(one['text']));
    case 'image':
    case 'audio':
      return mediaView(words(one['data']), words(one['mimeType']), words(one['type']));
    case 'resource':
      return resourceView(fields(one['resource'] ?? null));
    case 'resource_link':
      return linkView(one);
  }
  return element('pre', {}, indentJSON(block));
}

/** Returns a picture, a sound with its controls, or the size of other bytes, each with a button that saves it. */
function mediaView(data: string, type: string, name: string): Node {
  const media = /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream';
  const source = `data:${media};base64,${data}`;
  const label = `${media}, ${formatBytes(Math.floor((data.replace(/=+$/, '').length * 3) / 4))}`;
  const save = button('Save as File…', () => saveAs(suffixOf(media), data, true), { class: 'secondary' });
  const shown = media.startsWith('image/') ? element('img', { src: source, alt: `The ${name} that the tool returned` })
    : media.startsWith('audio/') ? element('audio', { src: source, controls: true, 'aria-label': `The ${name} that the tool returned` })
    : undefined;
  return element('figure', {}, ...(shown ? [shown] : []), element('figcaption', {}, label, ' ', save));
}

function resourceView(resource: Fields): Node {
  const title = element('figcaption', {}, words(resource['uri']));
  const { text, blob } = resource;
  return element('figure', {}, title, typeof blob === 'string' ? mediaView(blob, words(resource['mimeType']), 'resource') : element('pre', {}, words(text ?? '')));
}

function linkView(link: Fields): Node {
  const uri = words(link['uri']);
  const name = words(link['title'] ?? link['name'] ?? uri);
  const open = button(`Open ${name}`, () => post({ type: 'open', uri } satisfies ResultAction), { title: `Ask the server for ${uri}` });
  return element('p', {}, open, ' ', element('span', { class: 'hint' }, [words(link['description'] ?? ''), words(link['mimeType'] ?? ''), uri].filter(Boolean).join(' · ')));
}

function suffixOf(media: string): string {
  const name = media.split('/')[1]?.split('+')[0] ?? '';
  return { jpeg: 'jpg', mpeg: 'mp3', 'octet-stream': 'bin', plain: 'txt' }[name] ?? (/^[a-z0-9]+$/.test(name) ? name : 'bin');
}

function fields(value: Json): Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
}

function words(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
