package assortment

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/pricing"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/search"
)

// later is what catching up left to be done.
type later struct {
	anew   bool     // everything
	much   bool     // these, and what has changed since the cursor
	ids    []string // of items
	cursor db.Time
}

// change is a row of the change log.
type change struct {
	stamp             db.Time
	resource, id, key string
	deleted           bool
}

// followed are the resources whose changes the documents of products follow.
func followed() []string {
	s := sources()
	return append(s[:], Synonyms.Name)
}

// manyChanges is how many changes are looked at together.
const manyChanges = 5_000

// cursor is how far the changes are in all indexes.
func (e *edition) cursor() db.Time {
	at := int64(1<<63 - 1)
	for _, x := range e.indexes {
		at = min(at, x.Cursor())
	}
	return db.Time(at)
}

// catchUp brings the edition up to date with all that this transaction sees, if no more than most products are
// concerned. What came after the start of one who still writes is looked at again: he may commit before it. The caller
// feeds alone.
func (s *StoreIndex) catchUp(tx *db.Tx, e *edition, c channel.Channel, m marks, most int) (later, error) {
	if e.provisional && tx.AsksCommitted {
		return later{anew: true}, nil // not because it were old
	}
	changed, err := e.outdated(tx, c)
	if err != nil || changed {
		e.behind.CompareAndSwap(0, int64(tx.Now))
		return later{anew: true}, err
	}
	from := e.cursor()
	sure, err := horizonOf(tx)
	if err != nil {
		return later{}, err
	}
	rows, err := changesSince(tx, from, manyChanges+1)
	if err != nil {
		return later{}, err
	}
	if len(rows) > manyChanges {
		return s.leave(tx, e, c, rows, from, sure)
	}
	ids, err := s.touched(tx, e, c, rows, from, open)
	if err != nil {
		return later{}, err
	}
	if len(ids) > most {
		return s.leave(tx, e, c, rows, from, sure)
	}
	if slices.ContainsFunc(rows, func(r change) bool { return r.resource == Synonyms.Name }) {
		if err := e.words(tx, c); err != nil {
			return later{}, err
		}
	}
	if len(ids) > 0 {
		if err := e.serve(tx, c, ids); err != nil {
			return later{}, err
		}
		s.unsaved.Store(true)
	}
	e.moveTo(sure)
	e.stand.Day = tx.Today()
	e.behind.Store(0)
	e.fed(tx, m)
	return later{}, e.turned(tx, c, rows)
}

// leave is what catching up leaves to be done, as it is much: of these changes and what stock moved, what is known to
// be all. The rest waits for who writes since before it, or it would be taken up again and again.
func (s *StoreIndex) leave(tx *db.Tx, e *edition, c channel.Channel, rows []change, from, sure db.Time) (later,
	error) {
	if err := e.fallBehind(tx, rows, from); err != nil || sure == open {
		return later{}, err
	}
	until := sure
	if len(rows) > manyChanges {
		until = min(sure, rows[manyChanges].stamp-1)
		if until <= from && until < sure {
			return later{anew: true}, nil // an import of so many at once: they share a stamp
		}
	}
	until = max(until, from)
	rows = slices.DeleteFunc(rows, func(r change) bool { return r.stamp > until })
	ids, err := s.touched(tx, e, c, rows, from, until)
	return later{much: until > from || len(ids) > 0, ids: ids, cursor: until}, err
}

// fallBehind notes that there is more to do than a request waits for: since the first of these changes, or of what
// stock moved.
func (e *edition) fallBehind(tx *db.Tx, rows []change, from db.Time) error {
	since, err := firstMove(tx, from)
	if len(rows) > 0 && (since == 0 || rows[0].stamp < since) {
		since = rows[0].stamp
	}
	since = cmp.Or(since, tx.Now) // the day has turned
	e.behind.CompareAndSwap(0, int64(since))
	return err
}

// moveTo notes how far the changes are in the indexes. A reader that does not know what is committed has seen them
// without being sure of all before them: they are looked at again.
func (e *edition) moveTo(cursor db.Time) {
	if cursor == open {
		return
	}
	for _, x := range e.indexes {
		x.Delete(nil, int64(cursor))
	}
}

// open is the horizon of a reader who does not know what is committed: he takes whatever he sees.
const open = db.Time(1<<63 - 1)

// horizonOf is the moment up to which this reader is known to see all changes, of those that he sees.
func horizonOf(tx *db.Tx) (db.Time, error) {
	if tx.Versions() == nil && !tx.AsksCommitted {
		return open, nil
	}
	committed, err := tx.Committed()
	if err != nil {
		return 0, err
	}
	at, err := tx.Watermark() // not the clock, which another server may have earlier
	if err != nil {
		return 0, err
	}
	moved, err := newestMove(tx)
	if tx.Versions() == nil {
		moved = min(moved, committed)
	}
	return max(at, moved), err
}

// outdated reports whether all documents must be made anew.
func (e *edition) outdated(tx *db.Tx, c channel.Channel) (bool, error) {
	data, err := dataOf(tx)
	if err != nil || data != e.stand.Generation || !slices.Equal(e.languages, languagesOf(tx, c)) {
		return true, err
	}
	basis, err := basisOf(tx, c)
	return basis != e.stand.Basis, err
}

// basisOf is what every document of a channel depends on: the channel's terms, rates and taxes, and where goods can be
// promised from.
func basisOf(tx *db.Tx, c channel.Channel) (string, error) {
	book, err := reference.Of(tx)
	if err != nil {
		return "", err
	}
	basis := struct {
		Currency, PriceList, Country string
		Warehouses                   []string
		Held                         [][]string
		Rates                        map[string]dec.Rate
		Taxes                        map[string]dec.Dec
	}{c.CurrencyCode, c.PriceListCode, homeOf(tx, c), c.ShownFrom(), nil, map[string]dec.Rate{}, map[string]dec.Dec{}}
	for _, w := range basis.Warehouses {
		basis.Held = append(basis.Held, stock.HeldPlaces(book, w))
	}
	for _, cur := range book.Currencies() {
		if r, ok := book.RateOn(cur.Code, tx.Today()); ok {
			basis.Rates[cur.Code] = r
		}
	}
	for _, t := range book.TaxCodes() {
		basis.Taxes[t.Code] = t.Percent(basis.Country, tx.Today())
	}
	text, err := json.Marshal(basis)
	return string(text), err
}

// touched are the items whose documents may be others after the changes.
func (s *StoreIndex) touched(tx *db.Tx, e *edition, c channel.Channel, rows []change, from, until db.Time) ([]string,
	error) {
	t := touch{ids: map[string]bool{}, numbers: map[string]bool{}, own: map[string]bool{},
		ownNumbers: map[string]bool{}, priced: map[string]bool{}, pricedNumbers: map[string]bool{}}
	for _, r := range rows {
		t.note(r, record.Fold(c.Code))
		if r.resource == catalog.Items.Name && (r.deleted || len(rows) <= inPassing) {
			add(t.own, e.holders(r.key))
		}
	}
	moved, err := movedSince(tx, from, until)
	if err != nil {
		return nil, err
	}
	if err := e.flipped(tx, c, moved, t.ids); err != nil {
		return nil, err
	}
	if e.stand.Day != tx.Today() {
		turned, err := pricing.Turning(tx, e.stand.Day, tx.Today())
		if err != nil {
			return nil, err
		}
		add(t.priced, turned)
	}
	if e.hasTurned(tx) {
		ids, err := openedSince(tx, c, e.stand.Turned)
		if err != nil {
			return nil, err
		}
		add(t.ids, ids)
	}
	if err := t.resolve(tx); err != nil {
		return nil, err
	}
	return t.family(tx)
}

// hasTurned reports whether time alone has changed what documents show: they know by themselves when their product's
// window opens and closes, and of its variants what is visible when they are made.
func (e *edition) hasTurned(tx *db.Tx) bool { return db.Time(e.turns.Load()) <= tx.Now }

// turned notes that the documents show what is visible in this transaction, and when that will be something else.
func (e *edition) turned(tx *db.Tx, c channel.Channel, rows []change) error {
	published := func(r change) bool { return r.resource == channel.Publications.Name }
	if e.hasTurned(tx) || slices.ContainsFunc(rows, published) {
		next, err := nextOpened(tx, c)
		if err != nil {
			return err
		}
		e.turns.Store(int64(cmp.Or(next, open)))
	}
	e.stand.Turned = tx.Now
	return nil
}

// holders are the products found by an item's number: a parent it stood under is among them, also when it stands there
// no more.
func (e *edition) holders(number string) []string {
	return e.index("").Search(search.Request{Text: `"` + strings.ReplaceAll(number, `"`, " ") + `"`, Limit: likely,
		Exact: true}).IDs()
}

// flipped adds the items that have got stock or lost the last of it. Before an item has moved for the first time here
// nobody remembers what it had.
func (e *edition) flipped(tx *db.Tx, c channel.Channel, moved []string, ids map[string]bool) error {
	for part := range slices.Chunk(moved, atOnce) {
		free, err := freeOf(tx, c, part)
		if err != nil {
			return err
		}
		for _, id := range part {
			had, known := e.free[id]
			if has := free[id] > 0; !known || had != has {
				ids[id], e.free[id] = true, has
			}
		}
	}
	return nil
}

// touch gathers what changes concern.
type touch struct {
	ids, numbers          map[string]bool // of items; numbers folded
	own, ownNumbers       map[string]bool // of which neither a parent nor a variant shows what has changed
	priced, pricedNumbers map[string]bool // whose prices have changed, of which a parent shows the lowest

	categories, brands, attributes, lists []string
}

func add(to map[string]bool, ids []string) {
	for _, id := range ids {
		to[id] = true
	}
}

// note takes a change down. channelKey is the store index's.
func (t *touch) note(r change, channelKey string) {
	parts := strings.Split(r.key, "/")
	for i, p := range parts {
		if plain, err := url.PathUnescape(p); err == nil {
			parts[i] = record.Fold(plain)
		}
	}
	switch r.resource {
	case catalog.Items.Name:
		t.ids[r.id] = true
	case channel.Publications.Name:
		if parts[len(parts)-1] == channelKey {
			t.numbers[parts[0]] = true
		}
	case catalog.Brands.Name:
		t.brands = append(t.brands, r.key)
	case catalog.Categories.Name:
		t.categories = append(t.categories, r.key)
	case catalog.Attributes.Name:
		t.attributes = append(t.attributes, record.Fold(r.key))
	case pricing.Lists.Name:
		t.lists = append(t.lists, r.id)
	case pricing.Lines.Name:
		if len(parts) > 1 {
			t.pricedNumbers[parts[1]] = true
		}
	case Ratings:
		t.ownNumbers[parts[0]] = true
	}
}

// resolve finds the items behind what else has changed.
func (t *touch) resolve(tx *db.Tx) error {
	if len(t.lists) > 0 {
		ids, err := pricing.Listed(tx, t.lists)
		if err != nil {
			return err
		}
		add(t.priced, ids)
	}
	var below []string
	for _, code := range t.categories {
		codes, err := catalog.CategorySubtree(tx, code)
		if err != nil {
			return err
		}
		below = append(below, append(codes, code)...)
	}
	for column, codes := range map[string][]string{"category_code": below, "brand_code": t.brands} {
		ids, err := itemsOf(tx, column, codes)
		if err != nil {
			return err
		}
		add(t.ids, ids)
	}
	ids, err := itemsHaving(tx, t.attributes)
	add(t.ids, ids)
	return err
}

// family are the items, and those parents and variants that show something of what has changed with these.
func (t *touch) family(tx *db.Tx) ([]string, error) {
	all := maps.Clone(t.ids)
	err := parts(tx, t.numbers, all, idsOf)
	if err == nil {
		err = parts(tx, maps.Clone(all), all, kinOf)
	}
	if err == nil {
		err = parts(tx, t.ownNumbers, all, idsOf)
	}
	if err == nil {
		err = parts(tx, t.pricedNumbers, t.priced, idsOf)
	}
	if err == nil {
		err = parts(tx, t.priced, all, parentsOf)
	}
	add(all, slices.Collect(maps.Keys(t.own)))
	add(all, slices.Collect(maps.Keys(t.priced)))
	return slices.Sorted(maps.Keys(all)), err
}

// parts adds the items that find leads to, of many at a time.
func parts(tx *db.Tx, of, to map[string]bool, find func(*db.Tx, []string) ([]string, error)) error {
	for part := range slices.Chunk(slices.Collect(maps.Keys(of)), atOnce) {
		ids, err := find(tx, part)
		if err != nil {
			return err
		}
		add(to, ids)
	}
	return nil
}

// serve makes the documents of items anew, and takes out those that have none any more.
func (e *edition) serve(tx *db.Tx, c channel.Channel, ids []string) error {
	articles, err := articlesWith(tx, c, ids)
	if err != nil {
		return err
	}
	source, err := gatherSource(tx, c, articles, e.popularity)
	if err != nil {
		return err
	}
	made := source.documents(c)
	docs := each.By(made, func(d search.Document) string { return d.ID })
	gone := each.Where(ids, func(id string) bool { return docs[id].ID == "" })
	for _, x := range e.indexes {
		if len(made) > 0 {
			x.Upsert(made, x.Cursor())
		}
		if len(gone) > 0 {
			x.Delete(gone, x.Cursor())
		}
	}
	e.tariffs.stale(ids)
	e.revision.Add(1)
	return nil
}

// serveAll is serve of many, part by part in transactions of their own.
func (s *StoreIndex) serveAll(ctx context.Context, read Reader, e *edition, ids []string) error {
	for part := range slices.Chunk(ids, atOnce) {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := s.reading(read, func(tx *db.Tx, c channel.Channel) error { return e.serve(tx, c, part) })
		if err != nil {
			return err
		}
	}
	return nil
}

// work does what catching up left, in transactions of its own.
func (s *StoreIndex) work(ctx context.Context, read Reader, e *edition, w later) error {
	if err := s.serveAll(ctx, read, e, w.ids); err != nil {
		return err
	}
	s.unsaved.Store(true)
	return s.reading(read, func(tx *db.Tx, c channel.Channel) error {
		e.stand.Day = tx.Today()
		e.moveTo(w.cursor)
		e.turns.Store(0) // there may be other windows among these
		return e.words(tx, c)
	})
}

// stockMark counts the movements of all stock that may have changed what can be had.
func stockMark(tx *db.Tx) uint64 { return tx.Versions().Of(tx.Company, stock.StatusResource) }
