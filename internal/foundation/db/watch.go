package db

// commits is the key under which Versions counts all commits of a company that changed records.
const commits = "\x00commits"

// OnCommit subscribes fn to the commits of this process that changed records. It is called while the house is put
// together; fn must neither wait nor panic.
func (s *Store) OnCommit(fn func(company string)) { s.watchers = append(s.watchers, fn) }

// Versions counts the changes of records where all of them pass through this process, else nil.
func (tx *Tx) Versions() *Versions { return tx.cell.store.versions }

// counters are Versions, or those that this transaction's request has caught up with; nil where it knows of no others.
func (tx *Tx) counters() *Versions {
	if tx.OneWriter() || tx.Caught.ok {
		return tx.cell.store.counters
	}
	return nil
}

// Undisturbed reports whether this process knows of no commit that changed records of the company since this
// transaction was made:
// then what Versions says now it also said of this transaction's snapshot, and what was made of it may be kept under
// that. Take the counters first, then ask.
func (tx *Tx) Undisturbed() bool {
	return tx.cell.store.counters.Of(tx.Company, commits, "") == tx.seen
}

// tell is called after a commit that changed records.
func (s *Store) tell(company string) {
	for _, fn := range s.watchers {
		fn(company)
	}
}
