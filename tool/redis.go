package tool

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// KindRedis is the kind of [Redis].
const KindRedis Kind = "redis"

// Redis is the binding of `type: redis`: commands for a Redis or Valkey server.
type Redis struct {
	Source   string        `json:"source,omitempty"` // a name in the sources of abl.yaml
	Commands RedisCommands `json:"commands,omitempty"`
}

// RedisCommands are commands, each as its words.
type RedisCommands [][]string

// Kind returns KindRedis.
func (*Redis) Kind() Kind { return KindRedis }

func (r *Redis) summary(func(string) string) string {
	var all []string
	for _, words := range r.Commands {
		all = append(all, strings.Join(words, " "))
	}
	return spaced("redis", r.Source, OneLine(strings.Join(all, "; "), maxStatement))
}

func (r *Redis) mutates() bool {
	return slices.ContainsFunc(r.Commands, func(words []string) bool { return !OnlyReadsRedis(words) })
}

// UnmarshalJSON reads a list of lists of words. Numbers and booleans are words as they are
// written.
func (c *RedisCommands) UnmarshalJSON(raw []byte) error {
	var lists [][]json.RawMessage
	wrong := errors.New(`a list of commands is wanted, each a list of words, such as [["GET", "key"]]`)
	if json.Unmarshal(raw, &lists) != nil {
		return wrong
	}
	out := make(RedisCommands, len(lists))
	for i, list := range lists {
		for _, item := range list {
			word := string(item)
			if isText(item) {
				_ = json.Unmarshal(item, &word) // it was read above
			}
			if len(item) == 0 || strings.ContainsRune("[{n", rune(item[0])) {
				return wrong
			}
			out[i] = append(out[i], word)
		}
		if len(list) == 0 {
			return errors.New("a command without words cannot be sent")
		}
	}
	*c = out
	return nil
}

// OnlyReadsRedis reports whether a command changes nothing on the server. It is false for a command
// whose name is not known, for example because an argument gives it.
func OnlyReadsRedis(words []string) bool {
	if len(words) == 0 {
		return false
	}
	name := strings.ToUpper(words[0])
	if slices.Contains(readingRedis, name) {
		return true
	}
	return len(words) > 1 && slices.Contains(readingRedis, name+" "+strings.ToUpper(words[1]))
}

// readingRedis are the commands of Redis and Valkey that change neither data nor the server. Those
// that change something with a further word, such as SORT with STORE, are not among them.
var readingRedis = []string{
	"GET", "MGET", "STRLEN", "GETRANGE", "SUBSTR", "LCS", "GETBIT", "BITCOUNT", "BITPOS", "BITFIELD_RO",
	"EXISTS", "TYPE", "TTL", "PTTL", "EXPIRETIME", "PEXPIRETIME", "KEYS", "SCAN", "RANDOMKEY", "DBSIZE", "DUMP", "SORT_RO",
	"OBJECT ENCODING", "OBJECT FREQ", "OBJECT IDLETIME", "OBJECT REFCOUNT", "MEMORY USAGE", "MEMORY STATS",
	"HGET", "HMGET", "HGETALL", "HKEYS", "HVALS", "HLEN", "HEXISTS", "HSTRLEN", "HSCAN", "HRANDFIELD", "HTTL", "HPTTL", "HEXPIRETIME", "HPEXPIRETIME",
	"LRANGE", "LLEN", "LINDEX", "LPOS",
	"SMEMBERS", "SISMEMBER", "SMISMEMBER", "SCARD", "SRANDMEMBER", "SSCAN", "SINTER", "SINTERCARD", "SUNION", "SDIFF",
	"ZRANGE", "ZREVRANGE", "ZRANGEBYSCORE", "ZREVRANGEBYSCORE", "ZRANGEBYLEX", "ZREVRANGEBYLEX", "ZSCORE", "ZMSCORE", "ZCARD", "ZCOUNT", "ZLEXCOUNT",
	"ZRANK", "ZREVRANK", "ZSCAN", "ZRANDMEMBER", "ZINTER", "ZINTERCARD", "ZUNION", "ZDIFF",
	"XRANGE", "XREVRANGE", "XLEN", "XREAD", "XPENDING", "XINFO STREAM", "XINFO GROUPS", "XINFO CONSUMERS",
	"GEOPOS", "GEODIST", "GEOHASH", "GEOSEARCH", "GEORADIUS_RO", "GEORADIUSBYMEMBER_RO", "PFCOUNT",
	"EVAL_RO", "EVALSHA_RO", "FCALL_RO", "SCRIPT EXISTS", "FUNCTION LIST", "FUNCTION STATS",
	"PING", "ECHO", "TIME", "INFO", "LASTSAVE", "LOLWUT", "ROLE", "CONFIG GET", "SLOWLOG GET", "SLOWLOG LEN", "LATENCY LATEST", "LATENCY HISTORY",
	"CLIENT INFO", "CLIENT LIST", "CLIENT ID", "COMMAND COUNT", "COMMAND LIST", "COMMAND INFO", "COMMAND DOCS", "COMMAND GETKEYS",
	"PUBSUB CHANNELS", "PUBSUB NUMSUB", "PUBSUB NUMPAT", "ACL WHOAMI", "ACL CAT",
	"JSON.GET", "JSON.MGET", "JSON.TYPE", "JSON.STRLEN", "JSON.ARRLEN", "JSON.ARRINDEX", "JSON.OBJKEYS", "JSON.OBJLEN",
	"FT.SEARCH", "FT.AGGREGATE", "FT.INFO", "FT._LIST", "TS.GET", "TS.MGET", "TS.RANGE", "TS.MRANGE", "TS.INFO",
}

var redisBinding = binding{
	kind:    KindRedis,
	order:   13,
	doc:     "Commands for a Redis or Valkey server of `abl.yaml`.",
	edition: Extension,
	spec:    func() Spec { return new(Redis) },
	fields: []Field{
		{Name: "source", Type: String, Required: true, Ref: RefSource, Edition: Extension, Doc: "The server's name in the `sources` of `abl.yaml`."},
		{Name: "commands", Type: AnyType, Required: true, Edition: Extension,
			Doc: "The commands, each a list of words: `[[\"GET\", \"{{key}}\"]]`. A parameter fills one word, whatever it holds; an array that is a whole word fills one for each item."},
	},
}
