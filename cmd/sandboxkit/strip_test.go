package main

import "testing"

func TestStrip(t *testing.T) {
	const head = "\x00asm\x01\x00\x00\x00"
	for _, tt := range []struct{ name, module, want string }{
		{"nothing", head, head},
		{"custom sections", head + "\x00\x03abc" + "\x01\x02xy" + "\x00\x80\x00" + "\x0a\x00", head + "\x01\x02xy" + "\x0a\x00"},
		{"no WebAssembly", "#!/bin/sh\n", ""},
		{"too short", "\x00asm", ""},
		{"a section cut short", head + "\x01\x05ab", ""},
		{"a size cut short", head + "\x01\x80", ""},
		{"a size beyond all", head + "\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", ""},
		{"an identifier alone", head + "\x01", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := stripModule([]byte(tt.module))
			if string(got) != tt.want || (err == nil) != (tt.want != "") {
				t.Errorf("%s: %q, %v; want %q", tt.name, got, err, tt.want)
			}
		})
	}
}
