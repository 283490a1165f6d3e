package sandbox_test

import (
	goruntime "runtime"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/process"
)

// allowance is how many megabytes the process of a run may use in addition to its code, for the
// engine and for garbage.
const allowance = 128

// TestProcessMemory checks that memory_mb bounds the process of a run, whatever its code does.
func TestProcessMemory(t *testing.T) {
	if goruntime.GOOS != "linux" {
		t.Skip("only Linux tells the memory of a process so simply")
	}
	const memory = 64
	for _, tt := range []struct{ name, runtime, code string }{
		{"promises", js, "const f = () => Promise.resolve().then(f); await f()"},
		{"lines", js, "const line = 'x'.repeat(8 << 20); for (let i = 0; ; i++) { Math.random(); console.log(i % 1000 ? 'x' : line) }"},
		{"paths", py, "import os\nwhile True:\n  for path in ('a' * 1000, '../x', 'y' * (1 << 20)):\n    try: os.stat(path)\n    except OSError: pass"},
		{"files, then memory", py, "import os\nwith open('a', 'wb') as f:\n  for i in range(40): f.write(bytes(1 << 20))\nos.remove('a')\nx = []\nwhile True:\n  x.append(b'x' * (1 << 20))\n  os.path.exists('a')"},
	} {
		t.Run(tt.runtime+"/"+tt.name, func(t *testing.T) {
			t.Parallel()
			r := newRunner(t)
			change := func(q *executor.Request) { q.Environment.Limits.ResponseBytes = 1 << 40 }
			do(t, r, call{runtime: tt.runtime, code: "return 1", memory: "64"})
			r.Ready(tt.runtime)
			peak := peakMemory(r.Waiting(tt.runtime))
			e := do(t, r, call{runtime: tt.runtime, code: tt.code, memory: "64", timeout: "1000", change: change})
			if e.OK || e.Error.Kind != executor.KindTimeout && e.Error.Code != "memory" {
				t.Errorf("%s %+v", e.Value, e.Error)
			}
			if most := <-peak >> 20; most > memory+allowance {
				t.Errorf("the process had %d MB, %d may be its code's", most, memory)
			} else {
				t.Logf("%d MB", most)
			}
		})
	}
}

// peakMemory returns the most memory that a process used, after it has ended.
func peakMemory(pid int) <-chan int64 {
	out := make(chan int64, 1)
	go func() {
		most := int64(0)
		for {
			now := process.OwnMemory(pid)
			if now == 0 {
				out <- most
				return
			}
			most = max(most, now)
			time.Sleep(5 * time.Millisecond)
		}
	}()
	return out
}
