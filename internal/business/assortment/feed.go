package assortment

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"

	"kontor/internal/business/channel"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

// FeedRow is a product as a shopping ad shows it: to nobody in particular, at the price with tax.
type FeedRow struct {
	*Article
	Price       Price
	Stock       Stock
	ProductType []string // names of its categories from the top down
	Group       string   // number of the parent that it is a variant of, where the channel shows that
}

// feedPage is how many products are read in one transaction.
const feedPage = 1_000

// FeedAfter are the next products of a channel's feed by item number, and the key to go on behind; "" at the end. What
// cannot be bought is no ad: parents whose variants are bought instead, what is shown only, and what has no price.
func FeedAfter(tx *db.Tx, c channel.Channel, after string) (rows []FeedRow, next string, err error) {
	all, err := visibleAfter(tx, c, after, feedPage)
	if err != nil || len(all) == 0 {
		return nil, "", err
	}
	if len(all) == feedPage {
		next = lastKey(all)
	}
	articles := each.Where(all, (*Article).Buyable)
	v := Viewer{Channel: c}.guest(tx)
	v.IncludesTax = true
	cards, err := pricedWith(tx, v, articles)
	if err != nil {
		return nil, "", err
	}
	k, err := keeperOf(tx, v)
	if err != nil {
		return nil, "", err
	}
	t, err := treeOf(tx, k)
	if err != nil {
		return nil, "", err
	}
	above := each.Given(articles, func(a *Article) string { return record.Fold(a.Item.VariantOf) })
	parents, err := among(tx, c, above)
	if err != nil {
		return nil, "", err
	}
	for _, card := range cards {
		if card.Price.UnitPriceIncludingTax == nil {
			continue
		}
		row := FeedRow{Article: card.Article, Price: card.Price, Stock: card.Stock}
		if parents[record.Fold(card.Item.VariantOf)] {
			row.Group = card.Item.VariantOf
		}
		row.ProductType = each.Given(t.way(card.Item.CategoryCode), func(n Crumb) string { return n.Name })
		rows = append(rows, row)
	}
	return rows, next, nil
}

// FeedMark is a word for all that a channel's feed is made of: as long as it is the same, so is the feed. It is taken
// before the feed is read, by a reader that asks what is committed; so a feed may be newer than its mark, never older.
func FeedMark(tx *db.Tx, c channel.Channel) (string, error) {
	changed, err := record.Watermark(tx)
	if err != nil {
		return "", err
	}
	until := db.Time(math.MaxInt64) // one writer: what is seen is all that was committed
	if tx.Versions() == nil {
		if until, err = tx.Committed(); err != nil {
			return "", err
		}
	}
	moved, err := stock.Moved(tx, until)
	if err != nil {
		return "", err
	}
	opened, err := lastOpened(tx, c)
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %d %d %d %d %s", tx.Company, record.Fold(c.Code), changed, moved,
		opened, tx.Epoch, tx.Today()))
	return hex.EncodeToString(sum[:12]), err
}
