package callers

import "testing"

// TestNames checks that persons and clients never have one name.
func TestNames(t *testing.T) {
	for name, claims := range map[string]map[string]any{
		"ann":               {"sub": "ann", "client_id": "x"},
		"client x":          {"client_id": "x"},
		"subject client x":  {"sub": "client x"},
		"client client x":   {"client_id": "client x"},
		"client subject x":  {"client_id": "subject x"},
		"subject subject x": {"sub": "subject x"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := nameOf(claims); got != name {
				t.Error(got)
			}
		})
	}
}
