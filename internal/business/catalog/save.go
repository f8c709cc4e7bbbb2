package catalog

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/number"
	"kontor/internal/foundation/record"
)

// Mode says what a batch may do with a row.
type Mode string

// The modes of a batch.
const (
	UpsertMode Mode = "upsert"
	CreateOnly Mode = "create"
	UpdateOnly Mode = "update"
)

// Values are the modes.
func (Mode) Values() []Mode { return []Mode{UpsertMode, CreateOnly, UpdateOnly} }

// Draft is one item to be written: Edit is laid over the present item, or over New().
type Draft struct {
	Number string
	Edit   func(*Item) error
	Draws  bool // the next number of the series, once nothing else is wrong: drawing it writes
}

// Outcome is what became of a draft. Err is its refusal; then nothing of it was written.
type Outcome struct {
	Item    Item
	Created bool
	Err     error
}

// task is a draft on its way through Save.
type task struct {
	before *Item // nil when the item is new
	after  Item
	draws  bool
	err    error
}

// was is the item as it stood, or as a new one begins.
func (t *task) was() Item {
	if t.before == nil {
		return New()
	}
	return *t.before
}

func (t *task) draw(tx *db.Tx) (err error) {
	if t.draws && t.err == nil {
		t.after.Number, err = number.Next(tx, "item", items.IsTaken)
	}
	return err
}

func (t *task) refuse(err error) {
	if t.err == nil {
		t.err = err
	}
}

// Save writes many items with a constant number of statements, each row for itself: a refused row
// leaves the others alone. Row refusals: Item.AlreadyExists (CreateOnly), Item.NotFound (UpdateOnly),
// Item.DuplicateInBatch, and a fault naming every field that breaks a rule. The error is for what
// stops them all.
func Save(tx *db.Tx, drafts []Draft, mode Mode) ([]Outcome, error) {
	tasks, err := gather(tx, drafts, mode)
	if err != nil {
		return nil, err
	}
	if err := checkAll(tx, tasks); err != nil {
		return nil, err
	}
	if err := each.Do(tasks, func(t *task) error { return t.draw(tx) }); err != nil {
		return nil, err
	}
	if err := announce(tx, tasks); err != nil {
		return nil, err
	}
	if err := write(tx, tasks); err != nil {
		return nil, err
	}
	return each.Of(tasks, func(t *task) Outcome {
		return Outcome{Item: t.after, Created: t.before == nil && t.err == nil, Err: t.err}
	}), nil
}

// gather locks the items that exist and lays each draft over its item.
func gather(tx *db.Tx, drafts []Draft, mode Mode) ([]*task, error) {
	keys := each.Of(drafts, func(d Draft) string { return record.Fold(d.Number) })
	present, err := items.LockMany(tx, keys)
	if err != nil {
		return nil, err
	}
	tasks := make([]*task, len(drafts))
	first := make(map[string]int, len(drafts))
	for n, d := range drafts {
		t := &task{after: New(), draws: d.Draws}
		tasks[n] = t
		if m, twice := first[keys[n]]; twice {
			t.refuse(ErrDuplicate.At("itemNumber", "%s stands in row %d already: name an item once", d.Number, m))
			continue
		}
		first[keys[n]] = n
		i, exists := present[keys[n]]
		switch {
		case exists && mode == CreateOnly:
			t.refuse(ErrExists.Because("item %s exists already: choose another itemNumber, or change that item",
				i.Number))
			continue
		case !exists && mode == UpdateOnly:
			t.refuse(missing(d.Number))
			continue
		case exists:
			t.before, t.after = &i, i
		}
		if err := d.Edit(&t.after); err != nil {
			if fault.As(err).Kind == fault.Internal {
				return nil, err
			}
			t.refuse(err)
			continue
		}
		if t.before == nil {
			t.after.Number = d.Number
		} else { // what a caller may not change
			t.after.Root, t.after.Number = t.before.Root, t.before.Number
		}
	}
	return tasks, nil
}

// announce asks those who keep stock or documents of an item whether it may change so far.
func announce(tx *db.Tx, tasks []*task) error {
	for _, t := range tasks {
		if t.err != nil || t.before == nil {
			continue
		}
		b, a := t.before, &t.after
		if b.Type == a.Type && b.Tracking == a.Tracking && b.BaseUnit == a.BaseUnit &&
			b.DecimalPlaces <= a.DecimalPlaces {
			continue
		}
		if err := tx.Fire(Changing{Before: *b, After: *a}); err != nil {
			if fault.As(err).Kind == fault.Internal {
				return err
			}
			t.refuse(err)
		}
	}
	return nil
}

// write stores what was not refused and reports it to the funnel.
func write(tx *db.Tx, tasks []*task) error {
	var pairs []record.Pair[Item]
	var created []*Item
	for _, t := range tasks {
		if t.err != nil {
			continue
		}
		if t.before == nil {
			t.after.Root = record.New(tx)
			created = append(created, &t.after)
		}
		pairs = append(pairs, record.Pair[Item]{Before: t.before, After: &t.after})
	}
	if err := items.SaveMany(tx, pairs...); err != nil {
		if tx.Unique(err) {
			return raced(created)
		}
		return err
	}
	return tellSuppliers(tx, tasks)
}

// raced is the refusal when another request created one of the items between our look and our write.
func raced(created []*Item) error {
	if len(created) == 1 {
		return ErrExists.Because("item %s exists already: choose another itemNumber, or change that item",
			created[0].Number)
	}
	return fault.ErrUnavailable.Because(
		"another request created one of these items at this very moment; nothing was changed, send the same request again").
		After(1)
}

func missing(itemNumber string) error {
	return ErrNotFound.Because("there is no item %s", itemNumber)
}
