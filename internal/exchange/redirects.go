package exchange

import (
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

func redirectKind() kind {
	return kind{name: "redirects", shownKey: []string{"channelCode", "fromPath"}, duplicate: channel.ErrFromPathTaken,
		booker: func() booker { return redirects{single{one: bookRedirect}} }, export: exportRedirects,
		fields: of[channel.Redirect](
			must(key(column(code, "channelCode", "channel", "store"))),
			must(key(column(path, "fromPath", "from", "source", "oldPath", "oldUrl"))),
			must(kept(column(path, "toPath", "to", "target", "destination", "newPath", "newUrl"))),
			number("statusCode", "status"),
			truth("isActive", "active"),
			shown(column(code, "hitCount")),
			apart(shown(column(code, "lastHitAt"))),
		)}
}

// redirects books redirects of channels, each known by the path it begins at.
type redirects struct{ single }

func (redirects) key(r *row) string {
	return record.Fold(r.get("channelCode")) + "\x00" + channel.RedirectPath(r.get("fromPath"))
}

func bookRedirect(tx *db.Tx, r *row) error {
	return upsert(tx, r, channel.Redirect{FromPath: r.get("fromPath"), StatusCode: 301, IsActive: true},
		channel.ErrRedirectNotFound,
		func(tx *db.Tx, store string, edit func(*channel.Redirect) error) (channel.Redirect, error) {
			before, err := channel.RedirectAt(tx, store, r.get("fromPath"))
			if err != nil {
				return before, err
			}
			return channel.ChangeRedirect(tx, before.ChannelCode, before.ID, edit)
		}, func(tx *db.Tx, d channel.Redirect) (channel.Redirect, error) {
			return channel.CreateRedirect(tx, r.get("channelCode"), d)
		})
}

func exportRedirects(tx *db.Tx, p *printer) error {
	all, err := channel.All(tx)
	if err != nil {
		return err
	}
	for _, c := range all {
		of := func(tx *db.Tx, f channel.RedirectFilter, page record.Page) (record.Found[channel.Redirect], error) {
			return channel.ListRedirects(tx, c.Code, f, page)
		}
		err := eachOf(tx, pageOf, of, func(r channel.Redirect) error {
			return p.record(beside{"lastHitAt": r.LastHitAt.String()}, r)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
