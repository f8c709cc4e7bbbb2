//go:build unix

package bench

import "syscall"

// cpuTime is what this process, clients and servers together, has computed so far, in microseconds. Unlike the clock it
// does not count what others on a shared machine do meanwhile.
func cpuTime() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Sec+u.Stime.Sec)*1e6 + float64(u.Utime.Usec+u.Stime.Usec)
}
