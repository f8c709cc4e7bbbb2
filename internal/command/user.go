package command

import (
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/term"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
)

type userFamily struct {
	Create userCreate `cmd:"" help:"Let a person in to a company."`
}

type userCreate struct {
	Email    string `required:"" help:"Mail address to sign in with."`
	Password string `help:"At least 10 characters; asked for on a terminal if left out. Not given for a person who is known already."`
	Name     string `help:"Name of the person."`
	Company  string `required:"" help:"Code or id of the company."`
	Role     string `required:"" enum:"admin,sales,purchasing,warehouse,finance,support,viewer" help:"One of ${enum}."`
}

// Ask asks for the password where a person can answer.
func (c *userCreate) Ask(env *Env) (map[string]string, error) {
	return askPassword(env, "Password (empty for a person who is known already): ", &c.Password)
}

// askPassword asks twice for a password that was not given, since nobody sees what is typed.
func askPassword(env *Env, prompt string, into *string) (map[string]string, error) {
	if *into != "" || !env.Terminal || !term.IsTerminal(int(os.Stdin.Fd())) {
		return nil, nil
	}
	first, err := secret(env, prompt)
	if err != nil || first == "" {
		return nil, err
	}
	second, err := secret(env, "Once more: ")
	if err == nil && first != second {
		err = errors.New("the two passwords differ; nothing was done")
	}
	*into = first
	return map[string]string{"KONTOR_PASSWORD": first}, err
}

func secret(env *Env, prompt string) (string, error) {
	fmt.Fprint(env.Stderr, prompt)
	b, err := term.ReadPassword(int(os.Stdin.Fd()))
	fmt.Fprintln(env.Stderr)
	return string(b), err
}

// Run creates the user.
func (c *userCreate) Run(ctx context.Context, env *Env) error {
	company, err := env.App.Company(ctx, c.Company)
	if err != nil {
		return err
	}
	n := identity.NewUser{Email: c.Email, Name: c.Name, CompanyID: company.ID, Role: identity.Role(c.Role)}
	if c.Password != "" {
		if n.PasswordHash, err = env.App.Hasher.Hash(ctx, c.Password); err != nil {
			return err
		}
	}
	var u identity.User
	err = env.App.Control(ctx, db.Into(&u,
		func(tx *db.Tx) (identity.User, error) { return identity.CreateUser(tx, n) }))
	if err != nil {
		return err
	}
	return env.Print(map[string]any{"userId": u.ID, "email": u.Email, "companyId": company.ID, "role": c.Role},
		"userId: %s\n", u.ID)
}
