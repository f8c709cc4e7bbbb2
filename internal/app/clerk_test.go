package app_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kontor/internal/app/apptest"
	"kontor/internal/business/catalog"
	"kontor/internal/business/party"
	"kontor/internal/business/production"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

// clerk does anything to any document, whether it makes sense or not.
type clerk struct {
	*rand.Rand
	*shop
	seed    [2]uint64 // the day's, and his own
	step    uint64
	verbs   map[string]verb
	names   []string            // of the verbs
	numbers map[string][]string // of documents, by their kinds
	kind    string              // of the document that was last taken in hand
	place   int                 // of its number among them
	done    []string            // what was taken, the latest last
	taken   map[string]int      // how often each verb was
}

// verb is something that is done to a document, or makes one; it answers the number of what it made.
type verb func(c *clerk, tx *db.Tx) (kind, number string, err error)

// any is a document of a kind, more often a young one.
func (c *clerk) any(kind string) string {
	all := c.numbers[kind]
	if len(all) == 0 {
		return "NONE"
	}
	c.kind, c.place = kind, len(all)-1-min(c.IntN(len(all)), c.IntN(len(all)))
	return all[c.place]
}

func (c *clerk) item() string      { return pick(c, "A", "A", "D", "B", "S", "M", "V") }
func (c *clerk) customer() string  { return pick(c, "C-1", "C-2") }
func (c *clerk) warehouse() string { return pick(c, "MAIN", "MAIN", "SOUTH") }
func (c *clerk) line() int         { return 1 + c.IntN(3) }

func pick[T any](c interface{ IntN(int) int }, all ...T) T { return all[c.IntN(len(all))] }

// many is a quantity: mostly a whole one, at times one that only D can have, or none that anything can.
func (c *clerk) many() dec.Dec {
	switch c.IntN(12) {
	case 0:
		return dec.Must("0.25")
	case 1:
		return dec.Int(int64(-c.IntN(2)))
	}
	return dec.Int(int64(1 + c.IntN(6)))
}

func (c *clerk) price() *dec.Dec {
	if c.IntN(2) == 0 {
		return nil
	}
	p := dec.Must(fmt.Sprintf("%d.%02d", c.IntN(200), c.IntN(100)))
	return &p
}

// batch and serials are what tells the pieces of an item apart, now and then wrong.
func (c *clerk) batch(item string) string {
	if item == "B" || c.IntN(20) == 0 {
		return pick(c, "B1", "B2", "b1")
	}
	return ""
}

func (c *clerk) serials(item string, q dec.Dec) (all []string) {
	if item == "S" {
		for range max(0, min(6, int(q/dec.One))) {
			all = append(all, "S"+strconv.Itoa(c.IntN(40)))
		}
	}
	return all
}

func (c *clerk) orderLines() (lines []sales.NewLine) {
	for range 1 + c.IntN(3) {
		l := sales.NewLine{Item: c.item(), Quantity: c.many(), UnitPrice: c.price(), WarehouseCode: pick(c, "", "", "SOUTH"),
			Unit: pick(c, "", "", "BOX")}
		if c.IntN(6) == 0 {
			l = sales.NewLine{Description: "Work", Quantity: c.many(), UnitPrice: c.price()}
		}
		if c.IntN(4) == 0 {
			percent := dec.Must("7.5")
			l.DiscountPercent = &percent
		}
		lines = append(lines, l)
	}
	return lines
}

// to is a verb that is done to a document by its number alone.
func to[T any](kind string, do func(*db.Tx, string) (T, error)) verb {
	return func(c *clerk, tx *db.Tx) (string, string, error) {
		_, err := do(tx, c.any(kind))
		return "", "", err
	}
}

// opens is the company that the clerk works in: two customers, and what he has on his shelves.
func (c *clerk) opens(tx *db.Tx) error {
	err := []error{c.fills(tx)}
	for _, number := range []string{"C-1", "C-2"} {
		_, e := party.Create(tx, party.Customer{Number: number, Name: number, Street1: "Storgatan 1", PostalCode: "111 22",
			City: "Stockholm", CountryCode: "SE", IsActive: true})
		err = append(err, e)
	}
	return errors.Join(err...)
}

// fills the shelves with items of each kind in two warehouses, and finds a supplier.
func (c *clerk) fills(tx *db.Tx) error {
	err := []error{
		reference.SaveWarehouses(tx, reference.Warehouse{Code: "SOUTH", Name: "South", IsActive: true, CountryCode: "SE"}),
		reference.SaveLocations(tx, reference.Location{Warehouse: "SOUTH", Code: "A-01", Name: "A", IsPickable: true,
			IsActive: true}),
		reference.SaveLocations(tx, reference.Location{Warehouse: "MAIN", Code: "A-02", Name: "A", IsPickable: true,
			IsActive: true}),
		reference.SaveUnits(tx, reference.Unit{Code: "BOX", Name: "Box", IsActive: true}),
	}
	price := dec.Must("19.90")
	for _, number := range []string{"A", "D", "B", "S", "M", "V"} {
		i := catalog.New()
		i.Number, i.Name, i.BaseUnit, i.SalesPrice = number, "Item "+number, "PCS", &price
		switch number {
		case "D":
			i.DecimalPlaces = 2
		case "B":
			i.Tracking = catalog.Batch
		case "S":
			i.Tracking = catalog.Serial
		case "M":
			i.Replenishment = catalog.Manufacture
		case "V":
			i.Type = catalog.Service
		}
		_, e := catalog.Create(tx, i)
		err = append(err, e)
	}
	_, e := catalog.PutUnit(tx, "A", catalog.Unit{Code: "BOX", Factor: dec.Int(6)})
	err = append(err, e)
	_, e = purchasing.CreateSupplier(tx, purchasing.Supplier{Number: "SUP", Name: "Supplier", IsActive: true})
	err = append(err, e)
	var sold []purchasing.Draft
	for _, number := range []string{"A", "D", "B", "S", "M"} {
		sold = append(sold, purchasing.Draft{Item: number, Edit: func(i *purchasing.SupplierItem) error {
			i.UnitPrice = &price
			return nil
		}})
	}
	_, e = purchasing.SaveItems(tx, "SUP", sold)
	err = append(err, e, reference.SaveRates(tx, "EUR", reference.RatePoint{Date: tx.Today(),
		Rate: dec.Rate{Amount: dec.Must("11.2345"), Units: dec.One}}))
	_, e = production.ChangeBOM(tx, "M", func(b *production.BOM) error {
		b.Lines = []production.BOMLine{{Item: "A", Quantity: dec.Int(2)}, {Item: "D", Quantity: dec.Must("0.3")}}
		return nil
	})
	err = append(err, e)
	for _, where := range []string{"MAIN", "SOUTH"} {
		for _, number := range []string{"A", "D", "M"} {
			_, e := stock.Adjust(tx, stock.Adjustment{Warehouse: where, Location: "A-01", Item: number,
				Quantity: dec.Int(60)})
			err = append(err, e)
		}
	}
	return errors.Join(err...)
}

// often is how often a verb is tried: what ends a document seldom, or none would come far.
func often(name string) int {
	switch first, _, _ := strings.Cut(name, " "); first {
	case "cancel", "close", "decline", "reject", "finish", "lose", "reverse", "take", "delete", "retrack", "retype", "stop":
		return 1
	case "charge", "quote", "count", "list", "work", "split", "recipe", "rate", "box", "make":
		return 2
	case "place", "ship", "pick", "release", "hand", "invoice", "return", "receive", "goods":
		return 12
	}
	return 5
}

// thinks anew: what comes to his mind follows from the day, himself and the step alone, however often a transaction is
// run again.
func (c *clerk) thinks(of uint64) {
	c.Rand = rand.New(rand.NewPCG(c.seed[0], c.seed[1]<<48|c.step<<8|of))
}

// does one thing, and says what came of it. What is refused is refused for a reason, and is forgotten.
func (c *clerk) does() (said string) {
	c.step++
	c.thinks(0)
	name := pick(c, c.names...)
	var kind, number string
	err := c.kontor.InCompany(c.Context(), "acme", func(tx *db.Tx) (err error) {
		c.thinks(1)
		kind, number, err = c.verbs[name](c, tx)
		return err
	})
	switch {
	case err == nil:
		c.taken[name]++
		c.done = append(c.done, strings.TrimSpace(name+" "+number))
		if number != "" && !slices.Contains(c.numbers[kind], number) {
			c.numbers[kind] = append(c.numbers[kind], number)
		}
	case fault.As(err).Kind == fault.Internal:
		c.Errorf("%s: %v", name, err)
	case strings.Contains(err.Error(), "can no longer be") && c.IntN(2) == 0:
		c.numbers[c.kind] = slices.Delete(c.numbers[c.kind], c.place, c.place+1) // it has ended
	}
	if err != nil {
		return name + ": " + err.Error()
	}
	return name + ": " + number
}

func (c *clerk) verify() {
	err := c.kontor.Verify(c.Context(), c.company, func(finding string) { c.Errorf("verify: %s", finding) })
	if err != nil {
		c.Fatal(err)
	}
}

// clerks are so many in one company, which is open.
func clerks(t *testing.T, place datadir.Dir, n int, seed uint64) (all []*clerk) {
	s, verbs := newShop(t, place), dealings()
	var names []string
	for _, name := range slices.Sorted(maps.Keys(verbs)) {
		names = append(names, slices.Repeat([]string{name}, often(name))...)
	}
	for k := range n {
		all = append(all, &clerk{seed: [2]uint64{seed, uint64(k)}, shop: s, verbs: verbs, names: names,
			numbers: map[string][]string{}, taken: map[string]int{}})
	}
	if err := s.kontor.InCompany(t.Context(), "acme", all[0].opens); err != nil {
		t.Fatal(err)
	}
	return all
}

// longer is how many steps a clerk takes, and with which seed: KONTOR_CLERK=STEPS[/SEED] asks for more of it, or for
// another day.
func longer(t *testing.T, steps int) (int, uint64) {
	seed := uint64(1)
	if text := os.Getenv("KONTOR_CLERK"); text != "" {
		if _, err := fmt.Sscanf(text+"/1", "%d/%d", &steps, &seed); err != nil {
			t.Fatal(err)
		}
	}
	return steps, seed
}

// A clerk does whatever comes to his mind: sells, sends, bills, buys, counts, moves, makes and takes back, in any order
// and at any status. Nothing of it is a fault of ours, and the books agree with their sources all the time.
func TestAClerkDoesAnything(t *testing.T) {
	steps, seed := longer(t, 1_500)
	apptest.Each(t, func(t *testing.T, place datadir.Dir) {
		c := clerks(t, place, 1, seed)[0]
		for k := 1; k <= steps; k++ {
			c.does()
			if k%(steps/10) == 0 {
				c.verify()
			}
			if t.Failed() {
				t.Fatalf("with seed %d, after %d steps; the latest that were taken:\n%s", seed, k,
					strings.Join(c.done[max(0, len(c.done)-40):], "\n"))
			}
		}
		t.Logf("%d of %d were taken: %v", len(c.done), steps, c.taken)
		if len(c.done) < steps/10 || len(c.taken) < len(c.verbs)/2 {
			t.Error("the clerk came nowhere")
		}
	})
}

// Several clerks do so at once, to the same documents.
func TestClerksDoAnythingAtOnce(t *testing.T) {
	heavy(t)
	steps, seed := longer(t, 300)
	apptest.Each(t, func(t *testing.T, place datadir.Dir) {
		all := clerks(t, place, 6, seed)
		for range 4 {
			together(len(all), len(all), func(i int) {
				for range steps {
					all[i].does()
				}
			})
			all[0].verify()
			for _, c := range all[1:] { // who made what is known to everybody
				for kind, numbers := range c.numbers {
					all[0].numbers[kind] = append(all[0].numbers[kind], numbers...)
				}
			}
			for _, c := range all {
				c.numbers = map[string][]string{}
				for kind, numbers := range all[0].numbers {
					c.numbers[kind] = slices.Compact(slices.Sorted(slices.Values(numbers)))
				}
			}
			if t.Failed() {
				t.Fatalf("with seed %d", seed)
			}
		}
		for _, c := range all {
			t.Logf("%d were taken: %v", len(c.done), c.taken)
		}
	})
}
