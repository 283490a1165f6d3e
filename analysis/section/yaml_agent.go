package section

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
)

// YAMLAgent returns the schema field for the whole of an agent in YAML. Its rows have the shapes of
// YAML; what a key means, its words and its bounds are those of its twin, the key of ABL that means
// the same. Fields are shared, and one contains itself: the type of a result.
//
// The rows are those of abl.yaml, with these shapes besides:
//   - a String is a text, a number or a boolean;
//   - a Block with OneLine may also be a single value, one with Items also a list of blocks;
//   - an item of a BlockList with Named may also be a single value;
//   - Each of a MapType is the row of its values;
//   - the words of a WordType are all that it may be, except what Pattern matches.
func YAMLAgent() *tool.Field { return yamlAgent() }

var yamlAgent = sync.OnceValue(func() *tool.Field {
	root := &tool.Field{Name: "agent", Type: tool.Block, Doc: "An agent.", Twin: allSections()}
	root.Fields = withTwins(slices.Concat(yamlHead(), yamlTools(), yamlTalk(), yamlRules(), yamlTeam(), yamlActions(), yamlFlow()), root.Twin, false)
	return root
})

// OnlyInABL returns ABL's row for a key that a map of field has in ABL and not in YAML, under any
// name; nil if ABL has no such key either.
func OnlyInABL(field *tool.Field, key string) *tool.Field {
	if field == nil || field.Twin == nil {
		return nil
	}
	abl := *field.Twin
	if len(abl.Fields) > 0 {
		abl.Each = nil
	}
	found := keyBelow(&abl, key, false)
	if slices.ContainsFunc(field.Fields, func(f tool.Field) bool { return found != nil && f.Twin == found }) {
		return nil
	}
	return found
}

// allSections returns a row with the sections of ABL as its keys.
func allSections() *tool.Field {
	root := &tool.Field{Type: tool.Block}
	for _, keyword := range slices.Sorted(maps.Keys(allFields())) {
		field := *allFields()[keyword]
		if strings.Contains(keyword, " ") {
			field.Aliases = []string{strings.ReplaceAll(keyword, " ", "_")}
		}
		root.Fields = append(root.Fields, field)
	}
	return root
}

// twin names the twin of a row whose name differs: a path of keys in ABL, such as CALL.WITH, or `.`
// for the twin of the row above.
func twin(path string) *tool.Field { return &tool.Field{Name: path} }

// withTwins returns rows with their twins, found below a row of ABL by their names or by what twin
// says, and with what they take from them. A row with a Doc has none, unless it says which. The
// rows of the items of a list look among those of a list first.
func withTwins(rows []tool.Field, in *tool.Field, items bool) []tool.Field {
	rows = slices.Clone(rows)
	for i := range rows {
		row := &rows[i]
		switch {
		case row.Twin != nil && row.Twin.Doc != "", row.Doc != "" && row.Twin == nil:
			continue
		case row.Twin != nil:
			row.Twin = keyAt(in, row.Twin.Name, items)
		default:
			row.Twin = keyBelow(in, row.Name, items)
		}
		if row.Twin != nil {
			takeFromTwin(row)
		}
	}
	return rows
}

// takeFromTwin completes a row and those below it.
func takeFromTwin(row *tool.Field) {
	abl := row.Twin
	if row.Doc == "" {
		row.Doc = abl.Doc
	}
	if row.Ref == tool.NoRef {
		row.Ref = abl.Ref
	}
	if row.Type == abl.Type {
		row.Range, row.Signed, row.Integer = abl.Range, abl.Signed, abl.Integer
		row.Default = cmp.Or(row.Default, abl.Default)
	}
	if row.Type == tool.WordType && row.Values == nil {
		row.Values, row.Pattern, row.Form = abl.Values, cmp.Or(row.Pattern, abl.Pattern), abl.Form
	}
	row.Values = slices.Clone(row.Values)
	for i, word := range row.Values {
		if known, ok := tool.LookupWord(abl.Values, word.Name); ok && word.Doc == "" {
			row.Values[i] = known
		}
	}
	row.Fields, row.Items = withTwins(row.Fields, abl, row.Type == tool.BlockList), withTwins(row.Items, abl, true)
	if row.Each != nil && row.Each.Doc == "" {
		row.Each = eachWithTwins(*row.Each, row.Doc, abl)
	}
}

// eachWithTwins completes the row of the author's names, or of the values of a map.
func eachWithTwins(each tool.Field, doc string, abl *tool.Field) *tool.Field {
	each.Doc, each.Twin = doc, abl.Each
	if abl.Each != nil {
		abl = abl.Each
	}
	each.Fields = withTwins(each.Fields, abl, false)
	return &each
}

// keyAt returns the row at a path of keys below a row of ABL, nil if there is none.
func keyAt(in *tool.Field, path string, items bool) *tool.Field {
	if path == "." {
		return in
	}
	for key := range strings.SplitSeq(path, ".") {
		if in = keyBelow(in, key, items); in == nil {
			return nil
		}
	}
	return in
}

// keyBelow returns the row of a key in the block of a row of ABL, in the items of its list or in
// the blocks of the author's names; nil if there is none.
func keyBelow(in *tool.Field, key string, items bool) *tool.Field {
	places := [][]tool.Field{in.Fields, in.Items}
	if items {
		slices.Reverse(places)
	}
	if in.Each != nil {
		places = append(places, in.Each.Fields, in.Each.Items)
	}
	for _, rows := range places {
		if row, _ := tool.Find(rows, key); row != nil {
			return row
		}
	}
	return nil
}

// inYAML returns rows of ABL as YAML has them in the same shape: their keys are in lower case.
func inYAML(rows []tool.Field) []tool.Field {
	lower := slices.Clone(rows)
	for i := range lower {
		row := &lower[i]
		row.Name, row.Twin, row.AnyCase = strings.ToLower(row.Name), &rows[i], true
		row.Fields = inYAML(row.Fields)
	}
	return lower
}

// rowsOf returns rows of one type.
func rowsOf(t tool.FieldType, names ...string) []tool.Field {
	rows := make([]tool.Field, len(names))
	for i, name := range names {
		rows[i] = tool.Field{Name: name, Type: t}
	}
	return rows
}

// inSnakeCase adds the other spelling to rows in camelCase, such as `max_tools`.
func inSnakeCase(rows []tool.Field) []tool.Field {
	for i := range rows {
		snake := ""
		for _, c := range rows[i].Name {
			if 'A' <= c && c <= 'Z' {
				snake += "_"
			}
			snake += strings.ToLower(string(c))
		}
		if snake != rows[i].Name {
			rows[i].Synonyms = []string{snake}
		}
	}
	return rows
}

// mandatory returns rows that their place must have.
func mandatory(rows ...tool.Field) []tool.Field {
	for i := range rows {
		rows[i].Required = true
	}
	return rows
}

// expressionMap returns a map of the author's names to expressions.
func expressionMap(name string) tool.Field {
	return tool.Field{Name: name, Type: tool.MapType, Each: &tool.Field{Type: tool.Expr}}
}

// IsInConversation reports whether a row is that of `conversation`, or of a key below it.
func IsInConversation(field *tool.Field) bool { return conversationRows()[field] }

var conversationRows = sync.OnceValue(func() map[*tool.Field]bool {
	rows := map[*tool.Field]bool{}
	var add func(row *tool.Field)
	add = func(row *tool.Field) {
		rows[row] = true
		for i := range row.Fields {
			add(&row.Fields[i])
		}
	}
	row, _ := tool.Find(YAMLAgent().Fields, "conversation")
	add(row)
	return rows
})

// YAMLName returns the key of agents in YAML for a key of ABL in upper case; "" if there is none.
// For a key with several, it is the one that is nearest to the root.
func YAMLName(key string) string { return yamlNames()[key] }

// onlyABL replaces what texts say of a form that only ABL has.
func onlyABL() *strings.Replacer {
	return strings.NewReplacer(
		"below `TOOLS:`, or import it", "below `tools:`",
		", or say where it is with `REMOTE:`", "",
		"add it to the signature", "add it to its `parameters`",
		"; say whether the user is asked first: `confirm: always` or `confirm: never`",
		", and an agent in YAML cannot say whether the user is asked first: bind it in a `.tools.abl`, which can (`confirm: always` or `confirm: never`)",
	)
}

// quotedKey matches a key of ABL that a text quotes, and what it shows after the key.
var quotedKey = lazyregexp.New("`([A-Z][A-Z_]+)(:[^`]*)?`")

// KeysInYAML returns a text for the author of an agent in YAML: with the keys that it quotes as YAML
// has them. value is a value that it quotes, and that stays; "" for none.
func KeysInYAML(message, value string) string {
	message = onlyABL().Replace(message)
	return quotedKey.ReplaceAllStringFunc(message, func(quoted string) string {
		key := quotedKey.FindStringSubmatch(quoted)[1]
		if name := YAMLName(key); name != "" && key != value {
			return strings.Replace(quoted, key, name, 1)
		}
		return quoted
	})
}

var yamlNames = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	seen := map[*tool.Field]bool{}
	for rows := YAMLAgent().Fields; len(rows) > 0; {
		var below []tool.Field
		for i := range rows {
			row := &rows[i]
			if row.Twin != nil && row.Twin.Name == strings.ToUpper(row.Twin.Name) && names[row.Twin.Name] == "" {
				names[row.Twin.Name] = row.Name
			}
			for _, more := range [][]tool.Field{row.Fields, row.Items} {
				if len(more) > 0 && !seen[&more[0]] {
					seen[&more[0]] = true
					below = append(below, more...)
				}
			}
			if row.Each != nil && len(row.Each.Fields) > 0 && !seen[&row.Each.Fields[0]] {
				seen[&row.Each.Fields[0]] = true
				below = append(below, row.Each.Fields...)
			}
		}
		rows = below
	}
	return names
})
