package backoffice

import (
	"kontor/internal/business/reference"
	"kontor/internal/front/page"
)

// warehouseSettings are the pages of warehouses and their locations.
func warehouseSettings() []page.Page {
	return pages(codes[reference.Warehouse]{kind: warehouses, resource: reference.Warehouses, title: "Warehouses",
		one: "Warehouse", new: "New warehouse", lead: "Places that keep stock, with their locations.",
		save: reference.SaveWarehouses,
		begin: func(c *page.Ctx) reference.Warehouse {
			return reference.Warehouse{CountryCode: c.Tx.Info.Country}
		},
		fields: func(c *page.Ctx, w *reference.Warehouse) []page.Field {
			return []page.Field{page.Number("transportDays", "Days from here to a customer", &w.TransportDays),
				page.Group("Address", page.Text("street1", "Street", &w.Street1),
					page.Text("street2", "Street, second line", &w.Street2),
					page.Code("postalCode", "Postal code", &w.PostalCode), page.Text("city", "City", &w.City),
					country("countryCode", "Country", &w.CountryCode).Suggest(countries(c)))}
		},
		shown: func(w reference.Warehouse) []page.Column {
			return []page.Column{page.Minor("City", page.T(w.City)),
				page.Minor("Country", page.T(w.CountryCode)),
				page.Minor("Days from here to a customer", page.Count(w.TransportDays))}
		},
		parts: locationsOf}.pages(), []page.Page{locationForm("/settings/warehouses/{code}/locations/{location}",
		"Location"), locationForm("/new/settings/warehouses/{code}/locations", "New location")})
}

// locationsOf are the locations of a warehouse.
func locationsOf(c *page.Ctx, w reference.Warehouse) ([]page.Part, error) {
	book, err := reference.Of(c.Tx)
	if err != nil {
		return nil, err
	}
	grid := page.Grid{Title: "Locations", Heads: []string{"Code", "Name", "Zone", "Picked from", "Returns",
		"Quarantine", "Status"},
		Go: []page.Go{{Label: "New location", Path: "/new" + page.Path("settings", "warehouses", w.Code, "locations")}}}
	for _, l := range book.Locations(w.Code) {
		code := page.T(l.Code)
		if c.May("settings:write") {
			code = page.To(l.Code, page.Path("settings", "warehouses", w.Code, "locations", l.Code))
		}
		grid.Rows = append(grid.Rows, []page.Value{code, page.T(l.Name), page.T(l.Zone), yes(l.IsPickable),
			yes(l.IsReturns), yes(l.IsQuarantine), page.Active(l.IsActive)})
	}
	return []page.Part{grid}, nil
}

// locationForm makes a location of a warehouse, or changes the one in its path.
func locationForm(path, title string) page.Page {
	load := func(c *page.Ctx) (reference.Location, error) {
		book, err := reference.Of(c.Tx)
		if err != nil {
			return reference.Location{}, err
		}
		w, ok := book.Warehouse(c.Path("code"))
		if !ok {
			return reference.Location{}, reference.ErrWarehouseNotFound.Because("there is no warehouse %q",
				c.Path("code"))
		}
		if c.Path("location") == "" {
			return reference.Location{Warehouse: w.Code, IsActive: true, IsPickable: true}, nil
		}
		l, ok := book.Location(w.Code, c.Path("location"))
		if !ok {
			return l, errNoCode.Because("warehouse %s has no location %q", w.Code, c.Path("location"))
		}
		return l, nil
	}
	up := func(c *page.Ctx) string { return page.Path("settings", "warehouses", c.Path("code")) }
	return page.Form[reference.Location]{Path: path, Title: title, Permission: "settings:write",
		Resource: reference.Locations, Load: load, Back: up, Crumbs: crumbs("Warehouses", "/settings/warehouses", "", "code"),
		Fields: func(_ *page.Ctx, l *reference.Location) []page.Field {
			return []page.Field{page.Code("code", "Code", &l.Code).Required().FixedIf(l.ID != ""),
				page.Text("name", "Name", &l.Name).Required(), page.Code("zone", "Zone", &l.Zone),
				page.Check("isPickable", "Orders are picked from here", &l.IsPickable),
				page.Check("isReturns", "Returns are put here", &l.IsReturns),
				page.Check("isQuarantine", "Quarantine: what lies here covers no order", &l.IsQuarantine),
				page.Check("isActive", "Active", &l.IsActive)}
		},
		Save: page.Remade(load, func(c *page.Ctx, l reference.Location) (page.Done, error) {
			if book, err := reference.Of(c.Tx); err != nil {
				return page.Done{}, err
			} else if old, ok := book.Location(l.Warehouse, l.Code); ok && old.ID != l.ID {
				return page.Done{}, page.Refusal("code", "there is one with the code %s already", old.Code)
			}
			return page.Went(up(c), "Saved."), reference.SaveLocations(c.Tx, l)
		})}
}
