package catalog

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Category is a node of the tree that items are sorted into.
type Category struct {
	record.Root
	Code        string
	Name        string
	ParentCode  string // empty at the top
	Slug        string // its address in the channels, unique in the company
	Description string
	SortOrder   int
	IsActive    bool
	Depth       int `log:"-"` // ancestors above it
}

// CategoryFilter narrows the list of categories; its zero value takes all.
type CategoryFilter struct {
	Search     string // code, name
	ParentCode string
	IsActive   *bool
}

// CreateCategory makes a category; without a slug it makes one from the name. Refusals:
// Category.AlreadyExists, Category.SlugAlreadyExists, Category.UnknownParent, Category.Invalid.
func CreateCategory(tx *db.Tx, c Category) (Category, error) {
	if err := categories.Free(tx, &c); err != nil {
		return c, err
	}
	c.Root = record.New(tx)
	if err := validateCategory(tx, Category{}, &c); err != nil {
		return c, err
	}
	return c, categories.Create(tx, &c)
}

// ChangeCategory lays edit over a category. Moving it takes its subtree along; another slug leaves the
// old address leading to the new one (SlugChanged). Refusals: Category.NotFound, Category.Cycle and
// those of CreateCategory.
func ChangeCategory(tx *db.Tx, code string, edit func(*Category) error) (Category, error) {
	before, c, err := categories.Change(tx, code, edit, func(before Category, c *Category) error {
		return validateCategory(tx, before, c)
	})
	if err != nil {
		return c, err
	}
	if err := sink(tx, c.Code, c.Depth-before.Depth); err != nil || c.Slug == before.Slug {
		return c, err
	}
	return c, tx.Fire(SlugChanged{Kind: "category", Code: c.Code, Old: before.Slug, New: c.Slug})
}

// DeleteCategory removes a category. Refusals: Category.NotFound, Category.InUse while it has items
// or categories below it.
func DeleteCategory(tx *db.Tx, code string) error {
	return categories.Delete(tx, code, func(c *Category) error {
		child, err := firstChild(tx, c.Code)
		if err != nil {
			return err
		}
		if child != "" {
			return ErrCategoryInUse.Because("category %s has categories below it, %s among them: move or delete them first",
				c.Code, child)
		}
		return refuseUsed(tx, ErrCategoryInUse, categoryTable, c.Code)
	})
}

// validateCategory holds c against the rules and fills in what follows from others: the parent's
// spelling, the depth, the slug.
func validateCategory(tx *db.Tx, before Category, c *Category) error {
	var wrong fault.List
	wrong.If(c.Code == "", ErrCategoryInvalid, "code", "a category needs a code")
	wrong.If(c.Name == "", ErrCategoryInvalid, "name", "a category needs a name")
	switch {
	case c.ParentCode == "":
		c.Depth = 0
	case c.ParentCode != before.ParentCode:
		if err := adopt(tx, &wrong, c); err != nil {
			return err
		}
	}
	if err := validateSlug(tx, &wrong, categoryTable, &c.Slug, before.Slug, c.Name, c.Code, c.ID); err != nil {
		return err
	}
	return wrong.Err()
}

// adopt places c below its new parent. It locks the way from the parent to the top, so that two moves
// at once cannot close a cycle that neither of them sees.
func adopt(tx *db.Tx, wrong *fault.List, c *Category) error {
	way, err := wayUp(tx, c.ParentCode)
	if err != nil {
		return err
	}
	if len(way) == 0 {
		wrong.Add(ErrCategoryParent, "parentCode", "there is no category %s: create the parent first", c.ParentCode)
		return nil
	}
	for _, a := range way {
		if a.ID == c.ID {
			wrong.Add(ErrCategoryCycle, "parentCode",
				"category %s lies below %s, or is that category: choose a parent outside its subtree", c.ParentCode,
				c.Code)
			return nil
		}
	}
	c.ParentCode, c.Depth = way[0].Code, way[0].Depth+1
	return nil
}

// wayUp are the category with this code and those above it, locked, up to the top.
func wayUp(tx *db.Tx, code string) (way []Category, err error) {
	locked := map[string]Category{}
	for at := record.Fold(code); at != ""; {
		next, ok := locked[at]
		if !ok {
			// The first, or one of them was moved while we waited for it: what is above it now must be locked too.
			more, err := lockAncestors(tx, at)
			if err != nil {
				return nil, err
			}
			for _, c := range more {
				locked[record.Fold(c.Code)] = c
			}
			if next, ok = locked[at]; !ok {
				return way, nil
			}
		}
		way, at = append(way, next), record.Fold(next.ParentCode)
		if len(way) > len(locked) {
			return way, nil // they lead back to where they began
		}
	}
	return way, nil
}

// validateSlug makes a slug where none is given and refuses one that another record has.
func validateSlug(tx *db.Tx, wrong *fault.List, t table, slug *string, before, name, code, id string) error {
	if *slug == "" {
		free, err := freeSlug(tx, t, slugOf(name, code, id), before)
		*slug = free
		return err
	}
	if *slug == before {
		return nil
	}
	invalid, taken := ErrCategoryInvalid, ErrCategorySlug
	if t == brandTable {
		invalid, taken = ErrBrandInvalid, ErrBrandSlug
	}
	if !ValidSlug(*slug) {
		wrong.Add(invalid, "slug",
			"%s may hold lower-case letters, digits and single hyphens between them only, such as %s", *slug,
			slugOf(*slug, code, id))
		return nil
	}
	used, err := slugsTaken(tx, t, []string{*slug})
	if err != nil {
		return err
	}
	if used[*slug] {
		return slugTaken(taken, *slug)
	}
	return nil
}

func slugTaken(code fault.Code, slug string) error {
	return code.Because("slug %s is taken: choose another, or leave it out to have one made", slug)
}

// refuseUsed refuses while an item is in the category or of the brand.
func refuseUsed(tx *db.Tx, code fault.Code, t table, of string) error {
	item, err := firstItemOf(tx, t, of)
	return code.When(item != "", err,
		"items belong to %s %s, %s among them: change them first, or set isActive to false", string(t), of, item)
}
