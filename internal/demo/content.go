package demo

import (
	"embed"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"kontor/internal/business/content"
	"kontor/internal/business/media"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/halt"
)

// What the sample shop gives its visitors to read stands in these files. An address "scene:name" is that of a picture
// of scene.go.
//
//go:embed content
var texts embed.FS

// file is what stands in a file of the shop's texts.
func file(name string) string { return string(halt.Must(texts.ReadFile("content/" + name))) }

// written reads a file of the shop's texts. They are ours: one that cannot be read is a mistake in the program.
func written[T any](name string, pictures map[string]string) (out T) {
	text := file(name)
	for scene, address := range pictures {
		text = strings.ReplaceAll(text, `"scene:`+scene+`"`, `"`+address+`"`)
	}
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		halt.On(fmt.Errorf("%s: %w", name, err))
	}
	return out
}

// page is a page, post or news as it is written down.
type page struct {
	Type             content.PageType
	Slug, Title      string
	Excerpt          string
	MetaDescription  string
	AuthorName       string
	Tags             []string
	Picture          string // a scene
	Ago              int    // days since it was published
	ShowInNavigation bool
	Sections         []content.Section
}

// helpArticle is a help article as it is written down.
type helpArticle struct{ Topic, Slug, Title, HTML string }

// reading makes the home page, the pages, the blog, the news and the help.
func (f *filler) reading(files *media.Library) {
	pictures := f.scenes(files)
	home := written[[]content.Section]("home.json", pictures)
	pages := written[[]page]("pages.json", pictures)
	help := written[[]helpArticle]("help.json", nil)
	f.found(func(tx *db.Tx) {
		halt.Must(content.PutHome(tx, "WEB", content.Config{Layout: content.Landing, Sections: home}))
		for n, p := range pages {
			if err := halt.Told(func() { f.publish(tx, n, p, pictures) }); err != nil {
				halt.On(fmt.Errorf("page %s: %w", p.Slug, err))
			}
		}
		for n, a := range help {
			_, err := content.SaveArticle(tx, content.Article{Slug: a.Slug, Title: a.Title, Topic: a.Topic,
				HTML: a.HTML, SortOrder: n})
			if err != nil {
				halt.On(fmt.Errorf("help article %s: %w", a.Slug, err))
			}
		}
	})
}

// publish makes the n-th page as of its day.
func (f *filler) publish(tx *db.Tx, n int, p page, pictures map[string]string) {
	if tx.Now = db.TimeOf(f.opening().Add(time.Hour)); p.Type == "" {
		p.Type = content.Standing
	} else {
		tx.Now = db.TimeOf(f.now.AddDate(0, 0, -p.Ago))
	}
	halt.Must(content.Create(tx, "WEB", content.Page{Type: p.Type, Slug: p.Slug, Title: p.Title, Excerpt: p.Excerpt,
		MetaDescription: p.MetaDescription, AuthorName: p.AuthorName, Tags: p.Tags,
		FeaturedImageURL: pictures[p.Picture], SortOrder: n, ShowInNavigation: p.ShowInNavigation}))
	halt.Must(content.PutConfig(tx, "WEB", p.Slug, content.Config{Sections: p.Sections}))
	halt.Must(content.Publish(tx, "WEB", p.Slug))
}

// scenes paints the pictures of the pages into the shop's media library, and answers their paths by their names.
func (f *filler) scenes(files *media.Library) map[string]string {
	paths, all := map[string]string{}, []media.Asset{}
	for _, s := range sceneList() {
		file := halt.Must(files.Take(f.ctx, f.company, s.name+".svg", s.paint(), false))
		u := halt.Must(url.Parse(files.URL(f.company, file)))
		paths[s.name] = u.Path
		all = append(all, media.Asset{ChannelCode: "WEB", Folder: media.Sections, File: file, Title: s.alt,
			AltText: s.alt})
	}
	f.found(func(tx *db.Tx) {
		for _, a := range all {
			halt.Must(media.Create(tx, a))
		}
	})
	return paths
}
