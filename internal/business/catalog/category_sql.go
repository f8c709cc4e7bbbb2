package catalog

import (
	"slices"
	"strconv"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

var categories = record.TableOf(Categories, record.Layout[Category]{
	Fixed:    "code",
	Changing: "name, parent_code, slug, description, sort_order, is_active, depth",
	Key:      "code_key",
	KeyOf:    func(c *Category) string { return c.Code },
	Derived:  func(c *Category) db.Args { return db.Args{"search": record.SearchText(c.Code, c.Name)} },
	Missing:  func(code string) error { return ErrCategoryNotFound.Because("there is no category %s", code) },
	Taken: func(c *Category) error {
		if c.Version > 1 { // its code is its own
			return slugTaken(ErrCategorySlug, c.Slug)
		}
		return ErrCategoryExists.Because("category %s exists already: choose another code, or change that category",
			c.Code)
	},
})

// FindCategory is the category with this code. Refusal: Category.NotFound.
func FindCategory(tx *db.Tx, code string) (Category, error) { return categories.Find(tx, code) }

// FindCategories are the categories with these codes, by folded code; unknown ones are absent.
func FindCategories(tx *db.Tx, codes []string) (map[string]Category, error) {
	return categories.FindMany(tx, codes)
}

// ListCategories are the categories, parents before their children: by depth, sort order and code.
func ListCategories(tx *db.Tx, f CategoryFilter, p record.Page) (record.Found[Category], error) {
	q := categories.Query("catalog.ListCategories")
	q.Key = []string{"depth", "sort_order", "code_key"}
	q.Search("search", f.Search)
	q.Given("parent_code in (select p.code from category p where p.company = :company and p.code_key = :parent)", record.Fold(f.ParentCode))
	q.Given("is_active = :active", f.IsActive)
	return record.ListOf(tx, q, p, categories.Scan)
}

// CategorySubtree are the codes of a category and of all below it; empty where there is no such category.
func CategorySubtree(tx *db.Tx, code string) ([]string, error) {
	return db.Column[string](tx, `-- catalog.CategorySubtree
		with recursive tree (code) as (
			select code from category where company = :company and code_key = :key
			union
			select c.code from category c join tree t on c.parent_code = t.code where c.company = :company
		) select code from tree order by code`, db.Args{"key": record.Fold(code)})
}

// lockAncestors reads the category with this code and those above it for update: whatever of the way to
// the top it can see. A row it had to wait for is as its writer left it, and may lead elsewhere by now.
func lockAncestors(tx *db.Tx, code string) ([]Category, error) {
	keys, err := db.Column[string](tx, `-- catalog.lockAncestors chain
		with recursive chain (code_key, parent_key) as (
			select code_key, fold(parent_code) from category where company = :company and code_key = :key
			union
			select p.code_key, fold(p.parent_code) from category p join chain c on p.code_key = c.parent_key
			where p.company = :company
		) select code_key from chain`, db.Args{"key": record.Fold(code)})
	if err != nil || len(keys) == 0 {
		return nil, err
	}
	return categories.Where(tx, "catalog.lockAncestors", `code_key in (:keys) order by id for update`,
		db.Args{"keys": keys})
}

// sink moves everything below a category as many levels down as the category itself moved.
func sink(tx *db.Tx, code string, levels int) error {
	if levels == 0 {
		return nil
	}
	below, err := CategorySubtree(tx, code)
	if err != nil {
		return err
	}
	below = slices.DeleteFunc(below, func(c string) bool { return c == code })
	return tx.Run(`-- catalog.sink
		update category set depth = depth + :levels where company = :company and code_key in (:below)`,
		db.Args{"levels": levels, "below": record.FoldAll(below)})
}

// firstChild is the code of some category below this one, empty if there is none.
func firstChild(tx *db.Tx, code string) (string, error) {
	return db.Value[string](tx, `-- catalog.firstChild
		select code from category where company = :company and parent_code = :code order by code_key limit 1`,
		db.Args{"code": code})
}

// firstItemOf is the number of some item of a category or brand, empty if there is none.
func firstItemOf(tx *db.Tx, t table, code string) (string, error) {
	return db.Value[string](tx, `-- catalog.firstItemOf
		select number from item where company = :company and `+string(t)+`_code = :code order by number_key limit 1`,
		db.Args{"code": code})
}

// CategorySlugs are those of the slugs that a category has.
func CategorySlugs(tx *db.Tx, slugs []string) (map[string]bool, error) {
	return slugsTaken(tx, "category", slugs)
}

// BrandSlugs are those of the slugs that a brand has.
func BrandSlugs(tx *db.Tx, slugs []string) (map[string]bool, error) {
	return slugsTaken(tx, "brand", slugs)
}

// slugsTaken are those of the slugs that a record of the table has.
func slugsTaken(tx *db.Tx, t table, slugs []string) (map[string]bool, error) {
	return db.Set[string](tx, `-- catalog.slugsTaken
		select slug from `+string(t)+` where company = :company and slug in (:slugs)`, db.Args{"slugs": slugs})
}

// freeSlug is base, or base with the first number behind it that makes it unique; own is the slug the
// record has now.
func freeSlug(tx *db.Tx, t table, base, own string) (string, error) {
	const atOnce = 64
	for from := 1; ; from += atOnce {
		candidates := make([]string, atOnce)
		for n := range candidates {
			candidates[n] = base
			if from+n > 1 {
				candidates[n] = base + "-" + strconv.Itoa(from+n)
			}
		}
		used, err := slugsTaken(tx, t, candidates)
		if err != nil {
			return "", err
		}
		for _, c := range candidates {
			if !used[c] || c == own {
				return c, nil
			}
		}
	}
}
