package assortment

import (
	"slices"

	"kontor/internal/business/channel"
	"kontor/internal/business/media"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/letters"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/record"
)

// request is somebody who waits for an item in a store.
type request struct {
	id, channelKey, itemID, email, language, country string
}

// Notify remembers that somebody wants a mail when the item can be had again. Asking again, or for what lies in stock,
// changes nothing that can be told from outside. Refusals: Product.NotFound, Mail.Invalid.
func Notify(tx *db.Tx, v Viewer, itemID, email string) error {
	if err := mail.CheckAddress("email", email); err != nil {
		return err
	}
	found, err := byID(tx, v.Channel, []string{itemID})
	if err != nil {
		return err
	}
	if _, ok := found[itemID]; !ok {
		return ErrNotFound.Because("the store has no product %q", itemID)
	}
	return insertRequest(tx, request{record.NewID(), record.Fold(v.Channel.Code), itemID, email, v.Language, v.Country})
}

// TellArrived tells those who wait for goods that came in. It handles stock.Arrived, after those who have ordered them.
func TellArrived(tx *db.Tx, e stock.Arrived) error {
	ids := each.Of(e.Keys, func(k stock.Key) string { return k.ItemID })
	waiting, err := waitingFor(tx, ids)
	if err != nil || len(waiting) == 0 {
		return err
	}
	return tell(tx, waiting, nil)
}

// mostTold is how many requests are looked at in one transaction.
const mostTold = 500

// TellWaiting tells everybody whose item can be had again, whatever made it so: a return, an order that was cancelled,
// another warehouse. It looks at the next requests after one, and answers the last; "" when it is through. picture is
// the address of a file.
func TellWaiting(tx *db.Tx, after string, picture func(media.File) string) (last string, err error) {
	waiting, err := nextWaiting(tx, after, mostTold)
	if err != nil || len(waiting) == 0 {
		return "", err
	}
	return waiting[len(waiting)-1].id, tell(tx, waiting, picture)
}

// tell sends the mails of requests whose item can be had, store by store, at the price that each reader's country sees.
func tell(tx *db.Tx, waiting []request, picture func(media.File) string) error {
	channels, err := channel.All(tx)
	if err != nil {
		return err
	}
	for _, c := range channels {
		if !c.IsActive {
			continue
		}
		here := each.Where(waiting, func(r request) bool { return r.channelKey == record.Fold(c.Code) })
		for _, of := range each.Together(here, func(r request) string { return r.country }) {
			if err := tellCountry(tx, c, of, picture); err != nil {
				return err
			}
		}
	}
	return nil
}

// tellCountry sends the mails of one store to one country. Where the store delivers to that no longer, the price is the
// one of its own.
func tellCountry(tx *db.Tx, c channel.Channel, waiting []request, picture func(media.File) string) error {
	v := Viewer{Channel: c}.guest(tx)
	if slices.Contains(c.Countries, waiting[0].country) {
		v.Country = waiting[0].country
	}
	cards, err := cardsByID(tx, v, each.Once(waiting, func(r request) string { return r.itemID }))
	if err != nil {
		return err
	}
	for _, r := range waiting {
		card, ok := cards[r.itemID]
		if !ok || !card.Stock.Available() {
			continue
		}
		if err := mailTo(tx, c, r, card, picture); err != nil {
			return err
		}
	}
	return nil
}

// mailTo sends one mail, once: who marks the request sends it.
func mailTo(tx *db.Tx, c channel.Channel, r request, card Card, picture func(media.File) string) error {
	mine, err := markTold(tx, r.id)
	if err != nil || !mine {
		return err
	}
	i := letters.Item{Name: card.Name}
	if u := c.URL(); u != "" {
		i.URL = u + c.Paths.ProductPath(card.Slug)
	}
	if p := card.Price.Shown(); p != nil {
		i.Price = letters.Money(r.language, *p, card.Price.Digits, card.Price.CurrencyCode)
	}
	if picture != nil && card.Picture.Hash != "" {
		i.ImageURL = picture(card.Picture)
	}
	return mail.Enqueue(tx, letters.BackInStock(r.language, channel.Letterhead(tx, c), mail.Address{Email: r.email}, i,
		""))
}
