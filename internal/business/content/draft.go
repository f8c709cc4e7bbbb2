package content

import (
	"cmp"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/record"
)

// ErrDraftNotFound refuses what wants a draft of a page that has none.
var ErrDraftNotFound = fault.New(fault.NotFound, "ContentPage.DraftNotFound")

// DraftKind is the job that puts a draft live at its moment.
var DraftKind = jobs.Kind{Name: "content-draft"}

// WorkingPage is a page as people work on it: as its draft says, where it has one. Other systems write the page itself,
// which is live at once.
type WorkingPage struct {
	Page
	Live  Page
	Draft Draft // without an id, there is none
}

// HasDraft reports whether the page has a draft.
func (d *WorkingPage) HasDraft() bool { return d.Draft.ID != "" }

// IsOverdone reports whether the page was changed since its draft was begun, so that the draft replaces more than its
// writers have seen.
func (d *WorkingPage) IsOverdone() (bool, error) {
	digest, err := d.Live.digest()
	return d.HasDraft() && d.Draft.base != digest, err
}

// FindWorking is a page as people work on it, the home page by an empty slug. Refusals: those of FindAny.
func FindWorking(tx *db.Tx, channelCode, slug string) (WorkingPage, error) {
	p, err := FindAny(tx, channelCode, slug)
	if err != nil {
		return WorkingPage{}, err
	}
	return workingPage(tx, p)
}

func workingPage(tx *db.Tx, p Page) (WorkingPage, error) {
	d, err := draftOf(tx, p.ID)
	out := WorkingPage{Page: p, Live: p, Draft: d}
	if d.ID != "" {
		d.onto(&out.Page)
	}
	return out, err
}

// lockWorking is FindWorking of a page that is to be written: who holds the page holds its draft. What the caller has
// seen is compared with the draft, where there is one.
func lockWorking(tx *db.Tx, channelCode, slug string) (WorkingPage, error) {
	p, err := lockPage(tx, channelCode, slug)
	if err != nil {
		return WorkingPage{}, err
	}
	d, err := workingPage(tx, p)
	if err != nil {
		return d, err
	}
	if d.HasDraft() {
		return d, tx.Match(d.Draft.ID, d.Draft.ETag())
	}
	return d, tx.Match(p.ID, p.ETag())
}

// ArrangeWorking is Arrange of what people work on: of a published page it changes the draft, which it begins where
// there is none. Refusals: those of Arrange.
func ArrangeWorking(tx *db.Tx, channelCode, slug string, edit func(*Config) error) error {
	d, err := lockWorking(tx, channelCode, slug)
	if err != nil {
		return err
	}
	if !d.Live.IsPublished && !d.HasDraft() {
		_, err := Arrange(tx, channelCode, slug, edit)
		return err
	}
	c, err := d.arranged(edit)
	if err != nil {
		return err
	}
	p := d.Page
	p.Config = c
	return d.keep(tx, p)
}

// ChangeWorking is Change of what people work on. Of a published page title, texts, picture and tags go into the draft;
// where it stands and from when on it is seen change at once. Refusals: those of Change.
func ChangeWorking(tx *db.Tx, channelCode, slug string, edit func(*Page) error) (Page, error) {
	d, err := lockWorking(tx, channelCode, slug)
	if err != nil {
		return d.Page, err
	}
	if !d.Live.IsPublished && !d.HasDraft() {
		return Change(tx, channelCode, slug, edit)
	}
	p := d.Page
	if err := edit(&p); err != nil {
		return p, err
	}
	p.Root, p.ChannelCode, p.Config = d.Root, d.ChannelCode, d.Config
	if err := p.validate(tx, d.Page); err != nil {
		return p, err
	}
	_, err = Change(tx, channelCode, slug, func(head *Page) error {
		head.Slug, head.Type, head.ParentSlug, head.PublishDate = p.Slug, p.Type, p.ParentSlug, p.PublishDate
		head.ShowInNavigation, head.SortOrder = p.ShowInNavigation, p.SortOrder
		return nil
	})
	if err != nil {
		return p, err
	}
	return p, d.keep(tx, p)
}

// keep makes what a page says its draft. A draft that says what the page says anyway is none.
func (d *WorkingPage) keep(tx *db.Tx, p Page) error {
	var wrong fault.List
	p.Layout = cmp.Or(p.Layout, Standard)
	p.Config.validate(&wrong)
	if err := p.resolve(tx, &wrong); err != nil {
		return err
	}
	if err := wrong.Err(); err != nil {
		return err
	}
	draft := d.Draft
	digest, err := p.digest()
	if err != nil {
		return err
	}
	live, err := d.Live.digest()
	if err != nil {
		return err
	}
	before, err := d.digest()
	switch {
	case err != nil:
		return err
	case digest == live:
		if d.HasDraft() {
			return removeDraft(tx, draft)
		}
		return nil
	case !d.HasDraft():
		draft = Draft{Root: record.New(tx), PageID: d.Live.ID, base: live}
	case digest == before:
		return nil
	default:
		draft.revise(tx)
	}
	draft.SavedBy, draft.said, draft.Refused = tx.Actor.Name, p.said(), ""
	return writeDraft(tx, &draft)
}

// revise makes a draft its next version.
func (d *Draft) revise(tx *db.Tx) {
	d.Version++
	d.ModifiedAt = max(tx.Stamp(), d.ChangedAt+1)
	d.ChangedAt = d.ModifiedAt
}

// lockDrafted is lockWorking of a page that has a draft.
func lockDrafted(tx *db.Tx, channelCode, slug string) (WorkingPage, error) {
	d, err := lockWorking(tx, channelCode, slug)
	return d, ErrDraftNotFound.When(!d.HasDraft(), err,
		"the page has no draft any more: it was published or discarded meanwhile")
}

// PublishDraft lets a page say what its draft says, for everybody to see where the page is published. Refusals: those
// of PutConfig, ContentPage.DraftNotFound, and ContentPage.DraftOutdated where the page was changed since the draft was
// begun, unless over says that the caller knows.
func PublishDraft(tx *db.Tx, channelCode, slug string, over bool) (Page, error) {
	d, err := lockDrafted(tx, channelCode, slug)
	if err != nil {
		return d.Page, err
	}
	return d.publish(tx, over)
}

// ErrDraftOutdated refuses a draft that would replace what was published since it was begun.
var ErrDraftOutdated = fault.New(fault.Conflict, "ContentPage.DraftOutdated")

func (d *WorkingPage) publish(tx *db.Tx, over bool) (Page, error) {
	overdone, err := d.IsOverdone()
	if err != nil {
		return d.Page, err
	}
	if overdone && !over {
		return d.Page, ErrDraftOutdated.Because(
			"the page was changed since its draft was begun: look at both, and publish the draft over it or discard it")
	}
	p, err := d.Page.put(tx, "published", d.Live, d.Config)
	if err != nil {
		return p, err
	}
	return p, removeDraft(tx, d.Draft)
}

// DiscardDraft forgets a page's draft. Refusals: Channel.NotFound, ContentPage.NotFound, .DraftNotFound.
func DiscardDraft(tx *db.Tx, channelCode, slug string) error {
	d, err := lockDrafted(tx, channelCode, slug)
	if err != nil {
		return err
	}
	return removeDraft(tx, d.Draft)
}

// PublishDraftAt puts a draft live at a moment to come, or with 0 when somebody publishes it. Refusals: those of
// DiscardDraft, and ContentPage.Invalid for a moment that has passed.
func PublishDraftAt(tx *db.Tx, channelCode, slug string, at db.Time) error {
	d, err := lockDrafted(tx, channelCode, slug)
	if err != nil {
		return err
	}
	if at != 0 && at <= tx.Now {
		return ErrInvalid.At("goesLiveAt", "has passed: choose a moment to come, or publish the draft at once")
	}
	draft := d.Draft
	draft.revise(tx)
	draft.GoesLiveAt, draft.Refused = at, ""
	if err := writeDraft(tx, &draft); err != nil || at == 0 {
		return err
	}
	_, err = jobs.Add(tx, DraftKind, d.Key(), dueDraft{draft.ID}, jobs.Options{RunAt: at})
	return err
}

// dueDraft is the payload of DraftKind.
type dueDraft struct {
	ID string `json:"id"`
}

// PublishDue puts a draft live whose moment has come. What refuses it then is kept beside it, for its writers to see;
// a draft that is gone or has got another moment is left alone.
func PublishDue(tx *db.Tx, j jobs.Job) error {
	var due dueDraft
	if err := j.Read(&due); err != nil {
		return err
	}
	p, err := draftByID(tx, due.ID)
	if err != nil || p.ID == "" {
		return err
	}
	d, err := workingPage(tx, p)
	if err != nil || d.Draft.GoesLiveAt == 0 || d.Draft.GoesLiveAt > tx.Now {
		return err
	}
	_, err = d.publish(tx, false)
	f := fault.As(err)
	if err == nil || f.Kind != fault.Invalid && f.Kind != fault.Conflict {
		return err
	}
	draft := d.Draft
	draft.revise(tx)
	draft.GoesLiveAt, draft.Refused = 0, f.Detail
	return writeDraft(tx, &draft)
}

// UnpublishWorking hides a page from visitors; what its draft says is what the page says then. Refusals: those of
// Unpublish, and of PutConfig where a draft names what there is not any more.
func UnpublishWorking(tx *db.Tx, channelCode, slug string) error {
	d, err := lockWorking(tx, channelCode, slug)
	if err != nil {
		return err
	}
	if _, err := Unpublish(tx, channelCode, slug); err != nil || !d.HasDraft() {
		return err
	}
	_, err = PublishDraft(tx, channelCode, slug, true)
	return err
}

// RestoreWorking is Restore of what people work on: of a published page the version becomes its draft. Refusals: those
// of Restore.
func RestoreWorking(tx *db.Tx, channelCode, slug string, number int64) error {
	d, err := lockWorking(tx, channelCode, slug)
	if err != nil {
		return err
	}
	if !d.Live.IsPublished && !d.HasDraft() {
		_, err := Restore(tx, channelCode, slug, number)
		return err
	}
	old, err := FindVersion(tx, d.Live, number)
	if err != nil {
		return err
	}
	return d.keep(tx, old.Page)
}
