package identity

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"kontor/internal/foundation/cache"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
)

// Caller is who holds a credential, as far as a surface needs to know.
type Caller struct {
	CompanyID string
	KeyID     string
	// ChannelKey is the store whose server holds a store key; "" of an API key.
	ChannelKey string
	Name       string   // of the key
	Scopes     []string // empty = unlimited: a key from before scopes
}

// Control runs work on the control database; a db.Store's Control is one.
type Control func(ctx context.Context, r db.Request, write bool, fn func(*db.Tx) error) error

// Gate recognises credentials: API keys, the sessions of people and the tokens of programs that act for them. What it
// knows of one it forgets in less than a second, counted from before it asked, so that what is revoked on one node
// stops working on all of them within that time; on its own node at once. Where the data cannot be asked it lets nobody
// in.
type Gate struct {
	control  Control
	now      func() db.Time
	keys     cache.Cache[*admission]
	sessions cache.Cache[*sitting]
	// proven are credentials that were found good, and not found otherwise since.
	proven  cache.Cache[struct{}]
	bearers cache.Cache[*bearing]

	mu   sync.Mutex
	used map[use]db.Time // the minute, not written yet
}

// use is a credential that was used.
type use struct {
	of usedAs
	id string
}

type usedAs int

const (
	asKey usedAs = iota
	asSession
	asConnection
)

// recalled is the part that everything remembered has in common.
type recalled struct {
	asked time.Time    // before the data was asked
	used  atomic.Int64 // minute of last use, as written or noted
}

func (r *recalled) askedAt() time.Time { return r.asked }

// admission is what is remembered of a key.
type admission struct {
	recalled
	caller  Caller
	env     Environment
	open    bool // the company answers
	expires db.Time
	revoked db.Time
}

const (
	gateMemory   = 900 * time.Millisecond
	gateCapacity = 50_000
	lookUpTime   = 5 * time.Second
	minute       = db.Time(time.Minute / time.Microsecond)
)

// errUnknownKey keeps unknown keys out of the memory: they would push out the known ones.
var errUnknownKey = errors.New("identity: unknown key")

// NewGate is a gate before the companies that control knows. What it lets in ends by the clock of the data.
func NewGate(control Control, now func() db.Time) *Gate {
	return &Gate{control: control, now: now, keys: cache.New[*admission](gateCapacity, gateMemory),
		sessions: cache.New[*sitting](gateCapacity, gateMemory), bearers: cache.New[*bearing](gateCapacity, gateMemory),
		proven: cache.New[struct{}](gateCapacity, 0), used: map[use]db.Time{}}
}

// recall is what is remembered of a credential, or what the data says of it. What took long to be read is older than it
// looks, and is read again.
func recall[T interface{ askedAt() time.Time }](ctx context.Context, memory cache.Cache[T], hash keyHash,
	lookUp func(context.Context, keyHash) (T, error)) (T, error) {
	v, ok := memory.Get(hash.key())
	if ok && time.Since(v.askedAt()) < gateMemory {
		return v, nil
	}
	if ok {
		memory.Forget(hash.key())
	}
	came := time.Now()
	v, err := memory.Load(ctx, hash.key(), func(ctx context.Context, _ string) (T, error) { return lookUp(ctx, hash) })
	// another request had asked long before
	if err == nil && v.askedAt().Before(came) && time.Since(v.askedAt()) >= gateMemory {
		return lookUp(ctx, hash)
	}
	return v, err
}

// Authenticate says who holds the key. It refuses with Auth.MissingCredential, Auth.ExpiredCredential,
// Server.Unavailable while the company is put back or deleted, since its keys are good then, and for everything else
// that is wrong with Auth.InvalidCredential: a stranger learns nothing more. See vouched for count.
func (g *Gate) Authenticate(ctx context.Context, key string, count func() error) (Caller, error) {
	if key == "" {
		return Caller{},
			ErrMissingCredential.Because(
				"this needs a credential: send an API key in the header X-Api-Key, or an access token as Authorization: Bearer")
	}
	env, hash, ok := readKey(key, forAPI)
	if !ok {
		return Caller{}, errInvalid()
	}
	return vouched(g, hash, count, func() (Caller, error) { return g.admit(ctx, env, hash) })
}

// vouched is what find says of who holds a credential. Before the data is asked about one that was not found good
// before, and before one is refused that was, count is asked, which may refuse instead: whoever guesses pays first.
// Nobody counts where it is nil.
func vouched[T any](g *Gate, hash keyHash, count func() error, find func() (T, error)) (who T, err error) {
	_, known := g.proven.Get(hash.key())
	if !known && count != nil {
		if err := count(); err != nil {
			return who, err
		}
	}
	who, err = find()
	switch {
	case err == nil && !known:
		g.proven.Put(hash.key(), struct{}{})
	case known && fault.Is(err, ErrInvalidCredential):
		g.proven.Forget(hash.key())
		if count != nil {
			err = cmp.Or(count(), err)
		}
	}
	return who, err
}

// admit says who holds a key that has the form of one.
func (g *Gate) admit(ctx context.Context, env Environment, hash keyHash) (Caller, error) {
	a, err := recall(ctx, g.keys, hash, g.lookUp)
	switch now := g.now(); {
	case errors.Is(err, errUnknownKey):
		return Caller{}, errInvalid()
	case err != nil:
		return Caller{}, err
	case a.revoked != 0 || a.env != env:
		return Caller{}, errInvalid()
	case a.expires != 0 && a.expires <= now:
		return Caller{}, ErrExpiredCredential.Because("this API key expired on %s: create another one", a.expires)
	case !a.open:
		return Caller{}, errNotOpen()
	default:
		g.note(&a.recalled, use{asKey, a.caller.KeyID}, now-now%minute)
		return a.caller, nil
	}
}

func errInvalid() error {
	return ErrInvalidCredential.Because(
		"the API key is not known here: check that it is whole, not revoked, and of this installation")
}

// errNotOpen refuses who is known to a company that is being put back, made or deleted: to be told that he is not would
// have him give up a credential that is good again in a moment.
func errNotOpen() error {
	return fault.ErrUnavailable.Because(
		"the company is not open at the moment: it is being put back, made or deleted; try again")
}

// look asks the control database. Several requests may wait for one reading, so it does not end with the first one's.
func (g *Gate) look(ctx context.Context, fn func(*db.Tx) error) error {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), lookUpTime)
	defer stop()
	return g.control(ctx, db.Request{Actor: db.Actor{Kind: "system", Name: "gate"}}, false, fn)
}

// lookUp reads a key.
func (g *Gate) lookUp(ctx context.Context, hash keyHash) (*admission, error) {
	a := &admission{recalled: recalled{asked: time.Now()}}
	err := g.look(ctx, func(tx *db.Tx) error {
		k, c, found, err := keyOf(tx, hash)
		if err != nil {
			return err
		}
		if !found {
			return errUnknownKey
		}
		a.caller = Caller{CompanyID: k.CompanyID, KeyID: k.ID, ChannelKey: k.ChannelKey, Name: k.Name, Scopes: k.Scopes}
		a.env, a.open = c.Environment, c.Status == Active
		a.expires, a.revoked = k.ExpiresAt, k.RevokedAt
		a.used.Store(int64(k.LastUsedAt))
		return nil
	})
	return a, err
}

// Forget drops everything remembered: called after a credential is revoked or a company closes.
func (g *Gate) Forget() {
	g.keys.Clear()
	g.sessions.Clear()
	g.bearers.Clear() // what is proven stays so until the data says otherwise
}

// note keeps the minute of a credential's use; Flush writes it. Almost always the minute is noted already.
func (g *Gate) note(r *recalled, u use, at db.Time) {
	if r.used.Load() >= int64(at) {
		return
	}
	r.used.Store(int64(at))
	g.mu.Lock()
	g.used[u] = at
	g.mu.Unlock()
}

// Flush writes the minutes of last use that have gathered, a statement for each minute. What cannot be
// written is tried again with the next Flush.
func (g *Gate) Flush(ctx context.Context) error {
	g.mu.Lock()
	used := g.used
	g.used = map[use]db.Time{}
	g.mu.Unlock()
	if len(used) == 0 {
		return nil
	}
	type part struct {
		of usedAs
		at db.Time
	}
	parts := map[part][]string{}
	for u, at := range used {
		parts[part{u.of, at}] = append(parts[part{u.of, at}], u.id)
	}
	mark := [...]func(*db.Tx, db.Time, []string) error{asKey: markUsed, asSession: markSeen, asConnection: markGrants}
	err := g.control(ctx, db.Request{Actor: db.Actor{Kind: "system", Name: "gate"}}, true, func(tx *db.Tx) error {
		for p, ids := range parts {
			slices.Sort(ids) // rows are locked in one order by all nodes
			if err := mark[p.of](tx, p.at, ids); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		g.mu.Lock()
		for u, at := range used {
			g.used[u] = max(g.used[u], at)
		}
		g.mu.Unlock()
	}
	return err
}
