package channel

import (
	"net/url"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Publication is an item in the assortment of a channel, with the texts it has there.
type Publication struct {
	record.Root
	ItemID, ItemNumber, ChannelCode           string
	IsPublished                               bool
	Slug                                      string // of its page, unique in the channel
	Title, ShortDescription, Description      string
	MetaTitle, MetaDescription                string
	SortOrder                                 int
	PublishFrom, PublishTo                    db.Time
	IsFeatured, IsPurchasable, AllowBackorder bool
}

// What publishing refuses.
var (
	ErrPublicationNotFound = fault.New(fault.NotFound, "ItemChannel.NotFound")
	ErrUnknownItem         = fault.New(fault.Invalid, "ItemChannel.UnknownItem")
	ErrUnknownChannel      = fault.New(fault.Invalid, "ItemChannel.UnknownChannel")
	ErrDuplicateInBatch    = fault.New(fault.Invalid, "ItemChannel.DuplicateInBatch")
	ErrSlugInvalid         = fault.New(fault.Invalid, "ItemChannel.SlugInvalid")
	ErrSlugTaken           = fault.New(fault.Conflict, "ItemChannel.SlugAlreadyExists")
	ErrWindowInvalid       = fault.New(fault.Invalid, "ItemChannel.WindowInvalid")
)

// Publications is the resource of publications.
var Publications = record.Define("item-channels", "publication", "ItemChannel")

// Key is the business key of a publication, as its URL ends.
func (p Publication) Key() string {
	return url.PathEscape(p.ItemNumber) + "/" + url.PathEscape(p.ChannelCode)
}

// PublicationFilter narrows a list of publications.
type PublicationFilter struct {
	ItemNumber, ChannelCode string
	IsPublished             *bool
}

// Outcome is what became of one row that was published.
type Outcome struct {
	Publication
	IsNew bool
	Err   error // the row was refused; the others were not
}

// Publish creates or replaces publications in a constant number of statements. A row without a slug keeps the one it
// has, or gets one made from the item's name. A changed slug leaves a redirect. Each row is refused by itself:
// ItemChannel.UnknownItem, .UnknownChannel, .DuplicateInBatch, .SlugInvalid, .SlugAlreadyExists, .WindowInvalid.
func Publish(tx *db.Tx, rows []Publication) ([]Outcome, error) {
	d, err := openPublishing(tx, rows)
	if err != nil {
		return nil, err
	}
	out := make([]Outcome, len(rows))
	seen := map[pair]bool{}
	for i, p := range rows {
		out[i].Publication = p
		if out[i].Err = d.identify(&out[i].Publication); out[i].Err != nil {
			continue
		}
		key := out[i].pair()
		if seen[key] {
			out[i].Err = ErrDuplicateInBatch.At("itemNumber",
				"item %s stands twice for channel %s in this request: send it once", p.ItemNumber, p.ChannelCode)
			continue
		}
		seen[key] = true
		out[i].Err = out[i].check()
	}
	if err := d.assignSlugs(tx, out); err != nil {
		return nil, err
	}
	return out, d.save(tx, out)
}

// pair is the folded key of a publication.
type pair struct{ item, channel string }

func (p Publication) pair() pair { return pair{record.Fold(p.ItemNumber), record.Fold(p.ChannelCode)} }

func (p Publication) check() error {
	if p.Slug != "" && !catalog.ValidSlug(p.Slug) {
		return ErrSlugInvalid.At("slug",
			"%q may hold lower-case letters a to z, digits and single hyphens between them: %q would do", p.Slug,
			catalog.Slug(p.Slug))
	}
	if p.PublishFrom != 0 && p.PublishTo != 0 && p.PublishTo <= p.PublishFrom {
		return ErrWindowInvalid.At("publishTo", "must be later than publishFrom")
	}
	return nil
}

// publishing is what publishing needs to know of the rows at hand, read once for all of them.
type publishing struct {
	channels []Channel
	items    map[string]catalog.Item
	before   map[pair]Publication
}

func openPublishing(tx *db.Tx, rows []Publication) (d publishing, err error) {
	var numbers, codes []string
	for _, p := range rows {
		numbers, codes = append(numbers, p.ItemNumber), append(codes, p.ChannelCode)
	}
	if d.channels, err = All(tx); err != nil {
		return d, err
	}
	if d.items, err = catalog.FindMany(tx, numbers); err != nil {
		return d, err
	}
	d.before, err = lockPublications(tx, record.FoldAll(numbers), record.FoldAll(codes))
	return d, err
}

// identify gives the row its item and channel as they are written there.
func (d publishing) identify(p *Publication) error {
	item, ok := d.items[record.Fold(p.ItemNumber)]
	if !ok {
		return ErrUnknownItem.At("itemNumber", "there is no item %q: create it first", p.ItemNumber)
	}
	c, ok := find(d.channels, p.ChannelCode)
	if !ok {
		return ErrUnknownChannel.At("channelCode", "there is no channel %q; GET /preview/channels lists them",
			p.ChannelCode)
	}
	p.ItemID, p.ItemNumber, p.ChannelCode = item.ID, item.Number, c.Code
	return nil
}

// slot is a slug in a channel, which one publication may have.
type slot struct{ channel, slug string }

// assignSlugs gives every row a slug that is its own in the channel.
func (d publishing) assignSlugs(tx *db.Tx, out []Outcome) error {
	var wanted, codes []string
	for i := range out {
		if out[i].Err == nil {
			wanted = append(wanted, d.candidates(out[i].Publication)...)
			codes = append(codes, record.Fold(out[i].ChannelCode))
		}
	}
	taken, err := slugsTaken(tx, record.FoldAll(codes), record.FoldAll(wanted))
	if err != nil {
		return err
	}
	for i := range out {
		if o := &out[i]; o.Err == nil {
			o.Err = d.takeSlug(&o.Publication, taken)
		}
	}
	return nil
}

// candidates are the slugs a row may get, best first: the one it asks for, the one it has, or three made from the
// item's name, the last of which nobody else can have.
func (d publishing) candidates(p Publication) []string {
	if p.Slug != "" {
		return []string{p.Slug}
	}
	if before, ok := d.before[p.pair()]; ok {
		return []string{before.Slug}
	}
	name, number := catalog.Slug(d.items[record.Fold(p.ItemNumber)].Name), catalog.Slug(p.ItemNumber)
	return each.Where([]string{name, strings.Trim(name+"-"+number, "-"), strings.Trim(name+"-"+p.ItemID, "-")},
		func(s string) bool { return s != "" })
}

func (d publishing) takeSlug(p *Publication, taken map[slot]pair) error {
	own := p.pair()
	for _, s := range d.candidates(*p) {
		at := slot{own.channel, s}
		if owner, ok := taken[at]; !ok || owner == own {
			p.Slug, taken[at] = s, own
			return nil
		}
	}
	owner := taken[slot{own.channel, p.Slug}]
	return ErrSlugTaken.Because("slug %q is the slug of item %s in this channel: choose another", p.Slug, owner.item)
}

// save writes the rows that were not refused, reports them and keeps their old addresses working.
func (d publishing) save(tx *db.Tx, out []Outcome) error {
	var pairs []record.Pair[Publication]
	var moves []Moved
	for i := range out {
		o := &out[i]
		if o.Err != nil {
			continue
		}
		c, _ := find(d.channels, o.ChannelCode)
		now := address(c.Paths.Product, o.Slug)
		before, known := d.before[o.pair()]
		if o.IsNew = !known; o.IsNew {
			o.Root = record.New(tx)
			pairs = append(pairs, record.Pair[Publication]{After: &o.Publication})
			moves = append(moves, Moved{ChannelCode: c.Code, To: now})
			continue
		}
		o.Root = before.Root
		pairs = append(pairs, record.Pair[Publication]{Before: &before, After: &o.Publication})
		if before.Slug != o.Slug {
			moves = append(moves, Moved{c.Code, address(c.Paths.Product, before.Slug), now})
		}
	}
	if err := publications.SaveMany(tx, pairs...); err != nil {
		if tx.Unique(err) {
			return ErrSlugTaken.Because(
				"another request has just published one of these items or taken one of these slugs: send the request again")
		}
		return err
	}
	return RecordRedirects(tx, moves)
}

// Withdraw takes an item out of a channel. ItemChannel.NotFound.
func Withdraw(tx *db.Tx, itemNumber, channelCode string) error {
	key := Publication{ItemNumber: itemNumber, ChannelCode: channelCode}.pair()
	rows, err := lockPublications(tx, []string{key.item}, []string{key.channel})
	if err != nil {
		return err
	}
	p, ok := rows[key]
	if !ok {
		return notPublished(itemNumber, channelCode)
	}
	return publications.Drop(tx, &p)
}

func notPublished(itemNumber, channelCode string) error {
	return ErrPublicationNotFound.Because("item %q has no publication in channel %q", itemNumber, channelCode)
}

// WithdrawDeletedItem takes an item that is being deleted out of every channel. It handles catalog.Deleting.
func WithdrawDeletedItem(tx *db.Tx, e catalog.Deleting) error {
	all, err := lockOfItem(tx, record.Fold(e.Item.Number))
	if err != nil || len(all) == 0 {
		return err
	}
	err = each.Do(all, func(p Publication) error { return Publications.Deleted(tx, p.Root, p.Key(), p) })
	if err != nil {
		return err
	}
	return publications.Remove(tx, record.Pointers(all)...)
}
