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
		for n, c := range wares().Categories {
			halt.Must(catalog.CreateCategory(tx, catalog.Category{Code: c.Code, Name: c.Name, ParentCode: c.Parent,
				SortOrder: n, IsActive: true}))
		}
		for n, b := range wares().Brands {
			halt.Must(catalog.CreateBrand(tx, catalog.Brand{Code: b.Code, Name: b.Name, SortOrder: n, IsActive: true,
				WebsiteURL: "https://" + strings.ToLower(b.Code) + ".example/"}))
		}
		for _, a := range wares().Attributes {
			halt.Must(catalog.SaveAttribute(tx, catalog.Attribute{Code: a.Code, Name: a.Name, DataType: a.DataType,
				Unit: a.Unit, IsMultiValue: a.IsMultiValue, IsVisible: true, IsActive: true}))
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
	for _, l := range wares().Lines {
		l.items(f.random, func(i catalog.Item, a article) { all, sold[i.Number] = append(all, i), a })
	}
	for _, m := range wares().Families {
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
				ShortDescription: textOf(lineOf(i.Number)).Short, SortOrder: n, IsFeatured: isFeatured(i.Number)})
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
	for m, model := range l.Models {
		for g, grade := range l.Grades {
			i := newItem(fmt.Sprintf("%s-%d%02d", l.Code, m+1, g+1),
				strings.TrimSpace(strings.Join([]string{model, l.Noun, grade.Label}, " ")), l.Category, l.Brand, l.Unit)
			i.Name = strings.Join(strings.Fields(i.Name), " ")
			if l.Kind != "" {
				i.Type = catalog.ItemType(l.Kind)
			}
			i.TaxCode = cmp.Or(l.Tax, i.TaxCode)
			if l.Tracking != "" {
				i.Tracking = catalog.TrackingType(l.Tracking)
			}
			if l.Unit == "M" {
				i.DecimalPlaces = 1
			}
			i.Description = textOf(l.Code).Long
			price := kroner(l.Price * grade.Percent / 100 * (100 + 12*m) / 100)
			i.SalesPrice = &price
			if l.Gram > 0 {
				weight := dec.OfUnits(int64(l.Gram*grade.Percent/100), 3)
				i.WeightKg = &weight
			}
			if l.Breaks && l.Unit == "" {
				i.Units = []catalog.Unit{{Code: "BOX", Factor: dec.Int(12)}}
			}
			a := articleOf(i, l.Breaks, between(r, 1, 6))
			if l.Attribute != "" && grade.Value != "" {
				a.attributes[l.Attribute] = []string{grade.Value}
			}
			if len(l.Seasons) > 0 {
				a.attributes["SEASON"] = l.Seasons
			}
			take(i, a)
		}
	}
}

// items hands out a family's parent and its variants.
func (m family) items(r *rand.Rand, take func(catalog.Item, article)) {
	parent := newItem(m.Code, m.Name, m.Category, m.Brand, m.Unit)
	price := kroner(m.Price)
	weight := dec.OfUnits(int64(m.Gram), 3)
	parent.SalesPrice, parent.WeightKg = &price, &weight
	parent.Description = textOf(m.Code).Long + " In " + strings.ToLower(strings.Join(m.Colours, ", ")) + ", sizes " +
		strings.Join(m.Sizes, ", ") + "."
	take(parent, article{})
	for _, colour := range m.Colours {
		for _, size := range m.Sizes {
			v := parent
			v.Number = m.variant(colour, size)
			v.Name = m.Name + " " + strings.ToLower(colour) + " " + size
			v.VariantOf = m.Code
			v.VariantOptions = []catalog.Option{{Name: "Colour", Value: colour}, {Name: "Size", Value: size}}
			a := articleOf(v, false, between(r, 1, 4))
			a.attributes["COLOUR"], a.attributes["SIZE"] = []string{colour}, []string{size}
			a.attributes["WATERPROOF"] = []string{fmt.Sprint(m.IsWaterproof)}
			if len(m.Seasons) > 0 {
				a.attributes["SEASON"] = m.Seasons
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
	return m.Code + "-" + strings.ToUpper(colour) + "-" + strings.ReplaceAll(strings.ToUpper(size), " ", "")
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
