package backoffice

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"kontor/internal/business/assortment"
	"kontor/internal/business/channel"
	"kontor/internal/business/content"
	"kontor/internal/business/mailing"
	"kontor/internal/business/media"
	"kontor/internal/front/page"
)

//go:embed templates
var previewFiles embed.FS

// shownPage is a page ready for the template.
type shownPage struct {
	Layout    content.Layout
	FullWidth bool
	Head      *content.Page // nil of the home page
	Sections  []shownSection
	Nothing   string // what stands where there are no sections
}

// shownSection is a section with what it shows of the store.
type shownSection struct {
	content.Section
	Goods              []shownGood
	Wants, Placeholder string // what stands where there is nothing to show here
}

// shownGood is a card of something that the store has.
type shownGood struct{ Name, Note, Picture string }

// shownPicture is a picture of a page, with the point that stays in sight as the name of a class.
type shownPicture struct{ Source, Shows, Focus string }

// previewContent shows a page as a storefront shows it to a visitor whom it knows nothing of, drafts among them.
func (o Office) previewContent() page.Page {
	return page.Record[content.WorkingPage]{Path: "/pages/{channel}/{slug}/preview", Permission: readsPages,
		Crumbs: contentCrumbs, Load: loadContent, Show: func(c *page.Ctx, p content.WorkingPage) (page.Sheet, error) {
			shown, badges := p.Page, append([]page.Value{contentState(p.Live)}, draftState(p.Draft)...)
			if c.Query("of") == "live" {
				shown, badges = p.Live, badges[:1]
			}
			drawn, err := o.drawContent(c, shown)
			return page.Sheet{Title: c.Say("Preview"), Subtitle: shown.Title, Badges: badges,
				Parts: []page.Part{drawn}}, err
		},
		Edit: func(c *page.Ctx, p content.WorkingPage) []page.Go {
			at := contentPath(p.ChannelCode, p.Slug, "preview")
			switch {
			case !p.HasDraft():
				return nil
			case c.Query("of") == "live":
				return []page.Go{{Label: "Preview of the draft", Path: at}}
			}
			return []page.Go{{Label: "What visitors see now", Path: at + "?of=live"}}
		}}
}

// drawContent draws a page with what its sections find in the store now.
func (o Office) drawContent(c *page.Ctx, p content.Page) (page.Part, error) {
	ch, err := channel.Find(c.Tx, p.ChannelCode)
	if err != nil {
		return nil, err
	}
	v := assortment.Guest(c.Tx, ch)
	edition, err := o.Edition(c.Tx, v)
	if err != nil {
		return nil, err
	}
	sections := content.Visible(p.Sections, c.Tx.Now)
	found, err := content.Resolve(c.Tx, v, edition, sections)
	if err != nil {
		return nil, err
	}
	shown := make([]shownSection, len(sections))
	for i, s := range sections {
		shown[i] = o.shownSection(c, s, found, i)
	}
	focus, err := o.focusOf(c, p)
	if err != nil {
		return nil, err
	}
	draw, err := template.New("").Funcs(template.FuncMap{
		// sanitised when it was written
		"written": func(s string) template.HTML { return template.HTML(mailing.Linked(s, ch.URL())) },
		"pic": func(source string, shows any) shownPicture {
			if text, ok := shows.(*string); ok {
				shows = *opt(&text)
			}
			return shownPicture{o.nearer(source), fmt.Sprint(shows), focus[source]}
		}}).ParseFS(previewFiles, "templates/preview.html")
	if err != nil {
		return nil, err
	}
	view := shownPage{Layout: p.Layout, FullWidth: p.FullWidth, Sections: shown,
		Nothing: c.Say("The page has no sections that visitors see.")}
	if p.Type != content.Home {
		view.Head = &p
	}
	var b bytes.Buffer
	err = draw.ExecuteTemplate(&b, "preview", view)
	return page.Drawn{Title: "As visitors see it", HTML: template.HTML(b.String())}, err
}

func (o Office) shownSection(c *page.Ctx, s content.Section, found content.Resolved, i int) shownSection {
	out := shownSection{Section: s}
	for _, card := range found.Products[i] {
		g := shownGood{Name: card.Name}
		if card.Picture.Hash != "" {
			g.Picture = o.address(c, card.Picture) + "?w=320"
		}
		if price := card.Price.Shown(); price != nil {
			g.Note = c.Show(page.Money(*price, card.Price.CurrencyCode))
		}
		out.Goods = append(out.Goods, g)
	}
	for _, n := range found.Categories[i] {
		out.Goods = append(out.Goods, shownGood{Name: n.Name})
	}
	for _, b := range found.Brands[i] {
		out.Goods = append(out.Goods, shownGood{Name: b.Name, Picture: b.LogoURL})
	}
	for _, a := range found.Posts[i] {
		out.Goods = append(out.Goods, shownGood{Name: a.Title, Note: a.Excerpt, Picture: a.FeaturedImageURL})
	}
	switch s.Type {
	case content.Products, content.ProductSpotlight, content.Categories, content.Brands, content.Posts:
		out.Wants = c.Say("The store has nothing to show here now.")
	case content.Newsletter:
		out.Placeholder = c.Say("Here visitors subscribe to the newsletter.")
	case content.Custom, content.SectionCollection:
		out.Placeholder = c.Say("The storefront makes this of its own.")
	}
	return out
}

// nearer is the address of a picture as the office reaches it: those of the house by their path.
func (o Office) nearer(source string) string {
	if _, _, ok := ownPicture(source); ok {
		return here(source)
	}
	return source
}

// ownPicture is the hash of a picture of the house by its address.
func ownPicture(source string) (company, hash string, ok bool) {
	u, err := url.Parse(source)
	if err != nil {
		return "", "", false
	}
	return media.Named(u.Path)
}

// libraryOf are the pictures of a store's library among addresses, by address.
func libraryOf(c *page.Ctx, channelCode string, sources []string) (map[string]media.Asset, error) {
	var hashes []string
	for _, s := range sources {
		if company, hash, ok := ownPicture(s); ok && company == c.Visitor.Company {
			hashes = append(hashes, hash)
		}
	}
	found, err := media.ByHash(c.Tx, channelCode, hashes)
	out := map[string]media.Asset{}
	for _, s := range sources {
		if _, hash, ok := ownPicture(s); ok {
			if a, known := found[hash]; known {
				out[s] = a
			}
		}
	}
	return out, err
}

// focusOf are the classes by which pictures of a page keep their focal points in sight.
func (o Office) focusOf(c *page.Ctx, p content.Page) (map[string]string, error) {
	sources := []string{p.FeaturedImageURL}
	for i := range p.Sections {
		for _, at := range picturesIn(&p.Sections[i]) {
			sources = append(sources, *at.source)
		}
	}
	known, err := libraryOf(c, p.ChannelCode, slices.DeleteFunc(sources, func(s string) bool { return s == "" }))
	out := map[string]string{}
	for source, a := range known {
		out[source] = "fx-" + tenth(a.FocusX) + " fy-" + tenth(a.FocusY)
	}
	return out, err
}

// tenth is the nearest tenth of a percentage: the policy of pages allows no styles but those of the style sheet.
func tenth(percent int) string { return strconv.Itoa((percent + 5) / 10 * 10) }

// placed is a picture's address in a section, with the place of what it shows, where it has one.
type placed struct {
	source *string
	alt    **string
}

// picturesIn are the pictures of a section.
func picturesIn(s *content.Section) (all []placed) {
	add := func(source *string, alt **string) {
		if source != nil && *source != "" {
			all = append(all, placed{source, alt})
		}
	}
	add(s.HeroImage, nil)
	add(s.BannerImage, nil)
	if s.MediaText != nil {
		add(s.MediaText.ImageURL, &s.MediaText.AltText)
	}
	if s.GalleryImages != nil {
		for i := range *s.GalleryImages {
			g := &(*s.GalleryImages)[i]
			add(&g.ImageURL, &g.AltText)
		}
	}
	if s.Logos != nil {
		for i := range s.Logos.Items {
			l := &s.Logos.Items[i]
			add(&l.ImageURL, &l.AltText)
		}
	}
	return all
}

// describe takes over from the library what pictures show where nobody has said so in the section.
func describe(c *page.Ctx, s *content.Section) error {
	pictures := picturesIn(s)
	var sources []string
	for _, p := range pictures {
		if p.alt != nil && *p.alt == nil {
			sources = append(sources, *p.source)
		}
	}
	known, err := libraryOf(c, c.Path("channel"), sources)
	for _, p := range pictures {
		if a, ok := known[*p.source]; ok && p.alt != nil && *p.alt == nil && strings.TrimSpace(a.AltText) != "" {
			text := firstLine(a.AltText)
			*p.alt = &text
		}
	}
	return err
}

// firstLine is what fits into one line of a page.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if r := []rune(line); len(r) > 200 {
		return string(r[:200])
	}
	return line
}
