package search

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"

	"kontor/internal/foundation/durable"
)

// ErrRebuild is why Open refuses a folder: there is no index in it, or one of another version or language, or a damaged
// one.
// The index is derived from other data: make it anew.
var ErrRebuild = errors.New("the search index must be built anew")

// format is raised with every change of what is kept or of how text is cut into words.
const format = 6

// codec reads or writes the parts of a segment in their order: the same walk for both, so that they cannot differ.
type codec struct {
	writing bool
	buffer  []byte
	damaged bool
	file    *sealed // where a long buffer goes while writing; nil = nowhere, all stays in it
}

// spill passes on what was written, when it is much or must go.
func (c *codec) spill(must bool) {
	if c.file != nil && (must || len(c.buffer) >= 1<<20) {
		c.file.write(c.buffer)
		c.buffer = c.buffer[:0]
	}
}

// segment walks the parts.
func (c *codec) segment(g *segment) {
	c.table(&g.words)
	c.lists(&g.postings)
	numbers(c, &g.endings)
	c.table(&g.stems)
	c.lists(&g.stemmed)
	numbers(c, &g.closings)
	c.lists(&g.bodies)
	c.texts(&g.ids)
	numbers(c, &g.popularity)
	c.raw(&g.inStock)
	numbers(c, &g.opens)
	numbers(c, &g.closes)
	c.table(&g.values)
	c.table(&g.labels)
	c.lists(&g.rows)
	several(c, &g.members, c.raw)
	c.table(&g.amountNames)
	several(c, &g.amounts, func(a *column[int64]) { numbers(c, &a.has); numbers(c, &a.values) })
	c.table(&g.keyNames)
	several(c, &g.keys, c.table)
}

// several passes a list of parts.
func several[T any](c *codec, list *[]T, part func(*T)) {
	n := c.count(len(*list))
	if !c.writing {
		*list = make([]T, n)
	}
	for i := range *list {
		part(&(*list)[i])
	}
}

// count passes a number of things; a file that promises more than it holds is damaged.
func (c *codec) count(n int) int {
	if c.writing {
		c.buffer = binary.LittleEndian.AppendUint64(c.buffer, uint64(n))
		return n
	}
	if len(c.buffer) < 8 || binary.LittleEndian.Uint64(c.buffer) > uint64(len(c.buffer)) {
		c.damaged, c.buffer = true, nil
		return 0
	}
	n = int(binary.LittleEndian.Uint64(c.buffer))
	c.buffer = c.buffer[8:]
	return n
}

// piece is the next bytes of a file.
func (c *codec) piece(n int) []byte {
	if n > len(c.buffer) {
		c.damaged, c.buffer = true, nil
		return nil
	}
	b := c.buffer[:n:n]
	c.buffer = c.buffer[n:]
	return b
}

func (c *codec) raw(b *[]byte) {
	n := c.count(len(*b))
	if c.writing {
		for some := range slices.Chunk(*b, 1<<20) {
			c.buffer = append(c.buffer, some...)
			c.spill(false)
		}
		return
	}
	*b = c.piece(n)
}

// numbers passes numbers of one size.
func numbers[S ~[]T, T uint32 | int64 | uint64](c *codec, s *S) {
	n, size := c.count(len(*s)), binary.Size(T(0))
	if c.writing {
		for some := range slices.Chunk([]T(*s), 1<<16) {
			c.buffer, _ = binary.Append(c.buffer, binary.LittleEndian, some) // numbers always have a form
			c.spill(false)
		}
		return
	}
	b := c.piece(size * n)
	if len(b) == 0 {
		return // none stays nil: that is how a segment says so
	}
	*s = make(S, len(b)/size)
	_, _ = binary.Decode(b, binary.LittleEndian, []T(*s)) // there are as many bytes as they take
}

func (c *codec) texts(t *texts) {
	numbers(c, &t.offsets)
	n := c.count(len(t.joined))
	if c.writing {
		c.buffer = append(c.buffer, t.joined...)
		c.spill(false)
		return
	}
	t.joined = string(c.piece(n))
}

func (c *codec) table(t *table) { c.lists(&t.lists) }
func (c *codec) lists(l *lists) { numbers(c, &l.offsets); c.raw(&l.bytes) }

// A file is a mark, the format, the checksum of what follows, and that.
const (
	fileMark   = "KSIX"
	fileHeader = len(fileMark) + 4 + 4
)

// castagnoli is a checksum, going on from that of what stands before.
func castagnoli(sum uint32, b []byte) uint32 {
	return crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), b)
}

// header is what stands before a body with a checksum.
func header(sum uint32) []byte {
	h := append(make([]byte, 0, fileHeader), fileMark...)
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(h, format), sum)
}

// unseal is the body of a file, if it is whole and ours.
func unseal(name string) ([]byte, error) {
	file, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRebuild, err)
	}
	switch {
	case len(file) < fileHeader || string(file[:4]) != fileMark:
		return nil, fmt.Errorf("%w: %s is no search index", ErrRebuild, name)
	case binary.LittleEndian.Uint32(file[4:]) != format:
		return nil, fmt.Errorf("%w: %s was written by another version", ErrRebuild, name)
	case binary.LittleEndian.Uint32(file[8:]) != castagnoli(0, file[fileHeader:]):
		return nil, fmt.Errorf("%w: %s is damaged", ErrRebuild, name)
	}
	return file[fileHeader:], nil
}

// sealed is a file that is being written piece by piece.
type sealed struct {
	file *os.File
	sum  uint32
	err  error
}

func (s *sealed) write(b []byte) {
	if s.err == nil {
		s.sum = castagnoli(s.sum, b)
		_, s.err = s.file.Write(b)
	}
}

// keep writes a file so that it is there whole or not at all. The walk writes the body.
func keep(name string, walk func(c *codec)) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), ".new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = f.Write(header(0))
	out := &sealed{file: f, err: err}
	c := codec{writing: true, file: out}
	walk(&c)
	c.spill(true)
	_, err = f.WriteAt(header(out.sum), 0)
	if err = errors.Join(out.err, err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return durable.Rename(f.Name(), name)
}

func readSegment(name string) (*segment, error) {
	body, err := unseal(name)
	if err != nil {
		return nil, err
	}
	c, g := codec{buffer: body}, &segment{}
	c.segment(g)
	if c.damaged || len(c.buffer) > 0 {
		return nil, fmt.Errorf("%w: %s does not hold what it promises", ErrRebuild, name)
	}
	if err := g.load(); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrRebuild, name, err)
	}
	return g, nil
}
