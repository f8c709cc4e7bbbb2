package stock

import (
	"fmt"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
)

// Claim is what a document line wants reserved, in base units. Got is filled in.
type Claim struct {
	ItemID    string
	Item      string // number, for messages
	Warehouse string
	Wanted    dec.Dec
	Got       dec.Dec
	MayWait   bool   // takes what there is also where the others are all or nothing
	Field     string // that asks for it, as in Move
}

// Mode says what happens when there is not enough.
type Mode int

// The modes of allocation. Orders over the integration API and in the ERP take what there is and
// leave the rest as back-order; a checkout without back-orders takes all or nothing.
const (
	AsMuchAsThereIs Mode = iota
	AllOrNothing
)

// Allocate reserves stock for all lines of a document at once and fills in what each got, in slice
// order. It is the one place where stock is promised: used by placing and releasing orders, by
// covering back-orders and by the checkout. AllOrNothing refuses with Inventory.InsufficientStock
// (409), naming every shortage.
func Allocate(tx *db.Tx, claims []Claim, m Mode) error {
	p, err := open(tx, claimKeys(claims))
	if err != nil {
		return err
	}
	if err := p.loadHeld(tx, (*level).promises); err != nil {
		return err
	}
	var short shortages
	p.allocate(claims, &short)
	if m == AllOrNothing && !short.empty() {
		for i := range claims {
			claims[i].Got = 0
		}
		return short.err()
	}
	return p.writeLevels(tx)
}

// Free gives back what the claims got. Giving back more than is reserved is a fault of the caller.
func Free(tx *db.Tx, claims []Claim) error {
	p, err := open(tx, claimKeys(claims))
	if err != nil {
		return err
	}
	return p.giveBack(tx, claims)
}

func claimKeys(claims []Claim) []Key {
	return each.Of(claims, func(c Claim) Key { return Key{c.ItemID, c.Warehouse} })
}

// allocate hands out what is available in slice order and notes what was missing.
func (p *posting) allocate(claims []Claim, short *shortages) {
	for i := range claims {
		c := &claims[i]
		c.Got = 0
		if c.Wanted <= 0 {
			continue
		}
		key := Key{c.ItemID, p.warehouse(c.Warehouse)}
		l := p.levels[key]
		c.Got = max(0, min(c.Wanted, l.Available().Sub(l.held)))
		if c.Got > 0 {
			l.Allocated = l.Allocated.Add(c.Got)
			l.dirty = true
		}
		if c.Got < c.Wanted && !c.MayWait {
			short.add(shortage{item: c.Item, field: c.Field, where: inWarehouse(key.Warehouse), wanted: c.Wanted,
				there: c.Got, state: "available"})
		}
	}
}

// release lowers a level's allocation.
func (p *posting) release(key Key, quantity dec.Dec) error {
	l := p.levels[key]
	if quantity < 0 || quantity > l.Allocated {
		return fmt.Errorf("stock: %s cannot be given back in warehouse %s: %s are allocated", quantity, key.Warehouse,
			l.Allocated)
	}
	l.Allocated = l.Allocated.Sub(quantity)
	l.dirty = true
	return nil
}

// shortage is one line that cannot be served.
type shortage struct {
	item          string
	field         string // that the quantity was given in, "" for none
	where         fault.Said
	wanted, there dec.Dec
	state         string // "available" or "on hand"
	remedy        fault.Said
}

// shortages gathers them, so that a refusal names every one.
type shortages []shortage

func (s *shortages) add(one shortage) { *s = append(*s, one) }
func (s shortages) empty() bool       { return len(s) == 0 }

const notEnough = "there is not enough stock: %s"

// Lack is an item of which there is too little, as a refusal tells programs; quantities in its base unit.
type Lack struct {
	Item   string   `json:"itemNumber"`
	Wanted dec.Dec  `json:"wanted"`
	There  *dec.Dec `json:"there"` // nil = not to be told
}

// Lacking is what a refusal for want of goods says there is too little of; nil for any other.
func Lacking(err error) []Lack {
	if !fault.Is(err, ErrInsufficient) {
		return nil
	}
	rows, _ := fault.As(err).Extra["shortages"].([]Lack)
	return rows
}

// err is Inventory.InsufficientStock with a sentence for each shortage, at the field that asked for it where one did,
// and the member shortages for programs.
func (s shortages) err() error {
	rows := make([]Lack, len(s))
	parts := make(fault.All, 0, len(s))
	var fields []fault.Field
	for i, one := range s {
		rows[i] = Lack{one.item, one.wanted, &one.there}
		said := fault.Say("item %s: %s wanted, %s %s in %s", one.item, one.wanted, one.there, one.state, one.where)
		if one.remedy.Is() {
			said = fault.Say("%s (%s)", said, one.remedy)
		}
		parts = append(parts, said)
		if one.field != "" {
			fields = append(fields, ErrInsufficient.Because(notEnough, fault.All{said}).Field(one.field))
		}
	}
	const shown = 20
	if len(parts) > shown {
		parts = append(parts[:shown], fault.Say("and %d more", len(s)-shown))
	}
	f := ErrInsufficient.Because(notEnough, parts).With("shortages", rows)
	f.Fields = fields
	return f
}
