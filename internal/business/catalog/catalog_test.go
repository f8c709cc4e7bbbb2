package catalog_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// shop is a company with a few codes to refer to.
type shop struct {
	*testing.T
	store *db.Store
}

func each(t *testing.T, story func(s shop)) {
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := shop{t, store}
		s.write(func(tx *db.Tx) error {
			if err := reference.SaveUnits(tx, reference.Unit{Code: "PCS", Name: "Pieces", IsActive: true},
				reference.Unit{Code: "BOX", Name: "Box", IsActive: true}); err != nil {
				return err
			}
			return reference.SaveTaxCodes(tx, reference.TaxCode{Code: "STD", Name: "Standard", IsActive: true})
		})
		story(s)
	})
}

func (s shop) write(fn func(tx *db.Tx) error) { s.Helper(); dbtest.Write(s, s.store, fn) }

func (s shop) read(fn func(tx *db.Tx) error) { s.Helper(); dbtest.Read(s, s.store, fn) }

// refused runs fn and checks that it is refused with code.
func (s shop) refused(code fault.Code, fn func(tx *db.Tx) error) *fault.Fault {
	s.Helper()
	err := s.store.Write(context.Background(), dbtest.Request(), fn)
	if !fault.Is(err, code) {
		s.Fatalf("got %v, want %s", err, code.Name)
	}
	return fault.As(err)
}

func item(number string, edit ...func(*catalog.Item)) catalog.Item {
	i := catalog.New()
	i.Number, i.Name, i.TaxCode = number, "Item "+number, "STD"
	for _, e := range edit {
		e(&i)
	}
	return i
}

func (s shop) create(items ...catalog.Item) {
	s.Helper()
	s.write(func(tx *db.Tx) error {
		for _, i := range items {
			if _, err := catalog.Create(tx, i); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s shop) category(code, parent string) catalog.Category {
	s.Helper()
	var c catalog.Category
	s.write(func(tx *db.Tx) (err error) {
		c, err = catalog.CreateCategory(tx, catalog.Category{Code: code, Name: "Category " + code, ParentCode: parent,
			IsActive: true})
		return err
	})
	return c
}

func (s shop) find(number string) (i catalog.Item) {
	s.Helper()
	s.read(func(tx *db.Tx) (err error) { i, err = catalog.Find(tx, number); return err })
	return i
}

func (s shop) list(f catalog.Filter) string {
	s.Helper()
	var numbers []string
	s.read(func(tx *db.Tx) error {
		found, err := catalog.List(tx, f, record.Page{Number: 1, Size: 50})
		for _, i := range found.Items {
			numbers = append(numbers, i.Number)
		}
		if found.Total != len(found.Items) {
			s.Errorf("total %d of %d items", found.Total, len(found.Items))
		}
		return err
	})
	return strings.Join(numbers, " ")
}

func TestItemComesBackAsItWasWritten(t *testing.T) {
	each(t, func(s shop) {
		s.category("tools", "")
		db.On(s.store, func(_ *db.Tx, e catalog.CustomersWanted) error {
			e.Known["c1"] = "C1"
			return nil
		})
		price, weight := dec.Must("249.50"), dec.Must("0.45")
		s.create(item("Parent"), item("A/1 å", func(i *catalog.Item) {
			i.Description, i.CategoryCode, i.GroupCode, i.BaseUnit, i.SalesUnit = "Claw", "TOOLS", "G1", "pcs", "BOX"
			i.SalesPrice, i.WeightKg, i.GTIN, i.ManufacturerNumber, i.OriginCountry = &price, &weight, "4006381333931",
				"M-7", "se"
			i.DecimalPlaces, i.VariantOf = 2, "PARENT"
			i.VariantOptions = []catalog.Option{{Name: "Colour", Value: "Red"}}
			i.CrossReferences = []catalog.CrossReference{{Type: catalog.CustomerReference, Value: "X",
				CustomerNumber: "C1"}}
			i.Units = []catalog.Unit{{Code: "BOX", Factor: dec.Int(12)}}
		}))
		got := s.find("a/1 Å")
		if got.Number != "A/1 å" || got.CategoryCode != "tools" || got.BaseUnit != "PCS" || got.OriginCountry != "SE" ||
			got.VariantOf != "Parent" {
			s.Errorf("codes: %+v", got)
		}
		if got.Version != 1 || got.ModifiedAt != 0 || *got.SalesPrice != price || *got.WeightKg != weight ||
			got.LengthCm != nil || !got.IsActive {
			s.Errorf("values: %+v", got)
		}
		if got.VariantOptions[0].Value != "Red" || got.CrossReferences[0].CustomerNumber != "C1" {
			s.Errorf("lists: %+v", got)
		}
		if f, ok := got.Factor("box"); !ok || f != dec.Int(12) {
			s.Errorf("units: %+v", got.Units)
		}
		s.refused(catalog.ErrExists, func(tx *db.Tx) error { _, err := catalog.Create(tx, item("a/1 Å")); return err })
		s.refused(catalog.ErrNotFound, func(tx *db.Tx) error { _, err := catalog.Find(tx, "nothing"); return err })
	})
}

func TestItemNumbersAreDrawnPastThoseGiven(t *testing.T) {
	each(t, func(s shop) {
		var drawn []string
		for range 3 {
			s.write(func(tx *db.Tx) error {
				i, err := catalog.Create(tx, item(""))
				drawn = append(drawn, i.Number)
				if err != nil || len(drawn) != 1 {
					return err
				}
				_, err = catalog.Create(tx, item(strings.ToLower(next(i.Number))))
				return err
			})
		}
		if drawn[1] != next(next(drawn[0])) || drawn[2] != next(drawn[1]) {
			s.Errorf("drawn %v", drawn)
		}
	})
}

// next is the number after one like I-10000.
func next(number string) string {
	var n int
	fmt.Sscanf(number, "I-%d", &n)
	return fmt.Sprintf("I-%d", n+1)
}

func TestEverythingWrongWithAnItemIsSaidAtOnce(t *testing.T) {
	each(t, func(s shop) {
		minus := dec.Int(-1)
		f := s.refused(catalog.ErrInvalid, func(tx *db.Tx) error {
			_, err := catalog.Create(tx, item("A", func(i *catalog.Item) {
				i.Name, i.Type, i.DecimalPlaces, i.SalesPrice, i.GTIN = "", "Thing", 7, &minus, "123"
				i.CategoryCode, i.BrandCode, i.BaseUnit, i.TaxCode, i.OriginCountry, i.VariantOf = "no", "no", "no",
					"no", "XX", "a"
				i.CrossReferences = []catalog.CrossReference{{Type: catalog.CustomerReference, Value: "X"}}
			}))
			return err
		})
		var fields []string
		for _, x := range f.Fields {
			fields = append(fields, x.Path)
		}
		want := "name type decimalPlaces salesPrice gtin crossReferences[0].customerNumber categoryCode brandCode baseUnitCode taxCode countryOfOriginCode variantOf"
		if got := strings.Join(fields, " "); got != want {
			s.Errorf("got  %s\nwant %s", got, want)
		}
		if s.list(catalog.Filter{}) != "" {
			s.Error("a refused item was written")
		}
	})
}

func TestChangeMakesARevisionOnlyWhenSomethingChanges(t *testing.T) {
	each(t, func(s shop) {
		s.create(item("A"))
		change := func(edit func(i *catalog.Item) error) (i catalog.Item) {
			s.write(func(tx *db.Tx) (err error) { i, err = catalog.Change(tx, "a", edit); return err })
			return i
		}
		if i := change(func(i *catalog.Item) error { return nil }); i.Version != 1 || i.ModifiedAt != 0 {
			s.Errorf("nothing changed, but version %d", i.Version)
		}
		i := change(func(i *catalog.Item) error { i.Name, i.Number = "New name", "B"; return nil })
		if i.Version != 2 || i.ModifiedAt == 0 || i.Number != "A" || s.find("A").Name != "New name" {
			s.Errorf("%+v", i)
		}
		if got := s.find("A"); got.ETag() != i.ETag() {
			s.Errorf("answered %s, kept %s", i.ETag(), got.ETag())
		}
		var detail string
		s.read(func(tx *db.Tx) error {
			_, err := tx.One(`-- test
				select detail from activity where company = :company and action = 'changed'`, nil, &detail)
			return err
		})
		if detail != `{"name":["Item A","New name"]}` {
			s.Errorf("the log says %s", detail)
		}
	})
}

func TestSaveWritesRowByRow(t *testing.T) {
	each(t, func(s shop) {
		s.create(item("Old"), item("Same"))
		named := func(number, name string) catalog.Draft {
			return catalog.Draft{Number: number, Edit: func(i *catalog.Item) error {
				if name != "" {
					i.Name = name
				}
				i.TaxCode = "STD"
				return nil
			}}
		}
		rows := []catalog.Draft{named("old", "Renamed"), named("New", "New"), named("NEW", "Twice"), named("Bad", ""),
			named("same", "")}
		var out []catalog.Outcome
		s.write(func(tx *db.Tx) (err error) { out, err = catalog.Save(tx, rows, catalog.UpsertMode); return err })
		if out[0].Created || out[0].Err != nil || !out[1].Created || s.find("OLD").Name != "Renamed" ||
			s.find("NEW").Name != "New" {
			s.Errorf("%+v", out)
		}
		if !fault.Is(out[2].Err, catalog.ErrDuplicate) || !fault.Is(out[3].Err, catalog.ErrInvalid) ||
			out[4].Err != nil || out[4].Item.Version != 1 {
			s.Errorf("%+v", out)
		}
		s.write(func(tx *db.Tx) (err error) { out, err = catalog.Save(tx, rows[:2], catalog.CreateOnly); return err })
		if !fault.Is(out[0].Err, catalog.ErrExists) || !fault.Is(out[1].Err, catalog.ErrExists) {
			s.Errorf("%+v", out)
		}
		s.write(func(tx *db.Tx) (err error) {
			out, err = catalog.Save(tx, []catalog.Draft{named("Bad", "x"), named("Old", "Again")}, catalog.UpdateOnly)
			return err
		})
		if !fault.Is(out[0].Err, catalog.ErrNotFound) || out[1].Item.Version != 3 ||
			s.list(catalog.Filter{}) != "New Old Same" {
			s.Errorf("%+v", out)
		}
	})
}

func TestVariantsAreOneLevelDeep(t *testing.T) {
	each(t, func(s shop) {
		variantOf := func(parent string) func(*catalog.Item) { return func(i *catalog.Item) { i.VariantOf = parent } }
		s.write(func(tx *db.Tx) error { // a parent and its child in one go
			return catalog.CreateMany(tx, []catalog.Item{item("P"), item("V1", variantOf("p")),
				item("V2", variantOf("P"))})
		})
		s.refused(catalog.ErrVariant, func(tx *db.Tx) error {
			_, err := catalog.Create(tx, item("W", variantOf("V1")))
			return err
		})
		s.create(item("Q"))
		s.refused(catalog.ErrVariant, func(tx *db.Tx) error {
			_, err := catalog.Change(tx, "P", func(i *catalog.Item) error { i.VariantOf = "Q"; return nil })
			return err
		})
		s.refused(catalog.ErrInUse, func(tx *db.Tx) error { return catalog.Delete(tx, "P") })
		s.read(func(tx *db.Tx) error {
			found, err := catalog.ListVariants(tx, s.find("P"), record.Page{Number: 1, Size: 50})
			if found.Total != 2 || found.Items[1].Number != "V2" {
				s.Errorf("%+v", found)
			}
			return err
		})
		f := s.refused(catalog.ErrUnknownCode, func(tx *db.Tx) error {
			return catalog.CreateMany(tx, []catalog.Item{item("Y"), item("Z", variantOf("nothing"))})
		})
		if f.Fields[0].Path != "items[1]" {
			s.Errorf("%+v", f)
		}
	})
}

func TestUnits(t *testing.T) {
	each(t, func(s shop) {
		s.create(item("A", func(i *catalog.Item) { i.BaseUnit = "PCS" }))
		put := func(code, factor string) func(tx *db.Tx) error {
			return func(tx *db.Tx) error {
				_, err := catalog.PutUnit(tx, "A", catalog.Unit{Code: code, Factor: dec.Must(factor)})
				return err
			}
		}
		s.write(put("box", "12"))
		s.write(put("BOX", "10"))
		s.write(put("PCS", "1"))
		found := s.find("A")
		if u := found.AllUnits(); len(u) != 2 || u[0].Code != "PCS" || u[1].Code != "BOX" ||
			u[1].Factor != dec.Int(10) {
			s.Errorf("%+v", u)
		}
		s.refused(catalog.ErrUnknownUnit, put("CRATE", "1"))
		s.refused(catalog.ErrUnitFactor, put("BOX", "0"))
		s.refused(catalog.ErrUnitFactor, put("PCS", "2"))
		s.refused(limit.ErrQuantity, put("BOX", "100000000.000001"))
		for _, c := range []struct {
			units []catalog.Unit
			code  fault.Code
			field string
		}{
			{[]catalog.Unit{{Code: "BOX", Factor: dec.One}, {Factor: dec.One}}, catalog.ErrUnknownUnit, "units[1].unitCode"},
			{[]catalog.Unit{{Code: "BOX", Factor: dec.Must("-1")}}, catalog.ErrUnitFactor, "units[0].factor"},
			{[]catalog.Unit{{Code: "BOX"}}, catalog.ErrUnitFactor, "units[0].factor"},
			{[]catalog.Unit{{Code: "BOX", Factor: dec.Max}}, limit.ErrQuantity, "units[0].factor"},
			{[]catalog.Unit{{Code: "BOX", Factor: dec.One}, {Code: "box", Factor: dec.One}}, catalog.ErrUnitFactor,
				"units[1].unitCode"},
			{[]catalog.Unit{{Code: "pcs", Factor: dec.One}}, catalog.ErrUnitFactor, "units[0].unitCode"},
			{[]catalog.Unit{{Code: "BOX", Factor: dec.One, GTIN: "1"}}, catalog.ErrInvalidGTIN, "units[0].gtin"},
		} {
			f := s.refused(c.code, func(tx *db.Tx) error {
				_, err := catalog.Change(tx, "A", func(i *catalog.Item) error { i.Units = c.units; return nil })
				return err
			})
			if len(f.Fields) != 1 || f.Fields[0].Path != c.field {
				s.Errorf("%+v are refused at %+v, want %s", c.units, f.Fields, c.field)
			}
		}
		s.refused(catalog.ErrBaseUnitFixed, func(tx *db.Tx) error {
			_, err := catalog.Change(tx, "A", func(i *catalog.Item) error { i.BaseUnit = "BOX"; return nil })
			return err
		})
		remove := func(code string) func(tx *db.Tx) error {
			return func(tx *db.Tx) error { _, err := catalog.DeleteUnit(tx, "A", code); return err }
		}
		s.refused(catalog.ErrUnitInUse, remove("pcs"))
		s.write(remove("box"))
		s.refused(catalog.ErrUnitNotFound, remove("box"))
		if v := s.find("A").Version; v != 4 {
			s.Errorf("version %d after three changes", v)
		}
	})
}

func TestItemsAreFiltered(t *testing.T) {
	each(t, func(s shop) {
		s.category("TOOLS", "")
		s.category("HAND", "TOOLS")
		s.category("HAMMERS", "HAND")
		s.category("GARDEN", "")
		colour := catalog.Attribute{Code: "Colour", Name: "Colour", DataType: catalog.Text, IsMultiValue: true,
			IsActive: true}
		s.write(func(tx *db.Tx) error {
			if _, err := catalog.CreateBrand(tx,
				catalog.Brand{Code: "Acme", Name: "Acme", IsActive: true}); err != nil {
				return err
			}
			_, err := catalog.SaveAttribute(tx, colour)
			return err
		})
		s.create(
			item("a1", func(i *catalog.Item) {
				i.Name, i.CategoryCode, i.BrandCode, i.GroupCode = "Claw HAMMER Größe 2", "HAMMERS", "Acme", "Grp"
			}),
			item("B2",
				func(i *catalog.Item) { i.CategoryCode, i.IsActive, i.ManufacturerNumber = "hand", false, "MN-77" }),
			item("a3",
				func(i *catalog.Item) { i.CategoryCode, i.Type, i.GTIN = "GARDEN", catalog.Service, "96385074" }))
		s.write(func(tx *db.Tx) error {
			if _, err := catalog.PutValues(tx, "a1", "colour", []string{"Red", "Blue"}); err != nil {
				return err
			}
			_, err := catalog.PutValues(tx, "B2", "COLOUR", []string{"Red"})
			return err
		})
		yes := true
		for _, c := range []struct {
			name string
			f    catalog.Filter
			want string
		}{
			{"all, by number", catalog.Filter{}, "a1 a3 B2"},
			{"subtree", catalog.Filter{CategoryCode: "tools"}, "a1 B2"},
			{"no such category", catalog.Filter{CategoryCode: "none"}, ""},
			{"brand", catalog.Filter{BrandCode: "ACME"}, "a1"},
			{"group", catalog.Filter{GroupCode: "gRP"}, "a1"},
			{"type", catalog.Filter{Type: catalog.Service}, "a3"},
			{"active", catalog.Filter{IsActive: &yes}, "a1 a3"},
			{"words in any order, folded", catalog.Filter{Search: "GRÖSSE hamm"}, "a1"},
			{"manufacturer's number", catalog.Filter{Search: "mn-7"}, "B2"},
			{"gtin", catalog.Filter{Search: "9638"}, "a3"},
			{"a percent sign is no wildcard", catalog.Filter{Search: "%"}, ""},
			{"one attribute", catalog.Filter{Attributes: []catalog.AttributeIs{{Code: "colour", Value: "red"}}},
				"a1 B2"},
			{"two attributes", catalog.Filter{Attributes: []catalog.AttributeIs{{Code: "colour", Value: "red"},
				{Code: "COLOUR", Value: "BLUE"}}}, "a1"},
			{"together", catalog.Filter{CategoryCode: "TOOLS", IsActive: &yes,
				Attributes: []catalog.AttributeIs{{Code: "colour", Value: "red"}}}, "a1"},
		} {
			if got := s.list(c.f); got != c.want {
				s.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
		}
	})
}

func TestAttributeValuesAreAChangeOfTheItem(t *testing.T) {
	each(t, func(s shop) {
		s.create(item("A"))
		s.write(func(tx *db.Tx) error {
			_, err := catalog.SaveAttribute(tx,
				catalog.Attribute{Code: "W", Name: "Width", DataType: catalog.DecimalNumber, Unit: "mm",
					IsActive: true})
			return err
		})
		put := func(v string) func(tx *db.Tx) error {
			return func(tx *db.Tx) error { _, err := catalog.PutValues(tx, "A", "w", []string{v}); return err }
		}
		s.write(put("2.50"))
		s.write(put("2.5")) // the same
		s.read(func(tx *db.Tx) error {
			values, err := catalog.ValuesOf(tx, s.find("A").ID)
			if len(values) != 1 || values[0].Attribute.Unit != "mm" ||
				!slices.Equal(values[0].Values, []string{"2.5"}) {
				s.Errorf("%+v", values)
			}
			return err
		})
		if v := s.find("A").Version; v != 2 {
			s.Errorf("version %d", v)
		}
		s.refused(catalog.ErrInvalidValue, put("wide"))
		s.refused(catalog.ErrAttributeInvalid, func(tx *db.Tx) error {
			_, err := catalog.SaveAttribute(tx, catalog.Attribute{Code: "w", Name: "Width", DataType: catalog.Text,
				IsActive: true})
			return err
		})
		empty := func(tx *db.Tx) error { _, err := catalog.ClearValues(tx, "A", "W"); return err }
		s.write(empty)
		s.refused(catalog.ErrValueNotFound, empty)
		s.refused(catalog.ErrAttributeNotFound, func(tx *db.Tx) error {
			_, err := catalog.ClearValues(tx, "A", "X")
			return err
		})
	})
}

// Of requests that create the same item at once, one does; of an item created into a category and the
// deletion of that category, one is refused.
func TestRaces(t *testing.T) {
	each(t, func(s shop) {
		try := func(verbs ...func(tx *db.Tx) error) (done, refused int) {
			var all sync.WaitGroup
			errs := make([]error, len(verbs))
			for n, verb := range verbs {
				all.Go(func() { errs[n] = s.store.Write(context.Background(), dbtest.Request(), verb) })
			}
			all.Wait()
			for _, err := range errs {
				switch {
				case err == nil:
					done++
				case fault.As(err).Kind == fault.Conflict || fault.As(err).Kind == fault.Invalid:
					refused++
				default:
					s.Error(err)
				}
			}
			return done, refused
		}
		create := func(i catalog.Item) func(tx *db.Tx) error {
			return func(tx *db.Tx) error { _, err := catalog.Create(tx, i); return err }
		}
		if done, refused := try(create(item("A")), create(item("a")), create(item("A")),
			create(item("a"))); done != 1 || refused != 3 {
			s.Errorf("%d created, %d refused", done, refused)
		}
		for n := range 8 {
			code := fmt.Sprintf("C%d", n)
			s.category(code, "")
			into := item(code, func(i *catalog.Item) { i.CategoryCode = code })
			if done, refused := try(create(into), func(tx *db.Tx) error {
				return catalog.DeleteCategory(tx, code)
			}); done != 1 || refused != 1 {
				s.Errorf("%s: %d done, %d refused", code, done, refused)
			}
		}
	})
}

func TestRelations(t *testing.T) {
	each(t, func(s shop) {
		s.create(item("A"), item("B"), item("C"))
		s.write(func(tx *db.Tx) error { _, err := catalog.PutRelation(tx, "A", "accessory", "b", 5); return err })
		rows := []catalog.RelationRow{{"A", "B", "Accessory"}, {"a", "c", "Accessory"}, {"A", "C", "accessory"},
			{"B", "C", "UpSell"}, {"X", "C", "UpSell"}, {"B", "X", "UpSell"}, {"B", "b", "UpSell"},
			{"B", "C", "Friend"}, {"B", "C", "GradedAlternative"}}
		var created []bool
		var refused []error
		s.write(func(tx *db.Tx) (err error) { created, refused, err = catalog.Relate(tx, rows); return err })
		if want := []bool{false, true, false, true, false, false, false, false, false}; !slices.Equal(created, want) {
			s.Errorf("created %v", created)
		}
		for n, code := range []string{"", "", "", "", "ItemRelations.Bulk.UnknownSourceItem",
			"ItemRelations.Bulk.UnknownTargetItem", "ItemRelation.SelfReference", "ItemRelation.InvalidType",
			"ItemRelations.Bulk.GradedAlternativeNotSupported"} {
			if code == "" && refused[n] != nil || code != "" && fault.As(refused[n]).Code != code {
				s.Errorf("row %d: %v, want %s", n, refused[n], code)
			}
		}
		if a, b := s.find("A").Version, s.find("B").Version; a != 3 || b != 2 {
			s.Errorf("versions %d and %d", a, b)
		}
		s.write(func(tx *db.Tx) error { return catalog.Delete(tx, "C") })
		s.read(func(tx *db.Tx) error {
			found, err := catalog.ListRelations(tx, s.find("A").ID, record.Page{Number: 1, Size: 50})
			if found.Total != 1 || found.Items[0].Target != "B" || found.Items[0].SortOrder != 5 {
				s.Errorf("%+v", found)
			}
			return err
		})
		if a, b := s.find("A").Version, s.find("B").Version; a != 4 || b != 3 {
			s.Errorf("versions %d and %d: who led to a deleted item has changed", a, b)
		}
		remove := func(tx *db.Tx) error { _, err := catalog.DeleteRelation(tx, "A", "ACCESSORY", "B"); return err }
		s.write(remove)
		s.refused(catalog.ErrRelationNotFound, remove)
	})
}

// What was changed last comes first where people ask for that, page by page.
func TestLatestChangeFirst(t *testing.T) {
	each(t, func(s shop) {
		for _, number := range []string{"A", "B", "C"} {
			s.write(func(tx *db.Tx) error { _, err := catalog.Create(tx, item(number)); return err })
		}
		s.write(func(tx *db.Tx) error {
			_, err := catalog.Change(tx, "A", func(i *catalog.Item) error { i.Name = "Changed"; return nil })
			return err
		})
		var got []string
		for page := 1; page <= 4; page++ {
			s.read(func(tx *db.Tx) error {
				found, err := catalog.List(tx, catalog.Filter{}, record.Page{Number: page, Size: 1, Latest: true})
				for _, i := range found.Items {
					got = append(got, i.Number)
				}
				return err
			})
		}
		if want := []string{"A", "C", "B"}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}
