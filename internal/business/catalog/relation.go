package catalog

import (
	"maps"
	"slices"
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// RelationType says what one item is to another.
type RelationType string

// The types of relations.
const (
	Related     RelationType = "Related"
	CrossSell   RelationType = "CrossSell"
	UpSell      RelationType = "UpSell"
	Accessory   RelationType = "Accessory"
	SparePart   RelationType = "SparePart"
	Alternative RelationType = "Alternative"
	Replacement RelationType = "Replacement"
)

// Values are the types, in the order they are shown.
func (RelationType) Values() []RelationType {
	return []RelationType{Related, CrossSell, UpSell, Accessory, SparePart, Alternative, Replacement}
}

// gradedAlternative is linked one at a time in the app, where its grade is chosen.
const gradedAlternative = "gradedalternative"

// RelationTypeOf reads a type without regard to case.
func RelationTypeOf(s string) (RelationType, bool) {
	for _, t := range RelationType.Values("") {
		if strings.EqualFold(string(t), s) {
			return t, true
		}
	}
	return "", false
}

// Relation leads from an item to another.
type Relation struct {
	Type      RelationType
	Target    string // item number
	Name      string // of the target; filled in when read
	SortOrder int
}

// PutRelation relates an item to another, or changes the order of that relation. Refusals:
// Item.NotFound for either item, ItemRelation.SelfReference, ItemRelation.InvalidType.
func PutRelation(tx *db.Tx, itemNumber, relationType, target string, sortOrder int) (Item, error) {
	t, ok := RelationTypeOf(relationType)
	if !ok {
		return Item{}, invalidType(relationType)
	}
	source, err := items.Lock(tx, itemNumber)
	if err != nil {
		return source, err
	}
	found, err := items.ShareMany(tx, []string{target})
	if err != nil {
		return source, err
	}
	to, ok := found[record.Fold(target)]
	if !ok {
		return source, missing(target)
	}
	if to.ID == source.ID {
		return source, selfReference(source.Number)
	}
	was, exists, err := findRelation(tx, source.ID, t, to.ID)
	if err != nil {
		return source, err
	}
	if !exists {
		tx.Adds()
	}
	if exists && was == sortOrder {
		return source, tx.Match(source.ID, source.ETag())
	}
	if err := writeRelations(tx, []link{{source.ID, t, to.ID, sortOrder}}); err != nil {
		return source, err
	}
	change := [2]any{nil, sortOrder}
	if exists {
		change[0] = was
	}
	return source, Items.Touched(tx, &source.Root, source.Number, "changed",
		map[string][2]any{relationField(t, to.Number): change})
}

// DeleteRelation removes a relation. Refusals: Item.NotFound, ItemRelation.NotFound, ItemRelation.InvalidType.
func DeleteRelation(tx *db.Tx, itemNumber, relationType, target string) (Item, error) {
	t, ok := RelationTypeOf(relationType)
	if !ok {
		return Item{}, invalidType(relationType)
	}
	source, err := items.Lock(tx, itemNumber)
	if err != nil {
		return source, err
	}
	to, err := Find(tx, target)
	if err != nil {
		return source, err
	}
	was, exists, err := findRelation(tx, source.ID, t, to.ID)
	if err != nil {
		return source, err
	}
	if !exists {
		return source, ErrRelationNotFound.Because("item %s has no relation %s to item %s", source.Number, t, to.Number)
	}
	key := db.Args{"source_id": source.ID, "type": t, "target_id": to.ID}
	if err := tx.Delete(key, "item_relation"); err != nil {
		return source, err
	}
	return source, Items.Touched(tx, &source.Root, source.Number, "changed",
		map[string][2]any{relationField(t, to.Number): {was, nil}})
}

// RelationRow is one row of a batch.
type RelationRow struct{ Source, Target, Type string }

// Relate creates many relations with a constant number of statements. errs holds the refusal of each
// row: ItemRelations.Bulk.UnknownSourceItem, .UnknownTargetItem, .GradedAlternativeNotSupported,
// ItemRelation.SelfReference, ItemRelation.InvalidType; a row that was refused leaves the others alone.
func Relate(tx *db.Tx, rows []RelationRow) (created []bool, errs []error, err error) {
	created, errs = make([]bool, len(rows)), make([]error, len(rows))
	items, err := relatedItems(tx, rows)
	if err != nil {
		return nil, nil, err
	}
	var sources []string
	for _, r := range rows {
		if i, ok := items[record.Fold(r.Source)]; ok {
			sources = append(sources, i.ID)
		}
	}
	present, err := relationsFrom(tx, sources)
	if err != nil {
		return nil, nil, err
	}
	var links []link
	details := map[string]map[string][2]any{} // by folded number of the source
	for n, r := range rows {
		l, err := linkOf(items, r)
		if err != nil {
			errs[n] = err
			continue
		}
		if present[l.key()] {
			continue
		}
		present[l.key()], created[n] = true, true
		links = append(links, l)
		key := record.Fold(r.Source)
		if details[key] == nil {
			details[key] = map[string][2]any{}
		}
		details[key][relationField(l.kind, items[record.Fold(r.Target)].Number)] = [2]any{nil, l.order}
	}
	if err := writeRelations(tx, links); err != nil {
		return nil, nil, err
	}
	return created, errs, reportSources(tx, items, details)
}

// relatedItems are all items that rows name, the sources locked.
func relatedItems(tx *db.Tx, rows []RelationRow) (map[string]Item, error) {
	var sources, targets []string
	for _, r := range rows {
		sources = append(sources, r.Source)
		targets = append(targets, r.Target)
	}
	found, err := items.ShareMany(tx, targets)
	if err != nil {
		return nil, err
	}
	locked, err := items.LockMany(tx, sources)
	maps.Copy(found, locked)
	return found, err
}

// linkOf resolves a row.
func linkOf(items map[string]Item, r RelationRow) (link, error) {
	source, known := items[record.Fold(r.Source)]
	if !known {
		return link{}, ErrUnknownSource.At("sourceItemNumber", "there is no item %s", r.Source)
	}
	target, known := items[record.Fold(r.Target)]
	if !known {
		return link{}, ErrUnknownTarget.At("targetItemNumber", "there is no item %s", r.Target)
	}
	if strings.EqualFold(r.Type, gradedAlternative) {
		return link{}, ErrGradedAlternative.At("relationType",
			"graded alternatives are linked one at a time in the back office, where the grade is chosen")
	}
	t, known := RelationTypeOf(r.Type)
	if !known {
		return link{}, invalidType(r.Type)
	}
	if source.ID == target.ID {
		return link{}, selfReference(source.Number)
	}
	return link{source.ID, t, target.ID, 0}, nil
}

// reportSources reports the items that got relations, each once.
func reportSources(tx *db.Tx, items map[string]Item, details map[string]map[string][2]any) error {
	keys := slices.Sorted(maps.Keys(details))
	roots := make([]record.Root, len(keys))
	changes := make([]record.Change, len(keys))
	for n, key := range keys {
		roots[n] = items[key].Root
		changes[n] = record.Change{Root: &roots[n], Key: items[key].Number, Action: "changed", Detail: details[key]}
	}
	return Items.ReportMany(tx, changes)
}

// dropRelations removes an item from the relations on both their ends, before it is deleted. The
// items that led to it have changed by that.
func dropRelations(tx *db.Tx, i Item) error {
	sources, links, err := lockSources(tx, i.ID)
	if err != nil {
		return err
	}
	if err := removeRelations(tx, i.ID); err != nil {
		return err
	}
	details := map[string]map[string][2]any{}
	for _, l := range links {
		for key, s := range sources {
			if s.ID != l.source {
				continue
			}
			if details[key] == nil {
				details[key] = map[string][2]any{}
			}
			details[key][relationField(l.kind, i.Number)] = [2]any{l.order, nil}
		}
	}
	return reportSources(tx, sources, details)
}

func relationField(t RelationType, target string) string {
	return "relations." + string(t) + "." + target
}

func invalidType(t string) *fault.Fault {
	return ErrRelationType.At("relationType", "%q is none of %v", t, RelationType.Values(""))
}

func selfReference(itemNumber string) *fault.Fault {
	return ErrSelfReference.At("targetItemNumber", "item %s cannot be related to itself", itemNumber)
}
