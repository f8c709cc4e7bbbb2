package exchange

import (
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
)

func warehouseKind() kind {
	return kind{name: "warehouses", shownKey: []string{"warehouseCode", "locationCode"}, duplicate: fault.ErrInvalid,
		booker: func() booker { return &warehouses{headsOf(warehouseHead())} }, export: exportWarehouses,
		fields: append(warehouseHead(), of[reference.Location](
			key(as("Code", column(code, "locationCode", "location", "bin"))),
			kept(as("Name", column(nameText, "locationName"))),
			column(code, "zone"),
			truth("isPickable"),
			truth("isReturns"),
			truth("isQuarantine"),
			as("IsActive", truth("locationIsActive")),
		)...)}
}

// warehouseHead are the columns of a warehouse itself.
func warehouseHead() []field {
	return of[reference.Warehouse](
		must(key(as("Code", column(code, "warehouseCode", "warehouse", "code")))),
		kept(as("Name", column(nameText, "warehouseName", "name"))),
		truth("isActive", "active"),
		column(nameText, "street1", "street", "address"),
		column(nameText, "street2"),
		column(code, "postalCode", "postcode", "zip"),
		column(nameText, "city"),
		column(code, "countryCode", "country", "countryName"),
		number("transportDays"),
	)
}

// warehouses books warehouses with their locations: a row is a location, and repeats the columns of its warehouse. A
// row without a location is the warehouse alone.
type warehouses struct{ heads }

func (b *warehouses) book(tx *db.Tx, rows []*row) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	var heads []reference.Warehouse
	var before []int64
	var groups [][]*row
	for _, group := range b.groups(rows) {
		head := b.of(group[0])
		w, ok := book.Warehouse(head.get("warehouseCode"))
		if !ok {
			w = reference.Warehouse{Code: head.get("warehouseCode"), Name: head.get("warehouseCode"), IsActive: true}
		}
		version := w.Version
		if err := head.lay(&w); err != nil {
			refuseAll(group, head, err)
			continue
		}
		if named, ok := reference.CountryNamed(w.CountryCode); ok {
			w.CountryCode = named
		}
		heads, before, groups = append(heads, w), append(before, version), append(groups, group)
	}
	if err := reference.SaveWarehouses(tx, heads...); err != nil {
		return err
	}
	made := false
	var all []*row
	for n, group := range groups {
		o := revised(before[n], heads[n].Version)
		made = made || o != unchanged
		if head := b.of(group[0]); head == group[0] || o == created {
			group[0].became(o)
		}
		all = append(all, group...)
	}
	if err := bookLocations(tx, book, all); err != nil {
		return err
	}
	return without(made, rows)
}

func bookLocations(tx *db.Tx, book *reference.Book, rows []*row) error {
	var locations []reference.Location
	var before []int64
	var of []*row
	for _, r := range rows {
		if r.get("locationCode") == "" {
			r.became(unchanged)
			continue
		}
		l, ok := book.Location(r.get("warehouseCode"), r.get("locationCode"))
		if !ok {
			l = reference.Location{Warehouse: r.get("warehouseCode"), Code: r.get("locationCode"),
				Name: r.get("locationCode"), IsPickable: true, IsActive: true}
		}
		version := l.Version
		if err := r.lay(&l); err != nil {
			r.refuse(err)
			continue
		}
		locations, before, of = append(locations, l), append(before, version), append(of, r)
	}
	if err := reference.SaveLocations(tx, locations...); err != nil {
		return err
	}
	for n, l := range locations {
		of[n].became(revised(before[n], l.Version))
	}
	return nil
}

func exportWarehouses(tx *db.Tx, p *printer) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	for _, w := range book.Warehouses() {
		locations := book.Locations(w.Code)
		if len(locations) == 0 {
			if err := p.record(nil, w); err != nil {
				return err
			}
		}
		if err := each.Do(locations, func(l reference.Location) error { return p.record(nil, w, l) }); err != nil {
			return err
		}
	}
	return nil
}
