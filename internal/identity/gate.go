package identity

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"

	"kontor/internal/db"
)

// Caller is who holds a credential, as far as a surface needs to know.
type Caller struct {
	CompanyID string
	KeyID     string
	Name      string   // of the key
	Scopes    []string // empty = unlimited: a key from before scopes
}

// Control runs work on the control database; a db.Store's Control is one.
type Control func(ctx context.Context, r db.Request, write bool, fn func(*db.Tx) error) error

// Gate recognises API keys. What it knows of a key it forgets after a second, so that a key revoked on
// one node stops working on all of them within that time; on its own node at once.
type Gate struct {
	control Control
	keys    *otter.Cache[keyHash, *admission]

	mu   sync.Mutex
	used map[string]db.Time // key id -> the minute, not written yet
}

// admission is what is remembered of a key.
type admission struct {
	caller  Caller
	env     Environment
	open    bool // the company answers
	expires db.Time
	revoked db.Time
	used    atomic.Int64 // minute of last use, as written or noted
}

const (
	gateMemory   = time.Second
	gateCapacity = 50_000
	lookUpTime   = 5 * time.Second
	minute       = db.Time(time.Minute / time.Microsecond)
)

// errUnknownKey keeps unknown keys out of the memory: they would push out the known ones.
var errUnknownKey = errors.New("identity: unknown key")

// NewGate is a gate before the companies that control knows.
func NewGate(control Control) *Gate {
	return &Gate{
		control: control,
		keys: otter.Must(&otter.Options[keyHash, *admission]{
			MaximumSize:      gateCapacity,
			ExpiryCalculator: otter.ExpiryWriting[keyHash, *admission](gateMemory),
		}),
		used: map[string]db.Time{},
	}
}

// Authenticate says who holds the key. It refuses with Auth.MissingCredential, Auth.ExpiredCredential, and
// for everything else that is wrong with Auth.InvalidCredential: a stranger learns nothing more.
func (g *Gate) Authenticate(ctx context.Context, key string) (Caller, error) {
	if key == "" {
		return Caller{}, ErrMissingCredential.Because("this needs a credential: send an API key in the header X-Api-Key")
	}
	env, hash, ok := readKey(key)
	if !ok {
		return Caller{}, errInvalid()
	}
	a, err := g.keys.Get(ctx, hash, otter.LoaderFunc[keyHash, *admission](g.lookUp))
	switch now := db.TimeOf(time.Now()); {
	case errors.Is(err, errUnknownKey):
		return Caller{}, errInvalid()
	case err != nil:
		return Caller{}, err
	case a.revoked != 0 || a.env != env || !a.open:
		return Caller{}, errInvalid()
	case a.expires != 0 && a.expires <= now:
		return Caller{}, ErrExpiredCredential.Because("this API key expired on %s: create another one", a.expires)
	default:
		g.use(a, now-now%minute)
		return a.caller, nil
	}
}

func errInvalid() error {
	return ErrInvalidCredential.Because("the API key is not known here: check that it is whole, not revoked, and of this installation")
}

// lookUp reads a key. Several requests may wait for one reading, so it does not end with the first one's.
func (g *Gate) lookUp(ctx context.Context, hash keyHash) (*admission, error) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), lookUpTime)
	defer stop()
	a := &admission{}
	err := g.control(ctx, db.Request{Actor: db.Actor{Kind: "system", Name: "gate"}}, false, func(tx *db.Tx) error {
		k, c, found, err := keyOf(tx, hash)
		if err != nil {
			return err
		}
		if !found {
			return errUnknownKey
		}
		a.caller = Caller{CompanyID: k.CompanyID, KeyID: k.ID, Name: k.Name, Scopes: k.Scopes}
		a.env, a.open = c.Environment, c.Status == Active
		a.expires, a.revoked = k.ExpiresAt, k.RevokedAt
		a.used.Store(int64(k.LastUsedAt))
		return nil
	})
	return a, err
}

// Forget drops everything remembered: called after a key is revoked or a company closes.
func (g *Gate) Forget() { g.keys.InvalidateAll() }

// use notes the minute of a key's use; Flush writes it. Almost always the minute is noted already.
func (g *Gate) use(a *admission, at db.Time) {
	if a.used.Load() >= int64(at) {
		return
	}
	a.used.Store(int64(at))
	g.mu.Lock()
	g.used[a.caller.KeyID] = at
	g.mu.Unlock()
}

// Flush writes the minutes of last use that have gathered, a statement for each minute. What cannot be
// written is tried again with the next Flush.
func (g *Gate) Flush(ctx context.Context) error {
	g.mu.Lock()
	used := g.used
	g.used = map[string]db.Time{}
	g.mu.Unlock()
	if len(used) == 0 {
		return nil
	}
	byMinute := map[db.Time][]string{}
	for id, at := range used {
		byMinute[at] = append(byMinute[at], id)
	}
	err := g.control(ctx, db.Request{Actor: db.Actor{Kind: "system", Name: "gate"}}, true, func(tx *db.Tx) error {
		for at, ids := range byMinute {
			if err := markUsed(tx, at, ids); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		g.mu.Lock()
		for id, at := range used {
			g.used[id] = max(g.used[id], at)
		}
		g.mu.Unlock()
	}
	return err
}
