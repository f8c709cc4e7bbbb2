package backoffice

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/imports"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// Tables are what the office needs to know of the tables that can be imported.
type Tables interface {
	// Kinds are what their rows may be.
	Kinds() []string
	// Targets are what the columns of a kind may hold.
	Targets(kind string) []string
	// Look reads how a table begins.
	Look(r imports.Run, file []byte) (Beginning, error)
	// Write writes all rows of a kind, in columns that an import takes as they are. The name tells the format.
	Write(tx *db.Tx, kind string, out io.Writer, name string) error
}

// Beginning is how a table begins.
type Beginning struct {
	Columns []string
	First   []string          // values of the first row
	Taken   map[string]string // target -> column, as they are recognised
}

// mayImport is the permission to import rows of a kind.
func mayImport(kind string) string {
	switch kind {
	case "items", "attributes", "boms":
		return "items:write"
	case "supplier-items":
		return "suppliers:write"
	case "stock":
		return "inventory:write"
	case "synonyms":
		return "channels:write"
	case "help-articles":
		return "content-pages:write"
	case "tax-codes", "currency-rates", "warehouses":
		return "settings:write"
	}
	return kind + ":write"
}

// mayRead is the permission to have all rows of a kind.
func mayRead(kind string) string { return strings.TrimSuffix(mayImport(kind), "write") + "read" }

// wholeOf is where all rows of a kind are fetched.
func wholeOf(kind string) string { return "/exports/xlsx/" + kind }

// exports is where people fetch what an import takes as it is: to change it in a spreadsheet and hand it in again.
func (o Office) exports() page.Page {
	return page.Record[struct{}]{Path: "/exports", Title: "Export a table", Permission: "imports:read",
		Crumbs: crumb("Imports", "/imports"),
		Load:   func(*page.Ctx) (struct{}, error) { return struct{}{}, nil },
		Show: func(c *page.Ctx, _ struct{}) (page.Sheet, error) {
			grid := page.Grid{Title: "What there is", Heads: []string{"Rows are", "", ""}}
			for _, kind := range o.Tables.Kinds() {
				if c.May(mayRead(kind)) {
					row := []page.Value{page.Word(RowsAre(kind))}
					for _, format := range []string{"csv", "xlsx"} {
						row = append(row, page.To(strings.ToUpper(format), page.Path("exports", format, kind)))
					}
					grid.Rows = append(grid.Rows, row)
				}
			}
			return page.Sheet{Title: c.Say("Export a table"),
				Subtitle: c.Say("All rows, in columns that an import takes as they are."),
				Parts:    []page.Part{grid}}, nil
		}}
}

func (o Office) exported(format string) page.Page {
	return page.Download{Path: "/exports/" + format + "/{kind}", Permission: "imports:read",
		Media: page.ExportMedia(format), Make: func(c *page.Ctx, out io.Writer) (string, error) {
			kind := c.Path("kind")
			if !slices.Contains(o.Tables.Kinds(), kind) || !c.May(mayRead(kind)) {
				return "", imports.ErrNotFound.Because("there is nothing here to export")
			}
			name := kind + "." + format
			return name, o.Tables.Write(c.Tx, kind, out, name)
		}}
}

// importable are the kinds that the person may import.
func (o Office) importable(c *page.Ctx) []string {
	return slices.DeleteFunc(o.Tables.Kinds(), func(kind string) bool { return !c.May(mayImport(kind)) })
}

var importBadge = tones[imports.Status]{imports.Trying: page.Calm, imports.Tried: page.Warn,
	imports.Importing: page.Calm, imports.Imported: page.Good, imports.Failed: page.Bad}.badge

// imports are the pages on which people hand in tables, see what would become of them, and have them imported.
func (o Office) imports() []page.Page {
	return []page.Page{o.importList(), o.newImport(), o.importPage(), o.importColumns(), o.refusedRows(), o.exports(),
		o.exported("csv"), o.exported("xlsx")}
}

func (o Office) importList() page.Page {
	return page.List[imports.Run]{Path: "/imports", Title: "Imports", Permission: "imports:read", Menu: true,
		Search:  "File or who handed it in",
		Lead:    "Tables from a spreadsheet or another system. They are tried first, and nothing is changed until you say so.",
		Filters: []page.Filter{page.Choice("status", "Status", page.Options(imports.Status("").Values()))},
		Find: func(c *page.Ctx, q page.Query) (record.Found[imports.Run], error) {
			return imports.List(c.Tx, imports.Filter{Search: q.Search, Status: imports.Status(q.Get("status")),
				Kinds: o.importable(c)}, q.Page)
		},
		Href: func(r imports.Run) string { return page.Path("imports", r.ID) },
		New:  []page.Go{{Label: "Import a table", Path: "/new/imports"}, {Label: "Export a table", Path: "/exports"}},
		Columns: func(r imports.Run) []page.Column {
			return []page.Column{page.Col("File", page.T(r.FileName)),
				page.Col("Rows are", page.Word(RowsAre(r.Kind))), page.Col("Status", importBadge(r.Status)),
				page.Minor("Rows", page.Count(r.Report.Rows)),
				page.Minor("Refused", page.Count(r.Report.RefusedRows)),
				page.Minor("Handed in by", page.T(r.By)), page.Minor("Handed in", page.At(r.CreatedAt))}
		}}
}

// newTable is a table as the form asks for it.
type newTable struct {
	run  imports.Run
	file page.Upload
}

var encodings = []page.Option{{Value: "", Label: "UTF-8, as most programs write today"},
	{Value: "cp1252", Label: "Windows 1252, as older spreadsheets do"},
	{Value: "iso-8859-15", Label: "ISO 8859-15"}, {Value: "macintosh", Label: "Macintosh"}}

func (o Office) newImport() page.Page {
	return page.Form[newTable]{Path: "/new/imports", Title: "Import a table", Permission: "imports:write",
		Where: page.Outside, Settles: true, Submit: "Try it",
		Lead: "The first row names the columns. Rows that are there already are changed, new ones are made, and nothing is deleted.",
		Fields: func(c *page.Ctx, t *newTable) []page.Field {
			kinds := make([]page.Option, 0, 16)
			for _, k := range o.importable(c) {
				kinds = append(kinds, page.Option{Value: k, Label: RowsAre(k)})
			}
			return append([]page.Field{page.Select("kind", "Rows are", &t.run.Kind, kinds).Required(),
				page.File("file", "File", &t.file).Required().
					Hint("CSV, TSV, XLSX or NDJSON, at most 10 MB.")}, readAs(&t.run.Columns)...)
		},
		Save: page.Made(newTable{}, func(c *page.Ctx, t newTable) (page.Done, error) {
			t.run.FileName = t.file.Name
			if err := o.looked(c, t.run, t.file.Bytes); err != nil {
				return page.Done{}, err
			}
			var run imports.Run
			err := o.Store.Write(c.Context(), inCompany(c), func(tx *db.Tx) (err error) {
				run, err = imports.HandIn(tx, t.run, t.file.Bytes, c.Language())
				return err
			})
			return page.Went(page.Path("imports", run.ID), ""), err
		})}
}

// readAs asks how a table is written.
func readAs(c *imports.Columns) []page.Field {
	return []page.Field{page.Check("comma", "Numbers have a decimal comma", &c.DecimalComma),
		page.Select("encoding", "Letters are written as", &c.Encoding, encodings).
			Hint("Only where å, ä or é look wrong, and only for CSV and TSV.")}
}

// looked refuses what is no table, and rows that the person may not import. It takes its time with a large workbook, so
// nobody's transaction waits for it.
func (o Office) looked(c *page.Ctx, r imports.Run, file []byte) error {
	if !slices.Contains(o.importable(c), r.Kind) {
		return page.Refusal("kind", "your role may not change these")
	}
	if len(file) > imports.Largest {
		return page.Refusal("file", "is larger than 10 MB: hand it in in parts")
	}
	b, err := o.Tables.Look(r, file)
	if err != nil {
		return page.Refusal("file", "cannot be read as a table with the names of columns in its first row: %s",
			fault.As(err).Said())
	}
	if len(b.Columns) > imports.MostColumns {
		return page.Refusal("file", "it has more than %d columns: take out those that are not needed",
			imports.MostColumns)
	}
	return nil
}

// findImport finds a run whose rows the person may import.
func (o Office) findImport(c *page.Ctx) (imports.Run, error) { return importOf(c, c.Tx) }

func importOf(c *page.Ctx, tx *db.Tx) (imports.Run, error) {
	r, err := imports.Find(tx, c.Path("id"))
	if err == nil && !c.May(mayImport(r.Kind)) {
		err = imports.ErrNotFound.Because("there is no import %q", c.Path("id"))
	}
	return r, err
}

func (o Office) importPage() page.Page {
	may := allowed(imports.Moves, func(r imports.Run) imports.Status { return r.Status })
	did := func(say string, do func(tx *db.Tx, id, language string) (imports.Run, error)) func(*page.Ctx,
		imports.Run) (page.Done, error) {
		return func(c *page.Ctx, r imports.Run) (page.Done, error) {
			_, err := do(c.Tx, r.ID, c.Language())
			return page.Did(say), err
		}
	}
	return page.Record[imports.Run]{Path: "/imports/{id}", Permission: "imports:read", Resource: imports.Runs,
		Load: o.findImport, Show: o.showImport,
		Again: func(r imports.Run) bool { return r.Status == imports.Trying || r.Status == imports.Importing },
		Edit: func(_ *page.Ctx, r imports.Run) []page.Go {
			if !may("try")(r) {
				return nil
			}
			return []page.Go{{Label: "Choose columns", Path: page.Path("imports", r.ID, "columns")}}
		},
		Actions: []page.Action[imports.Run]{
			{Name: "import", Label: "Import", Tone: page.Primary,
				When: func(r imports.Run) bool { return may("import")(r) && changes(r) },
				Do:   did("The import has begun.", imports.Import)},
			{Name: "stop", Label: "Stop", Tone: page.Bad, When: may("stop"),
				Confirm: "What was imported already stays as it is.",
				Do:      did("Stopped.", func(tx *db.Tx, id, _ string) (imports.Run, error) { return imports.Stop(tx, id) })},
		}}
}

func (o Office) showImport(c *page.Ctx, r imports.Run) (page.Sheet, error) {
	s := page.Sheet{Title: r.FileName, Subtitle: c.Say(RowsAre(r.Kind)), Badges: []page.Value{importBadge(r.Status)},
		Parts: append([]page.Part{page.Noted("Why it failed", r.Failure)}, became(c, r)...),
		Side: []page.Part{page.Facts{Title: "File", Facts: []page.Fact{
			{Label: "Handed in by", Value: page.T(r.By)}, {Label: "Handed in", Value: page.At(r.CreatedAt)},
			{Label: "Ended", Value: page.At(r.EndedAt)}, {Label: "Size", Value: size(r.Size)},
			{Label: "Numbers have a decimal comma", Value: page.YesNo(r.Columns.DecimalComma)}}}}}
	file, err := imports.File(c.Tx, r.ID)
	if err != nil || file == nil {
		return s, err
	}
	b, err := o.Tables.Look(r, file)
	if err != nil {
		return s, nil // the failure says why
	}
	g := page.Grid{Title: "Columns", Heads: []string{"In the file", "Taken as", "First row"}}
	taken := takenBy(r, b)
	for i, name := range b.Columns {
		g.Rows = append(g.Rows, []page.Value{page.T(name), targetValue(taken[name]), page.T(first(b, i))})
	}
	s.Parts = append(s.Parts, g)
	return s, nil
}

// became is what would become of the rows, or became of them.
func became(c *page.Ctx, r imports.Run) []page.Part {
	switch {
	case r.Status == imports.Trying:
		return []page.Part{page.Note{Title: "Trying", Text: c.Say("The first rows are read and checked. Nothing is changed.")}}
	case r.Status == imports.Importing:
		return []page.Part{page.Figures{{Label: "Read so far", Value: read(r.Read)}}}
	case r.Report.Rows == 0 && r.Status == imports.Tried:
		return []page.Part{page.Note{Title: "To know",
			Text: c.Say("There are no rows below the names of the columns: there is nothing to import.")}}
	case r.Report.Rows == 0:
		return nil
	}
	refused := page.Figure{Label: "Refused", Value: page.Count(r.Report.RefusedRows)}
	if r.Report.RefusedRows > 0 {
		refused.Href, refused.Tone = page.Path("imports", r.ID, "refused"), page.Warn
	}
	labels := []string{"Created", "Updated", "Unchanged"}
	if r.Status == imports.Tried {
		labels = []string{"Would be created", "Would be updated", "Would stay as they are"}
	}
	out := []page.Part{page.Figures{{Label: "Rows read", Value: page.Count(r.Report.Rows)},
		{Label: labels[0], Value: page.Count(r.Report.Created)},
		{Label: labels[1], Value: page.Count(r.Report.Updated)},
		{Label: labels[2], Value: page.Count(r.Report.Unchanged)}, refused}}
	notes := slices.Clone(r.Report.Warnings)
	if r.Status == imports.Tried && r.Report.Rows >= imports.TriedOf {
		notes = append([]string{c.Say("The first %d rows were tried. All are imported.", imports.TriedOf)}, notes...)
	}
	if r.Status == imports.Tried && !changes(r) {
		notes = append([]string{c.Say("Nothing would change: there is nothing to import.")}, notes...)
	}
	return append(out, page.Noted("To know", strings.Join(notes, "\n")), firstRefused(r))
}

// changes reports whether an import of what was tried would change something, or might: the rest of a long table was
// not tried.
func changes(r imports.Run) bool {
	return r.Report.Created+r.Report.Updated > 0 || r.Report.Rows >= imports.TriedOf
}

// RowsAre is what the rows of a table are, in words.
func RowsAre(kind string) string {
	switch kind {
	case "boms":
		return "Bills of materials"
	case "stock":
		return "Stock levels"
	}
	return page.Words(kind)
}

// firstRefused are some of the rows that were refused, on the page itself: whoever decides whether to import the rest
// must see why without looking for it.
func firstRefused(r imports.Run) page.Part {
	const some = 10
	g := page.Grid{Title: "Refused rows", Heads: []string{"Line", "Row", "Why"}, Of: r.Report.RefusedRows}
	for _, x := range r.Report.Refused[:min(some, len(r.Report.Refused))] {
		g.Rows = append(g.Rows, []page.Value{page.Count(x.Row), page.T(x.Key), page.T(x.Detail)})
	}
	if r.Report.RefusedRows > len(g.Rows) {
		g.Go = []page.Go{{Label: "All", Path: page.Path("imports", r.ID, "refused")}}
	}
	return g.IfAny()
}

// read is how much of the file was read, in percent where that is known.
func read(p imports.Progress) page.Value {
	if p.Total <= 0 {
		return page.T("0 %")
	}
	return page.T(strconv.FormatInt(100*p.Done/p.Total, 10) + " %")
}

// takenBy is the target of each column: as somebody has chosen, else as it is recognised.
func takenBy(r imports.Run, b Beginning) map[string]string {
	of := r.Columns.Of
	if of == nil {
		of = b.Taken
	}
	out := make(map[string]string, len(of))
	for target, column := range of {
		out[column] = target
	}
	return out
}

func first(b Beginning, at int) string {
	if at < len(b.First) {
		return b.First[at]
	}
	return ""
}

func targetValue(target string) page.Value {
	if target == "" {
		return page.Word("Not read")
	}
	if code, ok := strings.CutPrefix(target, attributeTarget); ok {
		return page.T(code)
	}
	return page.Word(page.Words(target))
}

// attributeTarget begins the targets of columns that hold the values of an attribute.
const attributeTarget = "attribute."

// columnsOf are the columns of a table with what each is taken as.
type columnsOf struct {
	run     imports.Run
	begin   Beginning
	as      []string
	targets []page.Option
}

func (o Office) importColumns() page.Page {
	return page.Form[columnsOf]{Path: "/imports/{id}/columns", Title: "Choose columns", Permission: "imports:write",
		Where: page.Outside, Settles: true, Submit: "Try it",
		Back: func(c *page.Ctx) string { return page.Path("imports", c.Path("id")) },
		Lead: "What each column of the file holds.", Load: o.loadColumns,
		Fields: func(c *page.Ctx, t *columnsOf) []page.Field {
			var fields []page.Field
			for i, name := range t.begin.Columns {
				f := page.Select("column"+strconv.Itoa(i), name, &t.as[i], t.targets)
				if v := first(t.begin, i); v != "" {
					f = f.Hint("First row: %s", v)
				}
				fields = append(fields, f)
			}
			return append(fields, readAs(&t.run.Columns)...)
		},
		Save: page.Remade(o.loadColumns, func(c *page.Ctx, t columnsOf) (page.Done, error) {
			t.run.Columns.Of = map[string]string{}
			for i, name := range t.begin.Columns {
				target := t.as[i]
				if other, twice := t.run.Columns.Of[target]; twice && target != "" {
					return page.Done{}, page.Refusal("column"+strconv.Itoa(i), "the column %q holds this already",
						other)
				}
				if target != "" {
					t.run.Columns.Of[target] = name
				}
			}
			err := o.Store.Write(c.Context(), inCompany(c), func(tx *db.Tx) error {
				_, err := imports.Try(tx, t.run.ID, t.run.Columns, c.Language())
				return err
			})
			return page.Went(page.Path("imports", t.run.ID), ""), err
		})}
}

func (o Office) loadColumns(c *page.Ctx) (t columnsOf, err error) {
	var file []byte
	err = o.Store.Read(c.Context(), inCompany(c), func(tx *db.Tx) (err error) {
		if t.run, err = importOf(c, tx); err != nil {
			return err
		}
		t.targets = o.targets(tx, t.run.Kind)
		file, err = imports.File(tx, t.run.ID)
		return err
	})
	if err == nil && file == nil {
		err = imports.ErrNotFound.Because("the file is not kept any more: hand it in again")
	}
	if err != nil {
		return t, err
	}
	b, err := o.Tables.Look(t.run, file)
	if err != nil {
		return t, nil // perhaps it can be read in another encoding
	}
	t.begin, t.as = b, make([]string, len(b.Columns))
	taken := takenBy(t.run, b)
	for i, name := range b.Columns {
		t.as[i] = taken[name]
	}
	return t, nil
}

// targets are what a column can be taken as.
func (o Office) targets(tx *db.Tx, kind string) []page.Option {
	out := []page.Option{{Value: "", Label: "Not read"}}
	for _, t := range o.Tables.Targets(kind) {
		out = append(out, page.Option{Value: t, Label: page.Words(t)})
	}
	if kind != "items" {
		return out
	}
	found, err := catalog.ListAttributes(tx, "", all())
	if err != nil {
		return out // the form is of use without them
	}
	for _, a := range found.Items {
		out = append(out, page.Option{Value: attributeTarget + a.Code, Label: a.Name})
	}
	return out
}

// refusedRows are the rows that were not imported, and why.
func (o Office) refusedRows() page.Page {
	return page.List[imports.Refused]{Path: "/imports/{id}/refused", Title: "Refused rows", Permission: "imports:read",
		Search: "Row", Crumbs: func(c *page.Ctx) []page.Link {
			return []page.Link{{Label: "Imports", Href: "/imports"}, {Label: "Import",
				Href: page.Path("imports", c.Path("id"))}}
		},
		Lead: "Mend them in your file and import it again: the other rows stay as they are.",
		Find: func(c *page.Ctx, q page.Query) (record.Found[imports.Refused], error) {
			r, err := o.findImport(c)
			rows := page.Narrow(r.Report.Refused, q,
				func(r imports.Refused) []string { return []string{r.Key, r.Detail} })
			return page.Cut(rows, q), err
		},
		Columns: func(r imports.Refused) []page.Column {
			return []page.Column{page.Col("Line", page.Count(r.Row)), page.Col("Row", page.T(r.Key)),
				page.Col("Why", page.T(r.Detail))}
		}}
}
