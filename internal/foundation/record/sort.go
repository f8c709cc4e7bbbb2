package record

// sort puts the list into the order that the page asks for. A name that the list does not have asks for nothing.
func (q *Query) sort(p Page) {
	if p.Latest && q.Stamp != "" {
		q.by = " latest"
		q.Key = []Order{{Column: q.Stamp, Desc: true}, {Column: q.alias() + ".id", Desc: true}}
		return
	}
	if p.Sort == "" || q.Sorts == nil {
		return
	}
	order := q.Sorts(p.Sort)
	if len(order) == 0 {
		return
	}
	q.Key, q.by = order, " by "+p.Sort
	if p.Down {
		q.by += " down"
		for i := range q.Key {
			q.Key[i].Desc = !q.Key[i].Desc
		}
	}
}
