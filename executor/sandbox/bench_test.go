package sandbox_test

import (
	"slices"
	"testing"
	"time"
)

// The seed page's examples, as an editor runs them: with a process ready.

func BenchmarkJavaScript(b *testing.B) {
	benchmark(b, call{runtime: js, args: `{"n": 1234.5, "text": "CA"}`, code: "const rates = { CA: 0.133, NY: 0.109, TX: 0 };\nconst rate = rates[text] || 0.05;\nreturn { tax: n * rate, rate };"})
}

func BenchmarkJavaScriptIntl(b *testing.B) {
	benchmark(b, call{runtime: js, args: `{"n": 1234.5, "text": "EUR"}`, code: "return { formatted: new Intl.NumberFormat('en-US', {style: 'currency', currency: text}).format(n) };"})
}

func BenchmarkPython(b *testing.B) {
	benchmark(b, call{runtime: py, args: `{"text": "One. Two! Three?"}`, code: "import re\nwords = len(text.split())\nsentences = len(re.split(r'[.!?]+', text))\nreturn {\"word_count\": words, \"sentences\": sentences}"})
}

// BenchmarkCold* have no process ready, but what is compiled in the cache.

func BenchmarkColdJavaScript(b *testing.B) { benchmarkCold(b, call{runtime: js, code: "return 1"}) }
func BenchmarkColdPython(b *testing.B)     { benchmarkCold(b, call{runtime: py, code: "return 1"}) }

// benchmark measures runs for which a process is ready, and reports their median.
func benchmark(b *testing.B, c call) {
	r := newRunner(b)
	e := newExecutor(r)
	var times []time.Duration
	for b.Loop() {
		b.StopTimer()
		r.Ready(c.runtime)
		b.StartTimer()
		start := time.Now()
		if got := e.Run(b.Context(), c.request()); !got.OK {
			b.Fatal(got.Error)
		}
		times = append(times, time.Since(start))
	}
	report(b, times[min(1, len(times)-1):]) // the first has none ready
}

func benchmarkCold(b *testing.B, c call) {
	var times []time.Duration
	for b.Loop() {
		r := newRunner(b)
		start := time.Now()
		if got := newExecutor(r).Run(b.Context(), c.request()); !got.OK {
			b.Fatal(got.Error)
		}
		times = append(times, time.Since(start))
		if err := r.Close(); err != nil {
			b.Fatal(err)
		}
	}
	report(b, times)
}

func report(b *testing.B, times []time.Duration) {
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "ms/median")
}
