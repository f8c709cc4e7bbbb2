package demo

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/halt"
)

// article is something the shop sells, as far as the story needs to know.
type article struct {
	id, number, category string
	kind                 catalog.ItemType
	tracking             catalog.TrackingType
	unit                 string
	price                dec.Dec
	breaks               bool
	popularity           int // how often it is bought, compared with others
	attributes           map[string][]string
}

// stocked reports whether the article is goods that are sold by the piece, without batches and serial numbers.
func (a article) stocked() bool { return a.kind == catalog.Stock && a.tracking == catalog.None }

// codes makes what items refer to, and the second warehouse.
func (f *filler) codes() {
	f.found(func(tx *db.Tx) {
		warehouseOfTheNorth(tx)
		letterhead(tx)
		halt.On(reference.SaveUnits(tx, reference.Unit{Code: "PR", Name: "Pair", CommonCode: "PR", IsActive: true},
			reference.Unit{Code: "BOX", Name: "Box", CommonCode: "BX", IsActive: true}))
		for n, c := range categoryTree() {
			halt.Must(catalog.CreateCategory(tx, catalog.Category{Code: c.code, Name: c.name, ParentCode: c.parent,
				SortOrder: n, IsActive: true}))
		}
		for n, b := range brandList() {
			halt.Must(catalog.CreateBrand(tx, catalog.Brand{Code: b.code, Name: b.name, SortOrder: n, IsActive: true,
				WebsiteURL: "https://" + strings.ToLower(b.code) + ".example/"}))
		}
		for _, a := range attributeList() {
			halt.Must(catalog.SaveAttribute(tx, catalog.Attribute{Code: a.code, Name: a.name,
				DataType: catalog.DataType(a.dataType), Unit: a.unit, IsMultiValue: a.multi, IsVisible: true,
				IsActive: true}))
		}
	})
}

// letterhead is what stands on the company's papers. The numbers are made up; their check digits are right.
func letterhead(tx *db.Tx) {
	halt.Must(reference.SaveProfile(tx, func(p *reference.Profile) error {
		p.LegalName, p.OrganizationNumber, p.VATNumber = Company().Name, "999888771", "NO999888771MVA"
		p.Street1, p.PostalCode, p.City, p.CountryCode, p.Seat = "Storgata 1", "0155", "Oslo", "NO", "Oslo"
		p.Email, p.Phone, p.Website = "hei@nordlys.example", "+47 22 00 00 00", "https://nordlys.example"
		p.BankName, p.IBAN, p.BIC = "Sample bank", "NO9386011117947", "DNBANOKK"
		return nil
	}))
}

// north is the second warehouse.
const north = "NORTH"

func warehouseOfTheNorth(tx *db.Tx) {
	halt.On(reference.SaveWarehouses(tx, reference.Warehouse{Code: north, Name: "Tromsø warehouse", IsActive: true,
		Street1: "Strandvegen 110", PostalCode: "9006", City: "Tromsø", CountryCode: "NO", TransportDays: 3}))
	locations := []reference.Location{
		{Warehouse: north, Code: "N-01", Name: "Hall north", IsPickable: true, IsActive: true},
		{Warehouse: north, Code: "RETURNS", Name: "Returned goods", IsReturns: true, IsActive: true},
		{Warehouse: "MAIN", Code: "QUARANTINE", Name: "Waiting for inspection", IsQuarantine: true, IsActive: true},
	}
	for _, aisle := range []string{"B", "C"} {
		for bay := 1; bay <= 3; bay++ {
			locations = append(locations, reference.Location{Warehouse: "MAIN",
				Code: fmt.Sprintf("%s-%02d", aisle, bay), Zone: aisle, Name: fmt.Sprintf("Aisle %s, bay %d", aisle,
					bay), IsPickable: true, IsActive: true})
		}
	}
	halt.On(reference.SaveLocations(tx, locations...))
}

// items makes the assortment and publishes it in the web shop.
func (f *filler) items() {
	var all []catalog.Item
	sold := map[string]article{}
	for _, l := range lines() {
		l.items(f.random, func(i catalog.Item, a article) { all, sold[i.Number] = append(all, i), a })
	}
	for _, m := range families() {
		m.items(f.random, func(i catalog.Item, a article) {
			if all = append(all, i); i.VariantOf != "" {
				sold[i.Number] = a
			}
		})
	}
	for n := range all {
		all[n].GTIN = gtin(n)
	}
	f.found(func(tx *db.Tx) {
		made := slices.Clone(all)
		halt.On(catalog.CreateMany(tx, made))
		values := map[string]map[string][]string{}
		var publications []channel.Publication
		f.goods = nil
		for n, i := range made {
			publications = append(publications, channel.Publication{ItemNumber: i.Number, ChannelCode: "WEB",
				IsPublished: true, IsPurchasable: sold[i.Number].number != "",
				ShortDescription: textOf(lineOf(i.Number)).short, SortOrder: n, IsFeatured: isFeatured(i.Number)})
			if a, ok := sold[i.Number]; ok {
				a.id = i.ID
				values[i.ID] = a.attributes
				f.goods = append(f.goods, a)
			}
		}
		halt.On(catalog.PutManyValues(tx, values))
		for _, o := range halt.Must(channel.Publish(tx, publications)) {
			halt.On(o.Err)
		}
	})
}

// items hands out a line's items.
func (l line) items(r *rand.Rand, take func(catalog.Item, article)) {
	for m, model := range l.models {
		for g, grade := range l.grades {
			i := newItem(fmt.Sprintf("%s-%d%02d", l.code, m+1, g+1),
				strings.TrimSpace(strings.Join([]string{model, l.noun, grade.label}, " ")), l.category, l.brand, l.unit)
			i.Name = strings.Join(strings.Fields(i.Name), " ")
			if l.kind != "" {
				i.Type = catalog.ItemType(l.kind)
			}
			i.TaxCode = cmp.Or(l.tax, i.TaxCode)
			if l.tracking != "" {
				i.Tracking = catalog.TrackingType(l.tracking)
			}
			if l.unit == "M" {
				i.DecimalPlaces = 1
			}
			i.Description = textOf(l.code).long
			price := kroner(l.price * grade.percent / 100 * (100 + 12*m) / 100)
			i.SalesPrice = &price
			if l.gram > 0 {
				weight := dec.OfUnits(int64(l.gram*grade.percent/100), 3)
				i.WeightKg = &weight
			}
			if l.breaks && l.unit == "" {
				i.Units = []catalog.Unit{{Code: "BOX", Factor: dec.Int(12)}}
			}
			a := articleOf(i, l.breaks, between(r, 1, 6))
			if l.attribute != "" && grade.value != "" {
				a.attributes[l.attribute] = []string{grade.value}
			}
			if len(l.seasons) > 0 {
				a.attributes["SEASON"] = l.seasons
			}
			take(i, a)
		}
	}
}

// items hands out a family's parent and its variants.
func (m family) items(r *rand.Rand, take func(catalog.Item, article)) {
	parent := newItem(m.code, m.name, m.category, m.brand, m.unit)
	price := kroner(m.price)
	weight := dec.OfUnits(int64(m.gram), 3)
	parent.SalesPrice, parent.WeightKg = &price, &weight
	parent.Description = textOf(m.code).long + " In " + strings.ToLower(strings.Join(m.colours, ", ")) + ", sizes " +
		strings.Join(m.sizes, ", ") + "."
	take(parent, article{})
	for _, colour := range m.colours {
		for _, size := range m.sizes {
			v := parent
			v.Number = m.variant(colour, size)
			v.Name = m.name + " " + strings.ToLower(colour) + " " + size
			v.VariantOf = m.code
			v.VariantOptions = []catalog.Option{{Name: "Colour", Value: colour}, {Name: "Size", Value: size}}
			a := articleOf(v, false, between(r, 1, 4))
			a.attributes["COLOUR"], a.attributes["SIZE"] = []string{colour}, []string{size}
			a.attributes["WATERPROOF"] = []string{fmt.Sprint(m.waterproof)}
			if len(m.seasons) > 0 {
				a.attributes["SEASON"] = m.seasons
			}
			take(v, a)
		}
	}
}

// lineOf is the code of the line or family that an item number begins with.
func lineOf(number string) string {
	code, _, _ := strings.Cut(number, "-")
	return code
}

// variant is the number of a variant.
func (m family) variant(colour, size string) string {
	return m.code + "-" + strings.ToUpper(colour) + "-" + strings.ReplaceAll(strings.ToUpper(size), " ", "")
}

func newItem(number, name, category, brand, unit string) catalog.Item {
	i := catalog.New()
	i.Number, i.Name, i.CategoryCode, i.BrandCode, i.BaseUnit, i.TaxCode, i.OriginCountry = number, name, category,
		brand, "PCS", "STD", "NO"
	i.BaseUnit = cmp.Or(unit, i.BaseUnit)
	return i
}

func articleOf(i catalog.Item, breaks bool, popularity int) article {
	return article{number: i.Number, category: i.CategoryCode, kind: i.Type, tracking: i.Tracking, unit: i.BaseUnit,
		price: *i.SalesPrice, breaks: breaks, popularity: popularity, attributes: map[string][]string{}}
}

// kroner is a price as shops write it: 1234 becomes 1230, 119 stays.
func kroner(n int) dec.Dec {
	if n >= 1_000 {
		n -= n % 10
	}
	return dec.Int(int64(n))
}

// gtin is the n-th number of the range that GS1 keeps for use inside a company (prefix 200 to 299), with its check
// digit.
func gtin(n int) string {
	digits := fmt.Sprintf("2007%08d", n+1)
	sum := 0
	for i, d := range digits {
		weight := 1
		if i%2 == 1 {
			weight = 3
		}
		sum += int(d-'0') * weight
	}
	return fmt.Sprintf("%s%d", digits, (10-sum%10)%10)
}
