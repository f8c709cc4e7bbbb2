package db

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"kontor/internal/foundation/lazy"
)

// Rule is what no row of a table may say, a condition that every row meets or that is not known of it.
type Rule struct{ Table, Name, Says string }

var (
	ruleAdded   = lazy.Regexp(`(?m)^alter table (\w+) add constraint (\w+) check \((.*)\) not valid;$`)
	ruleDropped = lazy.Regexp(`(?m)^alter table \w+ drop constraint (\w+);$`)
)

// Rules are those that hold after all steps of a schema, table by table.
func Rules(schema Schema) (all []Rule) {
	for _, f := range schemaFiles(schema) {
		text, err := schemas.ReadFile(path.Join("schema", string(schema), f.Name()))
		if err != nil {
			panic(err) // it is embedded
		}
		for _, m := range ruleDropped().FindAllStringSubmatch(string(text), -1) {
			all = slices.DeleteFunc(all, func(r Rule) bool { return r.Name == m[1] })
		}
		for _, m := range ruleAdded().FindAllStringSubmatch(string(text), -1) {
			all = append(all, Rule{m[1], m[2], m[3]})
		}
	}
	slices.SortStableFunc(all, func(a, b Rule) int { return strings.Compare(a.Table, b.Table) })
	return all
}

// BrokenRules counts the rows of the company that break a rule: such as were there before it.
func (tx *Tx) BrokenRules(report func(r Rule, rows int64)) error {
	all := Rules(CellSchema)
	for len(all) > 0 {
		n := slices.IndexFunc(all, func(r Rule) bool { return r.Table != all[0].Table })
		if n < 0 {
			n = len(all)
		}
		counts, dest := make([]int64, n), make([]any, n)
		sums := make([]string, n)
		for i, r := range all[:n] {
			dest[i] = &counts[i]
			sums[i] = fmt.Sprintf("count(case when not (%s) then 1 end)", tx.cell.engine.Types.Replace(r.Says))
		}
		_, err := tx.One("-- db.BrokenRules\nselect "+strings.Join(sums, ", ")+" from "+all[0].Table+
			" where company = :company", nil, dest...)
		if err != nil {
			return err
		}
		for i, rows := range counts {
			if rows > 0 {
				report(all[i], rows)
			}
		}
		all = all[n:]
	}
	return nil
}
