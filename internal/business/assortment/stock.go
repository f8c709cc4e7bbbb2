package assortment

import (
	"slices"

	"kontor/internal/business/channel"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// Status is stock in a word.
type Status string

// What a store says of its stock. OnOrder: nothing lies there, but it is expected, or may be ordered all the same.
const (
	InStock    Status = "InStock"
	LowStock   Status = "LowStock"
	OutOfStock Status = "OutOfStock"
	OnOrder    Status = "OnOrder"
)

// Values are the words, in the order they are shown.
func (Status) Values() []Status { return []Status{InStock, LowStock, OutOfStock, OnOrder} }

// Stock is what the warehouses of a store have of an article.
type Stock struct {
	ItemID string
	Status Status
	// that could be promised, in base units, of all variants of a parent; nil where it is not kept in stock
	Quantity *dec.Dec
	Expected day.Date
}

// Shown is the stock as a store shows it: nil where it shows none.
func (s Stock) Shown(d channel.StockDisplay) *Stock {
	switch d {
	case channel.ShowNone:
		return nil
	case channel.ShowStatus:
		s.Quantity = nil
	}
	return &s
}

// told is the stock as far as the store shows it, but for whether it shows any.
func (s Stock) told(c channel.Channel) Stock {
	if c.Store.Shows() != channel.ShowQuantity {
		s.Quantity = nil
	}
	return s
}

// shownStock is the resource of what a store shows of its stock.
func shownStock(c channel.Channel) string {
	if c.Store.Shows() == channel.ShowQuantity {
		return stock.Resource
	}
	return stock.StatusResource
}

// TellPlenty tells how much in one warehouse leaves all stores saying the same. It handles stock.PlentyWanted.
func TellPlenty(tx *db.Tx, e stock.PlentyWanted) error {
	all, err := channel.All(tx)
	for _, c := range all {
		*e.Above = max(*e.Above, c.Store.Low())
	}
	return err
}

// Available reports whether the article can be had now.
func (s Stock) Available() bool { return s.Status == InStock || s.Status == LowStock }

// Stocks is what the viewer's store has of articles, in the order asked, whether or not it shows it. A parent has what
// its variants have.
func Stocks(tx *db.Tx, v Viewer, articles []*Article) ([]Stock, error) {
	wanted := make([]part, 0, len(articles))
	for _, a := range articles {
		for _, one := range a.parts {
			if one.isKept {
				wanted = append(wanted, one)
			}
		}
	}
	free, err := freeKept(tx, v.Channel, wanted, len(articles) <= db.MostCached)
	if err != nil {
		return nil, err
	}
	out := make([]Stock, len(articles))
	lacking := map[int][]string{} // what an article's stock is counted of, by its place in out
	for i, a := range articles {
		if out[i] = stockOf(v.Channel, a, a.parts, free); out[i].Available() {
			continue
		}
		for _, one := range a.parts {
			lacking[i] = append(lacking[i], one.itemID)
		}
	}
	return out, expect(tx, v.Channel, lacking, out)
}

// freeOf is what the channel's warehouses could promise of items, by id.
func freeOf(tx *db.Tx, c channel.Channel, itemIDs []string) (map[string]dec.Dec, error) {
	free := make(map[string]dec.Dec, len(itemIDs))
	if len(itemIDs) == 0 {
		return free, nil
	}
	levels, err := stock.Promisable(tx, itemIDs)
	from := c.ShownFrom()
	for k, q := range levels {
		if slices.Contains(from, k.Warehouse) {
			free[k.ItemID] = free[k.ItemID].Add(q)
		}
	}
	return free, err
}

// stockOf is what the channel has of an article that is counted of these, of which so much is free, by item id.
func stockOf(c channel.Channel, a *Article, of []part, free map[string]dec.Dec) Stock {
	s := Stock{ItemID: a.Item.ID, Status: OutOfStock}
	var sum dec.Dec
	onOrder := false
	for _, one := range of {
		if !one.isKept {
			s.Status = InStock
			return s
		}
		sum = sum.Add(free[one.itemID])
		onOrder = onOrder || one.allowBackorder
	}
	s.Quantity = &sum
	switch {
	case sum > c.Store.Low():
		s.Status = InStock
	case sum > 0:
		s.Status = LowStock
	case onOrder:
		s.Status = OnOrder
	}
	return s
}

// expect fills in when what is lacking will come: the first of what an article's stock is counted of.
func expect(tx *db.Tx, c channel.Channel, lacking map[int][]string, out []Stock) error {
	if len(lacking) == 0 {
		return nil
	}
	var ids []string
	for _, of := range lacking {
		ids = append(ids, of...)
	}
	first, err := stock.FirstExpected(tx, ids, c.ShownFrom())
	if err != nil {
		return err
	}
	for i, of := range lacking {
		for _, id := range of {
			if on, ok := first[id]; ok && (out[i].Expected == "" || on < out[i].Expected) {
				out[i].Status, out[i].Expected = OnOrder, on
			}
		}
	}
	return nil
}
