package bench

// stopped is why a measurement came to no end.
type stopped struct{ why error }

// A measurement is a long way of steps of which none may fail: what goes wrong on it stops it where it is, and told,
// which runs it, answers why. So what is measured can be read without what might happen to it.

// must is a value that was to be had, or the end of the measurement.
func must[T any](v T, err error) T {
	stop(err)
	return v
}

// stop ends the measurement where something went wrong.
func stop(err error) {
	if err != nil {
		panic(stopped{err})
	}
}

// told is why what do measures was stopped; nil where it was not.
func told(do func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case stopped:
			err = p.why
		default:
			panic(p)
		}
	}()
	do()
	return nil
}
