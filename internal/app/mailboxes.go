package app

import (
	"context"
	"errors"

	"kontor/internal/business/support"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
)

// errAsked is what the list of jobs shows of a mailbox that is well.
var errAsked = errors.New("the mailbox was read, and is read again in a minute")

// readMailbox is the job of a mailbox: it is one that is put off whenever it was done, so one node does it at a time,
// and the index of what is due knows when.
func (h *App) readMailbox(ctx context.Context, j jobs.Job) error {
	var id string
	if err := j.Read(&id); err != nil {
		return err
	}
	c, err := h.Company(ctx, j.Company)
	if err != nil {
		return err
	}
	again, failure, err := h.reader.Read(ctx, c, id)
	switch {
	case fault.Is(err, support.ErrInboxNotFound):
		return jobs.Drop(err)
	case err != nil:
		return err
	case failure != nil:
		return jobs.Postpone(failure, again)
	}
	return jobs.Postpone(errAsked, again)
}
