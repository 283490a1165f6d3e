package servercache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/atomicfile"
)

// folder is the path of the folder that has a folder for each project, with a file for
// each server. "" means that nothing is stored.
type folder string

// serverFile is the JSON of one stored file: the listing of one server of a project, with
// the project's root and the server's name.
type serverFile struct {
	Root   string `json:"root"`
	Server string `json:"server"`
	model.ServerListing
}

// maxServers is how many servers of a project are read.
const maxServers = 200

// path returns a path below the folder, "" if nothing is stored.
func (f folder) path(names ...string) string {
	if f == "" {
		return ""
	}
	return filepath.Join(string(f), filepath.Join(names...))
}

// projectFolder returns the folder of a project.
func (f folder) projectFolder(root string) string { return f.path("servers", hashName(root)) }

// hashName returns a file name for any name.
func hashName(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:16])
}

// readServers returns the listings of the servers of the project at root, by the server's
// name. It leaves out files that cannot be read.
func (f folder) readServers(root string) map[string]model.ServerListing {
	listings := map[string]model.ServerListing{}
	entries, err := os.ReadDir(f.projectFolder(root))
	if err != nil {
		return listings
	}
	for _, e := range entries[:min(len(entries), maxServers)] {
		if one, ok := readFile(filepath.Join(f.projectFolder(root), e.Name())); ok && one.Root == root && e.Name() == hashName(one.Server)+".json" {
			listings[one.Server] = one.ServerListing
		}
	}
	return listings
}

func readFile(name string) (one serverFile, ok bool) {
	raw, ok := readBounded(name)
	if !ok || json.Unmarshal(raw, &one) != nil {
		return serverFile{}, false
	}
	tools, more := limitTools(one.Tools)
	one.Tools, one.More = tools, one.More || more
	one.Accepted, _ = limitTools(one.Accepted)
	return one, true
}

// readBounded reads the file called name. The second result is false if the file cannot be
// read, or is longer than any file that is stored here.
func readBounded(name string) ([]byte, bool) {
	in, err := os.Open(name)
	if err != nil {
		return nil, false
	}
	defer in.Close()
	const most = 3 * maxBytes
	raw, err := io.ReadAll(io.LimitReader(in, most+1))
	return raw, err == nil && len(raw) <= most
}

func (f folder) writeServer(root, server string, listing model.ServerListing) error {
	return writeJSON(f.path("servers", hashName(root), hashName(server)+".json"), serverFile{root, server, listing})
}

// writeJSON replaces a file as a whole, so that no other process reads half of it.
func writeJSON(name string, content any) error {
	if name == "" {
		return errors.ErrUnsupported
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false) // the bytes of a schema do not change
	if err := e.Encode(content); err != nil {
		return err
	}
	return atomicfile.Write(name, out.Bytes())
}
