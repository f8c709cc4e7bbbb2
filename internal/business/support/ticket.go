// Package support is what customers ask and what they are answered: tickets that wait in queues, are sorted, worked on,
// resolved and closed, with the messages that go to and fro.
//
// A note that is internal is for the company's own people. PublicMessages is the only way a surface for customers reads
// messages.
package support

import (
	"context"

	"kontor/internal/business/media"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

// Tickets is the resource of this room.
var Tickets = record.Define("tickets", "ticket", "Ticket", "ticket_message", "ticket_asset")

// What this room refuses.
var (
	ErrNotFound         = fault.New(fault.NotFound, "Ticket.NotFound")
	ErrInvalid          = fault.New(fault.Invalid, "Ticket.Invalid")
	ErrInvalidStatus    = fault.New(fault.Conflict, "Ticket.InvalidStatus")
	ErrQueueNotFound    = fault.New(fault.Invalid, "TicketQueue.NotFound")
	ErrCustomerNotFound = fault.New(fault.Invalid, "Customer.NotFound")
	ErrOrderNotFound    = fault.New(fault.Invalid, "SalesOrder.NotFound")
	ErrItemNotFound     = fault.New(fault.Invalid, "Item.NotFound")
)

// Status is where a ticket stands.
type Status string

// The statuses.
const (
	New                Status = "New"
	Triaged            Status = "Triaged"
	InProgress         Status = "InProgress"
	WaitingForCustomer Status = "WaitingForCustomer"
	Resolved           Status = "Resolved"
	Closed             Status = "Closed"
)

// Values are all statuses.
func (Status) Values() []Status {
	return []Status{New, Triaged, InProgress, WaitingForCustomer, Resolved, Closed}
}

// Moves are the moves of a ticket.
var Moves = lifecycle.Moves[Status]{
	"change":  {From: []Status{New, Triaged, InProgress, WaitingForCustomer, Resolved}, Done: "changed"},
	"route":   {From: []Status{New, Triaged, InProgress, WaitingForCustomer, Resolved}, Done: "routed"},
	"answer":  {From: []Status{New, Triaged, InProgress, WaitingForCustomer, Resolved}, Done: "answered"},
	"triage":  {From: []Status{New}, To: Triaged, Done: "triaged"},
	"start":   {From: []Status{New, Triaged, WaitingForCustomer}, To: InProgress, Done: "started"},
	"resolve": {From: []Status{New, Triaged, InProgress, WaitingForCustomer}, To: Resolved, Done: "resolved"},
	"close":   {From: []Status{New, Triaged, InProgress, WaitingForCustomer, Resolved}, To: Closed, Done: "closed"},
}

// Priority is how soon a ticket wants its answer.
type Priority string

// The priorities.
const (
	Low    Priority = "Low"
	Normal Priority = "Normal"
	High   Priority = "High"
	Urgent Priority = "Urgent"
)

// Values are all priorities.
func (Priority) Values() []Priority { return []Priority{Low, Normal, High, Urgent} }

// Source is by which way a ticket came.
type Source string

// The sources.
const (
	API     Source = "Api"
	Portal  Source = "Portal"
	Mailbox Source = "Mailbox"
	ERP     Source = "Erp"
	Form    Source = "Form"
)

// Values are all sources.
func (Source) Values() []Source { return []Source{API, Portal, Mailbox, ERP, Form} }

// Author is who speaks in a message.
type Author string

// The authors.
const (
	Customer Author = "Customer"
	Agent    Author = "Agent"
	System   Author = "System"
)

// Values are all authors.
func (Author) Values() []Author { return []Author{Customer, Agent, System} }

// Ticket is what somebody asks.
type Ticket struct {
	record.Root
	Number          string
	Subject         string
	Description     string
	Status          Status
	Source          Source
	Priority        Priority
	CategoryCode    string `db:"category"` // free text
	QueueCode       string `db:"queue"`
	CustomerID      string `log:"-"`
	CustomerNumber  string
	ContactName     string
	ContactEmail    string // whom answers are mailed to; "" = nobody
	OrderNumber     string
	ItemNumber      string `db:"item"`
	ChannelCode     string `db:"channel"` // of the store it came by; "" = none
	Language        string // that it was written in a store of; "" = not known
	Resolution      string
	FirstResponseAt db.Time // of the first message of an agent that is not internal; 0 = there is none
	ResolvedAt      db.Time // 0 = not, or open again
	ClosedAt        db.Time
	LastAuthor      Author  // of the newest message that is not internal; "" = there is none
	Messages        int     `log:"-"` // how many there are, with the internal ones
	AnswerBy        db.Time // by when it is promised an answer; 0 = nothing is promised
	SolveBy         db.Time
	DueAt           db.Time `log:"-"` // the next of these; 0 = none, or the customer is waited for
	PausedAt        db.Time `log:"-"` // since when they are, or it is resolved; 0 = they are not
	Waited          int     `log:"-"` // how long they were, in seconds of working time
	ReplyKey        string  `log:"-"` // leads an answer by mail to the ticket, and is known to who was mailed alone
}

// Message is something said on a ticket, as plain text.
type Message struct {
	ID          string
	Seq         int // from 1, in the order they were said
	Body        string
	IsInternal  bool // no customer ever sees it
	AuthorType  Author
	AuthorName  string
	CreatedAt   db.Time
	MailID      string // its Message-ID without angle brackets; of a mail that we send, the part before the @
	Attachments []Attachment
}

// Attachment is a file that a message brings.
type Attachment struct {
	ID string
	media.File
}

// KeepFile keeps the file that comes with a message, before the transaction that records it; one may come without.
// ChannelMediaAsset.EmptyFile, .FileTooLarge, .UnsupportedType.
func KeepFile(ctx context.Context, l *media.Library, company, name string, data []byte) ([]Attachment, error) {
	if name == "" && len(data) == 0 {
		return nil, nil
	}
	f, err := l.Take(ctx, company, name, data, true)
	return []Attachment{{File: f}}, err
}

// CustomerWrote is fired when the customer has written on a ticket that there was.
type CustomerWrote struct {
	Ticket  *Ticket
	Message *Message
}

// Answered is fired when an agent has written to the contact.
type Answered struct {
	Ticket  *Ticket
	Message *Message
}
