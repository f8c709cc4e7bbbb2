//go:build unix

package datadir

import "syscall"

// KeepPrivate makes every file and folder that this process makes from now on its user's alone, whoever makes it: the
// database engines, the backups, the search indexes.
func KeepPrivate() { syscall.Umask(0o077) }
