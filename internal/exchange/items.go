package exchange

import (
	"fmt"
	"slices"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// items books items with their units, options, cross references and attribute values. A category or brand that is not
// there is made where the row says its name.
type items struct {
	plain
	attributes []catalog.Attribute // of the sheet's columns
}

func (b *items) prepare(tx *db.Tx, s *sheet) error {
	for _, column := range s.attributes {
		a, err := catalog.FindAttribute(tx, column.code)
		if fault.Is(err, catalog.ErrAttributeNotFound) {
			return fmt.Errorf(
				"there is no attribute %q, for which a column is named: import attributes first, or rename the column",
				column.code)
		}
		if err != nil {
			return err
		}
		b.attributes = append(b.attributes, a)
	}
	return nil
}

// after keeps a variant behind its parent.
func (b *items) after(r *row) string { return record.Fold(r.get("variantOf")) }

func (b *items) book(tx *db.Tx, rows []*row) error {
	made, err := b.makeNamed(tx, rows)
	if err != nil {
		return err
	}
	e := itemEditor{items: b}
	if e.book, err = reference.Of(tx); err != nil {
		return err
	}
	drafts, before := make([]catalog.Draft, len(rows)), make([]int64, len(rows))
	values := make([]map[string][]string, len(rows))
	for n, r := range rows {
		drafts[n] = catalog.Draft{Number: r.get("itemNumber"), Edit: func(i *catalog.Item) (err error) {
			before[n] = i.Version
			values[n], err = e.edit(r, i)
			return err
		}}
	}
	out, err := catalog.Save(tx, drafts, catalog.UpsertMode)
	if err != nil {
		return err
	}
	for n, o := range out {
		if o.Err != nil {
			rows[n].refuse(o.Err)
		}
		rows[n].became(revised(before[n], o.Item.Version))
	}
	if err := without(made, rows); err != nil {
		return err
	}
	return b.writeValues(tx, rows, out, values)
}

// makeNamed makes the categories and brands that rows name and that are not there.
func (b *items) makeNamed(tx *db.Tx, rows []*row) (made bool, err error) {
	categories, err := unknown(tx, rows, "categoryCode", "categoryName", categoriesThere)
	if err != nil {
		return false, err
	}
	for _, c := range categories {
		if _, err := catalog.CreateCategory(tx, catalog.Category{Code: c.name, Name: c.value,
			IsActive: true}); err != nil {
			return false, err
		}
	}
	brands, err := unknown(tx, rows, "brandCode", "brandName", brandsThere)
	if err != nil {
		return false, err
	}
	for _, c := range brands {
		if _, err := catalog.CreateBrand(tx, catalog.Brand{Code: c.name, Name: c.value, IsActive: true}); err != nil {
			return false, err
		}
	}
	return len(categories)+len(brands) > 0, nil
}

// unknown are the codes, with their names, that rows give and that there does not know.
func unknown(tx *db.Tx, rows []*row, codeField, nameField string, there func(*db.Tx, []string) (map[string]bool,
	error)) ([]pair, error) {
	var found []pair
	var keys []string
	for _, r := range rows {
		code, name := r.get(codeField), r.get(nameField)
		if key := record.Fold(code); code != "" && name != "" && !slices.Contains(keys, key) {
			keys, found = append(keys, key), append(found, pair{code, name})
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	known, err := there(tx, keys)
	return slices.DeleteFunc(found, func(p pair) bool { return known[record.Fold(p.name)] }), err
}

// itemEditor lays rows over items.
type itemEditor struct {
	*items
	book *reference.Book
}

// edit lays a row over an item, and reads its attribute values by attribute code.
func (e *itemEditor) edit(r *row, i *catalog.Item) (values map[string][]string, err error) {
	c := r.cells()
	c.lay(i)
	if c.has("variantOptions") {
		i.VariantOptions = nil
		for _, p := range c.pairs("variantOptions") {
			i.VariantOptions = append(i.VariantOptions, catalog.Option{Name: p.name, Value: p.value})
		}
	}
	e.references(c, i)
	e.units(c, i)
	values = e.values(c)
	return values, c.wrong.Err()
}

// references reads the numbers that others have for the item: Manufacturer=X-1;Customer:10001=Y-2.
func (e *itemEditor) references(c *cells, i *catalog.Item) {
	if !c.has("crossReferences") {
		return
	}
	i.CrossReferences = nil
	for _, p := range c.pairs("crossReferences") {
		name, customer, _ := strings.Cut(p.name, ":")
		r := catalog.CrossReference{Type: catalog.ReferenceType(strings.TrimSpace(name)), Value: p.value,
			CustomerNumber: strings.TrimSpace(customer)}
		for _, t := range r.Type.Values() {
			if strings.EqualFold(string(t), string(r.Type)) {
				r.Type = t
			}
		}
		i.CrossReferences = append(i.CrossReferences, r)
	}
}

// units reads the units beside the base unit, with their factors and perhaps a GTIN: BOX=12;PALLET=480:7350000000000.
func (e *itemEditor) units(c *cells, i *catalog.Item) {
	if !c.has("units") {
		return
	}
	i.Units = nil
	for _, p := range c.pairs("units") {
		factor, gtin, _ := strings.Cut(p.value, ":")
		u := catalog.Unit{Code: p.name, Factor: c.decimal("units", strings.TrimSpace(factor)),
			GTIN: strings.TrimSpace(gtin)}
		i.Units = append(i.Units, u)
	}
	catalog.CheckUnits(e.book, &c.wrong, i, func(int, string) string { return "units" })
}

// values reads the attribute columns, in the plain form that values are kept in.
func (e *itemEditor) values(c *cells) map[string][]string {
	values := make(map[string][]string, len(e.attributes))
	for n, a := range e.attributes {
		cell := ""
		if at := c.sheet.attributes[n].column; at < len(c.row.values) {
			cell = c.row.values[at]
		}
		if cell == "" {
			values[a.Code] = nil
			continue
		}
		given := []string{cell}
		if a.IsMultiValue {
			given = split(cell)
		}
		plain, err := catalog.CheckValues(a, given)
		if err != nil {
			c.wrong.Add(catalog.ErrInvalidValue, attributePrefix+a.Code, "%s", fault.As(err).Detail)
			continue
		}
		values[a.Code] = plain
	}
	return values
}

// writeValues writes the attribute values of booked items: of new ones all at once, of others those that differ.
func (b *items) writeValues(tx *db.Tx, rows []*row, out []catalog.Outcome, values []map[string][]string) error {
	if len(b.attributes) == 0 {
		return nil
	}
	var present []string
	fresh := map[string]map[string][]string{}
	for _, o := range out {
		if o.Err == nil && !o.Created {
			present = append(present, o.Item.ID)
		}
	}
	codes := each.Of(b.attributes, func(a catalog.Attribute) string { return a.Code })
	had, err := valuesThere(tx, present, codes)
	if err != nil {
		return err
	}
	for n, o := range out {
		switch {
		case o.Err != nil:
		case o.Created:
			fresh[o.Item.ID] = values[n]
		default:
			if err := b.changeValues(tx, rows[n], o.Item, had[o.Item.ID], values[n]); err != nil {
				return err
			}
		}
	}
	return catalog.PutManyValues(tx, fresh)
}

func (b *items) changeValues(tx *db.Tx, r *row, i catalog.Item, had, values map[string][]string) error {
	for _, a := range b.attributes {
		now, was := values[a.Code], had[record.Fold(a.Code)]
		if slices.Equal(now, was) {
			continue
		}
		var err error
		if len(now) == 0 {
			_, err = catalog.ClearValues(tx, i.Number, a.Code)
		} else {
			_, err = catalog.PutValues(tx, i.Number, a.Code, now)
		}
		if err != nil {
			return err
		}
		r.became(updated)
	}
	return nil
}

// exportItems writes items by number, and the values of every attribute that some item has a value of.
func exportItems(tx *db.Tx, p *printer) error {
	used, err := attributesUsed(tx)
	if err != nil {
		return err
	}
	names, err := namesOf(tx)
	if err != nil {
		return err
	}
	codes := make([]string, len(used))
	p.columns, p.options.Kinds = p.columns[:p.own], p.options.Kinds[:p.own] // it may be begun again
	for n, a := range used {
		codes[n] = a.code
		p.columns, p.options.Kinds = append(p.columns, attributePrefix+a.code), append(p.options.Kinds, a.kind())
	}
	return record.Walk(record.Page{Size: pageOf}, func(page record.Page) (record.Found[catalog.Item], error) {
		return catalog.List(tx, catalog.Filter{}, page)
	}, func(all []catalog.Item) error {
		ids := each.Of(all, func(i catalog.Item) string { return i.ID })
		values, err := valuesThere(tx, ids, codes)
		if err != nil {
			return err
		}
		costs, err := stock.AverageCosts(tx, ids)
		if err != nil {
			return err
		}
		for _, i := range all {
			cells := besideItem(i, names, costs)
			for _, a := range used {
				cells[attributePrefix+a.code] = a.cell(values[i.ID][record.Fold(a.code)])
			}
			if err := p.record(cells, i); err != nil {
				return err
			}
		}
		return nil
	})
}

// besideItem are the cells that hold what an item is not alone in.
func besideItem(i catalog.Item, names codeNames, costs map[string]dec.Dec) beside {
	var options, units, references []pair
	for _, o := range i.VariantOptions {
		options = append(options, pair{o.Name, o.Value})
	}
	for _, u := range i.Units {
		value := u.Factor.String()
		if u.GTIN != "" {
			value += ":" + u.GTIN
		}
		units = append(units, pair{u.Code, value})
	}
	for _, r := range i.CrossReferences {
		name := string(r.Type)
		if r.CustomerNumber != "" {
			name += ":" + r.CustomerNumber
		}
		references = append(references, pair{name, r.Value})
	}
	cost := ""
	if c, known := costs[i.ID]; known {
		cost = c.String()
	}
	return beside{"categoryName": names.categories[i.CategoryCode], "brandName": names.brands[i.BrandCode],
		"units": joinedPairs(units), "variantOptions": joinedPairs(options),
		"crossReferences": joinedPairs(references), "averageCost": cost}
}
