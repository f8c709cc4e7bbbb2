package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/checkout"
	"kontor/internal/business/freight"
	"kontor/internal/business/media"
	"kontor/internal/business/party"
	"kontor/internal/business/promotion"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/halt"
	"kontor/internal/foundation/payment"
	"kontor/internal/foundation/record"
	"kontor/internal/front/payment/prepayment"
	"kontor/internal/front/payment/testing"
)

// Codes that the sample shop takes.
const (
	DiscountCode = "TUR10"
	GiftCard     = "NORD-LYS-2500"
)

// Shopper is the e-mail address of who signs in to the sample shop: a buyer of the customer with prices of its own.
const Shopper = "kari@fjellsport.example"

// Furnish makes the web shop of a company that Fill has made look like one: pictures, texts, menu, freight, a discount
// code and a gift card.
func Furnish(ctx context.Context, store *db.Store, files *media.Library, company string, now time.Time,
	tick func(what string)) error {
	f := &filler{ctx: ctx, store: store, company: company, now: now, random: rand.New(rand.NewPCG(1, 20))}
	for _, step := range []struct {
		what string
		do   func()
	}{
		{"pictures", func() { f.pictures(files) }},
		{"a product made to order", func() { f.madeToOrder(files) }},
		{"the shop's settings, freight and codes", f.shopfront},
		{"pages, blog and help", func() { f.reading(files) }},
		{"the sewing room", f.sewing},
		{"reviews, a quote and questions", f.voices},
	} {
		tick(step.what)
		if err := halt.Told(step.do); err != nil {
			return fmt.Errorf("the sample shop's %s: %w", step.what, err)
		}
	}
	return nil
}

// shopfront sets up the web shop.
func (f *filler) shopfront() {
	f.found(func(tx *db.Tx) {
		halt.Must(channel.Change(tx, "WEB", func(c *channel.Channel) error {
			c.Name, c.IsPriceIncludingTax = "Nordlys Outdoor", true
			c.Languages, c.Countries = []string{"en", "nb"}, []string{"NO", "SE", "DK"}
			c.Store.StockWarehouses = []string{"MAIN", north}
			c.Store.Profile = channel.Profile{LegalName: "Nordlys Outdoor", OrganizationNumber: "999 888 771 MVA",
				Email: "hei@nordlys.example", Phone: "+47 22 00 00 00", Address: "Storgata 1, 0155 Oslo"}
			c.Store.Navigation, c.Store.ReturnDays, c.Store.ApprovalOver = menu(), 30, crowns(20_000)
			c.Store.Promises = []string{"Sent the next working day", "Ships from Norway", "Mended, not replaced"}
			c.Store.Terms.Text, c.Store.Privacy.Text = file("terms.txt"), file("privacy.txt")
			return nil
		}))
		for _, r := range []channel.Redirect{{FromPath: "/tents", ToPath: "/categories/tents", StatusCode: 301,
			IsActive: true},
			{FromPath: "/sale", ToPath: "/search?q=tent", StatusCode: 302, IsActive: true}} {
			halt.Must(channel.CreateRedirect(tx, "WEB", r))
		}
		f.carriage(tx)
		till(tx)
		f.codesOfTheShop(tx)
	})
}

// menu leads to the top categories, and the two that most come for.
func menu() []channel.MenuItem {
	var out []channel.MenuItem
	for _, c := range wares().Categories {
		if c.Parent == "" && c.Code != "SERVICES" || c.Code == "TENTS" || c.Code == "JACKETS" {
			out = append(out, channel.MenuItem{Label: c.Name, Type: channel.MenuCategory, Slug: catalog.Slug(c.Name)})
		}
	}
	return out
}

// carriage is the table of freight: parcels by weight at home, by a flat price to the neighbours, free from an amount.
func (f *filler) carriage(tx *db.Tx) {
	halt.On(reference.SaveShippingMethods(tx, reference.ShippingMethod{Code: "EXPRESS", Name: "Express to the door",
		Carrier:             "Parcel carrier",
		TrackingURLTemplate: "https://tracking.example.com/{trackingNumber}", IsActive: true}))
	kr := func(n int64) dec.Dec { return dec.Int(n) }
	free, two, one, four := kr(1500), 2, 1, 4
	rates := []freight.Rate{
		{MethodCode: "PARCEL", CountryCode: "NO", Basis: freight.Weight, FreeFrom: &free, EstimatedDays: &two,
			Steps: []freight.Step{{From: 0, Price: kr(79)}, {From: kr(5), Price: kr(129)},
				{From: kr(20), Price: kr(249)}}},
		{MethodCode: "EXPRESS", CountryCode: "NO", Basis: freight.Weight, EstimatedDays: &one,
			Steps: []freight.Step{{From: 0, Price: kr(189)}, {From: kr(10), Price: kr(329)}}},
		{MethodCode: "PICKUP", CountryCode: "NO", Basis: freight.Value, EstimatedDays: &one,
			Steps: []freight.Step{{From: 0, Price: 0}}},
		{MethodCode: "PARCEL", CountryCode: "SE", Basis: freight.Value, EstimatedDays: &four,
			Steps: []freight.Step{{From: 0, Price: kr(199)}}},
		{MethodCode: "PARCEL", CountryCode: "DK", Basis: freight.Value, EstimatedDays: &four,
			Steps: []freight.Step{{From: 0, Price: kr(199)}}},
	}
	for _, r := range rates {
		r.CurrencyCode, r.IsPriceIncludingTax, r.IsActive = tx.Info.Currency, true, true
		halt.Must(freight.Create(tx, r))
	}
	towns := each.Of(postalTowns(),
		func(t town) freight.Town {
			return freight.Town{CountryCode: t.Country, PostalCode: t.Code, City: t.Name}
		})
	halt.Must(freight.SaveTowns(tx, towns))
}

// till has the Test provider meet buyers on a page of its own, and says how to pay in advance.
func till(tx *db.Tx) {
	known := payment.NewProviders(prepayment.New(), testing.New("", time.Now))
	for code, edit := range map[string]func(*checkout.Method){
		"TEST": func(m *checkout.Method) {
			m.Name, m.SortOrder, m.Settings = "Card (test)", 5, payment.Settings{"mode": "Redirect"}
		},
		"PREPAYMENT": func(m *checkout.Method) {
			m.Instructions = "Please pay to account 1234 56 78903 and give the order number. We send the goods as soon as the money is here."
		},
	} {
		m := halt.Must(checkout.FindMethod(tx, code))
		edit(&m)
		halt.Must(checkout.Save(tx, known, m))
	}
}

// postalTowns are the towns whose postal codes the shop knows: enough to show how a city is filled in. `kontor import
// postal-codes` brings the rest.
func postalTowns() []town {
	all := slices.Concat(folk().Towns, []town{{"0155", "Oslo", "NO", ""}, {"0162", "Oslo", "NO", ""},
		{"0350", "Oslo", "NO", ""}, {"5014", "Bergen", "NO", ""}, {"7030", "Trondheim", "NO", ""},
		{"9006", "Tromsø", "NO", ""}})
	return slices.DeleteFunc(all, func(t town) bool { return t.Country == "DE" })
}

// codesOfTheShop makes the discount code and the gift card.
func (f *filler) codesOfTheShop(tx *db.Tx) {
	halt.Must(promotion.Create(tx, promotion.Discount{Code: DiscountCode, Description: "10 % off your trip",
		Percent: dec.Int(10), IsActive: true, LimitCustomer: 5}))
	halt.Must(promotion.Issue(tx, promotion.Card{Code: GiftCard, CurrencyCode: tx.Info.Currency, Initial: dec.Int(2500),
		ExpiresOn: day.Of(f.now, tx.Info.Zone).AddDays(365), Note: "Sample gift card"}))
}

// Colleague is the e-mail address of a buyer of the same customer, whose large orders Shopper approves.
const Colleague = "ola@fjellsport.example"

// LetIn makes the shopper of the sample shop and the colleague, or gives those there are another password.
func LetIn(tx *db.Tx, passwordHash string) error {
	there, err := party.Contacts(tx, loyal, record.Page{Number: 1, Size: 200})
	if err != nil {
		return err
	}
	for _, who := range []party.Contact{{Name: "Kari Nordmann", Email: Shopper, Role: "Admin"},
		{Name: "Ola Hansen", Email: Colleague, Role: "Buyer"}} {
		known := slices.IndexFunc(there.Items,
			func(c party.Contact) bool { return strings.EqualFold(c.Email, who.Email) })
		if known >= 0 {
			_, err = party.UpdateContact(tx, loyal, there.Items[known].ID, func(c *party.Contact) error {
				c.PasswordHash = passwordHash
				return nil
			})
		} else {
			who.IsActive, who.HasPortalAccess, who.LanguageCode, who.PasswordHash = true, true, "en", passwordHash
			_, err = party.CreateContact(tx, loyal, who)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
