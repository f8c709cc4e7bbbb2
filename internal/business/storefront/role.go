package storefront

import "slices"

// Role is what a contact may do for its customer.
type Role string

// The roles. A contact whose role is none of these, such as a job title, is a Buyer.
const (
	Buyer    Role = "Buyer"
	Approver Role = "Approver"
	Admin    Role = "Admin"
	ReadOnly Role = "ReadOnly"
)

// Values are all roles.
func (Role) Values() []Role { return []Role{Buyer, Approver, Admin, ReadOnly} }

// RoleOf reads a contact's role.
func RoleOf(role string) Role {
	if r := Role(role); slices.Contains(r.Values(), r) {
		return r
	}
	return Buyer
}
