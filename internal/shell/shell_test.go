package shell

import (
	"os/exec"
	"strings"
	"testing"
)

// TestQuote lets a real shell print each word.
func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"plain-word": "plain-word", "": "", "it's 🛫": "it's 🛫", `a"b$HOME\`: `a"b$HOME\`, "two\nlines": "two\nlines", "`id` $(id)": "`id` $(id)", "a;b&c|d*?~#": "a;b&c|d*?~#",
		"Bearer ••••(API_TOKEN)!": "Bearer it's $x!", "••••(access token)": "granted", "••••(9-a)": "nine", "••••(mixed_Case)": "kept", "~": "~", "=ls": "=ls", "a=b": "a=b", "\x1b[201~\t'\\\u009b\r": "\x1b[201~\t'\\\u009b\r", "(no mark)": "(no mark)",
	} {
		t.Run(text, func(t *testing.T) {
			for _, shell := range shells(t) {
				cmd := exec.Command(shell, "-c", "printf %s "+Quote(text))
				cmd.Env = []string{"API_TOKEN=it's $x", "ACCESS_TOKEN=granted", "_9_A=nine", "mixed_Case=kept", "HOME=/home"}
				out, err := cmd.CombinedOutput()
				if err != nil || string(out) != want {
					t.Errorf("%s: %s: %q %v, want %q", shell, Quote(text), out, err, want)
				}
			}
			if strings.ContainsFunc(Quote(text), isControl) {
				t.Errorf("%q would act on a terminal", Quote(text))
			}
		})
	}
}
