package backoffice_test

import (
	"sync"
	"testing"
	"time"

	"kontor/internal/business/channel"
	"kontor/internal/business/content"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
)

// visitors are what visitors read of a standing page now: its title, and the titles of its sections.
func (o *office) visitors(slug string) (out string) {
	o.t.Helper()
	o.write(func(tx *db.Tx) error {
		c, err := channel.Find(tx, "WEB")
		if err != nil {
			return err
		}
		p, err := content.Seen(tx, c, content.Standing, slug)
		if fault.Is(err, content.ErrNotFound) {
			out = "nothing"
			return nil
		}
		out = p.Title + ":"
		for _, s := range p.Sections {
			if s.Title != nil {
				out += " " + *s.Title
			}
		}
		return err
	})
	return out
}

func (o *office) visitorsRead(slug, want string) {
	o.t.Helper()
	if got := o.visitors(slug); got != want {
		o.t.Errorf("visitors read %q, not %q", got, want)
	}
}

// A published page is changed without anybody seeing it, until its draft is published, at once or at a moment; a draft
// is discarded; what other systems write is live at once, and no draft replaces it in silence.
func TestADraftBesideThePage(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		store(b)
		b.get("/new/pages")
		b.submit("/new/pages", "title", "About", "slug", "about", "channelCode", "WEB")
		text := func(title string) {
			b.get("/pages/WEB/about/sections/new/Text")
			b.submit("/pages/WEB/about/sections/new/Text", "title", title)
			b.get("/pages/WEB/about")
		}
		text("One")
		b.miss("Unpublished draft")
		b.submit("/pages/WEB/about/publish")
		o.visitorsRead("about", "About: One")

		text("Two")
		b.see("Unpublished draft", "Publish the draft", "Publish at a date", "One", "Two")
		o.visitorsRead("about", "About: One")
		b.get("/pages/WEB/about/edit")
		b.submit("/pages/WEB/about/edit", "title", "About us", "slug", "about-us")
		o.visitorsRead("about", "nothing")
		o.visitorsRead("about-us", "About: One")
		b.get("/pages/WEB/about-us/preview")
		b.see("About us", "Two", "What visitors see now")
		b.get("/pages/WEB/about-us/preview?of=live")
		b.see("One", "Preview of the draft")
		b.miss("Two")
		b.get("/pages")
		b.see("Unpublished draft")
		b.get("/pages/WEB/about-us")
		b.submit("/pages/WEB/about-us/publish-draft")
		b.see("The draft is published: visitors see it.")
		b.miss("Unpublished draft")
		o.visitorsRead("about-us", "About us: One Two")
		o.publishesLater(b)
		o.isOverdone(b)
	})
}

// section adds a section to the page and shows its record.
func (o *office) section(b *browser, title string) {
	b.get("/pages/WEB/about-us/sections/new/Text")
	b.submit("/pages/WEB/about-us/sections/new/Text", "title", title)
	b.get("/pages/WEB/about-us")
}

func (o *office) publishesLater(b *browser) {
	o.t.Helper()
	o.section(b, "Three")
	b.get("/pages/WEB/about-us/publish-later")
	b.submit("/pages/WEB/about-us/publish-later", "goesLiveAt", "2020-01-01T00:00")
	b.see("has passed: choose a moment to come")
	b.submit("/pages/WEB/about-us/publish-later", "goesLiveAt", "2100-01-01T00:00")
	b.see("Saved.", "The draft goes live by itself")
	o.write(func(tx *db.Tx) error {
		return content.PublishDraftAt(tx, "WEB", "about-us", tx.Now+db.Time(time.Second.Microseconds()))
	})
	o.works(o.t.Context())
	o.visitorsRead("about-us", "About us: One Two")
	time.Sleep(1100 * time.Millisecond)
	o.works(o.t.Context())
	o.visitorsRead("about-us", "About us: One Two Three")
	o.section(b, "Four")
	b.get("/pages/WEB/about-us/discard-draft")
	b.submit("/pages/WEB/about-us/discard-draft")
	b.see("The draft is discarded.", "Three")
	b.miss("Four", "Unpublished draft")
	o.write(func(tx *db.Tx) error {
		if err := content.DiscardDraft(tx, "WEB", "about-us"); !fault.Is(err, content.ErrDraftNotFound) {
			o.t.Errorf("a draft that is not there is discarded: %v", err)
		}
		return nil
	})
}

func (o *office) isOverdone(b *browser) {
	o.t.Helper()
	o.section(b, "Ours")
	o.write(func(tx *db.Tx) error {
		_, err := content.Arrange(tx, "WEB", "about-us", func(c *content.Config) error {
			c.Sections = c.Sections[:1]
			return nil
		})
		return err
	})
	o.visitorsRead("about-us", "About us: One")
	o.write(func(tx *db.Tx) error {
		if _, err := content.PublishDraft(tx, "WEB", "about-us", false); !fault.Is(err, content.ErrDraftOutdated) {
			o.t.Errorf("a draft replaces in silence what was published meanwhile: %v", err)
		}
		return nil
	})
	b.get("/pages/WEB/about-us")
	b.see("The page was changed since this draft was begun", "Publish the draft over it")
	o.write(func(tx *db.Tx) error {
		return content.PublishDraftAt(tx, "WEB", "about-us", tx.Now+db.Time(10*time.Millisecond/time.Microsecond))
	})
	time.Sleep(20 * time.Millisecond)
	o.works(o.t.Context())
	b.language = "sv"
	b.get("/pages/WEB/about-us")
	b.see("Utkastet publicerades inte", "sidan har ändrats sedan utkastet påbörjades")
	b.miss("ContentPage.", "look at both")
	b.language = "en"
	b.get("/pages/WEB/about-us/publish-draft-over")
	b.submit("/pages/WEB/about-us/publish-draft-over")
	o.visitorsRead("about-us", "About us: One Two Three Ours")
	o.section(b, "Kept")
	b.submit("/pages/WEB/about-us/unpublish")
	b.miss("Unpublished draft")
	b.see("Kept")
	o.visitorsRead("about-us", "nothing")
}

// Of many who change a draft that they have seen in the same version, one does.
func TestManyWriteOneDraft(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		store(o.signedIn("anna@acme.test", identity.Admin))
		hello := func(title string) func(c *content.Config) error {
			return func(c *content.Config) error {
				var s content.Section
				s.Type, s.Title = content.Newsletter, &title
				c.Sections = []content.Section{s}
				return nil
			}
		}
		var seen string
		o.write(func(tx *db.Tx) error { return content.ArrangeWorking(tx, "WEB", "", hello("first")) })
		o.write(func(tx *db.Tx) error {
			d, err := content.FindWorking(tx, "WEB", "")
			seen = d.Draft.ETag()
			return err
		})
		var crowd sync.WaitGroup
		answers := make(chan error, 8)
		for i := range 8 {
			crowd.Go(func() {
				answers <- o.kontor.InCompany(t.Context(), o.company.ID, func(tx *db.Tx) error {
					tx.IfMatch = seen
					return content.ArrangeWorking(tx, "WEB", "", hello(string(rune('a'+i))))
				})
			})
		}
		crowd.Wait()
		close(answers)
		saved := 0
		for err := range answers {
			if err == nil {
				saved++
			} else if !fault.Is(err, fault.ErrStale) {
				t.Error(err)
			}
		}
		if saved != 1 {
			t.Errorf("%d wrote over the same draft", saved)
		}
	})
}
