package exactjson

import "iter"

// Parts yields the members of the object raw with their keys, or the elements of the list raw with
// nil for the key. Keys are in quotes; keys and values are slices of raw. raw must be valid and
// begin with its bracket.
func Parts(raw []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		inObject, rest := raw[0] == '{', skipBlanks(raw[1:])
		for rest[0] != ']' && rest[0] != '}' {
			var key []byte
			if inObject {
				n := valueEnd(rest)
				key, rest = rest[:n], skipBlanks(rest[n:])
				rest = skipBlanks(rest[1:]) // the colon
			}
			n := valueEnd(rest)
			if !yield(key, rest[:n]) {
				return
			}
			if rest = skipBlanks(rest[n:]); rest[0] == ',' {
				rest = skipBlanks(rest[1:])
			}
		}
	}
}

func skipBlanks(raw []byte) []byte {
	for raw[0] == ' ' || raw[0] == '\n' || raw[0] == '\t' || raw[0] == '\r' {
		raw = raw[1:]
	}
	return raw
}

// valueEnd returns the length of the value that valid JSON begins with.
func valueEnd(raw []byte) int {
	depth := 0
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			i += StringEnd(raw[i:]) - 1
			if depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i // of what the value is in
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',', ' ', '\n', '\t', '\r':
			if depth == 0 {
				return i
			}
		}
	}
	return len(raw)
}

// StringEnd returns the length of the string that valid JSON begins with.
func StringEnd[T ~string | ~[]byte](raw T) int {
	for i := 1; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}
