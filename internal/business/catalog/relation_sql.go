package catalog

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

// link is a row of item_relation.
type link struct {
	source string // ids of items
	kind   RelationType
	target string
	order  int
}

func (l link) key() link { l.order = 0; return l }

// ListRelations are the relations of an item by type, order and target.
func ListRelations(tx *db.Tx, itemID string, p record.Page) (record.Found[Relation], error) {
	q := record.Query{Name: "catalog.ListRelations", Select: "r.type, t.number, t.name, r.sort_order",
		From: "item_relation r join item t on t.company = r.company and t.id = r.target_id",
		Key:  []string{"r.type", "r.sort_order", "t.number_key"}}
	q.Where("r.source_id = :source", db.Args{"source": itemID})
	return record.ListOf(tx, q, p, func(r db.Row, rel *Relation) error {
		return r.Scan(&rel.Type, &rel.Target, &rel.Name, &rel.SortOrder)
	})
}

func findRelation(tx *db.Tx, source string, t RelationType, target string) (order int, found bool, err error) {
	found, err = tx.One(`-- catalog.findRelation
		select sort_order from item_relation where company = :company and source_id = :source and type = :type and target_id = :target`,
		db.Args{"source": source, "type": t, "target": target}, &order)
	return order, found, err
}

// relationsFrom are the relations of some items, as a set of links without their order.
func relationsFrom(tx *db.Tx, sources []string) (map[link]bool, error) {
	if len(sources) == 0 {
		return map[link]bool{}, nil
	}
	return db.ByKey(tx, `-- catalog.relationsFrom
		select source_id, type, target_id from item_relation where company = :company and source_id in (:sources)`,
		db.Args{"sources": sources}, func(r db.Row, l *link, is *bool) error {
			*is = true
			return r.Scan(&l.source, &l.kind, &l.target)
		})
}

func writeRelations(tx *db.Tx, links []link) error {
	return tx.Upsert("item_relation", "source_id, type, target_id, sort_order", len(links), func(n int) []any {
		l := links[n]
		return []any{l.source, l.kind, l.target, l.order}
	}, "on conflict (company, source_id, type, target_id) do update set sort_order = excluded.sort_order")
}

// lockSources are the items with a relation to this one, by folded number, and those relations.
func lockSources(tx *db.Tx, itemID string) (map[string]Item, []link, error) {
	links, err := db.Rows(tx, `-- catalog.lockSources relations
		select source_id, type, target_id, sort_order from item_relation where company = :company and target_id = :id`,
		db.Args{"id": itemID}, func(r db.Row, l *link) error {
			return r.Scan(&l.source, &l.kind, &l.target, &l.order)
		})
	if err != nil || len(links) == 0 {
		return nil, nil, err
	}
	rows, err := items.Where(tx, "catalog.lockSources",
		"id in (select source_id from item_relation where company = :company and target_id = :id) order by id for update",
		db.Args{"id": itemID})
	sources := each.By(rows, func(i Item) string { return record.Fold(i.Number) })
	return sources, links, err
}

func removeRelations(tx *db.Tx, itemID string) error {
	return tx.Run(`-- catalog.removeRelations
		delete from item_relation where company = :company and (source_id = :id or target_id = :id)`,
		db.Args{"id": itemID})
}
