package channel

import (
	"strconv"
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

var redirects = record.TableOf(Redirects, record.Layout[Redirect]{
	Fixed:    "channel_code, from_path, hit_count, last_hit_at",
	Changing: "to_path, to_path_key, status_code, is_active",
	Named:    (*Redirect).key,
	Derived:  func(d *Redirect) db.Args { return db.Args{"channel_key": record.Fold(d.ChannelCode)} },
	Taken:    fromPathTaken,
})

// ListRedirects reads a page of a channel's redirects by the path they begin at. Channel.NotFound.
func ListRedirects(tx *db.Tx, channelCode string, f RedirectFilter, p record.Page) (record.Found[Redirect], error) {
	c, err := Find(tx, channelCode)
	if err != nil {
		return record.Found[Redirect]{}, err
	}
	return ListAllRedirects(tx, c.Code, f, p)
}

// ListAllRedirects reads the redirects of a channel, or with an empty code of all, by channel and the path they begin
// at.
func ListAllRedirects(tx *db.Tx, channelCode string, f RedirectFilter, p record.Page) (record.Found[Redirect], error) {
	q := redirects.Query("channel.ListAllRedirects")
	q.Stamp, q.Key = "", []string{"channel_key", "from_path"}
	q.Given("channel_key = :channel", record.Fold(channelCode))
	q.Given("is_active = :active", f.IsActive)
	for i, w := range strings.Fields(strings.ToLower(f.Search)) { // as paths are normalised
		name := "word" + strconv.Itoa(i)
		q.Where("(instr(from_path, :"+name+") > 0 or instr(to_path_key, :"+name+") > 0 or instr(to_path, :"+name+
			") > 0)", db.Args{name: w})
	}
	return record.ListOf(tx, q, p, redirects.Scan)
}

// FindRedirect reads one redirect. Channel.NotFound, UrlRedirect.NotFound.
func FindRedirect(tx *db.Tx, channelCode, id string) (Redirect, error) {
	return readRedirect(tx, channelCode, id, "")
}

func readRedirect(tx *db.Tx, channelCode, id, lock string) (Redirect, error) {
	c, err := Find(tx, channelCode)
	if err != nil {
		return Redirect{}, err
	}
	d, found, err := redirects.One(tx, "channel.readRedirect", "id = :id and channel_key = :channel"+lock,
		db.Args{"id": id, "channel": record.Fold(c.Code)})
	return d, ErrRedirectNotFound.When(!found, err, "channel %s has no redirect %q", c.Code, id)
}

// lockTable lets one transaction at a time change where redirects of these channels, by folded codes, lead: two that do
// not see each other could close a loop.
func lockTable(tx *db.Tx, channels []string) error {
	return tx.Each(`-- channel.lockTable
		select id from channel where company = :company and code_key in (:channels) order by id for update`,
		db.Args{"channels": channels}, func(r db.Row) error { return r.Scan(new(string)) })
}

// lockRedirects reads for update the redirects of channels, by folded codes, that begin at one of some paths or lead to
// one of others.
func lockRedirects(tx *db.Tx, channels, from, to []string) ([]Redirect, error) {
	return redirects.Where(tx, "channel.lockRedirects",
		"channel_key in (:channels) and (from_path in (:from) or to_path_key in (:to)) order by id for update",
		db.Args{"channels": channels, "from": from, "to": to})
}
