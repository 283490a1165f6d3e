package main

import "testing"

func TestIsWeakKey(t *testing.T) {
	for key, want := range map[string]bool{
		"":                                   false, // it is made at the start
		"secret":                             true,
		"replace-me-by-32-random-characters": true, // of deploy/kubernetes
		"q8ZkW0c2TnR5yUeX":                   false,
	} {
		t.Run(key, func(t *testing.T) {
			if got := isWeakKey(key); got != want {
				t.Error(got)
			}
		})
	}
}
