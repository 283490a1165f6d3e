package sql

import (
	"sync"

	"github.com/abl-lsp/abl-lsp/executor/dial"
)

// maxPools bounds how many databases stay open.
const maxPools = 32

// pools keeps databases open between runs: one for each source of a project, until the source's
// settings change. It is safe for concurrent use.
type pools struct {
	mu   sync.Mutex
	open map[string]*pool // by slot
}

// pool is an open database with the number of runs that use it.
type pool struct {
	key   string
	db    database
	users int
	stale bool // it is closed when it is no longer in use
}

func newPools() *pools { return &pools{open: map[string]*pool{}} }

// get returns the database of s, which may not be connected yet. The caller must call release when
// it no longer uses the database.
func (p *pools) get(s *source, d *dial.Dialer) (db database, release func(), err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	slot, key := s.poolSlot(), s.identity()
	found := p.open[slot]
	if found != nil && found.key != key {
		p.drop(slot)
		found = nil
	}
	if found == nil {
		p.makeRoom()
		db, err := openers[s.kind](s, d)
		if err != nil {
			return nil, nil, err
		}
		found = &pool{key: key, db: db}
		p.open[slot] = found
	}
	found.users++
	return found.db, func() { p.release(found) }, nil
}

// openers are the functions that open a database, by kind. They do not connect yet.
var openers = map[string]func(*source, *dial.Dialer) (database, error){
	kindSQLite:   openSQLite,
	kindPostgres: openPostgres,
	kindMySQL:    openMySQL,
}

func (p *pools) release(one *pool) {
	p.mu.Lock()
	one.users--
	last := one.users == 0 && one.stale
	p.mu.Unlock()
	if last {
		one.db.close()
	}
}

// drop removes a database, and closes it when no run uses it any more. The caller holds the mutex.
func (p *pools) drop(slot string) {
	one := p.open[slot]
	delete(p.open, slot)
	one.stale = true
	if one.users == 0 {
		go one.db.close() // it may wait for its connections
	}
}

// makeRoom drops an unused database if there are too many. The caller holds the mutex.
func (p *pools) makeRoom() {
	if len(p.open) < maxPools {
		return
	}
	for slot, one := range p.open {
		if one.users == 0 {
			p.drop(slot)
			return
		}
	}
}

func (p *pools) close() {
	p.mu.Lock()
	all := p.open
	p.open = map[string]*pool{}
	p.mu.Unlock()
	for _, one := range all {
		one.db.close()
	}
}
