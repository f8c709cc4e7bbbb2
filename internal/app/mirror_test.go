package app_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"testing"

	"kontor/internal/app"
	"kontor/internal/app/apptest"
	"kontor/internal/foundation/datadir"
	"kontor/internal/front/rest"
)

// mirror is what another system keeps of a company: of each list the rows as it read them last, asking for what has
// changed since then, and of each record its page.
type mirror struct {
	*client
	lists  map[string]list // by their paths
	pages  map[string]answer
	cursor string          // up to where it has read of all changes
	heard  map[string]bool // what of them it was told since it compared
	gone   map[string]bool // whether the latest of them was a deletion
}

type row = map[string]any

// list is a list as another system has it.
type list struct {
	rows  map[string]row // by what names them
	was   map[string]row // what they were when they were compared
	since string
}

// ofOthers are members that say something of another record than the row's own. When they change it is that one which
// has changed, and whose list says so.
var ofOthers = map[string]string{
	"/preview/items averageCost":                 "its stock's; and no change of the item (docs/decisions.md)",
	"/preview/item-warehouses itemName":          "the item's",
	baseLines + " itemName":                      "the item's",
	"/preview/inventory/availability warehouses": "how the item is tracked is the item's, and how it is replenished its or its row's",
}

// baseLines are the lines of the price list that every company begins with.
const baseLines = "/preview/price-lists/BASE/lines"

// polled are the lists of whole companies that say what has changed, and one of a price list.
var polled = sync.OnceValue(func() (paths []string) {
	s := app.Preview(nil)
	for _, g := range s.Groups {
		for _, op := range g.Ops {
			if op.Kind == rest.KindList && op.Traits.NoDelta == "" && !strings.Contains(op.Path, "{") {
				paths = append(paths, s.Prefix+op.Path)
			}
		}
	}
	return append(paths, baseLines)
})

func newMirror(c *client) *mirror {
	m := &mirror{client: c, lists: map[string]list{}, pages: map[string]answer{}, heard: map[string]bool{},
		gone: map[string]bool{}}
	for _, path := range polled() {
		m.lists[path] = list{rows: map[string]row{}}
	}
	return m
}

// nameOf is what names a row of a list.
func nameOf(r row) string {
	if links, ok := r["links"].(row); ok {
		return links["self"].(string)
	}
	var name []string
	for _, part := range []string{"code", "itemNumber", "warehouseCode", "locationCode", "batchNumber", "serialNumber"} {
		name = append(name, fmt.Sprint(r[part]))
	}
	return strings.Join(name, " ")
}

// follows reads what has changed since it did so last.
func (m *mirror) follows() {
	for path, l := range m.lists {
		asked := path + "?modifiedSince=" + l.since
		if l.since == "" {
			asked = path
		}
		l.since = m.must(200, http.MethodGet, asked, "").header.Get("Sync-Watermark") // before any page is read
		for _, r := range m.all(asked) {
			l.rows[nameOf(r.(row))] = r.(row)
		}
		m.lists[path] = l
	}
	for more := true; more; {
		a := m.must(200, http.MethodGet, "/preview/changes?limit=1000&after="+m.cursor, "")
		resources, keys, became := a.at("items[*].resource"), a.at("items[*].businessKey"), a.at("items[*].change")
		for i, resource := range resources {
			m.heard[resource+" "+keys[i]] = true
			m.gone[resource+" "+keys[i]] = became[i] == "deleted"
		}
		if next := a.at("nextCursor"); len(next) > 0 {
			m.cursor = next[0]
		}
		more = len(keys) == 1000
	}
	for path, l := range m.lists {
		maps.DeleteFunc(l.rows, func(name string, _ row) bool { return m.gone[changeOf(path, name)] })
	}
}

// changeOf is what the feed of all changes calls a row of a list.
func changeOf(path, name string) string {
	if path == baseLines { // a line is named by what is asked for beside the item, too
		line, _ := url.Parse(strings.TrimPrefix(name, path+"/"))
		asked := line.Query()
		return "price-list-lines BASE/" + line.Path + "/" + cmp.Or(asked.Get("minQuantity"), "0") + "/" + asked.Get("validFrom")
	}
	resource := strings.ReplaceAll(strings.TrimPrefix(strings.TrimPrefix(path, "/preview/"), "reference/"), "/", "-")
	key, _ := url.PathUnescape(strings.TrimPrefix(name, path+"/"))
	return resource + " " + strings.Fields(key)[0]
}

// compares what it has with the lists as they are.
func (m *mirror) compares() {
	for path, l := range m.lists {
		is := map[string]row{}
		for _, r := range m.all(path) {
			r := r.(row)
			name := nameOf(r)
			is[name] = r
			for _, member := range differing(path, l.rows[name], r) {
				m.Errorf("%s: %s of %s is %v, and was last heard of as %v", path, member, name, r[member],
					l.rows[name][member])
			}
			if r["links"] == nil {
				continue // a row of stock, of which there is no record
			}
			if was := l.was[name]; was != nil && !m.heard[changeOf(path, name)] {
				for _, member := range differing(path, was, r) {
					m.Errorf("%s: %s of %s is %v, was %v, and no change was told", path, member, name, r[member], was[member])
				}
			}
			m.opens(name, r)
		}
		for name, r := range l.rows {
			switch {
			case is[name] != nil || r["quantityOnHand"] == "0": // where nothing lies is not listed
			case m.isGone(path, name):
				delete(l.rows, name)
			default:
				m.Errorf("%s: %s is gone, and nobody said so", path, name)
			}
		}
		l.was = is
		m.lists[path] = l
	}
	clear(m.heard)
}

// isGone reports whether who was told that a row has changed, and looks, finds nothing there any more: so it is with
// what is listed while it is active.
func (m *mirror) isGone(path, name string) bool {
	return m.heard[changeOf(path, name)] && m.send(http.MethodGet, name, "").status == http.StatusNotFound
}

// differing are the members of a list's row that are not what they were, and its own.
func differing(path string, was, is row) (members []string) {
	for member, value := range is {
		if ofOthers[path+" "+member] == "" && !reflect.DeepEqual(was[member], value) {
			members = append(members, member)
		}
	}
	return members
}

// opens a record that a row leads to, which says of it what the row does. Whoever has its page is told of another.
func (m *mirror) opens(name string, r row) {
	had, now := m.pages[name], m.must(200, http.MethodGet, name, "")
	if had.raw != nil && had.header.Get("Etag") == now.header.Get("Etag") && !reflect.DeepEqual(had.body, now.body) {
		m.Errorf("%s has changed under its ETag:\nis  %s\nwas %s", name, now.raw, had.raw)
	}
	m.pages[name] = now
	for member, is := range now.body.(row) {
		said, ok := r[member]
		if parts, is := said.([]any); is && len(parts) == 0 {
			continue // a list may leave out what a record is made of
		}
		if ok && !reflect.DeepEqual(said, is) {
			m.Errorf("%s: %s is %v, in its list %v", name, member, is, said)
		}
	}
}

// Who polls the lists for what has changed has all of it, whatever was done between two polls.
func TestAMirrorMissesNothing(t *testing.T) {
	steps, seed := longer(t, 500)
	apptest.Each(t, func(t *testing.T, place datadir.Dir) {
		c := clerks(t, place, 1, seed)[0]
		m := newMirror(c.client)
		for k := 1; k <= steps && !t.Failed(); k++ {
			c.does()
			if k%25 == 0 {
				m.follows()
			}
			if k%100 == 0 {
				m.compares()
			}
		}
		if t.Failed() {
			t.Fatalf("with seed %d; the latest that were taken:\n%s", seed,
				strings.Join(c.done[max(0, len(c.done)-20):], "\n"))
		}
	})
}

// So has he who polls while several work at once.
func TestAMirrorMissesNothingOfSeveral(t *testing.T) {
	heavy(t)
	steps, seed := longer(t, 300)
	apptest.Each(t, func(t *testing.T, place datadir.Dir) {
		all := clerks(t, place, 4, seed)
		m := newMirror(all[0].client)
		var work sync.WaitGroup
		home := make(chan struct{})
		for _, c := range all {
			work.Go(func() {
				for range steps {
					c.does()
				}
			})
		}
		go func() { work.Wait(); close(home) }()
		for working := true; working; {
			select {
			case <-home:
				working = false
			default:
			}
			m.follows()
		}
		m.compares()
	})
}
