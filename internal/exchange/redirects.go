package exchange

import (
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
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
	before, err := channel.RedirectAt(tx, r.get("channelCode"), r.get("fromPath"))
	if fault.Is(err, channel.ErrRedirectNotFound) {
		d := channel.Redirect{FromPath: r.get("fromPath"), StatusCode: 301, IsActive: true}
		if err := r.lay(&d); err != nil {
			return err
		}
		_, err := channel.CreateRedirect(tx, r.get("channelCode"), d)
		r.became(created)
		return err
	}
	if err != nil {
		return err
	}
	after, err := channel.ChangeRedirect(tx, before.ChannelCode, before.ID,
		func(d *channel.Redirect) error { return r.lay(d) })
	r.became(revised(before.Version, after.Version))
	return err
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
