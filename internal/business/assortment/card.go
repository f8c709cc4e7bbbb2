package assortment

import (
	"maps"
	"slices"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
)

// Card is an article as lists show it.
type Card struct {
	*Article // shared: not to be changed
	Price    Price
	Stock    Stock
	Rating   Rating
}

// Rating is what buyers think of an article.
type Rating struct {
	Average *dec.Dec // nil where nobody has said anything
	Count   int
}

// RatingsWanted asks whoever keeps reviews for the ratings of items. The answer goes into Ratings, by item id.
type RatingsWanted struct {
	ItemIDs []string
	Ratings map[string]Rating
}

// Ratings is the resource whose changes move ratings; its business keys begin with the item number, percent-encoded,
// and a slash.
const Ratings = "reviews"

func ratingsOf(tx *db.Tx, itemIDs []string) (map[string]Rating, error) {
	wanted := RatingsWanted{ItemIDs: itemIDs, Ratings: make(map[string]Rating, len(itemIDs))}
	return wanted.Ratings, tx.Fire(wanted)
}

// Cards are items as lists show them, in the order asked. What does not exist in the store is left out.
func Cards(tx *db.Tx, v Viewer, itemIDs []string) ([]Card, error) {
	k, err := keeperOf(tx, v)
	if err != nil {
		return nil, err
	}
	found, err := articlesKept(tx, v.Channel, itemIDs)
	if err != nil {
		return nil, err
	}
	articles := make([]*Article, 0, len(found))
	for _, id := range itemIDs {
		if a, ok := found[id]; ok {
			articles = append(articles, a)
		}
	}
	tx.AnswerDependsOn(AlsoOn(tx, k.deps, slices.Collect(maps.Values(found))))
	return cardsOf(tx, v, articles)
}

// cardsOf prices articles, counts their stock and reads what is thought of them, all at once.
func cardsOf(tx *db.Tx, v Viewer, articles []*Article) ([]Card, error) {
	out, err := pricedWith(tx, v, articles)
	if err != nil || len(out) == 0 {
		return out, err
	}
	ids := each.Of(articles, func(a *Article) string { return a.Item.ID })
	ratings, err := ratingsOf(tx, ids)
	for i, a := range articles {
		out[i].Rating = ratings[a.Item.ID]
	}
	return out, err
}

// pricedWith prices articles and counts their stock.
func pricedWith(tx *db.Tx, v Viewer, articles []*Article) ([]Card, error) {
	out := make([]Card, len(articles))
	if len(articles) == 0 {
		return out, nil
	}
	asks := each.Of(articles, func(a *Article) Ask { return Ask{Article: a, Quantity: dec.One} })
	prices, err := Prices(tx, v, asks)
	if err != nil {
		return nil, err
	}
	stocks, err := Stocks(tx, v, articles)
	if err != nil {
		return nil, err
	}
	for i, a := range articles {
		out[i] = Card{Article: a, Price: prices[i], Stock: stocks[i]}
	}
	return out, nil
}
