package servercache

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor"
)

// maxVerdicts is how many verdicts of a project are stored.
const maxVerdicts = 1000

// statementsFile is the content of the file with a project's verdicts.
type statementsFile struct {
	Root     string                   `json:"root"`
	Verdicts map[string]model.Verdict `json:"verdicts"`
}

// verdictAge is the age up to which a verdict that is given again is not written again.
const verdictAge = time.Hour

// AddVerdict stores the verdict of a database on a statement.
func (s *Store) AddVerdict(v executor.Verdict) {
	key := model.StatementKey(v.Source, v.Statement)
	verdict := model.Verdict{Asked: s.now().UTC().Truncate(time.Second), Fault: v.Fault, Position: v.Position}
	s.mu.Lock()
	if s.isRecorded(v.Root, key, verdict) {
		s.mu.Unlock()
		return
	}
	all := s.copyVerdicts(v.Root)
	before, known := all[key]
	all[key] = verdict
	removeOldest(all)
	s.verdictsByProject[v.Root] = all
	s.unsaved[v.Root] = s.folder.writeStatements(v.Root, all) != nil
	s.written[v.Root] = s.folder.statInfo(v.Root)
	watchers := slices.Clone(s.watchers)
	s.mu.Unlock()
	if known && before.Fault == v.Fault && before.Position == v.Position || !known && v.Fault == "" {
		return // the diagnostics are the same
	}
	for _, f := range watchers {
		(*f)(v.Root)
	}
}

// isRecorded reports whether a verdict equals the last one, which is not older than
// verdictAge, and no other process has written since.
func (s *Store) isRecorded(root, key string, v model.Verdict) bool {
	before, known := s.verdictsByProject[root][key]
	age := v.Asked.Sub(before.Asked)
	before.Asked = v.Asked
	if !known || before != v || age < 0 || age >= verdictAge {
		return false
	}
	is, was := s.folder.statInfo(root), s.written[root]
	return s.unsaved[root] || is != nil && was != nil && os.SameFile(is, was) && is.ModTime().Equal(was.ModTime())
}

// Verdicts returns the verdicts of databases on the statements of a project, by
// [model.StatementKey]. The map is the caller's own.
func (s *Store) Verdicts(root string) map[string]model.Verdict {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.copyVerdicts(root)
}

// copyVerdicts is Verdicts. The caller holds mu.
func (s *Store) copyVerdicts(root string) map[string]model.Verdict {
	all := map[string]model.Verdict{}
	maps.Copy(all, s.verdictsByProject[root])
	if s.unsaved[root] {
		return all
	}
	maps.Copy(all, s.folder.readStatements(root))
	return all
}

// removeOldest removes the oldest verdicts until there are maxVerdicts.
func removeOldest(all map[string]model.Verdict) {
	for len(all) > maxVerdicts {
		oldest := ""
		for key, v := range all {
			if oldest == "" || v.Asked.Before(all[oldest].Asked) {
				oldest = key
			}
		}
		delete(all, oldest)
	}
}

// statementsPath returns the path of the file with a project's verdicts.
func (f folder) statementsPath(root string) string {
	return f.path("statements", hashName(root)+".json")
}

// statInfo describes the file with a project's verdicts. It is nil if there is none.
func (f folder) statInfo(root string) fs.FileInfo {
	info, err := os.Stat(f.statementsPath(root))
	if err != nil {
		return nil
	}
	return info
}

func (f folder) readStatements(root string) map[string]model.Verdict {
	raw, ok := readBounded(f.statementsPath(root))
	var file statementsFile
	if !ok || json.Unmarshal(raw, &file) != nil || file.Root != root {
		return nil
	}
	return file.Verdicts
}

func (f folder) writeStatements(root string, all map[string]model.Verdict) error {
	return writeJSON(f.statementsPath(root), statementsFile{root, all})
}
