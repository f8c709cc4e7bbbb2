package backoffice

import (
	"slices"
	"strconv"
	"strings"

	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// series are parts E of a whole W that stand in an order, such as the sections of a page: a form F to add one and one
// to change one, and what moves one or takes it away.
type series[W, E, F any] struct {
	base, key string // where its pages lie, and what addresses call a part
	list      string // what refusals of the whole call the parts
	of        func(*W) *[]E
	is        func(e E, key string) bool
	gone      func() error // of a part that is not there any more
	read      func(*page.Ctx) (W, record.Root, error)
	write     func(c *page.Ctx, edit func(*W) error) error
	// begin is what the form of a new one begins with, held is one that is there, and taken is what was typed over it.
	begin          func(*page.Ctx, W) (F, error)
	held           func(record.Root, W, E) F
	taken          func(c *page.Ctx, f *F, lay func(*F) error) (E, error)
	added, removed string
	form, add      page.Form[F] // what both forms have, and what only that of a new one has
	edit           page.Form[F]
}

// pages are the forms, and the posts that move a part and take one away.
func (k series[W, E, F]) pages() []page.Page {
	add, edit := k.add, k.edit
	for _, f := range []*page.Form[F]{&add, &edit} {
		f.Permission, f.Crumbs, f.Back, f.Fields = k.form.Permission, k.form.Crumbs, k.form.Back, k.form.Fields
	}
	add.Settles, add.Submit, add.Load, add.Save = true, "Add", k.fresh, k.saveNew
	edit.Path, edit.Load, edit.Save = k.base+"/{"+k.key+"}", k.load, k.save
	return []page.Page{add, edit,
		k.deed("move", "", func(c *page.Ctx, all []E, at int) []E {
			to := c.Place()
			if to < 0 || to >= len(all) {
				return all
			}
			moved := all[at]
			return slices.Insert(slices.Delete(all, at, at+1), to, moved)
		}),
		k.deed("delete", k.removed, func(_ *page.Ctx, all []E, at int) []E { return slices.Delete(all, at, at+1) })}
}

// deed does something to one of the parts.
func (k series[W, E, F]) deed(name, say string, edit func(c *page.Ctx, all []E, at int) []E) page.Page {
	return page.Deed{Path: k.base + "/{" + k.key + "}/" + name, Permission: k.form.Permission,
		Do: func(c *page.Ctx) (page.Done, error) {
			return page.Went(k.form.Back(c), say), k.write(c, func(w *W) error {
				at, err := k.at(c, w)
				if err == nil {
					*k.of(w) = edit(c, *k.of(w), at)
				}
				return err
			})
		}}
}

// at is the place of the part that the address names.
func (k series[W, E, F]) at(c *page.Ctx, w *W) (int, error) {
	at := slices.IndexFunc(*k.of(w), func(e E) bool { return k.is(e, c.Path(k.key)) })
	if at < 0 {
		return at, k.gone()
	}
	return at, nil
}

func (k series[W, E, F]) fresh(c *page.Ctx) (f F, err error) {
	w, _, err := k.read(c)
	if err != nil {
		return f, err
	}
	return k.begin(c, w)
}

func (k series[W, E, F]) load(c *page.Ctx) (f F, err error) {
	w, root, err := k.read(c)
	if err != nil {
		return f, err
	}
	at, err := k.at(c, &w)
	if err != nil {
		return f, err
	}
	return k.held(root, w, (*k.of(&w))[at]), nil
}

func (k series[W, E, F]) saveNew(c *page.Ctx, lay func(*F) error) (page.Done, error) {
	at := 0
	err := k.write(c, func(w *W) error {
		f, err := k.begin(c, *w)
		if err != nil {
			return err
		}
		added, err := k.taken(c, &f, lay)
		all := k.of(w)
		at, *all = len(*all), append(*all, added)
		return err
	})
	return page.Went(k.form.Back(c), k.added), ofPart(err, k.list, at)
}

func (k series[W, E, F]) save(c *page.Ctx, lay func(*F) error) (page.Done, error) {
	at := 0
	err := k.write(c, func(w *W) (err error) {
		if at, err = k.at(c, w); err != nil {
			return err
		}
		part := &(*k.of(w))[at]
		f := k.held(record.Root{}, *w, *part)
		*part, err = k.taken(c, &f, lay)
		return err
	})
	return page.Did("Saved."), ofPart(err, k.list, at)
}

// ofPart gives refusals of what stands at a place of a list the fields of its form.
func ofPart(err error, list string, at int) error {
	f := fault.As(err)
	if err == nil || len(f.Fields) == 0 {
		return err
	}
	out := *f
	out.Fields = slices.Clone(f.Fields)
	for i := range out.Fields {
		out.Fields[i].Path = strings.TrimPrefix(out.Fields[i].Path, list+"["+strconv.Itoa(at)+"].")
	}
	return &out
}
