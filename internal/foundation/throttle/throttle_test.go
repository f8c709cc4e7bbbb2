package throttle

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault"
)

// door is a kind with small limits.
func door() *Kind {
	return &Kind{Name: "test-door", Code: ErrAttempts, Clears: true, Pair: limits(3, quarter, Limit{5, daylong}),
		Account: limits(6, daylong), Peer: limits(8, quarter), Company: limits(20, hour)}
}

type node struct {
	*testing.T
	*Guard
	store *db.Store
}

func each(t *testing.T, fn func(n node)) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) { fn(nodeOf(t, s)) })
}

// nodeOf is another process on the same data, or the same after a restart.
func nodeOf(t *testing.T, s *db.Store) node {
	return node{t, New(s.Control, s.Now), s}
}

func at(account, peer string) Who {
	return Who{Account: account, Peer: peer, Company: "acme", Place: Network(peer)}
}

func (n node) try(k *Kind, w Who, right bool) error {
	_, err := n.Try(n.Context(), k, w, func() (bool, error) { return right, nil })
	return err
}

func (n node) wrong(k *Kind, w Who) {
	n.Helper()
	if err := n.try(k, w, false); err != nil {
		n.Fatalf("%+v: %v", w, err)
	}
}

func (n node) refused(what string, k *Kind, w Who) {
	n.Helper()
	err := n.try(k, w, true)
	if f := fault.As(err); err == nil || f.Code != "Auth.TooManyAttempts" || f.RetryAfterSeconds < 1 {
		n.Errorf("%s: %v", what, err)
	}
}

func (n node) letIn(what string, k *Kind, w Who) {
	n.Helper()
	if err := n.try(k, w, true); err != nil {
		n.Errorf("%s: %v", what, err)
	}
}

func (n node) passes(d time.Duration) {
	n.Helper()
	err := n.store.Control(n.Context(), db.Request{}, true, func(tx *db.Tx) error {
		_, err := tx.Exec("-- test\nupdate attempt set ends_at = ends_at - :by", db.Args{"by": d.Microseconds()})
		return err
	})
	if err != nil {
		n.Fatal(err)
	}
}

func (n node) sum() (counted int64) {
	n.Helper()
	err := n.store.Control(n.Context(), db.Request{}, false, func(tx *db.Tx) error {
		_, err := tx.One("-- test\nselect coalesce(sum(count), 0) from attempt", nil, &counted)
		return err
	})
	if err != nil {
		n.Fatal(err)
	}
	return counted
}

// Who fails too often is refused, right or wrong, also by another node and after a restart; what is refused counts for
// nobody.
func TestTheGuesserPays(t *testing.T) {
	each(t, func(n node) {
		k := door()
		for range 3 {
			n.wrong(k, at("anna", "192.0.2.1"))
		}
		before := n.sum()
		n.refused("the fourth", k, at("anna", "192.0.2.1"))
		n.refused("in other letters", k, at(" ANNA ", "192.0.2.1"))
		again := nodeOf(n.T, n.store)
		again.refused("after a restart", k, at("anna", "192.0.2.1"))
		if after := n.sum(); after != before {
			n.Errorf("refusals were counted: %d, before %d", after, before)
		}
		n.letIn("the owner, elsewhere", k, at("anna", "192.0.2.2"))
		n.wrong(k, at("bea", "192.0.2.1"))
		n.passes(quarter)
		fresh := nodeOf(n.T, n.store)
		fresh.wrong(k, at("anna", "192.0.2.1"))
		fresh.wrong(k, at("anna", "192.0.2.1"))
		fresh.refused("five in a day", k, at("anna", "192.0.2.1"))
		fresh.passes(daylong)
		nodeOf(n.T, n.store).letIn("the day after", k, at("anna", "192.0.2.1"))
	})
}

// A clock that was a day ahead, and is set right, keeps nobody out for that day: the window begins again.
func TestAClockThatWasAheadKeepsNobodyOut(t *testing.T) {
	each(t, func(n node) {
		k := door()
		for range 3 {
			n.wrong(k, at("anna", "192.0.2.1"))
		}
		n.refused("the fourth", k, at("anna", "192.0.2.1"))
		n.passes(-daylong)
		right := nodeOf(n.T, n.store)
		for range 3 {
			right.wrong(k, at("anna", "192.0.2.1"))
		}
		right.refused("the fourth by the right clock", k, at("anna", "192.0.2.1"))
	})
}

// Nor does a process that has refused somebody by that clock remember until when.
func TestAProcessForgetsWhomItRefusedByAClockThatWasAhead(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			ahead, o := atomic.Int64{}, dbtest.Options(t, engine)
			ahead.Store(int64(daylong))
			o.Clock = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
			n, k := nodeOf(t, dbtest.Open(t, o)), door()
			for _, by := range []time.Duration{daylong, 0} {
				ahead.Store(int64(by))
				for range 3 {
					n.wrong(k, at("anna", "192.0.2.1"))
				}
				n.refused("the fourth", k, at("anna", "192.0.2.1"))
			}
		})
	}
}

// One network that tries many accounts is refused for all of them, wherever in its 64 bits it stands.
func TestSpraying(t *testing.T) {
	each(t, func(n node) {
		k := door()
		for i := range 8 {
			n.wrong(k, at(fmt.Sprint("account", i), fmt.Sprintf("2001:db8:1:2:%x::1", i)))
		}
		n.refused("the ninth account", k, at("account9", "2001:db8:1:2:9::9"))
		n.letIn("the network beside", k, at("account9", "2001:db8:1:3::9"))
	})
}

// Many networks that try one account are refused together, and many that try all accounts of a company too; whoever was
// let in to theirs before still is.
func TestTheOwnerComesIn(t *testing.T) {
	each(t, func(n node) {
		k := door()
		n.letIn("Anna at home", k, at("anna", "192.0.2.1"))
		n.letIn("Bea at home", k, at("bea", "192.0.2.2"))
		for i := range 6 {
			n.wrong(k, at("anna", fmt.Sprint("198.51.100.", i)))
		}
		n.refused("the seventh stranger", k, at("anna", "198.51.100.77"))
		n.letIn("Anna at home", k, at("anna", "192.0.2.1"))
		n.letIn("another account", k, at("carl", "198.51.100.77"))
		for i := range 14 {
			n.wrong(k, at(fmt.Sprint("account", i), fmt.Sprint("203.0.113.", i)))
		}
		n.refused("a stranger in the company", k, at("carl", "198.51.100.78"))
		n.letIn("Bea at home", k, at("bea", "192.0.2.2"))
		n.letIn("another company", k, Who{Account: "carl", Peer: "198.51.100.78", Company: "other"})
		for range 3 { // where the owner is known, they guess for themselves alone
			n.wrong(k, at("bea", "192.0.2.2"))
		}
		n.refused("Bea herself", k, at("bea", "192.0.2.2"))
		n.letIn("Anna at home", k, at("anna", "192.0.2.1"))
	})
}

// Many at once on two nodes find no gap.
func TestNoGap(t *testing.T) {
	each(t, func(n node) {
		k, nodes := door(), []node{n, nodeOf(n.T, n.store)}
		var made atomic.Int64
		var all sync.WaitGroup
		for i := range 24 {
			all.Go(func() {
				_, err := nodes[i%2].Try(context.Background(), k, at("anna", "192.0.2.1"), func() (bool, error) {
					made.Add(1)
					return false, nil
				})
				if err != nil && !fault.Is(err, ErrAttempts) {
					n.Error(err)
				}
			})
		}
		all.Wait()
		if made.Load() != 3 {
			n.Errorf("%d guesses were made, want 3", made.Load())
		}
	})
}

// What could not be tried is not counted.
func TestNotTried(t *testing.T) {
	each(t, func(n node) {
		k := door()
		for range 5 {
			_, err := n.Try(n.Context(), k, at("anna", "192.0.2.1"),
				func() (bool, error) { return false, ErrRate.Because("busy") })
			if !fault.Is(err, ErrRate) {
				n.Fatal(err)
			}
		}
		if n.sum() != 0 {
			n.Errorf("%d are counted", n.sum())
		}
		// Nor does it make who tried it known there: strangers have used up the account's guesses.
		for i := range 6 {
			n.wrong(k, at("anna", fmt.Sprint("198.51.100.", i)))
		}
		n.refused("who was never right", k, at("anna", "192.0.2.1"))
	})
}

// Every kind is limited by the network and by a day, tells what it is, and is refused by a code.
func TestKinds(t *testing.T) {
	names := map[string]bool{}
	for _, k := range Kinds() {
		if names[k.Name] || k.Name == "" || k.Doc == "" || k.Code == (fault.Code{}) {
			t.Errorf("%+v: another has the name, or it lacks a name, a text or a code", k)
		}
		names[k.Name] = true
		for what, dimension := range map[string][]Limit{"pair": k.Pair, "peer": k.Peer} {
			var slow bool
			for _, l := range dimension {
				slow = slow || l.Window >= daylong
			}
			if len(dimension) > 0 && !slow {
				t.Errorf("%s: its %s has no slow window", k.Name, what)
			}
		}
		if len(k.Peer) == 0 && len(k.Company) == 0 {
			t.Errorf("%s: whoever tries many accounts is not limited", k.Name)
		}
	}
}
