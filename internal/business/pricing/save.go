package pricing

import (
	"maps"
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Mode says what a batch may do with a row.
type Mode string

// The modes of a batch.
const (
	Upsert     Mode = "upsert"
	CreateOnly Mode = "create"
	UpdateOnly Mode = "update"
)

// Values are the modes.
func (Mode) Values() []Mode { return []Mode{Upsert, CreateOnly, UpdateOnly} }

// Outcome is what became of a line. Err is its refusal; then nothing of it was written.
type Outcome struct {
	Line    Line
	Created bool
	Err     error
}

// SetPrice creates or replaces a fixed price: l names the item, the key, the price and its limits. Refusals:
// PriceList.NotFound, Item.NotFound, PriceListLine.NotFixedPrice, PriceListLine.QuantityRange.Invalid,
// PriceListLine.ValidityRange.Invalid, Precondition.Failed.
func SetPrice(tx *db.Tx, listCode string, l Line) (Outcome, error) {
	list, err := lists.Lock(tx, listCode)
	if err != nil {
		return Outcome{}, err
	}
	item, err := catalog.Find(tx, l.Item)
	if err != nil {
		return Outcome{}, err
	}
	l.Strategy = price.Fixed
	b := batch{list: list, items: map[string]catalog.Item{record.Fold(item.Number): item}, mode: Upsert,
		fixedOnly: true}
	out, err := b.save(tx, []Line{l})
	if err != nil {
		return Outcome{}, err
	}
	return out[0], out[0].Err
}

// SetPrices writes many fixed prices with a constant number of statements, each for itself: a refused row leaves
// the others alone. Row refusals: PriceListLine.UnknownItem, .DuplicateInBatch, .QuantityRange.Invalid,
// .ValidityRange.Invalid, .NotFixedPrice, .AlreadyExists (CreateOnly), .NoSuchLine (UpdateOnly). The error
// is for what stops them all: PriceList.NotFound.
func SetPrices(tx *db.Tx, listCode string, lines []Line, mode Mode) ([]Outcome, error) {
	for i := range lines {
		lines[i].Strategy = price.Fixed
	}
	return saveAll(tx, listCode, lines, batch{mode: mode, fixedOnly: true})
}

// SaveLines is SetPrices with Upsert for lines of any strategy, for the back office and imports: only through here may
// a calculated line take the place of a fixed one or the other way round. A calculated line gets its price at once, if
// its cost, sales price or parent is known.
func SaveLines(tx *db.Tx, listCode string, lines []Line) ([]Outcome, error) {
	return saveAll(tx, listCode, lines, batch{mode: Upsert})
}

func saveAll(tx *db.Tx, listCode string, lines []Line, b batch) (out []Outcome, err error) {
	if b.list, err = lists.Lock(tx, listCode); err != nil {
		return nil, err
	}
	numbers := each.Of(lines, func(l Line) string { return l.Item })
	if b.items, err = catalog.FindMany(tx, numbers); err != nil {
		return nil, err
	}
	return b.save(tx, lines)
}

// batch is lines on their way into a list whose root is locked, which is what keeps two writers of the same line apart.
type batch struct {
	list      List
	items     map[string]catalog.Item // by folded number
	mode      Mode
	fixedOnly bool
	present   map[string]Line // the lines of these items that the list has, by key
}

func (b *batch) save(tx *db.Tx, lines []Line) ([]Outcome, error) {
	var err error
	if b.present, err = lockLines(tx, b.list, slices.Sorted(maps.Keys(b.items))); err != nil {
		return nil, err
	}
	out := make([]Outcome, len(lines))
	first := make(map[string]int, len(lines))
	var writes []write
	for n := range lines {
		o := &out[n]
		o.Line = lines[n]
		if o.Err = b.admit(&o.Line, n, first); o.Err != nil {
			continue
		}
		before, exists := b.present[o.Line.key()]
		if o.Created = !exists; exists {
			o.Line.Root = before.Root
			if len(record.Diff(before, o.Line)) == 0 {
				if err := tx.Match(before.ID, before.ETag()); err != nil {
					return nil, err
				}
				continue
			}
			writes = append(writes, write{&o.Line, &before, "changed"})
			continue
		}
		o.Line.Root = record.New(tx)
		writes = append(writes, write{&o.Line, nil, "created"})
	}
	if len(writes) == 0 {
		return out, nil
	}
	if err := writeLines(tx, writes); err != nil {
		return nil, err
	}
	ids := each.Of(writes, func(w write) string { return w.line.itemID })
	return out, Recalculate(tx, ids)
}

// admit completes row n and refuses it if it breaks a rule.
func (b *batch) admit(l *Line, n int, first map[string]int) error {
	var wrong fault.List
	item, ok := b.items[record.Fold(l.Item)]
	wrong.If(!ok, ErrUnknownItem, "itemNumber", "there is no item %s", l.Item)
	l.ListCode, l.Item, l.listID, l.itemID, l.itemKey = b.list.Code, item.Number, b.list.ID, item.ID,
		record.Fold(item.Number)
	l.tidy()
	if err := wrong.AddError(l.check()); err != nil {
		return err
	}
	if err := wrong.Err(); err != nil {
		return err
	}
	if m, twice := first[l.key()]; twice {
		return ErrDuplicate.At("itemNumber",
			"row %d has a price of item %s with %s already: a line may stand in a batch once", m, l.Item, l.inWords())
	}
	first[l.key()] = n
	before, exists := b.present[l.key()]
	switch {
	case !exists && b.mode == UpdateOnly:
		return ErrNoSuchLine.At("itemNumber",
			"price list %s has no line of item %s with %s to update: use mode upsert or create", l.ListCode, l.Item,
			l.inWords())
	case !exists:
		l.UnitPrice = onlyFixed(l)
		return nil
	case b.mode == CreateOnly:
		return ErrLineExists.Because("price list %s has a line of item %s with %s already: use mode upsert or update",
			l.ListCode, l.Item, l.inWords())
	case b.fixedOnly && before.Strategy != price.Fixed:
		return notFixed(&before)
	case l.Strategy != price.Fixed:
		l.UnitPrice, l.CalculatedAt = before.UnitPrice, before.CalculatedAt // until it is calculated anew
	}
	return nil
}

// onlyFixed is the price of a fixed line; that of a calculated one is not the caller's to say.
func onlyFixed(l *Line) *dec.Dec {
	if l.Strategy == price.Fixed {
		return l.UnitPrice
	}
	return nil
}

// write is one line that differs from what is stored.
type write struct {
	line   *Line
	before *Line // nil when it is new
	action string
}

// writeLines reports lines to the funnel and stores them, with a constant number of statements.
func writeLines(tx *db.Tx, writes []write) error {
	changes := make([]record.Change, len(writes))
	var stored []string
	for i, w := range writes {
		changes[i] = record.Change{Root: &w.line.Root, Key: w.line.businessKey(), Action: w.action}
		if w.before == nil {
			changes[i].After = *w.line
			continue
		}
		changes[i].Detail = record.Diff(*w.before, *w.line)
		stored = append(stored, w.line.ID)
	}
	if err := Lines.ReportMany(tx, changes); err != nil {
		return err
	}
	if err := deleteLines(tx, stored); err != nil {
		return err
	}
	return insertLines(tx, writes)
}
