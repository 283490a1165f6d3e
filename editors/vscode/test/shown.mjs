// A result that has all that the page of results can draw.
const attempts = [{ started: '2026-06-01T10:00:00Z', duration_ms: 1.25, status: 503, error: 'busy' }];

export const everything = {
  type: 'show',
  comparable: true,
  rerunnable: true,
  envelope: {
    run: 'r', ok: false, tool: 'everything', kind: 'http', text: '', content_type: '', set: { a: 1, b: 'x', c: true }, needs: null,
    value: [{ city: 'Rome', high: 21 }, { city: 'Oslo', high: 12 }], render: { kind: 'chart', component: '', props: null },
    error: { kind: 'remote', code: 'x', message: 'It said no.', hint: 'Ask again.', details: { status: 503, body: '{"why": "busy"}', retry_after_ms: 20 } }, warnings: ['Mind the gap.'], attempts,
    request: { url: 'http://x', n: 3 }, console: 'printed', breaker: null, verified: true, cached: true, truncated: null, duration_ms: 12,
    can_revert: true,
  },
};
