package model

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"method", "timeout", "GET", "größe"}
	for name, want := range map[string]string{
		"metod": "method", "methodd": "method", "mathod": "method", "mehtod": "method", "ethod": "method",
		"METOD": "method", "GTE": "GET", "große": "größe", "Method": "method",
		"method": "", "mtd": "", "": "", "G": "", "GETS!": "",
	} {
		t.Run(name, func(t *testing.T) {
			if got := Nearest(name, known); got != want {
				t.Errorf("Nearest(%q) is %q, want %q", name, got, want)
			}
		})
	}
}
