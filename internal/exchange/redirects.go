package exchange

import (
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

func redirectKind() kind {
	return kind{name: "redirects", shownKey: []string{"channelCode", "fromPath"}, duplicate: channel.ErrFromPathTaken,
		booker: func() booker { return redirects{} }, export: exportRedirects,
		fields: []field{
			must(column(code, "channelCode", "channel", "store")),
			must(column(path, "fromPath", "from", "source", "oldPath", "oldUrl")),
			must(column(path, "toPath", "to", "target", "destination", "newPath", "newUrl")),
			number("statusCode", "status"),
			truth("isActive", "active"),
			shown(column(code, "hitCount")),
			shown(column(code, "lastHitAt")),
		}}
}

// redirects books redirects of channels, each known by the path it begins at.
type redirects struct{ plain }

func (redirects) key(r *row) string {
	return record.Fold(r.get("channelCode")) + "\x00" + channel.RedirectPath(r.get("fromPath"))
}

func (redirects) book(tx *db.Tx, rows []*row) error { return oneByOne(tx, rows, bookRedirect) }

func bookRedirect(tx *db.Tx, r *row) error {
	edit := func(d *channel.Redirect) error {
		c := r.cells()
		c.given("toPath", &d.ToPath)
		c.whole("statusCode", &d.StatusCode)
		c.flag("isActive", &d.IsActive)
		return c.wrong.Err()
	}
	before, err := channel.RedirectAt(tx, r.get("channelCode"), r.get("fromPath"))
	if fault.Is(err, channel.ErrRedirectNotFound) {
		d := channel.Redirect{FromPath: r.get("fromPath"), StatusCode: 301, IsActive: true}
		if err := edit(&d); err != nil {
			return err
		}
		_, err := channel.CreateRedirect(tx, r.get("channelCode"), d)
		r.became(created)
		return err
	}
	if err != nil {
		return err
	}
	after, err := channel.ChangeRedirect(tx, before.ChannelCode, before.ID, edit)
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
			last := ""
			if r.LastHitAt != 0 {
				last = r.LastHitAt.String()
			}
			return p.row(r.ChannelCode, r.FromPath, r.ToPath, whole(r.StatusCode), flag(r.IsActive), whole(r.HitCount),
				last)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
