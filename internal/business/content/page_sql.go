package content

import (
	"html"
	"strings"

	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const headFields = `channel_code, page_type, slug, title, is_published, published_at, publishes_at, parent_slug,
	is_in_navigation, sort_order,
	tags, author_name, excerpt, image_url, meta_description, layout, is_full_width`

const (
	headColumns = record.RootColumns + ", " + headFields
	pageColumns = headColumns + ", sections"
)

// shownToVisitors is which pages may be read in a store.
const shownToVisitors = "is_published = 1 and (publishes_at is null or publishes_at <= :now)"

var (
	headRow = db.Map[Page](headColumns)
	pageRow = db.Map[Page](pageColumns)
)

func scanHead(r db.Row, p *Page) error {
	err := headRow.Scan(r, p)
	p.Tags, p.Sections = orNone(p.Tags), []Section{}
	return err
}

func scanPage(r db.Row, p *Page) error {
	err := pageRow.Scan(r, p)
	p.Tags, p.Sections = orNone(p.Tags), orNone(p.Sections)
	return err
}

// orNone is a list that is not nil.
func orNone[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func write(tx *db.Tx, p *Page) error {
	err := tx.Upsert("content_page", pageColumns+", channel_key, tag_keys, plain, dated_at, search", 1,
		func(int) []any {
			return append(pageRow.Of(p), record.Fold(p.ChannelCode), "\n"+record.Fold(db.Lines(p.Tags).Text())+"\n",
				p.plain(), p.datedAt(), record.SearchText(p.Slug, p.Title))
		}, db.Overwriting("id", headFields+", sections, tag_keys, plain, dated_at, search"))
	if err != nil {
		return err
	}
	return keepVersion(tx, p)
}

// Find is the page of a channel with this slug. Channel.NotFound, ContentPage.NotFound.
func Find(tx *db.Tx, channelCode, slug string) (Page, error) {
	c, err := channel.Find(tx, channelCode)
	if err != nil {
		return Page{}, err
	}
	return find(tx, c, slug, "")
}

func lock(tx *db.Tx, channelCode, slug string) (channel.Channel, Page, error) {
	c, err := channel.Find(tx, channelCode)
	if err != nil {
		return c, Page{}, err
	}
	p, err := find(tx, c, slug, db.ForUpdate)
	return c, p, err
}

func find(tx *db.Tx, c channel.Channel, slug, locking string) (p Page, err error) {
	if slug == "" {
		return p, notFound(c, slug)
	}
	err = tx.Each(`-- content.find
		select `+pageColumns+` from content_page where company = :company and channel_key = :channel and slug = :slug`+
		locking, db.Args{"channel": record.Fold(c.Code), "slug": strings.ToLower(slug)},
		func(r db.Row) error { return scanPage(r, &p) })
	switch {
	case err != nil:
	case p.ID == "":
		err = notFound(c, slug)
	case locking != "":
		err = p.Fresh(tx)
	}
	return p, err
}

// treeOf names what puts a page of the channel below another, renames or deletes one: two moves that each look fine
// alone would close a circle, and a parent would be gone.
func treeOf(c channel.Channel) string { return "pages " + record.Fold(c.Code) }

func notFound(c channel.Channel, slug string) error {
	return ErrNotFound.Because("channel %s has no page %q", c.Code, slug)
}

// FindHome is a channel's home page. Channel.NotFound.
func FindHome(tx *db.Tx, channelCode string) (Page, error) {
	c, err := channel.Find(tx, channelCode)
	if err != nil {
		return Page{}, err
	}
	p, _, err := home(tx, c, "")
	return p, err
}

func lockHome(tx *db.Tx, c channel.Channel) (Page, bool, error) { return home(tx, c, db.ForUpdate) }

// home reads a home page; isNew says that it has no row yet: it is the channel's from the channel's first day, without
// sections.
func home(tx *db.Tx, c channel.Channel, locking string) (p Page, isNew bool, err error) {
	err = tx.Each(`-- content.home
		select `+pageColumns+` from content_page where company = :company and channel_key = :channel and slug = ''`+
		locking, db.Args{"channel": record.Fold(c.Code)}, func(r db.Row) error { return scanPage(r, &p) })
	if err != nil || p.ID != "" {
		return p, false, err
	}
	return Page{Root: record.Root{ID: c.ID, Version: 1, CreatedAt: c.CreatedAt, ChangedAt: c.CreatedAt},
		ChannelCode: c.Code, Type: Home, Title: c.Name, IsPublished: true, PublishedAt: c.CreatedAt, Tags: []string{},
		Config: Config{Layout: Standard, Sections: []Section{}}}, true, nil
}

func lockChildren(tx *db.Tx, c channel.Channel, slug string) ([]*Page, error) {
	return db.Rows(tx, `-- content.lockChildren
		select `+headColumns+` from content_page
		where company = :company and channel_key = :channel and parent_slug = :slug and parent_slug <> '' order by id for update`,
		db.Args{"channel": record.Fold(c.Code), "slug": slug}, func(r db.Row, p **Page) error {
			*p = &Page{}
			return scanHead(r, *p)
		})
}

func setParent(tx *db.Tx, c channel.Channel, from, to string) error {
	return tx.Run(`-- content.setParent
		update content_page set parent_slug = :to where company = :company and channel_key = :channel
		and parent_slug = :from and parent_slug <> ''`,
		db.Args{"channel": record.Fold(c.Code), "from": from, "to": to})
}

func remove(tx *db.Tx, id string) error {
	if err := tx.Delete(db.Args{"page_id": id}, "content_form", "content_version", "content_draft"); err != nil {
		return err
	}
	return tx.Delete(db.Args{"id": id}, "content_page")
}

// Filter says which pages a list shows.
type Filter struct {
	Type        PageType // "" = all but the home page
	IsPublished *bool
	Search      string // in slug and title
	Tag         string // upper and lower case are the same
}

// List reads pages of a channel by sort order and slug. Channel.NotFound.
func List(tx *db.Tx, channelCode string, f Filter, p record.Page) (record.Found[Page], error) {
	c, err := channel.Find(tx, channelCode)
	if err != nil {
		return record.Found[Page]{}, err
	}
	if f.Type == Home {
		return listHome(tx, c, f, p)
	}
	q := record.Query{Name: "content.List", Select: pageColumns, From: "content_page", Stamp: "changed_at",
		Key: []string{"sort_order", "slug"}, Resources: []string{Pages.Name}}
	q.Where("channel_key = :channel and slug <> ''", db.Args{"channel": record.Fold(c.Code)})
	f.narrow(&q)
	return record.ListOf(tx, q, p, scanPage)
}

// narrow keeps to what the filter asks for.
func (f Filter) narrow(q *record.Query) {
	q.Given("page_type = :type", f.Type)
	q.Given("is_published = :published", f.IsPublished)
	q.Given("instr(tag_keys, :tag) > 0", tagKey(f.Tag))
	q.Search("search", f.Search)
}

// ListAll reads pages of a store, or with an empty code of all, by store, sort order and slug. Home pages are among
// them once somebody has laid them out.
func ListAll(tx *db.Tx, channelCode string, f Filter, p record.Page) (record.Found[Page], error) {
	q := record.Query{Name: "content.ListAll", Select: headColumns, From: "content_page", Stamp: "changed_at",
		Key:       []string{"channel_key", "sort_order", "slug"},
		Resources: []string{Pages.Name}}
	q.Given("channel_key = :channel", record.Fold(channelCode))
	f.narrow(&q)
	return record.ListOf(tx, q, p, scanHead)
}

// listHome is the list of the one home page, where it is what the filter asks for.
func listHome(tx *db.Tx, c channel.Channel, f Filter, p record.Page) (found record.Found[Page], err error) {
	h, _, err := home(tx, c, "")
	if err != nil || f.IsPublished != nil && !*f.IsPublished || f.Tag != "" || h.ChangedAt < p.Since || p.Horizon > 0 &&
		p.Since > 0 && h.ChangedAt > p.Horizon {
		return found, err
	}
	for _, w := range record.Words(f.Search) {
		if !strings.Contains(record.SearchText(h.Slug, h.Title), w) {
			return found, nil
		}
	}
	if found.Total = 1; p.Number == 1 {
		found.Items = []Page{h}
	}
	return found, nil
}

// tagKey is what a tag is looked for by in the column of a page's tags; "" for none.
func tagKey(tag string) string {
	if tag == "" {
		return ""
	}
	return "\n" + record.Fold(strings.Join(strings.Fields(tag), " ")) + "\n"
}

// plain is what a page says, without its HTML.
func (p *Page) plain() string {
	var b strings.Builder
	say := func(texts ...string) {
		for _, t := range texts {
			if t = plainOf(t); t != "" {
				b.WriteString(t + "\n")
			}
		}
	}
	say(p.Title, p.Excerpt)
	for i := range p.Sections {
		p.Sections[i].say(say)
	}
	return strings.TrimSpace(b.String())
}

// tags of blocks part what stands beside them.
var blocks = strings.NewReplacer("<br", "\n<br", "</p>", "</p>\n", "</li>", "</li>\n", "</h", "\n</h", "</div>",
	"</div>\n", "</td>", "</td> ", "</th>", "</th> ", "</tr>", "</tr>\n")

// plainOf is HTML, or plain text, as plain text. Where lines of HTML end says nothing.
func plainOf(text string) string {
	if !strings.ContainsAny(text, "<&") {
		return strings.TrimSpace(text)
	}
	text = blocks.Replace(strings.Join(strings.Fields(text), " "))
	return strings.TrimSpace(html.UnescapeString(plainPolicy().Sanitize(text)))
}

func writeForms(tx *db.Tx, p *Page) error {
	if err := tx.Delete(db.Args{"page_id": p.ID}, "content_form"); err != nil {
		return err
	}
	var ids []string
	for i := range p.Sections {
		if p.Sections[i].Type == Form {
			ids = append(ids, *p.Sections[i].ID)
		}
	}
	return tx.Insert("content_form", "section_id, page_id", len(ids), func(i int) []any { return []any{ids[i], p.ID} })
}

// standingAmong are those of the slugs under which visitors of a store read a standing page.
func standingAmong(tx *db.Tx, channelCode string, slugs []string) (map[string]bool, error) {
	if len(slugs) == 0 {
		return map[string]bool{}, nil
	}
	return db.Set[string](tx, `-- content.standingAmong
		select slug from content_page where company = :company and channel_key = :channel and slug in (:slugs)
		and page_type = '`+string(Standing)+`' and `+shownToVisitors,
		db.Args{"channel": record.Fold(channelCode), "slugs": slugs, "now": tx.Now})
}

// shownPages are the slugs of a store's pages and posts that are there, and whether visitors see each.
func shownPages(tx *db.Tx, channelCode string, slugs []string) (map[string]bool, error) {
	return db.Pairs[string, bool](tx, `-- content.shownPages
		select slug, case when `+shownToVisitors+` then 1 else 0 end from content_page
		where company = :company and channel_key = :channel and slug in (:slugs)`,
		db.Args{"channel": record.Fold(channelCode), "slugs": slugs, "now": tx.Now})
}
