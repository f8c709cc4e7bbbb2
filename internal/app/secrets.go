package app

import (
	"context"
	"fmt"

	"kontor/internal/business/assistant"
	"kontor/internal/business/checkout"
	"kontor/internal/business/identity"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
)

// openKeys reads the key of the secrets, making it where nothing was sealed yet, and refuses to go on without the one
// that the data was sealed with. What lies in the control data unsealed is sealed.
func (h *App) openKeys(ctx context.Context, store *db.Store) error {
	keys, err := h.DataDir.ReadKeys()
	if err != nil {
		return err
	}
	var wanted string
	err = store.Control(ctx, db.Request{Actor: Operator()}, false, db.Into(&wanted, identity.SecretKey))
	if err != nil {
		return err
	}
	if len(keys) == 0 {
		if keys, err = h.DataDir.FirstKeys(wanted); err != nil {
			return err
		}
	}
	h.ring.Use(keys, h.DataDir.ReadKeys)
	err = store.Control(ctx, db.Request{Actor: Operator()}, true, func(tx *db.Tx) (err error) {
		if wanted, err = identity.ClaimSecretKey(tx, h.ring.Current()); err != nil || !h.ring.Has(wanted) {
			return err
		}
		_, err = identity.Reseal(tx)
		return err
	})
	if err == nil && !h.ring.Has(wanted) {
		err = fmt.Errorf(
			"the secrets of this data are sealed with key %s, which is not in %s: put it there, or name its file with --secret-key-file",
			wanted, h.DataDir.KeySource())
	}
	if err == nil {
		h.Log.Info("secrets are sealed; keep a copy of the key apart from the data and its backups", "key",
			h.ring.Current(), "in", h.DataDir.KeySource())
	}
	return err
}

// Keys are the fingerprints of the key that secrets are sealed with, and where it comes from.
func (h *App) Keys() (id, source string) { return h.ring.Current(), h.DataDir.KeySource() }

// Rotated is what came of another key.
type Rotated struct {
	Key  string // the fingerprint of the one that seals now
	In   string
	Lost int // values whose key is not here; they stay as they are
}

// RotateSecrets makes another key and seals every secret with it. Keys from before stay in the file behind it: older
// backups need them.
// A key that comes from the environment is replaced there, the old one behind it; then this seals with the first.
func (h *App) RotateSecrets(ctx context.Context) (r Rotated, err error) {
	if h.DataDir.SecretKey == "" {
		if err := h.DataDir.AddKey(); err != nil {
			return r, err
		}
		keys, err := h.DataDir.ReadKeys()
		if err != nil {
			return r, err
		}
		h.ring.Use(keys, h.DataDir.ReadKeys)
	}
	r.Key, r.In = h.Keys()
	err = h.Control(ctx, func(tx *db.Tx) (err error) {
		r.Lost, err = identity.Reseal(tx)
		if err != nil {
			return err
		}
		return askAgain(tx, "", dueEquip) // where this is broken off, a server goes on with it
	})
	if err != nil {
		return r, err
	}
	companies, err := h.Companies(ctx)
	if err != nil {
		return r, err
	}
	for _, c := range companies {
		if c.Status != identity.Active {
			continue
		}
		lost, err := resealCompany(ctx, h.store, c.ID)
		if err != nil {
			return r, fmt.Errorf("company %s: %w; repeat this command", c.Code, err)
		}
		r.Lost += lost
	}
	return r, h.Control(ctx, func(tx *db.Tx) error { return identity.SetSecretKey(tx, r.Key) })
}

// resealCompany seals a company's secrets with the present key that are not.
func resealCompany(ctx context.Context, store *db.Store, company string) (lost int, err error) {
	as := db.Request{Company: company, Actor: Operator()}
	err = store.Write(ctx, as, db.Into(&lost, func(tx *db.Tx) (int, error) { return reseal(tx, "") }))
	return lost, err
}

// reseal seals what the rooms of a company keep secret with the present key; from is the company that its data was
// copied from, "" where it is its own.
func reseal(tx *db.Tx, from string) (lost int, err error) {
	for _, room := range []func(*db.Tx, string) (int, error){checkout.Reseal, assistant.Reseal, support.Reseal} {
		some, err := room(tx, from)
		if lost += some; err != nil {
			return lost, err
		}
	}
	return lost, nil
}
