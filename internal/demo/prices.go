package demo

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/pricing"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// loyal is the customer with prices of its own.
const loyal = "10001"

// prices makes the price lists that need no customer: breaks by volume, the resellers' discount, the campaign.
func (f *filler) prices() error {
	return f.found(func(tx *db.Tx) error {
		today := day.Of(f.now, tx.Info.Zone)
		for _, l := range []pricing.List{
			{Code: "RESELLERS", Name: "Resellers", Type: pricing.CustomerGroup,
				CustomerGroupCodes: []string{"WHOLESALE"}, Priority: 20,
				Description: "A third off the sales price of all goods."},
			{Code: "CAMP-WEEKS", Name: "Camp weeks", Type: pricing.Campaign, Priority: 10,
				ValidFrom: today.AddDays(-10), ValidTo: today.AddDays(18),
				Description: "A fifth off tents, sleeping bags and mats."},
		} {
			l.CurrencyCode, l.IsActive = tx.Info.Currency, true
			if _, err := pricing.Create(tx, l); err != nil {
				return err
			}
		}
		var breaks, resellers, campaign []pricing.Line
		for _, a := range f.goods {
			if a.breaks {
				for _, b := range []struct{ from, percent int64 }{{0, 100}, {12, 90}, {48, 82}} {
					p := a.price.MulDiv(dec.Int(b.percent), dec.Int(100)).Round(2)
					breaks = append(breaks, pricing.Line{Item: a.number,
						Line: price.Line{Strategy: price.Fixed, MinQuantity: dec.Int(b.from), UnitPrice: &p}})
				}
			}
			if a.kind == catalog.Stock {
				resellers = append(resellers, discount(a, "33.3"))
			}
			if a.category == "TENTS" || a.category == "SLEEPING" {
				campaign = append(campaign, discount(a, "20"))
			}
		}
		for _, w := range []struct {
			list  string
			lines []pricing.Line
		}{{"BASE", breaks}, {"RESELLERS", resellers}, {"CAMP-WEEKS", campaign}} {
			if err := saveLines(tx, w.list, w.lines); err != nil {
				return err
			}
		}
		return nil
	})
}

// agreement makes the list of the loyal customer, once there is one.
func (f *filler) agreement(tx *db.Tx) error {
	_, err := pricing.Create(tx, pricing.List{Code: "AGREEMENT-" + loyal, Name: "Agreement " + loyal,
		Type: pricing.Contract, CurrencyCode: tx.Info.Currency, IsActive: true, Priority: 1,
		CustomerNumbers: []string{loyal}})
	if err != nil {
		return err
	}
	var lines []pricing.Line
	for n, a := range f.goods {
		if a.stocked() && n%12 == 0 {
			p := a.price.MulDiv(dec.Int(58), dec.Int(100)).Round(0)
			lines = append(lines, pricing.Line{Item: a.number, Line: price.Line{Strategy: price.Fixed, UnitPrice: &p}})
		}
	}
	return saveLines(tx, "AGREEMENT-"+loyal, lines)
}

func discount(a article, percent string) pricing.Line {
	p := dec.Must(percent)
	return pricing.Line{Item: a.number, Line: price.Line{Strategy: price.BasePriceDiscount, Percentage: &p}}
}

func saveLines(tx *db.Tx, list string, lines []pricing.Line) error {
	out, err := pricing.SaveLines(tx, list, lines, pricing.Upsert)
	for _, o := range out {
		if o.Err != nil {
			return o.Err
		}
	}
	return err
}
