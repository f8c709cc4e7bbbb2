package postgres

import (
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// patience bounds how long what was sent may stay unacknowledged: without it a cut network is noticed after a quarter
// of an hour.
func patience(network, _ string, c syscall.RawConn) error {
	if !strings.HasPrefix(network, "tcp") {
		return nil
	}
	var failed error
	if err := c.Control(func(fd uintptr) {
		failed = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, 10_000)
	}); err != nil {
		return err
	}
	return failed
}
