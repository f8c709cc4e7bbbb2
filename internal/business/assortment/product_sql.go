package assortment

import (
	"encoding/json"

	"kontor/internal/business/channel"
	"kontor/internal/business/media"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// assetsOf are the pictures and documents of an item: the primary picture first, then in their order.
func assetsOf(tx *db.Tx, itemID string) ([]media.ItemAsset, error) {
	return db.Rows(tx, `-- assortment.assetsOf
		select id, kind, title, alt_text, sort_order, is_primary, file_name, hash, content_type, file_size, width, height from item_asset
		where company = :company and item_id = :item order by is_primary desc, sort_order, id`, db.Args{"item": itemID},
		func(r db.Row, a *media.ItemAsset) error {
			return r.Scan(&a.ID, &a.Kind, &a.Title, &a.AltText, &a.SortOrder, &a.IsPrimary, &a.FileName, &a.Hash,
				&a.ContentType, &a.FileSize, &a.Width, &a.Height)
		})
}

// attributesOf are what an item has of the attributes that product pages show, by group and name.
func attributesOf(tx *db.Tx, itemID string) (out []AttributeGroup, err error) {
	err = tx.Each(`-- assortment.attributesOf
		select a.group_name, a.code, a.name, a.unit, a.data_type, v.value
		from item_attribute v join attribute a on a.company = v.company and a.code_key = v.attribute_key
		where v.company = :company and v.item_id = :item and a.is_active = 1 and a.is_visible = 1
		order by a.group_name, a.name, v.attribute_key, v.position`, db.Args{"item": itemID}, func(r db.Row) error {
		var group, value string
		var a AttributeValue
		if err := r.Scan(&group, &a.Code, &a.Name, &a.Unit, &a.DataType, &value); err != nil {
			return err
		}
		if n := len(out); n == 0 || out[n-1].Name != group {
			out = append(out, AttributeGroup{Name: group})
		}
		g := &out[len(out)-1]
		if n := len(g.Attributes); n == 0 || g.Attributes[n-1].Code != a.Code {
			g.Attributes = append(g.Attributes, a)
		}
		last := &g.Attributes[len(g.Attributes)-1]
		last.Values = append(last.Values, value)
		return nil
	})
	return out, err
}

// ofCustomer are the visible items for which a customer has numbers of its own.
func ofCustomer(tx *db.Tx, c channel.Channel, customer string) ([]*Article, error) {
	mark, err := json.Marshal(customer)
	if err != nil {
		return nil, err
	}
	return db.Rows(tx, `-- assortment.ofCustomer
		`+articles+` and i.cross_references <> '' and instr(i.cross_references, :mark) > 0 order by i.number_key`,
		db.Args{"mark": `"customerNumber":` + string(mark), "channel": record.Fold(c.Code)}, scanArticle)
}
