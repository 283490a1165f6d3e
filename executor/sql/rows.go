package sql

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// table builds the rows of an answer as a JSON array of objects, within limits.
type table struct {
	out            bytes.Buffer
	names          []string // of the columns, as JSON
	limit          query
	keptRows       int
	totalRows      int64
	hasInvalidUTF8 bool // some text was not valid UTF-8
	warnings       []string
}

func newTable(columns []string, q query) *table {
	t := &table{limit: q}
	names, renamed := uniqueNames(columns)
	if len(renamed) > 0 {
		t.warnings = append(t.warnings, fmt.Sprintf("columns of the same name were renamed: %s", strings.Join(renamed, ", ")))
	}
	for _, name := range names {
		t.names = append(t.names, string(exactjson.EncodeOrNil(name)))
	}
	t.out.WriteByte('[')
	return t
}

// uniqueNames returns column names without duplicates. The second column named id becomes id_2. renamed
// are the new names.
func uniqueNames(columns []string) (names, renamed []string) {
	for i, c := range columns {
		name := c
		for n := 2; slices.Contains(names, name) || name != c && slices.Contains(columns[i+1:], name); n++ {
			name = fmt.Sprintf("%s_%d", c, n)
		}
		if name != c {
			renamed = append(renamed, name)
		}
		names = append(names, name)
	}
	return names, renamed
}

// full reports whether the next row would not be kept.
func (t *table) full() bool { return t.keptRows == t.limit.rows }

// row adds a row. It calls cell to write each value. A row beyond the limit is only counted.
func (t *table) row(cell func(i int, out *bytes.Buffer)) error {
	t.totalRows++
	if t.full() {
		return nil
	}
	if t.keptRows > 0 {
		t.out.WriteByte(',')
	}
	t.keptRows++
	before := byte('{')
	for i, name := range t.names {
		t.out.WriteByte(before)
		t.out.WriteString(name)
		t.out.WriteByte(':')
		cell(i, &t.out)
		before = ','
		if int64(t.out.Len()) > t.limit.bytes {
			return tooLargeError(t.limit.bytes)
		}
	}
	t.out.WriteByte('}')
	return nil
}

// tooLargeError returns the error for an answer of more than most bytes.
func tooLargeError(most int64) error {
	return executor.Errorf(executor.KindLimit, "response-size", "the answer is larger than %d bytes", most).
		WithHint("Ask for fewer rows or columns, or raise limits.response_bytes in abl.yaml.")
}

// answer returns the rows. all says that every row was read, so that the total is known.
func (t *table) answer(all bool) statementResult {
	t.out.WriteByte(']')
	a := statementResult{value: t.out.Bytes(), warnings: t.warnings}
	if int64(t.keptRows) < t.totalRows {
		a.truncated = &executor.Truncation{Kept: int64(t.keptRows)}
		if all {
			a.truncated.Total = &t.totalRows
		}
		a.warnings = append(a.warnings, fmt.Sprintf("only the first %d rows were kept; limits.rows in abl.yaml says how many", t.keptRows))
	}
	if t.hasInvalidUTF8 {
		a.warnings = append(a.warnings, "some text is no UTF-8; what could not be read became \ufffd")
	}
	return a
}

// affectedRows returns the answer of a statement without rows.
func affectedRows(n int64) statementResult {
	return statementResult{value: json.RawMessage(fmt.Sprintf(`{"affected":%d}`, n))}
}

// text writes a string.
func (t *table) text(out *bytes.Buffer, s string) {
	if !utf8.ValidString(s) {
		s, t.hasInvalidUTF8 = strings.ToValidUTF8(s, "\ufffd"), true
	}
	out.Write(exactjson.EncodeOrNil(s))
}

// number writes the digits of a number as they are. Other text, such as NaN, becomes a string.
func (t *table) number(out *bytes.Buffer, digits string) {
	if isJSONNumber(digits) {
		out.WriteString(digits)
		return
	}
	t.text(out, digits) // NaN, Infinity
}

func isJSONNumber(s string) bool {
	return s != "" && (s[0] == '-' || s[0] >= '0' && s[0] <= '9') && json.Valid([]byte(s))
}

// raw writes JSON as it is. Other text becomes a string.
func (t *table) raw(out *bytes.Buffer, s string) {
	if !json.Valid([]byte(s)) {
		t.text(out, s)
		return
	}
	out.WriteString(s)
}

// blob writes bytes as a base64 string.
func (t *table) blob(out *bytes.Buffer, b []byte) {
	out.WriteByte('"')
	out.Write(base64.StdEncoding.AppendEncode(nil, b))
	out.WriteByte('"')
}

// float writes a floating-point number. An integral value gets a fraction: 1 becomes 1.0.
func (t *table) float(out *bytes.Buffer, f float64, bits int) {
	switch {
	case math.IsNaN(f):
		t.text(out, "NaN")
	case math.IsInf(f, 0):
		t.text(out, strings.TrimPrefix(strconv.FormatFloat(f, 'g', -1, 64), "+")+"inity")
	default:
		format := byte('f')
		if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
			format = 'e'
		}
		s := strconv.FormatFloat(f, format, -1, bits)
		if !strings.ContainsAny(s, ".e") {
			s += ".0"
		}
		out.WriteString(s)
	}
}
