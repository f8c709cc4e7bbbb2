package exchange

import (
	"context"
	"fmt"
	"strings"

	"kontor/internal/table"
)

// Options say how rows are imported.
type Options struct {
	Mapping map[string]string // target -> column, beyond what is recognised by name
	DryRun  bool              // read and check, change nothing
}

// Report is what became of the rows of a table.
type Report struct {
	Rows      int       `json:"rows"`
	Created   int       `json:"created"`
	Updated   int       `json:"updated"`
	Unchanged int       `json:"unchanged"`
	Refused   []Refused `json:"refused"`
}

// Refused is a row that was not imported; a bad row does not block others.
type Refused struct {
	Row    int    `json:"row"` // line of the file, the header included
	Key    string `json:"key"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// Kinds are what can be imported and exported.
func Kinds() []string { return []string{"items", "customers", "price-lists", "stock", "orders"} }

// Import imports the rows of a table as kind.
func Import(ctx context.Context, d Desk, kind string, t *table.Reader, o Options) (Report, error) {
	return Report{}, fmt.Errorf("%q cannot be imported; what can: %s", kind, strings.Join(Kinds(), ", "))
}
