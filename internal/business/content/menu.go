package content

import (
	"strings"

	"kontor/internal/business/assortment"
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// entryWeight is about how many bytes an entry of a menu takes.
const entryWeight = 200

// Menu is a store's navigation as its visitors see it. What leads to a category, brand or page that the store does not
// show is left out with all that stands below it, as of the tree of categories.
func Menu(tx *db.Tx, v assortment.Viewer) ([]channel.MenuItem, error) {
	all := v.Channel.Store.Navigation
	slugs, entries := slugsIn(all)
	if len(slugs) == 0 {
		return all, nil
	}
	name := "menu " + record.Fold(v.Channel.Code)
	if shown, _, ok := db.CacheGet[[]channel.MenuItem](tx, name); ok {
		return shown, nil
	}
	deps := assortment.DependsOn(tx).With(tx, db.Ref{Resource: Pages.Name})
	hasCategory, hasBrand, err := assortment.HasPages(tx, v)
	if err != nil {
		return nil, err
	}
	standing, err := standingAmong(tx, v.Channel.Code, slugs[channel.MenuPage])
	if err != nil {
		return nil, err
	}
	until, err := NextPublished(tx, v.Channel)
	if err != nil {
		return nil, err
	}
	shown := seenOf(all, func(m channel.MenuItem) bool {
		switch m.Type {
		case channel.MenuCategory:
			return hasCategory(m.Slug)
		case channel.MenuBrand:
			return hasBrand(m.Slug)
		case channel.MenuPage:
			return standing[strings.ToLower(m.Slug)]
		}
		return true
	})
	tx.CachePut(name, deps.Within(0, until), entryWeight*entries, shown)
	return shown, nil
}

// slugsIn are the slugs that a menu leads to, by what they are of, and how many entries it has.
func slugsIn(items []channel.MenuItem) (slugs map[channel.MenuType][]string, entries int) {
	slugs = map[channel.MenuType][]string{}
	var walk func(items []channel.MenuItem)
	walk = func(items []channel.MenuItem) {
		for _, m := range items {
			if entries++; m.Type != channel.MenuURL {
				slugs[m.Type] = append(slugs[m.Type], strings.ToLower(m.Slug))
			}
			walk(m.Children)
		}
	}
	walk(items)
	return slugs, entries
}

// seenOf are the entries that are seen, with those below them that are.
func seenOf(items []channel.MenuItem, isSeen func(channel.MenuItem) bool) (out []channel.MenuItem) {
	for _, m := range items {
		if isSeen(m) {
			m.Children = seenOf(m.Children, isSeen)
			out = append(out, m)
		}
	}
	return out
}
