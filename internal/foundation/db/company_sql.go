package db

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// ForUpdate locks the rows that a statement reads, at whose end it stands, until the commit.
const ForUpdate = " for update"

// SaveInfo writes the company's facts into its cell. Every transaction reads them from there.
func (tx *Tx) SaveInfo(i CompanyInfo) error {
	_, err := tx.Exec(`-- db.SaveInfo
		insert into company_state (company, epoch, generation, code, name, currency, country, time_zone, environment)
		values (:company, 1, :generation, :code, :name, :currency, :country, :zone, :environment)
		on conflict (company) do update set epoch = company_state.epoch + 1, code = excluded.code, name = excluded.name,
			currency = excluded.currency, country = excluded.country, time_zone = excluded.time_zone, environment = excluded.environment`,
		Args{"generation": fmt.Sprintf("%x", int64(tx.Now)), "code": i.Code, "name": i.Name, "currency": i.Currency,
			"country": i.Country, "zone": i.TimeZone, "environment": i.Environment})
	return err
}

// BumpEpoch makes every node read the company's reference data anew.
func (tx *Tx) BumpEpoch() error {
	tx.bumped = true // what this transaction derived before is derived anew, see Kept
	_, err := tx.One(`-- db.BumpEpoch
		update company_state set epoch = epoch + 1 where company = :company returning epoch`, nil, &tx.Epoch)
	return err
}

// Committed is the moment up to which every change is visible to this reader. On an engine with one writer it
// is the newest stamp of the snapshot; elsewhere it is the horizon, which was taken before the snapshot because the
// request said AsksCommitted.
func (tx *Tx) Committed() (Time, error) {
	if tx.cell.engine.Horizon == nil {
		return tx.newestChange(math.MaxInt64)
	}
	if tx.before.at == 0 {
		return 0, errors.New("db: a reader that calls Committed must say AsksCommitted in its request")
	}
	return tx.before.at, nil
}

// Begun is the stamp that whoever still writes, or will, has begun after: who wrote before it has ended. With one
// writer that is any stamp that a reader sees.
func (tx *Tx) Begun() (Time, error) {
	if tx.cell.engine.Horizon == nil {
		return math.MaxInt64, nil
	}
	return tx.Committed()
}

// Watermark is the stamp of the newest change up to Committed, 0 where there is none: what a reader comes back with.
// Every later change has a later stamp, whatever the clocks say that Committed may follow.
func (tx *Tx) Watermark() (Time, error) {
	at, err := tx.Committed()
	if err != nil || tx.cell.engine.Horizon == nil {
		return at, err
	}
	return tx.newestChange(at)
}

func (tx *Tx) newestChange(until Time) (stamp Time, err error) {
	_, err = tx.One(`-- db.newestChange
		select stamp from change where company = :company and stamp <= :until order by stamp desc limit 1`,
		Args{"until": int64(until)}, &stamp)
	return stamp, err
}

// besides is how long a transaction waits for numbers that are drawn beside it.
const besides = 500 * time.Millisecond

// NextNumbers draws the next count numbers of a series and answers the first of them. With many writers they are drawn
// in a transaction of its own, so that a series is never a queue; a number whose document is given up is not drawn
// again. Behind a pooler all connections may be with transactions that wait for such a one: then they are drawn in
// this transaction, and the others wait for its end.
func (tx *Tx) NextNumbers(series string, count int64, seed func() (prefix string, next int64, width int)) (
	prefix string, first int64, width int, err error) {
	if tx.trying {
		return "", 0, 0, errTried
	}
	draw := func(on *Tx, more string, into ...any) error {
		starts, next, wide := seed()
		_, err := on.One(`-- db.NextNumbers
			insert into number_series (company, series, prefix, next, width) values (:company, :series, :prefix, :next, :width)
			on conflict (company, series) do update set next = number_series.next + :count
			returning prefix, next - :count, width`+more, Args{"series": series, "prefix": starts, "next": next + count,
			"count": count, "width": wide}, append([]any{&prefix, &first, &width}, into...)...)
		return err
	}
	if tx.cell.owner == nil {
		err = draw(tx, "")
		return prefix, first, width, err
	}
	beside, cancel := context.WithTimeout(tx.ctx, besides)
	defer cancel()
	err = tx.cell.owner.lend(beside, func(cn *conn) error {
		own := tx.cell.tx(beside, Request{Company: tx.Company, Actor: tx.Actor}, cn, true)
		own.begun = true // one statement, its own transaction
		id, ends := int64(0), tx.cell.store.others.beginsUnnamed()
		defer func() { ends(uint64(id)) }()
		err := draw(own, tx.cell.engine.NamesItself, &id)
		own.committed()
		return err
	})
	if err != nil && beside.Err() != nil && tx.ctx.Err() == nil {
		err = draw(tx, "")
	}
	return prefix, first, width, err
}

// companyTables are the tables of a cell that hold company data, found by their first column.
func companyTables(ctx context.Context, c *conn) ([]string, error) {
	rows, err := c.sql.QueryContext(ctx, `select table_name from information_schema.columns
		where table_schema = current_schema() and column_name = 'company' and table_name <> 'company' order by table_name`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var n string
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		names = append(names, n)
	}
	return names, rows.Err()
}

func (c *cell) dropCompany(ctx context.Context, company string) error {
	var tables []string
	err := c.owner.lend(ctx, func(cn *conn) (err error) {
		tables, err = companyTables(ctx, cn)
		return err
	})
	if err != nil {
		return err
	}
	return c.writeShared(ctx, Request{Company: company, Actor: Actor{Kind: "system", Name: "kontor"}},
		func(tx *Tx) error {
			for _, t := range tables {
				if _, err := tx.Exec("-- db.dropCompany\ndelete from "+t+" where company = :company", nil); err != nil {
					return err
				}
			}
			return nil
		})
}

// OneByOne makes whoever does what this names in the company wait for whoever does so already, until the end of the
// transaction. PostgreSQL alone is asked: elsewhere there is one writer.
func (tx *Tx) OneByOne(what string) error {
	if tx.Alone() {
		return nil
	}
	return tx.Each(`-- db.OneByOne
		select pg_advisory_xact_lock(hashtextextended(:what || ' ' || :company, 0))`, Args{"what": what},
		func(Row) error { return nil })
}
