package backoffice

import (
	"kontor/internal/business/content"
	"kontor/internal/foundation/db"
	"kontor/internal/front/page"
)

// draftState says of a published page that there is a draft of it.
func draftState(d content.Draft) []page.Value {
	switch {
	case d.ID == "":
		return nil
	case d.Refused != "":
		return []page.Value{page.Badge("The draft did not go live", page.Bad)}
	case d.GoesLiveAt != 0:
		return []page.Value{page.Badge("The draft goes live by itself", page.Calm)}
	}
	return []page.Value{page.Badge("Unpublished draft", page.Warn)}
}

// isOverdone reports whether a draft would replace more than its writers have seen.
func isOverdone(d content.WorkingPage) bool {
	overdone, err := d.IsOverdone()
	return overdone || err != nil
}

// draftFacts say what is not yet live.
func draftFacts(c *page.Ctx, d content.WorkingPage) page.Part {
	if !d.HasDraft() {
		return nil
	}
	facts := page.Facts{Title: "Unpublished draft", Facts: []page.Fact{
		{Label: "Saved", Value: page.At(d.Draft.ChangedAt)}, {Label: "By", Value: page.T(d.Draft.SavedBy)},
		{Label: "Goes live", Value: page.At(d.Draft.GoesLiveAt)},
		{Label: "Did not go live", Value: page.T(c.Say(d.Draft.Refused))},
		{Label: "Visitors see", Value: page.Word("What was published last").
			Linked(contentPath(d.ChannelCode, d.Slug, "preview") + "?of=live")}}}
	if isOverdone(d) {
		facts.Facts = append(facts.Facts, page.Fact{Label: "Mind", Value: page.T(
			c.Say("The page was changed since this draft was begun: publishing the draft replaces that."))})
	}
	return facts
}

// later is when a draft goes live.
type later struct{ at db.Time }

func contentActions() []page.Action[content.WorkingPage] {
	standing := func(p content.WorkingPage) bool { return p.Type != content.Home }
	drafted := func(p content.WorkingPage) bool { return p.Live.IsPublished && p.HasDraft() }
	over := func(know bool) func(c *page.Ctx, p content.WorkingPage) (page.Done, error) {
		return func(c *page.Ctx, p content.WorkingPage) (page.Done, error) {
			_, err := content.PublishDraft(c.Tx, p.ChannelCode, p.Slug, know)
			return page.Did("The draft is published: visitors see it."), err
		}
	}
	return []page.Action[content.WorkingPage]{
		{Name: "publish-draft", Label: "Publish the draft", Tone: page.Primary,
			When: func(p content.WorkingPage) bool { return drafted(p) && !isOverdone(p) }, Do: over(false)},
		{Name: "publish-draft-over", Label: "Publish the draft over it",
			When:    func(p content.WorkingPage) bool { return drafted(p) && isOverdone(p) },
			Confirm: "The page was changed since the draft was begun. The draft replaces that; what it replaces stays among the versions.",
			Do:      over(true)},
		page.Ask(page.Action[content.WorkingPage]{Name: "publish-later", Label: "Publish at a date", When: drafted},
			func(_ *page.Ctx, p content.WorkingPage) (later, error) { return later{p.Draft.GoesLiveAt}, nil },
			func(_ *page.Ctx, _ content.WorkingPage, v *later) []page.Field {
				return []page.Field{page.Moment("goesLiveAt", "Goes live", &v.at).
					Hint("Left empty: when somebody publishes it.")}
			},
			func(c *page.Ctx, p content.WorkingPage, v later) (page.Done, error) {
				return page.Did("Saved."), content.PublishDraftAt(c.Tx, p.ChannelCode, p.Slug, v.at)
			}),
		{Name: "publish", Label: "Publish", Tone: page.Primary,
			When: func(p content.WorkingPage) bool { return standing(p) && !p.Live.IsPublished }, Do: publishContent},
		{Name: "unpublish", Label: "Make it a draft",
			When: func(p content.WorkingPage) bool { return standing(p) && p.Live.IsPublished },
			Do: func(c *page.Ctx, p content.WorkingPage) (page.Done, error) {
				return page.Did("The page is a draft: visitors do not see it."), content.UnpublishWorking(c.Tx,
					p.ChannelCode, p.Slug)
			}},
		{Name: "discard-draft", Label: "Discard the draft", Tone: page.Bad, When: drafted,
			Confirm: "What the draft says is gone for good. The page stays as visitors see it.",
			Do: func(c *page.Ctx, p content.WorkingPage) (page.Done, error) {
				return page.Did("The draft is discarded."), content.DiscardDraft(c.Tx, p.ChannelCode, p.Slug)
			}},
		{Name: "delete", Label: "Delete", Tone: page.Bad, When: standing,
			Confirm: "The page and its versions are gone for good.", Do: func(c *page.Ctx, p content.WorkingPage) (page.Done,
				error) {
				return page.Went("/pages", "The page is deleted."), content.Delete(c.Tx, p.ChannelCode, p.Slug)
			}},
	}
}

func publishContent(c *page.Ctx, p content.WorkingPage) (page.Done, error) {
	if p.HasDraft() {
		if _, err := content.PublishDraft(c.Tx, p.ChannelCode, p.Slug, true); err != nil {
			return page.Done{}, err
		}
	}
	_, err := content.Publish(c.Tx, p.ChannelCode, p.Slug)
	return page.Did("The page is published."), err
}
