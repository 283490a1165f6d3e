package secrets

import (
	"fmt"
	"strings"
	"testing"
)

// benchmarked returns a megabyte of JSON, and a Redactor with ten secrets that are not in it.
func benchmarked() (*Redactor, string) {
	r := &Redactor{}
	for i := range 10 {
		r.Add(fmt.Sprint("KEY", i), fmt.Sprintf("sk-%02d-0123456789abcdefXYZ", i))
	}
	var text strings.Builder
	text.WriteString("[")
	for i := 0; text.Len() < 1<<20; i++ {
		fmt.Fprintf(&text, `{"id": %d, "at": [115, %d.5, %d], "name": "Hôtel number %d", "url": "https://example.com/%x"},`, i, i, i*7919, i, i*104729)
	}
	return r, text.String() + "0]"
}

func BenchmarkString(b *testing.B) {
	r, text := benchmarked()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if r.String(text) != text {
			b.Fatal("changed")
		}
	}
}

func BenchmarkJSON(b *testing.B) {
	r, text := benchmarked()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if len(r.JSON([]byte(text))) != len(text) {
			b.Fatal("changed")
		}
	}
}

// BenchmarkStream measures a text that arrives line by line.
func BenchmarkStream(b *testing.B) {
	r, text := benchmarked()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s := &Stream{Redactor: r}
		for line := range strings.SplitSeq(text, "},") {
			s.Write(line)
		}
		s.Rest()
	}
}
