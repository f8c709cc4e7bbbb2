package backoffice

import (
	"slices"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// described is an item with the values of every attribute there is.
type described struct {
	item   catalog.Item
	values []attributeValue
}

type attributeValue struct {
	attribute catalog.Attribute
	text      string
}

// itemAttributes is a form with a field for every attribute.
func itemAttributes() page.Page {
	return page.Form[described]{Path: "/items/{number}/attributes", Title: "Attributes", Permission: "items:write",
		Crumbs: itemCrumbs, Load: loadDescribed, Fields: func(_ *page.Ctx, d *described) []page.Field {
			out := make([]page.Field, 0, len(d.values))
			for i := range d.values {
				out = append(out, d.values[i].field())
			}
			return out
		},
		Save: func(c *page.Ctx, lay func(*described) error) (page.Done, error) {
			was, err := loadDescribed(c)
			if err != nil {
				return page.Done{}, err
			}
			now := described{was.item, slices.Clone(was.values)}
			if err := lay(&now); err != nil {
				return page.Done{}, err
			}
			for i, v := range now.values {
				if v.text == was.values[i].text {
					continue
				}
				if v.text == "" {
					_, err = catalog.ClearValues(c.Tx, was.item.Number, v.attribute.Code)
				} else {
					_, err = catalog.PutValues(c.Tx, was.item.Number, v.attribute.Code, v.values())
				}
				if err != nil {
					return page.Done{}, atField(err, v.attribute.Code)
				}
			}
			return page.Did("Saved."), nil
		}}
}

func loadDescribed(c *page.Ctx) (described, error) {
	item, err := loadItem(c)
	if err != nil {
		return described{}, err
	}
	has, err := catalog.ValuesOf(c.Tx, item.ID)
	if err != nil {
		return described{}, err
	}
	there, err := catalog.ListAttributes(c.Tx, "", all())
	if err != nil {
		return described{}, err
	}
	d := described{item: item}
	for _, a := range there.Items {
		v := attributeValue{attribute: a}
		for _, h := range has {
			if h.Attribute.Code == a.Code {
				v.text = strings.Join(h.Values, "\n")
			}
		}
		d.values = append(d.values, v)
	}
	return d, nil
}

func (v *attributeValue) values() []string {
	if v.attribute.IsMultiValue {
		return strings.Fields(strings.ReplaceAll(v.text, "\n", " "))
	}
	return []string{v.text}
}

func (v *attributeValue) field() page.Field {
	a := v.attribute
	name := a.Name
	if a.Unit != "" {
		name += ", " + a.Unit
	}
	options := each.Of(a.AllowedValues, func(o string) page.Option { return page.Option{Value: o, Label: o} })
	switch {
	case a.IsMultiValue:
		return page.Prose(a.Code, name, &v.text).Hint("A value in each line.")
	case len(options) > 0:
		return page.Select(a.Code, name, &v.text, options)
	case a.DataType == catalog.Boolean:
		return page.Select(a.Code, name, &v.text,
			[]page.Option{{Value: "true", Label: "Yes"}, {Value: "false", Label: "No"}})
	case a.DataType == catalog.HTML:
		return page.Prose(a.Code, name, &v.text).Max(100_000)
	}
	return page.Text(a.Code, name, &v.text)
}

// related is a relation as a form asks for it.
type related struct {
	kind   string
	target string
	sort   int
}

// relations are the pages that relate items.
func relations() []page.Page {
	return []page.Page{
		page.Form[related]{Path: "/items/{number}/relate", Title: "Relate to another item", Permission: "items:write",
			Crumbs: itemCrumbs, Settles: true, Fields: func(_ *page.Ctx, r *related) []page.Field {
				return []page.Field{page.Select("type", "Type", &r.kind,
					page.Options(catalog.RelationType("").Values())).Required(),
					page.Code("targetItemNumber", "Item", &r.target).Required().Lookup(findItems).At("target"),
					page.Number("sortOrder", "Sort order", &r.sort)}
			},
			Save: page.Made(related{}, func(c *page.Ctx, r related) (page.Done, error) {
				_, err := catalog.PutRelation(c.Tx, c.Path("number"), r.kind, r.target, r.sort)
				return page.Did("Saved."), err
			})},
		page.Deed{Path: "/items/{number}/relations/{type}/{target}/delete", Permission: "items:write",
			Do: func(c *page.Ctx) (page.Done, error) {
				_, err := catalog.DeleteRelation(c.Tx, c.Path("number"), c.Path("type"), c.Path("target"))
				return page.Went(toItem(c), "The relation is removed."), err
			}},
	}
}

// categories and brands share their shape: a code, a name, an address in the channels.
func categories() []page.Page {
	return []page.Page{page.Records[catalog.Category]{Path: "/categories", Title: "Categories", Area: "categories",
		By: "code", Key: func(t catalog.Category) string { return t.Code }, Find: catalog.FindCategory,
		Resource: catalog.Categories,
		List: page.List[catalog.Category]{Whole: wholeOf("categories"), Search: "Code, name",
			Find: func(c *page.Ctx, q page.Query) (record.Found[catalog.Category], error) {
				return catalog.ListCategories(c.Tx, catalog.CategoryFilter{Search: q.Search}, q.Page)
			},
			Columns: func(t catalog.Category) []page.Column {
				return []page.Column{page.Col("Code", page.T(t.Code)), page.Col("Name", page.T(t.Name)),
					page.Col("Below", page.T(t.ParentCode)), page.Minor("Address", page.T(t.Slug)),
					page.Minor("Sort order", page.Count(t.SortOrder)), page.Col("Status", page.Active(t.IsActive))}
			}},
		Record: page.Record[catalog.Category]{Show: func(_ *page.Ctx, t catalog.Category) (page.Sheet, error) {
			return page.Sheet{Title: t.Name, Subtitle: t.Code, Badges: []page.Value{page.Active(t.IsActive)},
				Parts: []page.Part{page.Facts{Facts: []page.Fact{
					{Label: "Below", Value: page.T(t.ParentCode)}, {Label: "Address", Value: page.T(t.Slug)},
					{Label: "Sort order", Value: page.Count(t.SortOrder)},
					{Label: "Description", Value: page.T(t.Description)},
					{Label: "Items", Value: page.To("Show", "/items?category="+query(t.Code))}}}}}, nil
		}},
		New:  page.Form[catalog.Category]{Title: "New category"},
		Edit: page.Form[catalog.Category]{Title: "Edit category"},
		Fields: func(c *page.Ctx, t *catalog.Category) []page.Field {
			return []page.Field{page.Code("code", "Code", &t.Code).Required().FixedIf(t.ID != ""),
				page.Text("name", "Name", &t.Name).Required(), page.Select("parentCode", "Below", &t.ParentCode,
					categoryOptions(c)),
				page.Text("slug", "Address", &t.Slug).Hint("Left empty, it is made from the name."),
				page.Number("sortOrder", "Sort order", &t.SortOrder), page.Check("isActive", "Active", &t.IsActive),
				page.Prose("description", "Description", &t.Description)}
		},
		Begin:  func(*page.Ctx) (catalog.Category, error) { return catalog.Category{IsActive: true}, nil },
		Create: catalog.CreateCategory, Made: "Category %s is made.", Change: catalog.ChangeCategory,
		Delete: catalog.DeleteCategory, Warning: "One that has items or categories below it stays.",
		Deleted: "Category %s is deleted."}}
}
