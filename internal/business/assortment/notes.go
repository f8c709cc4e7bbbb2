package assortment

import (
	"crypto/sha256"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/search"
)

// Notes are what visitors did that is worth remembering, gathered in memory so that no request waits for it, and
// written down in batches: what was searched for, and which products were looked at. What is lost with the process is
// missed by nobody.
type Notes struct {
	mu        sync.Mutex
	companies map[string]*noted
	// asked are sessions with the words that were counted for them, lest one visitor make his words popular alone. They
	// are remembered until there are too many, and begun anew.
	asked map[[sha256.Size]byte]bool
}

// noted is what is to be written down for a company.
type noted struct {
	searches map[searched]int
	views    map[view]db.Time
}

type searched struct{ channelKey, text string }

type view struct{ session, item string }

// Bounds of what is gathered before it is written, and of words that count.
const (
	mostNoted   = 20_000
	mostAsked   = 200_000
	longestText = 60
	// mostViews is how many products a session is remembered to have looked at.
	mostViews = 50
	// often is how many visitors must have searched for words before others are told.
	often = 3
	// mostPhrases is how many searches are suggested from.
	mostPhrases = 2_000
)

// NewNotes are empty notes.
func NewNotes() *Notes {
	return &Notes{companies: map[string]*noted{}, asked: map[[sha256.Size]byte]bool{}}
}

func (n *Notes) of(company string) *noted {
	c := n.companies[company]
	if c == nil {
		c = &noted{searches: map[searched]int{}, views: map[view]db.Time{}}
		n.companies[company] = c
	}
	return c
}

// Searched notes that a visitor searched for words and found something.
func (n *Notes) Searched(company string, c channel.Channel, session, text string) {
	text = strings.Join(strings.Fields(strings.ToLower(text)), " ")
	if text == "" || utf8.RuneCountInString(text) > longestText || strings.ContainsAny(text, "@") {
		return // an address of somebody is nobody's suggestion
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	of, by := n.of(company), sha256.Sum256([]byte(session+"\x00"+text))
	if len(of.searches) >= mostNoted || n.asked[by] {
		return
	}
	if len(n.asked) >= mostAsked {
		clear(n.asked)
	}
	n.asked[by] = true
	of.searches[searched{record.Fold(c.Code), text}]++
}

// Viewed notes that a visitor looked at a product.
func (n *Notes) Viewed(company, session, item string, at db.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if of := n.of(company); len(of.views) < mostNoted {
		of.views[view{session, item}] = at
	}
}

// Companies are those with something to be written down.
func (n *Notes) Companies() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Collect(maps.Keys(n.companies))
}

// Write writes down what was noted for a company, in one transaction that write runs; where it fails it is lost.
func (n *Notes) Write(company string, write func(fn func(tx *db.Tx) error) error) error {
	n.mu.Lock()
	of := n.companies[company]
	delete(n.companies, company)
	n.mu.Unlock()
	if of == nil || len(of.searches) == 0 && len(of.views) == 0 {
		return nil
	}
	return write(func(tx *db.Tx) error {
		if err := countSearches(tx, of.searches); err != nil {
			return err
		}
		return writeViews(tx, of.views)
	})
}

// Recent reads a page of the products that a session has looked at, the latest first, and how many there are.
func (n *Notes) Recent(tx *db.Tx, v Viewer, session string, p record.Page) (record.Found[Card], error) {
	var found record.Found[Card]
	at, err := viewsOf(tx, session)
	if err != nil {
		return found, err
	}
	n.mu.Lock()
	if of := n.companies[tx.Company]; of != nil {
		for w, when := range of.views {
			if w.session == session {
				at[w.item] = max(at[w.item], when)
			}
		}
	}
	n.mu.Unlock()
	ids := slices.SortedFunc(maps.Keys(at), func(a, b string) int {
		if at[a] != at[b] {
			return int(at[b] - at[a])
		}
		return strings.Compare(a, b)
	})
	cards, err := Cards(tx, v, ids[:min(len(ids), mostViews)])
	found.Total, found.Items = len(cards), window(cards, p)
	return found, err
}

// Popular reads a page of the words that most visitors of a store have searched for lately.
func Popular(tx *db.Tx, v Viewer, p record.Page) (record.Found[search.Phrase], error) {
	all, err := phrasesOf(tx, v.Channel)
	return record.Found[search.Phrase]{Total: len(all), Items: window(all, p)}, err
}
