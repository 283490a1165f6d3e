package model

import "testing"

func TestSections(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Sections() {
		for _, name := range append([]string{s.Name}, s.Aliases...) {
			if seen[name] {
				t.Errorf("%s stands twice", name)
			}
			seen[name] = true
			if got, ok := LookupSection(name); !ok || got.Name != s.Name {
				t.Errorf("LookupSection(%q) = %q, %v", name, got.Name, ok)
			}
		}
		if s.Doc == "" || len(s.Kinds) == 0 {
			t.Errorf("%s has no documentation, or fits no file", s.Name)
		}
	}
}

func TestSectionsFit(t *testing.T) {
	for _, tt := range []struct {
		section string
		kind    FileKind
		want    bool
	}{
		{"tools", Library, true},
		{"GOAL", Library, false},
		{"GOAL", Supervisor, true},
		{"ROUTING", Supervisor, true},
		{"ROUTING", Agent, false},
		{"PRIORITY", Agent, false},
		{"PRIORITY", Profile, true},
		{"STEPS", Agent, true},
		{"STATE", Unknown, true},
	} {
		t.Run(tt.section, func(t *testing.T) {
			if s, _ := LookupSection(tt.section); s.Fits(tt.kind) != tt.want {
				t.Errorf("%s in %v: %v", tt.section, tt.kind, !tt.want)
			}
		})
	}
	if _, ok := LookupSection("MODE"); ok {
		t.Error("MODE is no section any more")
	}
}
