// Package identity is who may come in and where to: companies, users with their roles in each company,
// and the API keys of other systems. Its records lie in the control database; nothing here is company data.
package identity

import (
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/throttle"
)

// Environment says whether a company's books are real.
type Environment string

// The environments. A key of one never opens a company of the other.
const (
	Production Environment = "Production"
	Test       Environment = "Test"
)

// Values are the known environments.
func (Environment) Values() []Environment { return []Environment{Production, Test} }

// Status is where a company is in its life.
type Status string

// A company is Opening while its books and its starter set are laid out, and Closing while it is deleted;
// only an Active one answers.
const (
	Opening Status = "Opening"
	Active  Status = "Active"
	Closing Status = "Closing"
)

// Values are the known statuses.
func (Status) Values() []Status { return []Status{Opening, Active, Closing} }

// Role is what a user may do in a company.
type Role string

// The roles.
const (
	Admin      Role = "admin"
	Sales      Role = "sales"
	Purchasing Role = "purchasing"
	Warehouse  Role = "warehouse"
	Finance    Role = "finance"
	Support    Role = "support"
	Viewer     Role = "viewer"
)

// Values are the known roles.
func (Role) Values() []Role {
	return []Role{Admin, Sales, Purchasing, Warehouse, Finance, Support, Viewer}
}

// What identity refuses.
var (
	ErrMissingCredential = fault.New(fault.Unauthenticated, "Auth.MissingCredential")
	ErrInvalidCredential = fault.New(fault.Unauthenticated, "Auth.InvalidCredential")
	ErrExpiredCredential = fault.New(fault.Unauthenticated, "Auth.ExpiredCredential")

	// ErrSignInFailed is answered to everything that is wrong with a name and a password, so that a stranger learns
	// nothing.
	ErrSignInFailed    = fault.New(fault.Unauthenticated, "Auth.SignInFailed")
	ErrWrongCode       = fault.New(fault.Unauthenticated, "Auth.WrongCode")
	ErrTicketInvalid   = fault.New(fault.NotFound, "Auth.TicketInvalid")
	ErrTooManyAttempts = throttle.ErrAttempts
	ErrDenied          = fault.New(fault.Denied, "Permission.Denied")
	ErrSessionNotFound = fault.New(fault.NotFound, "Session.NotFound")

	ErrCompanyNotFound = fault.New(fault.NotFound, "Company.NotFound")
	ErrCompanyExists   = fault.New(fault.Conflict, "Company.AlreadyExists")
	ErrCompanyInvalid  = fault.New(fault.Invalid, "Company.Invalid")

	ErrUserExists  = fault.New(fault.Conflict, "User.AlreadyExists")
	ErrUserInvalid = fault.New(fault.Invalid, "User.Invalid")

	ErrUserNotFound = fault.New(fault.NotFound, "User.NotFound")
	// ErrLastAdmin keeps a company from being left to nobody.
	ErrLastAdmin          = fault.New(fault.Conflict, "User.LastAdmin")
	ErrInvitationNotFound = fault.New(fault.NotFound, "Invitation.NotFound")
	ErrConnectionNotFound = fault.New(fault.NotFound, "Connection.NotFound")

	ErrKeyNotFound  = fault.New(fault.NotFound, "ApiKey.NotFound")
	ErrKeyInvalid   = fault.New(fault.Invalid, "ApiKey.Invalid")
	ErrKeyAmbiguous = fault.New(fault.Conflict, "ApiKey.Ambiguous")
	ErrKeyRevoked   = fault.New(fault.Conflict, "ApiKey.AlreadyRevoked")
)
