// Package portal is how customers come into a store, and what they find there of their own: who they are, what their
// role lets them do, their colleagues, and the documents that are theirs.
//
// Nobody has a password here, or is signed in, who has not read a mail that was sent to the address.
package portal

import (
	"slices"

	"kontor/internal/business/identity"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
)

// What this room refuses.
var (
	ErrDenied       = identity.ErrDenied
	ErrSignInFailed = identity.ErrSignInFailed
	ErrWrongCode    = identity.ErrWrongCode
	ErrTooMany      = identity.ErrTooManyAttempts
	ErrPending      = fault.New(fault.Unauthenticated, "Auth.ApprovalPending")
	ErrPassword     = fault.New(fault.Invalid, "Auth.PasswordInvalid")
	ErrLastAdmin    = fault.New(fault.Conflict, "CustomerContact.LastAdmin")
	ErrNoApproval   = fault.New(fault.NotFound, "OrderApproval.NotFound")
	ErrDecided      = fault.New(fault.Conflict, "OrderApproval.InvalidStatus")
	ErrReturnCode   = fault.New(fault.Invalid, "SalesReturn.WrongCode")
)

// Permission is something that a contact may do for its customer.
type Permission string

// The permissions.
const (
	ReadCatalog    Permission = "catalog:read"
	ReadDashboard  Permission = "dashboard:read"
	ReadOrders     Permission = "orders:read"
	CreateOrders   Permission = "orders:create"
	ApproveOrders  Permission = "orders:approve"
	ReadInvoices   Permission = "invoices:read"
	ReadShipments  Permission = "shipments:read"
	ReadReturns    Permission = "returns:read"
	CreateReturns  Permission = "returns:create"
	ReadAddresses  Permission = "addresses:read"
	WriteAddresses Permission = "addresses:write"
	ReadContacts   Permission = "contacts:read"
	WriteContacts  Permission = "contacts:write"
	ReadQuotes     Permission = "quotes:read"
	CreateQuotes   Permission = "quotes:create"
	ReadTickets    Permission = "tickets:read"
	CreateTickets  Permission = "tickets:create"
)

// granted are the permissions of a role: each role has those of the one before, and more.
func granted(r storefront.Role) []Permission {
	all := []Permission{ReadCatalog, ReadDashboard, ReadOrders, ReadInvoices, ReadShipments, ReadReturns, ReadAddresses,
		ReadQuotes, ReadTickets}
	if r == storefront.ReadOnly {
		return all
	}
	all = append(all, CreateOrders, CreateReturns, WriteAddresses, CreateQuotes, CreateTickets)
	if r == storefront.Buyer {
		return all
	}
	all = append(all, ApproveOrders)
	if r == storefront.Approver {
		return all
	}
	return append(all, ReadContacts, WriteContacts)
}

// Permissions are what the visitor may do: what the role grants, as far as the store offers it.
func Permissions(v *storefront.Visit) []Permission {
	offers := v.Channel.Store.Offers()
	all := granted(v.Contact.Role)
	without := func(offered bool, them ...Permission) {
		if !offered {
			all = slices.DeleteFunc(all, func(p Permission) bool { return slices.Contains(them, p) })
		}
	}
	without(offers.Returns, ReadReturns, CreateReturns)
	without(offers.Quotes, ReadQuotes, CreateQuotes)
	without(offers.Tickets, ReadTickets, CreateTickets)
	return all
}

// Permits reports whether the visitor may do something. It is about people who act for a customer: a guest acts for
// nobody else.
func Permits(v *storefront.Visit, p Permission) bool {
	return !v.SignedIn() || slices.Contains(Permissions(v), p)
}

// Need refuses a visitor who may not do something. Permission.Denied.
func Need(tx *db.Tx, p Permission) error {
	v := storefront.Of(tx)
	if Permits(v, p) {
		return nil
	}
	return ErrDenied.Because(
		"as %s you may not do this here (%s): ask an administrator among your colleagues, or the store", v.Contact.Role,
		p)
}

// NeedFor is Need for one record: who may not is told that there is none.
func NeedFor(tx *db.Tx, p Permission, none fault.Code, id string) error {
	if Permits(storefront.Of(tx), p) {
		return nil
	}
	return Missing(none, id)
}

// Missing is the refusal of a record that is not the visitor's to see.
func Missing(none fault.Code, id string) error {
	return none.Because("nothing is here with the id %q", id)
}
