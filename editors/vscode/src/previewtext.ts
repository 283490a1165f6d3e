// What a call would send, as text.
import { indentJSON } from './exact';
import type { Json } from './protocol';

/** Returns a request as HTTP writes it, and anything else as JSON. */
export function previewText(request: Json): string {
  const { method, url, headers, body, ...others } = request !== null && typeof request === 'object' && !Array.isArray(request) ? request : {};
  if (typeof method !== 'string' || typeof url !== 'string') {
    return indentJSON(request);
  }
  const lines = headers !== null && typeof headers === 'object' ? Object.entries(headers).map(([name, value]) => `${name}: ${typeof value === 'string' ? value : indentJSON(value)}`) : [];
  const content = body === undefined || body === null || body === '' ? [] : ['', typeof body === 'string' ? body : indentJSON(body)];
  const more = Object.keys(others).length > 0 ? ['', indentJSON(others)] : [];
  return [`${method} ${url}`, ...lines, ...content, ...more].join('\n');
}
