package content

import (
	"strconv"

	"kontor/internal/business/catalog"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// named is a business key in a section, and where it stands.
type named struct {
	at   string
	code *string
}

// is writes a key as its record does, if there is one, and reports that.
func (n named) is(code string, known bool) bool {
	if known {
		*n.code = code
	}
	return known
}

// keys are the business keys of a page's sections, by what they name.
type keys struct{ items, groups, categories, suppliers, queues []named }

func (k *keys) add(list *[]named, at string, codes *[]string) {
	if codes == nil {
		return
	}
	for i := range *codes {
		*list = append(*list, named{at + "[" + strconv.Itoa(i) + "]", &(*codes)[i]})
	}
}

func keysOf(sections []Section) (k keys) {
	for i := range sections {
		s, at := &sections[i], "sections["+strconv.Itoa(i)+"]"
		k.add(&k.items, at+".productNumbers", s.Numbers)
		k.add(&k.categories, at+".categoryCodes", s.CategoryList)
		k.add(&k.suppliers, at+".supplierNumbers", s.SupplierNumbers)
		if s.ItemGroupCode != nil {
			k.groups = append(k.groups, named{at + ".itemGroupCode", s.ItemGroupCode})
		}
		if s.Category != nil {
			k.categories = append(k.categories, named{at + ".categoryCode", s.Category})
		}
		if s.Parent != nil {
			k.categories = append(k.categories, named{at + ".parentCategoryCode", s.Parent})
		}
		if s.ProductSpotlight != nil {
			k.items = append(k.items, named{at + ".productSpotlight.productNumber", &s.ProductSpotlight.ProductNumber})
		}
		if s.Form != nil && s.Form.QueueCode != nil {
			k.queues = append(k.queues, named{at + ".form.queueCode", s.Form.QueueCode})
		}
	}
	return k
}

func codesOf(all []named) []string {
	return each.Of(all, func(n named) string { return *n.code })
}

// resolve writes every business key as its record does, and notes those that name nothing. One statement for each kind.
func (c *Config) resolve(tx *db.Tx, wrong *fault.List) error {
	k := keysOf(c.Sections)
	items, err := catalog.FindMany(tx, codesOf(k.items))
	if err != nil {
		return err
	}
	for _, n := range k.items {
		item, ok := items[record.Fold(*n.code)]
		wrong.If(!n.is(item.Number, ok), ErrUnknownCode, n.at, "no item has the number %q", *n.code)
	}
	groups, err := catalog.FindGroups(tx, codesOf(k.groups))
	if err != nil {
		return err
	}
	for _, n := range k.groups {
		wrong.If(!groups[record.Fold(*n.code)], ErrUnknownCode, n.at,
			"no item is of the group %q: give an item the group first, or leave it out", *n.code)
	}
	categories, err := catalog.FindCategories(tx, codesOf(k.categories))
	if err != nil {
		return err
	}
	for _, n := range k.categories {
		category, ok := categories[record.Fold(*n.code)]
		wrong.If(!n.is(category.Code, ok), ErrUnknownCode, n.at, "no category has the code %q", *n.code)
	}
	suppliers, err := purchasing.FindSuppliers(tx, codesOf(k.suppliers))
	if err != nil {
		return err
	}
	for _, n := range k.suppliers {
		s, ok := suppliers[record.Fold(*n.code)]
		wrong.If(!n.is(s.Number, ok), ErrUnknownCode, n.at, "no supplier has the number %q", *n.code)
	}
	return k.resolveQueues(tx, wrong)
}

func (k *keys) resolveQueues(tx *db.Tx, wrong *fault.List) error {
	if len(k.queues) == 0 {
		return nil
	}
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	for _, n := range k.queues {
		q, ok := book.TicketQueue(*n.code)
		wrong.If(!n.is(q.Code, ok), ErrUnknownCode, n.at, "no ticket queue has the code %q", *n.code)
	}
	return nil
}
