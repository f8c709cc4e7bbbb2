package dbtest

import (
	"strings"
	"sync"
)

// Log is what a process says, to be read while it runs. The zero Log is empty.
type Log struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write takes down what is said.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// String is all that was said.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
