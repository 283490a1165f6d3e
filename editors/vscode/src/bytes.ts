// The bytes in a result: those of an answer that is not text, and the parts of an MCP result.
import type { Envelope, Json } from './protocol';

export interface BinaryPart {
  media: string;
  base64: string;
}

/** Returns all binary parts in order. A part from which a secret was removed is left out. */
export function binaryParts({ value, encoding, content_type }: Pick<Envelope, 'value' | 'encoding' | 'content_type'>): BinaryPart[] {
  return findParts(value, encoding === 'base64' ? content_type : undefined).filter(({ base64 }) => /^[A-Za-z0-9+/=\s]*$/.test(base64));
}

function findParts(value: Json, encoded: string | undefined): BinaryPart[] {
  if (typeof value !== 'string') {
    return (Array.isArray(value) ? value : [value]).flatMap(mcpParts);
  }
  const [, media, base64] = /^data:([\w.+/-]+);base64,(.+)$/s.exec(value) ?? [];
  const whole = encoded === undefined ? [] : [{ media: encoded, base64: value }];
  return media && base64 ? [{ media, base64 }] : whole;
}

/** Returns the number of bytes. */
export function byteLength({ base64 }: BinaryPart): number {
  return Math.floor((base64.replace(/[=\s]/g, '').length * 3) / 4);
}

/** Returns a name for a file with the bytes. */
export function fileName(tool: string, { media }: BinaryPart): string {
  const kind = media.split('/')[1] ?? '';
  return `${safeName(tool)}.${/^[a-z0-9]+$/.test(kind) ? kind : 'bin'}`;
}

/** Returns a name without characters that a file's name cannot have. */
export function safeName(name: string): string {
  return name.replace(/[^\p{L}\p{N}_-]+/gu, '_');
}

/** Returns the image, sound or file in a block of MCP. */
function mcpParts(block: Json): BinaryPart[] {
  const { type, data, mimeType, resource } = asObject(block);
  const { blob, mimeType: kind } = asObject(resource);
  const base64 = type === 'resource' ? blob : type === 'image' || type === 'audio' ? data : undefined;
  return typeof base64 === 'string' ? [{ media: String((type === 'resource' ? kind : mimeType) ?? ''), base64 }] : [];
}

function asObject(value: Json | undefined): { [name: string]: Json } {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
}
