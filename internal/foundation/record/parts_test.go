package record_test

import (
	"slices"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

var (
	recipeResource = record.Define("recipes", "bom", "Recipe", "bom_line")
	errNoRecipe    = fault.New(fault.NotFound, "Recipe.NotFound")
)

// recipe has parts.
type recipe struct {
	record.Root
	ItemID, Item string
	Parts        []ingredient
}

type ingredient struct {
	Line         int
	ItemID, Item string
	Quantity     dec.Dec
}

func recipes(columns string) record.Table[recipe] {
	return record.TableOf(recipeResource, record.Layout[recipe]{
		Fixed: "item_id", Changing: "item", Key: "item_key", KeyOf: func(r *recipe) string { return r.Item },
		Parts: []*record.Parts[recipe]{record.PartsOf(record.PartLayout[recipe, ingredient]{
			Table: "bom_line", Owner: "bom_id", Place: "line", Columns: columns,
			Of: func(r *recipe) *[]ingredient { return &r.Parts },
			Derived: func(_ *recipe, i *ingredient) db.Args {
				return db.Args{"valid_from": "from " + i.Item}
			},
		})},
		Missing: func(key string) error { return errNoRecipe.Because("there is no recipe %s", key) },
	})
}

func items(parts []ingredient) (out []string) {
	for _, p := range parts {
		out = append(out, p.Item)
	}
	return out
}

func TestPartsAreReadWrittenAndRemovedWithTheirRecord(t *testing.T) {
	for name, columns := range map[string]string{"in their order": "item_id, item, quantity",
		"at places of their own": "line, item_id, item, quantity"} {
		table := recipes(columns)
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, s *db.Store) { partsFollow(t, s, &table) })
		})
	}
}

func partsFollow(t *testing.T, s *db.Store, table *record.Table[recipe]) {
	for _, r := range []recipe{
		{ItemID: "1", Item: "Cake", Parts: []ingredient{{1, "f", "Flour", 3}, {2, "e", "Egg", 2}, {3, "s", "Salt", 1}}},
		{ItemID: "2", Item: "Water"},
	} {
		dbtest.Write(t, s, func(tx *db.Tx) error {
			r.Root = record.New(tx)
			return table.Create(tx, &r)
		})
	}
	var found map[string]recipe
	dbtest.Read(t, s, func(tx *db.Tx) (err error) {
		found, err = table.FindMany(tx, []string{"cake", "water"})
		return err
	})
	if got := items(found["cake"].Parts); !slices.Equal(got, []string{"Flour", "Egg", "Salt"}) ||
		len(found["water"].Parts) != 0 {
		t.Errorf("the parts are read as %v and %v", got, found["water"].Parts)
	}

	var before, after recipe
	dbtest.Write(t, s, func(tx *db.Tx) (err error) {
		before, after, err = table.Change(tx, "cake", func(r *recipe) error {
			r.Parts[1].Quantity = 4
			r.Parts = r.Parts[:2]
			return nil
		}, nil)
		return err
	})
	if len(before.Parts) != 3 || before.Parts[1].Quantity != 2 || after.Version != before.Version+1 {
		t.Errorf("before the change it had %v, and was revision %d, then %d", before.Parts, before.Version, after.Version)
	}
	dbtest.Read(t, s, func(tx *db.Tx) error {
		r, err := table.Find(tx, "cake")
		if got := items(r.Parts); err == nil && (!slices.Equal(got, []string{"Flour", "Egg"}) || r.Parts[1].Quantity != 4) {
			t.Errorf("after the change it has %v", r.Parts)
		}
		return err
	})
	count := func() (rows, derived int) {
		dbtest.Read(t, s, func(tx *db.Tx) error {
			_, err := tx.One(`-- test
				select count(*), count(case when valid_from = 'from ' || item then 1 end) from bom_line where company = :company`,
				nil, &rows, &derived)
			return err
		})
		return rows, derived
	}
	if rows, derived := count(); rows != 2 || derived != 2 {
		t.Errorf("there are %d rows, %d with what follows from them", rows, derived)
	}
	dbtest.Write(t, s, func(tx *db.Tx) error { return table.Delete(tx, "cake", nil) })
	if rows, _ := count(); rows != 0 {
		t.Errorf("%d rows are left of a record that is gone", rows)
	}
	dbtest.Read(t, s, func(tx *db.Tx) error {
		if _, err := table.Find(tx, "cake"); !fault.Is(err, errNoRecipe) {
			t.Errorf("a record that is gone is answered with %v", err)
		}
		return nil
	})
}
