package db

import (
	"fmt"
	"strings"

	"kontor/internal/foundation/lazy"
)

// LocksInOrder says in which order a transaction locks rows of these tables, so that no two wait for one another. The
// name of a statement among them stands for what that locks, instead of its table; who only refers to rows (for key
// share) counts by that name alone. Where there are doubts, and others
// write beside it, every transaction is held to the order. It is called while the house is put together, and panics at
// a table that no schema has.
func (s *Store) LocksInOrder(names ...string) {
	s.ranks = make(map[string]int, len(names))
	for i, n := range names {
		if !strings.Contains(n, ".") {
			TablesNamed(n)
		}
		s.ranks[n] = i + 1
	}
}

// locked is what a statement locks: rows that it reads for that, deletes, or finds in the place of new ones. What is
// updated was locked before, by who read it.
var locked = lazy.Regexp(`^\s*(?:delete\s+from|insert\s+into)\s+(\w+)|\bfrom\s+(\w+)`)

// lockOf is the name among those of LocksInOrder of what a statement locks; "" where it locks nothing of them. Who
// skips what is locked waits for nobody.
func (s *Store) lockOf(query string) string {
	if known, ok := s.locks.Load(query); ok {
		return known.(string)
	}
	of, code := "", strings.ToLower(codeOf(query))
	isLock := !strings.Contains(code, "skip locked") && (strings.Contains(code, " for update") ||
		strings.Contains(code, " for share") || wordsOf(code)[0] == "delete" || strings.Contains(code, " do update"))
	if s.ranks[nameOf(query)] > 0 {
		of = nameOf(query)
	} else if m := locked().FindStringSubmatch(code); isLock && m != nil && !foreign().MatchString(query) &&
		s.ranks[m[1]+m[2]] > 0 {
		of = m[1] + m[2]
	}
	s.locks.Store(query, of)
	return of
}

// doubtLock tells of rows that are locked after others that come behind them.
func (tx *Tx) doubtLock(query string) {
	s := tx.cell.store
	if !tx.write || tx.Control || tx.Alone() {
		return
	}
	of := s.lockOf(query)
	if of == "" || tx.locked[of] {
		return
	}
	if s.ranks[of] < s.ranks[tx.lockedLast] {
		s.doubts(fmt.Sprintf("%s is locked after %s, and before it elsewhere (see LocksInOrder): "+
			"two who do so wait for one another\n%s", of, tx.lockedLast, query))
	} else {
		tx.lockedLast = of
	}
	tx.locks(of)
}

// locks notes that a transaction has locked what goes by a name of LocksInOrder, or has made new rows of a table, which
// are its own.
func (tx *Tx) locks(name string) {
	if tx.locked == nil {
		tx.locked = map[string]bool{}
	}
	tx.locked[name] = true
}
