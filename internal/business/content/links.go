package content

import (
	"encoding/json"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
)

// DeadLink is a link within the store that leads nowhere, and where it stands.
type DeadLink struct {
	Section *Section
	Link    string
	Why     LinkFault
}

// LinkFault is why a link leads nowhere.
type LinkFault string

// The faults of links.
const (
	NothingThere LinkFault = "NothingThere"
	NotPublished LinkFault = "NotPublished"
)

// link is a path that a section leads to, and what it is of by the templates of the store.
type link struct {
	section    *Section
	path, slug string
	of         channel.Target
}

// DeadLinks are the links of a page's sections, in fields and in texts, that lead to a product, category, brand, page
// or post of the store which is not there or not published, and from where no redirect leads on. A path of no template
// is the storefront's own, and not judged. It costs a statement for each kind, and one for each link that is dead.
func DeadLinks(tx *db.Tx, c channel.Channel, sections []Section) (dead []DeadLink, err error) {
	links, err := linksOf(c, sections)
	if err != nil || len(links) == 0 {
		return nil, err
	}
	slugs := map[channel.Target][]string{}
	for _, l := range links {
		slugs[l.of] = append(slugs[l.of], l.slug)
	}
	shown := map[channel.Target]map[string]bool{} // what is there, and whether visitors see it
	for of, all := range slugs {
		if shown[of], err = shownOf(tx, c, of, all); err != nil {
			return nil, err
		}
	}
	for _, l := range links {
		isShown, known := shown[l.of][l.slug]
		if isShown {
			continue
		}
		if _, found, err := channel.Resolved(tx, c, l.path); err != nil || found {
			if err != nil {
				return nil, err
			}
			continue
		}
		d := DeadLink{l.section, l.path, NothingThere}
		if known {
			d.Why = NotPublished
		}
		dead = append(dead, d)
	}
	return dead, nil
}

// shownOf are the slugs of a kind that are there, and whether visitors see what is behind each.
func shownOf(tx *db.Tx, c channel.Channel, of channel.Target, slugs []string) (map[string]bool, error) {
	switch of {
	case channel.ToProduct:
		return channel.ShownSlugs(tx, c.Code, slugs)
	case channel.ToCategory:
		return catalog.CategorySlugs(tx, slugs)
	case channel.ToBrand:
		return catalog.BrandSlugs(tx, slugs)
	}
	return shownPages(tx, c.Code, slugs)
}

// linksOf are the links of sections that lead to something of the store, each once for a section.
func linksOf(c channel.Channel, sections []Section) (all []link, err error) {
	for i := range sections {
		text, err := json.Marshal(&sections[i])
		if err != nil {
			return nil, err
		}
		var tree any
		if err := json.Unmarshal(text, &tree); err != nil {
			return nil, err
		}
		for _, path := range slices.Compact(slices.Sorted(slices.Values(pathsIn(tree, nil)))) {
			if of, slug := c.Paths.TargetOf(path); of != "" {
				all = append(all, link{&sections[i], path, slug, of})
			}
		}
	}
	return all, nil
}

// pathsIn adds the paths within the store that a section's fields and texts name.
func pathsIn(v any, out []string) []string {
	switch v := v.(type) {
	case map[string]any:
		for _, one := range v {
			out = pathsIn(one, out)
		}
	case []any:
		for _, one := range v {
			out = pathsIn(one, out)
		}
	case string:
		if strings.Contains(v, "href") {
			return hrefsIn(v, out)
		}
		return addPath(v, out)
	}
	return out
}

func hrefsIn(text string, out []string) []string {
	for z := html.NewTokenizer(strings.NewReader(text)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return out
		case html.StartTagToken:
			for _, a := range z.Token().Attr {
				if a.Key == "href" {
					out = addPath(a.Val, out)
				}
			}
		}
	}
}

func addPath(text string, out []string) []string {
	path, _, _ := strings.Cut(text, "#")
	path, _, _ = strings.Cut(path, "?")
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") {
		return out
	}
	return append(out, path)
}
