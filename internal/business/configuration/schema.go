package configuration

import (
	"encoding/json"
	"fmt"

	"kontor/internal/business/catalog"
	"kontor/internal/engine/configure"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// SaveSchema gives an item what can be chosen of it, in place of what it had; without features it can no longer be
// configured. The item is configurable from then on, or no longer. Refusals: Item.NotFound, ItemConfiguration.Invalid
// naming each thing that is wrong with its place, Item.NotFound at the options whose components are no items.
func SaveSchema(tx *db.Tx, itemNumber string, s configure.Schema) (catalog.Item, error) {
	if err := Check(tx, s); err != nil {
		return catalog.Item{}, err
	}
	item, err := catalog.Lock(tx, itemNumber)
	if err != nil {
		return item, err
	}
	before, err := readSchema(tx, item.ID)
	if err != nil {
		return item, err
	}
	if before.features == "" {
		tx.Adds()
	}
	after := stored{text(s.Features), text(s.Rules)}
	if len(s.Features) == 0 {
		after = stored{}
	}
	if isMade := after.features != ""; item.IsConfigurable != isMade {
		if item, err = catalog.Change(tx, item.Number, func(i *catalog.Item) error {
			i.IsConfigurable = isMade
			return nil
		}); err != nil {
			return item, err
		}
	}
	if before == after {
		return item, tx.Match(item.ID, item.ETag())
	}
	if err := writeSchema(tx, item.ID, after); err != nil {
		return item, err
	}
	changed := map[string][2]any{}
	if before.features != after.features {
		changed["configuration.features"] = [2]any{before.features, after.features}
	}
	if before.rules != after.rules {
		changed["configuration.rules"] = [2]any{before.rules, after.rules}
	}
	return item, catalog.Items.Touched(tx, &item.Root, item.Number, "changed", changed)
}

// ChangeSchema lays edit over what can be chosen of an item, which may be nothing yet. The item is locked before its
// schema is read, so of two changes at once neither is lost. Refusals: those of SaveSchema.
func ChangeSchema(tx *db.Tx, itemNumber string, edit func(*configure.Schema) error) (catalog.Item, error) {
	item, err := catalog.Lock(tx, itemNumber)
	if err != nil {
		return item, err
	}
	s, err := SchemaWritten(tx, item.ID)
	if err != nil {
		return item, err
	}
	if err := edit(&s); err != nil {
		return item, err
	}
	return SaveSchema(tx, item.Number, s)
}

// SchemaWritten is what can be chosen of an item, for changing it: the caller's own copy, empty where nothing can.
func SchemaWritten(tx *db.Tx, itemID string) (configure.Schema, error) {
	kept, err := readSchema(tx, itemID)
	if err != nil || kept.features == "" {
		return configure.Schema{}, err
	}
	return kept.schema()
}

// text is a part of a schema as it is kept; nothing is the empty text.
func text[T any](all []T) string {
	if len(all) == 0 {
		return ""
	}
	b, err := json.Marshal(all)
	if err != nil {
		panic(err) // plain structs of text and numbers
	}
	return string(b)
}

// Check holds a schema against what the engine takes, and against the company's items. Refusals: those of SaveSchema.
func Check(tx *db.Tx, s configure.Schema) error {
	var wrong fault.List
	model, problems := configure.Compile(s)
	if model != nil {
		problems = model.Costly()
	}
	for _, p := range problems {
		wrong.Note(ErrSchemaInvalid, p.Path, p.Said)
	}
	items, err := catalog.FindMany(tx, numbersIn(s))
	if err != nil {
		return err
	}
	for i, f := range s.Features {
		for j, o := range f.Options {
			at := fmt.Sprintf("features[%d].options[%d].", i, j)
			if _, ok := items[record.Fold(o.ItemNumber)]; o.ItemNumber != "" && !ok {
				wrong.Add(catalog.ErrNotFound, at+"itemNumber", "no item has the number %q", o.ItemNumber)
			}
			if o.PriceImpact != nil {
				limit.Price.Check(&wrong, at+"priceImpact", *o.PriceImpact)
			}
		}
	}
	return wrong.Err()
}

// numbersIn are the items that go into choices, as they were written.
func numbersIn(s configure.Schema) (numbers []string) {
	for _, f := range s.Features {
		for _, o := range f.Options {
			if o.ItemNumber != "" {
				numbers = append(numbers, o.ItemNumber)
			}
		}
	}
	return numbers
}

// SchemaOf is what can be chosen of an item. Refusals: Item.NotFound, ItemConfiguration.NotFound.
func SchemaOf(tx *db.Tx, itemNumber string) (catalog.Item, configure.Schema, error) {
	item, err := catalog.Find(tx, itemNumber)
	if err != nil {
		return item, configure.Schema{}, err
	}
	model, err := ModelOf(tx, item.ID)
	if err == nil && model == nil {
		err = ErrSchemaNotFound.Because("item %s has no configuration schema: nothing can be chosen of it", item.Number)
	}
	if err != nil {
		return item, configure.Schema{}, err
	}
	return item, model.Schema, nil
}

// stored is a schema as it is kept.
type stored struct{ features, rules string }

// ModelOf is the schema of an item, ready to be asked; nil where it has none.
func ModelOf(tx *db.Tx, itemID string) (*configure.Model, error) {
	s, err := readSchema(tx, itemID)
	if err != nil || s.features == "" {
		return nil, err
	}
	return s.model(tx)
}

func (s stored) schema() (out configure.Schema, err error) {
	if err := json.Unmarshal([]byte(s.features), &out.Features); err != nil || s.rules == "" {
		return out, err
	}
	return out, json.Unmarshal([]byte(s.rules), &out.Rules)
}

// model is the schema ready to be asked. It is cached by its text: whoever has a text has its model, and none is ever
// out of date.
func (s stored) model(tx *db.Tx) (*configure.Model, error) {
	name := "configuration.model\x00" + s.features + "\x00" + s.rules
	if m, ok := db.CacheGetUnvalidated[*configure.Model](tx, name); ok {
		return m, nil
	}
	schema, err := s.schema()
	if err != nil {
		return nil, err
	}
	m, problems := configure.Compile(schema)
	if len(problems) > 0 {
		return nil, fmt.Errorf("configuration: a schema that was saved is not right: %s: %s", problems[0].Path,
			problems[0].Said)
	}
	tx.CachePutUnvalidated(name, 4_000+2*len(s.features)+40*len(s.rules), m)
	return m, nil
}

// Proposed are the choices that a schema proposes.
func Proposed(s *configure.Schema) (out []configure.Value) {
	for i := range s.Features {
		f := &s.Features[i]
		o := f.Default()
		if o == nil || f.Type != configure.TypeOption {
			continue
		}
		v := configure.Value{Feature: f.Code, Option: o.Code}
		if f.IsMeasured {
			least := dec.One
			if f.Min != nil {
				least = *f.Min
			}
			v.Number = &least
		}
		out = append(out, v)
	}
	return out
}
