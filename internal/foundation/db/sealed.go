package db

import (
	"cmp"

	"kontor/internal/foundation/seal"
)

// Seal makes a secret unreadable without the installation's key, at a place of this transaction's company.
func (tx *Tx) Seal(table, column, row, plain string) (string, error) {
	return tx.cell.store.opt.Seal.Seal(tx.place(table, column, row), plain)
}

// Unseal reads what Seal wrote, or a secret from before there was a key.
func (tx *Tx) Unseal(table, column, row, text string) (string, error) {
	return tx.cell.store.opt.Seal.Open(tx.place(table, column, row), text)
}

// SealedNow reports whether a text is empty or sealed with the key that seals at present.
func (tx *Tx) SealedNow(text string) bool {
	return text == "" || seal.KeyOf(text) == tx.cell.store.opt.Seal.Current()
}

// Reseal seals what a column of a table holds with the present key, where it is not; of a company whose data was copied
// from another, from is that one. What cannot be opened stays as it is, and is counted.
func (tx *Tx) Reseal(table, column, from string) (lost int, err error) {
	type row struct{ id, sealed string }
	var all []row
	err = tx.Each(`-- db.Reseal whole
		select id, `+column+` from `+table+` where company = :company and `+column+` <> ''`, nil, func(r Row) error {
		var one row
		err := r.Scan(&one.id, &one.sealed)
		if from != "" || !tx.SealedNow(one.sealed) {
			all = append(all, one)
		}
		return err
	})
	for i := 0; err == nil && i < len(all); i++ {
		place := tx.place(table, column, all[i].id)
		place.Company = cmp.Or(from, place.Company)
		open, wrong := tx.cell.store.opt.Seal.Open(place, all[i].sealed)
		if wrong != nil {
			lost++
			continue
		}
		sealed, failed := tx.Seal(table, column, all[i].id, open)
		if err = failed; err == nil {
			_, err = tx.Exec(`-- db.Reseal
				update `+table+` set `+column+` = :sealed where company = :company and id = :id`,
				Args{"id": all[i].id, "sealed": sealed})
		}
	}
	return lost, err
}

func (tx *Tx) place(table, column, row string) seal.Place {
	return seal.Place{Company: tx.Company, Table: table, Column: column, Row: row}
}

// Prove makes a proof that a message was made by this installation, for a purpose. See seal.Ring.Proves.
func (tx *Tx) Prove(purpose string, message []byte) ([]byte, error) {
	return tx.cell.store.opt.Seal.Prove(purpose, message)
}

// Token makes a token of a record of the company, for a purpose. See seal.Ring.Opened.
func (tx *Tx) Token(purpose, id string, tail []byte) (string, error) {
	return tx.cell.store.opt.Seal.Token(purpose, tx.Company, id, tail)
}
