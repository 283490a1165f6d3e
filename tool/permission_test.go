package tool

import "testing"

// TestPermissionQuestion checks that the question about a permission is one line, whatever text a
// module puts into the permission.
func TestPermissionQuestion(t *testing.T) {
	p := Permission{Kind: "web", Op: "get", Resource: "a\r\nMay b?"}
	if got, want := p.Question("fetch"), `May fetch get a\r\nMay b? (web)?`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
