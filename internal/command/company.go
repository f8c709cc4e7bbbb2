package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
)

type companyFamily struct {
	Create companyCreate `cmd:"" help:"Create a company with its starter set."`
	List   companyList   `cmd:"" help:"List companies."`
	Delete companyDelete `cmd:"" help:"Delete a company and everything in it."`
	Clone  companyClone  `cmd:"" help:"Copy a company into a new one of environment Test."`
}

type companyCreate struct {
	Code        string `required:"" help:"Short code, such as acme; part of the shop's host name."`
	Name        string `required:"" help:"Name of the company."`
	Country     string `required:"" help:"Country, ISO 3166-1, such as SE."`
	Currency    string `required:"" help:"Base currency, ISO 4217, such as SEK."`
	Environment string `enum:"test,production,Test,Production" default:"test" help:"test or production."`
	TimeZone    string `help:"Time zone, such as Europe/Stockholm; the country's if left out."`
}

// companyAnswer names things as the APIs do.
type companyAnswer struct {
	CompanyID   string `json:"companyId"`
	Code        string `json:"code"`
	Name        string `json:"name"`
	Country     string `json:"countryCode"`
	Currency    string `json:"currencyCode"`
	Environment string `json:"environment"`
	TimeZone    string `json:"timeZone"`
	Status      string `json:"status"`
	Created     string `json:"createdDate"`
}

func answerOf(c identity.Company) companyAnswer {
	return companyAnswer{c.ID, c.Code, c.Name, c.Country, c.Currency, string(c.Environment), c.TimeZone,
		string(c.Status), c.CreatedAt.String()}
}

// Begins says that it may be the first to be called.
func (*companyCreate) Begins() {}

// Look refuses what no company can be before data is begun for it.
func (c *companyCreate) Look(context.Context, *Env) error { return identity.Check(c.company()) }

func (c *companyCreate) company() identity.Company {
	return identity.Company{Code: c.Code, Name: c.Name, Country: c.Country, Currency: c.Currency, TimeZone: c.TimeZone,
		Environment: identity.Environment(strings.ToUpper(c.Environment[:1]) + c.Environment[1:])}
}

// Run creates the company.
func (c *companyCreate) Run(ctx context.Context, env *Env) error {
	made, err := env.App.CreateCompany(ctx, c.company())
	if err != nil {
		return err
	}
	return env.Print(answerOf(made), "companyId: %s\n", made.ID)
}

type companyList struct{}

// ReadsOnly says that it changes nothing.
func (*companyList) ReadsOnly() {}

// Run lists the companies.
func (*companyList) Run(ctx context.Context, env *Env) error {
	all, err := env.App.Companies(ctx)
	if err != nil {
		return err
	}
	rows := tableOf("CODE\tNAME\tCOUNTRY\tCURRENCY\tENVIRONMENT\tSTATUS\tCOMPANY ID", all, func(c identity.Company) []any {
		return []any{c.Code, c.Name, c.Country, c.Currency, c.Environment, c.Status, c.ID}
	})
	return env.Print(map[string]any{"companies": each.Of(all, answerOf)}, "%s", rows)
}

// tableOf is a table with a row for each of all, in columns.
func tableOf[T any](heads string, all []T, row func(T) []any) string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, heads)
	for _, one := range all {
		cells := row(one)
		fmt.Fprintf(t, strings.Repeat("\t%v", len(cells))[1:]+"\n", cells...)
	}
	t.Flush()
	return b.String()
}

// errNotConfirmed keeps a company from being deleted by a typing error.
var errNotConfirmed = fault.New(fault.Invalid, "Company.NotConfirmed")

type companyDelete struct {
	Company string `arg:"" optional:"" help:"Code or id of the company."`
	Code    string `help:"The same, as a flag."`
	Confirm string `placeholder:"CODE" help:"The company's code once more: what is deleted is gone."`
}

// Validate refuses a command line that names no company.
func (c *companyDelete) Validate() error {
	if c.Company+c.Code == "" {
		return errors.New("name the company to delete: kontor company delete CODE --confirm CODE")
	}
	return nil
}

// Run deletes the company.
func (c *companyDelete) Run(ctx context.Context, env *Env) error {
	found, err := env.App.Company(ctx, cmp.Or(c.Company, c.Code))
	if err != nil {
		return err
	}
	if !strings.EqualFold(c.Confirm, found.Code) {
		return errNotConfirmed.Because("everything in %s (%s) would be gone for good: repeat with --confirm %s",
			found.Code, found.Name, found.Code)
	}
	if err := env.App.DeleteCompany(ctx, found); err != nil {
		return err
	}
	return env.Print(map[string]any{"companyId": found.ID, "deleted": true}, "deleted %s\n", found.Code)
}

type companyClone struct {
	Company string `required:"" help:"Code or id of the company to copy."`
	Code    string `required:"" help:"Code of the copy."`
	Name    string `help:"Name of the copy; the original's and \"(copy)\" if left out."`
}

// Run copies the company.
func (c *companyClone) Run(ctx context.Context, env *Env) error {
	from, err := env.App.Company(ctx, c.Company)
	if err != nil {
		return err
	}
	name := cmp.Or(c.Name, from.Name+" (copy)")
	made, err := env.App.CloneCompany(ctx, from, c.Code, name)
	if err != nil {
		return err
	}
	return env.Print(answerOf(made), "companyId: %s\n", made.ID)
}
