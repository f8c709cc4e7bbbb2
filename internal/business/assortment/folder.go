package assortment

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/durable"
	"kontor/internal/foundation/search"
)

// place is the folder of a language's index.
func (s *StoreIndex) place(language string) string {
	if s.folder == "" {
		return ""
	}
	return filepath.Join(s.folder, language)
}

const standFile = "stand.json"

// open is the edition that is kept in the folder; nil where there is none that can be used. The caller feeds alone.
func (s *StoreIndex) open(tx *db.Tx, c channel.Channel) (*edition, error) {
	if s.folder == "" || s.isUnfit {
		return nil, nil
	}
	e, err := s.kept(tx, c)
	s.isKept = e != nil
	s.isUnfit = e == nil && err == nil // it is not tried again with every request until another is made
	return e, err
}

// kept reads the folder.
func (s *StoreIndex) kept(tx *db.Tx, c channel.Channel) (*edition, error) {
	data, err := os.ReadFile(filepath.Join(s.folder, standFile))
	if err != nil {
		return nil, nil // none was kept, or it cannot be read: it is made anew
	}
	e := newEdition(tx, c)
	kept := stand{}
	present, err := dataOf(tx)
	if err != nil {
		return nil, err
	}
	if json.Unmarshal(data, &kept) != nil || kept.Documents != generation || kept.Generation != present {
		return nil, nil
	}
	for _, l := range e.languages {
		x, err := search.Open(s.place(l), l)
		if err != nil || x.Cursor() == 0 {
			return nil, nil // damaged, or of another making
		}
		e.indexes[l] = x
	}
	e.popularity = e.indexes[e.languages[0]].Popularity() // with which the documents were made, not that of today
	e.stand = kept
	s.again.Set(time.Now()) // something else may be popular by now
	return e, e.words(tx, c)
}

// Save keeps what is new in the folder.
func (s *StoreIndex) Save() error {
	s.feed.Lock()
	defer s.feed.Unlock()
	e := s.now.Load()
	if e == nil || !s.unsaved.Swap(false) {
		return nil
	}
	return s.save(e)
}

// save keeps the indexes, then what they rest on: when it is interrupted, the older stand makes the documents that
// depend on it be read again.
func (s *StoreIndex) save(e *edition) error {
	if s.folder == "" {
		return nil
	}
	var errs []error
	for _, x := range e.indexes {
		errs = append(errs, x.Save())
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	text, err := json.Marshal(e.stand)
	if err != nil {
		return err
	}
	temporary := filepath.Join(s.folder, standFile+".new")
	if err := os.WriteFile(temporary, text, 0o600); err != nil {
		return err
	}
	s.unsaved.Store(false)
	s.isKept = true
	return durable.Rename(temporary, filepath.Join(s.folder, standFile))
}

// Close keeps the store index and gives its memory back once nobody searches it any more. Another may then be made of
// its folder.
func (s *StoreIndex) Close() error {
	s.feed.Lock()
	defer s.feed.Unlock()
	s.isClosed = true
	e := s.now.Swap(nil)
	if e == nil {
		return nil
	}
	var errs []error
	if s.unsaved.Swap(false) {
		errs = append(errs, s.save(e))
	}
	for _, x := range e.indexes {
		errs = append(errs, x.Close())
	}
	return errors.Join(errs...)
}
