package exchange_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"kontor/internal/app"
	"kontor/internal/app/apptest"
	"kontor/internal/business/identity"
	"kontor/internal/exchange"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/table"
)

// shop is a company with its starter set.
type shop struct {
	t       testing.TB
	house   *app.App
	company identity.Company
}

// onEach runs a story on each engine, in a house that is empty.
func onEach(t *testing.T, story func(t *testing.T, h *app.App)) {
	apptest.Each(t, func(t *testing.T, place datadir.Dir) { story(t, apptest.Open(t, place, app.Serving{})) })
}

func house(t testing.TB, engine string) *app.App {
	t.Helper()
	return apptest.Open(t, apptest.Place(t, engine), app.Serving{})
}

func open(t testing.TB, h *app.App, code string) shop {
	t.Helper()
	c, err := h.CreateCompany(context.Background(), identity.Company{Code: code, Name: code, Country: "SE",
		Currency: "SEK", Environment: identity.Test})
	if err != nil {
		t.Fatal(err)
	}
	return shop{t, h, c}
}

func (s shop) desk() exchange.Context {
	return exchange.Context{Store: s.house.Store(), As: db.Request{Company: s.company.ID, Actor: app.Operator()}}
}

// take imports a table.
func (s shop) take(kind, name, text string, o exchange.Options) exchange.Report {
	s.t.Helper()
	r, err := table.Read(strings.NewReader(text), name, table.ReadOptions{})
	if err != nil {
		s.t.Fatalf("%s: %v", kind, err)
	}
	defer r.Close()
	report, err := exchange.Import(context.Background(), s.desk(), kind, r, o)
	if err != nil {
		s.t.Fatalf("%s: %v", kind, err)
	}
	return report
}

// give exports a kind.
func (s shop) give(kind, name string) string {
	s.t.Helper()
	var b bytes.Buffer
	if _, err := exchange.Export(context.Background(), s.desk(), kind, &b, name, table.Options{}); err != nil {
		s.t.Fatalf("%s: %v", kind, err)
	}
	return b.String()
}

// sound fails the test where the books contradict themselves.
func (s shop) sound() {
	s.t.Helper()
	err := s.house.Verify(context.Background(), s.company, func(difference string) { s.t.Error(difference) })
	if err != nil {
		s.t.Fatal(err)
	}
}

// counted is a report's numbers: rows, created, updated, unchanged, refused.
func counted(r exchange.Report) string {
	return fmt.Sprintf("%d rows: %d created, %d updated, %d unchanged, %d refused", r.Rows, r.Created, r.Updated,
		r.Unchanged, r.RefusedRows)
}

func refusals(r exchange.Report) string {
	var lines []string
	for _, row := range r.Refused {
		lines = append(lines, fmt.Sprintf("%d %s %s", row.Row, row.Key, row.Code))
	}
	return strings.Join(lines, "\n")
}

// A company's tables, in the order in which what others refer to comes first.
var tables = []struct{ kind, text string }{
	{"attributes",
		"code,name,dataType,isMultiValue,allowedValues,minValue\nCOLOUR,Colour,Text,true,Red;Blue;a\\;b,\nNOTE,Note,Text,false,,\nWEIGHT,Weight,DecimalNumber,false,,0.5\n" +
			"PIECES,Pieces,WholeNumber,false,,\nDRY,Keeps dry,Boolean,false,,\nSINCE,Since,Date,false,,\nSIZES,Sizes,WholeNumber,true,,\n"},
	{"brands", "code,name,websiteUrl\nFJ,Fjell & Co,https://fjell.example\n"},
	{"categories", "code,name,parentCode,sortOrder\nTENTS,Tents,CAMP,2\nCAMP,Camping,,1\nBIG,Big tents,TENTS,1\n"},
	{"tax-codes",
		"taxCode,name,country,validFrom,percent\nSTD,Standard rate,NO,,25\nSTD,,NO,2027-01-01,24.5\nBOOK,Books,,,6\n"},
	{"currency-rates",
		"currency,name,date,rate,units\nEUR,,2026-01-02,11.05,\nDKK,,2026-01-02,148.2,100\nCHF,Swiss franc,2026-01-02,11.9,\n"},
	{"warehouses",
		"warehouse,name,countryName,location,isPickable,isQuarantine\nMAIN,,Sweden,B-01,yes,\nSOUTH,South,Denmark,S-1,1,0\nSOUTH,,,QUAR,no,true\nEMPTY,Empty,,,,\n"},
	{"postal-codes",
		"country_code,zipcode,place,state\nGB,SW1A 1AA,London,England\nSE,111 47,Stockholm,Stockholms län\nSweden,11147,Norrmalm,\n"},
	{"items", `sku,name,description,categoryCode,categoryName,brand,baseUnit,units,price,taxCode,gtin,tracking,variantOf,options,crossReferences,attribute.COLOUR,attribute.weight,attribute.note,attribute.pieces,attribute.dry,attribute.since,attribute.sizes
T-1-RED,Tent red,,BIG,,FJ,PCS,,1999.5,STD,,None,T-1,Colour=Red;Size=2=big,,Red,2.5,x;y\,4,true,2024-02-29,1;2
T-1,"Tent, ""large""","Two
lines",big,,fj,pcs,H=6:4006381333931,1999.5,std,4006381333931,None,,,Manufacturer=X\;1,Red;a\;b,,,,false,,3
B-1,Battery,,NEW,New things,,PCS,,,STD,,Batch,,,,,,,,,,
S-1,Watch,,,,,,,0.000001,,,Serial,,,,,0.5,,,,,
Å-1,Åland rope,,,,,M,,12,,,None,,,,,,,,,,
`},
	{"customers",
		"number,name,country,group,customerGroupName,email,currency,isActive,notes\n10001,Åse & Co,Denmark,RETAIL,,a@example.com,DKK,true,\"a\nb\"\n10002,B,SE,CLUB,The club,,,no,\n"},
	{"price-lists", `priceListCode,name,type,currency,priority,parentPriceListCode,customers,customerGroups,listValidTo,item,minQuantity,validFrom,strategy,price,percentage,fixedAmount
P,Parent,Standard,SEK,5,,,,2030-12-31,T-1,,,,1500,,
P,,,,,,,,,T-1,10,,Fixed,1400.25,,
P,,,,,,,,,B-1,,2026-01-01,CostPlusPercent,,25,
A,Aase,Customer,DKK,1,P,10001,,,T-1,,,ParentPriceList,,10,
G,Club,CustomerGroup,SEK,1,,,CLUB;RETAIL,,,,,,,,
`},
	{"stock",
		"item,warehouse,location,batch,serial,expiry,quantity,cost\nT-1,,A-01,,,,3,1000\nT-1,SOUTH,QUAR,,,,2.0,900\nB-1,MAIN,A-02,L1,,2027-05-01,10,3.333333\nB-1,MAIN,A-02,L2,,,5,3.5\nS-1,main,a-01,,SN1,,1,\nÅ-1,SOUTH,,,,,7,\n"},
	{"suppliers", "supplierNumber,name,currency,isActive\n50001,Vävstugan,SEK,\n50002,Gone,,no\n"},
	{"purchase-orders", `orderNumber,supplier,orderDate,currency,status,tax,freight,itemNumber,description,quantity,unitPrice,dueDate,receivedQuantity,receivedDate,locationCode,batchNumber,serials
P-1,50001,2024-03-01,SEK,,10.005,5,T-1,,4,1000.125,2024-03-08,3,2024-03-09 00:00:00.000,A-02,,
P-1,,,,,,,B-1,,10,3.5,2024-03-08,10,2024-03-10,A-01,L9,
P-1,,,,,,,,Pallets,1,80,,,,,,
P-2,50002,2024-04-01,,Closed,,,S-1,,2,99,,1,2024-04-02,A-01,,SN9
P-3,50001,2024-05-01,,,,,Å-1,,5,1,2024-06-01,,,,,
P-4,50001,2024-05-02,,Draft,,,T-1-RED,,1,1,,,,,,
`},
}

func TestWhatIsExportedIsImported(t *testing.T) { onEach(t, whatIsExportedIsImported) }

func whatIsExportedIsImported(t *testing.T, h *app.App) {
	from := open(t, h, "from")
	for _, x := range tables {
		if r := from.take(x.kind, "x.csv", x.text, exchange.Options{}); r.RefusedRows > 0 || r.Created == 0 ||
			len(r.Warnings) > 0 {
			t.Fatalf("%s: %s %v %v", x.kind, counted(r), r.Refused, r.Warnings)
		}
		if r := from.take(x.kind, "x.csv", x.text, exchange.Options{}); r.Unchanged != r.Rows {
			t.Errorf("%s again: %s %v", x.kind, counted(r), r.Refused)
		}
	}
	from.sound()
	for n, name := range []string{"x.csv", "x.xlsx", "x.ndjson.gz", "x.tsv.zst"} {
		to := open(t, h, fmt.Sprintf("to%d", n))
		for _, x := range tables { // of most there is nothing yet
			if r := to.take(x.kind, name, to.give(x.kind, name), exchange.Options{}); r.Unchanged != r.Rows {
				t.Errorf("%s as %s of a new company: %s %v", x.kind, name, counted(r), r.Refused)
			}
		}
		for _, x := range tables {
			file := from.give(x.kind, name)
			if r := to.take(x.kind, name, file, exchange.Options{}); r.RefusedRows > 0 || len(r.Warnings) > 0 {
				t.Errorf("%s as %s: %s %v %v", x.kind, name, counted(r), r.Refused, r.Warnings)
			}
			if r := to.take(x.kind, name, file, exchange.Options{}); r.Unchanged != r.Rows || r.Rows == 0 {
				t.Errorf("%s as %s again: %s %v", x.kind, name, counted(r), r.Refused)
			}
		}
		for _, x := range tables {
			if want, got := from.give(x.kind, "x.csv"), to.give(x.kind, "x.csv"); got != want {
				t.Errorf("%s as %s: exported\n%s\nimported from\n%s", x.kind, name, got, want)
			}
		}
		to.sound()
	}
}

func TestRowsAreRefusedOneByOne(t *testing.T) { onEach(t, rowsAreRefusedOneByOne) }

func rowsAreRefusedOneByOne(t *testing.T, h *app.App) {
	s := open(t, h, "s")
	for _, c := range []struct{ kind, text, counted, refused string }{
		{"items", "itemNumber,name,gtin,tax,price,taxCode,categoryCode,categoryName,secret\n" +
			"A,Good,,,10,,C1,Kept,x\n,No number,,,,,,,\nB,,,,,,C2,Dropped,\nC,Bad,123,,1,,,,\nD,Bad,,,1e3,NONE,,,\na,Twice,,,,,,,\nE,Good too,,,,,,,\n",
			"7 rows: 2 created, 0 updated, 0 unchanged, 5 refused",
			"3  Request.Invalid\n4 B Item.Invalid\n5 C Item.InvalidGtin\n6 D Request.Invalid\n7 a Item.DuplicateInBatch"},
		{"customers",
			"customerNumber,name,countryCode,customerGroupCode,customerGroupName\n1,Good,Eire,RETAIL,\n2,Bad,,NONE,\n3,Bad,,NOGROUP,\n4,,,NEW,New\n",
			"4 rows: 1 created, 0 updated, 0 unchanged, 3 refused",
			"3 2 Customer.UnknownCode\n4 3 Customer.UnknownCode\n5 4 Request.Invalid"},
		{"price-lists",
			"priceListCode,type,itemNumber,unitPrice,strategy,percentage\nL,Standard,A,10,,\nL,Campaign,E,11,,\nL,,NOPE,1,,\nL,,E,-1,,\nL,,E,5,CostPlusPercent,5\nM,,A,1,,\nN,Nonsense,A,1,,\n",
			"7 rows: 1 created, 0 updated, 0 unchanged, 6 refused",
			"3 L E Request.Invalid\n4 L NOPE PriceListLine.UnknownItem\n5 L E PriceListLine.Invalid\n6 L E PriceListLine.DuplicateInBatch\n7 M A PriceList.NotFound\n8 N A Request.Invalid"},
		{"stock",
			"itemNumber,warehouseCode,locationCode,quantity\nA,MAIN,A-01,5\nA,MAIN,,9\nNOPE,MAIN,A-01,1\nA,NOPE,,1\nE,MAIN,NOPE,1\nE,MAIN,A-01,0.5\nE,MAIN,A-02,-1\n",
			"7 rows: 1 created, 0 updated, 0 unchanged, 6 refused",
			"3 A MAIN Request.Invalid\n4 NOPE MAIN A-01 Item.NotFound\n5 A NOPE Warehouse.NotFound\n6 E MAIN NOPE WarehouseLocation.NotFound\n7 E MAIN A-01 Quantity.TooManyDecimals\n8 E MAIN A-02 Inventory.InvalidQuantity"},
		{"currency-rates",
			"currencyCode,rateDate,amount\nEUR,2026-01-01,11\nEUR,2026-02-30,11\nEUR,2026-01-03,0\nSEK,2026-01-01,1\nJPY,2026-01-01,0.06\n",
			"5 rows: 1 created, 0 updated, 0 unchanged, 4 refused",
			"3 EUR 2026-02-30 Request.Invalid\n4 EUR 2026-01-03 Request.Invalid\n5 SEK 2026-01-01 Request.Invalid\n6 JPY 2026-01-01 Currency.NotFound"},
		{"suppliers", "supplierNumber,name\n1,One\n", "1 rows: 1 created, 0 updated, 0 unchanged, 0 refused", ""},
		{"purchase-orders", "orderNumber,supplier,orderDate,item,quantity,unitPrice,received,lineNumber,receivedQuantity\n" +
			"1,1,2024-01-01,A,1,5,,,1\n2,9,2024-01-01,A,1,5,,,\n2,,,E,1,5,,,\n3,1,,A,1,5,,,\n4,1,2024-01-01,NOPE,1,5,,,\n" +
			"5,1,2024-01-01,A,1,,,,\n6,1,2024-01-01,A,1,5,,,2\n7,1,2024-01-01,A,0,5,,,\n8,1,2024-01-01,A,1,5,,1,\n8,,,A,1,5,,1,\n",
			"10 rows: 2 created, 0 updated, 0 unchanged, 8 refused",
			"3 2 A Supplier.NotFound\n4 2 E Supplier.NotFound\n5 3 A Request.Invalid\n6 4 NOPE Item.NotFound\n" +
				"7 5 A PurchaseOrderLine.NoPrice\n8 6 A PurchaseOrderLine.QuantityExceedsOutstanding\n" +
				"9 7 A PurchaseOrderLine.Invalid\n11 8 1 A PurchaseOrderLine.Invalid"},
		{"brands", "code,name\n\"B\n1\",Two lines\nB\a2,A bell\nB\x003,Nothing\n B4 ,\" Good\nname \"\n",
			"4 rows: 1 created, 0 updated, 0 unchanged, 3 refused",
			"2  Request.Invalid\n4  Request.Invalid\n5  Request.Invalid"},
		{"categories", "code,name,parentCode\nX,X,Y\nY,Y,X\nZ,Z,GONE\nK,K,\n",
			"4 rows: 1 created, 0 updated, 0 unchanged, 3 refused",
			"2 X Category.UnknownParent\n3 Y Category.UnknownParent\n4 Z Category.UnknownParent"},
	} {
		dry := s.take(c.kind, "x.csv", c.text, exchange.Options{DryRun: true})
		r := s.take(c.kind, "x.csv", c.text, exchange.Options{})
		if counted(r) != c.counted || refusals(r) != c.refused {
			t.Errorf("%s: %s\n%s\nwant %s\n%s\n%v", c.kind, counted(r), refusals(r), c.counted, c.refused, r.Refused)
		}
		if counted(dry) != counted(r) || refusals(dry) != refusals(r) {
			t.Errorf("%s: the dry run said %s\n%s\nthen it was %s\n%s", c.kind, counted(dry), refusals(dry), counted(r),
				refusals(r))
		}
		if c.kind == "items" && strings.Join(r.Warnings,
			"|") != `column "tax" was not read: it is nothing that items have|column "secret" was not read: it is nothing that items have` {
			t.Errorf("warnings %q", r.Warnings)
		}
	}
	if text := s.give("categories", "x.csv"); !strings.Contains(text, "C1,Kept") || strings.Contains(text, "C2,") {
		t.Errorf("a category was made for a refused row, or not for a good one:\n%s", text)
	}
	if text := s.give("customers", "x.csv"); !strings.Contains(text, "1,Good,,,true,,,,,,,IE,,RETAIL,Retail") {
		t.Errorf("customers:\n%s", text)
	}
	s.sound()
}

func TestARowSaysWhatShallBe(t *testing.T) { onEach(t, aRowSaysWhatShallBe) }

func aRowSaysWhatShallBe(t *testing.T, h *app.App) {
	s := open(t, h, "s")
	s.take("items", "x.csv", "itemNumber,name,salesPrice,description\nA,One,10,Text\nB,Two,20,Text\n",
		exchange.Options{})
	s.take("stock", "x.csv", "itemNumber,locationCode,quantity,unitCost\nA,A-01,5,2\nA,A-02,5,4\nB,A-01,1,7\n",
		exchange.Options{})
	r := s.take("stock", "x.csv", "itemNumber,quantity,unitCost\nA,4,9\nB,1,8\n", exchange.Options{})
	if counted(r) != "2 rows: 0 created, 1 updated, 1 unchanged, 0 refused" || len(r.Warnings) != 1 {
		t.Errorf("a whole warehouse: %s %v %v", counted(r), r.Refused, r.Warnings)
	}
	if got, want := s.give("stock", "x.csv"), "A,MAIN,A-02,,,,4,3,\nB,MAIN,A-01,,,,1,7,\n"; !strings.HasSuffix(got,
		want) {
		t.Errorf("stock is\n%s\nwant\n%s", got, want)
	}
	r = s.take("items", "x.csv", "Produkt,Preis,description\nA,12,\nB,20,Text\n",
		exchange.Options{Mapping: map[string]string{"itemNumber": "Produkt", "salesPrice": "Preis"}})
	if counted(r) != "2 rows: 0 created, 1 updated, 1 unchanged, 0 refused" || len(r.Warnings) != 0 {
		t.Errorf("mapped columns: %s %v", counted(r), r.Warnings)
	}
	if text := s.give("items", "x.csv"); !strings.Contains(text, "\nA,One,,Stock,true,") ||
		!strings.Contains(text, "\nB,Two,Text,Stock,true,") {
		t.Errorf("items are\n%s", text)
	}
	s.sound()
}

func TestColumnsThatStopAnImport(t *testing.T) {
	s := open(t, house(t, "sqlite"), "s")
	for text, want := range map[string]string{
		"name\nx\n":                           "itemNumber: no column holds it",
		"itemNumber,attribute.NOPE\nA,1\n":    `there is no attribute "NOPE"`,
		"itemNumber,name\nA,One\n\"B,\x00\n,": "after 1 rows",
	} {
		r, err := table.Read(strings.NewReader(text), "x.csv", table.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := exchange.Import(context.Background(), s.desk(), "items", r, exchange.Options{}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
