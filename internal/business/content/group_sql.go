package content

import (
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// groups are the item groups and suppliers of which sections show products, with the products that a channel shows of
// them.
type groups struct {
	codes, suppliers   []string
	byCode, bySupplier map[string][]string
}

func (g *groups) add(s Section) {
	if s.Type != Products {
		return
	}
	if s.ItemGroupCode != nil {
		g.codes = append(g.codes, record.Fold(*s.ItemGroupCode))
	}
	g.suppliers = append(g.suppliers, or(s.SupplierNumbers, nil)...)
}

// of are the products of a section's group and suppliers.
func (g *groups) of(s Section) (ids []string) {
	if s.ItemGroupCode != nil {
		ids = g.byCode[record.Fold(*s.ItemGroupCode)]
	}
	for _, number := range or(s.SupplierNumbers, nil) {
		ids = append(ids[:len(ids):len(ids)], g.bySupplier[number]...)
	}
	return ids
}

// mostOfGroups is how many products are read of all groups and suppliers of a page.
const mostOfGroups = 2_000

// read finds the products, what is featured first; no statement where there are no groups, else one. It begins with the
// items (cross join says so to SQLite), of which a group or a supplier has few.
func (g *groups) read(tx *db.Tx, c channel.Channel) error {
	g.byCode, g.bySupplier = map[string][]string{}, map[string][]string{}
	if len(g.codes) == 0 && len(g.suppliers) == 0 {
		return nil
	}
	return db.Each3(tx, `-- content.read
		select i.id, i.group_key, i.supplier_number from item i cross join publication p
		where i.company = :company and p.company = :company and p.item_key = i.number_key
			and p.channel_key = :channel and i.is_active = 1 and p.is_published = 1
			and (i.group_key <> '' and i.group_key in (:codes) or i.supplier_number <> '' and i.supplier_number in (:suppliers))
		order by p.is_featured desc, p.sort_order, i.number_key limit :most`,
		db.Args{"channel": record.Fold(c.Code), "codes": g.codes, "suppliers": g.suppliers, "most": mostOfGroups},
		func(id, code, supplier string) error {
			g.byCode[code] = append(g.byCode[code], id)
			g.bySupplier[supplier] = append(g.bySupplier[supplier], id)
			return nil
		})
}
