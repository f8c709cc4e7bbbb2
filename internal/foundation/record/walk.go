package record

// walk is how far a list is walked.
type walk struct {
	began bool
	read  int   // rows of the latest page
	after []any // the key of the latest row
}

// Walk hands out a list from one end to the other, a page of p's size at a time, until one is the last or take fails. A
// page begins behind the last key of the one before it, whatever is remembered of the list, and is not counted: the
// thousandth costs what the first does. It belongs into one transaction.
func Walk[T any](p Page, list func(Page) (Found[T], error), take func([]T) error) error {
	p.walk = &walk{}
	for p.Number = 1; ; p.Number++ {
		found, err := list(p)
		if err == nil {
			err = take(found.Items)
		}
		if err != nil {
			return err
		}
		last := p.Number*p.Size >= found.Total // of a list that is no Query
		if p.walk.began {
			last = p.walk.read < p.Size
		}
		if last || len(found.Items) == 0 {
			return nil
		}
	}
}
