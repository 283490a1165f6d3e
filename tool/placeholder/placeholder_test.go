package placeholder

import (
	"slices"
	"strings"
	"testing"
)

func TestSecrets(t *testing.T) {
	got := Secrets(`{"a": "{{secrets.B}} {{ secrets.A }}", "b": "{{secrets.B}} {{env.C}} {secrets.D}"}`)
	if want := []string{"B", "A"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestOnly(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"{{a}}", "a"},
		{"{{ secrets.KEY }}", "secrets.KEY"},
		{"{{a}}{{b}}", ""},
		{" {{a}} ", "a"},
		{"{{\n  a\n}}\n", "a"},
		{"x{{a}}", ""},
		{"{a}", ""},
		{"{{a", ""},
		{"{{}}", ""},
		{"{{a}b}}", ""},
		{"", ""},
	} {
		t.Run(tt.text, func(t *testing.T) {
			if got, ok := SoleName(tt.text); got != tt.want || ok != (tt.want != "") {
				t.Errorf("%q, %v, want %q", got, ok, tt.want)
			}
		})
	}
}

func FuzzFill(f *testing.F) {
	for _, s := range []string{"{{a}}", "{a}{{", "}}{{}}", "{{{a}}}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		same, err := Fill(text, false, func(p Lookup) (string, error) { return "{{" + p.Name + "}}", nil })
		if err != nil {
			t.Fatal(err)
		}
		again, _ := Fill(same, false, func(p Lookup) (string, error) { return "{{" + p.Name + "}}", nil })
		if again != same {
			t.Errorf("%q becomes %q, then %q", text, same, again)
		}
	})
}

// TestFillIsLinear checks that unclosed braces take no more time than other text.
func TestFillIsLinear(t *testing.T) {
	for _, unit := range []string{"{", "{{", "{ {{x", `{{"`, "{{a}{"} {
		t.Run(unit, func(t *testing.T) {
			text := strings.Repeat(unit, 1<<20/len(unit))
			for name, single := range map[string]bool{"every place": false, "one place": true} {
				t.Run(name, func(t *testing.T) {
					got, err := Fill(text, single, func(Lookup) (string, error) { return "", nil })
					if err != nil || !single && got != text {
						t.Errorf("%s: changed, %v", unit, err)
					}
				})
			}
		})
	}
}

// TestAllAndFill checks that the analysis finds the same placeholders that a run fills in: those
// that are closed and have a name.
func TestAllAndFill(t *testing.T) {
	for _, tt := range []struct {
		text   string
		single bool
		all    []string // an open one ends in !
		filled []string
	}{
		{"/v1/{id}/x/{{b}}", true, []string{"id", "b"}, []string{"id", "b"}},
		{"/v1/{id}/x/{{b}}", false, []string{"b"}, []string{"b"}},
		{"{{a}} {{b", false, []string{"a", "b!"}, []string{"a"}},
		{"{{a\n}}", false, []string{"a!"}, nil},
		{"{{{a}}} {{{b", false, []string{"a", "b!"}, []string{"a"}},
		{`{{}} {{"a": 1}}`, false, []string{"", `"a": 1`}, nil},
		{"{{a}b}}🧭{{c}}", false, []string{"a}b", "c"}, []string{"c"}},
	} {
		t.Run(tt.text, func(t *testing.T) {
			var all, filled []string
			for p := range All(tt.text, tt.single) {
				name := tt.text[p.InnerStart:p.InnerEnd]
				if !p.Closed {
					name += "!"
				}
				all = append(all, name)
			}
			_, _ = Fill(tt.text, tt.single, func(p Lookup) (string, error) {
				filled = append(filled, p.Name)
				return "", nil
			})
			if !slices.Equal(all, tt.all) || !slices.Equal(filled, tt.filled) {
				t.Errorf("all %q, filled %q", all, filled)
			}
		})
	}
}
