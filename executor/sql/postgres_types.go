package sql

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// writer writes a value that PostgreSQL returned as text. nil is NULL.
type writer func(t *table, text []byte, out *bytes.Buffer)

// columns are the columns of an answer.
type columns struct {
	names          []string
	writers        []writer
	typesRequested bool // the server was asked for types
}

// typeCache knows the types of a server: PostgreSQL's own, and for all others whether they are
// arrays. It is safe for concurrent use.
type typeCache struct {
	known *pgtype.Map

	mu    sync.Mutex
	items map[uint32]uint32 // the item type of each other type; 0: no array
}

func newTypeCache() *typeCache { return &typeCache{known: pgtype.NewMap(), items: map[uint32]uint32{}} }

// firstOwn is the lowest OID of a type that is not PostgreSQL's own.
const firstOwn = 16384

func (ty *typeCache) columns(ctx context.Context, c *pgconn.PgConn, fields []pgconn.FieldDescription) (columns, error) {
	out := columns{}
	var unknown []string
	for _, f := range fields {
		if _, known := ty.item(f.DataTypeOID); f.DataTypeOID >= firstOwn && !known {
			unknown = append(unknown, strconv.FormatUint(uint64(f.DataTypeOID), 10))
		}
	}
	if unknown != nil {
		out.typesRequested = true
		if err := ty.look(ctx, c, unknown); err != nil {
			return out, err
		}
	}
	for _, f := range fields {
		out.names = append(out.names, f.Name)
		out.writers = append(out.writers, ty.writer(f.DataTypeOID))
	}
	return out, nil
}

// itemsOf is the query for the item types of arrays. For items of a domain it returns the domain's
// base type.
const itemsOf = `WITH RECURSIVE base(array_, item) AS (
  SELECT oid, CASE WHEN typcategory = 'A' THEN typelem ELSE 0 END FROM pg_catalog.pg_type WHERE oid = ANY($1::oid[])
  UNION ALL SELECT array_, typbasetype FROM base JOIN pg_catalog.pg_type ON oid = item WHERE typtype = 'd'
) SELECT array_, item FROM base LEFT JOIN pg_catalog.pg_type ON oid = item WHERE typtype IS DISTINCT FROM 'd'`

// look asks the server which types are arrays.
func (ty *typeCache) look(ctx context.Context, c *pgconn.PgConn, oids []string) error {
	r := c.ExecParams(ctx, itemsOf,
		[][]byte{[]byte("{" + strings.Join(oids, ",") + "}")}, nil, nil, nil).Read()
	ty.mu.Lock()
	defer ty.mu.Unlock()
	for _, row := range r.Rows {
		oid, _ := strconv.ParseUint(string(row[0]), 10, 32)
		item, _ := strconv.ParseUint(string(row[1]), 10, 32)
		ty.items[uint32(oid)] = uint32(item)
	}
	return r.Err
}

// item returns the item type of an array. It is 0 for a type that is not an array. known is false
// if the server must be asked.
func (ty *typeCache) item(oid uint32) (item uint32, known bool) {
	if t, ok := ty.known.TypeForOID(oid); ok {
		if a, ok := t.Codec.(*pgtype.ArrayCodec); ok {
			return a.ElementType.OID, true
		}
		return 0, true
	}
	ty.mu.Lock()
	defer ty.mu.Unlock()
	item, known = ty.items[oid]
	return item, known
}

func (ty *typeCache) writer(oid uint32) writer {
	if item, _ := ty.item(oid); item != 0 {
		return ty.array(item)
	}
	return orNull(plainWriter(oid))
}

func orNull(w writer) writer {
	return func(t *table, text []byte, out *bytes.Buffer) {
		if text == nil {
			out.WriteString("null")
			return
		}
		w(t, text, out)
	}
}

// plainWriter returns the writer for a type that is not an array. A value that JSON cannot express
// becomes the text that PostgreSQL shows.
func plainWriter(oid uint32) writer {
	switch oid {
	case pgtype.Int2OID, pgtype.Int4OID, pgtype.Int8OID, pgtype.OIDOID, pgtype.NumericOID, pgtype.Float4OID, pgtype.Float8OID:
		return func(t *table, text []byte, out *bytes.Buffer) { t.number(out, string(text)) }
	case pgtype.BoolOID:
		return func(_ *table, text []byte, out *bytes.Buffer) { out.WriteString(strconv.FormatBool(text[0] == 't')) }
	case pgtype.JSONOID, pgtype.JSONBOID:
		return func(t *table, text []byte, out *bytes.Buffer) { t.raw(out, string(text)) }
	case pgtype.ByteaOID:
		return writeBytea
	case pgtype.TimestamptzOID:
		return func(t *table, text []byte, out *bytes.Buffer) { t.text(out, toRFC3339(string(text))) }
	case pgtype.TimestampOID:
		return func(t *table, text []byte, out *bytes.Buffer) {
			t.text(out, strings.Replace(string(text), " ", "T", 1))
		}
	}
	return func(t *table, text []byte, out *bytes.Buffer) { t.text(out, string(text)) }
}

func writeBytea(t *table, text []byte, out *bytes.Buffer) {
	digits, ok := bytes.CutPrefix(text, []byte(`\x`))
	b, err := hex.AppendDecode(nil, digits)
	if !ok || err != nil {
		t.text(out, string(text))
		return
	}
	t.blob(out, b)
}

// toRFC3339 returns a time with a zone as RFC 3339 in UTC. Text that RFC 3339 cannot express
// (infinity, years before Christ) stays as it is.
func toRFC3339(text string) string {
	for _, zone := range []string{"-07", "-07:00", "-07:00:00"} {
		if v, err := time.Parse("2006-01-02 15:04:05.999999"+zone, text); err == nil {
			return v.UTC().Format(time.RFC3339Nano)
		}
	}
	return text
}

// array returns the writer for an array of any number of dimensions.
func (ty *typeCache) array(oid uint32) writer {
	item, between := ty.writer(oid), ","
	if oid == pgtype.BoxOID { // the only type with another separator
		between = ";"
	}
	return orNull(func(t *table, text []byte, out *bytes.Buffer) {
		p := arrayReader{rest: string(text), separator: between, table: t, item: item, out: out}
		if i := strings.Index(p.rest, "={"); strings.HasPrefix(p.rest, "[") && i > 0 {
			p.rest = p.rest[i+1:] // skips explicit bounds
		}
		p.readList()
	})
}

// arrayReader parses the text of an array and writes it as JSON.
type arrayReader struct {
	rest      string
	separator string // the separator of items
	table     *table
	item      writer
	out       *bytes.Buffer
}

// readList reads from an opening brace to its closing brace.
func (p *arrayReader) readList() {
	p.out.WriteByte('[')
	p.rest = strings.TrimPrefix(p.rest, "{")
	for first := true; p.rest != "" && p.rest[0] != '}'; first = false {
		if !first {
			p.out.WriteByte(',')
		}
		if p.rest[0] == '{' {
			p.readList()
		} else {
			p.readItem()
		}
		p.rest = strings.TrimPrefix(p.rest, p.separator)
	}
	p.rest = strings.TrimPrefix(p.rest, "}")
	p.out.WriteByte(']')
}

func (p *arrayReader) readItem() {
	if p.rest[0] != '"' {
		end := strings.IndexAny(p.rest, p.separator+"}")
		if end < 0 {
			end = len(p.rest)
		}
		text := []byte(p.rest[:end])
		if p.rest = p.rest[end:]; string(text) == "NULL" {
			text = nil
		}
		p.item(p.table, text, p.out)
		return
	}
	text := []byte{}
	i := 1
	for ; i < len(p.rest) && p.rest[i] != '"'; i++ {
		if p.rest[i] == '\\' && i+1 < len(p.rest) {
			i++
		}
		text = append(text, p.rest[i])
	}
	p.rest = p.rest[min(i+1, len(p.rest)):]
	p.item(p.table, text, p.out)
}

// postgresArgs returns values as text of the types that the statement's parameters have. nil is
// NULL.
func postgresArgs(args []argument, oids []uint32) ([][]byte, error) {
	values := make([][]byte, len(args))
	for i, a := range args {
		oid := uint32(0)
		if i < len(oids) {
			oid = oids[i]
		}
		if path, ok := findNUL(a.name, a.value, oid); ok {
			e := executor.Errorf(executor.KindArguments, "not-allowed", "%s: holds a NUL character, which PostgreSQL has no text with", path)
			e.Details = map[string]any{"path": path}
			return nil, e.WithHint("Take it out; bytes are given as text, such as decode($1, 'base64').")
		}
		values[i] = postgresText(a.value, oid)
	}
	return values, nil
}

// findNUL returns the path of the first string in v that contains a NUL character which the type
// oid cannot hold. ok is false if there is none. In JSON the character is an escape: json keeps
// it, jsonb does not.
func findNUL(path string, v any, oid uint32) (at string, ok bool) {
	if oid == pgtype.JSONOID {
		return "", false
	}
	switch v := v.(type) {
	case string:
		return path, strings.Contains(v, "\x00")
	case []any:
		for i, item := range v {
			if at, ok = findNUL(fmt.Sprintf("%s[%d]", path, i), item, oid); ok {
				return at, true
			}
		}
	case map[string]any:
		return path, oid == pgtype.JSONBOID && bytes.Contains(encode(v), []byte(`\u0000`))
	}
	return "", false
}

func postgresText(v any, oid uint32) []byte {
	isJSON := oid == pgtype.JSONOID || oid == pgtype.JSONBOID
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		if isJSON {
			return exactjson.EncodeOrNil(v)
		}
		return []byte(v)
	case json.Number:
		return []byte(plainIntegerText(string(v), oid))
	case []any:
		if !isJSON {
			return arrayLiteral(v)
		}
	}
	return encode(v)
}

// plainIntegerText returns 3.0 as 3 for an integer type. It returns other digits as they are.
func plainIntegerText(digits string, oid uint32) string {
	switch oid {
	case pgtype.Int2OID, pgtype.Int4OID, pgtype.Int8OID:
		if whole, fraction, ok := strings.Cut(digits, "."); ok && strings.Trim(fraction, "0") == "" {
			return whole
		}
	}
	return digits
}

// arrayLiteral returns a list as a PostgreSQL array literal.
func arrayLiteral(list []any) []byte {
	out := []byte{'{'}
	for i, v := range list {
		if i > 0 {
			out = append(out, ',')
		}
		switch v := v.(type) {
		case nil:
			out = append(out, "NULL"...)
		case []any:
			out = append(out, arrayLiteral(v)...)
		default:
			text := postgresText(v, 0)
			out = append(out, '"')
			out = append(out, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(string(text))...)
			out = append(out, '"')
		}
	}
	return append(out, '}')
}
