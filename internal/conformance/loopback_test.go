package conformance

import "testing"

func TestIsLoopback(t *testing.T) {
	for address, want := range map[string]bool{
		"0100007F:1F90":                         true,  // 127.0.0.1
		"0A00007F:1F90":                         true,  // 127.0.0.10
		"00000000:1F90":                         false, // every address
		"0100000A:1F90":                         false, // 10.0.0.1
		"00000000000000000000000001000000:1F90": true,  // ::1
		"00000000000000000000000000000000:1F90": false,
		"0000000000000000FFFF00000100007F:1F90": true, // ::ffff:127.0.0.1
		"0000000000000000FFFF00000100000A:1F90": false,
		"":                                      false,
	} {
		t.Run(address, func(t *testing.T) {
			if got := isLoopback(address); got != want {
				t.Errorf("%s: %v", address, got)
			}
		})
	}
}
