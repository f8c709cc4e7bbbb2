package assortment

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

// Card is an article as lists show it.
type Card struct {
	*Article // shared: not to be changed
	Price    Price
	Stock    Stock // without a quantity where the store shows none
	Rating   Rating
	// CategoryCode is the item's, "" where the store does not show that category.
	CategoryCode string
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
	articles := each.Given(itemIDs, func(id string) *Article { return found[id] })
	tx.AnswerDependsOn(also(tx, k.deps, k.stock, articles))
	return cardsKept(tx, v, k, articles)
}

// cardsKept is cardsOf, of which those that are remembered are not made again. They are kept without their articles,
// which viewers with other prices share.
func cardsKept(tx *db.Tx, v Viewer, k keeper, articles []*Article) ([]Card, error) {
	if !k.on {
		return cardsOf(tx, v, k, articles)
	}
	name := "card\x00" + k.name + "\x00"
	out := make([]Card, len(articles))
	var missing []*Article
	var at []int
	for i, a := range articles {
		if c, _, ok := db.CacheGet[*Card](tx, name+a.Item.ID); ok {
			out[i] = *c
			out[i].Article = a
			continue
		}
		missing, at = append(missing, a), append(at, i)
	}
	made, err := cardsOf(tx, v, k, missing)
	for n, c := range made {
		out[at[n]] = c
		if len(made) <= db.MostCached {
			c.Article = nil
			tx.CachePut(name+missing[n].Item.ID, also(tx, k.deps, k.stock, missing[n:n+1]), cardWeight, &c)
		}
	}
	return out, err
}

// cardWeight is about how many bytes a card takes without its article.
const cardWeight = 600

// cardsOf prices articles, counts their stock and reads what is thought of them, all at once.
func cardsOf(tx *db.Tx, v Viewer, k keeper, articles []*Article) ([]Card, error) {
	out, err := pricedWith(tx, v, articles)
	if err != nil || len(out) == 0 {
		return out, err
	}
	ids := each.Of(articles, func(a *Article) string { return a.Item.ID })
	ratings, err := ratingsOf(tx, ids)
	if err != nil {
		return nil, err
	}
	t, err := treeOf(tx, k)
	if err != nil {
		return nil, err
	}
	for i, a := range articles {
		out[i].Rating = ratings[a.Item.ID]
		if t.byCode[record.Fold(a.Item.CategoryCode)] != nil {
			out[i].CategoryCode = a.Item.CategoryCode
		}
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
		out[i] = Card{Article: a, Price: prices[i], Stock: stocks[i].told(v.Channel)}
	}
	return out, nil
}
