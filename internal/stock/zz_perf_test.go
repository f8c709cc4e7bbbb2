package stock_test

import (
	"fmt"
	"testing"
	"time"
	"os"
	"strconv"
"os/exec"

	"kontor/internal/catalog"
	"kontor/internal/db"
	"kontor/internal/db/dbtest"
	"kontor/internal/dec"
	"kontor/internal/stock"
)

func TestPerf(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("N"))
		e := os.Getenv("E")
		w := open(t, dbtest.Store(t, e))
		items := make([]catalog.Item, n)
		for i := range items {
			items[i] = catalog.New()
			items[i].Number, items[i].Name, items[i].TaxCode = fmt.Sprintf("P-%06d", i), "Many", "STD"
		}
		at := time.Now()
		w.write(func(tx *db.Tx) error { return catalog.CreateMany(tx, items) })
		fmt.Println(e, "items", time.Since(at))
		moves := make([]stock.Move, n)
		for i := range moves {
			moves[i] = costing(stock.Move{ItemID: items[i].ID, Item: items[i].Number, Tracking: catalog.None, Warehouse: "MAIN", Quantity: dec.Int(200000)}, "3")
		}
		at = time.Now()
		w.receive(stock.Receipt, moves...)
		fmt.Println(e, "receive", n, time.Since(at))
		if e == "postgres" { out, err := exec.Command("sh","-c", os.Getenv("AN")).CombinedOutput(); fmt.Println(string(out), err) }
		for round := range 2 {
			at = time.Now()
			lines := 0
			w.write(func(tx *db.Tx) error {
				lines = 0
				for k := range 100 {
					m := make([]stock.Move, 26)
					for i := range m { m[i] = moves[(i*37+k*91+round*17)%n]; m[i].Quantity = dec.One; m[i].UnitCost=nil }
					if _, err := stock.Issue(tx, m); err != nil { return err }
					lines += len(m)
				}
				return nil
			})
			fmt.Println(e, "per line", time.Since(at)/time.Duration(lines))
		}
}
