package backoffice

// SearchAll lets a drop-down hold one choice, so that every field searches its own, until it is called again.
func SearchAll() (again func()) {
	was := inDropDown.Size
	inDropDown.Size = 1
	return func() { inDropDown.Size = was }
}
