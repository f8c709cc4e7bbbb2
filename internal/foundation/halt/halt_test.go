package halt_test

import (
	"errors"
	"strconv"
	"testing"

	"kontor/internal/foundation/halt"
)

func TestHalt(t *testing.T) {
	n := 0
	if err := halt.Told(func() { n = halt.Must(strconv.Atoi("7")) }); err != nil || n != 7 {
		t.Errorf("%d, %v", n, err)
	}
	broken, closed := errors.New("broken"), false
	err := halt.Told(func() {
		defer func() { closed = true }()
		halt.On(broken)
		n = 8
	})
	if !errors.Is(err, broken) || n != 7 || !closed {
		t.Errorf("%v, %d, closed %t", err, n, closed)
	}
	defer func() {
		if p := recover(); p != "a fault" {
			t.Errorf("%v", p)
		}
	}()
	t.Error(halt.Told(func() { panic("a fault") }))
}
