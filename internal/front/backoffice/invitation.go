package backoffice

import (
	"net/http"

	"kontor/internal/business/identity"
	"kontor/internal/front/page"
)

type acceptance struct{ name, password string }

func (a *acceptance) card(token string, i identity.Invitation) page.Card {
	c := page.Card{Title: "Welcome", Lead: "You are invited to work in %s.", Args: []any{i.CompanyName},
		Action: "/invitation", Hidden: [][2]string{{"token", token}},
		Facts: []page.Fact{{Label: "E-mail", Value: page.T(i.Email)},
			{Label: "Role", Value: page.Word(page.Words(string(i.Role)))}},
		Buttons: []page.Button{{Label: "Accept"}}}
	if i.Known {
		c.Lead = "You are invited to work in %s. You sign in with the password you have."
		return c
	}
	a.name = i.Name
	c.Fields = []page.Field{
		page.Text("name", "Your name", &a.name).Required().Auto("name"),
		page.Password("password", "Password", &a.password).Required().Auto("new-password").
			Hint("At least 10 characters."),
	}
	return c
}

func (o Office) showInvitation(s *page.Site, w http.ResponseWriter, r *http.Request) error {
	token := r.URL.Query().Get("token")
	i, err := o.Entrance.OpenInvitation(r.Context(), o.attempt(w, r), token)
	if err != nil {
		return staleLink(s, w, r, err)
	}
	s.Card(w, r, new(acceptance).card(token, i))
	return nil
}

func (o Office) accept(s *page.Site, w http.ResponseWriter, r *http.Request) error {
	token := r.PostForm.Get("token")
	i, err := o.Entrance.OpenInvitation(r.Context(), o.attempt(w, r), token)
	if err != nil {
		return staleLink(s, w, r, err)
	}
	a := acceptance{}
	return s.Answer(w, r, a.card(token, i), func() (*page.Card, string, error) {
		in, err := o.Entrance.Accept(r.Context(), o.attempt(w, r), token, a.name, a.password)
		if err == nil && in.Token == "" {
			return nil, "/sign-in", nil
		}
		return nil, "/", o.admit(w, r, in, err)
	})
}
