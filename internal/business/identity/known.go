package identity

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"kontor/internal/foundation/cache"
	"kontor/internal/foundation/db"
)

// KnownCompanies answers which companies are open, for callers who name theirs themselves. What it knows it forgets
// after a second, so that a company that closes on one node is closed on all of them within that time.
type KnownCompanies struct {
	control Control
	known   cache.Cache[Company]
}

// errUnknownCompany keeps ids that name nothing out of the memory.
var errUnknownCompany = errors.New("identity: unknown company")

// maxKnownCompanies bounds the memory.
const maxKnownCompanies = 50_000

// NewKnownCompanies reads through control.
func NewKnownCompanies(control Control) *KnownCompanies {
	return &KnownCompanies{control: control, known: cache.New[Company](maxKnownCompanies, gateMemory)}
}

// Find is the company with this id, and whether it is there. It refuses with Server.Unavailable while the company is
// put back, made or deleted. What is no id costs no statement.
func (k *KnownCompanies) Find(ctx context.Context, id string) (Company, bool, error) {
	if uuid.Validate(id) != nil {
		return Company{}, false, nil
	}
	c, err := k.known.Load(ctx, id, k.lookUp)
	if errors.Is(err, errUnknownCompany) {
		return Company{}, false, nil
	}
	if err == nil && c.Status != Active {
		err = errNotOpen()
	}
	return c, err == nil, err
}

func (k *KnownCompanies) lookUp(ctx context.Context, id string) (c Company, err error) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), lookUpTime)
	defer stop()
	err = k.control(ctx, db.Request{Actor: db.Actor{Kind: "system", Name: "gate"}}, false, func(tx *db.Tx) error {
		found, ok, err := companyByID(tx, id)
		if err == nil && !ok {
			err = errUnknownCompany
		}
		c = found
		return err
	})
	return c, err
}

// reservation is how long a host name that no channel uses is kept for the company that asked for it.
const reservation = 10 * time.Minute

// Reserve keeps a host name for a company's channel, before the channel itself is changed: two companies may ask at
// once, and only the control database sees both. It reports whether the name is the company's now. A name that was
// reserved and never applied is free again after ten minutes.
func Reserve(tx *db.Tx, host, companyID, channelKey string) (bool, error) {
	return reserve(tx, host, companyID, channelKey, db.TimeOf(tx.Now.Time().Add(-reservation)))
}
