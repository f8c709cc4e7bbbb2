package command

import (
	"context"
	"fmt"
	"time"
)

type searchFamily struct {
	Rebuild searchRebuild `cmd:"" help:"Throw the search indexes of stores away and make them anew."`
}

type searchRebuild struct {
	Company string `help:"Code or id of the one company; all if left out."`
}

// rebuilt is an index that was made.
type rebuilt struct {
	Company  string `json:"company"`
	Channel  string `json:"channel"`
	Products int    `json:"products"`
	Millis   int64  `json:"milliseconds"`
}

// Run makes the indexes anew and says how many products each holds.
func (c *searchRebuild) Run(ctx context.Context, env *Env) error {
	companies, err := companiesOf(ctx, env, c.Company)
	if err != nil {
		return err
	}
	all := []rebuilt{}
	for _, company := range companies {
		err := env.App.Indexes().Rebuild(ctx, company.ID, func(code string, products int, took time.Duration) {
			all = append(all, rebuilt{company.Code, code, products, took.Milliseconds()})
			if !env.JSON {
				fmt.Fprintf(env.Stdout, "%s: channel %s, %d products in %s\n", company.Code, code, products,
					took.Round(time.Millisecond))
			}
		})
		if err != nil {
			return fmt.Errorf("company %s: %w", company.Code, err)
		}
	}
	if env.JSON {
		return env.Print(map[string]any{"indexes": all}, "")
	}
	return nil
}
