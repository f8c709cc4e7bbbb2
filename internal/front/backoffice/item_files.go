package backoffice

import (
	"cmp"
	"net/url"
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/media"
	"kontor/internal/foundation/db"
	"kontor/internal/front/page"
)

// newFile is a picture or a document as the form asks for it.
type newFile struct {
	upload         page.Upload
	title, altText string
	isPrimary      bool
}

// itemFiles are the pages of an item's pictures and documents.
func (o Office) itemFiles() []page.Page {
	return []page.Page{
		page.Form[newFile]{Path: "/items/{number}/files/new", Title: "Add a picture or document",
			Permission: "items:write", Where: page.Outside, Settles: true, Crumbs: itemCrumbs,
			Submit: "Add",
			Lead:   "The first picture of an item is its main picture. Storefronts show them all, in their order.",
			Load: func(c *page.Ctx) (newFile, error) {
				return newFile{}, o.Store.Read(c.Context(), inCompany(c), func(tx *db.Tx) error {
					_, err := catalog.Find(tx, c.Path("number"))
					return err
				})
			},
			Fields: func(_ *page.Ctx, f *newFile) []page.Field {
				return append([]page.Field{page.File("file", "File", &f.upload).Required().
					Hint("A picture as PNG, JPEG, GIF, WebP or SVG, or a document as PDF; at most 10 MB.")},
					fileFields(&f.title, &f.altText, &f.isPrimary)...)
			},
			Save: page.Made(newFile{}, func(c *page.Ctx, f newFile) (page.Done, error) {
				return page.Went(toItem(c), "The file is added."), o.addFile(c, f)
			})},
		page.Form[media.ItemAsset]{Path: "/items/{number}/files/{id}", Title: "Describe the file",
			Permission: "items:write", Crumbs: itemCrumbs, Load: loadFile, Resource: catalog.Items,
			Fields: func(_ *page.Ctx, a *media.ItemAsset) []page.Field {
				return fileFields(&a.Title, &a.AltText, &a.IsPrimary)
			},
			Save: page.ChangedPart("number", "id", media.ChangeItemAsset)},
		page.Deed{Path: "/items/{number}/files/{id}/earlier", Permission: "items:write",
			Do: func(c *page.Ctx) (page.Done, error) {
				return page.Went(toItem(c), ""), moveFile(c, -1)
			}},
		page.Deed{Path: "/items/{number}/files/{id}/later", Permission: "items:write",
			Do: func(c *page.Ctx) (page.Done, error) {
				return page.Went(toItem(c), ""), moveFile(c, 1)
			}},
		page.Deed{Path: "/items/{number}/files/{id}/delete", Permission: "items:write",
			Do: func(c *page.Ctx) (page.Done, error) {
				_, err := media.DeleteItemAsset(c.Tx, c.Path("number"), c.Path("id"))
				return page.Went(toItem(c), "The file is removed."), err
			}},
	}
}

// inCompany is a request of the person in the company they work in, for pages that open their own transaction.
func inCompany(c *page.Ctx) db.Request {
	r := c.AsVisitor()
	r.Company = c.Visitor.Company
	return r
}

func fileFields(title, altText *string, isPrimary *bool) []page.Field {
	return []page.Field{page.Text("title", "Title", title), page.Text("altText", "What the picture shows", altText).
		Max(1000).Wide().Hint("For those who do not see it, and for search engines."),
		page.Check("isPrimary", "The item's main picture", isPrimary)}
}

// addFile keeps the file before the transaction that records it, and hangs it on the item behind the others.
func (o Office) addFile(c *page.Ctx, f newFile) error {
	kept, err := o.Files.Take(c.Context(), c.Visitor.Company, f.upload.Name, f.upload.Bytes, true)
	if err != nil {
		return err
	}
	return o.Store.Write(c.Context(), inCompany(c), func(tx *db.Tx) error {
		files, err := filesOf(tx, c.Path("number"))
		if err != nil {
			return err
		}
		last := 0
		for _, a := range files {
			last = max(last, a.SortOrder+1)
		}
		_, err = media.CreateItemAsset(tx, c.Path("number"),
			media.ItemAsset{File: kept, Title: f.title, AltText: f.altText, IsPrimary: f.isPrimary, SortOrder: last})
		return err
	})
}

// filesOf are an item's files in their order: the first two hundred.
func filesOf(tx *db.Tx, item string) ([]media.ItemAsset, error) {
	found, err := media.ListItemAssets(tx, item, "", all())
	return found.Items, err
}

func fileAt(files []media.ItemAsset, id string) (int, error) {
	at := slices.IndexFunc(files, func(a media.ItemAsset) bool { return a.ID == id })
	if at < 0 {
		return at, media.ErrItemAssetNotFound.Because("the item has no such file any more")
	}
	return at, nil
}

func loadFile(c *page.Ctx) (media.ItemAsset, error) {
	files, err := filesOf(c.Tx, c.Path("number"))
	if err != nil {
		return media.ItemAsset{}, err
	}
	at, err := fileAt(files, c.Path("id"))
	if err != nil {
		return media.ItemAsset{}, err
	}
	return files[at], nil
}

// moveFile lets a file change places with the one before or after it. Files that stand alike are told apart by that.
func moveFile(c *page.Ctx, by int) error {
	item, err := catalog.Lock(c.Tx, c.Path("number"))
	if err != nil {
		return err
	}
	files, err := filesOf(c.Tx, item.Number)
	if err != nil {
		return err
	}
	at, err := fileAt(files, c.Path("id"))
	if err != nil || at+by < 0 || at+by >= len(files) {
		return err
	}
	files[at], files[at+by] = files[at+by], files[at]
	for place, a := range files {
		if a.SortOrder == place {
			continue
		}
		_, err := media.ChangeItemAsset(c.Tx, item.Number, a.ID, func(a *media.ItemAsset) error {
			a.SortOrder = place
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// showFiles are an item's pictures and documents on its page.
func (o Office) showFiles(c *page.Ctx, t catalog.Item) (page.Part, error) {
	files, err := filesOf(c.Tx, t.Number)
	if err != nil {
		return nil, err
	}
	base := page.Path("items", t.Number, "files")
	g := page.Gallery{Title: "Pictures and documents",
		Go: []page.Go{{Label: "Add a picture or document", Path: base + "/new"}}}
	for i, a := range files {
		p := page.Picture{Shows: a.AltText, Name: a.FileName, Href: o.address(c, a.File)}
		p.Name = cmp.Or(a.Title, p.Name)
		if a.Kind == media.Image {
			p.Source = p.Href + "?w=320"
		}
		if a.IsPrimary {
			p.Notes = append(p.Notes, page.Badge("Main picture", page.Calm))
		}
		if a.Kind == media.Image && a.AltText == "" {
			p.Notes = append(p.Notes, page.Word("Not described yet").Toned(page.Warn))
		}
		at := base + page.Path(a.ID)
		if c.May("items:write") {
			p.Acts = append(p.Acts, page.Word("Describe").Linked(at))
		}
		if i > 0 {
			p.Acts = append(p.Acts, page.Post("Earlier", at+"/earlier"))
		}
		if i < len(files)-1 {
			p.Acts = append(p.Acts, page.Post("Later", at+"/later"))
		}
		p.Acts = append(p.Acts, page.Post("Remove", at+"/delete"))
		g.Pictures = append(g.Pictures, p)
	}
	return g, nil
}

// address is where a file lies on this server.
func (o Office) address(c *page.Ctx, f media.File) string {
	return here(o.Files.URL(c.Visitor.Company, f))
}

// here is the path of an address on this server: the office may be reached by another name than the public one.
func here(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Path
}
