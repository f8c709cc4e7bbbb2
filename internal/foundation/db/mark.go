package db

import (
	"context"
	"database/sql"
	"hash/crc32"
	"io"
)

// markOf is a word for all steps of a schema, above 0: a file that bears it needs not be asked which steps it has.
func markOf(schema Schema) int32 {
	sum := crc32.NewIEEE()
	for _, name := range Steps(schema) {
		io.WriteString(sum, name+"\n")
	}
	return int32(max(1, sum.Sum32()>>1))
}

// markNewest writes the mark into a file that has all steps.
func markNewest(ctx context.Context, e *Engine, d *sql.DB, schema Schema, have Progress) error {
	if e.SetMark == nil || len(have.Pending) > 0 {
		return nil
	}
	c, err := d.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if is, err := isMarked(ctx, e, c, schema); err != nil || is {
		return err
	}
	return e.SetMark(ctx, c, markOf(schema))
}

func isMarked(ctx context.Context, e *Engine, c *sql.Conn, schema Schema) (bool, error) {
	mark, err := e.Marked(ctx, c)
	return mark == markOf(schema), err
}

func fileIsMarked(ctx context.Context, e *Engine, target string, schema Schema) (bool, error) {
	d, err := e.Open(target, ForReading)
	if err != nil {
		return false, err
	}
	defer d.Close()
	c, err := d.Conn(ctx)
	if err != nil {
		return false, err
	}
	defer c.Close()
	return isMarked(ctx, e, c, schema)
}
