package identity

import (
	"context"
	"errors"
	"testing"
	"time"

	"kontor/internal/foundation/db"
)

// What another node revokes is noticed once what is remembered is too old, and where the data does not answer nobody is
// let in.
func TestTheGateForgetsAndFailsClosed(t *testing.T) {
	away := errors.New("the data is away")
	asked := 0
	g := NewGate(func(context.Context, db.Request, bool, func(*db.Tx) error) error { asked++; return away },
		func() db.Time { return db.TimeOf(time.Now()) })
	secret, hash := NewSecret(AccessPrefix)
	session, sessionHash := NewSecret("")
	key := keyHash(hash)
	fresh := &bearing{recalled: recalled{asked: time.Now()}, expires: db.TimeOf(time.Now().Add(time.Hour))}
	g.bearers.Put(key.key(), fresh)
	sits := &sitting{recalled: recalled{asked: time.Now()},
		session: Session{ID: "s", ExpiresAt: db.TimeOf(time.Now().Add(time.Hour))}}
	sits.used.Store(int64(db.TimeOf(time.Now())))
	g.sessions.Put(keyHash(sessionHash).key(), sits)
	if _, err := g.Bearer(t.Context(), secret, nil); err != nil || asked != 0 {
		t.Fatalf("remembered: %v, asked %d times", err, asked)
	}
	if _, err := g.Session(t.Context(), session); err != nil || asked != 0 {
		t.Fatalf("remembered: %v, asked %d times", err, asked)
	}
	// The memory was written just now, but the data was asked long before: its answer took its time.
	fresh.asked, sits.asked = time.Now().Add(-gateMemory), time.Now().Add(-gateMemory)
	if _, err := g.Bearer(t.Context(), secret, nil); !errors.Is(err, away) || asked != 1 {
		t.Errorf("too old: %v, asked %d times", err, asked)
	}
	if _, err := g.Session(t.Context(), session); !errors.Is(err, away) || asked != 2 {
		t.Errorf("too old: %v, asked %d times", err, asked)
	}
	if gateMemory >= time.Second {
		t.Errorf("what is revoked must stop within a second on every node; it is remembered for %s", gateMemory)
	}
}
