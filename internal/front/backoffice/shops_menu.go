package backoffice

import (
	"slices"
	"strconv"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/content"
	"kontor/internal/foundation/fault"
	"kontor/internal/front/page"
)

// menuText is a store's navigation as people write it: an entry a line, hyphens for depth.
func menuText(items []channel.MenuItem) string {
	var b strings.Builder
	var write func(items []channel.MenuItem, depth int)
	write = func(items []channel.MenuItem, depth int) {
		for _, m := range items {
			if depth > 0 {
				b.WriteString(strings.Repeat("-", depth) + " ")
			}
			b.WriteString(m.Label + ": ")
			if m.Type == channel.MenuURL {
				b.WriteString(m.URL + "\n")
			} else {
				b.WriteString(strings.ToLower(string(m.Type)) + " " + m.Slug + "\n")
			}
			write(m.Children, depth+1)
		}
	}
	write(items, 0)
	return strings.TrimRight(b.String(), "\n")
}

// menuLine is an entry of a menu with the line on which it was written.
type menuLine struct {
	number string
	entry  channel.MenuItem
}

// readMenu reads what menuText wrote. Its refusal names every line that it cannot read.
func readMenu(text string) (items []channel.MenuItem, lines []menuLine, err error) {
	var root channel.MenuItem
	var wrong fault.List
	open := []*channel.MenuItem{&root} // the entry that the next one of each depth goes below
	n := 0
	for line := range strings.Lines(text) {
		n++
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		entry := strings.TrimLeft(line, "-")
		depth := len(line) - len(entry)
		m, ok := readEntry(entry)
		switch {
		case !ok:
			wrong.Add(fault.ErrInvalid, menuField, "line %s: write it like Chairs: category chairs, or Sale: /sale",
				strconv.Itoa(n))
		case depth >= len(open):
			wrong.Add(fault.ErrInvalid, menuField, "line %s: an entry with %s hyphens needs one with %s above it",
				strconv.Itoa(n), strconv.Itoa(depth), strconv.Itoa(depth-1))
		default:
			above := open[depth]
			above.Children = append(above.Children, m)
			open = append(open[:depth+1], &above.Children[len(above.Children)-1])
			lines = append(lines, menuLine{strconv.Itoa(n), m})
		}
	}
	return root.Children, lines, wrong.Err()
}

const menuField = "store.navigation"

// leadSomewhere refuses entries of a menu that lead to what the store does not have, which its visitors would find
// first. What was there before may stay.
func leadSomewhere(c *page.Ctx, store, text string, before []channel.MenuItem) error {
	was := menuText(before)
	if text == was {
		return nil
	}
	_, lines, err := readMenu(text)
	if err != nil {
		return err
	}
	_, old, err := readMenu(was)
	if err != nil {
		old = nil // whatever it says, it is written anew
	}
	var wrong fault.List
	for _, l := range lines {
		stays := func(o menuLine) bool { return o.entry.Type == l.entry.Type && o.entry.Slug == l.entry.Slug }
		if slices.ContainsFunc(old, stays) {
			continue
		}
		if err := leads(c, store, l, &wrong); err != nil {
			return err
		}
	}
	return wrong.Err()
}

// leads notes an entry that leads nowhere.
func leads(c *page.Ctx, store string, l menuLine, wrong *fault.List) error {
	slug := l.entry.Slug
	switch l.entry.Type {
	case channel.MenuCategory:
		known, err := catalog.CategorySlugs(c.Tx, []string{slug})
		if err == nil && !known[slug] {
			wrong.Add(fault.ErrInvalid, menuField, "line %s: no category has the address %s", l.number, slug)
		}
		return err
	case channel.MenuBrand:
		known, err := catalog.BrandSlugs(c.Tx, []string{slug})
		if err == nil && !known[slug] {
			wrong.Add(fault.ErrInvalid, menuField, "line %s: no brand has the address %s", l.number, slug)
		}
		return err
	case channel.MenuPage:
		_, err := content.Find(c.Tx, store, slug)
		if fault.Is(err, content.ErrNotFound) {
			wrong.Add(fault.ErrInvalid, menuField, "line %s: the store has no page with the address %s", l.number, slug)
			err = nil
		}
		return err
	}
	return nil
}

// readEntry reads a label and what it leads to. The label may hold colons, what it leads to begins after the last one
// followed by a space.
func readEntry(entry string) (m channel.MenuItem, ok bool) {
	at := strings.LastIndex(entry, ": ")
	if at < 0 {
		return m, false
	}
	m.Label = strings.TrimSpace(entry[:at])
	to := strings.TrimSpace(entry[at+2:])
	if kind, slug, two := strings.Cut(to, " "); two {
		for _, t := range []channel.MenuType{channel.MenuCategory, channel.MenuPage, channel.MenuBrand} {
			if strings.EqualFold(kind, string(t)) {
				m.Type, m.Slug = t, strings.TrimSpace(slug)
				return m, m.Label != "" && m.Slug != ""
			}
		}
		return m, false
	}
	m.Type, m.URL = channel.MenuURL, to
	return m, m.Label != "" && (strings.HasPrefix(to, "/") || strings.HasPrefix(to, "https://") ||
		strings.HasPrefix(to, "http://"))
}
