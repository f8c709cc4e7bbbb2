package search

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const manifestName = "manifest"

func segmentName(serial uint64) string { return fmt.Sprintf("%016x.segment", serial) }

// Save keeps the index of this moment in its folder, writing only segments that are not there yet. A crash on the way
// leaves what was kept before.
func (x *Index) Save() error {
	if x.folder == "" {
		return nil
	}
	x.saving.Lock()
	defer x.saving.Unlock()
	x.mu.Lock()
	s, cursor, next := x.now.Load(), x.cursor, x.next
	x.mu.Unlock()
	if err := os.MkdirAll(x.folder, 0o700); err != nil {
		return err
	}
	for _, v := range s.views {
		if x.kept[v.serial] {
			continue
		}
		if err := keep(filepath.Join(x.folder, segmentName(v.serial)), func(c *codec) {
			c.segment(v.segment)
		}); err != nil {
			return err
		}
		x.kept[v.serial] = true
	}
	m := manifest{language: []byte(x.lang.code), numbers: []int64{cursor, int64(next)}}
	for _, v := range s.views {
		m.serials = append(m.serials, int64(v.serial))
		m.dead = append(m.dead, v.dead)
	}
	if err := keep(filepath.Join(x.folder, manifestName), func(c *codec) { c.manifest(&m) }); err != nil {
		return err
	}
	return x.sweep(s)
}

// Close keeps the index and ends its merges. It must not be used afterwards.
func (x *Index) Close() error {
	x.feed.Lock() // for good
	x.merges.Wait()
	return x.Save()
}

// sweep removes the files of segments that are no longer part of the index, and what a crash left behind.
func (x *Index) sweep(s *snapshot) error {
	files, err := os.ReadDir(x.folder)
	if err != nil {
		return err
	}
	for _, f := range files {
		isOurs := strings.HasSuffix(f.Name(), ".segment") || strings.HasPrefix(f.Name(), ".new-")
		if !isOurs || slices.ContainsFunc(s.views, func(v view) bool { return segmentName(v.serial) == f.Name() }) {
			continue
		}
		err = errors.Join(err, os.Remove(filepath.Join(x.folder, f.Name())))
	}
	for serial := range x.kept {
		if !slices.ContainsFunc(s.views, func(v view) bool { return v.serial == serial }) {
			delete(x.kept, serial)
		}
	}
	return err
}

// Open reads the index of a folder. An error that is ErrRebuild says that there is none that fits: make a New one.
func Open(folder, language string) (*Index, error) {
	body, err := unseal(filepath.Join(folder, manifestName))
	if err != nil {
		return nil, err
	}
	c, m := codec{buffer: body}, manifest{}
	c.manifest(&m)
	x := New(folder, language)
	switch {
	case c.damaged || len(m.numbers) != 2 || len(m.dead) != len(m.serials):
		return nil, fmt.Errorf("%w: the manifest in %s is damaged", ErrRebuild, folder)
	case string(m.language) != x.lang.code:
		return nil, fmt.Errorf("%w: the index in %s is of the language %q", ErrRebuild, folder, m.language)
	}
	x.cursor, x.next = m.numbers[0], uint64(m.numbers[1])
	s := x.draft()
	for i, serial := range m.serials {
		v, err := x.reopen(&s.book, uint64(serial), m.dead[i])
		if err != nil {
			return nil, err
		}
		s.views = append(s.views, v)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.publish(s)
	return x, nil
}

// reopen reads one segment.
func (x *Index) reopen(b *book, serial uint64, dead set) (view, error) {
	g, err := readSegment(filepath.Join(x.folder, segmentName(serial)))
	if err != nil {
		return view{}, err
	}
	if dead != nil && len(dead) != len(setOf(g.size())) {
		return view{}, fmt.Errorf("%w: the manifest in %s does not fit its segments", ErrRebuild, x.folder)
	}
	v := view{segment: g, serial: serial, dead: dead}
	var living set // nil where all documents live
	if dead != nil {
		living = g.valuesBut(dead)
	}
	v.numbers = x.enter(b, g, func(value uint32) bool { return living == nil || living.has(value) })
	for d := range g.size() {
		if !dead.has(d) {
			x.places[g.ids.text(d)] = place{serial, d}
			v.alive++
		}
	}
	x.kept[serial] = true
	return v, nil
}

// valuesBut are the values that documents which are not dead have. What only the dead were labelled with is old.
func (g *segment) valuesBut(dead set) set {
	used := setOf(uint32(g.values.len()))
	for d := range g.size() {
		if !dead.has(d) {
			g.eachValue(d, used.add)
		}
	}
	return used
}

// manifest is which segments are the index, who is dead in them, and how far the changes are in it.
type manifest struct {
	language []byte
	numbers  []int64 // cursor, next serial
	serials  []int64
	dead     []set
}

func (c *codec) manifest(m *manifest) {
	c.raw(&m.language)
	numbers(c, &m.numbers)
	numbers(c, &m.serials)
	several(c, &m.dead, func(s *set) { numbers(c, s) })
}
