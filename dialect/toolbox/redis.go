package toolbox

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
)

// onRedis are the servers that speak Redis' protocol: the kinds of their sources and of their tools.
var onRedis = []string{"redis", "valkey"}

var onlyRedis = onRedis[:1]

// redisSourceRows are the keys of sources that only these servers have.
var redisSourceRows = []tool.Field{
	{Name: "address", Type: tool.ListType, With: onRedis, Needs: onRedis, Doc: "Where the server is: `[host:port]`. Here the first one is reached."},
	{Name: "username", Type: tool.String, With: onRedis, Doc: "Who connects."},
	{Name: "useGCPIAM", Type: tool.BooleanType, With: onRedis, Default: "false", Doc: "Whether Toolbox signs in by Google's IAM. Here nothing does; such a source is not reached."},
	{Name: "clusterEnabled", Type: tool.BooleanType, With: onlyRedis, Default: "false", Doc: "Whether it is a cluster. Here a cluster is not followed: commands go to the first address."},
	{Name: "tls", Type: tool.Block, With: onlyRedis, Fields: redisTLSRows, Doc: "Whether the connection is encrypted. Without it, a server on another machine is reached by TLS here."},
	{Name: "disableCache", Type: tool.BooleanType, With: onRedis[1:], Default: "false", Doc: "Whether Toolbox keeps answers. Here nothing is kept."},
}

var redisTLSRows = []tool.Field{
	{Name: "enabled", Type: tool.BooleanType, Default: "false", Doc: "Whether the connection is encrypted."},
	{Name: "insecureSkipVerify", Type: tool.BooleanType, Default: "false", Doc: "Whether any certificate is accepted."},
}

// redisSettings are the keys of sources whose settings in abl.yaml have other values.
var redisSettings = map[string]func(foreign.Node) tool.Object{
	"address":   addressSetting,
	"tls":       tlsSetting,
	"useGCPIAM": func(n foreign.Node) tool.Object { return tool.Object{{Name: googleIAM, Value: n.Value()}} },
}

// googleIAM is the setting in abl.yaml of a source that Google's IAM guards.
const googleIAM = "use_gcp_iam"

// addressSetting returns the host and the port of the first server.
func addressSetting(n foreign.Node) tool.Object {
	if len(n.Items) == 0 || !n.Items[0].IsSingle() {
		return nil
	}
	address, _ := variablesToSecrets(n.Items[0].Text).(string)
	colon := strings.LastIndexByte(address, ':')
	if colon < 0 { // one variable may have both
		return tool.Object{{Name: "host", Value: address}}
	}
	host, port := strings.Trim(address[:colon], "[]"), address[colon+1:]
	if strings.Trim(port, "0123456789") == "" {
		return tool.Object{{Name: "host", Value: host}, {Name: "port", Value: json.Number(port)}}
	}
	return tool.Object{{Name: "host", Value: host}, {Name: "port", Value: port}}
}

// tlsSetting returns the parameter of the source that says how its connections are encrypted.
func tlsSetting(n foreign.Node) tool.Object {
	mode := n.Get("enabled").Text
	switch {
	case mode != "true" && mode != "false":
		return nil
	case mode == "true" && n.Get("insecureSkipVerify").Text == "true":
		mode = "skip-verify"
	}
	return tool.Object{{Name: "query_params", Value: tool.Object{{Name: "tls", Value: mode}}}}
}

// serverAddress matches the address of a server. A variable may have its parts.
var serverAddress = lazyregexp.New(`^[^\s/@,]+:(\d+|\$\{.*\})$|^\$\{[^}]*\}$`)

// checkRedisSetting reports a value of a source that Toolbox does not accept, and one that does not
// work here.
func checkRedisSetting(f *foreign.File, e entry, m foreign.Member) {
	wrong := func(n foreign.Node, format string, args ...any) {
		f.Report(foreign.Error, "invalid-value", n.Span, format, args...)
	}
	switch isOn := m.Value.Text == "true"; {
	case m.Key == "database" && strings.Trim(m.Value.Text, "0123456789") != "":
		wrong(m.Value, "`database` wants a whole number from 0 up, not `%s`.", m.Value.Text)
	case m.Key == "useGCPIAM" && isOn:
		f.Report(foreign.Information, "invalid-value", m.KeySpan, "Nothing here signs in by Google's IAM: tools that need `%s` are listed, and not run.", e.name)
	case m.Key == "clusterEnabled" && isOn:
		f.Report(foreign.Information, "invalid-value", m.KeySpan, "A cluster is not followed here: the first address refuses keys that other servers have.")
	case m.Key == "tls":
		checkTLS(f, m, wrong)
	case m.Key != "address":
	case m.Value.Kind == foreign.List && len(m.Value.Items) == 0:
		wrong(m.Value, "`address` wants at least one server.")
	default:
		checkTexts(f, m)
		for _, item := range m.Value.Items {
			if item.IsSingle() && !serverAddress.MatchString(item.Text) {
				wrong(item, "`address` wants `host:port`, not `%s`.", item.Text)
			}
		}
	}
}

func checkTLS(f *foreign.File, m foreign.Member, wrong func(foreign.Node, string, ...any)) {
	if m.Value.Kind != foreign.Map {
		wrong(m.Value, "`tls` wants a map with `enabled`.")
		return
	}
	known := tool.FieldNames(redisTLSRows)
	f.ReportUnknown("`tls`", foreign.Unknown(m.Value, known...), known)
	for _, one := range m.Value.Members {
		if slices.Contains(known, one.Key) && one.Value.IsSet() && one.Value.Kind != foreign.Bool && !isVariable(one.Value) {
			wrong(one.Value, "`%s` is true or false, not `%s`.", one.Key, one.Value.Text)
		}
	}
}

// parameterWord matches a word of a command that a parameter fills.
var parameterWord = lazyregexp.New(`^\$(.+)$`)

// readRedis reads commands for a Redis or Valkey server. A word that is `$` and the name of a
// parameter is that parameter; any other word is sent as it is.
func (r *reader) readRedis() {
	r.props["type"] = "redis"
	r.readRequired("source", "source")
	r.readParams("parameters")
	r.readRequired("commands", "commands")
	commands, _ := r.props["commands"].([]any)
	for i, command := range commands {
		words, _ := command.([]any)
		for j := range words {
			written := r.entry.body.Get("commands").Items[i].Items[j]
			if found := anyBraces.FindString(written.Text); found != "" {
				r.file.Report(foreign.Warning, "template-syntax", written.Span, "Toolbox sends `%s` as it is; here it is a placeholder.", found)
			}
			if m := parameterWord.FindStringSubmatch(written.Text); m != nil && written.Kind == foreign.String && hasParam(r.tool.Tool, m[1]) {
				words[j] = "{{" + m[1] + "}}"
			}
		}
	}
}
