package channel

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// What the writing of redirects refuses.
var (
	ErrRedirectNotFound = fault.New(fault.NotFound, "UrlRedirect.NotFound")
	ErrFromPathTaken    = fault.New(fault.Conflict, "UrlRedirect.FromPathAlreadyExists")
	ErrFromPathInvalid  = fault.New(fault.Invalid, "UrlRedirect.InvalidPath")
	ErrFromPathTooLong  = fault.New(fault.Invalid, "UrlRedirect.FromPathTooLong")
	ErrToPathInvalid    = fault.New(fault.Invalid, "UrlRedirect.InvalidToPath")
	ErrToPathTooLong    = fault.New(fault.Invalid, "UrlRedirect.ToPathTooLong")
	ErrSelfReference    = fault.New(fault.Invalid, "UrlRedirect.SelfReference")
	ErrStatusCode       = fault.New(fault.Invalid, "UrlRedirect.InvalidStatusCode")
	ErrRedirectLoop     = fault.New(fault.Invalid, "UrlRedirect.Loop")
)

// maxPath is the most characters of a path or address.
const maxPath = 2000

// RedirectFilter narrows a list of redirects.
type RedirectFilter struct {
	Search   string // in both paths
	IsActive *bool
}

// CreateRedirect makes a redirect, stored in its normal form. Channel.NotFound, UrlRedirect.FromPathAlreadyExists, and
// what settle and checkChain refuse.
func CreateRedirect(tx *db.Tx, channelCode string, r Redirect) (Redirect, error) {
	c, err := Find(tx, channelCode)
	if err != nil {
		return r, err
	}
	r.ChannelCode = c.Code
	if err := r.validate(c); err != nil {
		return r, err
	}
	if err := lockTable(tx, []string{record.Fold(c.Code)}); err != nil {
		return r, err
	}
	near, err := r.neighbours(tx)
	if err != nil {
		return r, err
	}
	if slices.ContainsFunc(near, func(o Redirect) bool { return plainPath(o.FromPath) == plainPath(r.FromPath) }) {
		return r, fromPathTaken(&r)
	}
	if err := r.checkChain(near); err != nil {
		return r, err
	}
	r.Root = record.New(tx)
	return r, redirects.Create(tx, &r)
}

// ChangeRedirect edits where a redirect leads, how, and whether it is applied. Channel.NotFound, UrlRedirect.NotFound,
// and what settle and checkChain refuse.
func ChangeRedirect(tx *db.Tx, channelCode, id string, edit func(*Redirect) error) (Redirect, error) {
	c, err := Find(tx, channelCode)
	if err != nil {
		return Redirect{}, err
	}
	if err := lockTable(tx, []string{record.Fold(c.Code)}); err != nil {
		return Redirect{}, err
	}
	before, err := readRedirect(tx, channelCode, id, db.ForUpdate)
	if err != nil {
		return before, err
	}
	r := before
	if err := edit(&r); err != nil {
		return r, err
	}
	if err := r.validate(c); err != nil {
		return r, err
	}
	near, err := r.neighbours(tx)
	if err != nil {
		return r, err
	}
	if err := r.checkChain(near); err != nil {
		return r, err
	}
	return r, redirects.Act(tx, "changed", before, &r)
}

func fromPathTaken(r *Redirect) error {
	return ErrFromPathTaken.Because("channel %s redirects %s already: change that redirect, or delete it first",
		r.ChannelCode, r.FromPath)
}

// DeleteRedirect removes a redirect. Channel.NotFound, UrlRedirect.NotFound.
func DeleteRedirect(tx *db.Tx, channelCode, id string) error {
	r, err := readRedirect(tx, channelCode, id, db.ForUpdate)
	if err != nil {
		return err
	}
	return redirects.Drop(tx, &r)
}

// validate brings a redirect into its normal form and refuses what breaks a rule, everything at once:
// UrlRedirect.InvalidPath, .FromPathTooLong, .InvalidToPath, .ToPathTooLong, .SelfReference, .InvalidStatusCode.
func (r *Redirect) validate(c Channel) error {
	var l fault.List
	r.FromPath, r.ToPath = strings.TrimSpace(r.FromPath), strings.TrimSpace(r.ToPath)
	switch {
	case utf8.RuneCountInString(r.FromPath) > maxPath:
		l.Add(ErrFromPathTooLong, "fromPath", "has more than %d characters", maxPath)
	case !isPath(r.FromPath):
		l.Add(ErrFromPathInvalid, "fromPath",
			"must be a path of the shop like /old-page: without host, query or fragment, spaces written as %%20")
	}
	r.FromPath = normalPath(r.FromPath)
	target, ok := targetOf(c, r.ToPath)
	switch {
	case utf8.RuneCountInString(r.ToPath) > maxPath:
		l.Add(ErrToPathTooLong, "toPath", "has more than %d characters", maxPath)
	case !ok:
		l.Add(ErrToPathInvalid, "toPath",
			"must be a path that begins with one /, like /new-page, or an address like https://example.com/page, spaces written as %%20")
	case plainPath(target) == plainPath(r.FromPath):
		l.Add(ErrSelfReference, "toPath", "leads back to %s itself: name another page", r.FromPath)
	}
	r.Target = target
	l.If(r.StatusCode != 301 && r.StatusCode != 302, ErrStatusCode, "statusCode",
		"must be 301 (moved for good) or 302 (for now)")
	return l.Err()
}

// unfit are the characters that stand in no address as it is sent.
func unfit(s string) bool {
	return strings.Contains(s, `\`) ||
		strings.ContainsFunc(s, func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) })
}

// isPath reports whether s can be the path of a request; its leading slash may be missing.
func isPath(s string) bool {
	if s == "" || unfit(s) || strings.ContainsAny(s, "?#") || strings.HasPrefix(s, "//") || strings.Contains(s, "://") {
		return false
	}
	return !slices.ContainsFunc(strings.Split(s, "/"), func(segment string) bool {
		return segment == "." || segment == ".." // a browser would never ask for it
	})
}

// targetOf is where in its channel a redirect leads, as FromPath is written: without query and fragment, which do not
// keep it from being redirected again. An address outside the channel is one that no path equals. It answers false for
// what is no address.
func targetOf(c Channel, to string) (target string, ok bool) {
	u, err := url.Parse(to)
	if err != nil || unfit(to) {
		return "", false
	}
	path := to
	if !strings.HasPrefix(to, "/") {
		if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
			return "", false
		}
		if c.Domain == "" || !strings.EqualFold(u.Host, c.Domain) {
			return strings.ToLower(to), true
		}
		path = "/" + strings.TrimPrefix(u.EscapedPath(), "/")
	} else if strings.HasPrefix(to, "//") { // another host, though it looks like a path
		return "", false
	}
	if end := strings.IndexAny(path, "?#"); end >= 0 {
		path = path[:end]
	}
	return normalPath(path), true
}

// neighbours are the redirects that begin where this one begins or leads to, or lead to where it begins.
func (r Redirect) neighbours(tx *db.Tx) ([]Redirect, error) {
	from := spellings(r.FromPath)
	return lockRedirects(tx, []string{record.Fold(r.ChannelCode)}, append(spellings(r.Target), from...), from)
}

// checkChain refuses with UrlRedirect.Loop what would send a visitor from redirect to redirect, be it in a circle.
// Redirects that are not applied lead nowhere.
func (r Redirect) checkChain(near []Redirect) error {
	if !r.IsActive {
		return nil
	}
	var l fault.List
	begin, end := plainPath(r.FromPath), plainPath(r.Target)
	for _, o := range near {
		follows, leads := plainPath(o.FromPath) == end, plainPath(o.Target) == begin
		switch {
		case o.ID == r.ID || !o.IsActive:
		case follows && leads:
			l.Add(ErrRedirectLoop, "toPath", "%s leads back to %s: a visitor would go round in a circle", r.ToPath,
				r.FromPath)
		case follows:
			l.Add(ErrRedirectLoop, "toPath", "%s is itself redirected to %s: lead there at once", r.ToPath, o.ToPath)
		case leads:
			l.Add(ErrRedirectLoop, "fromPath", "%s leads to %s, and would be led on to %s: change that redirect first",
				o.FromPath, r.FromPath, r.ToPath)
		}
	}
	return l.Err()
}
