package backoffice

import (
	"kontor/internal/business/payable"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

var receiptBadge = tones[stock.ReceiptStatus]{stock.ReceiptCompleted: page.Good,
	stock.ReceiptCancelled: page.Calm}.badge

func receiptNumber(r stock.GoodsReceipt) string { return r.Number }

// goodsReceipts are the pages of what came in.
func goodsReceipts() []page.Page {
	may := allows(stock.ReceiptMoves, "reverse", func(r stock.GoodsReceipt) stock.ReceiptStatus { return r.Status })
	reverse := page.Action[stock.GoodsReceipt]{Name: "reverse", Label: "Reverse", Permission: "purchase-orders:write",
		Tone: page.Bad, When: func(r stock.GoodsReceipt) bool { return may(r) && r.Lines[0].PurchaseOrder != "" },
		Confirm: "It was keyed wrongly: its goods are taken out of stock again, and are outstanding on the order."}
	return []page.Page{page.Records[stock.GoodsReceipt]{Path: "/receipts", Title: "Goods receipts", Area: "receipts",
		By: "number", Key: receiptNumber, Find: stock.FindReceipt, Resource: stock.Receipts,
		List: page.List[stock.GoodsReceipt]{Latest: true, Own: page.Own("number"), Search: "Receipt or order number",
			Filters: []page.Filter{page.Choice("status", "Status",
				page.Options([]stock.ReceiptStatus{stock.ReceiptCompleted, stock.ReceiptCancelled}))},
			Find: func(c *page.Ctx, q page.Query) (record.Found[stock.GoodsReceipt], error) {
				return stock.ListReceipts(c.Tx,
					stock.ReceiptFilter{Shown: q.Search, Status: stock.ReceiptStatus(q.Get("status"))}, q.Page)
			},
			Columns: func(r stock.GoodsReceipt) []page.Column {
				return []page.Column{page.Col("Number", page.T(r.Number)).By("number"),
					page.Col("Date", page.At(r.At)).By("date"), page.Minor("Warehouse", warehouses.of(r.Warehouse)),
					page.Col("Status", receiptBadge(r.Status)).By("status"),
					page.Minor("Lines", page.Count(len(r.Lines)))}
			}},
		Record: page.Record[stock.GoodsReceipt]{Show: showReceipt, Edit: billReceipt,
			Actions: []page.Action[stock.GoodsReceipt]{chargeReceipt(), reverseCharge(),
				worded(reverse, reason, "The receipt is reversed.", purchasing.ReverseReceipt, receiptNumber)}}}}
}

func showReceipt(c *page.Ctx, r stock.GoodsReceipt) (page.Sheet, error) {
	grid := page.Grid{Title: "Lines", Heads: []string{"Item", "Name", "Quantity", "Billed", "Cost", "Location", "Batch",
		"Expires", "Serial number", "Order"}}
	parts := itemsCalled(c, each.Of(r.Lines, func(l stock.ReceiptLine) string { return l.Item })...)
	expiries, err := stock.Expiries(c.Tx, r.Lines)
	if err != nil {
		return page.Sheet{}, err
	}
	for i, l := range r.Lines {
		order := page.To(l.TransferOrder, page.Path("transfers", l.TransferOrder))
		if l.PurchaseOrder != "" {
			order = page.To(l.PurchaseOrder, page.Path("purchase-orders", l.PurchaseOrder))
		}
		grid.Rows = append(grid.Rows, []page.Value{page.To(l.Item, page.Path("items", l.Item)), page.T(l.ItemName),
			amount(parts, l.Item, l.Quantity), page.Qty(l.Billed), page.Cost(l.UnitCost, base(c)),
			page.T(l.Location), page.T(l.Batch), page.Day(expiries[i]), page.T(l.Serial), order})
	}
	bills, err := payable.OfReceipt(c.Tx, &r)
	return page.Sheet{Title: c.Say("Receipt %s", r.Number), Badges: []page.Value{receiptBadge(r.Status)},
		Parts: []page.Part{grid, landedCost(c, r), billedGrid(bills), page.Noted("Notes", r.Notes)},
		Side: []page.Part{page.Facts{Title: "Goods receipt", Facts: []page.Fact{{Label: "Date", Value: page.At(r.At)},
			{Label: "Warehouse", Value: warehouses.called(c, r.Warehouse)}}}}}, err
}

// receiptsOf are the receipts of a document, nothing where there are none.
func receiptsOf(c *page.Ctx, of stock.ReceiptFilter) (page.Part, error) {
	found, err := stock.ListReceipts(c.Tx, of, all())
	grid := page.Grid{Title: "Goods receipts", Heads: []string{"Number", "Date", "Status"}}
	for _, r := range found.Items {
		grid.Rows = append(grid.Rows, []page.Value{page.To(r.Number, page.Path("receipts", r.Number)), page.At(r.At),
			receiptBadge(r.Status)})
	}
	return grid.IfAny(), err
}

// landedCost is what the delivery cost on its way, item by item.
func landedCost(c *page.Ctx, r stock.GoodsReceipt) page.Part {
	grid := page.Grid{Title: "Landed cost", Heads: []string{"Cost", "Reference", "Date", "Item", "Amount", "In stock",
		"Cost of goods sold", "Status"}}
	for _, x := range r.Charges {
		status := page.Badge("Booked", page.Good)
		if x.ReversedAt != 0 {
			status = page.Badge("Reversed", page.Calm)
		}
		for _, s := range x.Shares {
			grid.Rows = append(grid.Rows, []page.Value{page.T(itoa(x.Number) + " " + c.Say(string(x.Kind))),
				page.T(x.Reference), page.At(x.BookedAt), page.To(s.Item, page.Path("items", s.Item)),
				page.Money(s.Amount, base(c)), page.Amount(s.InStock.Sub(s.Returned), base(c)),
				page.Amount(soldOf(x, s), base(c)), status})
		}
	}
	return grid.IfAny()
}

// soldOf is the part of a share that is cost of goods sold; of a charge that was reversed nothing is.
func soldOf(x stock.Charge, s stock.ChargeShare) dec.Dec {
	if x.ReversedAt != 0 {
		return 0
	}
	return s.Sold()
}

func chargeReceipt() page.Action[stock.GoodsReceipt] {
	may := allows(stock.ReceiptMoves, "charge", func(r stock.GoodsReceipt) stock.ReceiptStatus { return r.Status })
	a := page.Action[stock.GoodsReceipt]{Name: "charge", Label: "Add landed cost", Permission: "purchase-orders:write",
		When: may, Confirm: "Freight or customs are spread over the lines: what lies in stock still becomes dearer, the rest is cost of goods sold."}
	return page.Ask(a,
		func(*page.Ctx, stock.GoodsReceipt) (stock.NewCharge, error) {
			return stock.NewCharge{Kind: stock.Freight, Basis: stock.ByValue}, nil
		},
		func(_ *page.Ctx, _ stock.GoodsReceipt, n *stock.NewCharge) []page.Field {
			return []page.Field{
				page.OneOf("kind", "Cost", &n.Kind).Required(),
				page.OneOf("basis", "Spread by", &n.Basis).Required(),
				page.Decimal("amount", "Amount", &n.Amount).Required().
					Hint("In the company's currency, without tax."),
				page.Text("reference", "Reference", &n.Reference)}
		},
		told("The cost is spread over the receipt.", stock.AddCharge, receiptNumber))
}

// taken is which charge is taken back, as a form asks for it.
type taken struct {
	charge int
	reason string
}

func reverseCharge() page.Action[stock.GoodsReceipt] {
	stands := func(r stock.GoodsReceipt) (last int) {
		for _, x := range r.Charges {
			if x.ReversedAt == 0 {
				last = x.Number
			}
		}
		return last
	}
	a := page.Action[stock.GoodsReceipt]{Name: "reverse-charge", Label: "Take landed cost back",
		Permission: "purchase-orders:write", Tone: page.Bad,
		When:    func(r stock.GoodsReceipt) bool { return stands(r) > 0 },
		Confirm: "It leaves the value of the stock again, as far as the goods are there."}
	return page.Ask(a,
		func(_ *page.Ctx, r stock.GoodsReceipt) (taken, error) { return taken{charge: stands(r)}, nil },
		func(_ *page.Ctx, _ stock.GoodsReceipt, t *taken) []page.Field {
			return []page.Field{page.Number("charge", "Number", &t.charge).Max(3).Required(),
				page.Text("reason", "Reason", &t.reason).Required()}
		},
		func(c *page.Ctx, r stock.GoodsReceipt, t taken) (page.Done, error) {
			_, err := stock.ReverseCharge(c.Tx, r.Number, t.charge, t.reason)
			return page.Did("The cost is taken back."), err
		})
}
