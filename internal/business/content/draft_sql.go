package content

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const (
	draftFields  = record.RootColumns + ", page_id, saved_by, publishes_at, refused"
	draftColumns = draftFields + ", base"
)

var draftRow = db.Map[Draft](draftFields)

// Draft is what a published page is to say once the draft is published. Neither visitors nor other systems know of it.
type Draft struct {
	record.Root // its own; the page's stays as it is
	PageID      string
	SavedBy     string
	GoesLiveAt  db.Time `db:"publishes_at"` // 0 = when somebody publishes it
	Refused     string  // why it did not go live at its moment
	base        string  // what the page said when the draft was begun
	said
}

func (d *Draft) columns() []any { return append(draftRow.Of(d), &d.base) }

// digest is a mark of what a page says.
func (p *Page) digest() (string, error) {
	text, err := json.Marshal(p.said())
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}

// draftOf is a page's draft, zero where there is none. Whoever writes it has locked the page.
func draftOf(tx *db.Tx, pageID string) (d Draft, err error) {
	found, err := tx.One(`-- content.draftOf
		select `+draftColumns+`, page from content_draft where company = :company and page_id = :page`,
		db.Args{"page": pageID}, append(d.columns(), db.JSON{At: &d.said})...)
	if err != nil || !found {
		return Draft{}, err
	}
	return d, nil
}

// draftByID is the page that a draft belongs to, zero where the draft is gone.
func draftByID(tx *db.Tx, id string) (p Page, err error) {
	err = tx.Each(`-- content.draftByID
		select `+pageColumns+` from content_page where company = :company and id in
			(select page_id from content_draft where company = :company and id = :id) for update`,
		db.Args{"id": id}, func(r db.Row) error { return scanPage(r, &p) })
	return p, err
}

// Drafts are the drafts of pages, by the page's id, without what they say.
func Drafts(tx *db.Tx, pages []string) (map[string]Draft, error) {
	if len(pages) == 0 {
		return map[string]Draft{}, nil
	}
	return db.ByKey(tx, `-- content.Drafts
		select `+draftColumns+` from content_draft where company = :company and page_id in (:pages)`,
		db.Args{"pages": pages}, func(r db.Row, page *string, d *Draft) error {
			err := r.Scan(d.columns()...)
			*page = d.PageID
			return err
		})
}

func writeDraft(tx *db.Tx, d *Draft) error {
	return tx.Upsert("content_draft", draftColumns+", page", 1, func(int) []any {
		return append(d.columns(), db.JSON{At: &d.said})
	}, db.Overwriting("id", "version, modified_at, changed_at, saved_by, publishes_at, refused, base, page"))
}

func removeDraft(tx *db.Tx, d Draft) error { return tx.Delete(db.Args{"id": d.ID}, "content_draft") }
