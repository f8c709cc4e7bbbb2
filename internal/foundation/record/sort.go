package record

import "strings"

// sort puts the list into the order that the page asks for. A name that the list does not have asks for nothing.
func (q *Query) sort(p Page) {
	q.order = ordersOf(q.Key)
	if p.Latest && q.Stamp != "" {
		q.by = " latest"
		q.order = []order{{q.Stamp, true}, {q.alias() + ".id", true}}
		return
	}
	columns := q.Sorts[p.Sort]
	if len(columns) == 0 {
		return
	}
	q.order, q.by = ordersOf(columns), " by "+p.Sort
	if p.Down {
		q.by += " down"
		for i := range q.order {
			q.order[i].desc = !q.order[i].desc
		}
	}
}

// ordersOf reads columns as they stand in an order by.
func ordersOf(columns []string) []order {
	all := make([]order, len(columns))
	for i, c := range columns {
		all[i].column, all[i].desc = strings.CutSuffix(c, " desc")
	}
	return all
}
