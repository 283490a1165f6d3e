package sql

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/sqltext"
)

// preparedStatement is the binding of a call whose statement is the text that will run. It never
// changes, since several calls may share it.
type preparedStatement struct {
	*tool.SQL
	dialect   *dialect
	place     string   // the property that holds the statement, or the parameter that is all of it
	refs      []string // the names of the bound values, in order
	onlyReads bool     // the text shows that it only reads
}

// DecidesGate reports true: the gate considers the statement that will run.
func (*preparedStatement) DecidesGate() bool { return true }

// defaultRows is the row limit if the project sets none.
const defaultRows = 1000

// prepare returns the composed statement of a call.
func (c statementCache) prepare(call executor.Call) (*preparedStatement, error) {
	if p, ok := call.Tool.Spec.(*preparedStatement); ok {
		return p, nil
	}
	s, err := executor.SpecOf[*tool.SQL](call)
	if err != nil {
		return nil, err
	}
	source, err := sourceName(call, s)
	if err != nil {
		return nil, err
	}
	d, err := dialectOf(call, source)
	if err != nil {
		return nil, err
	}
	return c.get(statementKey{s, source, d}, call)
}

// newPrepared composes the statement of a call.
func newPrepared(k statementKey, call executor.Call) (*preparedStatement, error) {
	st, err := compose(k.dialect, call, k.spec)
	if err != nil {
		return nil, err
	}
	if err := k.dialect.checkStatement(st); err != nil {
		return nil, err
	}
	own := *k.spec
	own.Source, own.Statement = k.source, strings.TrimRight(st.text, "; \t\r\n")
	return &preparedStatement{
		SQL: &own, dialect: k.dialect, place: st.place, refs: st.refs, onlyReads: sqltext.OnlyReads(own.Statement),
	}, nil
}

// atStatement adds the place of the statement to a denial by the database.
func (p *preparedStatement) atStatement(err error) error {
	if e, ok := errors.AsType[*executor.Error](err); ok && e.Kind == executor.KindDenied {
		e.Message = p.place + ": " + e.Message
	}
	return err
}

// readOnly reports whether the run may only read: because the tool declares that it only reads, or
// because the statement only reads and the tool does not declare that it writes.
func (p *preparedStatement) readOnly(call executor.Call) bool {
	t := *call.Tool
	says := t.Hints.SideEffects.Is(false) || t.Mutation.Is(false) || t.Effect == "read_only"
	mutates := t.Mutates()
	return (says || p.onlyReads) && mutates != nil && !*mutates
}

// query returns the statement with the values of a call.
func (p *preparedStatement) query(call executor.Call) (query, error) {
	q := query{
		text: p.Statement, readOnly: p.readOnly(call),
		rows:  cmp.Or(call.Environment.Limits.Rows, defaultRows),
		bytes: call.Environment.Limits.MaxBytes(),
	}
	for _, ref := range p.refs {
		v, err := call.Scope.Lookup(ref)
		if err != nil {
			return q, executor.TemplateError("statement", err)
		}
		typ := typeOf(call.Tool, ref)
		q.args = append(q.args, argument{name: ref, typ: typ, value: plainIntegers(v.Data, typ)})
	}
	return q, nil
}

// plainIntegers writes integers such as 3.0 and 1e2 as plain digits, since no database reads the other
// forms as integers.
func plainIntegers(v any, typ *tool.Type) any {
	switch v := v.(type) {
	case []any:
		if typ.Elem == nil {
			return v
		}
		all := make([]any, len(v))
		for i := range v {
			all[i] = plainIntegers(v[i], typ.Elem)
		}
		return all
	case json.Number:
		if _, err := v.Float64(); err != nil || typ.Name != "integer" || !strings.ContainsAny(string(v), ".eE") {
			return v // unchanged; the digits of a huge exponent could not be written out
		}
		if r, ok := new(big.Rat).SetString(string(v)); ok && r.IsInt() {
			return json.Number(r.Num().String())
		}
	}
	return v
}

func typeOf(t *tool.Tool, name string) *tool.Type {
	i := slices.IndexFunc(t.Params, func(p tool.Param) bool { return p.Name == name })
	if i < 0 || t.Params[i].Type == nil {
		return tool.Any()
	}
	return t.Params[i].Type
}

// warnUnused returns a warning for each argument that the statement does not use.
func (p *preparedStatement) warnUnused(call executor.Call) []string {
	var warnings []string
	templates := p.Templates()
	for _, param := range call.Tool.Params {
		_, given := call.Scope.Args[param.Name]
		used := slices.ContainsFunc(p.refs, func(ref string) bool {
			return ref == param.Name || strings.HasPrefix(ref, param.Name+".") || strings.HasPrefix(ref, "input.")
		})
		if given && !used && !slices.ContainsFunc(templates, func(t tool.Param) bool { return t.Name == param.Name }) {
			warnings = append(warnings, fmt.Sprintf("%s was not used: the statement has no place for it", param.Name))
		}
	}
	return warnings
}

func (p *preparedStatement) secrets() []string {
	var names []string
	for _, ref := range p.refs {
		if name, ok := strings.CutPrefix(ref, "secrets."); ok {
			names = append(names, name)
		}
	}
	return names
}

// shownMark returns the database's placeholder of the value at index i.
func (d *dialect) shownMark(i int) string {
	if d.dollarQuotes {
		return fmt.Sprintf("$%d", i+1)
	}
	return fmt.Sprintf("?%d", i+1)
}

func encode(v any) []byte {
	b, _ := json.Marshal(v) // a JSON value always encodes
	return b
}
