package pricing

import (
	"net/url"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// Line is a price of an item in a list. Its key in the list is the item, minQuantity and validFrom.
type Line struct {
	record.Root
	ListCode     string
	Item         string  `db:"item_number"` // number
	ItemName     string  `log:"-"`          // as the item is called when the line is read
	price.Line           // UnitPrice of a calculated line is the last one calculated
	CalculatedAt db.Time `log:"-"` // when that was; 0 on a Fixed line

	listID, itemID, itemKey string
}

// LineKey names a line of an item in a list. What is nil was not said: no minQuantity is the ordinary price, no
// validFrom the price without a first day.
type LineKey struct {
	MinQuantity *dec.Dec
	ValidFrom   *day.Date
}

// key is the line's key in its list.
func (l *Line) key() string {
	return l.itemKey + "\x00" + l.MinQuantity.String() + "\x00" + string(l.ValidFrom)
}

// businessKey is how logs name the line: list, item, minQuantity and validFrom, each percent-encoded.
func (l *Line) businessKey() string {
	return strings.Join([]string{url.PathEscape(l.ListCode), url.PathEscape(l.Item), l.MinQuantity.String(),
		string(l.ValidFrom)}, "/")
}

// LineFilter narrows the lines of a list; its zero value takes all.
type LineFilter struct {
	Item    string   // number
	ValidOn day.Date // in force that day
}

// check is every rule a line breaks by itself, as faults of its fields.
func (l *Line) check() error {
	var wrong fault.List
	wrong.If(l.MinQuantity < 0, ErrQuantityRange, "minQuantity",
		"%s is negative: a price holds from 0 or more units", l.MinQuantity)
	wrong.If(l.MaxQuantity != nil && *l.MaxQuantity < l.MinQuantity, ErrQuantityRange, "maxQuantity",
		"%s is less than minQuantity %s: no quantity would ever get this price", l.MaxQuantity, l.MinQuantity)
	wrong.If(l.ValidFrom != "" && l.ValidTo != "" && l.ValidFrom > l.ValidTo, ErrValidityRange, "validTo",
		"%s lies before validFrom %s: the last day may not come before the first", l.ValidTo, l.ValidFrom)
	limit.Quantity.Check(&wrong, "minQuantity", l.MinQuantity)
	if l.MaxQuantity != nil {
		limit.Quantity.Check(&wrong, "maxQuantity", *l.MaxQuantity)
	}
	if l.UnitPrice != nil {
		limit.Price.Check(&wrong, "unitPrice", *l.UnitPrice)
	}
	if l.FixedAmount != nil {
		limit.Price.Check(&wrong, "fixedAmount", *l.FixedAmount)
	}
	l.checkStrategy(&wrong)
	return wrong.Err()
}

// checkStrategy wants of each strategy what it calculates with.
func (l *Line) checkStrategy(wrong *fault.List) {
	missing := func(field string) {
		wrong.Add(ErrLineInvalid, field, "is missing: the strategy %s needs it", l.Strategy)
	}
	percentage := dec.Dec(0)
	if l.Percentage != nil {
		percentage = *l.Percentage
	}
	switch l.Strategy {
	case price.Fixed:
		if l.UnitPrice == nil {
			missing("unitPrice")
		} else if *l.UnitPrice < 0 {
			wrong.Add(ErrLineInvalid, "unitPrice", "%s is negative: a price is 0 or more", l.UnitPrice)
		}
	case price.CostPlusPercent:
		if l.Percentage == nil {
			missing("percentage")
		} else if percentage < dec.Int(-100) {
			wrong.Add(ErrLineInvalid, "percentage", "%s takes off more than the whole cost: use at least -100",
				percentage)
		}
	case price.CostPlusAmount:
		if l.FixedAmount == nil {
			missing("fixedAmount")
		}
	case price.BasePriceDiscount, price.ParentPriceList: // without a percentage it is the parent's price as it stands
		if l.Percentage == nil && l.Strategy == price.BasePriceDiscount {
			missing("percentage")
		} else if percentage > dec.Int(100) {
			wrong.Add(ErrLineInvalid, "percentage", "%s takes off more than the whole price: use at most 100",
				percentage)
		}
	default:
		wrong.Add(ErrLineInvalid, "strategy", "%q is no strategy: use one of %v", l.Strategy, price.Fixed.Values())
	}
}

// tidy drops what the strategy does not calculate with.
func (l *Line) tidy() {
	if l.Strategy == price.Fixed || l.Strategy == price.CostPlusAmount {
		l.Percentage = nil
	}
	if l.Strategy != price.CostPlusAmount {
		l.FixedAmount = nil
	}
	if l.Strategy == price.Fixed {
		l.CalculatedAt = 0
	}
}

// FindLine reads the line that key names, and the head of its list. Where a part of the key was not said and there is
// no ordinary line, but others are there, it refuses with PriceListLine.Ambiguous rather than guess. Refusals:
// PriceList.NotFound, PriceListLine.NotFound, PriceListLine.Ambiguous.
func FindLine(tx *db.Tx, listCode, itemNumber string, key LineKey) (List, Line, error) {
	list, err := lists.Find(tx, listCode)
	if err != nil {
		return list, Line{}, err
	}
	found, err := itemLines(tx, list, itemNumber, "")
	if err != nil {
		return list, Line{}, err
	}
	l, err := pick(list, found, itemNumber, key)
	if err != nil {
		return list, l, err
	}
	lines := []Line{l}
	err = nameItems(tx, lines)
	return list, lines[0], err
}

// nameItems fills in what the lines' items are called.
func nameItems(tx *db.Tx, lines []Line) error {
	items, err := catalog.FindByID(tx, distinct(lines, func(l Line) string { return l.itemID }))
	for i := range lines {
		lines[i].ItemName = items[lines[i].itemID].Name
	}
	return err
}

// pick is the line that key names among a list's lines of an item.
func pick(l List, lines []Line, itemNumber string, key LineKey) (Line, error) {
	var similar fault.All
	var minQuantity dec.Dec
	if key.MinQuantity != nil {
		minQuantity = *key.MinQuantity
	}
	var validFrom day.Date
	if key.ValidFrom != nil {
		validFrom = *key.ValidFrom
	}
	for _, c := range lines {
		if c.MinQuantity == minQuantity && c.ValidFrom == validFrom {
			return c, nil
		}
		if (key.MinQuantity == nil || c.MinQuantity == minQuantity) &&
			(key.ValidFrom == nil || c.ValidFrom == validFrom) {
			similar = append(similar, c.inWords())
		}
	}
	if len(similar) > 0 {
		var more fault.Said
		if len(similar) > 5 {
			similar, more = similar[:5], fault.Say("; and more")
		}
		return Line{},
			ErrAmbiguous.Because(
				"price list %s has no line of item %s with minQuantity %s and %s, but lines with %s%s: say which by minQuantity and validFrom",
				l.Code, lines[0].Item, minQuantity, from(validFrom), similar, more)
	}
	return Line{}, ErrLineNotFound.Because("price list %s has no line of item %s with minQuantity %s and %s", l.Code,
		itemNumber, minQuantity, from(validFrom))
}

func (l *Line) inWords() fault.Said {
	return fault.Say("minQuantity %s and %s", l.MinQuantity, from(l.ValidFrom))
}

func from(d day.Date) fault.Said {
	if d == "" {
		return fault.Say("no validFrom")
	}
	return fault.Say("validFrom %s", d)
}

// DeleteLine removes a fixed price. Refusals: those of FindLine, PriceListLine.NotFixedPrice.
func DeleteLine(tx *db.Tx, listCode, itemNumber string, key LineKey) error {
	list, err := lists.Lock(tx, listCode)
	if err != nil {
		return err
	}
	lines, err := itemLines(tx, list, itemNumber, db.ForUpdate)
	if err != nil {
		return err
	}
	l, err := pick(list, lines, itemNumber, key)
	if err != nil {
		return err
	}
	if l.Strategy != price.Fixed {
		return notFixed(&l)
	}
	if err := deleteLines(tx, []string{l.ID}); err != nil {
		return err
	}
	if err := Lines.Deleted(tx, l.Root, l.businessKey(), l); err != nil {
		return err
	}
	return Recalculate(tx, []string{l.itemID})
}

func notFixed(l *Line) error {
	return ErrNotFixed.Because(
		"the price of item %s with %s in price list %s is calculated (%s), and only fixed prices are written here: change it in the back office, or use another minQuantity or validFrom",
		l.Item, l.inWords(), l.ListCode, l.Strategy)
}

// ForgetItem removes an item that is being deleted from all price lists; app subscribes it.
func ForgetItem(tx *db.Tx, e catalog.Deleting) error {
	lines, err := linesOfItem(tx, e.Item.ID)
	if err != nil || len(lines) == 0 {
		return err
	}
	err = each.Do(lines, func(l Line) error { return Lines.Deleted(tx, l.Root, l.businessKey(), l) })
	if err != nil {
		return err
	}
	return deleteLines(tx, each.Of(lines, func(l Line) string { return l.ID }))
}
