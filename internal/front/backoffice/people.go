package backoffice

import (
	"cmp"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// member is somebody who works in the company, or is invited to.
type member struct {
	identity.Member
	invitation identity.Invitation // ID is "" for members
}

// people are the pages of the company's users and what each role may do.
func (o Office) people() []page.Page {
	return []page.Page{
		page.List[member]{Path: "/users", Title: "Users", Permission: "users:read", Menu: true, Where: page.InControl,
			Search: "Name, e-mail", Find: findMembers, Href: memberHref, Columns: func(m member) []page.Column {
				return []page.Column{page.Col("Name", page.T(cmp.Or(m.Name, m.Email))).By("name"),
					page.Col("E-mail", page.T(m.Email)).By("email"),
					page.Col("Role", page.Word(page.Words(string(m.Role)))).By("role"),
					page.Col("Status", memberBadge(m)), page.Minor("Second factor", page.YesNo(m.SecondFactor)),
					page.Minor("Last signed in", page.At(m.SignedInAt)).By("in")}
			},
			New: []page.Go{{Label: "What roles may do", Path: "/roles"},
				{Label: "Invite somebody", Path: "/new/users", Primary: true}}},
		page.Record[identity.Member]{Path: "/users/{id}", Permission: "users:read", Where: page.InControl,
			Load: loadMember, Show: showMember, Actions: memberActions()},
		page.Record[identity.Invitation]{Path: "/invitations/{id}", Permission: "users:read", Where: page.InControl,
			Crumbs: crumb("Users", "/users"), Load: loadInvitation,
			Show: func(c *page.Ctx, i identity.Invitation) (page.Sheet, error) {
				return page.Sheet{Title: i.Email, Badges: []page.Value{page.Badge("Invited", page.Calm)},
					Parts: []page.Part{page.Facts{Title: "Invitation", Facts: []page.Fact{
						{Label: "Name", Value: page.T(i.Name)},
						{Label: "Role", Value: page.Word(page.Words(string(i.Role)))},
						{Label: "Sent", Value: page.At(i.CreatedAt)},
						{Label: "Valid until", Value: page.At(i.ExpiresAt)}}}}}, nil
			},
			Actions: []page.Action[identity.Invitation]{
				{Name: "withdraw", Label: "Withdraw", Tone: page.Bad, Confirm: "The link in the letter stops working.",
					Do: func(c *page.Ctx, i identity.Invitation) (page.Done, error) {
						return page.Went("/users", "The invitation is withdrawn."),
							identity.Withdraw(c.Tx, c.Visitor.Company, i.ID)
					}}}},
		o.invite(), roles(),
	}
}

func memberBadge(m member) page.Value {
	switch {
	case m.invitation.ID != "":
		return page.Badge("Invited", page.Calm)
	case m.IsMember && m.IsActive:
		return page.Badge("Active", page.Good)
	}
	return page.Badge("Shut out", page.Plain)
}

func memberHref(m member) string {
	if m.invitation.ID != "" {
		return page.Path("invitations", m.invitation.ID)
	}
	return page.Path("users", m.ID)
}

func findMembers(c *page.Ctx, q page.Query) (record.Found[member], error) {
	members, err := identity.Members(c.Tx, c.Visitor.Company)
	if err != nil {
		return record.Found[member]{}, err
	}
	invited, err := identity.Invitations(c.Tx, c.Visitor.Company)
	if err != nil {
		return record.Found[member]{}, err
	}
	all := each.Of(members, func(m identity.Member) member { return member{Member: m} })
	for _, i := range invited {
		all = append(all, member{identity.Member{User: identity.User{Email: i.Email, Name: i.Name}, Role: i.Role}, i})
	}
	all = page.Narrow(all, q, func(m member) []string { return []string{m.Name, m.Email} })
	return page.Cut(page.Ordered(all, q, map[string]func(a, b member) int{
		"name":  func(a, b member) int { return cmp.Compare(record.Fold(a.Name), record.Fold(b.Name)) },
		"email": func(a, b member) int { return cmp.Compare(record.Fold(a.Email), record.Fold(b.Email)) },
		"role":  func(a, b member) int { return cmp.Compare(a.Role, b.Role) },
		"in":    func(a, b member) int { return cmp.Compare(a.SignedInAt, b.SignedInAt) },
	}), q), nil
}

func loadMember(c *page.Ctx) (identity.Member, error) {
	return identity.FindMember(c.Tx, c.Visitor.Company, c.Path("id"))
}

func loadInvitation(c *page.Ctx) (identity.Invitation, error) {
	invited, err := identity.Invitations(c.Tx, c.Visitor.Company)
	if err != nil {
		return identity.Invitation{}, err
	}
	for _, i := range invited {
		if i.ID == c.Path("id") {
			return i, nil
		}
	}
	return identity.Invitation{}, errNoInvitation.Because("this invitation was accepted, withdrawn, or has run out")
}

func showMember(c *page.Ctx, m identity.Member) (page.Sheet, error) {
	title := cmp.Or(m.Name, m.Email)
	return page.Sheet{Title: title, Subtitle: m.Email, Badges: []page.Value{memberBadge(member{Member: m})},
		Parts: []page.Part{page.Facts{Title: "User", Facts: []page.Fact{
			{Label: "Role", Value: page.Word(page.Words(string(m.Role)))},
			{Label: "Second factor", Value: page.YesNo(m.SecondFactor)},
			{Label: "Last signed in", Value: page.At(m.SignedInAt)},
			{Label: "Language", Value: page.T(languageName(m.Language))}}}}}, nil
}

func memberActions() []page.Action[identity.Member] {
	role := page.Ask(page.Action[identity.Member]{Name: "role", Label: "Change the role",
		When: func(m identity.Member) bool { return m.IsMember }},
		func(_ *page.Ctx, m identity.Member) (identity.Role, error) { return m.Role, nil },
		func(_ *page.Ctx, _ identity.Member, r *identity.Role) []page.Field {
			return []page.Field{page.Radio("role", "Role", r, page.Options(identity.Role("").Values())).Required()}
		},
		func(c *page.Ctx, m identity.Member, r identity.Role) (page.Done, error) {
			return page.Did("The role is changed."), identity.ChangeRole(c.Tx, c.Visitor.Company, m.ID, r)
		})
	return []page.Action[identity.Member]{role,
		{Name: "reactivate", Label: "Let in again", Tone: page.Primary,
			When: func(m identity.Member) bool { return !m.IsMember },
			Do: func(c *page.Ctx, m identity.Member) (page.Done, error) {
				return page.Did("The user may come in again."), identity.Reactivate(c.Tx, c.Visitor.Company, m.ID)
			}},
		{Name: "deactivate", Label: "Shut out", Tone: page.Bad,
			When:    func(m identity.Member) bool { return m.IsMember },
			Confirm: "The user cannot work in this company any more, at once. What they did stays in the log.",
			Do: func(c *page.Ctx, m identity.Member) (page.Done, error) {
				return page.Did("The user is shut out."), identity.Deactivate(c.Tx, c.Visitor.Company, m.ID)
			}}}
}

// invite asks somebody to work in the company.
func (o Office) invite() page.Page {
	return page.Form[identity.Invited]{Path: "/new/users", Title: "Invite somebody", Permission: "users:write",
		Where: page.Outside, Settles: true, Submit: "Send the invitation",
		Load: func(c *page.Ctx) (identity.Invited, error) {
			return identity.Invited{Role: identity.Viewer, Language: c.Language()}, nil
		},
		Fields: func(_ *page.Ctx, i *identity.Invited) []page.Field {
			return []page.Field{page.Email("email", "E-mail", &i.Email).Required(), page.Text("name", "Name", &i.Name),
				page.Radio("role", "Role", &i.Role, page.Options(identity.Role("").Values())).Required(),
				page.Select("language", "Language of the letter", &i.Language, languages())}
		},
		Save: page.Made(identity.Invited{Role: identity.Viewer}, func(c *page.Ctx,
			i identity.Invited) (page.Done, error) {
			i.CompanyID = c.Visitor.Company
			made, err := o.Entrance.Invite(c.Context(), c.AsVisitor(), i)
			done := page.Went("/users", "An invitation is on its way to %s.", i.Email)
			if err == nil && o.InvitationByHand != nil {
				done.Card = &page.Card{Title: "The invitation is made",
					Lead: "There is no mail server, so its letter waits. Give %s this address, which lets them in:",
					Args: []any{i.Email}, Secret: o.InvitationByHand(made.Token),
					Facts: []page.Fact{{Label: "Valid until", Value: page.At(made.ExpiresAt)}},
					Links: []page.Link{{Label: "Done", Href: "/users"}}}
			}
			return done, err
		})}
}

// roles shows what each role may do: the list that the office, the API and connections go by.
func roles() page.Page {
	return page.Record[[]identity.Permission]{Path: "/roles", Permission: "users:read", Where: page.InControl,
		Crumbs: crumb("Users", "/users"), Load: func(*page.Ctx) ([]identity.Permission,
			error) {
			return identity.Permissions(), nil
		},
		Show: func(c *page.Ctx, all []identity.Permission) (page.Sheet, error) {
			grid := page.Grid{Heads: []string{"Permission", "Meaning"}}
			values := identity.Role("").Values()
			for _, r := range values {
				grid.Heads = append(grid.Heads, page.Words(string(r)))
			}
			for _, p := range all {
				row := []page.Value{page.T(p.Name), page.Word(p.Doc)}
				for _, r := range values {
					may := page.Badge("Yes", page.Good).If(r.Permits(p.Name))
					row = append(row, may)
				}
				grid.Rows = append(grid.Rows, row)
			}
			return page.Sheet{Title: c.Say("What roles may do"), Parts: []page.Part{grid}}, nil
		}}
}
