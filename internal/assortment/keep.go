package assortment

import (
	"strconv"
	"strings"
	"time"

	"kontor/internal/catalog"
	"kontor/internal/channel"
	"kontor/internal/db"
	"kontor/internal/pricing"
	"kontor/internal/record"
	"kontor/internal/stock"
)

// keeper finds and keeps cards and pages in memory, where every commit passes through this process. What it keeps stands
// while nothing of the catalog, the channel or the prices changes, nor the stock of the items on it; whoever reads it again
// sees what he would read from the books.
type keeper struct {
	name    string // of what depends on the viewer
	general [9]uint64
	on      bool
}

// sources are the resources whose changes drop whatever is kept.
func sources() [9]string {
	return [9]string{catalog.Items.Name, channel.Publications.Name, catalog.Brands.Name, catalog.Categories.Name, catalog.Attributes.Name,
		pricing.Lists.Name, pricing.Lines.Name, Ratings, channel.Channels.Name}
}

// keeperOf begins before anything is kept: its counters are those that the answer will be kept under.
func keeperOf(tx *db.Tx, v Viewer) (keeper, error) {
	k := keeper{on: tx.Versions() != nil && !tx.Writes()}
	if !k.on {
		return k, nil
	}
	profile, err := pricing.Profile(tx, v.Situation())
	if err != nil {
		return k, err
	}
	k.general = generalOf(tx)
	k.name = strings.Join([]string{v.Channel.Code, v.Language, v.Country, strconv.FormatBool(v.IncludesTax), profile, strconv.FormatInt(tx.Epoch, 36)}, "\x00")
	return k, nil
}

func generalOf(tx *db.Tx) (at [9]uint64) {
	v := tx.Versions()
	for i, r := range sources() {
		at[i] = v.Of(tx.Company, r, "")
	}
	return at
}

// held is a value with what it stands on.
type held[T any] struct {
	value   T
	general [9]uint64
	numbers []string // of items whose stock it shows, folded
	stocks  []uint64
	opens   db.Time
	closes  db.Time
}

func (h *held[T]) stands(tx *db.Tx, k keeper) bool {
	if h.general != k.general || h.closes != 0 && h.closes <= tx.Now || h.opens > tx.Now {
		return false
	}
	v := tx.Versions()
	for i, n := range h.numbers {
		if v.Of(tx.Company, stock.Resource, n) != h.stocks[i] {
			return false
		}
	}
	return true
}

// keptAtMost bounds how long anything is kept: what time alone moves, such as the window of a variant, shows by then.
const keptAtMost = time.Minute

// remember keeps a value that this transaction has read, unless somebody has committed since it began. It depends on the
// stock of the numbered items, and holds only between two moments.
func remember[T any](tx *db.Tx, k keeper, name string, value T, numbers []string, opens, closes db.Time) {
	if !k.on {
		return
	}
	if until := tx.Now + db.Time(keptAtMost/time.Microsecond); closes == 0 || closes > until {
		closes = until
	}
	h := &held[T]{value: value, general: k.general, numbers: numbers, stocks: make([]uint64, len(numbers)), opens: opens, closes: closes}
	v := tx.Versions()
	for i, n := range numbers {
		h.stocks[i] = v.Of(tx.Company, stock.Resource, n)
	}
	if tx.Undisturbed() {
		tx.Memorize("assortment "+name+"\x00"+k.name, h)
	}
}

func recall[T any](tx *db.Tx, k keeper, name string) (value T, ok bool) {
	if !k.on {
		return value, false
	}
	v, ok := tx.Recall("assortment " + name + "\x00" + k.name)
	if !ok {
		return value, false
	}
	h, ok := v.(*held[T])
	if !ok || !h.stands(tx, k) {
		return value, false
	}
	return h.value, true
}

func (k keeper) card(tx *db.Tx, id string) *Card {
	c, _ := recall[*Card](tx, k, "card "+id)
	return c
}

// keep keeps cards. Those of parents show the stock of all their variants and are read each time.
func (k keeper) keep(tx *db.Tx, cards []Card) {
	for i := range cards {
		c := &cards[i]
		if c.Variants == 0 {
			remember(tx, k, "card "+c.Item.ID, c, []string{record.Fold(c.Item.Number)}, c.Opens, c.Closes)
		}
	}
}
