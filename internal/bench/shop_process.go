package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kontor/internal/foundation/record"
)

// edited is how often it is measured when an edited product is found.
const edited = 20

// edits measures when a changed product is found under its new name, where it was changed and on another node.
func (s *selling) edits(ctx context.Context) error {
	err := s.row(ctx, "edit", "", func(ctx context.Context) (Row, error) {
		return s.measureEdit(ctx, s.site.url, "an edited product is found, the longest of 20", 1_000)
	})
	if err != nil || !s.wants("edit") {
		return err
	}
	switch {
	case s.place.DatabaseURL == "":
		s.omit("an edited product on another node: files have one")
		return nil
	case s.Program == "":
		s.omit("an edited product on another node: needs a process of its own")
		return nil
	}
	place := s.place
	dir, err := os.MkdirTemp("", "kontor-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	place.Data = filepath.Join(dir, "data") // its key lies beside it
	c, url, err := serve(ctx, s.Program, place)
	if err != nil {
		return err
	}
	if _, err = s.searchable(ctx, url, nil); err == nil {
		err = s.row(ctx, "edit", "on another node", func(ctx context.Context) (Row, error) {
			return s.measureEdit(ctx, url, "the same on another node", 2_000)
		})
	}
	return errors.Join(err, c.end())
}

// measureEdit changes products here and looks for them at url.
func (s *selling) measureEdit(ctx context.Context, url, name string, most float64) (Row, error) {
	t, err := newTarget(s.site.url, s.firm.key)
	if err != nil {
		return Row{}, err
	}
	office, err := t.dial()
	if err != nil {
		return Row{}, err
	}
	defer office.close()
	v, err := s.visitor(url)
	if err != nil {
		return Row{}, err
	}
	defer v.close()
	var took []float64
	for n := range edited {
		id := strings.ReplaceAll(record.NewID(), "-", "")
		word := "zz" + id[len(id)-12:]
		item := itemNumber(n * (s.Items / edited))
		if err := office.change("/preview/items/"+item, `{"description":"`+word+`"}`); err != nil {
			return Row{}, err
		}
		start := time.Now()
		if err := v.find(ctx, word, item); err != nil {
			return Row{}, err
		}
		took = append(took, time.Since(start).Seconds()*1000)
	}
	r := Row{Work: name, Unit: "ms", Value: quantile(took, 1), P50: median(took), P99: quantile(took, 0.99)}
	below(most).judge(&r)
	return r, nil
}

// find searches until an item is found by a word.
func (v *visitor) find(ctx context.Context, word, item string) error {
	for start := time.Now(); time.Since(start) < patience; {
		a, err := v.read("/ecom/catalog/search?pageSize=5&q=" + word)
		if err != nil {
			return err
		}
		if strings.Contains(string(a.body), `"`+item+`"`) {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
	return fmt.Errorf("bench: %s was changed, and is not found by %q after %s", item, word, patience)
}

// apart measures what needs a process of its own: memory, the feed, and the making of the index and its opening by
// another.
func (s *selling) apart(ctx context.Context) error {
	if !s.wants("memory") && !s.wants("index") && !s.wants("feed") {
		return nil
	}
	if s.Program == "" {
		s.omit("memory, feed and index: need a process of their own")
		return nil
	}
	err := s.site.close(ctx) // the processes want the data to themselves
	s.site = nil
	if err != nil {
		return err
	}
	if err := s.rows(ctx, "memory", "", s.measureMemory); err != nil {
		return err
	}
	if err := s.rows(ctx, "feed", "", s.measureFeed); err != nil {
		return err
	}
	if err := s.rows(ctx, "index", "from nothing", s.measureIndex); err != nil {
		return err
	}
	return s.row(ctx, "index", "kept", s.measureOpening)
}

// measureIndex measures how long a server cannot search that has no index, with its greatest memory until then. What
// else it is asked it must answer, and tell that it is not whole.
func (s *selling) measureIndex(ctx context.Context) ([]Row, error) {
	if err := os.RemoveAll(filepath.Join(s.place.Data, "search")); err != nil {
		return nil, err
	}
	c, url, err := serve(ctx, s.Program, s.place)
	if err != nil {
		return nil, err
	}
	var pages []float64
	said := 0
	took, err := s.searchable(ctx, url, func(v *visitor) error {
		start := time.Now()
		_, err := v.read("/ecom/catalog/products/" + productSlug(len(pages)*37%s.Items))
		pages = append(pages, time.Since(start).Seconds()*1000)
		if err != nil {
			return err
		}
		a, err := v.read("/readyz")
		if err == nil && strings.Contains(string(a.body), "being built") {
			said++
		}
		return err
	})
	memory := c.memory("VmHWM")
	if err := errors.Join(err, c.end()); err != nil {
		return nil, err
	}
	made := Row{Work: fmt.Sprintf("index of %d products from nothing", s.Items), Unit: "s", Value: took.Seconds(),
		Note: fmt.Sprintf(
			"meanwhile %d product pages were answered, in %.1f ms at the median and %.1f at most, and /readyz said %d times that an index is built",
			len(pages), median(pages), quantile(pages, 1), said)}
	below(20).judge(&made)
	if len(pages) > 0 && said == 0 {
		return nil, errors.New("bench: /readyz does not say that the index is being built")
	}
	most := Row{Work: "the server's memory at its peak until then", Unit: "MB", Value: memory}
	if memory > 0 {
		below(300).judge(&most)
	}
	return []Row{made, most}, nil
}

// measureOpening measures how long a server needs to search that has an index.
func (s *selling) measureOpening(ctx context.Context) (Row, error) {
	var took []float64
	for range starts {
		c, url, err := serve(ctx, s.Program, s.place)
		if err != nil {
			return Row{}, err
		}
		t, err := s.searchable(ctx, url, nil)
		if err := errors.Join(err, c.end()); err != nil {
			return Row{}, err
		}
		took = append(took, t.Seconds()*1000)
	}
	return timed(fmt.Sprintf("first search in a kept index of %d products", s.Items), took, "", nil, below(1_000)), nil
}
