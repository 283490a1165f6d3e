package servercache

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor"
)

// maxVerdicts is how many statements of a project are known.
const maxVerdicts = 1000

// statements is what the file of a project's statements says.
type statements struct {
	Root     string                   `json:"root"`
	Verdicts map[string]model.Verdict `json:"verdicts"`
}

// Judge notes what a database says of a statement.
func (s *Store) Judge(v executor.Verdict) {
	key := model.StatementKey(v.Source, v.Statement)
	verdict := model.Verdict{Asked: s.now().UTC().Truncate(time.Second), Fault: v.Fault, Position: v.Position}
	s.mu.Lock()
	all := s.verdicts(v.Root)
	before, known := all[key]
	all[key] = verdict
	forgetOldest(all)
	s.judged[v.Root] = all
	s.unkept[v.Root] = s.folder.writeStatements(v.Root, all) != nil
	watchers := slices.Clone(s.watchers)
	s.mu.Unlock()
	if known && before.Fault == v.Fault && before.Position == v.Position || !known && v.Fault == "" {
		return // nobody sees a difference
	}
	for _, f := range watchers {
		(*f)(v.Root)
	}
}

// Verdicts are what databases have said of the statements of a project, by
// [model.StatementKey].
func (s *Store) Verdicts(root string) map[string]model.Verdict {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.verdicts(root)
}

// verdicts are a map of the caller's own.
func (s *Store) verdicts(root string) map[string]model.Verdict {
	all := map[string]model.Verdict{}
	maps.Copy(all, s.judged[root])
	if s.unkept[root] {
		return all
	}
	maps.Copy(all, s.folder.readStatements(root))
	return all
}

func forgetOldest(all map[string]model.Verdict) {
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

// statementsOf is the file of a project's statements.
func (f folder) statementsOf(root string) string { return f.at("statements", hash(root)+".json") }

func (f folder) readStatements(root string) map[string]model.Verdict {
	raw, ok := readBounded(f.statementsOf(root))
	var said statements
	if !ok || json.Unmarshal(raw, &said) != nil || said.Root != root {
		return nil
	}
	return said.Verdicts
}

func (f folder) writeStatements(root string, all map[string]model.Verdict) error {
	return replace(f.statementsOf(root), statements{root, all})
}
