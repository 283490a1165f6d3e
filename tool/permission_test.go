package tool

import "testing"

// What a module asks for can hold anything: its question stays one line.
func TestPermissionQuestion(t *testing.T) {
	p := Permission{Kind: "web", Op: "get", Resource: "a\r\nMay b?"}
	if got, want := p.Question("fetch"), `May fetch get a\r\nMay b? (web)?`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
