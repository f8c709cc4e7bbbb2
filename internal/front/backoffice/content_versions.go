package backoffice

import (
	"strconv"

	"kontor/internal/business/content"
	"kontor/internal/front/page"
)

func versionNumber(n int64) string { return strconv.FormatInt(n, 10) }

// saved is a version of a page with the page as it is now.
type saved struct {
	now     content.WorkingPage
	version content.Version
}

// contentVersion shows what a page was, and lets it be that again.
func (o Office) contentVersion() page.Page {
	return page.Record[saved]{Path: "/pages/{channel}/{slug}/versions/{number}", Permission: readsPages,
		Crumbs: contentCrumbs, Load: func(c *page.Ctx) (saved, error) {
			p, err := loadContent(c)
			if err != nil {
				return saved{}, err
			}
			n, err := strconv.ParseInt(c.Path("number"), 10, 64)
			if err != nil {
				n = 0 // no version has it
			}
			v, err := content.FindVersion(c.Tx, p.Live, n)
			return saved{p, v}, err
		},
		Show: func(c *page.Ctx, s saved) (page.Sheet, error) {
			sheet := page.Sheet{Title: c.Say("Version %d", s.version.Number),
				Subtitle: c.Show(page.At(s.version.SavedAt)) + " · " + s.version.SavedBy}
			drawn, err := o.drawContent(c, s.version.Page)
			sheet.Parts = []page.Part{drawn}
			return sheet, err
		},
		Actions: []page.Action[saved]{{Name: "restore", Label: "Restore", Tone: page.Primary,
			When:    func(s saved) bool { return s.version.Number != s.now.Live.Version },
			Confirm: "The page says again what it said then. What it says now stays among its versions.",
			Do: func(c *page.Ctx, s saved) (page.Done, error) {
				said := "The version is restored."
				if s.now.Live.IsPublished {
					said = "The version is in the draft: visitors see it when you publish that."
				}
				return page.Went(toContent(c), said), content.RestoreWorking(c.Tx, c.Path("channel"), slugOf(c),
					s.version.Number)
			}}}}
}
