package channel

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/lazy"
	"kontor/internal/foundation/record"
)

// Redirect sends visitors of an old address of a channel to another one.
type Redirect struct {
	record.Root
	ChannelCode string
	FromPath    string // lower case, with a leading slash and without a trailing one; unique in the channel
	ToPath      string
	StatusCode  int
	IsActive    bool
	HitCount    int
	LastHitAt   db.Time
	Target      string `db:"to_path_key" log:"-"` // ToPath as FromPath is written, to find chains; see targetOf
}

// Redirects is the resource of redirects.
var Redirects = record.Define("redirects", "redirect", "UrlRedirect")

// Moved is a page that has got another address. An empty From is a page that is new at To.
type Moved struct{ ChannelCode, From, To string }

// normalPath is an address as redirects compare it.
func normalPath(path string) string {
	path = strings.ToLower(path)
	if len(path) > 1 {
		path = strings.TrimRight(path, "/")
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return path
}

// plainPath is a normal path in the one way in which paths are told apart: what is percent-encoded and need not be is
// written out.
// A browser sends /m%C3%B6bler for /möbler.
func plainPath(path string) string {
	var b strings.Builder
	for len(path) > 0 {
		coded := escapes().FindString(path)
		if coded == "" {
			b.WriteString(strings.ReplaceAll(path[:1], " ", "%20"))
			path = path[1:]
			continue
		}
		path = path[len(coded):]
		text, _ := url.PathUnescape(coded)
		for len(text) > 0 {
			r, size := utf8.DecodeRuneInString(text)
			if r != utf8.RuneError && (r >= 0x80 || unicode.IsLetter(r) || unicode.IsDigit(r) ||
				strings.ContainsRune("-._~", r)) {
				b.WriteString(text[:size])
			} else {
				fmt.Fprintf(&b, "%%%02x", text[0])
				size = 1
			}
			text = text[size:]
		}
	}
	return strings.ToLower(b.String())
}

// escapes are bytes of a path that are percent-encoded, at its beginning.
var escapes = lazy.Regexp(`^(%[0-9a-fA-F]{2})+`)

// spellings are the ways in which a path may have been written down: as it is, with its letters, or with all of them
// encoded.
func spellings(path string) []string {
	plain := plainPath(path)
	var coded strings.Builder
	for i := range len(plain) {
		if c := plain[i]; c < 0x80 {
			coded.WriteByte(c)
		} else {
			fmt.Fprintf(&coded, "%%%02x", c)
		}
	}
	return unique([]string{path, plain, coded.String()})
}

// RecordRedirects keeps the old addresses of moved pages working: each leads to the new one with a 301. What led
// to an old address leads to the new one too, so that chains never grow, and nothing leads away from an address that a
// page has now, so that there are no loops. A constant number of statements, whatever the number of pages.
func RecordRedirects(tx *db.Tx, moves []Moved) error {
	if len(moves) == 0 {
		return nil
	}
	var channels, leaving, paths []string
	for _, m := range moves {
		channels, paths = append(channels, record.Fold(m.ChannelCode)), append(paths, normalPath(m.To))
		if m.From != "" {
			leaving, paths = append(leaving, normalPath(m.From)), append(paths, normalPath(m.From))
		}
	}
	if len(leaving) > 0 {
		if err := lockTable(tx, channels); err != nil {
			return err
		}
	}
	rows, err := lockRedirects(tx, unique(channels), unique(paths), unique(leaving))
	if err != nil {
		return err
	}
	b := board{}
	for _, r := range rows {
		b.rows = append(b.rows, &rowOf{Redirect: r, before: r})
	}
	for _, m := range moves {
		if b.free(m); m.From != "" {
			b.lead(tx, m)
		}
	}
	return b.save(tx)
}

func unique(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// board holds the redirects that moves may touch, as they were and as they become.
type board struct {
	rows []*rowOf
}

type rowOf struct {
	Redirect
	before  Redirect // without a root: the row is new
	dropped bool
}

// free drops what leads away from the address that a page has now.
func (b *board) free(m Moved) {
	now := normalPath(m.To)
	for _, r := range b.rows {
		if record.Fold(r.ChannelCode) == record.Fold(m.ChannelCode) && r.FromPath == now {
			r.dropped = true
		}
	}
}

// lead makes the old address, and whatever led there, lead to the new one.
func (b *board) lead(tx *db.Tx, m Moved) {
	old := normalPath(m.From)
	if old == normalPath(m.To) {
		return
	}
	known := false
	for _, r := range b.rows {
		if r.dropped || record.Fold(r.ChannelCode) != record.Fold(m.ChannelCode) {
			continue
		}
		if r.FromPath == old {
			known = true
			r.ToPath, r.Target, r.StatusCode, r.IsActive = m.To, normalPath(m.To), 301, true
		} else if r.Target == old {
			r.ToPath, r.Target = m.To, normalPath(m.To)
		}
	}
	if !known {
		b.rows = append(b.rows, &rowOf{Redirect: Redirect{Root: record.New(tx), ChannelCode: m.ChannelCode,
			FromPath: old, ToPath: m.To, StatusCode: 301, IsActive: true, Target: normalPath(m.To)}})
	}
}

// save writes what differs and reports it.
func (b *board) save(tx *db.Tx) error {
	var pairs []record.Pair[Redirect]
	var dropped []*Redirect
	for _, r := range b.rows {
		p := record.Pair[Redirect]{After: &r.Redirect}
		if r.before.ID != "" {
			p.Before = &r.before
		}
		if !r.dropped {
			pairs = append(pairs, p)
		} else if p.Before != nil {
			if err := Redirects.Deleted(tx, r.Root, r.key(), r.before); err != nil {
				return err
			}
			dropped = append(dropped, &r.Redirect)
		}
	}
	if err := redirects.Remove(tx, dropped...); err != nil {
		return err
	}
	return redirects.SaveMany(tx, pairs...)
}

func (r *Redirect) key() string { return url.PathEscape(r.ChannelCode) + "/" + r.ID }

// RedirectSlug keeps the old page of a category or brand working in every channel. It handles catalog.SlugChanged.
func RedirectSlug(tx *db.Tx, e catalog.SlugChanged) error {
	all, err := All(tx)
	if err != nil {
		return err
	}
	var moves []Moved
	for _, c := range all {
		template := c.Paths.Category
		if e.Kind == "brand" {
			template = c.Paths.Brand
		}
		m := Moved{ChannelCode: c.Code, To: address(template, e.New)}
		if e.Old != "" {
			m.From = address(template, e.Old)
		}
		moves = append(moves, m)
	}
	return RecordRedirects(tx, moves)
}
