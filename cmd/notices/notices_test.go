package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestInside checks that every released part has the text of a permissive licence.
func TestInside(t *testing.T) {
	parts, err := allParts(t.Context(), "../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range parts {
		if err := one.check(); err != nil {
			t.Error(err)
		}
	}
	for _, want := range []string{"Go 1.", "github.com/tetratelabs/wazero v", "tree-sitter"} {
		if !slices.ContainsFunc(parts, func(p part) bool { return strings.HasPrefix(p.name, want) }) {
			t.Errorf("%q is not among the parts", want)
		}
	}
}

// TestCheck checks which texts are accepted.
func TestCheck(t *testing.T) {
	for _, test := range []struct{ name, file, content, want string }{
		{"MIT in a comment", "LICENSE", "// Permission is hereby granted, free\n// of charge, to any person", ""},
		{"BSD in a list", "license.md", "* Redistribution and use in source\n  * and binary forms 🛫", ""},
		{"Apache over two lines", "LICENCE.txt", "Apache License\n   Version 2.0, January 2004", ""},
		{"GPL", "COPYING", "GNU GENERAL PUBLIC LICENSE\n Version 3", "part: COPYING is not known"},
		{"LGPL beside MIT", "LICENSE", "Permission is hereby granted, free of charge, to any person\nGNU Lesser General Public License, version 2.1", "part: LICENSE is not known"},
		{"BSD of four clauses", "LICENSE", "Redistribution and use in source and binary forms\nAll advertising materials", "part: LICENSE is not known"},
		{"one of somebody's own", "LICENSE", "You may look at it.", "part: LICENSE is not known"},
		{"a notice alone", "NOTICE", "Apache License Version 2.0", "part has no licence"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			if err := (part{"part", []text{{test.file, test.content}}}).check(); err != nil {
				got = err.Error()
			}
			if !strings.HasPrefix(got, test.want) || (got == "") != (test.want == "") {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestRun checks that nothing is written if a package has no licence.
func TestRun(t *testing.T) {
	t.Chdir("../..")
	var out strings.Builder
	if err := run(t.Context(), []string{t.TempDir()}, &out); err == nil || out.Len() > 0 {
		t.Errorf("an empty folder: %v, %d bytes", err, out.Len())
	}
}

// TestWrite checks that a text which several parts have is written once, and a text that
// differs by a letter is written, too.
func TestWrite(t *testing.T) {
	var out strings.Builder
	err := writeNotices(&out, []part{
		{"a 1", []text{{"LICENSE", "One 🛫"}, {"NOTICE", "Of a"}}},
		{"b 2", []text{{"sub/LICENSE", "One 🛫"}}},
		{"c 3", []text{{"LICENSE", "One 🛫!"}}},
	})
	_, got, _ := strings.Cut(out.String(), "\n\n")
	want := line + "\na 1, LICENSE\nb 2, sub/LICENSE\n\nOne 🛫\n\n" + line + "\na 1, NOTICE\n\nOf a\n\n" + line + "\nc 3, LICENSE\n\nOne 🛫!\n"
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
