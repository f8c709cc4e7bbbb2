package preview

import (
	"context"

	"kontor/internal/business/media"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/front/rest"
	"kontor/internal/front/wire"
)

// Tickets are what customers ask. The library says where the files of messages lie.
func Tickets(files *media.Library) rest.Group {
	unknown := []fault.Code{support.ErrQueueNotFound, support.ErrCustomerNotFound, support.ErrOrderNotFound,
		support.ErrItemNotFound, support.ErrInvalid}
	return rest.Group{Tag: "Tickets", Scope: "tickets",
		Doc: "Support tickets: submitted, routed by queue, sorted, answered, resolved and closed.", Ops: []rest.Op{
			rest.List("listTickets", "/tickets", "Tickets, the newest first.",
				rest.Lists[listTicketsIn](shownTicket, support.List)).Cached(),
			rest.Create("createTicket", "/tickets",
				"Submits a ticket into a queue, the company's usual one when none is named.", createTicket).
				Raises(unknown...).
				Example(
					`{"subject": "The pump does not start", "description": "Since this morning.", "customerNumber": "10001", "contactEmail": "anna@example.com"}`),
			rest.Get("getTicket", "/tickets/{ticketNumber}", "One ticket.",
				shownTicket.Of(support.Find)).Raises(support.ErrNotFound).
				CachedOne(support.Tickets), rest.Patch("updateTicket", "/tickets/{ticketNumber}",
				"Changes subject, description, contact or what the ticket refers to, until it is closed.",
				rest.Edits[ticketFields](shownTicket, support.Change)).
				Raises(append(unknown, support.ErrNotFound, support.ErrInvalidStatus)...).
				Example(`{"contactEmail": "bo@example.com"}`),
			rest.List("listTicketMessages", "/tickets/{ticketNumber}/messages",
				"Messages of a ticket with the internal notes, the oldest first.", listMessages(files)).
				Cached().Raises(support.ErrNotFound),
			rest.Prepare(rest.Create("createTicketMessage", "/tickets/{ticketNumber}/messages",
				"Adds a message or an internal note, with a file (a picture or a PDF, at most 10 MB) as multipart/form-data. An agent's public message is mailed to the contact; a customer's reopens a resolved ticket.",
				createMessage(files)).
				Raises(support.ErrNotFound, support.ErrInvalidStatus, support.ErrInvalid, media.ErrEmptyFile,
					media.ErrTooLarge, media.ErrUnsupported).
				Refuses(media.ErrTooLarge, media.ErrUnsupported).Example(`{"body": "We send you a new seal today."}`),
				func(ctx context.Context, company string, in *createMessageIn) (err error) {
					in.kept, err = support.KeepFile(ctx, files, company, in.File.Name, in.File.Data)
					return err
				}),
			rest.Do("routeTicket", "/tickets/{ticketNumber}/route",
				"Moves a ticket to another queue; the note is internal.", routeTicket).
				Raises(support.ErrNotFound, support.ErrInvalidStatus, support.ErrQueueNotFound).
				Example(`{"queueCode": "RETURNS", "note": "Wants to send it back"}`),
			rest.Do("triageTicket", "/tickets/{ticketNumber}/triage", "Sorts a new ticket.",
				rest.Told[triageBody](shownTicket, support.Triage)).
				Raises(support.ErrNotFound, support.ErrInvalidStatus, support.ErrQueueNotFound).
				Example(`{"priority": "High", "categoryCode": "Pumps"}`),
			rest.Do("startTicket", "/tickets/{ticketNumber}/start", "Begins the work, or goes on with it.",
				shownTicket.Of(support.Start)).
				Raises(support.ErrNotFound, support.ErrInvalidStatus),
			rest.Do("resolveTicket", "/tickets/{ticketNumber}/resolve", "Records how the question was solved.",
				rest.Given[resolveTicketRequest](shownTicket, support.Resolve)).
				Raises(support.ErrNotFound, support.ErrInvalidStatus).Example(`{"resolution": "A new seal was sent."}`),
			rest.Do("closeTicket", "/tickets/{ticketNumber}/close", "Closes a ticket for good.",
				shownTicket.Of(support.Close)).
				Raises(support.ErrNotFound, support.ErrInvalidStatus),
		}}
}

// Ticket is what somebody asks.
type Ticket struct {
	rest.Tag
	wire.Ticket
	CustomerNumber rest.Text `json:"customerNumber"`
	rest.Stamps
	Links rest.Links `json:"links" of:"Number" self:"/preview/tickets/"`
}

var shownTicket = rest.Shows(ticketShown)

var ticketShown = rest.Shown[Ticket, support.Ticket]()

// TicketAttachment is a file of a message.
type TicketAttachment struct {
	FileName    string `json:"fileName"`
	ContentType string `json:"contentType"`
	FileSize    int    `json:"fileSize" doc:"Bytes."`
	URL         string `json:"url" of:"-" doc:"Needs no key, and cannot be guessed."`
}

// TicketMessage is something said on a ticket.
type TicketMessage struct {
	rest.Tag `of:"-"`
	rest.Located
	MessageID   string             `json:"messageId" of:"ID" format:"uuid"`
	Body        string             `json:"body" doc:"Plain text."`
	IsInternal  bool               `json:"isInternal" doc:"No customer ever sees it."`
	AuthorName  rest.Text          `json:"authorName"`
	AuthorType  support.Author     `json:"authorType"`
	CreatedAt   db.Time            `json:"createdDate"`
	Attachments []TicketAttachment `json:"attachments"`
}

var message = rest.Shown[TicketMessage, support.Message]()

func messageShown(files *media.Library, company, ticket string, m support.Message) TicketMessage {
	out := message(m)
	out.Location = rest.Self("/preview/tickets/", ticket).Self + "/messages"
	for i, a := range m.Attachments {
		out.Attachments[i].URL = files.AttachmentURL(company, a.ID, a.File)
	}
	return out
}

type listTicketsIn struct {
	rest.Paging
	Search         string           `query:"search" doc:"Part of number, subject or contact."`
	Status         support.Status   `query:"status"`
	QueueCode      string           `query:"queueCode" of:"Queue"`
	Priority       support.Priority `query:"priority"`
	CustomerNumber string           `query:"customerNumber" of:"Customer"`
}

// ticketFields are what may be written of a ticket.
type ticketFields struct {
	Subject        string           `json:"subject" req:"true" text:"name"`
	Description    rest.Text        `json:"description" text:"note"`
	QueueCode      rest.Text        `json:"queueCode" doc:"Left out: the company's usual queue."`
	Priority       support.Priority `json:"priority" default:"Normal"`
	CategoryCode   rest.Text        `json:"categoryCode" doc:"Free text."`
	CustomerNumber rest.Text        `json:"customerNumber" doc:"Left out: the order's."`
	ContactName    rest.Text        `json:"contactName" text:"name"`
	ContactEmail   rest.Text        `json:"contactEmail" text:"email" doc:"Where answers are mailed to."`
	OrderNumber    rest.Text        `json:"orderNumber"`
	ItemNumber     rest.Text        `json:"itemNumber"`
}

var ticketsFields = rest.Alike[ticketFields, support.Ticket]()

func createTicket(tx *db.Tx, in rest.Sent[ticketFields]) (Ticket, error) {
	t := support.Ticket{Source: support.API}
	ticketsFields.Onto(in.Body, &t)
	t, err := support.Create(tx, t)
	return ticketShown(t), err
}

func listMessages(files *media.Library) func(*db.Tx, rest.Parts) (rest.Paged[TicketMessage], error) {
	return func(tx *db.Tx, in rest.Parts) (rest.Paged[TicketMessage], error) {
		found, err := support.Messages(tx, in.Of, in.Record())
		return rest.PageOf(found, in.Paging, func(m support.Message) TicketMessage {
			return messageShown(files, tx.Company, in.Of, m)
		}), err
	}
}

// Speaker is who speaks in a message that is written over the API.
type Speaker string

// Values are all speakers.
func (Speaker) Values() []Speaker {
	return []Speaker{Speaker(support.Agent), Speaker(support.Customer)}
}

type createMessageIn struct {
	TicketNumber string `path:"ticketNumber"`
	Body         struct {
		Body       string    `json:"body" req:"true" text:"note" doc:"Plain text."`
		IsInternal bool      `json:"isInternal" doc:"No customer ever sees it."`
		AuthorName rest.Text `json:"authorName" text:"name"`
		AuthorType Speaker   `json:"authorType" default:"Agent"`
	}
	File rest.File `part:"file"`

	kept []support.Attachment
}

func createMessage(files *media.Library) func(*db.Tx, createMessageIn) (TicketMessage, error) {
	return func(tx *db.Tx, in createMessageIn) (TicketMessage, error) {
		b := in.Body
		t, m, err := support.Say(tx, in.TicketNumber, support.Message{Body: b.Body, IsInternal: b.IsInternal,
			AuthorName: string(b.AuthorName), AuthorType: support.Author(b.AuthorType), Attachments: in.kept})
		out := messageShown(files, tx.Company, t.Number, m)
		out.Tag.Value = t.ETag()
		return out, err
	}
}

type routeTicketRequest struct {
	QueueCode string    `json:"queueCode" req:"true"`
	Note      rest.Text `json:"note" text:"note" doc:"Kept as an internal note."`
}

func routeTicket(tx *db.Tx, in rest.With[rest.Key, routeTicketRequest]) (Ticket, error) {
	t, err := support.Route(tx, in.At.Key, in.Body.QueueCode, string(in.Body.Note))
	return ticketShown(t), err
}

type triageBody struct {
	Priority     support.Priority `json:"priority" doc:"Left out: as it is."`
	CategoryCode rest.Text        `json:"categoryCode" doc:"Left out: as it is."`
	QueueCode    rest.Text        `json:"queueCode" doc:"Left out: as it is."`
}

type resolveTicketRequest struct {
	Resolution string `json:"resolution" req:"true" text:"note" doc:"The customer reads it."`
}
