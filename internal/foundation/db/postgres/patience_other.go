//go:build !linux

package postgres

import "syscall"

// patience is the system's own where it cannot be said.
func patience(_, _ string, _ syscall.RawConn) error { return nil }
