package bench

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kontor/internal/app"
	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/halt"
)

// store is the channel that the products of a shop are published in: the one that every company begins with.
const store = "WEB"

// Of every product there are so many variants, which are what is bought.
const shopVariants = 2

// productSlug is the address of a product, numbered as items are.
func productSlug(n int) string { return slugOf(itemNumber(n)) }

func slugOf(itemNumber string) string { return "product-" + strings.ToLower(itemNumber) }

// variantNumber is the item number of a product's variant, from 0.
func variantNumber(n, variant int) string { return fmt.Sprintf("%s-%d", itemNumber(n), variant+1) }

// loadShop makes a company whose store shows so many products, or finds the one that an earlier run made.
func loadShop(ctx context.Context, kontor *app.App, products int, tick func(string, int, int)) firm {
	size := Size{Items: products}
	l := &loader{kontor: kontor, firm: firm{Size: size}, size: size, tick: tick}
	last := func(tx *db.Tx) error {
		_, err := channel.FindPublication(tx, variantNumber(products-1, shopVariants-1), store)
		return err
	}
	return l.fill(ctx, fmt.Sprintf("bench-shop-%d-%d", products, shopVariants), "Measured shop", last,
		channel.ErrPublicationNotFound, l.shelves, l.products)
}

// property is an attribute that every product has a value of.
type property struct {
	code   string
	kind   catalog.DataType
	values []string // nil: numbers
	most   int      // of numbers
}

// properties are what products are chosen by.
func properties() []property {
	words := func(text string) []string { return strings.Fields(text) }
	return []property{
		{code: "colour", kind: catalog.Text, values: words("red green blue black white grey brown yellow orange pink")},
		{code: "material", kind: catalog.Text,
			values: words("oak birch steel linen wool glass enamel cotton leather brass bamboo rattan")},
		{code: "style", kind: catalog.Text, values: words("modern rustic classic nordic industrial")},
		{code: "room", kind: catalog.Text, values: words("kitchen bedroom hall office garden bathroom nursery")},
		{code: "finish", kind: catalog.Text, values: words("matt glossy oiled raw lacquered")},
		{code: "origin", kind: catalog.Text,
			values: words("Sweden Norway Denmark Finland Germany Poland Italy Portugal")},
		{code: "assembled", kind: catalog.Boolean, values: words("true false")},
		{code: "width", kind: catalog.WholeNumber, most: 200},
		{code: "height", kind: catalog.WholeNumber, most: 120},
		{code: "warranty", kind: catalog.WholeNumber, most: 10},
	}
}

// value is that of the n-th product. Large primes keep the properties from going together.
func (p property) value(n, at int) string {
	k := n*[...]int{7_919, 104_729, 15_487, 32_452, 49_979, 67_867, 86_028, 10_499, 12_553, 13_907}[at%10]/97 + n/3
	if p.values == nil {
		return strconv.Itoa(1 + k%p.most)
	}
	return p.values[k%len(p.values)]
}

// series is a made-up word, of which there are 3,375; names are told apart by it.
func series(n int) string {
	syllables := [...]string{"ka", "sto", "ri", "ven", "mo", "la", "tur", "ne", "bo", "sil", "fa", "gru", "ped", "hi",
		"dra"}
	s := syllables[n%15] + syllables[n/15%15] + syllables[n/225%15]
	return strings.ToUpper(s[:1]) + s[1:]
}

// Of each there are so many.
const (
	shopBrands     = 50
	shopCategories = 30 // below 6 at the top
)

func brandCode(n int) string    { return fmt.Sprintf("B%02d", n%shopBrands) }
func categoryCode(n int) string { return fmt.Sprintf("K%02d", n%shopCategories) }

// shelves makes what products are sorted by: brands, categories and attributes.
func (l *loader) shelves(ctx context.Context) {
	l.write(ctx, l.firm.request(), func(tx *db.Tx) {
		for n := range shopBrands {
			halt.Must(catalog.CreateBrand(tx, catalog.Brand{Code: brandCode(n), Name: series(n*83) + " Design",
				IsActive: true}))
		}
		for n := range 6 {
			halt.Must(catalog.CreateCategory(tx, catalog.Category{Code: fmt.Sprintf("T%d", n), Name: "Department " +
				series(n*307), IsActive: true}))
		}
		for n := range shopCategories {
			halt.Must(catalog.CreateCategory(tx, catalog.Category{Code: categoryCode(n),
				Name: qualities[n%len(qualities)] + " " + series(n*59), ParentCode: fmt.Sprintf("T%d", n%6), IsActive: true}))
		}
		for _, p := range properties() {
			halt.Must(catalog.SaveAttribute(tx, catalog.Attribute{Code: p.code,
				Name: strings.ToUpper(p.code[:1]) + p.code[1:], DataType: p.kind, IsVisible: true, IsActive: true}))
		}
	})
}

// products makes items with a value of every property, and their variants with stock, and publishes all with a price.
func (l *loader) products(ctx context.Context) {
	l.parts("products", l.size.Items, func(from, to int) {
		var items, variants []catalog.Item
		for n := from; n < to; n++ {
			items = append(items, product(n))
			for v := range shopVariants {
				variants = append(variants, productVariant(n, v))
			}
		}
		l.write(ctx, l.firm.request(), func(tx *db.Tx) {
			halt.On(catalog.CreateMany(tx, items))
			describe(tx, items, from)
			setPrices(tx, items)
			goodsOf(tx, variants)
			publish(tx, slices.Concat(items, variants))
		})
	})
}

func product(n int) catalog.Item {
	i := catalog.New()
	i.Number = itemNumber(n)
	i.Name = fmt.Sprintf("%s %s %s", qualities[n%len(qualities)], products[n/7%len(products)], series(n/5))
	i.Description = fmt.Sprintf("The %s of the series %s for %s and %s, made by hand in small numbers.",
		products[n/7%len(products)], series(n/5), properties()[3].value(n, 3), places[n%len(places)])
	i.BaseUnit, i.TaxCode, i.BrandCode, i.CategoryCode = "PCS", "STD", brandCode(n/11), categoryCode(n)
	p := priceOf(n)
	i.SalesPrice = &p
	return i
}

// productVariant is one of the sizes that the n-th product comes in; the next larger one costs ten more.
func productVariant(n, variant int) catalog.Item {
	i := product(n)
	size := [shopVariants]string{"small", "large"}[variant]
	i.Number, i.Name, i.VariantOf = variantNumber(n, variant), i.Name+", "+size, i.Number
	i.VariantOptions = []catalog.Option{{Name: "Size", Value: size}}
	p := i.SalesPrice.Add(dec.Int(int64(10 * variant)))
	i.SalesPrice = &p
	return i
}

// describe gives items their values.
func describe(tx *db.Tx, items []catalog.Item, from int) {
	all := properties()
	values := make(map[string]map[string][]string, len(items))
	for k, i := range items {
		values[i.ID] = make(map[string][]string, len(all))
		for at, p := range all {
			values[i.ID][p.code] = []string{p.value(from+k, at)}
		}
	}
	halt.On(catalog.PutManyValues(tx, values))
}

// publish shows items in the store; every hundredth product is featured.
func publish(tx *db.Tx, items []catalog.Item) {
	published := halt.Must(channel.Publish(tx, each.Of(items, func(i catalog.Item) channel.Publication {
		return channel.Publication{ItemNumber: i.Number, ChannelCode: store, Slug: slugOf(i.Number),
			IsPublished: true, IsPurchasable: true, IsFeatured: strings.HasSuffix(i.Number, "00")}
	})))
	for _, o := range published {
		halt.On(o.Err)
	}
}
