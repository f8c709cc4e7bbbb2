package backoffice

import (
	"cmp"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/front/page"
)

// replenishmentOf is how an item is replenished in each of the active warehouses.
func replenishmentOf(c *page.Ctx, t catalog.Item) (page.Part, error) {
	if !t.InStock() || !c.May("inventory:read") {
		return nil, nil
	}
	book, err := reference.Of(c.Tx)
	if err != nil {
		return nil, err
	}
	grid := page.Grid{Title: "Replenishment", Heads: []string{"Warehouse", "Comes by", "Lot size", "Reorder point",
		"At most", "Safety stock", "Lead time, days", ""}}
	for _, w := range book.Warehouses() {
		if !w.IsActive {
			continue
		}
		s, err := stock.FindItemWarehouse(c.Tx, t.Number, w.Code)
		if err != nil {
			return nil, err
		}
		by := cmp.Or(s.Replenishment, t.Replenishment)
		status := page.Each(page.To(c.Say("Edit"), page.Path("items", t.Number, "replenishment", w.Code)),
			page.To(c.Say("Outlook"), page.Path("planning", t.Number, w.Code)))
		if !s.IsActive {
			status = page.Each(page.Active(false), status)
		}
		safety := cmp.Or(s.SafetyStock, s.CalculatedSafetyStock)
		grid.Rows = append(grid.Rows, []page.Value{page.T(named(w.Code, w.Name)), page.Word(page.Words(string(by))),
			page.Word(page.Words(string(s.LotSizing))), page.MaybeQty(s.MinQuantity, ""),
			page.MaybeQty(s.MaxQuantity, ""), page.MaybeQty(safety, ""), maybeCount(s.LeadTimeDays), status})
	}
	return grid, nil
}

// replenishmentForm says how an item is replenished in a warehouse.
func replenishmentForm() page.Page {
	return page.Form[stock.ItemWarehouse]{Path: "/items/{number}/replenishment/{warehouse}", Title: "Replenishment",
		Permission: "inventory:write", Crumbs: itemCrumbs,
		Load: func(c *page.Ctx) (stock.ItemWarehouse, error) {
			return stock.FindItemWarehouse(c.Tx, c.Path("number"), c.Path("warehouse"))
		},
		Heading: func(c *page.Ctx, w stock.ItemWarehouse) string {
			return c.Say("Replenishment") + ": " + w.Item + ", " + w.Warehouse
		},
		Fields: func(c *page.Ctx, w *stock.ItemWarehouse) []page.Field {
			return []page.Field{
				page.Check("isActive", "Active: planning looks after it", &w.IsActive),
				page.OneOf("importance", "Importance", &w.Importance).Required(),
				page.OneOf("replenishmentType", "Comes by", &w.Replenishment).
					Hint("Empty: as the item says."),
				page.OneOf("supplyPolicy", "Supply", &w.SupplyPolicy).Required(),
				page.OneOf("lotSizing", "Lot size", &w.LotSizing).Required(),
				page.Maybe("minQuantity", "Reorder point", &w.MinQuantity),
				page.Maybe("maxQuantity", "At most", &w.MaxQuantity), page.Maybe("reorderQuantity", "Reorder quantity",
					&w.ReorderQuantity),
				page.Maybe("safetyStock", "Safety stock", &w.SafetyStock).
					Hint("Empty: the one that planning calculates."),
				page.Maybe("serviceLevelOverride", "Service level", &w.ServiceLevel).Hint("A share between 0 and 1."),
				page.MaybeNumber("leadTimeDays", "Lead time, days", &w.LeadTimeDays),
				page.Select("transferFromWarehouseCode", "Transferred from", &w.TransferFrom, warehouses.offered(c)),
				page.MaybeNumber("transferLeadTimeDays", "Days of transfer", &w.TransferDays),
			}
		},
		Save: page.ChangedPart("number", "warehouse", stock.ChangeItemWarehouse)}
}
