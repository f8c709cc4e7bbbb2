package freight_test

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"kontor/internal/business/freight"
	"kontor/internal/business/pricing"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

func open(t *testing.T, s *db.Store) {
	t.Helper()
	db.On(s, func(_ *db.Tx, e pricing.ChannelsWanted) error {
		e.Known["web"] = pricing.Channel{Code: "WEB"}
		return nil
	})
	dbtest.Write(t, s, func(tx *db.Tx) error {
		for _, err := range []error{
			reference.SaveCurrencies(tx, reference.Currency{Code: "SEK", Name: "Krona", Decimals: 2, IsBase: true,
				IsActive: true},
				reference.Currency{Code: "EUR", Name: "Euro", Decimals: 2, IsActive: true}),
			reference.SaveRates(tx, "EUR",
				reference.RatePoint{Date: "2020-01-01", Rate: dec.Rate{Amount: dec.Int(10), Units: dec.One}}),
			reference.SaveTaxCodes(tx, reference.TaxCode{Code: "STD", Name: "Standard", IsActive: true,
				Rates: []reference.TaxRate{{Country: "SE", Percent: dec.Int(25)}}}),
			reference.SaveShippingMethods(tx, reference.ShippingMethod{Code: "PARCEL", Name: "Parcel", Carrier: "Post",
				IsActive: true},
				reference.ShippingMethod{Code: "PALLET", Name: "Pallet", IsActive: true},
				reference.ShippingMethod{Code: "PICKUP", Name: "Pick up", IsPickup: true, IsActive: true},
				reference.ShippingMethod{Code: "OLD", Name: "Old", IsActive: false}),
		} {
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func create(t *testing.T, s *db.Store, r freight.Rate) freight.Rate {
	t.Helper()
	r.IsActive = true
	dbtest.Write(t, s, func(tx *db.Tx) (err error) { r, err = freight.Create(tx, r); return err })
	return r
}

// asked is the offer as text: code, price without and with tax, cheapest first.
func asked(t *testing.T, s *db.Store, sit freight.Situation) string {
	t.Helper()
	var out []string
	dbtest.Read(t, s, func(tx *db.Tx) error {
		all, err := freight.Methods(tx, sit)
		for _, m := range all {
			out = append(out, m.Code+" "+m.PriceNet.String()+"/"+m.PriceIncludingTax().String())
		}
		return err
	})
	return strings.Join(out, ", ")
}

func steps(pairs ...string) (out []freight.Step) {
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, freight.Step{From: dec.Must(pairs[i]), Price: dec.Must(pairs[i+1])})
	}
	return out
}

func of(s string) *dec.Dec { d := dec.Must(s); return &d }

func TestWhatDeliveryCosts(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		home := freight.Situation{ChannelCode: "WEB", CountryCode: "SE", PostalCode: "111 47", CurrencyCode: "SEK",
			Value: dec.Int(100), WeightKg: dec.Int(3)}
		with := func(edit func(*freight.Situation)) freight.Situation { c := home; edit(&c); return c }
		wants := func(what, want string, sit freight.Situation) {
			t.Helper()
			if got := asked(t, s, sit); got != want {
				t.Errorf("%s: %s, want %s", what, got, want)
			}
		}
		wants("no rates at all", "PALLET 0/0, PARCEL 0/0, PICKUP 0/0", home)

		create(t, s, freight.Rate{MethodCode: "parcel", CountryCode: "se", CurrencyCode: "sek", TaxCode: "std",
			Basis: freight.Weight, Steps: steps("5", "99", "0", "49"), UpTo: of("20"), FreeFrom: of("500"),
			EstimatedDays: new(int)})
		wants("by weight; what has no rate is not offered, but for picking up", "PICKUP 0/0, PARCEL 49/61.25", home)
		wants("the next step", "PICKUP 0/0, PARCEL 99/123.75",
			with(func(s *freight.Situation) { s.WeightKg = dec.Int(5) }))
		wants("too heavy", "PICKUP 0/0", with(func(s *freight.Situation) { s.WeightKg = dec.Must("20.001") }))
		wants("free from an amount", "PARCEL 0/0, PICKUP 0/0",
			with(func(s *freight.Situation) { s.Value = dec.Int(500) }))
		wants("free by a code", "PARCEL 0/0, PICKUP 0/0", with(func(s *freight.Situation) { s.FreeOfCharge = true }))
		wants("another country", "PICKUP 0/0", with(func(s *freight.Situation) { s.CountryCode = "NO" }))
		wants("in another currency, worth as much", "PICKUP 0/0, PARCEL 4.9/6.13",
			with(func(s *freight.Situation) { s.CurrencyCode, s.Value = "EUR", dec.Int(10) }))
		wants("free in another currency", "PARCEL 0/0, PICKUP 0/0",
			with(func(s *freight.Situation) { s.CurrencyCode, s.Value = "EUR", dec.Int(50) }))

		create(t, s, freight.Rate{MethodCode: "PARCEL", CountryCode: "SE", PostalFrom: "98", PostalTo: "98",
			CurrencyCode: "SEK", IsPriceIncludingTax: true, Steps: steps("0", "150")})
		wants("outside the range", "PICKUP 0/0, PARCEL 49/61.25", home)
		wants("in the range", "PICKUP 0/0, PARCEL 150/150",
			with(func(s *freight.Situation) { s.PostalCode = "SE-981 99" }))
		wants("no postal code yet", "PICKUP 0/0, PARCEL 49/61.25",
			with(func(s *freight.Situation) { s.PostalCode = "" }))

		create(t, s, freight.Rate{MethodCode: "PARCEL", CurrencyCode: "EUR", TaxCode: "STD",
			Steps: steps("0", "20", "50", "10")})
		wants("everywhere else", "PICKUP 0/0, PARCEL 200/200",
			with(func(s *freight.Situation) { s.CountryCode = "US" }))
		wants("everywhere else, a larger order", "PICKUP 0/0, PARCEL 100/100",
			with(func(s *freight.Situation) { s.CountryCode, s.Value = "US", dec.Int(500) }))
		wants("the country's own goes before", "PICKUP 0/0, PARCEL 49/61.25", home)

		web := create(t, s, freight.Rate{MethodCode: "PARCEL", ChannelCode: "web", CurrencyCode: "SEK",
			Steps: steps("0", "10")})
		wants("the channel's own goes before that", "PICKUP 0/0, PARCEL 10/10", home)
		wants("another channel", "PICKUP 0/0, PARCEL 49/61.25",
			with(func(s *freight.Situation) { s.ChannelCode = "B2B" }))
		dbtest.Write(t, s, func(tx *db.Tx) error {
			r, err := freight.Change(tx, web.ID, func(r *freight.Rate) error { r.IsActive = false; return nil })
			if r.Version != 2 {
				t.Errorf("version %d", r.Version)
			}
			return err
		})
		wants("inactive", "PICKUP 0/0, PARCEL 49/61.25", home)
		dbtest.Write(t, s, func(tx *db.Tx) error { return freight.Delete(tx, web.ID) })

		create(t, s, freight.Rate{MethodCode: "PICKUP", CountryCode: "SE", CurrencyCode: "SEK", TaxCode: "STD",
			Steps: steps("100", "25")})
		wants("a step for larger orders only", "PARCEL 49/61.25",
			with(func(s *freight.Situation) { s.Value = dec.Int(99) }))
		wants("picking up at a price", "PICKUP 25/31.25, PARCEL 49/61.25", home)
		dbtest.Read(t, s, func(tx *db.Tx) error {
			m, ok, err := freight.Find(tx, home, "parcel")
			if !ok || m.Carrier != "Post" || m.FreeFrom == nil || *m.FreeFrom != dec.Int(500) ||
				m.EstimatedDays == nil {
				t.Errorf("%+v", m)
			}
			if _, ok, _ := freight.Find(tx, home, "PALLET"); ok {
				t.Error("a pallet is offered without a rate")
			}
			found, err2 := freight.List(tx, "parcel", record.Page{Number: 1, Size: 50})
			if found.Total != 3 || err2 != nil {
				t.Errorf("%d rates: %v", found.Total, err2)
			}
			return err
		})
	})
}

func TestWhatNoRateCanBe(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		days := 400
		for _, r := range []freight.Rate{
			{MethodCode: "NONE", CurrencyCode: "XXX", TaxCode: "NONE", ChannelCode: "NONE", CountryCode: "XX",
				Steps: steps("0", "1")},
			{MethodCode: "PARCEL", CurrencyCode: "SEK", PostalFrom: "2", PostalTo: "1", Basis: "Volume", UpTo: of("0"),
				FreeFrom: of("-1"), EstimatedDays: &days},
			{MethodCode: "PARCEL", CurrencyCode: "SEK", Steps: steps("0", "1.001", "0", "2", "5", "-1")},
		} {
			err := s.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
				_, err := freight.Create(tx, r)
				return err
			})
			if f := fault.As(err); err == nil || f.Kind != fault.Invalid || len(f.Fields) < 3 {
				t.Errorf("%+v: %v", r, err)
			}
		}
		err := s.Write(context.Background(), dbtest.Request(),
			func(tx *db.Tx) error { return freight.Delete(tx, "none") })
		if !fault.Is(err, freight.ErrNotFound) {
			t.Error(err)
		}
	})
}

func TestPostalCodesAsTheyAreCompared(t *testing.T) {
	for _, c := range []struct{ country, code, normal, spelled string }{
		{"SE", "111 47", "11147", "111 47"}, {"se", "SE-11147", "11147", "111 47"}, {"NO", "0150", "0150", "0150"},
		{"GB", "sw1a 1aa", "SW1A", "SW1A"}, {"GB", "M11AE", "M1", "M1"}, {"GB", "EC2", "EC2", "EC2"},
		{"GB", "SW1A", "SW1A", "SW1A"}, {"NL", "1012 ab", "1012", "1012"}, {"NL", "1012", "1012", "1012"},
		{"US", "10001-1234", "10001", "10001"}, {"US", "10001", "10001", "10001"}, {"PL", "00-950", "00950", "00-950"},
		{"DK", "DK-2100", "2100", "2100"}, {"DE", "D-10115", "D10115", "D10115"},
		{"PT", "1000-001", "1000001", "1000-001"}, {"SE", "", "", ""}, {"CZ", "110 00", "11000", "110 00"},
	} {
		if got := freight.Normal(c.country, c.code); got != c.normal {
			t.Errorf("%s %q is %q, want %q", c.country, c.code, got, c.normal)
		}
		if got := freight.Spelled(c.country, c.normal); got != c.spelled {
			t.Errorf("%s %q is written %q, want %q", c.country, c.normal, got, c.spelled)
		}
	}
}

func FuzzNormal(f *testing.F) {
	f.Add("GB", "SW1A 1AA")
	f.Add("NL", "1012 AB")
	f.Add("US", "10001-1234")
	f.Add("SK", "0\x92")
	f.Add("US", "1000é1234")
	f.Fuzz(func(t *testing.T, country, code string) {
		if strings.Trim(strings.ToUpper(country), "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			t.Skip("no country")
		}
		once := freight.Normal(country, code)
		if len(once) > 0 && strings.ContainsAny(once, " -\t\n") {
			t.Errorf("%q %q became %q", country, code, once)
		}
		if spelled := freight.Spelled(country, once); freight.Normal(country, spelled) != once {
			t.Errorf("%q %q is spelled %q, which is read otherwise", country, once, spelled)
		}
		if utf8.ValidString(code) && !utf8.ValidString(once+freight.Spelled(country, once)) {
			t.Errorf("%q %q is cut within a letter: %q", country, code, once)
		}
	})
}

func TestTowns(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		towns := []freight.Town{
			{CountryCode: "SE", PostalCode: "111 47", City: "Stockholm", Region: "Stockholms län", Place: 2},
			{CountryCode: "SE", PostalCode: "11147", City: "Norrmalm", Place: 3},
			{CountryCode: "de", PostalCode: "10115", City: "Berlin", Place: 4},
			{CountryCode: "XX", PostalCode: "", City: "", Place: 5},
		}
		save := func(want string) {
			t.Helper()
			var got strings.Builder
			dbtest.Write(t, s, func(tx *db.Tx) error {
				out, err := freight.SaveTowns(tx, towns)
				for _, o := range out {
					switch {
					case o.Err != nil:
						got.WriteByte('x')
					case o.Created:
						got.WriteByte('c')
					case o.Updated:
						got.WriteByte('u')
					default:
						got.WriteByte('=')
					}
				}
				return err
			})
			if got.String() != want {
				t.Errorf("%s, want %s", got.String(), want)
			}
		}
		save("cccx")
		save("===x")
		towns[1].Region = "Stockholms län"
		save("=u=x")
		dbtest.Read(t, s, func(tx *db.Tx) error {
			found, err := freight.Lookup(tx, "se", "SE-111 47")
			if err != nil || len(found) != 2 || found[0].City != "Stockholm" || found[1].Region != "Stockholms län" {
				t.Errorf("%+v %v", found, err)
			}
			if _, err := freight.Lookup(tx, "DE", "11147"); !fault.Is(err, freight.ErrPostalNotFound) {
				t.Errorf("another country's code: %v", err)
			}
			return nil
		})
	})
}
