package app_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"kontor/internal/business/production"
	"kontor/internal/business/purchasing"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

// busyItem is one item that everybody wants at once.
type busyItem struct {
	*shop
	tracking string
	counts   []string // numbers
	work     string   // number of the work order
}

// traced names what is moved: the batch, or serial numbers that begin with a word.
func (b *busyItem) traced(word string, n int) string {
	switch b.tracking {
	case "Batch":
		return `, "batchNumber": "L"`
	case "Serial":
		return `, "serialNumbers": ["` + strings.Join(serials(word, n), `", "`) + `"]`
	}
	return ""
}

func serials(word string, n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf("%s-%d", word, i))
	}
	return all
}

// prepare orders 200 of the item and takes 40 in at two places, counts both, releases a transfer of 4 and plans to make
// kits of one each.
func (b *busyItem) prepare() {
	b.must(201, "POST", "/preview/items", fmt.Sprintf(
		`{"itemNumber": "A-1", "name": "A", "salesPrice": 10, "trackingType": %q}`, b.tracking))
	b.item("KIT")
	b.customer("C-1")
	err := b.kontor.InCompany(b.Context(), b.company.ID, func(tx *db.Tx) error {
		_, err := purchasing.CreateSupplier(tx, purchasing.Supplier{Number: "S-1", Name: "S", IsActive: true})
		_, bomErr := production.ChangeBOM(tx, "KIT", func(bom *production.BOM) error {
			bom.Lines = []production.BOMLine{{Item: "A-1", Quantity: dec.One}}
			return nil
		})
		return errors.Join(err, bomErr, office["warehouse"](tx, []string{"SHOP", "S-1"}))
	})
	if err != nil {
		b.Fatal(err)
	}
	for order, quantity := range map[string]int{"P-1": 200, "P-2": 7} {
		b.must(201, "POST", "/preview/purchase-orders", fmt.Sprintf(`{"orderNumber": %q, "supplierNumber": "S-1", "lines": [
			{"itemNumber": "A-1", "quantity": %d, "unitPrice": 3}]}`, order, quantity))
		b.must(200, "POST", "/preview/purchase-orders/"+order+"/send", "")
	}
	for _, at := range []string{"A-01", "A-02"} {
		b.must(201, "POST", "/preview/purchase-orders/P-1/lines/1/receive",
			fmt.Sprintf(`{"quantity": 20, "locationCode": %q%s}`, at, b.traced(at, 20)))
		a := b.must(201, "POST", "/preview/inventory/counts", fmt.Sprintf(
			`{"warehouseCode": "MAIN", "itemNumbers": ["A-1"], "locationCodes": [%q]}`, at))
		b.counts = append(b.counts, b.one(a, "countNumber"))
	}
	b.must(201, "POST", "/preview/transfers", `{"orderNumber": "T-1", "fromWarehouseCode": "MAIN", "toWarehouseCode": "SHOP",
		"lines": [{"itemNumber": "A-1", "quantity": 4}]}`)
	b.must(200, "POST", "/preview/transfers/T-1/release", "")
	err = b.kontor.InCompany(b.Context(), b.company.ID, func(tx *db.Tx) error {
		o, err := production.Create(tx, production.New{Item: "KIT", Quantity: dec.Int(5)})
		if err == nil {
			_, err = production.Plan(tx, o.Number)
		}
		b.work = o.Number
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
}

// complete makes a kit; the piece that goes into the i-th is named where pieces are.
func (b *busyItem) complete(i int) error {
	part := production.Completing{Quantity: dec.One}
	switch b.tracking {
	case "Batch":
		part.Picks = []production.Pick{{Line: 1, Quantity: dec.One, Batch: "L"}}
	case "Serial":
		part.Picks = []production.Pick{{Line: 1, Quantity: dec.One, Serials: []string{fmt.Sprintf("A-01-%d", 10+i)}}}
	}
	return b.kontor.InCompany(b.Context(), b.company.ID, func(tx *db.Tx) error {
		_, err := production.Complete(tx, b.work, part)
		return err
	})
}

// count finds one piece less at a place and posts it: one of two does.
func (b *busyItem) count(i int) (answer, error) {
	number := b.counts[i%2]
	rows := []string{`{"lineNumber": 1, "countedQuantity": 19}`}
	if b.tracking == "Serial" { // the last piece of each place is gone; others may be on their way already
		rows = []string{fmt.Sprintf(
			`{"itemNumber": "A-1", "locationCode": "A-0%d", "serialNumber": "A-0%d-19", "countedQuantity": 0}`, i%2+1,
			i%2+1)}
	}
	a, err := b.try("PATCH", "/preview/inventory/counts/"+number+"/lines", `{"lines": [`+strings.Join(rows, ", ")+`]}`)
	if err != nil || a.status != 200 && a.code() != "InventoryCount.InvalidStatus" {
		return a, err
	}
	return b.try("POST", "/preview/inventory/counts/"+number+"/post", "")
}

// counted is what the counts have found, less what they missed.
func (b *busyItem) counted() (sum dec.Dec) {
	for _, number := range b.counts {
		a := b.must(200, "GET", "/preview/inventory/counts/"+number, "")
		for _, d := range a.at("lines[*].differenceQuantity") {
			if d != "null" {
				sum = sum.Add(dec.Must(d))
			}
		}
	}
	return sum
}

// deed is the i-th thing that happens, of a hundred; what kind it is says the word.
func (b *busyItem) deed(i int) (what string, a answer, err error) {
	n := i / 5
	switch i % 5 {
	case 0:
		what = "receive"
		a, err = b.try("POST", "/preview/purchase-orders/P-1/lines/1/receive", fmt.Sprintf(
			`{"quantity": 7, "unitCost": "%d.5", "locationCode": "A-0%d"%s}`, 2+n%5, 1+n%2,
			b.traced(fmt.Sprint("r", n), 7)))
	case 1:
		what = "order"
		order := fmt.Sprintf("O-%d", n)
		a, err = b.try("POST", "/preview/orders", fmt.Sprintf(
			`{"orderNumber": %q, "customerNumber": "C-1", "lines": [{"itemNumber": "A-1", "quantity": %d}]}`, order, 1+n%4))
		if err == nil && a.status == 201 {
			a, err = b.try("POST", "/preview/orders/"+order+"/release", "")
		}
	case 2:
		if n >= 6 {
			return "nothing", answer{status: 200}, nil
		}
		what = "count"
		a, err = b.count(n)
	case 3:
		if n >= 6 {
			what = "last of P-2"
			a, err = b.try("POST", "/preview/purchase-orders/P-2/lines/1/receive",
				`{"quantity": 7`+b.traced("p2", 7)+`}`)
			break
		}
		what = "ship"
		a, err = b.try("POST", "/preview/transfers/T-1/ship",
			`{"lines": [{"lineNumber": 1, "quantity": 4`+b.traced("A-02", 4)+`}]}`)
	case 4:
		if n >= 8 {
			return "nothing", answer{status: 200}, nil
		}
		what = "complete"
		a = answer{status: 200}
		if err = b.complete(n); fault.Is(err, production.ErrExceeds) || fault.Is(err, production.ErrInvalidStatus) {
			a, err = answer{status: 409}, nil
		}
	}
	return what, a, err
}

// Receipts, orders, two counts, a transfer and kits want the same item at once, plain, by batch and by serial number:
// each happens as often as it may, and the books agree with the ledger.
func TestOneItemThatEverybodyWants(t *testing.T) {
	for _, tracking := range []string{"None", "Batch", "Serial"} {
		t.Run(tracking, func(t *testing.T) {
			eachShop(t, func(s *shop) {
				b := &busyItem{shop: s, tracking: tracking}
				b.prepare()
				well := make([]string, 100)
				together(len(well), 24, func(i int) {
					what, a, err := b.deed(i)
					switch {
					case err != nil || a.status >= 500:
						b.Errorf("%s: %v %s", what, err, a)
					case a.status < 300:
						well[i] = what
					case a.status != 409:
						b.Errorf("%s: %s", what, a)
					}
				})
				times := map[string]int{}
				for _, what := range well {
					times[what]++
				}
				for what, want := range map[string]int{"receive": 20, "order": 20, "count": 2, "ship": 1, "complete": 5,
					"last of P-2": 1} {
					if times[what] != want {
						b.Errorf("%s: %d times, want %d", what, times[what], want)
					}
				}
				b.must(201, "POST", "/preview/transfers/T-1/receive", "")
				a := b.must(200, "GET", "/preview/items/A-1/availability", "")
				// 40 + 140 + 7 came, 5 are in kits.
				if got, want := b.one(a, "totalQuantityOnHand"), dec.Int(182).Add(b.counted()).String(); got != want {
					b.Errorf("%s are on hand, want %s", got, want)
				}
			})
		})
	}
}
