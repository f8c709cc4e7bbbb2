// The first sale, with the client of oapi-codegen.
package main

import (
	"context"
	"log"
	"net/http"
	"os"

	"clients/made/preview"

	"github.com/google/uuid"
)

func main() {
	log.SetFlags(0)
	api, err := preview.NewClientWithResponses(os.Getenv("KONTOR"),
		preview.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
			r.Header.Set("X-Api-Key", os.Getenv("KONTOR_KEY"))
			return nil
		}))
	is("client", err, nil)
	ctx := context.Background()
	item, err := api.CreateItemWithResponse(ctx, &preview.CreateItemParams{IdempotencyKey: key()},
		preview.NewItem{ItemNumber: new("G-1"), Name: "Hammer"})
	is("item", err, nil)
	is("item", item.StatusCode(), http.StatusCreated)
	customer, err := api.CreateCustomerWithResponse(ctx, &preview.CreateCustomerParams{IdempotencyKey: key()},
		preview.NewCustomer{Name: "Bolt Ltd"})
	is("customer", err, nil)
	is("customer", customer.StatusCode(), http.StatusCreated)
	found, err := api.GetItemWithResponse(ctx, "g-1", nil)
	is("item again", err, nil)
	is("item again", found.JSON200.ItemNumber, item.JSON201.ItemNumber)
	none, err := api.GetOrderWithResponse(ctx, "none", nil)
	is("no order", err, nil)
	is("no order", none.StatusCode(), http.StatusNotFound)
}

func key() string { return uuid.NewString() }

func is(what string, got, want any) {
	if got != want {
		log.Fatalf("%s: %v, want %v", what, got, want)
	}
}
