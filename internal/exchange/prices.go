package exchange

import (
	"cmp"
	"slices"

	"kontor/internal/business/pricing"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// prices books price lists: a row is a line, and repeats the columns of its list's head. A row without an item is the
// head alone.
type prices struct {
	heads
	standard *row // that makes its list the company's default
}

func (b *prices) admit(r *row) error {
	if err := b.heads.admit(r); err != nil || b.of(r) != r {
		return err
	}
	isDefault := false
	if r.cells().flag("isDefault", &isDefault); !isDefault {
		return nil
	}
	if b.standard != nil {
		return pricing.ErrInvalid.At("isDefault", "row %d makes price list %s the default already: a company has one",
			b.standard.line, b.standard.get(b.field))
	}
	b.standard = r
	return nil
}

// key is that of a line: two ways to write the same quantity are one line.
func (b *prices) key(r *row) string {
	quantity := r.get("minQuantity")
	if d, err := decimalOf(quantity, r.comma); err == nil {
		quantity = d.String()
	}
	quantity = cmp.Or(quantity, "0")
	return record.Fold(r.get("priceListCode")) + "\x00" + record.Fold(r.get("itemNumber")) + "\x00" + quantity +
		"\x00" + r.get("validFrom")
}

func (b *prices) book(tx *db.Tx, rows []*row) error {
	made := false
	for _, group := range b.groups(rows) {
		head := b.of(group[0])
		code, became, err := bookHead(tx, head)
		if err != nil {
			if k := fault.As(err).Kind; k == fault.Internal || k == fault.Unavailable {
				return err
			}
			refuseAll(group, head, err)
			continue
		}
		made = made || became != unchanged
		if group[0] == head || became == created {
			group[0].became(max(became, unchanged))
		}
		if err := bookLines(tx, code, group); err != nil {
			return err
		}
	}
	return without(made, rows)
}

// bookHead makes or changes the list that a row says the head of.
func bookHead(tx *db.Tx, r *row) (code string, became outcome, err error) {
	before, err := pricing.Find(tx, r.get("priceListCode"))
	if fault.Is(err, pricing.ErrNotFound) {
		l := pricing.List{Code: r.get("priceListCode"), Name: r.get("priceListCode"), CurrencyCode: tx.Info.Currency,
			IsActive: true}
		if r.get("type") == "" {
			return "", 0, pricing.ErrNotFound.Because("there is no price list %q: give its type (%v) to make it",
				l.Code, pricing.Standard.Values())
		}
		if err := r.lay(&l); err != nil {
			return "", 0, err
		}
		l, err = pricing.Create(tx, l)
		return l.Code, created, err
	}
	if err != nil {
		return "", 0, err
	}
	l := before
	if err := r.lay(&l); err != nil {
		return "", 0, err
	}
	if len(record.Diff(before, l)) == 0 { // a change, even of nothing, would make every node read the lists anew
		return before.Code, unchanged, nil
	}
	after, err := pricing.Change(tx, before.Code, func(l *pricing.List) error { return r.lay(l) })
	return before.Code, revised(before.Version, after.Version), err
}

// bookLines writes the lines of rows into a list.
func bookLines(tx *db.Tx, list string, rows []*row) error {
	var lines []pricing.Line
	var of []*row
	for _, r := range rows {
		if r.get("itemNumber") == "" {
			r.became(unchanged)
			continue
		}
		l, err := lineOf(r)
		if err != nil {
			r.refuse(err)
			continue
		}
		lines, of = append(lines, l), append(of, r)
	}
	if len(lines) == 0 {
		return nil
	}
	began := tx.Stamp()
	out, err := pricing.SaveLines(tx, list, lines)
	if err != nil {
		return err
	}
	for n, o := range out {
		of[n].turned(o.Err, o.Created, o.Line.ChangedAt >= began)
	}
	return nil
}

func lineOf(r *row) (pricing.Line, error) {
	l := pricing.Line{Item: r.get("itemNumber"), Line: price.Line{Strategy: price.Fixed}}
	c := r.cells()
	c.lay(&l)
	c.wrong.If(l.Strategy != price.Fixed && l.UnitPrice != nil, pricing.ErrLineInvalid, "unitPrice",
		"is calculated by the strategy %s: leave it empty", l.Strategy)
	return l, c.wrong.Err()
}

// exportPrices writes the lines of all price lists, parents before the lists that start from them.
func exportPrices(tx *db.Tx, p *printer) error {
	var lists []pricing.List
	err := eachOf(tx, pageOf, pricing.Page, func(l pricing.List) error { lists = append(lists, l); return nil })
	if err != nil {
		return err
	}
	return each.Do(parentsFirst(lists), func(l pricing.List) error { return exportList(tx, p, l) })
}

// parentsFirst orders lists so that each comes after the one it starts from; lists in a circle come last.
func parentsFirst(lists []pricing.List) []pricing.List {
	var out []pricing.List
	for len(lists) > 0 {
		var rest []pricing.List
		for _, l := range lists {
			waits := slices.ContainsFunc(lists, func(o pricing.List) bool { return o.Code == l.BasePriceListCode })
			if waits {
				rest = append(rest, l)
			} else {
				out = append(out, l)
			}
		}
		if len(rest) == len(lists) {
			return append(out, rest...)
		}
		lists = rest
	}
	return out
}

func exportList(tx *db.Tx, p *printer, l pricing.List) error {
	empty := true
	of := func(tx *db.Tx, f pricing.LineFilter, page record.Page) (record.Found[pricing.Line], error) {
		_, found, err := pricing.PageOfLines(tx, l.Code, f, page)
		return found, err
	}
	err := eachOf(tx, bigPage, of, func(x pricing.Line) error {
		empty = false
		also := beside{}
		if x.Strategy != price.Fixed {
			also["calculatedPrice"], x.UnitPrice = textOf(x.UnitPrice), nil
		}
		return p.record(also, l, x)
	})
	if err != nil || !empty {
		return err
	}
	return p.record(nil, l)
}
