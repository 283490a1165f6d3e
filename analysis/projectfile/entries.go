package projectfile

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"

	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// readKey decodes the value of key among keys into the variable that into points to; it does
// nothing if the key is missing. It fails if the value does not fit, with what newError makes of a
// message and the path of keys. The entries of some tables forbid nothing and limit nothing: if one
// of these does not fit, the entry keeps the error, which is reported when the entry is used.
func readKey(keys tool.Object, key string, into any, newError func(message string, path ...string) error) error {
	i := keys.Index(key)
	if i < 0 {
		return nil
	}
	err := decodeInto(keys[i].Value, into)
	if err == nil {
		return nil
	}
	entries, _ := keys[i].Value.(tool.Object)
	faulty := false
	for _, entry := range entries {
		fault := misfitEntry(key, entry, reflect.TypeOf(into).Elem())
		switch {
		case fault == "":
		case !slices.Contains([]string{Servers, Functions, Sources, Services}, key):
			return newError(fault, key, entry.Name)
		default:
			faulty = true
			keepFault(into, entry.Name, newError(fault, key, entry.Name))
		}
	}
	if faulty {
		return nil
	}
	return newError(key+misfitMessage(err), key)
}

func decodeInto(v, into any) error {
	raw, err := exactjson.Encode(v)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

// misfitEntry returns a message if an entry of a key does not fit into a value of a type; "" if it
// does.
func misfitEntry(key string, entry tool.Member, into reflect.Type) string {
	err := decodeInto(tool.Object{entry}, reflect.New(into).Interface())
	switch {
	case err == nil:
		return ""
	case into.Kind() == reflect.Map: // else the error names it
		key += "." + entry.Name
	}
	return key + misfitMessage(err)
}

// keepFault records a fault in the entry of the table that a value points to.
func keepFault(into any, name string, fault error) {
	table, key := reflect.ValueOf(into).Elem(), reflect.ValueOf(name)
	entry := reflect.New(table.Type().Elem()).Elem()
	if is := table.MapIndex(key); is.IsValid() {
		entry.Set(is)
	}
	entry.FieldByName("Fault").Set(reflect.ValueOf(fault))
	table.SetMapIndex(key, entry)
}

var jsonWords = map[string]string{"array": "a list", "object": "a map", "string": "a single value", "number": "a number", "bool": "true or false"}

// misfitMessage says what a key cannot have. It follows the name of the key.
func misfitMessage(err error) string {
	e, ok := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case !ok:
		return ": " + err.Error()
	case e.Field == "":
		return ": " + jsonWords[e.Value] + " does not fit here"
	}
	return "." + e.Field + ": " + jsonWords[e.Value] + " does not fit here"
}
