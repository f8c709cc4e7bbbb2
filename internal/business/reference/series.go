package reference

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/number"
	"kontor/internal/foundation/record"
)

// ErrSeriesNotFound refuses a series that there is none of.
var ErrSeriesNotFound = fault.New(fault.NotFound, "NumberSeries.NotFound")

// biggestNumber leaves a series room for as many documents as a company will ever have.
const biggestNumber = 1_000_000_000_000

// FindSeries is a series of business numbers. NumberSeries.NotFound.
func FindSeries(tx *db.Tx, name string) (number.Series, error) {
	all, err := number.All(tx)
	if err != nil {
		return number.Series{}, err
	}
	i := slices.IndexFunc(all, func(s number.Series) bool { return s.Name == name })
	if i < 0 {
		return number.Series{}, ErrSeriesNotFound.Because("there is no number series %q", name)
	}
	return all[i], nil
}

// SaveSeries sets how the numbers of a series look and which comes next; the change stands in the history of the
// company's settings. NumberSeries.NotFound; Request.Invalid for a series that would go back over numbers that are
// taken.
func SaveSeries(tx *db.Tx, s number.Series) error {
	before, err := FindSeries(tx, s.Name)
	if err != nil {
		return err
	}
	if err := checkSeries(&s, before); err != nil || s == before {
		return err
	}
	d, err := readDefaults(tx, db.ForUpdate)
	if err != nil {
		return err
	}
	detail := map[string][2]any{"series " + s.Name: {shownSeries(before), shownSeries(s)}}
	if d.ID == "" {
		d.Root, d.AllowSkipPack, d.AllowSkipBook = record.New(tx), true, true // as the table has it
		if err = settings.Created(tx, d.Root, "defaults", d); err == nil {
			err = writeDefaults(tx, d)
		}
	}
	if err == nil {
		err = settings.Touched(tx, &d.Root, "defaults", "changed", detail)
	}
	if err == nil {
		err = record.BumpEpoch(tx)
	}
	if err != nil {
		return err
	}
	written, err := number.Set(tx, s)
	if err == nil && !written {
		err = fault.ErrInvalid.At("next", goesBack, before.Next) // one was drawn meanwhile
	}
	return err
}

// shownSeries is a series as the log shows it.
func shownSeries(s number.Series) string {
	return fmt.Sprintf("prefix %q, next %d, width %d", s.Prefix, s.Next, s.Width)
}

const goesBack = "must not be below %d while the prefix stays: the numbers before it are taken"

func checkSeries(s *number.Series, before number.Series) error {
	var l fault.List
	s.Prefix = strings.TrimSpace(s.Prefix)
	bad := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r)
	}
	l.If(len(s.Prefix) > 20 || strings.ContainsFunc(s.Prefix, bad), fault.ErrInvalid, "prefix",
		"must be at most 20 letters, digits, hyphens, underscores and full stops")
	l.If(s.Next < 1 || s.Next > biggestNumber, fault.ErrInvalid, "next", "must be from 1 to %d", int64(biggestNumber))
	l.If(s.Next > 0 && s.Next < before.Next && s.Prefix == before.Prefix, fault.ErrInvalid, "next", goesBack,
		before.Next)
	l.If(s.Width < 0 || s.Width > 12, fault.ErrInvalid, "width", "must be from 0 to 12 digits")
	return l.Err()
}
