package exchange_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"kontor/internal/app"
	"kontor/internal/exchange"
)

func TestZZ(t *testing.T) {
	for _, e := range []string{"sqlite", "postgres"} {
		t.Run(e, func(t *testing.T) {
			var h *app.House = house(t, e)
			s := open(t, h, "s")
			var items, prices, stock, cust strings.Builder
			items.WriteString("itemNumber,name,brandCode,brandName,salesPrice,categoryCode,categoryName\n")
			prices.WriteString("priceListCode,type,itemNumber,minQuantity,unitPrice\n")
			stock.WriteString("itemNumber,quantity,unitCost\n")
			cust.WriteString("customerNumber,name,countryCode\n")
			for i := range 20000 {
				fmt.Fprintf(&items, "I-%d,Item %d,B%d,Brand %d,%d.5,C%d,Cat %d\n", i, i, i%50, i%50, i%500, i%100, i%100)
				fmt.Fprintf(&prices, "L,Standard,I-%d,0,%d\nL,,I-%d,10,%d\n", i, i%500+10, i, i%500+5)
				fmt.Fprintf(&stock, "I-%d,%d,%d\n", i, i%50, i%300)
				fmt.Fprintf(&cust, "%d,Customer %d,SE\n", i, i)
			}
			for _, x := range []struct{ k, t string }{{"items", items.String()}, {"prices", prices.String()}, {"stock", stock.String()}, {"customers", cust.String()}} {
				k := x.k
				if k == "prices" {
					k = "price-lists"
				}
				for range 2 {
					at := time.Now()
					r := s.take(k, "x.csv", x.t, exchange.Options{})
					fmt.Println(e, k, counted(r), time.Since(at).Round(time.Millisecond))
				}
				at := time.Now()
				n := len(s.give(k, "x.csv"))
				fmt.Println(e, "export", k, n, time.Since(at).Round(time.Millisecond))
			}
		})
	}
}
