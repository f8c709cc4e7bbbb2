package ecom

import _ "embed"

//go:embed guide.md
var guide string

// Guide is what a developer wants to know of the commerce API before its operations, in Markdown.
func Guide() string { return guide }
