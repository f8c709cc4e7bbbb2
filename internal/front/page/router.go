package page

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// router finds the page of an address by its percent-encoded path: a key may hold a slash, so the path is cut into
// segments before anything is decoded.
type router struct{ root place }

// place is one point in the tree of paths.
type place struct {
	fixed    map[string]*place
	variable *place
	routes   map[string]*found // by method
}

type found struct {
	route
	names []string // of the path's parameters
}

func (t *router) add(r route) error {
	n, f := &t.root, &found{route: r}
	for seg := range strings.SplitSeq(strings.Trim(r.path, "/"), "/") {
		if name, ok := strings.CutPrefix(seg, "{"); ok {
			f.names = append(f.names, strings.TrimSuffix(name, "}"))
			if n.variable == nil {
				n.variable = &place{}
			}
			n = n.variable
			continue
		}
		if n.fixed == nil {
			n.fixed = map[string]*place{}
		}
		if n.fixed[seg] == nil {
			n.fixed[seg] = &place{}
		}
		n = n.fixed[seg]
	}
	if n.routes == nil {
		n.routes = map[string]*found{}
	}
	if n.routes[r.method] != nil {
		return fmt.Errorf("two pages are %s %s", r.method, r.path)
	}
	n.routes[r.method] = f
	return nil
}

// find walks the rest of an escaped path. Fixed segments go before parameters.
func (n *place) find(rest []string, captured []string) (*place, []string) {
	if len(rest) == 0 {
		if n.routes == nil {
			return nil, nil
		}
		return n, captured
	}
	if next := n.fixed[rest[0]]; next != nil {
		if p, got := next.find(rest[1:], captured); p != nil {
			return p, got
		}
	}
	if n.variable != nil && rest[0] != "" {
		return n.variable.find(rest[1:], append(captured, rest[0]))
	}
	return nil, nil
}

func (t *router) at(escaped string) (*place, []string) {
	return t.root.find(strings.Split(strings.TrimPrefix(escaped, "/"), "/"), nil)
}

// capture names what was captured; false where it is no text.
func (f *found) capture(values []string) (map[string]string, bool) {
	m := make(map[string]string, len(values))
	for i, v := range values {
		text, err := url.PathUnescape(v)
		if err != nil || !plainText(text) {
			return nil, false
		}
		m[f.names[i]] = text
	}
	return m, true
}

// Patterns are the addresses of all pages, each with its method: "GET /orders/{number}".
func (s *Site) Patterns() (all []string) {
	var walk func(n *place)
	walk = func(n *place) {
		for method, f := range n.routes {
			all = append(all, method+" "+f.path)
		}
		for _, next := range n.fixed {
			walk(next)
		}
		if n.variable != nil {
			walk(n.variable)
		}
	}
	walk(&s.router.root)
	slices.Sort(all)
	return all
}

// crumbs lead up from a page as it says itself; where it says nothing, to the nearest page above its address that has a
// title, which is the list of what it shows. The form of something new lies below the list of its kind.
func (c *Ctx) crumbs(own func(*Ctx) []Link) []Link {
	if own != nil {
		return own(c)
	}
	path := c.Request.URL.EscapedPath()
	if of, isNew := strings.CutPrefix(path, "/new"); isNew {
		path = of + "/"
	}
	for at := strings.LastIndexByte(path, '/'); at > 0; at = strings.LastIndexByte(path, '/') {
		path = path[:at]
		above, _ := c.site.router.at(path)
		if above == nil || above.routes[http.MethodGet] == nil {
			continue
		}
		if r := above.routes[http.MethodGet]; r.title != "" && len(r.names) == 0 {
			return []Link{{Label: c.Say(r.title), Href: path}}
		}
	}
	return nil
}

// Path is an address made of segments, each escaped: Path("orders", number, "lines").
func Path(segments ...string) string {
	var b strings.Builder
	for _, s := range segments {
		b.WriteByte('/')
		b.WriteString(url.PathEscape(s))
	}
	return b.String()
}

// fill puts values into a pattern's parameters.
func fill(pattern string, values map[string]string) string {
	segments := strings.Split(strings.TrimPrefix(pattern, "/"), "/")
	for i, s := range segments {
		if name, ok := strings.CutPrefix(s, "{"); ok {
			segments[i] = values[strings.TrimSuffix(name, "}")]
		}
	}
	return Path(segments...)
}
