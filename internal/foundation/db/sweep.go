package db

import (
	"context"
	"fmt"
	"maps"
)

// sweptAtOnce is how many rows one transaction of a sweep looks at, or deletes: whoever waits for the one writer of a
// file does not notice. Keys that are hashes lie everywhere, so each row costs two pages of the file or three.
const sweptAtOnce = 200

// Sweep does the next part, from a place on, of what lets go of rows that have had their time, and answers where the
// part after it begins: "" when it is through. It begins at "".
type Sweep func(tx *Tx, from string) (next string, err error)

// Sweep goes through sweeps, each of their parts a transaction of its own: however much has grown old, nobody waits for
// all of it.
func (s *Store) Sweep(ctx context.Context, r Request, sweeps ...Sweep) error {
	for _, sweep := range sweeps {
		for from, more := "", true; more; more = from != "" {
			part := func(tx *Tx) (string, error) { return sweep(tx, from) }
			var next string
			if err := s.Write(ctx, r, Into(&next, part)); err != nil {
				return err
			}
			from = next
		}
	}
	return nil
}

// SweepOut deletes some rows of a table that meet a condition, which an index finds. name is that of the Go function
// that asks, key the columns of the table's key besides the company. It is a part of a Sweep, and is asked again until
// there are none.
func (tx *Tx) SweepOut(name, table, key, condition string, a Args) (next string, err error) {
	n, err := tx.Exec(fmt.Sprintf(`-- %s
		delete from %s where company = :company and (%s) in (
			select %s from %s where company = :company and %s limit :some)`, name, table, key, key, table, condition),
		with(a, Args{"some": sweptAtOnce}))
	if n > 0 {
		next = "again"
	}
	return next, err
}

// SweepThrough looks at the next rows of a table, in the order of a column that its key begins with, and deletes those
// that meet a condition: what no index finds is found by going through all of the table, though never at once.
func (tx *Tx) SweepThrough(name, table, column, from, condition string, a Args) (next string, err error) {
	args := with(a, Args{"from": from, "some": sweptAtOnce})
	if _, err := tx.One(fmt.Sprintf(`-- %[1]s part
		select coalesce(max(%[3]s), '') from (select %[3]s from %[2]s
			where company = :company and %[3]s > :from order by %[3]s limit :some) as part`, name, table, column), args,
		&next); err != nil || next == "" {
		return "", err
	}
	args["next"] = next
	return next, tx.Run(fmt.Sprintf(`-- %[1]s
		delete from %[2]s where company = :company and %[3]s > :from and %[3]s <= :next and (%[4]s)`, name, table, column,
		condition), args)
}

// with are the arguments of a condition with those of the statement around it.
func with(a, more Args) Args {
	all := maps.Clone(more)
	maps.Copy(all, a)
	return all
}
