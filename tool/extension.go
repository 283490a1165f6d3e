package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// extensionFields are the common properties that are this tool set's own.
var extensionFields = []Field{
	{Name: "mutation", Type: BooleanType, Edition: Extension,
		Doc: "Whether the tool writes. It replaces what the binding suggests."},
	{Name: "streaming", Type: BooleanType, Default: "false", Edition: Extension,
		Doc: "Whether the result comes in pieces."},
	{Name: "input_schema", Type: AnyType, Edition: Extension, Files: schemaFiles,
		Doc: "JSON Schema of the arguments, inline or as the path of a file. It takes the place of the signature's types."},
	{Name: "output_schema", Type: AnyType, Edition: Extension, Files: schemaFiles,
		Doc: "JSON Schema of the result, inline or as the path of a file. It takes the place of the return type."},
	{Name: "service", Type: String, Edition: Extension,
		Doc: "The service that the tool belongs to. Outside it is called `service_tool`."},
	{Name: "version", Type: String, Edition: Extension,
		Doc: "The tool's version. A run that asks for none takes any."},
	{Name: "content_type", Type: String, Edition: Extension,
		Doc: "Media type of the result, such as `text/markdown`."},
	{Name: "origin", Type: String, Edition: Extension, Undocumented: true,
		Doc: "Where the tool comes from. It is filled in, and need not be written."},
	{Name: "permissions", Type: AnyType, Listed: true, Edition: Extension,
		Doc: "What the tool must be allowed before it runs: a list of `kind:op:resource`, or of blocks with these keys."},
	{Name: verifyName, Type: AnyType, Step: true, Edition: Extension,
		Doc: "Checks each run that succeeds: an expression over `result` and `args`, or a binding of its own, which `{{result.x}}` and `{{args.x}}` name as well."},
	{Name: revertName, Type: AnyType, Step: true, Edition: Extension,
		Doc: "Undoes a run: a binding of its own, which `{{result.x}}` and `{{args.x}}` name as well; or an expression over `result` and `args` that gives the arguments with which the tool itself is called once more."},
	{Name: "risk_level", Type: WordType, Edition: Extension, Values: []Word{
		{Name: "safe", Doc: "Runs at once; declares that nothing is changed.", Edition: Extension},
		{Name: "confirm", Doc: "A person is asked first.", Edition: Extension},
		{Name: "blocked", Doc: "Never runs.", Edition: Extension},
	}, Doc: "How careful to be with the tool."},
	{Name: "render", Type: WordType, Edition: Extension, Values: []Word{
		{Name: "table", Doc: "Rows and columns.", Edition: Extension},
		{Name: "text", Doc: "Plain text.", Edition: Extension},
		{Name: "chart", Doc: "A chart.", Edition: Extension},
		{Name: "json", Doc: "A tree of values.", Edition: Extension},
		{Name: "code", Doc: "Source text.", Edition: Extension},
		{Name: "react", Doc: "The component that `component` names.", Edition: Extension},
	}, Doc: "How a viewer should show the result."},
	{Name: "component", Type: String, Edition: Extension,
		Doc: "Name of the component, for `render: react`."},
	{Name: "props", Type: Block, Open: true, Edition: Extension,
		Doc: "What the component or the chart is given."},
	{Name: "category", Type: String, Edition: Extension,
		Doc: "A heading to list the tool under."},
	{Name: "enabled", Type: BooleanType, Default: "true", Edition: Extension,
		Doc: "`false` keeps the tool from running."},
	{Name: "auth_required", Type: ListType, Ref: RefAuthService, Edition: Extension,
		Doc: "Auth services of which the caller must have a token; any one will do."},
}

// schemaFiles are the extensions of the schema files that a run can read.
var schemaFiles = []string{".json"}

// Permission is an access that a tool must be granted before it runs.
type Permission struct {
	Kind     string `json:"kind"`
	Op       string `json:"op"`
	Resource string `json:"resource"`
}

// Question asks a person for the access. It is one line, since a second line could look like
// another question.
func (p Permission) Question(tool string) string {
	inOneLine := strings.NewReplacer("\n", `\n`, "\r", `\r`)
	return inOneLine.Replace(fmt.Sprintf("May %s %s %s (%s)?", tool, p.Op, p.Resource, p.Kind))
}

// Accesses are the accesses that a tool declares. An empty access would mean every access, which no
// one can grant.
type Accesses []Permission

// UnmarshalJSON reads a list of accesses. An empty access is an error.
func (a *Accesses) UnmarshalJSON(raw []byte) error {
	var list []Permission
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	if slices.Contains(list, Permission{}) {
		return errors.New("an access says its kind, its op or its resource")
	}
	*a = list
	return nil
}

// UnmarshalJSON reads an object, or "kind:op:resource".
func (p *Permission) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) != nil {
		type plain Permission
		return json.Unmarshal(b, (*plain)(p))
	}
	return p.UnmarshalText([]byte(text))
}

// UnmarshalText reads "kind:op:resource". A text without two colons is an error.
func (p *Permission) UnmarshalText(b []byte) error {
	parts := strings.SplitN(string(b), ":", 3)
	if len(parts) < 3 {
		return fmt.Errorf("%q is no kind:op:resource", b)
	}
	*p = Permission{parts[0], parts[1], parts[2]}
	return nil
}

// AreVersions reports whether two tools of one name are two versions of one tool. a and b are their
// versions: both must be given, and they must differ.
func AreVersions(a, b string) bool { return a != "" && b != "" && a != b }

// SplitVersion separates a name from its version, as in `put_note@1.0`; the version is "" if there
// is none.
func SplitVersion(name string) (unversioned, version string) {
	if i := strings.LastIndexByte(name, '@'); i > 0 && i < len(name)-1 {
		return name[:i], name[i+1:]
	}
	return name, ""
}

// JoinVersion returns the name of one version of a tool.
func JoinVersion(name, version string) string {
	if version == "" {
		return name
	}
	return name + "@" + version
}
