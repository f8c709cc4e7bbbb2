package content

import (
	"encoding/json"

	"kontor/internal/foundation/db"
)

// said is what a version keeps of a page.
type said struct {
	Title, AuthorName, Excerpt, FeaturedImageURL, MetaDescription string
	Tags                                                          []string
	Config
}

func (p *Page) said() said {
	return said{p.Title, p.AuthorName, p.Excerpt, p.FeaturedImageURL, p.MetaDescription, p.Tags, p.Config}
}

func (s said) onto(p *Page) {
	p.Title, p.Tags, p.AuthorName, p.Excerpt = s.Title, s.Tags, s.AuthorName, s.Excerpt
	p.FeaturedImageURL, p.MetaDescription, p.Config = s.FeaturedImageURL, s.MetaDescription, s.Config
}

// keepVersion notes what a page says now, and lets go of what it said a hundred savings ago.
func keepVersion(tx *db.Tx, p *Page) error {
	text, err := json.Marshal(p.said())
	if err != nil {
		return err
	}
	err = tx.Upsert("content_version", "page_id, version, saved_at, saved_by, page", 1, func(int) []any {
		return []any{p.ID, p.Version, tx.Now, tx.Actor.Name, string(text)}
	},
		"on conflict (company, page_id, version) do update set saved_at = excluded.saved_at, saved_by = "+
			"excluded.saved_by, page = excluded.page")
	if err != nil || p.Version <= mostVersions {
		return err
	}
	return tx.Run(`-- content.keepVersion
		delete from content_version where company = :company and page_id = :id and version <= :oldest`,
		db.Args{"id": p.ID, "oldest": p.Version - mostVersions})
}

// Versions are when a page was saved and by whom, the latest first, without what it said.
func Versions(tx *db.Tx, p Page) (all []Version, err error) {
	return db.Rows(tx, `-- content.Versions
		select version, saved_at, saved_by from content_version where company = :company and page_id = :id order by version desc`,
		db.Args{"id": p.ID}, func(r db.Row, v *Version) error {
			return r.Scan(&v.Number, &v.SavedAt, &v.SavedBy)
		})
}

// FindVersion is what a page said in a version, where it stands being as it is now. ContentPage.VersionNotFound.
func FindVersion(tx *db.Tx, p Page, number int64) (v Version, err error) {
	var text string
	found, err := tx.One(`-- content.FindVersion
		select version, saved_at, saved_by, page from content_version where company = :company and page_id = :id and version = :version`,
		db.Args{"id": p.ID, "version": number}, &v.Number, &v.SavedAt, &v.SavedBy, &text)
	if err != nil {
		return v, err
	}
	if !found {
		return v, ErrVersionNotFound.Because("version %d of the page is not kept", number)
	}
	var was said
	if err := json.Unmarshal([]byte(text), &was); err != nil {
		return v, err
	}
	v.Page = p
	was.onto(&v.Page)
	return v, nil
}
