package backoffice

import (
	"cmp"

	"kontor/internal/business/channel"
	"kontor/internal/business/media"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// newPicture is a picture for a library as its form asks for it.
type newPicture struct {
	media.Asset
	upload page.Upload
}

var pictureCrumbs = crumbs("Picture libraries", "/libraries", "", "channel")

func toLibrary(c *page.Ctx) string { return page.Path("libraries", c.Path("channel")) }

// library are the pages of the pictures that each store's pages show.
func (o Office) library() []page.Page {
	const base = "/libraries/{channel}"
	load := func(c *page.Ctx) (media.Asset, error) { return media.Find(c.Tx, c.Path("channel"), c.Path("id")) }
	return []page.Page{
		page.List[channel.Channel]{Path: "/libraries", Title: "Picture libraries", Permission: "media:read", Menu: true,
			Lead: "The pictures that each store's pages and posts show.",
			Find: func(c *page.Ctx, q page.Query) (record.Found[channel.Channel], error) {
				return channel.List(c.Tx, channel.Filter{}, q.Page)
			},
			Href: func(ch channel.Channel) string { return page.Path("libraries", ch.Code) },
			Columns: func(ch channel.Channel) []page.Column {
				return []page.Column{page.Col("Store", page.T(ch.Code)), page.Col("Name", page.T(ch.Name))}
			}},
		page.Record[channel.Channel]{Path: base, Permission: "media:read", Show: o.showLibrary,
			Load: func(c *page.Ctx) (channel.Channel, error) { return channel.Find(c.Tx, c.Path("channel")) },
			Edit: func(_ *page.Ctx, ch channel.Channel) []page.Go {
				return []page.Go{{Label: "Add a picture", Path: page.Path("libraries", ch.Code, "new"), Primary: true}}
			}},
		o.addPicture(base),
		page.Form[media.Asset]{Path: base + "/{id}", Title: "Describe the picture", Permission: "media:write",
			Crumbs: pictureCrumbs, Resource: media.Assets, Load: load,
			Fields: func(_ *page.Ctx, a *media.Asset) []page.Field { return pictureFields(a) },
			Save:   page.ChangedPart("channel", "id", media.Change)},
		page.Deed{Path: base + "/{id}/delete", Permission: "media:write",
			Do: partGone("The picture is removed.", toLibrary, "channel", "id", media.Delete)},
		page.Lookup{Path: findPictures + "{channel}", Permission: "media:read",
			Find: func(c *page.Ctx, text string) ([]page.Option, error) {
				found, err := media.List(c.Tx, c.Path("channel"), media.Filter{Search: text},
					record.Page{Number: 1, Size: 20})
				return options(found.Items, func(a media.Asset) (string, string) {
					return o.Files.URL(c.Visitor.Company, a.File), pictureName(a)
				}), err
			}},
	}
}

func pictureName(a media.Asset) string {
	return cmp.Or(a.Title, a.FileName)
}

func pictureFields(a *media.Asset) []page.Field {
	return []page.Field{page.Text("title", "Title", &a.Title),
		page.OneOf("folder", "Filed under", &a.Folder).Required(),
		page.Text("altText", "What the picture shows", &a.AltText).Max(4000).Wide().
			Hint("For those who do not see it, and for search engines."),
		page.Prose("caption", "Text below it", &a.Caption),
		page.Group("The point that stays in sight when edges are cut off",
			page.Number("focusX", "Percent from the left", &a.FocusX).Between(0, 100).Hint("50 is the middle."),
			page.Number("focusY", "Percent from the top", &a.FocusY).Between(0, 100).Hint("50 is the middle."))}
}

// addPicture keeps the file before the transaction that records it.
func (o Office) addPicture(base string) page.Page {
	fresh := newPicture{Asset: media.Asset{Folder: media.Content, FocusX: media.Middle, FocusY: media.Middle}}
	return page.Form[newPicture]{Path: base + "/new", Title: "Add a picture", Permission: "media:write",
		Where: page.Outside, Settles: true, Crumbs: pictureCrumbs, Submit: "Add",
		Load: func(c *page.Ctx) (newPicture, error) {
			return fresh, o.Store.Read(c.Context(), inCompany(c), func(tx *db.Tx) error {
				_, err := channel.Find(tx, c.Path("channel"))
				return err
			})
		},
		Fields: func(_ *page.Ctx, p *newPicture) []page.Field {
			return append([]page.Field{page.File("file", "File", &p.upload).Required().
				Hint("A picture as PNG, JPEG, GIF, WebP or SVG; at most 10 MB.")}, pictureFields(&p.Asset)...)
		},
		Save: page.Made(fresh, func(c *page.Ctx, p newPicture) (page.Done, error) {
			kept, err := o.Files.Take(c.Context(), c.Visitor.Company, p.upload.Name, p.upload.Bytes, false)
			if err != nil {
				return page.Done{}, err
			}
			p.File, p.ChannelCode = kept, c.Path("channel")
			p.Title = cmp.Or(p.Title, kept.FileName)
			return page.Went(toLibrary(c), "The picture is added."),
				o.Store.Write(c.Context(), inCompany(c), func(tx *db.Tx) error {
					_, err := media.Create(tx, p.Asset)
					return err
				})
		})}
}

// picturesShown is how many pictures a library's page shows; the rest is searched for.
const picturesShown = 100

func (o Office) showLibrary(c *page.Ctx, ch channel.Channel) (page.Sheet, error) {
	found, err := media.List(c.Tx, ch.Code, media.Filter{Search: c.Query("q")},
		record.Page{Number: 1, Size: picturesShown})
	if err != nil {
		return page.Sheet{}, err
	}
	g := page.Gallery{Title: "Pictures"}
	for _, a := range found.Items {
		at := page.Path("libraries", ch.Code, a.ID)
		p := page.Picture{Source: o.address(c, a.File) + "?w=320", Shows: a.AltText, Name: pictureName(a),
			Href: o.address(c, a.File), Notes: []page.Value{page.Copied(o.Files.URL(c.Visitor.Company, a.File))}}
		if a.AltText == "" {
			p.Notes = append(p.Notes, page.Word("Not described yet").Toned(page.Warn))
		}
		if c.May("media:write") {
			p.Acts = append(p.Acts, page.Word("Describe").Linked(at))
		}
		p.Acts = append(p.Acts, page.Post("Remove", at+"/delete"))
		g.Pictures = append(g.Pictures, p)
	}
	text := c.Query("q")
	ask := page.Asking{Button: "Search",
		Fields: []page.Field{page.Text("q", "File name, title or what it shows", &text)}}
	return page.Sheet{Title: c.Say("Pictures of %s", ch.Name), Parts: []page.Part{ask, g}}, nil
}
