package module_test

import "testing"

// A call, the start of its process included.

func BenchmarkJavaScript(b *testing.B) {
	benchmark(b, "a.mjs", `export const one = () => 1;`)
}

func BenchmarkTypeScript(b *testing.B) {
	benchmark(b, "a.ts", `export const one = (): number => 1;`)
}

func benchmark(b *testing.B, file, text string) {
	r := in(b, map[string]string{file: text})
	tl := r.tool(file, "one")
	for b.Loop() {
		if e := r.run(b.Context(), tl, `{}`); !e.OK {
			b.Fatal(e.Error)
		}
	}
}
