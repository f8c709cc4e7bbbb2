package channel

import (
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// RedirectPath is a path in the one way in which redirects of a channel are told apart.
func RedirectPath(path string) string { return plainPath(normalPath(strings.TrimSpace(path))) }

// RedirectAt reads the redirect that begins at a path, however it was written down. Channel.NotFound,
// UrlRedirect.NotFound.
func RedirectAt(tx *db.Tx, channelCode, path string) (Redirect, error) {
	c, err := Find(tx, channelCode)
	if err != nil {
		return Redirect{}, err
	}
	if err := lockTable(tx, []string{record.Fold(c.Code)}); err != nil {
		return Redirect{}, err
	}
	rows, err := lockRedirects(tx, []string{record.Fold(c.Code)}, spellings(normalPath(strings.TrimSpace(path))),
		[]string{""})
	if err != nil {
		return Redirect{}, err
	}
	for _, r := range rows {
		if plainPath(r.FromPath) == RedirectPath(path) {
			return r, nil
		}
	}
	return Redirect{}, ErrRedirectNotFound.Because("channel %s has no redirect from %s", c.Code, path)
}
