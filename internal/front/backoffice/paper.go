package backoffice

import (
	"kontor/internal/business/paper"
	"kontor/internal/business/portal"
	"kontor/internal/business/shipping"
	"kontor/internal/foundation/db"
	"kontor/internal/front/page"
)

// shown is a printed paper that the browser shows.
func shown(f paper.File, err error) (page.Paper, error) {
	return page.Paper{Name: f.Name, Media: paper.Media, Body: f.Body, Inline: true}, err
}

// printed is a document that is printed of a record.
func printed[T any](load func(*page.Ctx) (T, error),
	print func(*db.Tx, T) (paper.File, error)) func(*page.Ctx) (page.Paper, error) {
	return func(c *page.Ctx) (page.Paper, error) {
		t, err := load(c)
		if err != nil {
			return page.Paper{}, err
		}
		return shown(print(c.Tx, t))
	}
}

// deliveryNote prints what a shipment holds, to be laid into it.
func deliveryNote(tx *db.Tx, sh shipping.Shipment) (paper.File, error) {
	codes, err := portal.ReturnCodes(tx, sh.OrderNumbers())
	if err != nil {
		return paper.File{}, err
	}
	return paper.DeliveryNoteFor(tx, sh, codes)
}
