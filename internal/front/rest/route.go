package rest

import (
	"fmt"
	"slices"
	"strings"
)

// router finds the operation of an address by its percent-encoded path: a key may hold a slash, so the
// path is cut into segments before anything is decoded.
type router struct {
	root node
}

// node is one place in the tree of paths.
type node struct {
	fixed    map[string]*node
	variable *node
	plans    map[string]*plan // by method
}

// maxSegments bounds the captured parameters of a path.
const maxSegments = 8

func (t *router) add(p *plan) error {
	n := &t.root
	parameters := 0
	for seg := range strings.SplitSeq(strings.TrimPrefix(p.op.Path, "/"), "/") {
		if strings.HasPrefix(seg, "{") {
			if parameters++; parameters > maxSegments {
				return fmt.Errorf("operation %s: its path has too many parameters", p.op.ID)
			}
			if n.variable == nil {
				n.variable = &node{}
			}
			n = n.variable
			continue
		}
		if n.fixed == nil {
			n.fixed = map[string]*node{}
		}
		if n.fixed[seg] == nil {
			n.fixed[seg] = &node{}
		}
		n = n.fixed[seg]
	}
	if n.plans == nil {
		n.plans = map[string]*plan{}
	}
	if other := n.plans[p.op.Method]; other != nil {
		return fmt.Errorf("operations %s and %s are both %s %s", other.op.ID, p.op.ID, p.op.Method, p.op.Path)
	}
	n.plans[p.op.Method] = p
	return nil
}

// find walks the rest of an escaped path below n. Fixed segments go before parameters; where the fixed
// one does not know the method, the parameter is tried, so that an item may be called "batch".
func (n *node) find(path, method string, captured []string) (*plan, []string) {
	if path == "" {
		return n.plans[method], captured
	}
	seg, rest, more := strings.Cut(path, "/")
	if seg == "" || more && rest == "" {
		return nil, nil
	}
	if next := n.fixed[seg]; next != nil {
		if p, got := next.find(rest, method, captured); p != nil {
			return p, got
		}
	}
	if n.variable != nil && len(captured) < cap(captured) {
		return n.variable.find(rest, method, append(captured, seg))
	}
	return nil, nil
}

// allowed are the methods known at a path.
func (n *node) allowed(path string) (methods []string) {
	for _, m := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
		if p, _ := n.find(path, m, make([]string, 0, maxSegments)); p != nil {
			methods = append(methods, m)
			if m == "GET" {
				methods = append(methods, "HEAD")
			}
		}
	}
	slices.Sort(methods)
	return methods
}
