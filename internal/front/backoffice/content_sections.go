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

// sectionAt is the place of the section that the address names.
func sectionAt(c *page.Ctx, all []content.Section) (int, error) {
	at := slices.IndexFunc(all, func(s content.Section) bool { return *s.ID == c.Path("section") })
	if at < 0 {
		return at, content.ErrSectionNotFound.Because("the page has no such section any more")
	}
	return at, nil
}

// arrange edits the sections of the page that the address names.
func arrange(c *page.Ctx, edit func(all []content.Section) ([]content.Section, error)) error {
	return content.ArrangeWorking(c.Tx, c.Path("channel"), slugOf(c), func(cfg *content.Config) (err error) {
		cfg.Sections, err = edit(cfg.Sections)
		return err
	})
}

// contentSections are the pages of a page's sections: what kinds there are, a form for each, and what moves them.
func (o Office) contentSections() []page.Page {
	const base = "/pages/{channel}/{slug}/sections"
	deed := func(path, say string, edit func(c *page.Ctx, all []content.Section, at int) []content.Section) page.Page {
		return page.Deed{Path: base + "/{section}/" + path, Permission: writesPages,
			Do: func(c *page.Ctx) (page.Done, error) {
				return page.Went(toContent(c), say), arrange(c, func(all []content.Section) ([]content.Section, error) {
					at, err := sectionAt(c, all)
					if err != nil {
						return nil, err
					}
					return edit(c, all, at), nil
				})
			}}
	}
	return []page.Page{
		page.Record[content.WorkingPage]{Path: base + "/new", Permission: writesPages, Crumbs: contentCrumbs,
			Load: loadContent, Show: sectionKinds},
		newSection(base), editSection(base),
		deed("move", "", func(c *page.Ctx, all []content.Section, at int) []content.Section {
			return movedTo(c, all, at)
		}),
		deed("hide", "Visitors do not see the section.",
			func(_ *page.Ctx, all []content.Section, at int) []content.Section {
				all[at].IsVisible = new(false)
				return all
			}),
		deed("show", "Visitors see the section.", func(_ *page.Ctx, all []content.Section, at int) []content.Section {
			all[at].IsVisible = new(true)
			return all
		}),
		deed("delete", "The section is removed. The version before still has it.",
			func(_ *page.Ctx, all []content.Section, at int) []content.Section {
				return slices.Delete(all, at, at+1)
			}),
	}
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

// read lays what was typed over a section.
func (s *aSection) read(c *page.Ctx, lay func(*aSection) error) (content.Section, error) {
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

func sectionOf(root record.Root, s content.Section) aSection {
	out := aSection{Root: root, Section: s, hidden: s.IsVisible != nil && !*s.IsVisible}
	if s.Custom != nil {
		out.properties = settingsOf(s.Custom.Properties)
	}
	return out
}

func newSection(base string) page.Page {
	kindOf := func(c *page.Ctx) (content.SectionType, error) {
		t := content.SectionType(c.Path("type"))
		if !slices.Contains(t.Values(), t) {
			return t, content.ErrSectionNotFound.Because("there is no section of the type %q", c.Path("type"))
		}
		return t, nil
	}
	return page.Form[aSection]{Path: base + "/new/{type}", Title: "Add a section", Permission: writesPages,
		Crumbs: contentCrumbs, Back: toContent, Settles: true, Fields: sectionFields, Submit: "Add",
		Load: func(c *page.Ctx) (s aSection, err error) {
			s.Type, err = kindOf(c)
			return s, err
		},
		Heading: func(c *page.Ctx, s aSection) string {
			return c.Say("Add a section") + ": " + c.Say(page.Words(string(s.Type)))
		},
		Save: func(c *page.Ctx, lay func(*aSection) error) (page.Done, error) {
			at := 0
			err := arrange(c, func(all []content.Section) ([]content.Section, error) {
				var s aSection
				var err error
				if s.Type, err = kindOf(c); err != nil {
					return nil, err
				}
				at = len(all)
				added, err := s.read(c, lay)
				return append(all, added), err
			})
			return page.Went(toContent(c), "The section is added."), ofPart(err, "sections", at)
		}}
}

func editSection(base string) page.Page {
	return page.Form[aSection]{Path: base + "/{section}", Title: "Edit the section", Permission: writesPages,
		Crumbs: contentCrumbs, Back: toContent, Fields: sectionFields, Resource: content.Pages,
		Of: ofContent[aSection], Seen: toPreview,
		Load: func(c *page.Ctx) (aSection, error) {
			p, err := loadContent(c)
			if err != nil {
				return aSection{}, err
			}
			all := content.InOrder(p.Sections)
			at, err := sectionAt(c, all)
			if err != nil {
				return aSection{}, err
			}
			return sectionOf(p.Root, all[at]), nil
		},
		Heading: func(c *page.Ctx, s aSection) string {
			return c.Say(page.Words(string(s.Type))) + ": " + cmp.Or(*opt(&s.Title), c.Say("untitled"))
		},
		Save: func(c *page.Ctx, lay func(*aSection) error) (page.Done, error) {
			at := 0
			err := arrange(c, func(all []content.Section) (_ []content.Section, err error) {
				if at, err = sectionAt(c, all); err != nil {
					return nil, err
				}
				s := sectionOf(record.Root{}, all[at])
				all[at], err = s.read(c, lay)
				return all, err
			})
			return page.Did("Saved."), ofPart(err, "sections", at)
		}}
}
