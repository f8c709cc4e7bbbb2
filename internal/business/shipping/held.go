package shipping

import (
	"slices"

	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

// Held is what a shipment holds of a line: what was picked of it or, as long as nothing was picked at all, what is to
// be.
type Held struct {
	*Line
	Quantity dec.Dec // in the line's unit
	Ordered  dec.Dec // of it, by the order, where a paper shall say that; Held leaves it to who knows the orders
	Batches  []Batch // as far as the picker told them apart
}

// Batch is what was picked of a batch, or under serial numbers without one.
type Batch struct {
	Number   string
	Quantity dec.Dec // in the line's unit
	Serials  []string
}

// Held are the lines of the shipment as they lie in its packages; what was not picked of it is left out.
func (s *Shipment) Held() []Held {
	isPicked := slices.ContainsFunc(s.Lines, func(l Line) bool { return l.Picked > 0 })
	var out []Held
	for i := range s.Lines {
		h := Held{Line: &s.Lines[i], Quantity: s.Lines[i].Quantity}
		if isPicked {
			h.Quantity, h.Batches = h.Picked, s.batches(h.Line)
		}
		if h.Quantity > 0 {
			out = append(out, h)
		}
	}
	return out
}

// TakenFrom are the locations that what is still to be picked of each line would be taken from, in the order of the
// lines: those that goods leave where nobody names another. What is picked lies there until it is handed over, and is
// taken into account; what there is not is taken from none.
func (s *Shipment) TakenFrom(tx *db.Tx) ([][]string, error) {
	lies, err := stock.Takeable(tx, s.WarehouseCode, each.Of(s.Lines, func(l Line) string { return l.ItemID }))
	if err != nil {
		return nil, err
	}
	take := func(l *Line, quantity dec.Dec) (from []string) {
		for open := l.base(quantity); open > 0 && len(lies[l.ItemID]) > 0; {
			next := &lies[l.ItemID][0]
			from = append(from, next.Location)
			taken := min(open, next.Quantity)
			if open, next.Quantity = open.Sub(taken), next.Quantity.Sub(taken); next.Quantity == 0 {
				lies[l.ItemID] = lies[l.ItemID][1:]
			}
		}
		return from
	}
	for i := range s.Lines {
		take(&s.Lines[i], s.Lines[i].Picked)
	}
	return each.Of(s.Lines, func(l Line) []string { return take(&l, l.Quantity.Sub(l.Picked)) }), nil
}

// batches are what the picker named of a line, whichever location it was taken from.
func (s *Shipment) batches(l *Line) (all []Batch) {
	for _, p := range s.picks {
		if p.Line != l.Number || p.Batch+p.Serial == "" {
			continue
		}
		at := slices.IndexFunc(all, func(b Batch) bool { return record.Fold(b.Number) == record.Fold(p.Batch) })
		if at < 0 {
			at = len(all)
			all = append(all, Batch{Number: p.Batch})
		}
		b := &all[at]
		b.Quantity = b.Quantity.Add(p.Quantity)
		if p.Serial != "" {
			b.Serials = append(b.Serials, p.Serial)
		}
	}
	for i := range all {
		all[i].Quantity = all[i].Quantity.Div(l.Factor)
	}
	return all
}
