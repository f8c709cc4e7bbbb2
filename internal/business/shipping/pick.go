package shipping

import (
	"fmt"
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Pick is what was picked for one line: it adds to what was picked before.
type Pick struct {
	OrderNumber string // may be empty while the shipment has one order
	OrderLine   int
	Quantity    dec.Dec // in the line's unit
	Location    string
	Batch       string
	Serials     []string // one for each base unit
}

// PickGoods records picked quantities; without picks everything still open is picked. Once every line is
// whole the shipment is Picked, before that Picking. Pieces that are tracked must be named.
//
// Refuses with Shipment.InvalidStatus, ShipmentLine.NotFound, Shipment.QuantityExceedsLine,
// Shipment.TrackingRequired, Inventory.NotTracked, WarehouseLocation.NotFound, Quantity.TooManyDecimals, and with
// Inventory.InsufficientStock where what is named does not lie there.
func PickGoods(tx *db.Tx, number string, picks []Pick) (Shipment, error) {
	s, before, err := begin(tx, number, "pick")
	if err != nil {
		return s, err
	}
	if len(picks) == 0 {
		picks = s.rest()
	}
	book, err := reference.Of(tx)
	if err != nil {
		return s, err
	}
	var wrong fault.List
	lines := s.byOrder()
	for i, p := range picks {
		s.take(&wrong, pathOf("lines", i), p, lines, book)
	}
	if err := wrong.Err(); err != nil {
		return s, err
	}
	if err := s.lies(tx); err != nil {
		return s, err
	}
	s.Status, s.PickCount = Picked, len(s.picks)
	if slices.ContainsFunc(s.Lines, func(l Line) bool { return l.Picked < l.Quantity }) {
		s.Status = Picking
	}
	return s, save(tx, &s, before, "pick")
}

// rest are picks of everything that is still to be picked.
func (s *Shipment) rest() []Pick {
	var picks []Pick
	for _, l := range s.Lines {
		if open := l.Quantity.Sub(l.Picked); open > 0 {
			picks = append(picks, Pick{OrderNumber: l.OrderNumber, OrderLine: l.OrderLine, Quantity: open})
		}
	}
	return picks
}

// take checks one pick and adds it to its line.
func (s *Shipment) take(wrong *fault.List, path string, p Pick, lines map[orderLine]*Line, book *reference.Book) {
	l := lines[orderLine{record.Fold(p.OrderNumber), p.OrderLine}]
	if l == nil {
		wrong.Add(ErrLineNotFound, path+".orderLineNumber", "shipment %s has no line %d of order %q", s.Number,
			p.OrderLine, p.OrderNumber)
		return
	}
	switch {
	case p.Quantity <= 0:
		wrong.Add(ErrInvalid, path+".pickedQuantity", "must be above 0")
		return
	case p.Quantity.Decimals() > l.Decimals:
		wrong.Add(catalog.ErrTooManyDecimals, path+".pickedQuantity", "item %s is counted with at most %d decimals",
			l.Item, l.Decimals)
	case l.Picked.Add(p.Quantity) > l.Quantity:
		wrong.Add(ErrExceedsLine, path+".pickedQuantity", "%s of item %s is more than the %s still to be picked",
			p.Quantity, l.Item, l.Quantity.Sub(l.Picked))
	}
	if p.Location != "" {
		if _, ok := book.Location(s.WarehouseCode, p.Location); !ok {
			wrong.Add(ErrLocationNotFound, path+".locationCode", "warehouse %s has no location %q", s.WarehouseCode,
				p.Location)
		}
	}
	s.name(wrong, path, p, l)
	l.Picked = l.Picked.Add(p.Quantity)
}

// name notes where the pieces came from and which they are, and demands what tracking needs.
func (s *Shipment) name(wrong *fault.List, path string, p Pick, l *Line) {
	base := l.base(p.Quantity)
	wrong.If(l.Tracking.Batches() && p.Batch == "", ErrTrackingRequired, path+".batchNumber",
		"item %s is tracked by batch; name the batch that was picked", l.Item)
	wrong.If(l.Tracking.Serials() && dec.Int(int64(len(p.Serials))) != base, ErrTrackingRequired,
		path+".serialNumbers", "item %s is tracked by serial number; name %s of them, not %d", l.Item, base,
		len(p.Serials))
	wrong.If(!l.Tracking.Batches() && p.Batch != "", stock.ErrNotTracked, path+".batchNumber",
		"item %s is not tracked by batch: leave the batch out", l.Item)
	wrong.If(!l.Tracking.Serials() && len(p.Serials) > 0, stock.ErrNotTracked, path+".serialNumbers",
		"item %s is not tracked by serial number: leave them out", l.Item)
	one := pick{Line: l.Number, Location: p.Location, Batch: p.Batch, Quantity: base}
	if !l.Tracking.Serials() {
		if p.Location != "" || l.Tracking.Batches() {
			s.note(one)
		}
		return
	}
	for i, serial := range p.Serials {
		one.Serial, one.Quantity = serial, dec.One
		if slices.ContainsFunc(s.picks, func(k pick) bool {
			return record.Fold(k.Serial) == record.Fold(serial) && s.Lines[k.Line-1].ItemID == l.ItemID
		}) {
			wrong.Add(ErrInvalid, fmt.Sprintf("%s.serialNumbers[%d]", path, i),
				"serial number %s of item %s is already on this shipment", serial, l.Item)
		}
		s.note(one)
	}
}

// lies refuses a shipment of which something that was named does not lie where it was taken from: it could be packed
// and booked, and never handed over.
func (s *Shipment) lies(tx *db.Tx) error {
	if len(s.picks) == 0 {
		return nil
	}
	moves, _ := s.issues()
	named := slices.DeleteFunc(moves, func(m stock.Move) bool { return m.Location+m.Batch+m.Serial == "" })
	return stock.Lies(tx, named)
}

func (s *Shipment) note(p pick) {
	p.Number = len(s.picks) + 1
	s.picks = append(s.picks, p)
}

// orderLine names a line as its order does.
type orderLine struct {
	order string // folded
	line  int
}

// byOrder finds lines by their order line; the order may be left out while there is only one.
func (s *Shipment) byOrder() map[orderLine]*Line {
	lines := make(map[orderLine]*Line, len(s.Lines))
	single := len(s.OrderNumbers()) == 1
	for i := range s.Lines {
		l := &s.Lines[i]
		lines[orderLine{record.Fold(l.OrderNumber), l.OrderLine}] = l
		if single {
			lines[orderLine{"", l.OrderLine}] = l
		}
	}
	return lines
}

func pathOf(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }
