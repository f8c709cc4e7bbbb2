// Package vote is whether something helped a visitor: each session's last word, for help articles and reviews alike.
package vote

// Box is where the votes on one kind of thing lie.
type Box struct {
	Table string // its columns besides Of: session_id, is_helpful, voted_at
	Of    string // the column that names the thing
}

// Count is how many visitors a thing helped, and how many not.
type Count struct{ Helpful, NotHelpful int }
