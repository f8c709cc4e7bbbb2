package backoffice

import (
	"kontor/internal/business/purchasing"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

func receiptBadge(s stock.ReceiptStatus) page.Value {
	return page.Badge(s, map[stock.ReceiptStatus]page.Tone{stock.ReceiptCompleted: page.Good,
		stock.ReceiptCancelled: page.Calm}[s])
}

// goodsReceipts are the pages of what came in.
func goodsReceipts() []page.Page {
	return []page.Page{receiptList(), receiptRecord()}
}

func receiptList() page.Page {
	return page.List[stock.GoodsReceipt]{Path: "/receipts", Sorts: []page.Sort{page.Latest()}, Own: page.Own("number"),
		Title: "Goods receipts", Permission: "receipts:read", Menu: true, Search: "Receipt or order number",
		Filters: func(*page.Ctx) []page.Filter {
			return []page.Filter{page.Choice("status", "Status",
				page.Options([]stock.ReceiptStatus{stock.ReceiptCompleted, stock.ReceiptCancelled}))}
		},
		Find: func(c *page.Ctx, q page.Query) (record.Found[stock.GoodsReceipt], error) {
			return stock.ListReceipts(c.Tx,
				stock.ReceiptFilter{Shown: q.Search, Status: stock.ReceiptStatus(q.Get("status"))}, q.Page)
		},
		Href: func(r stock.GoodsReceipt) string { return page.Path("receipts", r.Number) },
		Columns: []page.Column[stock.GoodsReceipt]{
			page.Col("Number", func(r stock.GoodsReceipt) page.Value { return page.T(r.Number) }).By("number"),
			page.Col("Date", func(r stock.GoodsReceipt) page.Value { return page.At(r.At) }).By("date"),
			page.Minor("Warehouse", func(r stock.GoodsReceipt) page.Value { return page.T(r.Warehouse) }),
			page.Col("Status", func(r stock.GoodsReceipt) page.Value { return receiptBadge(r.Status) }).By("status"),
			page.Minor("Lines", func(r stock.GoodsReceipt) page.Value { return page.Count(len(r.Lines)) })}}
}

func receiptRecord() page.Page {
	may := allows(stock.ReceiptMoves, "reverse", func(r stock.GoodsReceipt) stock.ReceiptStatus { return r.Status })
	reverse := page.Action[stock.GoodsReceipt]{Name: "reverse", Label: "Reverse", Permission: "purchase-orders:write",
		Tone: page.Bad, When: func(r stock.GoodsReceipt) bool { return may(r) && r.Lines[0].PurchaseOrder != "" },
		Confirm: "It was keyed wrongly: its goods are taken out of stock again, and are outstanding on the order."}
	return page.Record[stock.GoodsReceipt]{Path: "/receipts/{number}", Permission: "receipts:read",
		Resource: stock.Receipts, Crumbs: crumb("Goods receipts", "/receipts"),
		Load: func(c *page.Ctx) (stock.GoodsReceipt, error) { return stock.FindReceipt(c.Tx, c.Path("number")) },
		Show: showReceipt, Actions: []page.Action[stock.GoodsReceipt]{page.Ask(reverse,
			func(*page.Ctx, stock.GoodsReceipt) (string, error) { return "", nil },
			func(_ *page.Ctx, _ stock.GoodsReceipt, reason *string) []page.Field {
				return []page.Field{page.Text("reason", "Reason", reason).Required()}
			},
			func(c *page.Ctx, r stock.GoodsReceipt, reason string) (page.Done, error) {
				_, err := purchasing.ReverseReceipt(c.Tx, r.Number, reason)
				return page.Did("The receipt is reversed."), err
			})}}
}

func showReceipt(c *page.Ctx, r stock.GoodsReceipt) (page.Sheet, error) {
	grid := page.Grid{Title: "Lines", Heads: []string{"Item", "Name", "Quantity", "Cost", "Location", "Batch",
		"Serial number", "Order"}}
	for _, l := range r.Lines {
		order := page.To(l.TransferOrder, page.Path("transfers", l.TransferOrder))
		if l.PurchaseOrder != "" {
			order = page.To(l.PurchaseOrder, page.Path("purchase-orders", l.PurchaseOrder))
		}
		grid.Rows = append(grid.Rows, []page.Value{page.To(l.Item, page.Path("items", l.Item)), page.T(l.ItemName),
			page.QtyOf(l.Quantity, ""), page.Money(l.UnitCost, base(c)), page.T(l.Location), page.T(l.Batch),
			page.T(l.Serial), order})
	}
	s := page.Sheet{Title: c.Say("Receipt %s", r.Number), Badges: []page.Value{receiptBadge(r.Status)},
		Parts: []page.Part{grid},
		Side: []page.Part{page.Facts{Title: "Goods receipt", Facts: []page.Fact{{Label: "Date", Value: page.At(r.At)},
			{Label: "Warehouse", Value: page.T(r.Warehouse)}}}}}
	if r.Notes != "" {
		s.Parts = append(s.Parts, page.Note{Title: "Notes", Text: r.Notes})
	}
	return s, nil
}
