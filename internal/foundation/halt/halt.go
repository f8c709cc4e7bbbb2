// Package halt is for a long way of steps of which none may fail, such as a measurement or the filling of a company:
// what goes wrong on it ends it where it is, and who walks it is told why. So the way can be read without what might
// happen to it. It is for tools alone: what serves people hands its errors on.
package halt

// halted is why a way came to no end.
type halted struct{ why error }

// Must is a value that was to be had, or the end of the way.
func Must[T any](v T, err error) T {
	On(err)
	return v
}

// On ends the way where something went wrong.
func On(err error) {
	if err != nil {
		panic(halted{err})
	}
}

// Told is why the way that do walks ended before its time; nil where it did not.
func Told(do func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case halted:
			err = p.why
		default:
			panic(p)
		}
	}()
	do()
	return nil
}
