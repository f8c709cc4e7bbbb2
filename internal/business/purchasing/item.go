package purchasing

import (
	"cmp"
	"maps"
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// SupplierItem is what a supplier charges for an item, and how it is ordered there. A supplier has one row for an item.
type SupplierItem struct {
	ID               string `log:"-"`
	ItemID           string `log:"-"`
	Item             string // number
	ItemName         string `log:"-"`
	TheirNumber      string // the supplier's number of it
	TheirName        string
	UnitPrice        *dec.Dec // of one base unit; nil is not known
	CurrencyCode     string   // of UnitPrice; empty is the supplier's, else the company's
	MinOrderQuantity *dec.Dec // in base units
	OrderMultiple    *dec.Dec // in base units
	LeadTimeDays     *int
	ValidFrom        day.Date // of the price, inclusive
	ValidTo          day.Date // of the price, inclusive
	IsPrimary        bool     // as the item has it
	CreatedAt        db.Time  `log:"-"`
	ModifiedAt       db.Time  `log:"-"`
	ChangedAt        db.Time  `log:"-"`
}

// PriceOn is the price of one base unit on a day, nil where none is in force.
func (i SupplierItem) PriceOn(on day.Date) *dec.Dec {
	if i.ValidFrom != "" && on < i.ValidFrom || i.ValidTo != "" && on > i.ValidTo {
		return nil
	}
	return i.UnitPrice
}

// Currency is the one that the supplier's price of the item is in.
func (i SupplierItem) Currency(s Supplier, book *reference.Book) string {
	return cmp.Or(i.CurrencyCode, s.CurrencyCode, book.Base().Code)
}

// Draft is one supplier item to be written: Edit is laid over the present row, or over an empty one.
type Draft struct {
	Item string // number
	Edit func(*SupplierItem) error
}

// Outcome is what became of a draft. Err is its refusal; then nothing of it was written.
type Outcome struct {
	Item    SupplierItem
	Created bool
	Changed bool // it was there, and is not as it was
	Err     error
}

// SaveItems writes many items of a supplier, each for itself: a refused row leaves the others alone. A row that becomes
// the primary one makes the supplier its item's primary one, and one that ceases to be leaves the item without.
// Row refusals: Item.NotFound, SupplierItem.DuplicateInBatch, .ValidityRange.Invalid, Supplier.UnknownCode and a fault
// naming every field that breaks a rule. The error is for what stops them all: Supplier.NotFound, Precondition.Failed.
func SaveItems(tx *db.Tx, supplierNumber string, drafts []Draft) ([]Outcome, error) {
	w, err := gather(tx, supplierNumber, drafts)
	if err != nil {
		return nil, err
	}
	out := make([]Outcome, len(drafts))
	first := make(map[string]int, len(drafts))
	for n, d := range drafts {
		key := record.Fold(d.Item)
		if m, twice := first[key]; twice {
			out[n].Err = ErrItemDuplicate.At("itemNumber", "%s stands in row %d already: name an item once", d.Item, m)
			continue
		}
		first[key] = n
		if out[n], err = w.lay(tx, d); err != nil {
			return nil, err
		}
	}
	return out, w.write(tx)
}

// writing are items of a supplier on their way; items and suppliers are locked.
type writing struct {
	owner     Supplier
	suppliers map[string]Supplier     // by folded number: the owner and those whose primary items they may be
	items     map[string]catalog.Item // by folded number
	present   map[string]SupplierItem // by item id
	book      *reference.Book

	changed []SupplierItem
	choices []catalog.Choice
	detail  map[string][2]any
}

// gather locks what the drafts may change.
func gather(tx *db.Tx, supplierNumber string, drafts []Draft) (*writing, error) {
	if _, err := FindSupplier(tx, supplierNumber); err != nil {
		return nil, err
	}
	w := &writing{detail: map[string][2]any{}}
	numbers := each.Of(drafts, func(d Draft) string { return d.Item })
	var err error
	if w.book, err = reference.Of(tx); err != nil {
		return nil, err
	}
	if w.items, err = catalog.LockMany(tx, numbers); err != nil {
		return nil, err
	}
	named := map[string]bool{supplierNumber: true}
	var ids []string
	for _, i := range w.items {
		ids = append(ids, i.ID)
		if i.SupplierNumber != "" {
			named[i.SupplierNumber] = true
		}
	}
	if w.suppliers, err = LockSuppliers(tx, slices.Sorted(maps.Keys(named))); err != nil {
		return nil, err
	}
	owner, ok := w.suppliers[record.Fold(supplierNumber)]
	if !ok {
		return nil, ErrSupplierNotFound.Because("no supplier has the number %q", supplierNumber)
	}
	w.owner = owner
	w.present, err = OffersOf(tx, owner, ids)
	return w, err
}

// lay lays a draft over the present row and takes it up if it breaks no rule. The error stops them all.
func (w *writing) lay(tx *db.Tx, d Draft) (out Outcome, err error) {
	item, ok := w.items[record.Fold(d.Item)]
	if !ok {
		out.Err = catalog.ErrNotFound.At("itemNumber", "there is no item %s", d.Item)
		return out, nil
	}
	before, exists := w.present[item.ID]
	after := before
	if !exists {
		at := tx.Stamp()
		after = SupplierItem{ID: record.NewID(), ItemID: item.ID, Item: item.Number, ItemName: item.Name, CreatedAt: at,
			ChangedAt: at, IsPrimary: item.SupplierNumber == w.owner.Number}
	}
	wasPrimary := after.IsPrimary
	if out.Err = d.Edit(&after); out.Err == nil {
		out.Err = after.check(w.book, &item)
	}
	if out.Err != nil {
		if fault.As(out.Err).Kind == fault.Internal {
			return out, out.Err
		}
		return out, nil
	}
	out.Item, out.Created = after, !exists
	if exists && len(record.Diff(before, after)) == 0 {
		return out, nil
	}
	if exists {
		after.ModifiedAt = max(tx.Stamp(), before.ChangedAt+1)
		after.ChangedAt = after.ModifiedAt
		w.detail["items["+item.Number+"]"] = [2]any{before, after}
	} else {
		w.detail["items["+item.Number+"]"] = [2]any{nil, after}
	}
	if after.IsPrimary != wasPrimary {
		c := catalog.Choice{Item: item, Before: item.SupplierNumber}
		if after.IsPrimary {
			c.After = w.owner.Number
		}
		w.choices = append(w.choices, c)
	}
	out.Item, out.Changed = after, exists
	w.changed = append(w.changed, after)
	return out, nil
}

func (w *writing) write(tx *db.Tx) error {
	if len(w.changed) == 0 {
		return tx.Match(w.owner.ID, w.owner.ETag())
	}
	if err := writeItems(tx, w.owner.ID, w.changed); err != nil {
		return err
	}
	if err := Suppliers.Touched(tx, &w.owner.Root, w.owner.Number, "items changed", w.detail); err != nil {
		return err
	}
	if err := catalog.SetSuppliers(tx, w.choices); err != nil {
		return err
	}
	delete(w.suppliers, record.Fold(w.owner.Number))
	return follow(tx, w.suppliers, w.choices)
}

// check holds a row against its rules and writes its currency as the company spells it.
func (i *SupplierItem) check(book *reference.Book, item *catalog.Item) error {
	var wrong fault.List
	if c, ok := book.Currency(i.CurrencyCode); ok {
		i.CurrencyCode = c.Code
	} else if i.CurrencyCode != "" {
		wrong.Add(ErrUnknownCode, "currencyCode",
			"%q is no currency of this company; see GET /preview/reference/currencies", i.CurrencyCode)
	}
	if i.UnitPrice != nil {
		notNegative(&wrong, "unitPrice", *i.UnitPrice)
		limit.Price.Check(&wrong, "unitPrice", *i.UnitPrice)
	}
	for _, q := range []struct {
		field string
		value *dec.Dec
	}{{"minOrderQuantity", i.MinOrderQuantity}, {"orderMultiple", i.OrderMultiple}} {
		if q.value == nil {
			continue
		}
		notNegative(&wrong, q.field, *q.value)
		if err := wrong.AddError(catalog.CheckQuantityAt(q.field, item, *q.value)); err != nil {
			return err
		}
	}
	wrong.If(i.OrderMultiple != nil && *i.OrderMultiple == 0, fault.ErrInvalid, "orderMultiple",
		"must be above 0; null is any quantity")
	wrong.If(i.ValidFrom != "" && i.ValidTo != "" && i.ValidTo < i.ValidFrom, ErrItemValidity, "validTo",
		"must not be before validFrom")
	checkLeadTime(&wrong, i.LeadTimeDays)
	return wrong.Err()
}

func notNegative(wrong *fault.List, field string, d dec.Dec) {
	wrong.If(d < 0, fault.ErrInvalid, field, "must not be negative")
}

// DeleteItem removes an item from what a supplier supplies; one whose primary supplier it was has none then.
// Supplier.NotFound, SupplierItem.NotFound.
func DeleteItem(tx *db.Tx, supplierNumber, itemNumber string) error {
	items, err := catalog.LockMany(tx, []string{itemNumber})
	if err != nil {
		return err
	}
	s, err := suppliers.Lock(tx, supplierNumber)
	if err != nil {
		return err
	}
	item := items[record.Fold(itemNumber)]
	rows, err := OffersOf(tx, s, []string{item.ID})
	if err != nil {
		return err
	}
	row, ok := rows[item.ID]
	if !ok {
		return ErrItemNotFound.Because("supplier %s has no item %s", s.Number, itemNumber)
	}
	if err := removeItems(tx, []string{row.ID}); err != nil {
		return err
	}
	if row.IsPrimary {
		if err := catalog.SetSuppliers(tx, []catalog.Choice{{Item: item, Before: s.Number}}); err != nil {
			return err
		}
	}
	return Suppliers.Touched(tx, &s.Root, s.Number, "item deleted",
		map[string][2]any{"items[" + row.Item + "]": {row, nil}})
}
