package exchange_test

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kontor/internal/app"
	"kontor/internal/business/catalog"
	"kontor/internal/business/identity"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/exchange"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/table"
)

// Orders that are placed while a history is read in get nothing of what its own orders will take, also where the import
// is broken off and begun again.
func TestOpeningStockIsTheHistorys(t *testing.T) { onEach(t, openingStockIsTheHistorys) }

func openingStockIsTheHistorys(t *testing.T, h *app.App) {
	s := open(t, h, "s")
	var file strings.Builder
	file.WriteString("InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country\n")
	const documents = 300
	for i := range documents {
		fmt.Fprintf(&file, "%d,22633,HAND WARMER,2,2010-12-02 08:28:00,1.85,17850,United Kingdom\n", 1000+i)
	}
	read := func(tick func(what string)) (exchange.OrderReport, error) {
		r, err := table.Read(strings.NewReader(file.String()), "h.csv", table.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		d := s.desk()
		d.Tick = func(_, _ int64, what string) { tick(what) }
		return exchange.ImportOrders(context.Background(), d, r, exchange.OrderOptions{})
	}
	live := func() {
		t.Helper()
		err := h.Store().Write(context.Background(), s.desk().As, func(tx *db.Tx) error {
			price := dec.One
			o, err := sales.Place(tx, sales.Placing{CustomerNumber: "17850",
				Lines: []sales.NewLine{{Item: "22633", Quantity: dec.Int(7), UnitPrice: &price}}}, stock.AsMuchAsThereIs)
			if err == nil && o.Lines[0].Allocated != 0 {
				t.Errorf("an order of today got %s of the history's", o.Lines[0].Allocated)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	killed(t, func() {
		_, err := read(func(what string) {
			if what == "booking orders" {
				live()
				panic("killed")
			}
		})
		t.Errorf("the import was not broken off: %v", err)
	})
	live()
	report, err := read(func(string) { live() })
	if err != nil || report.Orders.Created+report.Orders.Unchanged != documents || report.Orders.Unchanged == 0 {
		t.Errorf("%+v: %v", report.Orders, err)
	}
	live()
	err = h.Store().Read(context.Background(), s.desk().As, func(tx *db.Tx) error {
		held, err := stock.Held(tx)
		if len(held) > 0 {
			t.Errorf("still held: %v", held)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	s.sound()
}

// killed runs what ends as a process that is killed does.
func killed(t *testing.T, fn func()) {
	t.Helper()
	defer func() {
		if p := recover(); p != "killed" {
			t.Fatalf("it was not killed: %v", p)
		}
	}()
	fn()
}

// A history is booked as of the days that its file says, wherever the company is: one that was exported is the same
// where it is read in.
func TestAHistoryKeepsItsDays(t *testing.T) { onEach(t, aHistoryKeepsItsDays) }

func aHistoryKeepsItsDays(t *testing.T, h *app.App) {
	for i, zone := range []string{"America/Los_Angeles", "Pacific/Auckland", "America/Havana"} {
		c, err := h.CreateCompany(context.Background(), identity.Company{Code: fmt.Sprint("zone", i), Name: zone,
			Country: "SE", Currency: "SEK", TimeZone: zone, Environment: identity.Test})
		if err != nil {
			t.Fatal(err)
		}
		s := shop{t, h, c}
		days := []day.Date{"2024-03-10", "2024-03-11", "2024-06-30", "2024-11-03"}
		var file strings.Builder
		file.WriteString("InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country\n")
		for n, d := range days {
			for k, clock := range []string{"", " 00:30:00", " 23:30:00"} {
				fmt.Fprintf(&file, "%d,22633,HAND WARMER,2,%s%s,1.85,17850,United Kingdom\n", 1000+10*n+k, d, clock)
			}
		}
		r, err := table.Read(strings.NewReader(file.String()), "h.csv", table.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if _, err := exchange.ImportOrders(context.Background(), s.desk(), r, exchange.OrderOptions{}); err != nil {
			t.Fatal(err)
		}
		got := map[string]int{}
		err = h.Store().Read(context.Background(), s.desk().As, func(tx *db.Tx) error {
			for _, what := range []string{"sales_order", "invoice"} {
				on := map[string]string{"sales_order": "order_date", "invoice": "invoice_date"}[what]
				err := tx.Each("-- test\nselect "+on+" from "+what+" where company = :company", nil, func(r db.Row) error {
					var d string
					err := r.Scan(&d)
					got[what+" "+d]++
					return err
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
		for _, d := range days {
			if err != nil || got["sales_order "+string(d)] != 3 || got["invoice "+string(d)] != 3 {
				t.Errorf("%s: %v, %v", zone, got, err)
			}
		}
		s.sound()
	}
}

// Texts of a history keep the rules that those of other tables keep: a number that no address could hold, or that no
// document could, makes no item and no customer, and stops nothing else.
func TestAHistorysTextsKeepTheRules(t *testing.T) { onEach(t, aHistorysTextsKeepTheRules) }

func aHistorysTextsKeepTheRules(t *testing.T, h *app.App) {
	s := open(t, h, "s")
	long := strings.Repeat("å", 51)
	var file strings.Builder
	file.WriteString("orderNumber,itemNumber,description,quantity,orderDate,unitPrice,customerNumber\n")
	for i, c := range [][4]string{
		{"1", "22633", "HAND WARMER " + strings.Repeat("ö", 300), "C1"}, {"\"2\n3\"", "22633", "", "C1"},
		{"4\a", "22633", "", "C1"}, {long, "22633", "", "C1"}, {"5", "A\u00851", "", "C1"}, {"6", "\"A\n1\"", "", "C1"},
		{"7", "A" + long, "", "C1"}, {"8", "22633", "", "\"C\t1\""}, {"9", "22633", "", long},
		{"10", "22633", "NUL\x00", "C1"}, {"11", "22633", strings.Repeat("x", 4_001), "C1"},
		{"12", "22633", "\"TWO\nLINES\"", long[:2*50]}} {
		fmt.Fprintf(&file, "%s,%s,%s,2,2024-03-1%d,1.85,%s\n", c[0], c[1], c[2], i%10, c[3])
	}
	r, err := table.Read(strings.NewReader(file.String()), "h.csv", table.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	report, err := exchange.ImportOrders(context.Background(), s.desk(), r, exchange.OrderOptions{})
	var why []string
	for _, k := range report.Skipped {
		why = append(why, fmt.Sprint(k.Lines, " ", k.Code, " ", k.Reason))
	}
	if err != nil || report.Orders.Created != 2 || report.ItemsCreated != 1 || report.CustomersCreated != 2 {
		t.Errorf("%+v: %v", report, err)
	}
	if got := strings.Join(why, "\n"); got != `1 Request.Invalid customerNumber is longer than 50 characters: shorten it
1 Request.Invalid customerNumber must be one line: leave newlines and tabs out
1 Request.Invalid description has control characters in it: remove them
1 Request.Invalid description is longer than 4000 characters: shorten it
1 Request.Invalid externalOrderNumber has control characters in it: remove them
1 Request.Invalid externalOrderNumber is longer than 50 characters: shorten it
1 Request.Invalid externalOrderNumber must be one line: leave newlines and tabs out
1 Request.Invalid itemNumber has control characters in it: remove them
1 Request.Invalid itemNumber is longer than 50 characters: shorten it
1 Request.Invalid itemNumber must be one line: leave newlines and tabs out` {
		t.Errorf("refused:\n%s", got)
	}
	s.sound()
}

// Numbers C… and A… are cancellations and adjustments where their lines are: a company may count its orders so.
func TestOrdersMayBeCountedByAnyLetter(t *testing.T) { onEach(t, ordersMayBeCountedByAnyLetter) }

func ordersMayBeCountedByAnyLetter(t *testing.T, h *app.App) {
	s := open(t, h, "s")
	r, err := table.Read(strings.NewReader(`orderNumber,itemNumber,quantity,orderDate,unitPrice,customerNumber
A1,22633,2,2024-03-11,1.85,K1
C1,22633,3,2024-03-12,1.85,K1
C2,22633,-3,2024-03-13,1.85,K1
A2,22633,1,2024-03-14,11062.06,
C1,22633,-1,2024-03-15,1.85,K1
C2,22633,1,2024-03-15,1.85,K1
`), "h.csv", table.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	report, err := exchange.ImportOrders(context.Background(), s.desk(), r, exchange.OrderOptions{})
	if err != nil || report.Orders.Created != 2 || report.CreditNotes.Created != 1 || report.MatchedLines != 1 {
		t.Errorf("%+v: %v", report, err)
	}
	var why []string
	for _, k := range report.Skipped {
		why = append(why, fmt.Sprint(k.Code, k.Rows))
	}
	if got := strings.Join(why, " "); got !=
		"CreditNote.PositiveQuantity[7] SalesOrder.NotASale[5] SalesOrderLine.NegativeQuantity[6]" {
		t.Errorf("refused: %s", got)
	}
	s.sound()
}

// A history counts in the units that stock is counted in, also of an item that is sold by another one.
func TestAHistoryCountsInBaseUnits(t *testing.T) { onEach(t, aHistoryCountsInBaseUnits) }

func aHistoryCountsInBaseUnits(t *testing.T, h *app.App) {
	s := open(t, h, "s")
	err := h.Store().Write(context.Background(), s.desk().As, func(tx *db.Tx) error {
		i := catalog.New()
		i.Number, i.Name, i.BaseUnit, i.SalesUnit = "22633", "Hand warmer", "PCS", "BOX"
		i.Units = []catalog.Unit{{Code: "BOX", Factor: dec.Int(12)}}
		return errors.Join(reference.SaveUnits(tx, reference.Unit{Code: "BOX", Name: "Box", IsActive: true}),
			catalog.CreateMany(tx, []catalog.Item{i}))
	})
	if err != nil {
		t.Fatal(err)
	}
	const head = "InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country\n"
	r, err := table.Read(strings.NewReader(head+
		"1000,22633,HAND WARMER,24,2010-12-02 08:28:00,1.85,17850,United Kingdom\n"+
		"C1001,22633,HAND WARMER,-2,2010-12-03 08:28:00,1.85,17850,United Kingdom\n"), "h.csv", table.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := exchange.ImportOrders(context.Background(), s.desk(), r, exchange.OrderOptions{}); err != nil {
		t.Fatal(err)
	}
	err = h.Store().Read(context.Background(), s.desk().As, func(tx *db.Tx) error {
		found, err := sales.List(tx, sales.Filter{}, record.Page{Number: 1, Size: 10})
		if err != nil || len(found.Items) != 1 {
			return fmt.Errorf("%d orders: %w", len(found.Items), err)
		}
		o, err := sales.Find(tx, found.Items[0].Number)
		if l := o.Lines[0]; l.Unit != "PCS" || l.Delivered != dec.Int(24) || l.BaseQuantity != dec.Int(24) {
			t.Errorf("%s %s delivered, %s of the item", l.Delivered, l.Unit, l.BaseQuantity)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	s.sound()
}

// A line is counted in the unit that the file names; one that the item does not have is told of.
func TestAHistoryKeepsItsUnits(t *testing.T) { onEach(t, aHistoryKeepsItsUnits) }

func aHistoryKeepsItsUnits(t *testing.T, h *app.App) {
	from, to := open(t, h, "from"), open(t, h, "to")
	price := dec.Int(60)
	for _, s := range []shop{from, to} {
		err := h.Store().Write(context.Background(), s.desk().As, func(tx *db.Tx) error {
			return reference.SaveUnits(tx, reference.Unit{Code: "BOX", Name: "Box", IsActive: true})
		})
		if err != nil {
			t.Fatal(err)
		}
		s.take("items", "x.csv", "itemNumber,name,units\nNAIL-1,Nails,BOX=12\n", exchange.Options{})
		s.take("customers", "x.csv", "customerNumber,name\nC1,One\n", exchange.Options{})
	}
	err := h.Store().Write(context.Background(), from.desk().As, func(tx *db.Tx) error {
		_, err := sales.Place(tx, sales.Placing{CustomerNumber: "C1",
			Lines: []sales.NewLine{{Item: "NAIL-1", Quantity: dec.Int(2), Unit: "BOX", UnitPrice: &price}}}, stock.AsMuchAsThereIs)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	file := from.give("orders", "x.csv")
	file += strings.NewReplacer("SO-", "X-", "BOX", "KG", "NAIL-1", "NEW-1").Replace(file[strings.Index(file, "\n")+1:])
	file += strings.NewReplacer("SO-", "Y-", "BOX", "H").Replace(strings.Split(file, "\n")[1]) + "\n"
	r, err := table.Read(strings.NewReader(file), "x.csv", table.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	report, err := exchange.ImportOrders(context.Background(), to.desk(), r, exchange.OrderOptions{})
	if err != nil || report.Orders.Created != 3 {
		t.Fatalf("%+v %v\n%s", report, err, file)
	}
	if want := `unit "H" is none of the item's: quantity and price were taken for those of its base unit (1 lines)`; len(
		report.Warnings) != 1 || report.Warnings[0] != want {
		t.Errorf("warned of %q", report.Warnings)
	}
	is := to.give("orders", "x.csv")
	for _, want := range []string{",NAIL-1,Nails,2,BOX,60.00,", ",NEW-1,Nails,2,KG,60.00,", ",NAIL-1,Nails,2,,60.00,"} {
		if !strings.Contains(is, want) {
			t.Errorf("no %s in\n%s", want, is)
		}
	}
	to.sound()
}

// A history keeps what its prices are meant with: discount, tax and currency of the export come in again, an amount
// that a code took off to the cent (no percentage comes to it), what the customer called the order, and what a file
// does not say is as it was: no discount, without tax, of the code that is named for all, in the company's currency. A
// cancellation gives back what its sale came to.
func TestAHistoryKeepsItsPrices(t *testing.T) { onEach(t, aHistoryKeepsItsPrices) }

func aHistoryKeepsItsPrices(t *testing.T, h *app.App) {
	from, to := open(t, h, "from"), open(t, h, "to")
	from.take("items", "x.csv", "itemNumber,name\nTENT-1,Tent\n", exchange.Options{})
	from.take("customers", "x.csv", "customerNumber,name,countryCode\nC1,One,SE\n", exchange.Options{})
	to.take("customers", "x.csv", "customerNumber,name,countryCode\nC1,One,SE\n", exchange.Options{})
	price, discount, off := dec.Must("99.99"), dec.Must("12.5"), dec.Must("99999.99")
	err := h.Store().Write(context.Background(), from.desk().As, func(tx *db.Tx) error {
		_, err := sales.Place(tx, sales.Placing{CustomerNumber: "C1", CurrencyCode: "EUR",
			Head: sales.Head{CustomerReference: "PO 7"},
			Lines: []sales.NewLine{{Item: "TENT-1", Quantity: dec.Int(3), UnitPrice: &price, IsPriceIncludingTax: true,
				DiscountPercent: &discount, TaxCode: "RED"}, {Item: "TENT-1", Quantity: dec.One, UnitPrice: &price,
				TaxCode: "STD"}, {Item: "TENT-1", Quantity: dec.Int(1_234_567), UnitPrice: &price, DiscountAmount: &off,
				TaxCode: "STD"}}}, stock.AsMuchAsThereIs)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	file := from.give("orders", "x.csv")
	rows := strings.Split(strings.TrimSpace(file), "\n")
	read := func(name, file string, o exchange.OrderOptions) exchange.OrderReport {
		t.Helper()
		r, err := table.Read(strings.NewReader(file), name, table.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		report, err := exchange.ImportOrders(context.Background(), to.desk(), r, o)
		if err != nil {
			t.Fatalf("%v\n%s", err, file)
		}
		return report
	}
	back := strings.NewReplacer("SO-", "C-", ",3,,99", ",-3,,99", ",1,,99", ",-1,,99", ",1234567,,99",
		",-1234567,,99").
		Replace(strings.Join(rows[1:], "\n"))
	if report := read("x.csv", file+back+"\n", exchange.OrderOptions{}); report.Orders.Created != 1 ||
		report.CreditNotes.Created != 1 || report.MatchedLines != 3 {
		t.Fatalf("%+v\n%s", report, file+back)
	}
	plain := "orderNumber,orderDate,itemNumber,quantity,unitPrice\nP-1,2026-01-05,PLAIN-1,2,10\n"
	read("y.csv", plain, exchange.OrderOptions{TaxCode: "STD"})
	is := to.give("orders", "x.csv")
	for _, want := range []string{",3,PCS,99.99,true,12.5,,RED,12,234.35,28.12,",
		",1,PCS,99.99,false,0,,STD,25,99.99,25.00,", ",2,PCS,10.00,false,0,,STD,25,20.00,5.00,", ",EUR,", ",PO 7,",
		",1234567,PCS,99.99,false,0.081008,99999.99,STD,25,123344354.34,30836088.59,"} {
		if !strings.Contains(is, want) {
			t.Errorf("no %s in\n%s", want, is)
		}
	}
	err = h.Store().Read(context.Background(), to.desk().As, func(tx *db.Tx) error {
		found, err := invoicing.List(tx, invoicing.Filter{}, record.Page{Number: 1, Size: 10})
		for _, i := range found.Items {
			if (i.CurrencyCode == "EUR") != (i.TotalIncludingTax() == dec.Must("154180830.39")) || i.CurrencyCode == "EUR" &&
				i.Balance() != 0 {
				t.Errorf("%s %s comes to %s %s, of which %s is open", i.Type, i.Number, i.TotalIncludingTax(),
					i.CurrencyCode, i.Balance())
			}
		}
		if len(found.Items) != 3 {
			t.Errorf("%d invoices and credit notes", len(found.Items))
		}
		items, err2 := catalog.FindMany(tx, []string{"TENT-1"})
		if it := items[record.Fold("TENT-1")]; it.SalesPrice == nil || it.TaxCode != "STD" && it.TaxCode != "RED" {
			t.Errorf("the item costs %v, and is taxed by %q", it.SalesPrice, it.TaxCode)
		}
		return errors.Join(err, err2)
	})
	if err != nil {
		t.Error(err)
	}
	to.sound()
}

// Codes that orders could not have are all said before anything is booked, and by a dry run too.
func TestAHistorysCodesAreThere(t *testing.T) { onEach(t, aHistorysCodesAreThere) }

func aHistorysCodesAreThere(t *testing.T, h *app.App) {
	s := open(t, h, "s")
	err := h.Store().Write(context.Background(), s.desk().As, func(tx *db.Tx) error {
		return reference.SaveCurrencies(tx, reference.Currency{Code: "MXN", Name: "Peso", Decimals: 2})
	})
	if err != nil {
		t.Fatal(err)
	}
	file := "orderNumber,orderDate,itemNumber,quantity,unitPrice,taxCode,currencyCode\n" +
		"1,2026-01-05,X,1,10,NONE,XXX\n2,2026-01-05,X,1,10,STD,MXN\n"
	for _, dry := range []bool{true, false} {
		r, err := table.Read(strings.NewReader(file), "x.csv", table.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = exchange.ImportOrders(context.Background(), s.desk(), r, exchange.OrderOptions{DryRun: dry})
		r.Close()
		for _, code := range []string{`"NONE"`, `"XXX"`, `"MXN"`} {
			if err == nil || !strings.Contains(err.Error(), code) {
				t.Errorf("dry %t: no word of %s: %v", dry, code, err)
			}
		}
	}
	if items := s.give("items", "x.csv"); strings.Contains(items, "X,") {
		t.Errorf("an item was made: %s", items)
	}
}

// A history keeps where its lines left from and for when they were asked, what they say in other words than their item,
// lines without an item and where they went; what was cancelled was never sold. Its own export says the same of it.
func TestAHistoryIsTheOrdersThatItWas(t *testing.T) { onEach(t, aHistoryIsTheOrdersThatItWas) }

func aHistoryIsTheOrdersThatItWas(t *testing.T, h *app.App) {
	from, to := open(t, h, "from"), open(t, h, "to")
	for _, s := range []shop{from, to} {
		s.take("warehouses", "x.csv", "warehouseCode,name,countryCode,locationCode\nNORTH,North,SE,A-01\n", exchange.Options{})
		s.take("customers", "x.csv", "customerNumber,name,countryCode\nC1,One,SE\n", exchange.Options{})
		s.take("items", "x.csv", "itemNumber,name\nTENT-1,Tent\n", exchange.Options{})
		s.take("stock", "x.csv", "itemNumber,warehouseCode,quantity,unitCost\nTENT-1,MAIN,1,5\nTENT-1,NORTH,1,5\n",
			exchange.Options{})
	}
	price := dec.Int(10)
	line := func(item, text, warehouse string, on day.Date) sales.NewLine {
		return sales.NewLine{Item: item, Description: text, Quantity: dec.Int(3), UnitPrice: &price, TaxCode: "STD",
			WarehouseCode: warehouse, RequestedDeliveryDate: on}
	}
	err := h.Store().Write(context.Background(), from.desk().As, func(tx *db.Tx) error {
		placed, err := sales.PlaceMany(tx, []sales.Placing{
			{CustomerNumber: "C1", Head: sales.Head{WarehouseCode: "NORTH", RequestedDeliveryDate: "2027-03-01"},
				Lines: []sales.NewLine{line("TENT-1", "", "", ""), line("", "Engraving", "", ""),
					line("TENT-1", "A tent, as seen", "", "")}},
			{CustomerNumber: "C1", Head: sales.Head{DeliveryAddress: party.Postal{Name: "One", CountryCode: "NO"}},
				Lines: []sales.NewLine{line("TENT-1", "", "", "2027-03-02"), line("TENT-1", "", "NORTH", "")}},
			{CustomerNumber: "C1", Lines: []sales.NewLine{line("", "Never mind", "", "")}}}, stock.AsMuchAsThereIs)
		if err != nil {
			return err
		}
		_, err = sales.Cancel(tx, placed[2].Number)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	file := from.give("orders", "x.csv")
	for n, created := range []int{2, 0} {
		r, err := table.Read(strings.NewReader(file), "x.csv", table.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		report, err := exchange.ImportOrders(context.Background(), to.desk(), r, exchange.OrderOptions{})
		r.Close()
		if err != nil || report.Orders.Created != created || len(report.Skipped) != 1 || report.Skipped[0].Lines != 1 ||
			report.Skipped[0].Code != "SalesOrder.NotASale" {
			t.Errorf("%d: %+v: %v\n%s", n, report, err, file)
		}
	}
	told := func(file string) (all []string) {
		rows, err := csv.NewReader(strings.NewReader(file)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows[1:] {
			if r[2] != "Cancelled" {
				all = append(all, strings.Join(slices.Concat(r[8:9], r[13:17], r[21:25], r[29:31]), " "))
			}
		}
		return all
	}
	was, is := told(file), told(to.give("orders", "x.csv"))
	if !slices.Equal(was, is) || len(was) != 5 {
		t.Errorf("was\n%s\nis\n%s", strings.Join(was, "\n"), strings.Join(is, "\n"))
	}
	to.sound()
}
