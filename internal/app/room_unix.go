//go:build unix

package app

import "syscall"

// openFilesLimit is how many files this process may open. Go has raised it to what the system allows.
func openFilesLimit() int {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l); err != nil {
		return leastFiles
	}
	return int(min(l.Cur, 1<<20))
}
