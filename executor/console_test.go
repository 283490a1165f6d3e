package executor

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestConsoleLevels checks that the lines of a console keep the levels at which code printed and LOG
// logged them, and nothing of the marks.
func TestConsoleLevels(t *testing.T) {
	printed, levels := ReadConsole("plain\n\x1dWcareful 🛫\n\x1dEtwo\n\x1dElines\n\x1dXother\n")
	logged := markLine(logLevel(map[string]any{"LEVEL": "warn", "MESSAGE": "x"}), "logged") + "\n" + markLine(logLevel("x"), "said") + "\n"
	var e Envelope
	e.Console, e.ConsoleLevels = joinConsoles(Result{Console: printed, ConsoleLevels: levels}, logged)
	var got []string
	e.EachLine(func(level, line string) { got = append(got, level+": "+line) })
	want := []string{"info: plain", "warning: careful 🛫", "error: two", "error: lines", "info: \x1dXother", "warning: logged", "info: said"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
