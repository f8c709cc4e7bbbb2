package identity

// Permission is something a role may allow. Those named like a scope of the integration API bound what a connection may
// do for the person behind it; the others open pages of the back office.
type Permission struct {
	Name string // customers:write
	Doc  string
}

// area is a part of the business that is read and written as one.
type area struct {
	name, doc     string
	reads, writes []Role // besides Admin, who may do everything
}

// The sets of roles that the table below repeats.
var (
	everybody = []Role{Sales, Purchasing, Warehouse, Finance, Support, Viewer}
	nobody    = []Role(nil)
	dealers   = []Role{Sales, Purchasing}
	storemen  = []Role{Warehouse, Purchasing}
)

// areas are all permissions there are: the one list that the back office, the integration API and the page of roles go
// by.
var areas = []area{
	{"customers", "Customers, their contacts and addresses", everybody, []Role{Sales, Finance, Support}},
	{"items", "Items with units, attributes and relations", everybody, dealers},
	{"categories", "Categories of items", everybody, dealers},
	{"brands", "Brands", everybody, dealers},
	{"channels", "Channels and what is published in them", everybody, []Role{Sales}},
	{"content-pages", "Pages of the stores", everybody, []Role{Sales}},
	{"redirects", "Redirects of the stores", everybody, []Role{Sales}},
	{"media", "Pictures and documents", everybody, dealers},
	{"price-lists", "Price lists and prices", []Role{Sales, Purchasing, Finance, Support, Viewer},
		[]Role{Sales, Finance}},
	{"sales-orders", "Sales orders", everybody, []Role{Sales, Support}},
	{"quotes", "Quotes", []Role{Sales, Finance, Support, Viewer}, []Role{Sales, Support}},
	{"configurations", "Configured products", everybody, []Role{Sales, Support}},
	{"discounts", "Discount codes and gift cards", []Role{Sales, Finance, Support, Viewer}, []Role{Sales, Finance}},
	{"shipments", "Shipments, from release to delivery", everybody, []Role{Warehouse, Sales}},
	{"returns", "Returns of customers", everybody, []Role{Warehouse, Sales, Support}},
	{"receipts", "Goods received", everybody, storemen},
	{"inventory", "Stock, its ledger, adjustments and relocations", everybody, storemen},
	{"transfers", "Transfers between warehouses", everybody, storemen},
	{"suppliers", "Suppliers", everybody, []Role{Purchasing, Finance}},
	{"purchase-orders", "Purchase orders", everybody, []Role{Purchasing}},
	{"work-orders", "Work orders", everybody, storemen},
	{"invoices", "Invoices, credit notes and payments", []Role{Sales, Finance, Support, Viewer}, []Role{Finance}},
	{"tickets", "Tickets", everybody, []Role{Sales, Warehouse, Support}},
	{"reviews", "Reviews of items", everybody, []Role{Sales, Support}},
	{"newsletter", "Subscribers and mailings of the newsletter", []Role{Sales, Support, Viewer}, []Role{Sales}},
	{"reference", "The codes that documents use", everybody, []Role{Finance}},
	{"sync", "Changes and deletions, for systems that keep a copy", everybody, nobody},
	{"reports", "Reports", []Role{Sales, Purchasing, Finance, Viewer}, nobody},
	{"settings", "Settings of the company", []Role{Finance}, nobody},
	{"users", "Users of the company and their roles", nobody, nobody},
	{"api-keys", "Keys of other systems", nobody, nobody},
	{"connections", "Programs that act for users", nobody, nobody},
	{"imports", "Tables that are imported", []Role{Sales, Purchasing, Warehouse, Finance},
		[]Role{Sales, Purchasing, Warehouse, Finance}},
	{"jobs", "Work that waits or failed", []Role{Sales, Finance, Support}, nobody},
	{"activity", "The log of who did what", []Role{Finance}, nobody},
}

// permitted is the table by role: what each may do.
var permitted = byRole(areas)

func byRole(areas []area) map[Role]map[string]bool {
	all := map[Role]map[string]bool{}
	for _, r := range Role("").Values() {
		all[r] = map[string]bool{}
	}
	for _, a := range areas {
		read, write := a.name+":read", a.name+":write"
		all[Admin][read], all[Admin][write] = true, true
		for _, r := range a.reads {
			all[r][read] = true
		}
		for _, r := range a.writes {
			all[r][write] = true
		}
	}
	return all
}

// Permissions are all there are, in the order of the business.
func Permissions() []Permission {
	all := make([]Permission, 0, 2*len(areas))
	for _, a := range areas {
		all = append(all, Permission{a.name + ":read", a.doc + ": read"},
			Permission{a.name + ":write", a.doc + ": change"})
	}
	return all
}

// Permits reports whether the role allows something. It answers no to what is not in the list.
func (r Role) Permits(permission string) bool { return permitted[r][permission] }
