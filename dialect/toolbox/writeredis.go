package toolbox

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/tool"
)

// redisSource writes the settings of a server in Toolbox's form.
func (w *writer) redisSource(name string, o tool.Object) tool.Object {
	kind := o.Text("kind")
	out := tool.Object{{Name: "kind", Value: kind}, {Name: "address", Value: []any{w.redisAddress(name, o)}}}
	for _, m := range o {
		switch m.Name {
		case "kind", "host", "port":
			continue
		case "user":
			m.Name = "username"
		case googleIAM:
			m.Name = "useGCPIAM"
		case "query_params":
			if m.Name, m.Value = "tls", w.redisTLS(name, kind, o.Object("query_params")); m.Value == nil {
				continue
			}
		case "password", "database":
		default:
			w.ReportLoss("", "%s of the source %s", m.Name, name)
			continue
		}
		out = append(out, m)
	}
	return out
}

// redisAddress writes where a server is. A secret that is the host may have the port as well.
func (w *writer) redisAddress(name string, o tool.Object) string {
	host, port := cmp.Or(textOf(o, "host"), "127.0.0.1"), textOf(o, "port")
	if port == "" && secret.ReplaceAllString(host, "") == "" {
		w.Note("", "Toolbox wants %s of the source %s as host:port", host, name)
		return host
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return host + ":" + cmp.Or(port, "6379")
}

// textOf returns the single value that o has for key, as it is written; "" if there is none.
func textOf(o tool.Object, key string) string {
	if v := o.Get(key); v != nil {
		return fmt.Sprint(v)
	}
	return ""
}

// redisTLS writes the parameters of a source that say how its connections are encrypted; nil if
// Toolbox has no place for them.
func (w *writer) redisTLS(name, kind string, params tool.Object) any {
	var out tool.Object
	for _, m := range params {
		mode := fmt.Sprint(m.Value)
		if m.Name != "tls" || !slices.Contains(onlyRedis, kind) {
			w.ReportLoss("", "query_params.%s of the source %s", m.Name, name)
			continue
		}
		out = append(out, tool.Member{Name: "enabled", Value: mode != "false"})
		if mode == "skip-verify" {
			out = append(out, tool.Member{Name: "insecureSkipVerify", Value: true})
		}
	}
	if out == nil {
		return nil
	}
	return out
}

// writeRedis writes the commands of a tool.
func (w *writer) writeRedis(t tool.Tool, s *tool.Redis) (entry tool.Object, why string) {
	kind := w.sourceKinds[s.Source]
	if !slices.Contains(onRedis, kind) {
		return nil, "nothing declares its source " + s.Source + " as a Redis or Valkey server"
	}
	params, why := w.writeParams(t, t.Params)
	if why != "" {
		return nil, why
	}
	var commands []any
	for _, command := range s.Commands {
		var words []any
		for _, word := range command {
			written, why := commandWord(t, word)
			if why != "" {
				return nil, why
			}
			words = append(words, secretsToVariables(written))
		}
		commands = append(commands, words)
	}
	for _, p := range t.Params {
		if !isText(p.Type) && (p.Type.Name != "array" || !isText(p.Type.Elem)) {
			w.Note(t.QualifiedName(), "Toolbox sends %s, which is no text, as `%%!s(…)`", p.Name)
		}
		if p.Optional && p.Default == nil {
			w.Note(t.QualifiedName(), "Toolbox wants %s, also where it may be left out", p.Name)
		}
	}
	entry = append(w.newEntry(t, kind, s.Source), tool.Member{Name: "commands", Value: commands})
	return addList(entry, "parameters", params), ""
}

// commandWord writes one word of a command. Toolbox fills only whole words.
func commandWord(t tool.Tool, word string) (written, why string) {
	switch name := soleName(word); {
	case hasParam(t, name):
		return "$" + name, ""
	case anyBraces.MatchString(secret.ReplaceAllString(word, "")):
		return "", "Toolbox cannot fill its word " + word
	case strings.HasPrefix(word, "$") && hasParam(t, word[1:]):
		return "", "Toolbox would take its word " + word + " for a parameter"
	}
	return word, ""
}
