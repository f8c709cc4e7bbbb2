package stock

import "kontor/internal/foundation/db"

// Dispatch takes goods out towards another warehouse, at average cost, as Transfer entries. Refusals: those of Issue.
// What they were is the caller's to keep until TakeIn puts them in there.
func Dispatch(tx *db.Tx, moves []Move) ([]Entry, error) { return takeOut(tx, Transferred, moves) }

// Lose writes off goods that were dispatched and never arrived: they come back in the books, at the cost of the moves,
// and go out as Adjustment entries. Nobody can be promised them in between. Refusals: those of Receive.
func Lose(tx *db.Tx, moves []Move) error {
	for i := range moves {
		moves[i].Unpromised = true
	}
	if _, err := Receive(tx, Transferred, moves); err != nil {
		return err
	}
	_, err := WriteOff(tx, moves)
	return err
}
