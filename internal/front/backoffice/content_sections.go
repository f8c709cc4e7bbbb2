package backoffice

import (
	"cmp"
	"reflect"
	"slices"

	"kontor/internal/business/content"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// aSection is a section as its form holds it, of the page with this root.
type aSection struct {
	record.Root
	content.Section
	hidden     bool
	properties []setting // of Custom
}

// contentSections are the pages of a page's sections: what kinds there are, a form for each, and what moves them.
func (o Office) contentSections() []page.Page {
	k := sections()
	shown := func(name, say string, is bool) page.Page {
		return k.deed(name, say, func(_ *page.Ctx, all []content.Section, at int) []content.Section {
			all[at].IsVisible = &is
			return all
		})
	}
	return append(k.pages(), shown("hide", "Visitors do not see the section.", false),
		shown("show", "Visitors see the section.", true),
		page.Record[content.WorkingPage]{Path: k.base + "/new", Permission: writesPages, Crumbs: contentCrumbs,
			Load: loadContent, Show: sectionKinds})
}

// sections are the pages of the sections of a page.
func sections() series[content.Config, content.Section, aSection] {
	const base = "/pages/{channel}/{slug}/sections"
	return series[content.Config, content.Section, aSection]{base: base, key: "section", list: "sections",
		of:   func(cfg *content.Config) *[]content.Section { return &cfg.Sections },
		is:   func(s content.Section, key string) bool { return *s.ID == key },
		gone: func() error { return content.ErrSectionNotFound.Because("the page has no such section any more") },
		read: func(c *page.Ctx) (content.Config, record.Root, error) {
			p, err := loadContent(c)
			return p.Config, p.Root, err
		},
		write: func(c *page.Ctx, edit func(*content.Config) error) error {
			return content.ArrangeWorking(c.Tx, c.Path("channel"), slugOf(c), edit)
		},
		begin: func(c *page.Ctx, _ content.Config) (s aSection, err error) {
			if s.Type = content.SectionType(c.Path("type")); !slices.Contains(s.Type.Values(), s.Type) {
				err = content.ErrSectionNotFound.Because("there is no section of the type %q", c.Path("type"))
			}
			return s, err
		},
		held: heldSection, taken: takenSection,
		added: "The section is added.", removed: "The section is removed. The version before still has it.",
		form: page.Form[aSection]{Permission: writesPages, Crumbs: contentCrumbs, Back: toContent,
			Fields: sectionFields},
		add: page.Form[aSection]{Path: base + "/new/{type}", Title: "Add a section",
			Heading: func(c *page.Ctx, s aSection) string {
				return c.Say("Add a section") + ": " + c.Say(page.Words(string(s.Type)))
			}},
		edit: page.Form[aSection]{Title: "Edit the section", Resource: content.Pages, Of: ofContent[aSection],
			Seen: toPreview, Heading: func(c *page.Ctx, s aSection) string {
				return c.Say(page.Words(string(s.Type))) + ": " + cmp.Or(*opt(&s.Title), c.Say("untitled"))
			}}}
}

// sectionsOf are a page's sections in their order.
func sectionsOf(c *page.Ctx, p content.Page) page.Part {
	out := page.Sequence{Title: "Sections", Empty: "None yet. Add the first one.",
		Go: []page.Go{{Label: "Add a section", Path: contentPath(p.ChannelCode, p.Slug, "sections", "new"),
			Primary: true}}}
	for _, s := range content.InOrder(p.Sections) {
		kind := c.Say(page.Words(string(s.Type)))
		at := func(more string) string { return contentPath(p.ChannelCode, p.Slug, "sections", *s.ID, more) }
		e := page.Entry{Title: kind, Href: contentPath(p.ChannelCode, p.Slug, "sections", *s.ID), Move: at("move")}
		if s.Title != nil && *s.Title != "" {
			e.Title, e.Note = *s.Title, kind
		}
		if *s.IsVisible {
			e.Acts = []page.Value{page.Post("Hide", at("hide"))}
		} else {
			e.Notes = []page.Value{page.Badge("Hidden", page.Warn)}
			e.Acts = []page.Value{page.Post("Show", at("show"))}
		}
		e.Notes = append(e.Notes, seenWhile(c, s)...)
		e.Acts = append(e.Acts, page.Post("Remove", at("delete")))
		out.Entries = append(out.Entries, e)
	}
	return out
}

// seenWhile is from when and until when visitors see a banner, which stands out while they do not.
func seenWhile(c *page.Ctx, s content.Section) (notes []page.Value) {
	say := func(words string, at *db.Time, hides bool) {
		if at != nil {
			note := page.T(c.Say(words) + " " + c.Show(page.At(*at)))
			if hides {
				note = note.Toned(page.Warn)
			}
			notes = append(notes, note)
		}
	}
	say("Seen from", s.BannerStart, s.BannerStart != nil && *s.BannerStart > c.Tx.Now)
	say("Seen until", s.BannerEnd, s.BannerEnd != nil && *s.BannerEnd <= c.Tx.Now)
	return notes
}

// sectionKinds are the types of sections with what each is for.
func sectionKinds(c *page.Ctx, p content.WorkingPage) (page.Sheet, error) {
	grid := page.Grid{Title: "What shall it show?", Heads: []string{"Section", "What it is"}}
	for _, t := range content.SectionType("").Values() {
		grid.Rows = append(grid.Rows, []page.Value{page.Word(page.Words(string(t))).
			Linked(contentPath(p.ChannelCode, p.Slug, "sections", "new", string(t))), page.Word(sectionWords(t))})
	}
	return page.Sheet{Title: c.Say("Add a section"), Parts: []page.Part{grid}}, nil
}

// sectionFields are the fields of a section's form: what every section has, and what its type has.
func sectionFields(c *page.Ctx, s *aSection) []page.Field {
	fields := ownFields(c, s)
	return append(append([]page.Field{page.Text("title", "Title", opt(&s.Title)),
		page.Text("eyebrow", "Line above the title", opt(&s.Eyebrow)), page.Text("subtitle", "Line below the title",
			opt(&s.Subtitle)),
		page.Prose("lead", "Introduction", opt(&s.Lead))}, fields...),
		page.Group("How it looks", page.Check("hidden", "Hidden from visitors", &s.hidden),
			page.Select("alignment", "Texts stand", opt(&s.Alignment), page.Options(content.Alignment("").Values())),
			page.Select("spacing", "Room around it", opt(&s.Spacing), page.Options(content.Spacing("").Values())),
			page.Select("tone", "Ground", opt(&s.Tone), page.Options(content.Tone("").Values())),
			page.Code("anchor", "Name for links within the page", opt(&s.Anchor)),
			page.Text("cssClass", "Class names of the style sheet", opt(&s.CSSClass))))
}

// opt is the place of a value that may be missing; what is left empty there is missing again after tidied.
func opt[T any](at **T) *T {
	if *at == nil {
		*at = new(T)
	}
	return *at
}

// tidied takes out of a section what says nothing, and said as much before its form was filled in: nobody there can
// tell an empty text, no row or false from what is left out, so what other programs wrote stays.
func tidied(s, before content.Section) content.Section {
	visible := s.IsVisible
	tidy(reflect.ValueOf(&s).Elem(), reflect.ValueOf(&before).Elem())
	s.IsVisible = visible
	return s
}

// tidy makes every pointer to nothing nil, whatever it stands in, unless it is what it was before, and reports whether
// nothing is left of a value. A number that was given is something, 0 too.
func tidy(v, before reflect.Value) bool {
	if v.Type() == reflect.TypeFor[dec.Dec]() {
		return false
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return true
		}
		was := before.Elem()
		if before.IsNil() {
			was = reflect.Zero(v.Type().Elem())
		}
		if tidy(v.Elem(), was) && !reflect.DeepEqual(v.Interface(), before.Interface()) {
			v.SetZero()
		}
		return v.IsNil()
	case reflect.Struct:
		empty := true
		for i := range v.NumField() {
			empty = tidy(v.Field(i), before.Field(i)) && empty
		}
		return empty
	case reflect.Slice:
		for i := range v.Len() {
			was := reflect.Zero(v.Type().Elem())
			if i < before.Len() {
				was = before.Index(i)
			}
			tidy(v.Index(i), was)
		}
		return v.Len() == 0
	case reflect.Map:
		return v.Len() == 0
	}
	return v.IsZero()
}

// takenSection is a section with what was typed over it.
func takenSection(c *page.Ctx, s *aSection, lay func(*aSection) error) (content.Section, error) {
	before, err := s.Copied()
	if err == nil {
		err = lay(s)
	}
	if err != nil {
		return s.Section, err
	}
	s.IsVisible = new(!s.hidden)
	if s.Type == content.Custom {
		opt(&s.Custom).Properties = keyed(s.properties)
	}
	out := tidied(s.Section, before)
	return out, describe(c, &out)
}

func heldSection(root record.Root, _ content.Config, s content.Section) aSection {
	out := aSection{Root: root, Section: s, hidden: s.IsVisible != nil && !*s.IsVisible}
	if s.Custom != nil {
		out.properties = settingsOf(s.Custom.Properties)
	}
	return out
}
