package identity

import (
	"context"
	"slices"
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/throttle"
)

// Invited is who is asked to work in a company.
type Invited struct {
	CompanyID, Email, Name string
	Role                   Role
	Language               string // of the letter
}

// Invitation is one that was not accepted yet.
type Invitation struct {
	ID, CompanyID, CompanyName string
	Email, Name                string
	Role                       Role
	// Known is true where somebody has the address already: accepting asks for no password then.
	Known                bool
	CreatedAt, ExpiresAt db.Time
	// Token opens the invitation. Whoever makes it is told once; it is not kept.
	Token string
}

func invitationOf(t ticket) Invitation {
	return Invitation{ID: t.ID, CompanyID: t.CompanyID, CompanyName: t.companyName, Email: t.Email, Name: t.Name,
		Role: t.Role, Known: t.known, CreatedAt: t.CreatedAt, ExpiresAt: t.ExpiresAt}
}

// Invitations are the open invitations to a company, the newest first.
func Invitations(tx *db.Tx, companyID string) ([]Invitation, error) {
	tickets, err := invitationsOf(tx, companyID)
	return each.Of(tickets, invitationOf), err
}

// Invite asks somebody to work in a company, or asks them again: only the newest letter works. r says who invites. It
// refuses with User.Invalid naming every wrong field, and with User.AlreadyExists.
func (e *Entrance) Invite(ctx context.Context, r db.Request, n Invited) (i Invitation, err error) {
	var l Letter
	if _, err := e.guard.Spend(ctx, &throttle.Invitation,
		throttle.Who{Account: emailKey(n.Email), Company: n.CompanyID}); err != nil {
		return i, err
	}
	err = e.control(ctx, r, true, func(tx *db.Tx) error {
		t, secret, err := invite(tx, n)
		if err != nil {
			return err
		}
		i = invitationOf(t)
		i.Token = secret
		l = Letter{Purpose: string(forInvitation), CompanyID: t.CompanyID, Email: t.Email, Name: t.Name,
			Language: n.Language, Token: secret, By: tx.Actor.Name, ExpiresAt: t.ExpiresAt}
		return nil
	})
	if err != nil {
		return i, err
	}
	return i, e.post(ctx, l)
}

func invite(tx *db.Tx, n Invited) (t ticket, secret string, err error) {
	if err := checkNewcomer(&n.Email, &n.Name, n.Role); err != nil {
		return t, "", err
	}
	u, known, err := findUser(tx, n.Email)
	if err != nil {
		return t, "", err
	}
	if known {
		m, err := FindMember(tx, n.CompanyID, u.ID)
		switch {
		case err == nil && m.IsMember:
			return t, "", ErrUserExists.Because("%s is a user of this company already", u.Email)
		case err == nil:
			return t, "",
				ErrUserExists.Because("%s is a user of this company whom you deactivated: activate them again instead",
					u.Email)
		case !fault.Is(err, ErrUserNotFound):
			return t, "", err
		}
	}
	if err := dropInvitations(tx, n.CompanyID, n.Email); err != nil {
		return t, "", err
	}
	t, secret, err = issue(tx, ticket{Purpose: forInvitation, CompanyID: n.CompanyID, Email: n.Email, Name: n.Name,
		Role: n.Role})
	if err != nil {
		return t, "", err
	}
	return t, secret, note(tx, n.CompanyID, "users", n.Email, "invite", map[string]any{"role": n.Role})
}

// Withdraw takes an invitation back. It refuses with Invitation.NotFound.
func Withdraw(tx *db.Tx, companyID, id string) error {
	all, err := Invitations(tx, companyID)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(all, func(i Invitation) bool { return i.ID == id })
	if at < 0 {
		return ErrInvitationNotFound.Because("there is no such open invitation: it was accepted or taken back")
	}
	if _, err := useTicket(tx, id); err != nil {
		return err
	}
	return note(tx, companyID, "users", all[at].Email, "withdraw-invitation", nil)
}

// OpenInvitation is what a letter asks for, to be shown before it is accepted. It refuses with Auth.TicketInvalid and
// Auth.TooManyAttempts.
func (e *Entrance) OpenInvitation(ctx context.Context, k Attempt, token string) (i Invitation, err error) {
	err = e.read(ctx, db.Into(&i, func(tx *db.Tx) (Invitation, error) { return openInvitation(tx, token) }))
	return i, e.missed(ctx, k, err)
}

func openInvitation(tx *db.Tx, token string) (Invitation, error) {
	t, err := present(tx, forInvitation, token)
	if err == nil && t.status != string(Active) {
		err = errTicket(forInvitation)
	}
	if err != nil {
		return Invitation{}, err
	}
	return invitationOf(t), nil
}

// Accept takes an invitation up. Somebody new gives a name and a password and is let in. Who is known already signs in
// as ever afterwards: Admitted is empty then. It refuses with Auth.TicketInvalid and User.Invalid.
func (e *Entrance) Accept(ctx context.Context, k Attempt, token, name, password string) (a Admitted, err error) {
	i, err := e.OpenInvitation(ctx, k, token)
	if err != nil {
		return a, err
	}
	hash := ""
	if !i.Known {
		if hash, err = e.hasher.Hash(ctx, password); err != nil {
			return a, err
		}
	}
	err = e.write(ctx, k, db.Actor{}, func(tx *db.Tx) error {
		a = Admitted{}
		if i, err = openInvitation(tx, token); err != nil {
			return err
		}
		used, err := useTicket(tx, i.ID)
		if err != nil || !used {
			return errTicket(forInvitation)
		}
		a, err = accept(tx, k, i, name, hash)
		return err
	})
	return a, err
}

func accept(tx *db.Tx, k Attempt, i Invitation, name, hash string) (a Admitted, err error) {
	u, known, err := findUser(tx, i.Email)
	if err != nil {
		return a, err
	}
	if !known {
		if name = strings.TrimSpace(name); name == "" {
			name = i.Name
		}
		if hash == "" { // known a moment ago, and gone since
			return a, errTicket(forInvitation)
		}
		if u, err = CreateUser(tx, NewUser{Email: i.Email, Name: name, PasswordHash: hash, CompanyID: i.CompanyID,
			Role: i.Role}); err != nil {
			return a, err
		}
		tx.Actor = u.Actor()
		return beginSession(tx, u, k, i.CompanyID)
	}
	joined, err := join(tx, u.ID, i.CompanyID, i.Role)
	if err == nil && !joined {
		err = rejoin(tx, i.CompanyID, u.ID, i.Role)
	}
	if err != nil {
		return a, err
	}
	tx.Actor = u.Actor()
	if err := note(tx, i.CompanyID, "users", u.Email, "accept-invitation", map[string]any{"role": i.Role}); err != nil {
		return a, err
	}
	return a, tx.Fire(Turned{})
}
