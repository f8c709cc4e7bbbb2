package identity

import (
	"context"
	"testing"

	"kontor/internal/foundation/fault"
)

func TestPasswords(t *testing.T) {
	ctx, h := context.Background(), NewHasher()
	stored, err := h.Hash(ctx, "korrekt häst batteri")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		stored, password string
		want             bool
	}{
		{stored, "korrekt häst batteri", true},
		{stored, "korrekt hast batteri", false},
		{"", "korrekt häst batteri", false},
		{"", "", false},
		{"$argon2id$v=19$m=1,t=1,p=1$AAAA$AAAA", "korrekt häst batteri", false},
	} {
		if got, err := h.Verify(ctx, c.stored, c.password); got != c.want || err != nil {
			t.Errorf("Verify(%q, %q) = %v, %v", c.stored, c.password, got, err)
		}
	}
	if again, _ := h.Hash(ctx, "korrekt häst batteri"); again == stored {
		t.Error("two hashes of one password are the same: the salt is missing")
	}
	if _, err := h.Hash(ctx, "nine char"); !fault.Is(err, ErrUserInvalid) {
		t.Errorf("a password of 9 characters: %v", err)
	}
}

// Who finds the queue full is told to come again, and nothing is hashed for them.
func TestHashingTurnsCrowdsAway(t *testing.T) {
	h := NewHasher()
	for range cap(h.queue) {
		h.queue <- struct{}{}
	}
	_, err := h.Verify(context.Background(), "", "long enough for it")
	if f := fault.As(err); f.Kind != fault.Unavailable || f.RetryAfterSeconds < 1 || h.Hashed() != 0 {
		t.Errorf("the queue is full: %v, %d hashed", err, h.Hashed())
	}
	<-h.queue
	if _, err := h.Verify(context.Background(), "", "long enough for it"); err != nil || h.Hashed() != 1 {
		t.Errorf("there is a place: %v, %d hashed", err, h.Hashed())
	}
}

func TestHashingWaitsItsTurn(t *testing.T) {
	h := NewHasher()
	h.slots <- struct{}{}
	h.slots <- struct{}{}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := h.Hash(ctx, "long enough for it"); err != context.Canceled {
		t.Errorf("a third hashing did not wait: %v", err)
	}
}
