package command

import (
	"context"
	"fmt"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
)

type verifyCommand struct {
	Company string `help:"Code or id of the one company to check; all if left out."`
}

// errDiffers is the outcome of a verification that found something.
var errDiffers = fault.New(fault.Conflict, "Verify.Differs")

// finding is one difference.
type finding struct {
	Company string `json:"company"`
	Finding string `json:"finding"`
}

// ReadsOnly says that it changes nothing.
func (*verifyCommand) ReadsOnly() {}

// Run checks the books and prints every difference as it is found.
func (c *verifyCommand) Run(ctx context.Context, env *Env) error {
	companies, err := companiesOf(ctx, env, c.Company)
	if err != nil {
		return err
	}
	found := []finding{}
	for _, company := range companies {
		before := len(found)
		err := env.App.Verify(ctx, company, func(text string) {
			found = append(found, finding{company.Code, text})
			if !env.JSON {
				fmt.Fprintf(env.Stdout, "%s: %s\n", company.Code, text)
			}
		})
		if err != nil {
			return fmt.Errorf("company %s: %w", company.Code, err)
		}
		if len(found) == before && !env.JSON {
			fmt.Fprintf(env.Stdout, "%s: no differences\n", company.Code)
		}
	}
	if env.JSON {
		if err := env.Print(map[string]any{"companies": len(companies), "differences": found}, ""); err != nil {
			return err
		}
	}
	if len(found) > 0 {
		return errDiffers.Because("the books are not as their sources say; differences: %d", len(found))
	}
	return nil
}

// companiesOf are the one company that is named by code or id, or all that are active.
func companiesOf(ctx context.Context, env *Env, one string) ([]identity.Company, error) {
	if one != "" {
		c, err := env.App.Company(ctx, one)
		return []identity.Company{c}, err
	}
	all, err := env.App.Companies(ctx)
	return each.Where(all, func(c identity.Company) bool { return c.Status == identity.Active }), err
}
