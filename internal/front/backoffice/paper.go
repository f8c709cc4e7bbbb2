package backoffice

import (
	"kontor/internal/business/paper"
	"kontor/internal/business/portal"
	"kontor/internal/front/page"
)

// shown is a printed paper that the browser shows.
func shown(f paper.File, err error) (page.Paper, error) {
	return page.Paper{Name: f.Name, Media: paper.Media, Body: f.Body, Inline: true}, err
}

// invoicePaper prints an invoice or a credit note.
func invoicePaper(c *page.Ctx) (page.Paper, error) {
	i, err := loadInvoice(c)
	if err != nil {
		return page.Paper{}, err
	}
	return shown(paper.InvoiceFor(c.Tx, i))
}

// deliveryNote prints what a shipment holds, to be laid into it.
func deliveryNote(c *page.Ctx) (page.Paper, error) {
	sh, err := loadShipment(c)
	if err != nil {
		return page.Paper{}, err
	}
	codes, err := portal.ReturnCodes(c.Tx, sh.OrderNumbers())
	if err != nil {
		return page.Paper{}, err
	}
	return shown(paper.DeliveryNoteFor(c.Tx, sh, codes))
}
