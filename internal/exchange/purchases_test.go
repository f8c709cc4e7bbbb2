package exchange_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"kontor/internal/app"
	"kontor/internal/business/stock"
	"kontor/internal/exchange"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/table"
)

const adventureWorks = "../../../shared/data/adventureworks/csv/"

// adventure imports a table of the real set.
func (s shop) adventure(ctx context.Context, kind, file string, d exchange.Context, mapping ...string) (exchange.Report,
	error) {
	s.t.Helper()
	open := func(name string) *table.Reader {
		r, err := table.Open(adventureWorks+name, table.ReadOptions{})
		if err != nil {
			s.t.Fatal(err)
		}
		s.t.Cleanup(func() { r.Close() })
		return r
	}
	o := exchange.Options{Mapping: map[string]string{}}
	for _, m := range mapping {
		to, from, _ := strings.Cut(m, "=")
		o.Mapping[to] = from
	}
	if kind == "purchase-orders" {
		o.Heads = open("PurchaseOrderHeader.csv.gz")
	}
	return exchange.Import(ctx, d, kind, open(file), o)
}

// What a manufacturer bought in four years comes in whole: the books are those of the files, but that ours are rounded
// to the cent; the ledger holds every piece at its price to the last digit.
func TestPurchasesOfARealCompany(t *testing.T) {
	if _, err := os.Stat(adventureWorks); err != nil {
		t.Skip("the set of the real company is not here: ", err)
	}
	onEach(t, func(t *testing.T, h *app.App) {
		s, ctx := open(t, h, "aw"), context.Background()
		orders := []string{"receivedQuantity=StockedQty", "receivedDate=ModifiedDate"}
		began := time.Now()
		for _, x := range []struct{ kind, file, mapping, counted string }{
			{"suppliers", "Vendor.csv", "supplierNumber=BusinessEntityID name=Name",
				"104 rows: 104 created, 0 updated, 0 unchanged, 0 refused"},
			{"items", "Product.csv", "itemNumber=ProductID name=Name",
				"504 rows: 504 created, 0 updated, 0 unchanged, 0 refused"},
			{"supplier-items", "ProductVendor.csv",
				"supplierNumber=BusinessEntityID itemNumber=ProductID unitPrice=StandardPrice",
				"460 rows: 460 created, 0 updated, 0 unchanged, 0 refused"},
			{"boms", "BillOfMaterials.csv", "itemNumber=ProductAssemblyID",
				"2679 rows: 2576 created, 0 updated, 103 unchanged, 0 refused"},
		} {
			r, err := s.adventure(ctx, x.kind, x.file, s.desk(), strings.Fields(x.mapping)...)
			if err != nil || counted(r) != x.counted {
				t.Fatalf("%s: %s %v %v", x.kind, counted(r), err, r.Refused)
			}
		}
		before := s.brokenOff(orders)
		r, err := s.adventure(ctx, "purchase-orders", "PurchaseOrderDetail.csv.gz", s.desk(), orders...)
		if err != nil || r.Created+r.Unchanged != 8845 || r.Unchanged < before {
			t.Fatalf("after it was killed: %s %v %v", counted(r), err, r.Refused)
		}
		t.Logf("all five tables in %s", time.Since(began).Round(10*time.Millisecond))
		r, err = s.adventure(ctx, "purchase-orders", "PurchaseOrderDetail.csv.gz", s.desk(), orders...)
		if err != nil || counted(r) != "8845 rows: 0 created, 0 updated, 8845 unchanged, 0 refused" {
			t.Errorf("again: %s %v", counted(r), err)
		}
		got := ""
		for _, x := range r.Sums {
			got += fmt.Sprintln(x.Name, x.File, x.Books)
		}
		if want := "netAmount 63791994.838 63792005.94\ntaxAmount 5103359.574 5103360.59\n" +
			"freightAmount 1583978.2263 1583979.01\ntotalAmount 70479332.6383 70479345.54\n"; got != want {
			t.Errorf("sums are\n%swant\n%s", got, want)
		}
		s.ledgerIs("61211692.731", "0")
		s.sound()
	})
}

// brokenOff imports until it has booked some batches, ends there as a process that is killed does, and answers how many
// rows were booked.
func (s shop) brokenOff(mapping []string) (rows int) {
	s.t.Helper()
	d, batches := s.desk(), 0
	d.Tick = func(done, total int64, what string) {
		if batches++; batches == 8 {
			panic("killed")
		}
		rows = 300 * batches
	}
	defer func() {
		if p := recover(); p != "killed" {
			s.t.Fatalf("it was not killed: %v", p)
		}
	}()
	s.adventure(context.Background(), "purchase-orders", "PurchaseOrderDetail.csv.gz", d, mapping...)
	return 0
}

// A file of lines that breaks off within an order leaves that order out.
func TestPurchasesThatBreakOff(t *testing.T) {
	s := open(t, house(t, "sqlite"), "s")
	s.take("suppliers", "x.csv", "supplierNumber,name\n1,One\n", exchange.Options{})
	text := "orderNumber,supplier,orderDate,description,quantity,unitPrice,taxAmount\nA,1,2024-01-01,x,1,2,3\n" +
		"B,1,2024-01-01,x,1,2,\nB,,,y,1,2,\n"
	r, err := table.Read(strings.NewReader(text+"\"B,\x00\n,"), "x.csv", table.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	report, err := exchange.Import(context.Background(), s.desk(), "purchase-orders", r, exchange.Options{})
	if err == nil || counted(report) != "3 rows: 1 created, 0 updated, 0 unchanged, 2 refused" {
		t.Errorf("%s %v", counted(report), err)
	}
	again := s.take("purchase-orders", "x.csv", text+"A,1,2024-01-01,late,1,2,\n", exchange.Options{})
	if counted(again) != "4 rows: 2 created, 0 updated, 2 unchanged, 0 refused" {
		t.Errorf("again: %s %s", counted(again), refusals(again))
	}
	other := s.take("purchase-orders", "x.csv", strings.NewReplacer("A,1", "A,2", "\nB", "\nC").Replace(text),
		exchange.Options{})
	if counted(other) != "3 rows: 2 created, 0 updated, 0 unchanged, 1 refused" ||
		refusals(other) != "2 A PurchaseOrder.AlreadyExists" {
		t.Errorf("another supplier's: %s %s", counted(other), refusals(other))
	}
	s.sound()
}

// ledgerIs holds the value of all receipts and what is on hand against what they should be.
func (s shop) ledgerIs(value, onHand string) {
	s.t.Helper()
	var came, there dec.Dec
	err := s.house.Store().Read(context.Background(), s.desk().As, func(tx *db.Tx) error {
		came, there = 0, 0
		for n := 1; ; n++ {
			found, err := stock.ListEntries(tx, stock.EntryFilter{}, record.Page{Number: n, Size: 1000})
			if err != nil {
				return err
			}
			for _, e := range found.Items {
				if e.Kind == stock.Receipt {
					came = came.Add(e.Quantity.Mul(*e.UnitCost))
				}
				there = there.Add(e.Quantity)
			}
			if n*1000 >= found.Total {
				return nil
			}
		}
	})
	if err != nil || came.String() != value || there.String() != onHand {
		s.t.Errorf("goods worth %s came in, %s are there, want %s and %s; %v", came, there, value, onHand, err)
	}
}
