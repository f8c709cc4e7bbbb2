package archive

// Carried are the names of the tables of the control database that a backup carries.
func Carried() []string {
	names := make([]string, len(controlTables))
	for i, t := range controlTables {
		names[i] = t.name
	}
	return names
}
