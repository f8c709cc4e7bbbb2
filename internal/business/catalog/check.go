package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// surroundings are what the items of one write refer to, read with one statement for each kind.
type surroundings struct {
	book       *reference.Book
	defaultTax string
	categories map[string]string // folded code -> code
	brands     map[string]string
	suppliers  map[string]string
	customers  map[string]string
	parents    map[string]Item // folded number -> the item as it stands
	families   map[string]bool // numbers of written items that have variants
}

// checkAll holds the tasks against the rules and writes each code with the case it was created with.
func checkAll(tx *db.Tx, tasks []*task) error {
	s, err := survey(tx, tasks)
	if err != nil {
		return err
	}
	for _, t := range tasks {
		if t.err != nil {
			continue
		}
		was := t.was()
		var wrong fault.List
		wrong.If(t.after.Number == "" && !t.draws, ErrInvalid, "itemNumber", "an item needs a number")
		checkOwn(&wrong, &t.after)
		s.checkCodes(&wrong, was, &t.after)
		s.checkCustomers(&wrong, was, &t.after)
		if !slices.Equal(was.Units, t.after.Units) {
			CheckUnits(s.book, &wrong, &t.after, func(n int, field string) string {
				return fmt.Sprintf("units[%d].%s", n, field)
			})
		}
		s.checkVariant(&wrong, was, &t.after)
		t.refuse(wrong.Err())
		if t.err == nil {
			t.refuse(checkBaseUnit(was, t.after))
		}
		if t.err == nil { // a child further down the same batch may name this one
			s.parents[record.Fold(t.after.Number)] = t.after
		}
	}
	return nil
}

// survey reads what the tasks newly refer to.
func survey(tx *db.Tx, tasks []*task) (*surroundings, error) {
	book, err := reference.Of(tx)
	if err != nil {
		return nil, err
	}
	var categories, brands, parents, moved []string
	for _, t := range tasks {
		if t.err != nil {
			continue
		}
		was := t.was()
		note(&categories, was.CategoryCode, t.after.CategoryCode)
		note(&brands, was.BrandCode, t.after.BrandCode)
		note(&parents, was.VariantOf, t.after.VariantOf)
		if t.before != nil && t.after.VariantOf != "" && was.VariantOf == "" {
			moved = append(moved, was.Number)
		}
	}
	s := &surroundings{book: book, defaultTax: book.Defaults().TaxCode}
	if s.categories, err = codes(tx, categoryTable, categories); err != nil {
		return nil, err
	}
	if s.brands, err = codes(tx, brandTable, brands); err != nil {
		return nil, err
	}
	if s.families, err = withVariants(tx, moved); err != nil {
		return nil, err
	}
	if s.parents, err = items.ShareMany(tx, parents); err != nil {
		return nil, err
	}
	if s.customers, err = customersOf(tx, tasks); err != nil {
		return nil, err
	}
	s.suppliers, err = suppliersOf(tx, tasks)
	return s, err
}

func note(list *[]string, was, is string) {
	if is != "" && is != was {
		*list = append(*list, is)
	}
}

// checkOwn holds an item against the rules that need nothing but itself.
func checkOwn(wrong *fault.List, i *Item) {
	wrong.If(i.Name == "", ErrInvalid, "name", "an item needs a name")
	oneOf(wrong, "type", i.Type)
	oneOf(wrong, "trackingType", i.Tracking)
	oneOf(wrong, "replenishmentType", i.Replenishment)
	wrong.If(i.DecimalPlaces < 0 || i.DecimalPlaces > dec.Scale, ErrInvalid, "decimalPlaces", "must be between 0 and 6")
	wrong.If(i.SalesPrice != nil && i.SalesPrice.Sign() < 0, ErrInvalid, "salesPrice", "must not be negative")
	if i.SalesPrice != nil {
		limit.Price.Check(wrong, "salesPrice", *i.SalesPrice)
	}
	for _, m := range []struct {
		field string
		value *dec.Dec
	}{{"weightKg", i.WeightKg}, {"lengthCm", i.LengthCm}, {"widthCm", i.WidthCm}, {"heightCm", i.HeightCm}} {
		wrong.If(m.value != nil && (*m.value < 0 || *m.value > limit.Measure.Most()), ErrInvalid, m.field,
			"must be from 0 to %s", limit.Measure.Most())
	}
	wrong.If(i.GTIN != "" && !ValidGTIN(i.GTIN), ErrInvalidGTIN, "gtin",
		"%s is not a GTIN of 8, 12, 13 or 14 digits ending in its check digit", i.GTIN)
	wrong.If(i.Type == Service && i.Tracking != None, ErrInvalid, "trackingType",
		"a service is never in stock: use None")
	checkOptions(wrong, i)
	checkReferences(wrong, i)
}

func checkOptions(wrong *fault.List, i *Item) {
	seen := map[string]bool{}
	for n, o := range i.VariantOptions {
		at := fmt.Sprintf("variantOptions[%d]", n)
		if o.Name == "" || o.Value == "" {
			wrong.Add(ErrVariant, at, "needs a name and a value")
		} else if seen[record.Fold(o.Name)] {
			wrong.Add(ErrVariant, at+".name", "%s is named twice: an option has one value", o.Name)
		}
		seen[record.Fold(o.Name)] = true
	}
}

func checkReferences(wrong *fault.List, i *Item) {
	for n, r := range i.CrossReferences {
		at := fmt.Sprintf("crossReferences[%d]", n)
		oneOf(wrong, at+".type", r.Type)
		switch {
		case r.Value == "":
			wrong.Add(ErrInvalid, at+".value", "is required")
		case r.Type == GtinReference && !ValidGTIN(r.Value):
			wrong.Add(ErrInvalidGTIN, at+".value",
				"%s is not a GTIN of 8, 12, 13 or 14 digits ending in its check digit", r.Value)
		}
		wrong.If((r.Type == CustomerReference) != (r.CustomerNumber != ""), ErrInvalid, at+".customerNumber",
			"is required for a reference of type Customer, and for no other")
	}
}

// checkCodes replaces each newly given code by the one on record, or says that there is none.
func (s *surroundings) checkCodes(wrong *fault.List, was Item, i *Item) {
	i.TaxCode = cmp.Or(i.TaxCode, s.defaultTax)
	unit := func(code string) (string, bool) { u, ok := s.book.Unit(code); return u.Code, ok }
	for _, c := range []struct {
		field string
		was   string
		is    *string
		find  func(string) (string, bool)
		where string
	}{
		{"categoryCode", was.CategoryCode, &i.CategoryCode, in(s.categories), "GET /preview/categories lists them"},
		{"brandCode", was.BrandCode, &i.BrandCode, in(s.brands), "GET /preview/brands lists them"},
		{"primarySupplierNumber", was.SupplierNumber, &i.SupplierNumber, in(s.suppliers),
			"GET /preview/suppliers lists them"},
		{"baseUnitCode", was.BaseUnit, &i.BaseUnit, unit, "GET /preview/reference/units lists them"},
		{"salesUnitCode", was.SalesUnit, &i.SalesUnit, unit, "GET /preview/reference/units lists them"},
		{"purchaseUnitCode", was.PurchaseUnit, &i.PurchaseUnit, unit, "GET /preview/reference/units lists them"},
		{"taxCode", was.TaxCode, &i.TaxCode, func(code string) (string, bool) {
			t, ok := s.book.TaxCode(code)
			return t.Code, ok
		}, "GET /preview/reference/tax-codes lists them"},
		{"countryOfOriginCode", was.OriginCountry, &i.OriginCountry, country, "use ISO 3166-1 alpha-2, such as SE"},
	} {
		if *c.is == "" || *c.is == c.was {
			continue
		}
		if code, ok := c.find(*c.is); ok {
			*c.is = code
		} else {
			wrong.Add(ErrUnknownCode, c.field, "there is no %s: %s", *c.is, c.where)
		}
	}
}

// checkVariant keeps variants one level deep: a parent is no variant, a variant has none.
func (s *surroundings) checkVariant(wrong *fault.List, was Item, i *Item) {
	if i.VariantOf == "" || i.VariantOf == was.VariantOf {
		return
	}
	parent, ok := s.parents[record.Fold(i.VariantOf)]
	switch {
	case strings.EqualFold(i.VariantOf, i.Number):
		wrong.Add(ErrVariant, "variantOf", "an item is no variant of itself")
	case !ok:
		wrong.Add(ErrUnknownCode, "variantOf", "there is no item %s: create the parent first", i.VariantOf)
	case parent.VariantOf != "":
		wrong.Add(ErrVariant, "variantOf", "item %s is itself a variant of %s: name that one", parent.Number,
			parent.VariantOf)
	case s.families[i.Number]:
		wrong.Add(ErrVariant, "variantOf", "item %s has variants of its own", i.Number)
	default:
		i.VariantOf = parent.Number
	}
}

// checkBaseUnit keeps the factors of an item's units true: they count base units.
func checkBaseUnit(was, is Item) error {
	switch {
	case was.BaseUnit == is.BaseUnit || len(was.Units) == 0:
		return nil
	case was.BaseUnit != "":
		return ErrBaseUnitFixed.Because(
			"item %s counts its other units in %s: remove those units before changing baseUnitCode", was.Number,
			was.BaseUnit)
	case is.unit(is.BaseUnit) >= 0:
		return ErrBaseUnitFixed.Because(
			"item %s has %s as another unit with a factor: remove that unit before making it the base unit", was.Number,
			is.BaseUnit)
	}
	return nil
}

func in(codes map[string]string) func(string) (string, bool) {
	return func(code string) (string, bool) { c, ok := codes[record.Fold(code)]; return c, ok }
}

func country(code string) (string, bool) {
	code = strings.ToUpper(code)
	_, ok := reference.Country(code)
	return code, ok
}

// enum is a named text with a fixed set of values.
type enum[T any] interface {
	~string
	comparable
	Values() []T
}

func oneOf[T enum[T]](wrong *fault.List, field string, value T) {
	wrong.If(!slices.Contains(value.Values(), value), ErrInvalid, field, "%q is none of %v", string(value),
		value.Values())
}
