package db

import "kontor/internal/foundation/seal"

// Seal makes a secret unreadable without the installation's key, at a place of this transaction's company.
func (tx *Tx) Seal(table, column, row, plain string) (string, error) {
	return tx.cell.store.opt.Seal.Seal(tx.place(table, column, row), plain)
}

// Unseal reads what Seal wrote, or a secret from before there was a key.
func (tx *Tx) Unseal(table, column, row, text string) (string, error) {
	return tx.cell.store.opt.Seal.Open(tx.place(table, column, row), text)
}

// UnsealOf is Unseal for a value that was copied from another company.
func (tx *Tx) UnsealOf(company, table, column, row, text string) (string, error) {
	return tx.cell.store.opt.Seal.Open(seal.Place{Company: company, Table: table, Column: column, Row: row}, text)
}

// SealedNow reports whether a text is empty or sealed with the key that seals at present.
func (tx *Tx) SealedNow(text string) bool {
	return text == "" || seal.KeyOf(text) == tx.cell.store.opt.Seal.Current()
}

func (tx *Tx) place(table, column, row string) seal.Place {
	return seal.Place{Company: tx.Company, Table: table, Column: column, Row: row}
}

// Prove makes a proof that a message was made by this installation, for a purpose. See seal.Ring.Proves.
func (tx *Tx) Prove(purpose string, message []byte) ([]byte, error) {
	return tx.cell.store.opt.Seal.Prove(purpose, message)
}
