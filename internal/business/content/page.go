package content

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// MostTags is how many tags a page has at most.
const MostTags = 50

// Create makes a page, unpublished and without sections. Refusals: Channel.NotFound, ContentPage.AlreadyExists,
// .ParentNotFound, .Invalid.
func Create(tx *db.Tx, channelCode string, p Page) (Page, error) {
	c, err := channel.Find(tx, channelCode)
	if err != nil {
		return p, err
	}
	p.ChannelCode, p.Layout = c.Code, Standard
	if err := p.validate(tx, Page{}); err != nil {
		return p, err
	}
	if err := p.free(tx, c); err != nil {
		return p, err
	}
	p.Root = record.New(tx)
	if err := p.write(tx); err != nil {
		return p, err
	}
	if err := Pages.Created(tx, p.Root, p.Key(), p); err != nil {
		return p, err
	}
	return p, channel.RecordRedirects(tx, []channel.Moved{{ChannelCode: c.Code, To: p.Path(c)}})
}

// Change edits what stands in a page's head. Another slug or type leaves a redirect where the page was, and children
// follow their parent.
// Refusals: Channel.NotFound, ContentPage.NotFound, and those of Create.
func Change(tx *db.Tx, channelCode, slug string, edit func(*Page) error) (Page, error) {
	c, before, err := lock(tx, channelCode, slug)
	if err != nil {
		return before, err
	}
	p := before
	if err := edit(&p); err != nil {
		return p, err
	}
	p.Root, p.ChannelCode, p.Config = before.Root, before.ChannelCode, before.Config
	if err := p.validate(tx, before); err != nil {
		return p, err
	}
	if p.Slug != before.Slug {
		if err := p.free(tx, c); err != nil {
			return p, err
		}
	}
	if err := p.save(tx, "changed", before); err != nil || p.Version == before.Version {
		return p, err
	}
	return p, p.moved(tx, c, before)
}

// moved keeps the address that a page had leading to it.
func (p *Page) moved(tx *db.Tx, c channel.Channel, before Page) error {
	if p.Slug != before.Slug {
		if err := Pages.Gone(tx, p.ID, before.Key(), p.ChangedAt); err != nil {
			return err
		}
		if err := moveChildren(tx, c, before.Slug, p.Slug); err != nil {
			return err
		}
	}
	if from, to := before.Path(c), p.Path(c); from != to {
		return channel.RecordRedirects(tx, []channel.Moved{{ChannelCode: c.Code, From: from, To: to}})
	}
	return nil
}

// moveChildren names the new slug in the pages below one that was renamed.
func moveChildren(tx *db.Tx, c channel.Channel, from, to string) error {
	children, err := lockChildren(tx, c, from)
	if err != nil || len(children) == 0 {
		return err
	}
	changes := make([]record.Change, len(children))
	for i, child := range children {
		child.ParentSlug = to
		changes[i] = record.Change{Root: &child.Root, Key: child.Key(), Action: "changed",
			Detail: map[string][2]any{"parentSlug": {from, to}}}
	}
	if err := Pages.ReportMany(tx, changes); err != nil {
		return err
	}
	return setParent(tx, c, from, to)
}

// save writes what has changed since before.
func (p *Page) save(tx *db.Tx, action string, before Page) error {
	if err := Pages.Acted(tx, &p.Root, p.Key(), action, before, *p); err != nil || p.Version == before.Version {
		return err
	}
	return p.write(tx)
}

// free refuses a slug that another page of the channel has; the unique index is the second wall.
func (p *Page) free(tx *db.Tx, c channel.Channel) error {
	_, err := find(tx, c, p.Slug, "")
	switch {
	case err == nil:
		return p.taken()
	case fault.Is(err, ErrNotFound):
		return nil
	}
	return err
}

func (p *Page) taken() error {
	return ErrExists.Because(
		"channel %s has a page with the slug %s already: change that page, or choose another slug", p.ChannelCode,
		p.Slug)
}

// write writes a page, new or changed.
func (p *Page) write(tx *db.Tx) error {
	err := write(tx, p)
	if tx.Unique(err) {
		return p.taken()
	}
	return err
}

// Delete removes a page. Refusals: Channel.NotFound, ContentPage.NotFound, ContentPage.InUse while another names it as
// its parent.
func Delete(tx *db.Tx, channelCode, slug string) error {
	c, p, err := lock(tx, channelCode, slug)
	if err != nil {
		return err
	}
	if err := tx.OneByOne(treeOf(c)); err != nil {
		return err
	}
	children, err := lockChildren(tx, c, p.Slug)
	if err != nil {
		return err
	}
	if len(children) > 0 {
		return ErrInUse.Because("page %s is the parent of %s: give that page another parent first", p.Slug,
			children[0].Slug)
	}
	if err := remove(tx, p.ID); err != nil {
		return err
	}
	return Pages.Deleted(tx, p.Root, p.Key(), p)
}

// Publish shows a page to visitors, at once or from its publish date on; what is published already stays as it is.
// Refusals:
// Channel.NotFound, ContentPage.NotFound.
func Publish(tx *db.Tx, channelCode, slug string) (Page, error) {
	return publish(tx, channelCode, slug, true)
}

// Unpublish hides a page. Refusals: as Publish.
func Unpublish(tx *db.Tx, channelCode, slug string) (Page, error) {
	return publish(tx, channelCode, slug, false)
}

func publish(tx *db.Tx, channelCode, slug string, shown bool) (Page, error) {
	_, before, err := lock(tx, channelCode, slug)
	if err != nil {
		return before, err
	}
	p, action := before, "published"
	if p.IsPublished == shown {
		return p, tx.Match(p.ID, p.ETag())
	}
	p.IsPublished, p.PublishedAt = shown, tx.Now
	if !shown {
		p.PublishedAt, action = 0, "unpublished"
	}
	return p, p.save(tx, action, before)
}

// PutConfig replaces how a page is laid out, and its sections. Refusals: Channel.NotFound, ContentPage.NotFound, and
// everything that is wrong with the sections at once: ContentPage.InvalidSection, ContentPage.UnknownCode.
func PutConfig(tx *db.Tx, channelCode, slug string, c Config) (Page, error) {
	_, before, err := lock(tx, channelCode, slug)
	if err != nil {
		return before, err
	}
	return before.put(tx, "changed", before, c)
}

// PutHome is PutConfig of a channel's home page.
func PutHome(tx *db.Tx, channelCode string, c Config) (Page, error) {
	before, err := lockPage(tx, channelCode, "")
	if err != nil {
		return before, err
	}
	return before.put(tx, "changed", before, c)
}

// Arrange edits how a page is laid out, and its sections in their order, which is the order of their list afterwards.
// The home page's slug is "". Refusals: those of PutConfig.
func Arrange(tx *db.Tx, channelCode, slug string, edit func(*Config) error) (Page, error) {
	before, err := lockPage(tx, channelCode, slug)
	if err != nil {
		return before, err
	}
	c, err := before.arranged(edit)
	if err != nil {
		return before, err
	}
	return before.put(tx, "changed", before, c)
}

// arranged is how a page is laid out after an edit, with the places of its sections.
func (p *Page) arranged(edit func(*Config) error) (Config, error) {
	c, err := p.Config.copied()
	if err == nil {
		err = edit(&c)
	}
	for i := range c.Sections {
		c.Sections[i].SortOrder = &i
	}
	return c, err
}

// FindAny is a page by its slug, the home page by "". Channel.NotFound, ContentPage.NotFound.
func FindAny(tx *db.Tx, channelCode, slug string) (Page, error) {
	if slug == "" {
		return FindHome(tx, channelCode)
	}
	return Find(tx, channelCode, slug)
}

// lockPage is FindAny of a page that is to be written. A home page gets its row: it has existed since the channel does.
func lockPage(tx *db.Tx, channelCode, slug string) (Page, error) {
	if slug != "" {
		_, p, err := lock(tx, channelCode, slug)
		return p, err
	}
	c, err := channel.Find(tx, channelCode)
	if err != nil {
		return Page{}, err
	}
	p, isNew, err := lockHome(tx, c)
	if err != nil || !isNew {
		return p, err
	}
	err = write(tx, &p)
	if tx.Unique(err) {
		err = fault.ErrStale.Because(
			"the home page was changed by another request: read it, and send the request again")
	}
	return p, err
}

// copied shares nothing with what it was made of, with the sections in their order.
func (c Config) copied() (Config, error) {
	out, err := copied(c)
	out.Sections = InOrder(out.Sections)
	return out, err
}

// Copied shares nothing with what it was made of.
func (s Section) Copied() (Section, error) { return copied(s) }

func copied[T any](v T) (out T, err error) {
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	return out, err
}

// put lets a page show what a config says, and saves it with whatever else has changed since before.
func (p Page) put(tx *db.Tx, action string, before Page, c Config) (Page, error) {
	var wrong fault.List
	c.Layout = cmp.Or(c.Layout, Standard)
	c.validate(&wrong)
	if err := c.resolve(tx, &wrong); err != nil {
		return before, err
	}
	if err := wrong.Err(); err != nil {
		return before, err
	}
	p.Config = c
	if err := p.save(tx, action, before); err != nil || p.Version == before.Version {
		return p, err
	}
	return p, writeForms(tx, &p)
}

// validate brings a page's head into the form it is kept in, and refuses what cannot be.
func (p *Page) validate(tx *db.Tx, before Page) error {
	var wrong fault.List
	wrong.If(p.Slug != before.Slug && !slugForm().MatchString(p.Slug), ErrInvalid, "slug", slugRule, p.Slug,
		cmp.Or(catalog.Slug(p.Slug), "about-us"))
	wrong.If(p.Title == "", ErrInvalid, "title", "a page needs a title")
	wrong.If(p.Type == Home, ErrInvalid, "pageType",
		"a channel has its one home page already: make a Page, BlogPost or NewsPost")
	wrong.If(p.FeaturedImageURL != "" && !isPicture(p.FeaturedImageURL), ErrInvalid, "featuredImageUrl",
		"must be an http or https address, or a path of the shop that begins with one /")
	p.Tags = tidy(p.Tags)
	wrong.If(len(p.Tags) > MostTags, ErrInvalid, "tags", "are %d; a page has at most %d", len(p.Tags), MostTags)
	if p.ParentSlug != before.ParentSlug || p.Slug != before.Slug {
		if err := p.validateParent(tx, before, &wrong); err != nil {
			return err
		}
	}
	return wrong.Err()
}

// mostLevels is how deeply standing pages are nested.
const mostLevels = 10

func (p *Page) validateParent(tx *db.Tx, before Page, wrong *fault.List) error {
	p.ParentSlug = strings.ToLower(p.ParentSlug)
	c, err := channel.Find(tx, p.ChannelCode)
	if err != nil {
		return err
	}
	if p.ParentSlug != "" || before.Slug != "" { // not of a new page at the top
		if err := tx.OneByOne(treeOf(c)); err != nil {
			return err
		}
	}
	at := p.ParentSlug
	for level := 0; at != ""; level++ {
		if before.Slug != "" && at == before.Slug || at == p.Slug || level == mostLevels {
			wrong.Add(ErrCycle, "parentSlug",
				"%s stands below the page itself, or too deeply: name a page that does not", p.ParentSlug)
			return nil
		}
		parent, err := find(tx, c, at, "")
		if fault.Is(err, ErrNotFound) {
			wrong.Add(ErrParent, "parentSlug", "channel %s has no page with the slug %s", p.ChannelCode, at)
			return nil
		}
		if err != nil {
			return err
		}
		at = parent.ParentSlug
	}
	return nil
}

// tidy are tags without those that stand twice, upper and lower case being the same.
func tidy(tags []string) []string {
	out := make([]string, 0, len(tags))
	for _, t := range tags {
		t = strings.Join(strings.Fields(t), " ")
		if t != "" && !slices.ContainsFunc(out, func(o string) bool { return record.Fold(o) == record.Fold(t) }) {
			out = append(out, t)
		}
	}
	return out
}
