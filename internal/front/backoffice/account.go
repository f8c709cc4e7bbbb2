package backoffice

import (
	"strings"

	"kontor/internal/business/identity"
	"kontor/internal/front/page"
)

// self is the person whose account a page shows.
type self struct {
	identity.Session
	profile  identity.Profile
	sessions []identity.Session
	recovery int
}

// account is what people may do about themselves, whatever their role.
func (o Office) account() []page.Page {
	return []page.Page{
		page.Record[self]{Path: "/account", Title: "Your account", Where: page.InControl, Load: o.loadSelf,
			Show: showSelf, Edit: editSelf},
		page.Form[self]{Path: "/account/profile", Title: "Your profile", Where: page.InControl, Load: o.loadSelf,
			Fields: selfFields, Save: page.Remade(o.loadSelf, saveProfile)},
		page.Deed{Path: "/account/sessions/{id}/end", Where: page.InControl, Do: func(c *page.Ctx) (page.Done, error) {
			return page.Went("/account", "Signed out there."), identity.EndSession(c.Tx, c.Visitor.Actor.ID,
				c.Path("id"))
		}},
		page.Deed{Path: "/account/sessions/end", Where: page.InControl, Do: func(c *page.Ctx) (page.Done, error) {
			s, err := o.session(c.Request)
			if err != nil {
				return page.Done{}, err
			}
			n, err := identity.EndSessions(c.Tx, s.UserID, s.ID)
			return page.Went("/account", "Signed out in %d other places.", n), err
		}},
		page.Handler{Path: "/account/password", SignedIn: true, Show: o.showPassword, Take: o.changePassword},
		page.Handler{Path: "/account/second-factor", SignedIn: true, Show: o.showProof(offerCard), Take: o.enrol},
		page.Handler{Path: "/account/second-factor/off", SignedIn: true, Show: o.showProof(disableCard),
			Take: o.disable},
		page.Handler{Path: "/account/recovery", SignedIn: true, Show: o.showProof(renewalCard), Take: o.renewRecovery},
		page.Deed{Path: "/account/connections/{id}/revoke", Where: page.InControl,
			Do: func(c *page.Ctx) (page.Done, error) {
				return page.Went("/account", "The connection is ended."),
					identity.RevokeConnection(c.Tx, "", c.Visitor.Actor.ID, c.Path("id"))
			}},
	}
}

func (o Office) loadSelf(c *page.Ctx) (self, error) {
	s, err := o.session(c.Request)
	if err != nil {
		return self{}, err
	}
	all, err := identity.Sessions(c.Tx, s.UserID)
	if err != nil {
		return self{}, err
	}
	profile, err := identity.ProfileOf(c.Tx, s.UserID)
	if err != nil {
		return self{}, err
	}
	left, err := identity.RecoveryLeft(c.Tx, s.UserID)
	return self{s, profile, all, left}, err
}

func showSelf(c *page.Ctx, s self) (page.Sheet, error) {
	connections, err := identity.Connections(c.Tx, "", s.UserID)
	if err != nil {
		return page.Sheet{}, err
	}
	grid := page.Grid{Title: "Where you are signed in", Heads: []string{"Browser", "Address", "Since", "Last seen", ""}}
	for _, one := range s.sessions {
		row := []page.Value{page.T(browser(one.Agent)), page.T(one.Address), page.At(one.CreatedAt),
			page.At(one.SeenAt), page.Post("Sign out", page.Path("account", "sessions", one.ID, "end"))}
		if one.ID == s.ID {
			row[4] = page.Badge("This one", page.Good)
		}
		grid.Rows = append(grid.Rows, row)
	}
	if len(s.sessions) > 1 {
		grid.Foot = []page.Value{page.Post("Sign out everywhere else", "/account/sessions/end"), {}, {}, {}, {}}
	}
	programs := page.Grid{Title: "Programs that act for you", Heads: []string{"Program", "Company", "Since",
		"Last used", ""}, Empty: "No program acts for you."}
	for _, one := range connections {
		programs.Rows = append(programs.Rows, []page.Value{page.T(one.ClientName), page.T(one.CompanyName),
			page.At(one.CreatedAt), page.At(one.LastUsedAt),
			page.Post("End", page.Path("account", "connections", one.ID, "revoke"))})
	}
	second := page.Badge("Off", page.Warn)
	facts := []page.Fact{{Label: "Name", Value: page.T(s.Name)}, {Label: "E-mail", Value: page.T(s.Email)},
		{Label: "Language", Value: page.T(languageName(s.Language))}}
	if s.SecondFactor {
		second = page.Badge("On", page.Good)
		facts = append(facts, page.Fact{Label: "Recovery codes left",
			Value: page.Each(page.Count(s.recovery), page.To(c.Say("Make new ones"), "/account/recovery"))})
	}
	facts = append(facts, page.Fact{Label: "Second factor", Value: second})
	return page.Sheet{Title: c.Say("Your account"), Parts: []page.Part{page.Facts{Title: "You", Facts: facts}, grid,
		programs}}, nil
}

func editSelf(_ *page.Ctx, s self) []page.Go {
	second := page.Go{Label: "Set up a second factor", Path: "/account/second-factor"}
	if s.SecondFactor {
		second = page.Go{Label: "Switch the second factor off", Path: "/account/second-factor/off"}
	}
	return []page.Go{{Label: "Edit", Path: "/account/profile"},
		{Label: "Change the password", Path: "/account/password"}, second}
}

func languageName(code string) string {
	for _, l := range languages() {
		if l.Value == code {
			return l.Label
		}
	}
	return ""
}

func languages() []page.Option {
	return []page.Option{{Value: "en", Label: "English"}, {Value: "sv", Label: "Svenska"}}
}

func selfFields(_ *page.Ctx, s *self) []page.Field {
	return []page.Field{page.Text("name", "Name", &s.profile.Name).Required().Auto("name"),
		page.Select("language", "Language", &s.profile.Language, append([]page.Option{{Label: "As the browser asks"}},
			languages()...)),
		page.Check("isQuiet", "Send me no mails of what the office notifies me of", &s.profile.IsQuiet)}
}

func saveProfile(c *page.Ctx, s self) (page.Done, error) {
	return page.Went("/account", "Saved."), identity.UpdateProfile(c.Tx, s.UserID, s.profile)
}

// browser is a User-Agent as people call it.
func browser(agent string) string {
	name := "Browser"
	for _, b := range [][2]string{{"Edg/", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"}, {"Chrome/", "Chrome"},
		{"Safari/", "Safari"}, {"curl/", "curl"}} {
		if strings.Contains(agent, b[0]) {
			name = b[1]
			break
		}
	}
	for _, s := range [][2]string{{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"},
		{"Windows", "Windows"}, {"Mac OS", "macOS"}, {"Linux", "Linux"}} {
		if strings.Contains(agent, s[0]) {
			return name + ", " + s[1]
		}
	}
	return name
}
