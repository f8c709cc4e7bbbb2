package catalog_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

func (s shop) tree() string {
	s.Helper()
	var codes []string
	s.read(func(tx *db.Tx) error {
		found, err := catalog.ListCategories(tx, catalog.CategoryFilter{}, record.Page{Number: 1, Size: 50})
		for _, c := range found.Items {
			codes = append(codes, c.Code)
		}
		return err
	})
	return strings.Join(codes, " ")
}

func move(code, parent string) func(tx *db.Tx) error {
	return func(tx *db.Tx) error {
		_, err := catalog.ChangeCategory(tx, code, func(c *catalog.Category) error {
			c.ParentCode = parent
			return nil
		})
		return err
	}
}

func TestTreeComesParentsFirst(t *testing.T) {
	each(t, func(s shop) {
		s.category("z", "")
		s.category("y", "Z")
		s.category("x", "y")
		s.category("a", "x")
		s.category("b", "")
		if got := s.tree(); got != "b z y x a" {
			s.Errorf("%s", got)
		}
		s.write(move("y", "B")) // y, x and a move along, at the same depth
		s.write(move("x", ""))
		if got := s.tree(); got != "b x z a y" {
			s.Errorf("%s", got)
		}
		s.write(move("b", "a"))
		if got := s.tree(); got != "x z a b y" {
			s.Errorf("%s", got)
		}
		for _, parent := range []string{"x", "a", "b", "Y"} {
			f := s.refused(catalog.ErrCategoryCycle, move("x", parent))
			if f.Fields[0].Path != "parentCode" {
				s.Errorf("%+v", f)
			}
		}
		s.refused(catalog.ErrCategoryParent, move("x", "nothing"))
		s.read(func(tx *db.Tx) error {
			below, err := catalog.CategorySubtree(tx, "A")
			if strings.Join(below, " ") != "a b y" {
				s.Errorf("%v", below)
			}
			return err
		})
	})
}

// Two moves that each look fine alone would close a cycle together.
func TestMovesAtOnceCloseNoCycle(t *testing.T) {
	each(t, func(s shop) {
		codes := []string{"a", "b", "c", "d"}
		for _, c := range codes {
			s.category(c, "")
		}
		var moves sync.WaitGroup
		for n, c := range codes {
			moves.Go(func() {
				err := s.store.Write(context.Background(), dbtest.Request(), move(c, codes[(n+1)%len(codes)]))
				if err != nil && !fault.Is(err, catalog.ErrCategoryCycle) {
					s.Errorf("%s: %v", c, err)
				}
			})
		}
		moves.Wait()
		tops := 0
		s.read(func(tx *db.Tx) error {
			found, err := catalog.ListCategories(tx, catalog.CategoryFilter{}, record.Page{Number: 1, Size: 50})
			for _, c := range found.Items {
				if c.ParentCode == "" {
					tops++
				}
			}
			return err
		})
		if tops != 1 {
			s.Errorf("%d categories at the top, want the one whose move was refused", tops)
		}
	})
}

func TestSlugs(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := shop{t, store}
		var seen []catalog.SlugChanged
		db.On(store, func(tx *db.Tx, e catalog.SlugChanged) error { seen = append(seen, e); return nil })
		create := func(code, slug string) (c catalog.Category) {
			s.write(func(tx *db.Tx) (err error) {
				c, err = catalog.CreateCategory(tx, catalog.Category{Code: code, Name: "Sågar & bågar", Slug: slug,
					IsActive: true})
				return err
			})
			return c
		}
		if a, b, c := create("A", ""), create("B", ""), create("C", "own"); a.Slug != "sagar-and-bagar" ||
			b.Slug != "sagar-and-bagar-2" || c.Slug != "own" {
			t.Errorf("%q %q %q", a.Slug, b.Slug, c.Slug)
		}
		reslug := func(code, slug string) func(tx *db.Tx) error {
			return func(tx *db.Tx) error {
				_, err := catalog.ChangeCategory(tx, code, func(c *catalog.Category) error {
					c.Slug = slug
					return nil
				})
				return err
			}
		}
		s.refused(catalog.ErrCategorySlug, reslug("B", "own"))
		s.refused(catalog.ErrCategoryInvalid, reslug("B", "Not a slug"))
		s.write(reslug("B", "")) // made from the name, which it was already
		if len(seen) != 0 {
			t.Errorf("nothing changed, but %v", seen)
		}
		s.write(reslug("b", "saws"))
		if len(seen) != 1 || seen[0] != (catalog.SlugChanged{Kind: "category", Code: "B", Old: "sagar-and-bagar-2",
			New: "saws"}) {
			t.Errorf("%v", seen)
		}
	})
}

func TestCategoriesAndBrandsInUseStay(t *testing.T) {
	each(t, func(s shop) {
		s.category("TOP", "")
		s.category("SUB", "TOP")
		s.write(func(tx *db.Tx) error {
			_, err := catalog.CreateBrand(tx, catalog.Brand{Code: "Acme", Name: "Acme", IsActive: true})
			return err
		})
		s.create(item("A", func(i *catalog.Item) { i.CategoryCode, i.BrandCode = "sub", "ACME" }))
		dropCategory := func(code string) func(tx *db.Tx) error {
			return func(tx *db.Tx) error { return catalog.DeleteCategory(tx, code) }
		}
		dropBrand := func(tx *db.Tx) error { return catalog.DeleteBrand(tx, "acme") }
		s.refused(catalog.ErrCategoryInUse, dropCategory("TOP"))
		s.refused(catalog.ErrCategoryInUse, dropCategory("SUB"))
		s.refused(catalog.ErrBrandInUse, dropBrand)
		s.write(func(tx *db.Tx) error { return catalog.Delete(tx, "A") })
		s.write(dropBrand)
		s.write(dropCategory("SUB"))
		s.write(dropCategory("TOP"))
		s.refused(catalog.ErrCategoryNotFound, dropCategory("TOP"))
		s.refused(catalog.ErrBrandNotFound, dropBrand)
		var gone int
		s.read(func(tx *db.Tx) error {
			_, err := tx.One(`-- test
				select count(*) from deletion where company = :company and resource in ('items', 'brands', 'categories')`,
				nil, &gone)
			return err
		})
		if gone != 4 {
			s.Errorf("%d deletions are logged, want 4", gone)
		}
	})
}

func TestBrandRules(t *testing.T) {
	each(t, func(s shop) {
		f := s.refused(catalog.ErrBrandInvalid, func(tx *db.Tx) error {
			_, err := catalog.CreateBrand(tx, catalog.Brand{Code: "A", LogoURL: "logo.png", WebsiteURL: "javascript:x"})
			return err
		})
		if len(f.Fields) != 3 {
			s.Errorf("%+v", f.Fields)
		}
		create := func(tx *db.Tx) error {
			_, err := catalog.CreateBrand(tx, catalog.Brand{Code: "A", Name: "A", IsActive: true})
			return err
		}
		s.write(create)
		s.refused(catalog.ErrBrandExists, create)
		s.write(func(tx *db.Tx) error {
			b, err := catalog.ChangeBrand(tx, "a", func(b *catalog.Brand) error { b.Name = "Better"; return nil })
			if b.Version != 2 || b.Slug != "a" {
				s.Errorf("%+v", b)
			}
			return err
		})
	})
}
