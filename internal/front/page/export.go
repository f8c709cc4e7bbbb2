package page

import (
	"errors"
	"io"
	"path"

	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/table"
)

// mostExported bounds the rows of an export: more is for the command line or the API.
const mostExported = 100_000

// exportMedia are the types of the tables that a list can be exported as.
var exportMedia = map[string]string{"csv": "text/csv; charset=utf-8",
	"xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}

// ExportMedia is the type of a table of a format.
func ExportMedia(format string) string { return exportMedia[format] }

// export sends the whole list, as it is narrowed, as a table. One of any length takes no more memory than a page.
func (l *anyList) export(x *exchange, q Query, format string) error {
	name := path.Base(l.Path) + "." + format
	q.Page.Size = 200
	return x.send(l.Where, exportMedia[format], func(c *Ctx, to io.Writer) (string, error) {
		columns := each.Of(l.heads, func(c Column) string { return x.t.say(c.Label) })
		out, err := table.Write(to, name, columns, table.Options{})
		if err != nil {
			return "", err
		}
		written, cells, q := 0, make([]table.Cell, len(l.heads)), q
		err = record.Walk(q.Page, func(p record.Page) (record.Found[any], error) {
			q.Page = p
			return l.Find(c, q)
		}, func(items []any) error {
			for _, item := range items {
				for i, col := range l.Columns(item) {
					cells[i] = col.Value.cell(x.t)
				}
				if err := out.Cells(cells...); err != nil {
					return err
				}
			}
			if written += len(items); written >= mostExported {
				return io.EOF
			}
			return nil
		})
		if err == io.EOF {
			err = nil
		}
		return name, errors.Join(err, out.Close())
	})
}
