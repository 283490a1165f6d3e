package builtin_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/builtin"
	"github.com/abl-lsp/abl-lsp/tool"
)

// toolOf returns a tool of a builtin. Parameters are written name:type; an optional one ends with
// ?.
func toolOf(does string, params ...string) *tool.Tool {
	tl := &tool.Tool{Name: "try", Kind: tool.KindBuiltin, Spec: &tool.Builtin{Builtin: does}}
	for _, p := range params {
		name, typ, _ := strings.Cut(p, ":")
		typ, optional := strings.CutSuffix(typ, "?")
		tl.Params = append(tl.Params, tool.Param{Name: name, Type: &tool.Type{Name: typ}, Optional: optional})
	}
	return tl
}

func run(ctx context.Context, o builtin.Options, r executor.Request) executor.Envelope {
	r.Trusted = true
	x := executor.New(executor.Options{Runners: map[tool.Kind]executor.Runner{tool.KindBuiltin: builtin.New(o)}})
	return x.Run(ctx, r)
}

func args(t testing.TB, pairs ...any) json.RawMessage {
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func wants(t *testing.T, e executor.Envelope, kind executor.ErrorKind, part string) {
	t.Helper()
	if e.OK || e.Error.Kind != kind || !strings.Contains(e.Error.Message, part) {
		t.Errorf("%s %+v; want %s: …%s…", e.Value, e.Error, kind, part)
	}
}

// TestParameters checks that a signature must have the parameters that a builtin needs, and that a
// call warns of arguments that it does not read.
func TestParameters(t *testing.T) {
	for does, param := range map[string]string{"calculator": "expression", "wait": "duration", "web_search": "query", "fetch_url": "url"} {
		t.Run(does, func(t *testing.T) {
			e := run(t.Context(), builtin.Options{}, executor.Request{Tool: toolOf(does, "x:string"), Args: args(t, "x", "1")})
			wants(t, e, executor.KindDefinition, does+" needs the parameter "+param)
			e = run(t.Context(), builtin.Options{}, executor.Request{Tool: toolOf(does)})
			wants(t, e, executor.KindDefinition, param)
			e = run(t.Context(), builtin.Options{}, executor.Request{Tool: toolOf(does, param+":string?")})
			wants(t, e, executor.KindArguments, param+": is missing")
			e = run(t.Context(), builtin.Options{}, executor.Request{Tool: toolOf(does, param+":number"), Args: args(t, param, 1)})
			wants(t, e, executor.KindArguments, param+": must be a text")
		})
	}
	e := run(t.Context(), builtin.Options{}, executor.Request{Tool: toolOf("calculator", "expression:string", "unit:string?"), Args: args(t, "expression", "1", "unit", "m")})
	if !e.OK || !slices.Equal(e.Warnings, []string{`calculator does not read the argument "unit"`}) {
		t.Errorf("%+v %q", e.Error, e.Warnings)
	}
	e = run(t.Context(), builtin.Options{}, executor.Request{Tool: toolOf("telepathy")})
	wants(t, e, executor.KindDefinition, `builtin: "telepathy" is none of calculator, datetime, fetch_url, wait, web_search`)
}

// TestGate checks that a builtin changes nothing, but that the tool may still require a
// confirmation.
func TestGate(t *testing.T) {
	for level, code := range map[string]string{"": "", "safe": "", "confirm": "confirmation", "blocked": "blocked"} {
		t.Run(level, func(t *testing.T) {
			tl := toolOf("datetime")
			tl.RiskLevel = level
			e := run(t.Context(), builtin.Options{}, executor.Request{Tool: tl})
			if e.OK != (code == "") || !e.OK && e.Error.Code != code {
				t.Errorf("%s: %+v", level, e.Error)
			}
		})
	}
	tl := toolOf("datetime")
	tl.Enabled = "false"
	e := run(t.Context(), builtin.Options{}, executor.Request{Tool: tl, Yes: true})
	wants(t, e, executor.KindDenied, "enabled: false")
}

func TestDatetime(t *testing.T) {
	o := builtin.Options{Now: func() time.Time { return time.Date(2026, 2, 28, 23, 30, 5, 0, time.FixedZone("here", -3600)) }}
	for _, tt := range []struct{ zone, want string }{
		{"", `{"datetime":"2026-03-01T00:30:05Z","date":"2026-03-01","time":"00:30:05","day":"Sunday","timezone":"UTC"}`},
		{"UTC", `{"datetime":"2026-03-01T00:30:05Z","date":"2026-03-01","time":"00:30:05","day":"Sunday","timezone":"UTC"}`},
		{"Asia/Kolkata", `{"datetime":"2026-03-01T06:00:05+05:30","date":"2026-03-01","time":"06:00:05","day":"Sunday","timezone":"Asia/Kolkata"}`},
		{"America/New_York", `{"datetime":"2026-02-28T19:30:05-05:00","date":"2026-02-28","time":"19:30:05","day":"Saturday","timezone":"America/New_York"}`},
	} {
		t.Run(tt.zone, func(t *testing.T) {
			r := executor.Request{Tool: toolOf("datetime", "timezone:string?")}
			if tt.zone != "" {
				r.Args = args(t, "timezone", tt.zone)
			}
			if e := run(t.Context(), o, r); string(e.Value) != tt.want {
				t.Errorf("%s: %s %+v", tt.zone, e.Value, e.Error)
			}
		})
	}
	for name, zone := range map[string]string{
		"no such place":        "Mars/Olympus",
		"the machine's own":    "Local",
		"a path that leads up": "../../etc/passwd",
		"an absolute path":     "/etc/passwd",
	} {
		t.Run(name, func(t *testing.T) {
			e := run(t.Context(), o, executor.Request{Tool: toolOf("datetime", "timezone:string?"), Args: args(t, "timezone", zone)})
			wants(t, e, executor.KindArguments, "timezone: there is no time zone")
		})
	}
	if e := run(t.Context(), o, executor.Request{Tool: toolOf("datetime")}); !e.OK {
		t.Errorf("%+v", e.Error)
	}
}

func TestWait(t *testing.T) {
	tl := toolOf("wait", "duration:string")
	e := run(t.Context(), builtin.Options{}, executor.Request{Tool: tl, Args: args(t, "duration", "1ms")})
	if !e.OK || e.Text != "Waited 1ms." {
		t.Errorf("%q %+v", e.Text, e.Error)
	}
	for name, d := range map[string]string{
		"no unit":           "10",
		"a word":            "soon",
		"less than nothing": "-1s",
		"more than an hour": "61m",
		"far too much":      "99999999h",
	} {
		t.Run(name, func(t *testing.T) {
			wants(t, run(t.Context(), builtin.Options{}, executor.Request{Tool: tl, Args: args(t, "duration", d)}), executor.KindArguments, "duration: ")
		})
	}
	r := executor.Request{Tool: tl, Args: args(t, "duration", "1h"), ToolTimeout: 20 * time.Millisecond}
	wants(t, run(t.Context(), builtin.Options{}, r), executor.KindTimeout, "EXECUTION.tool_timeout")
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	if e := run(ctx, builtin.Options{}, executor.Request{Tool: tl, Args: args(t, "duration", "1h")}); e.Error.Code != "cancelled" {
		t.Errorf("%+v", e.Error)
	}
}

func calculated(t testing.TB, expression string) executor.Envelope {
	return run(t.Context(), builtin.Options{}, executor.Request{Tool: toolOf("calculator", "expression:string"), Args: args(t, "expression", expression)})
}

func TestCalculator(t *testing.T) {
	for expression, want := range map[string]string{
		"15 * 37":                "555",
		"1 + 2 * 3":              "7",
		"(1 + 2) * 3":            "9",
		"10 / 4":                 "2.5",
		"1 / 3":                  "0.3333333333333333",
		"0.1 + 0.2":              "0.3",
		"7 % 3":                  "1",
		"-7 % 3":                 "2",
		"7 % -3":                 "-2",
		"7.5 % 2":                "1.5",
		"2 ** 10":                "1024",
		"2 ** 3 ** 2":            "512",
		"-2 ** 2":                "-4",
		"(-2) ** 2":              "4",
		"2 ** -2":                "0.25",
		"2 ** 0.5":               "1.4142135623730951",
		"0 ** 0":                 "1",
		"(-1) ** 1000000000001":  "-1",
		"1 ** 99999999999999":    "1",
		"2 ** 100":               "1267650600228229401496703205376",
		"9007199254740993 + 0":   "9007199254740993",
		"- - 3":                  "3",
		"+4":                     "4",
		"2*-3":                   "-6",
		".5 + 1.":                "1.5",
		"1e3 + 1.5E-1":           "1000.15",
		"abs(-3.5)":              "3.5",
		"round(2.5)":             "3",
		"round(-2.5)":            "-3",
		"round(3.14159, 2)":      "3.14",
		"round(1.005, 2)":        "1.01",
		"round(1234, -2)":        "1200",
		"floor(-1.5)":            "-2",
		"ceil(-1.5)":             "-1",
		"min(3, 1, 2)":           "1",
		"max(3, 1, 2)":           "3",
		"sqrt(16)":               "4",
		"sqrt(2.25)":             "1.5",
		"sqrt(2)":                "1.4142135623730951",
		"pow(2, 8)":              "256",
		"log(1)":                 "0",
		"log(8, 2)":              "3",
		"log10(1000)":            "3",
		"log10(0.001)":           "-3",
		"exp(0)":                 "1",
		"sin(0)":                 "0",
		"cos(0)":                 "1",
		"tan(0)":                 "0",
		"round(sin(pi / 2), 10)": "1",
		"pi":                     "3.141592653589793",
		"e":                      "2.718281828459045",
		" 1\n+\t2 ":              "3",
		"1e-400":                 "1e-400",
		"-1e-400 / 3":            "-3.3333333333333333e-401",
		"10 ** 400 / 3":          "3.3333333333333333e+399",
		"1e400 - 1e400":          "0",
		strings.Repeat("(", 90) + "1" + strings.Repeat(")", 90): "1",
	} {
		t.Run(fmt.Sprintf("%.60s", expression), func(t *testing.T) {
			if e := calculated(t, expression); string(e.Value) != want {
				t.Errorf("%s = %s %+v, want %s", expression, e.Value, e.Error, want)
			}
		})
	}
}

func TestCalculatorRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		expression string
		kind       executor.ErrorKind
		part       string
	}{
		"by zero":                        {"1 / 0", executor.KindArguments, "divides by zero"},
		"the rest by zero":               {"1 % 0", executor.KindArguments, "divides by zero"},
		"zero to a negative power":       {"0 ** -1", executor.KindArguments, "divides by zero"},
		"root of a negative number":      {"sqrt(-1)", executor.KindArguments, "no value among the real numbers"},
		"root of a negative power":       {"(-8) ** 0.5", executor.KindArguments, "no value among the real numbers"},
		"logarithm of zero":              {"log(0)", executor.KindArguments, "above zero"},
		"logarithm to the base 1":        {"log(2, 1)", executor.KindArguments, "base 1"},
		"a tower of powers":              {"9 ** 9 ** 9 ** 9", executor.KindLimit, "too large"},
		"a long whole number":            {"10 ** 100000", executor.KindLimit, "too large"},
		"a long fraction":                {"1.5 ** 100000", executor.KindLimit, "too large"},
		"a large exponential":            {"exp(1000)", executor.KindLimit, "too large"},
		"a large exponent":               {"1e999999999", executor.KindLimit, "too large"},
		"a small power":                  {"0.5 ** 5000", executor.KindLimit, "too small"},
		"a small power of ten":           {"10 ** -1300", executor.KindLimit, "too small"},
		"a small quotient":               {"1 / 7 ** 1400 / 7 ** 1400", executor.KindLimit, "too small"},
		"a small divisor":                {"1 / (1e-1000 ** 2)", executor.KindLimit, "too small"},
		"a small exponent":               {"1e-1001", executor.KindLimit, "too small"},
		"digits of other scripts":        {"１ + ٣", executor.KindArguments, "at character 1"},
		"too many digits":                {"round(1, 9999)", executor.KindArguments, "number of digits"},
		"nested in parentheses":          {strings.Repeat("(", 101) + "1", executor.KindLimit, "nests more than 100"},
		"nested in signs":                {strings.Repeat("-", 101) + "1", executor.KindLimit, "nests more than 100"},
		"nested in powers":               {"2" + strings.Repeat("**1", 101), executor.KindLimit, "nests more than 100"},
		"too long":                       {strings.Repeat("1+", 5001) + "1", executor.KindLimit, "10000 are the limit"},
		"nothing":                        {"", executor.KindArguments, "is missing"},
		"a blank":                        {" ", executor.KindArguments, "ends too early"},
		"no second operand":              {"1 +", executor.KindArguments, "ends too early"},
		"an open parenthesis":            {"(1", executor.KindArguments, "ends too early"},
		"two numbers":                    {"1 2", executor.KindArguments, `"2" cannot stand at character 3`},
		"an unknown name":                {"ü1 + 1", executor.KindArguments, "nothing called ü1"},
		"a sign that is unknown":         {"1 $ 2", executor.KindArguments, `"$" cannot stand at character 3`},
		"a power in another language":    {"2 ^ 3", executor.KindArguments, "a power is written **"},
		"a division in another language": {"7 // 2", executor.KindArguments, `"/" cannot stand`},
		"two points":                     {"1.2.3", executor.KindArguments, "1.2.3 is no number"},
		"a comma in a number":            {"1,000", executor.KindArguments, `"," cannot stand`},
		"a function without parentheses": {"sqrt 4", executor.KindArguments, `"4" cannot stand`},
		"a function without arguments":   {"sqrt()", executor.KindArguments, "sqrt takes one argument, not 0"},
		"too few arguments":              {"pow(1)", executor.KindArguments, "pow takes 2 arguments, not 1"},
		"too many arguments":             {"round(1, 2, 3)", executor.KindArguments, "1 or 2 arguments, not 3"},
		"a minimum of nothing":           {"min()", executor.KindArguments, "one argument or more"},
		"Python":                         {"__import__('os')", executor.KindArguments, "nothing called __import__"},
		"a function alone":               {"abs", executor.KindArguments, "ends too early"},
		"two expressions":                {"1; 2", executor.KindArguments, `";" cannot stand`},
		"a list":                         {"len([1])", executor.KindArguments, "nothing called len"},
	} {
		t.Run(name, func(t *testing.T) {
			wants(t, calculated(t, tt.expression), tt.kind, tt.part)
		})
	}
}

// FuzzCalculator checks that the answer to any expression is a number of bounded length, or an
// error about the expression.
func FuzzCalculator(f *testing.F) {
	for _, s := range []string{"1+2*3", "2**100", "1/3", "min(1,2)", "round(2.5,-1)", "((((", "9**9**9", "1e-5", "e**pi%2", "log10(tan(.5))", "-+-1", "1e", "1.e+5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e := calculated(t, s)
		if !e.OK {
			if e.Error.Kind != executor.KindArguments && e.Error.Kind != executor.KindLimit {
				t.Fatalf("%q: %+v", s, e.Error)
			}
			return
		}
		var n json.Number
		if err := json.Unmarshal(e.Value, &n); err != nil || len(n) > 2000 {
			t.Fatalf("%q = %s", s, e.Value)
		}
		if _, ok := new(big.Rat).SetString(n.String()); !ok {
			t.Fatalf("%q = %s", s, n)
		}
	})
}

func BenchmarkCalculator(b *testing.B) {
	x := executor.New(executor.Options{Runners: map[tool.Kind]executor.Runner{tool.KindBuiltin: builtin.New(builtin.Options{})}})
	r := executor.Request{Tool: toolOf("calculator", "expression:string"), Args: args(b, "expression", "round(sqrt(2) * 100 + 15 % 4 ** 2, 2)"), Trusted: true}
	for b.Loop() {
		if e := x.Run(b.Context(), r); !e.OK {
			b.Fatal(e.Error)
		}
	}
}
