// A result that has all that the page of results can draw.
const phases = [
  { name: 'secrets', start_ms: 0, duration_ms: 2.5 }, { name: 'sign-in', start_ms: 2.5, duration_ms: 120 }, { name: 'dns', start_ms: 123, duration_ms: 14 }, { name: 'connect', start_ms: 137, duration_ms: 21 },
  { name: 'tls', start_ms: 158, duration_ms: 45 }, { name: 'first-byte', start_ms: 203, duration_ms: 310 }, { name: 'body', start_ms: 513, duration_ms: 66 },
];
const attempts = [
  { started: '2026-06-01T10:00:00Z', duration_ms: 579, status: 503, error: 'busy', phases },
  { started: '2026-06-01T10:00:01Z', duration_ms: 1420.5, status: 503, error: '', phases: [{ name: 'first-byte', start_ms: 0.4, duration_ms: 1420 }, { name: 'body', start_ms: 1420.2, duration_ms: 0.3 }] },
];
const headers = { 'content-type': 'application/json; charset=utf-8', date: 'Mon, 01 Jun 2026 10:00:02 GMT', server: 'demo' };

export const everything = {
  type: 'show',
  comparable: true,
  rerunnable: true,
  pinned: false,
  envelope: {
    run: 'r', ok: false, tool: 'everything', kind: 'http', text: '', content_type: '', set: { a: 1, b: 'x', c: true }, needs: null,
    value: [{ city: 'Rome', high: 21 }, { city: 'Oslo', high: 12 }], render: { kind: 'chart', component: '', props: null },
    error: { kind: 'remote', code: 'x', message: 'It said no.', hint: 'Ask again.', details: { status: 503, body: '{"why": "busy"}', retry_after_ms: 20 } }, warnings: ['Mind the gap.'], attempts,
    response: { status: 503, headers, bytes: 14_231, raw: '{"why": "busy"}\n' },
    request: { method: 'GET', url: 'http://x', headers: { Authorization: '••••(TOKEN)' }, n: 3 }, console: 'printed', breaker: null, verified: true, cached: true, truncated: null, duration_ms: 14_676,
    can_revert: true,
  },
};
