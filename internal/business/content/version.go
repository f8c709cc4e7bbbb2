package content

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
)

// ErrVersionNotFound refuses a version that is not kept, or never was.
var ErrVersionNotFound = fault.New(fault.NotFound, "ContentPage.VersionNotFound")

// ErrSectionNotFound refuses a section that a page does not have any more.
var ErrSectionNotFound = fault.New(fault.NotFound, "ContentPage.SectionNotFound")

// Version is what a page was when it was saved.
type Version struct {
	Number  int64 // of the page's versions
	SavedAt db.Time
	SavedBy string
	Page    Page
}

// mostVersions is how many versions of a page are kept.
const mostVersions = 100

// Restore lets a page say again what it said in a version. Where it stands and whether visitors see it stays as it is:
// slug, parent, menu and publication. Refusals: Channel.NotFound, ContentPage.NotFound, .VersionNotFound, and those of
// PutConfig where keys name nothing any more.
func Restore(tx *db.Tx, channelCode, slug string, number int64) (Page, error) {
	before, err := lockPage(tx, channelCode, slug)
	if err != nil {
		return before, err
	}
	old, err := FindVersion(tx, before, number)
	if err != nil {
		return before, err
	}
	p := old.Page
	return p.put(tx, "restored", before, p.Config)
}
