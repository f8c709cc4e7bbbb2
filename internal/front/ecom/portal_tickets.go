package ecom

import (
	"kontor/internal/business/media"
	"kontor/internal/business/portal"
	"kontor/internal/business/storefront"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/front/rest"
	"kontor/internal/front/wire"
)

// portalTickets is where the portal's tickets are shown: the library says where the files of messages lie.
type portalTickets struct{ files *media.Library }

// PortalTickets are what a customer's people have asked. Internal notes never come here.
func PortalTickets(files *media.Library) rest.Group {
	d := portalTickets{files}
	return rest.Group{Tag: "PortalTickets", Scope: rest.ScopeCustomer, Doc: "Support tickets of the customer.",
		Ops: []rest.Op{
			rest.List("listPortalTickets", "/portal/tickets", "The customer's tickets, the newest first.",
				needs(portal.ReadTickets, listPortalTickets)).Raises(portal.ErrDenied),
			rest.Get("getPortalTicket", "/portal/tickets/{id}", "One ticket with its messages, the oldest first.",
				d.getPortalTicket).Raises(support.ErrNotFound),
			rest.Before(withFile(rest.Create("createPortalTicket", "/portal/tickets",
				"Submits a ticket; answers go to whoever is signed in. With a file (a picture or a PDF, at most 10 MB) it is multipart/form-data, and the description the first message.",
				d.createPortalTicket).
				Raises(portal.ErrDenied, support.ErrQueueNotFound, support.ErrOrderNotFound, support.ErrItemNotFound).
				Example(`{"subject": "The pump does not start", "description": "Since this morning."}`)),
				func(a *rest.Ahead, in *createPortalTicketIn) error {
					return d.keep(a, &in.fileIn, func(tx *db.Tx) error { return portal.Need(tx, portal.CreateTickets) })
				}),
			rest.Before(withFile(rest.Create("createPortalTicketMessage", "/portal/tickets/{id}/messages",
				"Adds a message, which reopens a resolved ticket. With a file (a picture or a PDF, at most 10 MB) it is multipart/form-data.",
				d.createPortalTicketMessage).
				Raises(support.ErrNotFound, support.ErrInvalidStatus).Example(`{"body": "It works again, thank you."}`)),
				func(a *rest.Ahead, in *createPortalTicketMessageIn) error {
					return d.keep(a, &in.fileIn, func(tx *db.Tx) error {
						_, err := portal.TicketNumber(tx, portal.CreateTickets, in.ID)
						return err
					})
				}),
			rest.Do("closePortalTicket", "/portal/tickets/{id}/close", "Closes a ticket for good.", closePortalTicket).
				Answers(204).
				Raises(support.ErrNotFound, support.ErrInvalidStatus),
		}}
}

// fileIn is what a request that may bring a file embeds.
type fileIn struct {
	File rest.File `part:"file"`

	kept []support.Attachment
}

func withFile(o rest.Op) rest.Op {
	return o.Raises(media.ErrEmptyFile, media.ErrTooLarge, media.ErrUnsupported).
		Refuses(media.ErrTooLarge, media.ErrUnsupported)
}

// keep keeps the file of whom may lets: nobody else fills our disk.
func (d portalTickets) keep(a *rest.Ahead, in *fileIn, may func(tx *db.Tx) error) error {
	if in.File.Name == "" && len(in.File.Data) == 0 {
		return nil
	}
	err := a.Read(may)
	if err == nil {
		in.kept, err = support.KeepFile(a.Context, d.files, a.Company(), in.File.Name, in.File.Data)
	}
	return err
}

// PortalTicket is a ticket of the customer.
type PortalTicket struct {
	rest.WideTag
	ID string `json:"id" format:"uuid"`
	wire.Ticket
	CustomerNumber string  `json:"customerNumber"`
	CreatedAt      db.Time `json:"createdDate"`
}

var portalTicketOf = rest.Shown[PortalTicket, support.Ticket]()

// PortalTicketAttachment is a file of a message.
type PortalTicketAttachment struct {
	FileName    string `json:"fileName"`
	ContentType string `json:"contentType"`
	FileSize    int    `json:"fileSize" doc:"Bytes."`
	URL         string `json:"url" of:"-" doc:"Needs no session, and cannot be guessed."`
}

// PortalTicketMessage is something said on a ticket.
type PortalTicketMessage struct {
	rest.Located
	MessageID   string                   `json:"messageId" of:"ID" format:"uuid"`
	Body        string                   `json:"body" doc:"Plain text."`
	AuthorName  rest.Text                `json:"authorName"`
	AuthorType  support.Author           `json:"authorType"`
	CreatedAt   db.Time                  `json:"createdDate"`
	Attachments []PortalTicketAttachment `json:"attachments"`
}

var portalMessage = rest.Shown[PortalTicketMessage, support.Message]()

func (d portalTickets) messageOf(tx *db.Tx, ticketID string, m support.Message) PortalTicketMessage {
	out := portalMessage(m)
	out.Location = rest.Self("/ecom/portal/tickets/", ticketID).Self
	for i, a := range m.Attachments {
		out.Attachments[i].URL = d.files.AttachmentURL(tx.Company, a.ID, a.File)
	}
	return out
}

// PortalTicketDetail is a ticket with its messages.
type PortalTicketDetail struct {
	rest.Located
	PortalTicket
	Messages []PortalTicketMessage `json:"messages" doc:"The oldest first."`
}

// wholeThread is more than anybody says on one ticket.
const wholeThread = 1000

func (d portalTickets) detailOf(tx *db.Tx, t support.Ticket) (PortalTicketDetail, error) {
	found, err := support.PublicMessages(tx, &t, record.Page{Number: 1, Size: wholeThread})
	said := each.Of(found.Items,
		func(m support.Message) PortalTicketMessage { return d.messageOf(tx, t.ID, m) })
	return PortalTicketDetail{rest.Located{Location: rest.Self("/ecom/portal/tickets/", t.ID).Self}, portalTicketOf(t),
		said}, err
}

type listPortalTicketsIn struct {
	rest.Paging
	Search string         `query:"search" doc:"Part of number, subject or contact."`
	Status support.Status `query:"status"`
}

func listPortalTickets(tx *db.Tx, in listPortalTicketsIn) (rest.Paged[PortalTicket], error) {
	found, err := support.List(tx, support.Filter{CustomerID: storefront.Of(tx).Customer.ID, Search: in.Search,
		Status: in.Status}, in.Record())
	return rest.PageOf(found, in.Paging, portalTicketOf), err
}

func (d portalTickets) getPortalTicket(tx *db.Tx, in rest.ID) (PortalTicketDetail, error) {
	number, err := portal.TicketNumber(tx, portal.ReadTickets, in.ID)
	if err != nil {
		return PortalTicketDetail{}, err
	}
	t, err := support.Find(tx, number)
	if err != nil {
		return PortalTicketDetail{}, err
	}
	return d.detailOf(tx, t)
}

type createPortalTicketRequest struct {
	Subject      string           `json:"subject" req:"true" text:"name"`
	Description  rest.Text        `json:"description" text:"note"`
	QueueCode    rest.Text        `json:"queueCode" doc:"Left out: the company's usual queue."`
	Priority     support.Priority `json:"priority" default:"Normal"`
	CategoryCode rest.Text        `json:"categoryCode" doc:"Free text."`
	OrderNumber  rest.Text        `json:"orderNumber" doc:"An order of the customer."`
	ItemNumber   rest.Text        `json:"itemNumber" doc:"Of what the store shows, or of that order."`
}

type createPortalTicketIn struct {
	Body createPortalTicketRequest
	fileIn
}

var portalTicketAsked = rest.Written[createPortalTicketRequest, support.Ticket]()

func (d portalTickets) createPortalTicket(tx *db.Tx, in createPortalTicketIn) (PortalTicketDetail, error) {
	t, err := portal.CreateTicket(tx, portalTicketAsked(in.Body), in.kept)
	if err != nil {
		return PortalTicketDetail{}, err
	}
	return d.detailOf(tx, t)
}

type createPortalTicketMessageIn struct {
	ID   string `path:"id" format:"uuid"`
	Body struct {
		Body string `json:"body" req:"true" text:"note" doc:"Plain text."`
	}
	fileIn
}

func (d portalTickets) createPortalTicketMessage(tx *db.Tx,
	in createPortalTicketMessageIn) (PortalTicketMessage, error) {
	number, err := portal.TicketNumber(tx, portal.CreateTickets, in.ID)
	if err != nil {
		return PortalTicketMessage{}, err
	}
	t, m, err := support.Say(tx, number, support.Message{Body: in.Body.Body, AuthorType: support.Customer,
		AuthorName: storefront.Of(tx).Contact.Name, Attachments: in.kept})
	return d.messageOf(tx, t.ID, m), err
}

func closePortalTicket(tx *db.Tx, in rest.ID) (rest.NoContent, error) {
	number, err := portal.TicketNumber(tx, portal.CreateTickets, in.ID)
	if err == nil {
		_, err = support.Close(tx, number)
	}
	return rest.NoContent{}, err
}
