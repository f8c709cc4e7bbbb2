package app

import (
	"context"
	"slices"

	"kontor/internal/app/archive"
	"kontor/internal/business/identity"
	"kontor/internal/business/newsletter"
	"kontor/internal/business/party"
	"kontor/internal/business/purchasing"
	"kontor/internal/foundation/db"
)

// there are the people of a prepared folder who were deleted from the companies that it replaces: they were erased, and
// come back with it. A backup is put back to have again what was lost, so whether they are deleted again is for its
// keeper to say. What is replaced may be damaged, which keeps nothing from being put back.
func (h *App) there(ctx context.Context, s *stage, replaced []identity.Company) (all []string) {
	all = []string{} // none, not unknown
	for _, c := range s.companies {
		if !slices.ContainsFunc(replaced, func(o identity.Company) bool { return o.ID == c.ID }) {
			continue
		}
		found, err := h.again(ctx, s, c)
		if err != nil {
			h.Log.Warn("who was deleted since the backup is not known", "company", c.Code, "error", err)
		}
		all = append(all, found...)
	}
	return all
}

func (h *App) again(ctx context.Context, s *stage, c archive.Company) (all []string, err error) {
	as := db.Request{Company: c.ID, Actor: Operator()}
	var now, then map[string]string
	if err := h.store.Read(ctx, as, db.Into(&now, everybody)); err != nil {
		return nil, err
	}
	if err := s.at(ctx, nil, func(store *db.Store) error {
		return store.Read(ctx, as, db.Into(&then, everybody))
	}); err != nil {
		return nil, err
	}
	for id, name := range then {
		if now[id] == "" {
			all = append(all, c.Code+": "+name)
		}
	}
	slices.Sort(all)
	return all, nil
}

// everybody are the people of a company whom a deletion erases, by id.
func everybody(tx *db.Tx) (map[string]string, error) {
	all := map[string]string{}
	for _, of := range []func(*db.Tx, map[string]string) error{party.Everybody, purchasing.Everybody,
		newsletter.Everybody} {
		if err := of(tx, all); err != nil {
			return nil, err
		}
	}
	return all, nil
}
