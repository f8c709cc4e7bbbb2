package record

import (
	"fmt"
	"strconv"

	"kontor/internal/foundation/db"
)

// memo is what this node remembers of a list with its filters: how many rows it has and where its pages begin. It holds
// for the newest change of the list's resources that it was made at.
type memo struct {
	name    string // "" where nothing may be remembered
	places  string // of the places of pages, which depend on the order as well
	at      db.Time
	settled bool // no transaction under way can still commit a change stamped before at
	count   *counted
	begins  []any
}

type counted struct {
	at    db.Time
	total int
	of    db.Tables // whoever uses it has read them
}

type place struct {
	at    db.Time
	after []any
}

// countWeight and placeWeight are about how many bytes a total takes, and the place where a page begins.
const (
	countWeight = 50
	placeWeight = 150
)

// maxSteps bounds how many changes are added to a remembered total before the list is counted anew.
const maxSteps = 1_000

func (q *Query) recall(tx *db.Tx, p Page) (memo, error) {
	m := memo{}
	if len(q.Resources) == 0 && q.Newest == "" {
		return m, nil
	}
	if err := q.newest(tx, &m.at); err != nil {
		return m, err
	}
	m.name = q.fingerprint(p.Size)
	m.places = m.name + "#" + q.by + "#"
	m.settled = m.at <= p.Horizon || tx.OneWriter() && !tx.Writes()
	if c, ok := db.CacheGetUnvalidated[counted](tx, m.name); ok {
		m.count = &c
	}
	if v, ok := db.CacheGetUnvalidated[place](tx, m.places+strconv.Itoa(p.Number)); ok && v.at == m.at {
		m.begins = v.after
	}
	return m, nil
}

// newest is the stamp of the newest change of what the list shows.
func (q *Query) newest(tx *db.Tx, at *db.Time) (err error) {
	if q.Newest != "" {
		_, err = tx.One(q.Newest, nil, at)
		return err
	}
	args := db.Args{}
	newest := db.HeadsOf("select stamp from change where company = :company", "resource", q.Resources,
		"resource desc, stamp desc", args)
	_, err = tx.One("-- record.newest\nselect max(stamp) from ("+newest+") as newest", args, at)
	return err
}

// total is the remembered total, mended by what was created and deleted since where the list has no filter, or a count.
func (m *memo) total(tx *db.Tx, q *Query) (int, error) {
	now := counted{at: m.at}
	if m.count != nil {
		now.of = m.count.of
		tx.RestsOn(now.of)
		if m.count.at == m.at {
			return m.count.total, nil
		}
	}
	n, mended, err := m.mend(tx, q)
	if err == nil && !mended {
		now.of, err = tx.Observing(func() (err error) { n, err = q.countRows(tx); return err })
	}
	if now.total = n; err == nil && m.name != "" && m.settled {
		tx.CachePutUnvalidated(m.name, countWeight, now)
	}
	return n, err
}

// mend adds what was created since and takes off what was deleted.
func (m *memo) mend(tx *db.Tx, q *Query) (n int, ok bool, err error) {
	if m.count == nil || q.filtered || q.Newest != "" || m.count.at > m.at {
		return 0, false, nil
	}
	steps, delta := 0, 0
	err = db.Each2(tx, `-- record.mend
		select kind, count(*) from (select kind from change where company = :company and resource = :resource and stamp > :at
			order by stamp limit :most) as recent group by kind`,
		db.Args{"resource": q.Resources[0], "at": int64(m.count.at), "most": maxSteps},
		func(kind string, some int) error {
			steps += some
			switch kind {
			case created:
				delta += some
			case deleted:
				delta -= some
			}
			return nil
		})
	return m.count.total + delta, err == nil && steps < maxSteps, err
}

func (q *Query) countRows(tx *db.Tx) (int, error) {
	return db.Value[int](tx, fmt.Sprintf("-- %s total\nselect count(*) from %s %s", q.Name, q.From, q.conditions()),
		q.args)
}

// place is the key after which page number begins, where it is known.
func (m *memo) place(number int) []any {
	if number == 1 {
		return nil
	}
	return m.begins
}

// left remembers where the next page begins.
func (m *memo) left(tx *db.Tx, next int, after []any) {
	if m.name != "" && m.settled && len(after) > 0 && after[0] != nil {
		tx.CachePutUnvalidated(m.places+strconv.Itoa(next), placeWeight, place{m.at, after})
	}
}
