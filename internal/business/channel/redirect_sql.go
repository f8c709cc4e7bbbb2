package channel

import (
	"strconv"
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const redirectFields = record.RootColumns + ", channel_code, from_path, to_path, status_code, is_active, hit_count, last_hit_at"

const redirectColumns = redirectFields + ", to_path_key"

var redirectRow = db.Map[Redirect](redirectFields)

func (d *Redirect) columns() []any { return append(redirectRow.Of(d), &d.target) }

func scanRedirect(r db.Row, d *Redirect) error { return r.Scan(d.columns()...) }

// ListRedirects reads a page of a channel's redirects by the path they begin at. Channel.NotFound.
func ListRedirects(tx *db.Tx, channelCode string, f RedirectFilter, p record.Page) (record.Found[Redirect], error) {
	c, err := Find(tx, channelCode)
	if err != nil {
		return record.Found[Redirect]{}, err
	}
	q := record.Query{Name: "channel.ListRedirects", Select: redirectColumns, From: "redirect",
		Key: []string{"from_path"}, Resources: []string{Redirects.Name}}
	q.Where("channel_key = :channel", db.Args{"channel": record.Fold(c.Code)})
	q.Given("is_active = :active", f.IsActive)
	for i, w := range strings.Fields(strings.ToLower(f.Search)) { // as paths are normalised
		name := "word" + strconv.Itoa(i)
		q.Where("(instr(from_path, :"+name+") > 0 or instr(to_path_key, :"+name+") > 0 or instr(to_path, :"+name+
			") > 0)", db.Args{name: w})
	}
	return record.ListOf(tx, q, p, scanRedirect)
}

// FindRedirect reads one redirect. Channel.NotFound, UrlRedirect.NotFound.
func FindRedirect(tx *db.Tx, channelCode, id string) (Redirect, error) {
	return readRedirect(tx, channelCode, id, "")
}

func lockRedirect(tx *db.Tx, channelCode, id string) (Redirect, error) {
	return readRedirect(tx, channelCode, id, " for update")
}

func readRedirect(tx *db.Tx, channelCode, id, lock string) (d Redirect, err error) {
	c, err := Find(tx, channelCode)
	if err != nil {
		return d, err
	}
	err = tx.Each(`-- channel.readRedirect
		select `+redirectColumns+` from redirect where company = :company and id = :id and channel_key = :channel`+lock,
		db.Args{"id": id, "channel": record.Fold(c.Code)}, func(r db.Row) error { return scanRedirect(r, &d) })
	if err == nil && d.ID == "" {
		err = ErrRedirectNotFound.Because("channel %s has no redirect %q", c.Code, id)
	}
	return d, err
}

// lockTable lets one transaction at a time change where redirects of these channels, by folded codes, lead: two that do
// not see each other could close a loop.
func lockTable(tx *db.Tx, channels []string) error {
	return tx.Each(`-- channel.lockTable
		select id from channel where company = :company and code_key in (:channels) order by id for update`,
		db.Args{"channels": channels}, func(r db.Row) error {
			var id string
			return r.Scan(&id)
		})
}

// lockRedirects reads for update the redirects of channels, by folded codes, that begin at one of some paths or lead to
// one of others.
func lockRedirects(tx *db.Tx, channels, from, to []string) (rows []Redirect, err error) {
	err = tx.Each(`-- channel.lockRedirects
		select `+redirectColumns+` from redirect
		where company = :company and channel_key in (:channels) and (from_path in (:from) or to_path_key in (:to))
		order by id for update`,
		db.Args{"channels": channels, "from": from, "to": to}, func(r db.Row) error {
			rows = append(rows, Redirect{})
			return scanRedirect(r, &rows[len(rows)-1])
		})
	return rows, err
}

// writeRedirects stores redirects, new and changed ones alike.
func writeRedirects(tx *db.Tx, rows []*Redirect) error {
	return tx.Upsert("redirect", redirectColumns+", channel_key", len(rows), func(i int) []any {
		return append(rows[i].columns(), record.Fold(rows[i].ChannelCode))
	}, db.Overwriting("id", "to_path, to_path_key, status_code, is_active"))
}

func deleteRedirects(tx *db.Tx, ids []string) error { return tx.Delete(db.Args{"id": ids}, "redirect") }
