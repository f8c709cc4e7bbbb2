package page

import (
	"io"
	"net/http"
	"path"

	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/table"
)

// mostExported bounds the rows of an export: more is for the command line or the API.
const mostExported = 100_000

// export writes the whole list, as it is narrowed, as a table. It begins to send with the first page read, so a list of
// any length takes no more memory than a page; what fails after that cuts the answer off, which the browser tells.
func (l *anyList) export(x *exchange, q Query, format string) error {
	name := path.Base(l.Path) + "." + format
	q.Page.Size = 200
	return x.read(l.Where, func(c *Ctx) error {
		var out *table.Writer
		sent, cells := 0, make([]table.Cell, len(l.heads))
		err := record.Walk(q.Page, func(p record.Page) (record.Found[any], error) {
			q.Page = p
			return l.Find(c, q)
		}, func(items []any) (err error) {
			if out == nil {
				if out, err = l.begin(x, name, format); err != nil {
					return err
				}
			}
			for _, item := range items {
				for i, col := range l.Columns(item) {
					cells[i] = col.Value.cell(x.t)
				}
				if out.Cells(cells...) != nil {
					return io.EOF // the browser went away: no more is wanted
				}
			}
			if sent += len(items); sent >= mostExported {
				return io.EOF
			}
			return nil
		})
		switch {
		case err == nil, err == io.EOF:
			out.Close()
			return nil
		case out != nil:
			panic(http.ErrAbortHandler)
		}
		return err
	})
}

func (l *anyList) begin(x *exchange, name, format string) (*table.Writer, error) {
	media := map[string]string{"csv": "text/csv; charset=utf-8",
		"xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}
	h := x.w.Header()
	h.Set("Content-Type", media[format])
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	columns := each.Of(l.heads, func(c Column) string { return x.t.say(c.Label) })
	return table.Write(io.Writer(x.w), name, columns, table.Options{})
}
