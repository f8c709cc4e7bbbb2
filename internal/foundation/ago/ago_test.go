package ago

import (
	"testing"
	"time"
)

// What is noted is told as it was, and goes on counting beside the wall's clock.
func TestMoment(t *testing.T) {
	var m Moment
	if !m.Time().IsZero() {
		t.Errorf("never is %s", m.Time())
	}
	first := time.Now()
	m.SetFirst(first)
	m.SetFirst(first.Add(time.Hour))
	if got := m.Time(); !got.Equal(first) {
		t.Errorf("%s was noted as %s", first, got)
	}
	// A time without Go's own reading is compared by the wall's clock alone.
	if got := m.Time(); got == got.Round(0) {
		t.Errorf("%s has lost what the process counts by", got)
	}
	m.Set(first.Add(-time.Hour))
	if got := first.Sub(m.Time()); got != time.Hour {
		t.Errorf("an hour ago is %s", got)
	}
	m.Forget()
	if !m.Time().IsZero() {
		t.Errorf("what was forgotten is %s", m.Time())
	}
}
