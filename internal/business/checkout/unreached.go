package checkout

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/payment"
)

// refundFailed takes back that money went back which did not reach the buyer: it is here, and owed to him as before.
// The job that gave it back runs again, hears from the provider why it failed, and says so to who looks after jobs.
func refundFailed(tx *db.Tx, method string, e payment.Event) error {
	p, err := concerned(tx, method, e)
	if err != nil || p == nil {
		return err
	}
	if isNew, err := hear(tx, method, e.ID, p); err != nil || !isNew {
		return err
	}
	if e.Failed.ID != "" {
		if isDone, err := p.reopen(tx, e.Failed.ID); err != nil || !isDone {
			return err
		}
	}
	ours, err := wentBack(tx, p.ID)
	if err != nil {
		return err
	}
	p.Refunded = max(ours, p.Refunded.Sub(e.Failed.Amount))
	return p.record(tx)
}

// reopen lets a refund of ours be made again; false where it is not one that was made. One whose job is just making it
// may be written as made a moment later: the provider is to tell again.
func (p *Payment) reopen(tx *db.Tx, id string) (isDone bool, err error) {
	m, err := readTransfer(tx, id)
	if err != nil || m == nil || m.PaymentID != p.ID || m.Kind != Refund {
		return false, err
	}
	if m.Status == Open {
		isUnderWay, err := jobs.IsOpen(tx, Refunding, m.ID)
		return false, fault.ErrUnavailable.When(isUnderWay, err,
			"the refund %s is just being made: tell it again in a moment", m.ID)
	}
	if err := reopenTransfer(tx, m.ID); err != nil {
		return false, err
	}
	return true, p.moves(tx, Refunding, m.ID)
}

// PaidBack notes that a refund which its provider could not bring to the buyer was paid another way. It is known by its
// job, which has failed. Refusals: Job.NotFound, Job.InvalidStatus.
func PaidBack(tx *db.Tx, job string) (jobs.Job, error) {
	j, err := jobs.Find(tx, job)
	if err != nil {
		return j, err
	}
	m, err := FailedRefund(tx, j)
	if err == nil && m == nil {
		err = jobs.ErrInvalidStatus.Because("the job %s is no refund that has failed", job)
	}
	if err != nil {
		return j, err
	}
	p, err := readPayment(tx, m.PaymentID)
	if err == nil {
		j, err = jobs.Cancel(tx, job)
	}
	if err != nil {
		return j, err
	}
	return j, refunded(tx, p, m, m.Amount, payment.Refunded{Ref: byHand}, nil)
}

// byHand is the ref of a refund that was paid another way than by its provider.
const byHand = "by hand"

// IsFailedRefund reports whether a job was to give money back, or to let it go, and has failed.
func IsFailedRefund(j jobs.Job) bool { return j.Kind == Refunding.Name && j.Status == jobs.Failed }

// FailedRefund is the money that a failed job was to give back; nil where it is no such job.
func FailedRefund(tx *db.Tx, j jobs.Job) (*Transfer, error) {
	if !IsFailedRefund(j) {
		return nil, nil
	}
	id, err := Subject(j)
	if err != nil {
		return nil, err
	}
	m, err := readTransfer(tx, id)
	if err != nil || m == nil || m.Status == Done || m.Amount == 0 {
		return nil, err
	}
	return m, nil
}
