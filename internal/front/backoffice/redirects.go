package backoffice

import (
	"net/http"

	"kontor/internal/business/channel"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// The permissions of redirects.
const (
	readsRedirects  = "redirects:read"
	writesRedirects = "redirects:write"
)

// redirect is a redirect as its form holds it.
type redirect struct {
	channel.Redirect
	ForNow bool
}

func redirectForm(r channel.Redirect) redirect { return redirect{r, r.StatusCode == http.StatusFound} }

// sent is the redirect that was typed.
func (r redirect) sent() channel.Redirect {
	r.StatusCode = http.StatusMovedPermanently
	if r.ForNow {
		r.StatusCode = http.StatusFound
	}
	return r.Redirect
}

func (r redirect) kind() page.Value {
	if r.ForNow {
		return page.Word("For now (302)")
	}
	return page.Word("For good (301)")
}

func redirectPath(r channel.Redirect, below ...string) string {
	return page.Path(append([]string{"redirects", r.ChannelCode, r.ID}, below...)...)
}

func loadRedirect(c *page.Ctx) (redirect, error) {
	r, err := channel.FindRedirect(c.Tx, c.Path("channel"), c.Path("id"))
	return redirectForm(r), err
}

// redirects are the pages of addresses of stores that lead to others.
func redirects() []page.Page {
	return []page.Page{redirectList(), redirectRecord(),
		page.Form[redirect]{Path: "/new/redirects", Title: "New redirect", Permission: writesRedirects,
			Fields: redirectFields,
			Load: func(c *page.Ctx) (redirect, error) {
				return redirect{Redirect: channel.Redirect{IsActive: true,
					ChannelCode: firstOf(channels.offered(c), c.Query("store"))}}, nil
			},
			Save: page.Made(redirect{}, func(c *page.Ctx, r redirect) (page.Done, error) {
				made, err := channel.CreateRedirect(c.Tx, r.ChannelCode, r.sent())
				return page.Went(redirectPath(made), "The redirect is made."), err
			})},
		page.Form[redirect]{Path: "/redirects/{channel}/{id}/edit", Title: "Edit redirect",
			Permission: writesRedirects, Resource: channel.Redirects, Load: loadRedirect, Fields: redirectFields,
			Back: func(c *page.Ctx) string { return page.Path("redirects", c.Path("channel"), c.Path("id")) },
			Save: func(c *page.Ctx, lay func(*redirect) error) (page.Done, error) {
				_, err := channel.ChangeRedirect(c.Tx, c.Path("channel"), c.Path("id"), func(r *channel.Redirect) error {
					typed := redirectForm(*r)
					err := lay(&typed)
					*r = typed.sent()
					return err
				})
				return page.Did("Saved."), err
			}},
	}
}

func redirectList() page.Page {
	return page.List[redirect]{Path: "/redirects", Title: "Redirects", Permission: readsRedirects, Menu: true,
		Whole: wholeOf("redirects"), Search: "Old or new address",
		Lead: "Addresses of the stores that lead to others. What changes its address leaves one by itself.",
		Filters: []page.Filter{page.ChoiceOf("store", "Store", channels.offered),
			page.Flag("active", "Status", "Active", "Inactive")},
		Find: func(c *page.Ctx, q page.Query) (record.Found[redirect], error) {
			found, err := channel.ListAllRedirects(c.Tx, q.Get("store"),
				channel.RedirectFilter{Search: q.Search, IsActive: q.Bool("active")}, q.Page)
			return listed(found, redirectForm), err
		},
		Href: func(r redirect) string { return redirectPath(r.Redirect) },
		Columns: func(r redirect) []page.Column {
			return []page.Column{page.Col("Old address", page.T(r.FromPath)), page.Col("New address", page.T(r.ToPath)),
				page.Minor("Store", channels.of(r.ChannelCode)), page.Minor("Kind", r.kind()),
				page.Minor("Visits", page.Count(r.HitCount)), page.Minor("Last visit", page.At(r.LastHitAt)),
				page.Minor("Status", page.Active(r.IsActive))}
		},
		New: []page.Go{{Label: "New redirect", Path: "/new/redirects", Primary: true}}}
}

func redirectRecord() page.Page {
	return page.Record[redirect]{Path: "/redirects/{channel}/{id}", Permission: readsRedirects,
		Resource: channel.Redirects, Load: loadRedirect,
		Show: func(c *page.Ctx, r redirect) (page.Sheet, error) {
			store, err := channel.Find(c.Tx, r.ChannelCode)
			return page.Sheet{Title: r.FromPath, Subtitle: store.Name, Badges: []page.Value{page.Active(r.IsActive)},
				Parts: []page.Part{page.Facts{Title: "Redirect", Facts: []page.Fact{
					{Label: "Store", Value: page.To(store.Name, page.Path("stores", store.Code))},
					{Label: "Old address", Value: page.Copied(store.URL() + r.FromPath)},
					{Label: "New address", Value: page.Copied(r.ToPath)}, {Label: "Kind", Value: r.kind()},
					{Label: "Visits", Value: page.Count(r.HitCount)},
					{Label: "Last visit", Value: page.At(r.LastHitAt)}}}}}, err
		},
		Edit: func(_ *page.Ctx, r redirect) []page.Go {
			return []page.Go{{Label: "Edit", Path: redirectPath(r.Redirect, "edit"), Primary: true}}
		},
		Actions: []page.Action[redirect]{{Name: "delete", Label: "Delete", Tone: page.Bad,
			Confirm: "Whoever comes by the old address finds nothing there.",
			Do: func(c *page.Ctx, r redirect) (page.Done, error) {
				return page.Went("/redirects?store="+query(r.ChannelCode), "The redirect is deleted."),
					channel.DeleteRedirect(c.Tx, r.ChannelCode, r.ID)
			}}}}
}

func redirectFields(c *page.Ctx, r *redirect) []page.Field {
	return []page.Field{
		page.Select("channelCode", "Store", &r.ChannelCode, channels.offered(c)).Required().FixedIf(r.ID != ""),
		page.Text("fromPath", "Old address", &r.FromPath).Required().Max(2000).FixedIf(r.ID != "").
			Hint("A path of the store, such as /old-page."),
		page.Text("toPath", "New address", &r.ToPath).Required().Max(2000).
			Hint("A path such as /new-page, or an address such as https://example.com/page."),
		page.Check("forNow", "Only for now: search engines keep the old address (302)", &r.ForNow),
		page.Check("isActive", "Active", &r.IsActive)}
}
