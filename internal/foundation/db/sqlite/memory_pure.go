//go:build !cgo

package sqlite

// giveBack has nothing to do: the memory is Go's own.
func giveBack() {}
