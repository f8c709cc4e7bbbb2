package preview

import _ "embed"

//go:embed guide.md
var guide string

// Guide is what a developer wants to know of the integration API before its operations, in Markdown.
func Guide() string { return guide }
