package backoffice

import (
	"cmp"
	"slices"
	"strings"

	"kontor/internal/business/purchasing"
	"kontor/internal/business/replenishment"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// proposals are the pages of planning: what to buy, move and make, why, and the drafts that are made of it.
func proposals() []page.Page {
	return []page.Page{proposalList(), outlookSheet(), draftsForm()}
}

// proposalKey names a proposal from one run to the next, as long as nothing has changed that it follows from.
func proposalKey(p replenishment.Proposal) string {
	return strings.Join([]string{p.Item, p.Warehouse, string(p.Way), string(p.ComesOn), p.Quantity.String()}, "|")
}

// proposed is a proposal with the name of who it is bought from.
type proposed struct {
	replenishment.Proposal
	supplier string
}

func proposalList() page.Page {
	return page.List[proposed]{Path: "/planning", Title: "Planning", Permission: "inventory:read",
		Menu: true, Search: "Item, name, warehouse, supplier",
		Lead:  "What to buy, move and make. A plan that took long to work out is shown again for some minutes; drafts are made of the newest figures.",
		Empty: "Nothing has to be ordered.",
		Filters: []page.Filter{page.Choice("way", "Kind", page.Options(replenishment.Way("").Values())),
			page.ChoiceOf("warehouse", "Warehouse", warehouses.offered)},
		Find: func(c *page.Ctx, q page.Query) (record.Found[proposed], error) {
			board, err := replenishment.Current(c.Tx)
			if err != nil {
				return record.Found[proposed]{}, err
			}
			all := slices.DeleteFunc(slices.Clone(board.Proposals), func(p replenishment.Proposal) bool {
				way, warehouse := q.Get("way"), q.Get("warehouse")
				return way != "" && way != string(p.Way) || warehouse != "" && warehouse != p.Warehouse
			})
			all = page.Narrow(all, q, func(p replenishment.Proposal) []string {
				return []string{p.Item, p.Name, p.Warehouse, p.Supplier}
			})
			return sourced(c, page.Cut(all, q))
		},
		Href: func(p proposed) string { return page.Path("planning", p.Item, p.Warehouse) },
		Key: func(p proposed) string {
			if p.Quantity <= 0 {
				return "" // it says what is short; there is nothing to draft
			}
			return proposalKey(p.Proposal)
		},
		Bulk: []page.Go{{Label: "Make drafts of the chosen", Path: "/new/drafts"}},
		Columns: func(p proposed) []page.Column {
			is := p.Quantity > 0 || p.Item == ""
			return []page.Column{page.Col("Item", page.T(p.Item)), page.Minor("Name", page.T(p.Name)),
				page.Col("Kind", page.Word(page.Words(string(p.Way)))),
				page.Col("Quantity", orNothing(p.Quantity)), page.Col("Warehouse", warehouses.of(p.Warehouse)),
				page.Minor("From", source(p)), page.Minor("Order on", page.Day(p.OrderOn).If(is)),
				page.Minor("Comes on", page.Day(p.ComesOn).If(is)), page.Minor("Warnings", warnings(p.Proposal)),
				page.Minor("Reason", page.Word(page.Words(string(p.Reason)))),
				page.Minor("Stock then", page.Qty(p.Projected)), page.Minor("At least", page.Qty(p.Trigger))}
		}}
}

// sourced are proposals with the names of their suppliers.
func sourced(c *page.Ctx, found record.Found[replenishment.Proposal]) (record.Found[proposed], error) {
	suppliers, err := purchasing.FindSuppliers(c.Tx,
		each.Of(found.Items, func(p replenishment.Proposal) string { return p.Supplier }))
	return listed(found, func(p replenishment.Proposal) proposed {
		return proposed{p, suppliers[record.Fold(p.Supplier)].Name}
	}), err
}

// source is where the goods of a proposal come from.
func source(p proposed) page.Value {
	if p.Supplier == "" {
		return warehouses.of(p.From)
	}
	return page.T(p.Supplier).Called(func(*page.Ctx) page.Value { return page.T(cmp.Or(p.supplier, p.Supplier)) })
}

// orNothing is what is proposed; a row may only say what is short, where all that can be ordered is ordered.
func orNothing(q dec.Dec) page.Value {
	if q <= 0 {
		return page.Word("Nothing more")
	}
	return page.Qty(q)
}

func warnings(p replenishment.Proposal) page.Value {
	out := each.Of(p.Warnings, func(w replenishment.Warning) page.Value { return page.Badge(w, page.Warn) })
	return page.Each(out...)
}

// draftsForm makes drafts of the proposals that were chosen: purchase orders, transfers and work orders.
func draftsForm() page.Page {
	return page.Form[[]string]{Path: "/new/drafts", Title: "Make drafts", Permission: "purchase-orders:write",
		Settles: true, Submit: "Make the drafts",
		Lead:   "A purchase order for each supplier and warehouse, a transfer for each two warehouses, a work order for each item. They are drafts: nobody is written to.",
		Crumbs: crumb("Planning", "/planning"), Load: func(c *page.Ctx) ([]string, error) { return c.Chosen(), nil },
		Fields: func(c *page.Ctx, keys *[]string) []page.Field {
			options := make([]page.Option, len(c.Chosen()))
			for i, key := range c.Chosen() {
				options[i] = page.Option{Value: key, Label: proposalSaid(c, key)}
			}
			return []page.Field{page.Checks("proposals", "Proposals", keys, options)}
		},
		Save: page.Made(nil, func(c *page.Ctx, keys []string) (page.Done, error) {
			chosen, made, err := replenishment.Draft(c.Tx, itemsOf(keys),
				func(p replenishment.Proposal) bool { return slices.Contains(keys, proposalKey(p)) })
			if err != nil {
				return page.Done{}, err
			}
			if len(chosen) == 0 {
				return page.Done{}, page.Refusal("proposals",
					"none of these is proposed any more: choose among what is proposed now")
			}
			said := page.Went(draftsAt(made), "Drafts made: purchase orders %d, transfers %d, work orders %d.",
				len(made.PurchaseOrders), len(made.Transfers), len(made.WorkOrders))
			if n := len(keys) - len(chosen) + len(made.LeftOut); n > 0 {
				said.Say = "Drafts made: purchase orders %d, transfers %d, work orders %d. Proposals left out: %d; they stand in the list with what is missing."
				said.Args = append(said.Args, n)
			}
			return said, nil
		})}
}

// draftsAt is where the drafts stand that were made: the one there is, the drafts of its kind, or where they were made
// where there are several kinds.
func draftsAt(made replenishment.Made) string {
	var at []string
	for _, o := range made.PurchaseOrders {
		at = append(at, page.Path("purchase-orders", o.Number))
	}
	for _, t := range made.Transfers {
		at = append(at, page.Path("transfers", t.Number))
	}
	for _, o := range made.WorkOrders {
		at = append(at, page.Path("work-orders", o.Number))
	}
	switch len(at) {
	case 0:
	case len(made.PurchaseOrders):
		return one(at, "/purchase-orders?status=Draft")
	case len(made.Transfers):
		return one(at, "/transfers?status=Draft")
	case len(made.WorkOrders):
		return one(at, "/work-orders?status=Draft")
	}
	return "/planning"
}

// one is where the only one of several leads, or where there are more, the list of them.
func one(at []string, list string) string {
	if len(at) == 1 {
		return at[0]
	}
	return list
}

// partsOf are the parts of a key; an item's number may have bars of its own.
func partsOf(key string) [5]string {
	p := append(make([]string, 5), strings.Split(key, "|")...)
	n := len(p)
	return [5]string{strings.TrimLeft(strings.Join(p[:n-4], "|"), "|"), p[n-4], p[n-3], p[n-2], p[n-1]}
}

// itemsOf are the numbers of the items that keys name.
func itemsOf(keys []string) []string {
	return each.Of(keys, func(key string) string { return partsOf(key)[0] })
}

func proposalSaid(c *page.Ctx, key string) string {
	p := partsOf(key)
	return c.Say("%s of %s for %s: %s, %s", p[4], p[0], p[1], c.Say(page.Words(p[2])), c.Show(page.Day(day.Date(p[3]))))
}
