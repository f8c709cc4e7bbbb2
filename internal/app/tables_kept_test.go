package app_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"kontor/internal/business/assortment"
	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/content"
	"kontor/internal/business/freight"
	"kontor/internal/business/party"
	"kontor/internal/business/pricing"
	"kontor/internal/business/production"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/reference"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

// registrar writes into every table that comes in and goes out, in words that a format might take for something else.
type registrar struct {
	*rand.Rand
	refused int
}

// word is a text such as people write, or such as spreadsheets, separators and escapes stumble over.
func (r *registrar) word() string {
	one := func() string {
		return pick(r, "plain", "Två ord", "=1+1", "+46 8 123", "-5", "@home", "'quoted'", `"so"`, "a;b", "a=b", `back\slash`,
			"1,5", "007", "1e5", "true", "2026-01-31", "NA", "Åäö", "a|b", "a/b", "tab\there", "two\nlines", "'", `\`, ";", "=",
			"'=x", "''=x", "x:y", "Ja", "10%", "０", "emoji 🙂", "<b>bold</b>", "C1", "A1")
	}
	if r.IntN(3) > 0 {
		return one()
	}
	return one() + " " + one()
}

// line is a word of one line, as codes and names are.
func (r *registrar) line() string {
	return strings.TrimSpace(strings.NewReplacer("\t", " ", "\n", " ").Replace(r.word()))
}

func (r *registrar) code(kind string) string { return kind + fmt.Sprint(1+r.IntN(5)) }

func (r *registrar) yes() bool { return r.IntN(2) == 0 }

func (r *registrar) amount() *dec.Dec {
	if r.IntN(4) == 0 {
		return nil
	}
	d := dec.Must(pick(r, "0", "1", "0.5", "12.5", "99.99", "0.000001", "9999999999.123456", "1000000", "3.333333"))
	return &d
}

func (r *registrar) days() *int {
	if r.yes() {
		return nil
	}
	n := r.IntN(40)
	return &n
}

// writes one record of some table.
func (r *registrar) writes(tx *db.Tx) error {
	all := []func(*db.Tx) error{r.attribute, r.place, r.item, r.supplier, r.offer, r.recipe, r.customer, r.list,
		r.redirect,
		r.synonym, r.article, r.page}
	return all[r.IntN(len(all))](tx)
}

func (r *registrar) attribute(tx *db.Tx) error {
	a := catalog.Attribute{Code: r.code("AT"), Name: r.line(), Description: r.word(), Group: r.line(), Unit: r.line(),
		DataType: pick(r, catalog.Text, catalog.WholeNumber, catalog.DecimalNumber, catalog.Boolean, catalog.Date),
		IsActive: r.IntN(4) > 0, IsVisible: r.yes(), IsMultiValue: r.yes()}
	if a.DataType == catalog.Text && r.yes() {
		a.AllowedValues = []string{r.line(), r.line() + "2", r.line() + "3"}
	}
	if a.DataType == catalog.DecimalNumber {
		a.MinValue = r.amount()
	}
	if known, err := catalog.FindAttribute(tx, a.Code); err == nil {
		a.Root, a.DataType = known.Root, known.DataType
	}
	if _, err := catalog.SaveAttribute(tx, a); err != nil {
		return err
	}
	_, err := catalog.PutValues(tx, r.code("IT"), a.Code, []string{r.word()})
	return err
}

func (r *registrar) place(tx *db.Tx) error {
	w := reference.Warehouse{Code: r.code("W"), Name: r.line(), IsActive: r.IntN(4) > 0, Street1: r.line(), City: r.line(),
		PostalCode: r.line(), CountryCode: pick(r, "SE", "", "NO"), TransportDays: r.IntN(9)}
	book, err := reference.Of(tx)
	if known, ok := book.Warehouse(w.Code); err == nil && ok {
		w.Root = known.Root
	}
	err = errors.Join(err, reference.SaveWarehouses(tx, w))
	if r.yes() {
		err = errors.Join(err, reference.SaveLocations(tx, reference.Location{Warehouse: w.Code,
			Code: r.line(), Name: r.line(),
			Zone: r.line(), IsPickable: r.yes(), IsQuarantine: r.yes(), IsActive: true}))
	}
	err = errors.Join(err, reference.SaveTaxCodes(tx, reference.TaxCode{Code: r.code("TAX"), Name: r.line(), IsActive: r.yes(),
		Rates: []reference.TaxRate{{Country: pick(r, "", "SE", "DE"), ValidFrom: r.date(), Percent: dec.Must("12.5")}}}))
	_, e := freight.SaveTowns(tx, []freight.Town{{CountryCode: pick(r, "SE", "GB"), PostalCode: pick(r, "11122", "SW1A1AA"),
		City: r.line(), Region: r.line(), Place: r.IntN(9)}})
	return errors.Join(err, e, reference.SaveRates(tx, pick(r, "EUR", "USD"), reference.RatePoint{Date: tx.Today(),
		Rate: dec.Rate{Amount: dec.Must("0.123456"), Units: dec.Int(100)}}))
}

func (r *registrar) date() day.Date {
	return day.Date(pick(r, "", "", "2024-02-29", "2026-01-01", "2031-12-31"))
}

func (r *registrar) item(tx *db.Tx) error {
	group := pick(r, "", r.code("CAT"))
	if group != "" {
		c := catalog.Category{Code: group, Name: r.line(), Description: r.word(), SortOrder: r.IntN(5),
			IsActive: r.yes()}
		if _, err := catalog.CreateCategory(tx, c); err == nil && r.yes() {
			_, err = catalog.ChangeCategory(tx, group, func(c *catalog.Category) error { c.ParentCode = r.code("CAT"); return nil })
			_ = err // a parent that is not there, or lies below
		}
	}
	maker := pick(r, "", r.code("BR"))
	if maker != "" {
		_, _ = catalog.CreateBrand(tx, catalog.Brand{Code: maker, Name: r.line(), Description: r.word(),
			IsActive: r.yes()})
	}
	number := r.code("IT")
	_, err := catalog.Save(tx, []catalog.Draft{{Number: number, Edit: func(i *catalog.Item) error {
		i.Name, i.Description, i.ManufacturerNumber, i.CommodityCode = r.line(), r.word(), r.line(), r.line()
		i.SalesPrice, i.WeightKg, i.LengthCm = r.amount(), r.amount(), r.amount()
		i.CategoryCode, i.BrandCode, i.OriginCountry = group, maker, pick(r, "", "SE")
		i.Units, i.SalesUnit = nil, ""
		if r.yes() {
			i.Units, i.SalesUnit = []catalog.Unit{{Code: "BOX", Factor: dec.Must("12")}}, pick(r, "", "BOX")
		}
		i.VariantOf, i.VariantOptions = "", nil
		if number > "IT3" && r.yes() {
			i.VariantOf, i.VariantOptions = r.code("IT"), []catalog.Option{{Name: r.line(), Value: r.line()},
				{Name: r.line() + "2", Value: r.line()}}
		}
		i.CrossReferences = nil
		if r.yes() {
			i.CrossReferences = []catalog.CrossReference{{Type: catalog.ManufacturerReference, Value: r.line()},
				{Type: catalog.CustomerReference, Value: r.line(), CustomerNumber: "CU1"}}
		}
		return nil
	}}}, catalog.UpsertMode)
	return err
}

func (r *registrar) supplier(tx *db.Tx) error {
	edit := func(s *purchasing.Supplier) error {
		s.Name, s.ContactPerson, s.Phone, s.Notes = r.line(), r.line(), r.line(), r.word()
		s.Street1, s.LeadTimeDays = r.line(), r.days()
		s.OrganizationNumber, s.OurCustomerNumber, s.CountryCode, s.LanguageCode = r.line(), r.line(), pick(r, "", "SE", "NO"),
			pick(r, "", "sv")
		return nil
	}
	number := r.code("SU")
	_, err := purchasing.ChangeSupplier(tx, number, edit)
	if fault.Is(err, purchasing.ErrSupplierNotFound) {
		s := purchasing.Supplier{Number: number, IsActive: r.yes()}
		_ = edit(&s)
		_, err = purchasing.CreateSupplier(tx, s)
	}
	return err
}

func (r *registrar) offer(tx *db.Tx) error {
	out, err := purchasing.SaveItems(tx, r.code("SU"), []purchasing.Draft{{Item: r.code("IT"),
		Edit: func(i *purchasing.SupplierItem) error {
			i.TheirNumber, i.TheirName, i.UnitPrice, i.IsPrimary = r.line(), r.line(), r.amount(), r.yes()
			i.MinOrderQuantity, i.OrderMultiple, i.LeadTimeDays = r.amount(), r.amount(), r.days()
			i.ValidFrom, i.CurrencyCode = r.date(), pick(r, "", "EUR", "SEK")
			return nil
		}}})
	if err == nil {
		err = out[0].Err
	}
	return err
}

func (r *registrar) recipe(tx *db.Tx) error {
	_, err := production.ChangeBOM(tx, r.code("IT"), func(b *production.BOM) error {
		b.Lines = nil
		for range r.IntN(4) {
			b.Lines = append(b.Lines, production.BOMLine{Item: r.code("IT"), Quantity: dec.Int(int64(1 + r.IntN(4))),
				ScrapPercent: dec.Must(pick(r, "0", "2.5")), ValidFrom: r.date()})
		}
		return nil
	})
	return err
}

func (r *registrar) customer(tx *db.Tx) error {
	edit := func(c *party.Customer) error {
		c.Name, c.Phone, c.Notes = r.line(), r.line(), r.word()
		c.Street1, c.City, c.CreditLimit = r.line(), r.line(), r.amount()
		c.OrganizationNumber, c.PostalCode, c.CountryCode, c.CurrencyCode = r.line(), r.line(), pick(r, "", "SE", "NO"),
			pick(r, "", "EUR")
		c.GroupCode, c.PaymentTermCode, c.DeliveryTermCode = pick(r, "", "RETAIL", "CLUB"), pick(r, "", "NET30"),
			pick(r, "", "DAP")
		return nil
	}
	err := reference.SaveCustomerGroups(tx, reference.CustomerGroup{Code: "CLUB", Name: r.line(), IsActive: true})
	number := r.code("CU")
	_, e := party.Update(tx, number, edit)
	if fault.Is(e, party.ErrNotFound) {
		c := party.Customer{Number: number, IsActive: r.yes()}
		_ = edit(&c)
		_, e = party.Create(tx, c)
	}
	return errors.Join(err, e)
}

func (r *registrar) list(tx *db.Tx) error {
	l := pricing.List{Code: r.code("PL"), Name: r.line(), Description: r.word(), CurrencyCode: pick(r, "SEK", "EUR"),
		Type: pick(r, pricing.Standard, pricing.Customer, pricing.CustomerGroup, pricing.Campaign,
			pricing.Contract),
		IsActive: r.yes(), IsPriceIncludingTax: r.yes(), Priority: r.IntN(9), ValidTo: r.date(),
		BasePriceListCode: pick(r, "", "", "BASE", "PL1")}
	switch l.Type {
	case pricing.Customer, pricing.Contract:
		l.CustomerNumbers = []string{"CU1"}
	case pricing.CustomerGroup:
		l.CustomerGroupCodes = []string{"RETAIL", "WHOLESALE"}
	case pricing.Campaign:
		l.ChannelCodes = []string{"WEB"}
	}
	if _, err := pricing.Find(tx, l.Code); fault.Is(err, pricing.ErrNotFound) {
		if _, err := pricing.Create(tx, l); err != nil {
			return err
		}
	}
	line := pricing.Line{Item: r.code("IT"), Line: price.Line{MinQuantity: dec.Int(int64(r.IntN(3))), ValidFrom: r.date(),
		Strategy: pick(r, price.Fixed, price.Fixed, price.CostPlusPercent, price.CostPlusAmount,
			price.BasePriceDiscount, price.ParentPriceList)}}
	percent := dec.Must("12.5")
	switch line.Strategy {
	case price.Fixed:
		line.UnitPrice = r.amount()
	case price.CostPlusAmount:
		line.FixedAmount = r.amount()
	default:
		line.Percentage = &percent
	}
	out, err := pricing.SaveLines(tx, l.Code, []pricing.Line{line})
	if err == nil {
		err = out[0].Err
	}
	return err
}

func (r *registrar) redirect(tx *db.Tx) error {
	_, err := channel.CreateRedirect(tx, "WEB", channel.Redirect{FromPath: "/" + r.line(), ToPath: pick(r, "/", "/"+r.line(),
		"https://example.com/?a=b"), StatusCode: pick(r, 301, 302), IsActive: r.yes()})
	return err
}

func (r *registrar) synonym(tx *db.Tx) error {
	one := assortment.Synonym{Words: []string{r.line(), r.line()}, Language: pick(r, "", "sv", "en")}
	if r.yes() {
		one.Words, one.Means = one.Words[:1], []string{r.line()}
	}
	_, err := assortment.SaveSynonyms(tx, []assortment.Synonym{one})
	return err
}

func (r *registrar) article(tx *db.Tx) error {
	a := content.Article{Slug: strings.ToLower(r.code("help-")), Title: r.line(), Topic: r.line(),
		HTML: "<p>" + r.word() + "</p>", SortOrder: r.IntN(9)}
	if known, err := content.FindArticle(tx, a.Slug); err == nil {
		a.Root = known.Root
	}
	_, err := content.SaveArticle(tx, a)
	return err
}

func (r *registrar) page(tx *db.Tx) error {
	slug, title := r.code("page-"), r.line()
	shown := content.Section{Shown: content.Shown{Type: content.Text, Title: &title}}
	if r.IntN(4) == 0 {
		_, err := content.PutHome(tx, "WEB", content.Config{Layout: content.Standard, Sections: []content.Section{shown}})
		return err
	}
	p := content.Page{Type: pick(r, content.Standing, content.BlogPost, content.NewsPost), Slug: slug, Title: title,
		Excerpt:    r.word(),
		AuthorName: r.line(), MetaDescription: r.word(), SortOrder: r.IntN(5), ShowInNavigation: r.yes(),
		Tags: []string{r.line(), r.line()}}
	if _, err := content.Create(tx, "WEB", p); err != nil {
		return err
	}
	if _, err := content.PutConfig(tx, "WEB", slug, content.Config{FullWidth: r.yes(), Sections: []content.Section{shown,
		shown}}); err != nil {
		return err
	}
	if r.yes() {
		_, err := content.Publish(tx, "WEB", slug)
		return err
	}
	return nil
}
