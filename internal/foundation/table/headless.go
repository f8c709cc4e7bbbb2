package table

// NameColumns gives the columns of a file without a header these names, and takes its first line, which was read as the
// names, for its first row. It reports false for formats that always name their columns.
func (r *Reader) NameColumns(names []string) bool {
	c, ok := r.source.(*csvSource)
	if ok && c.first == nil {
		c.first, c.header = c.header, names
	}
	return ok
}
