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
		preview.NewItem{ItemNumber: new("OAPI-1"), Name: "Hammer", SalesPrice: new("12.50")})
	is("item", err, nil)
	is("item", item.StatusCode(), http.StatusCreated)
	customer, err := api.CreateCustomerWithResponse(ctx, &preview.CreateCustomerParams{IdempotencyKey: key()},
		preview.NewCustomer{Name: "Bolt Ltd"})
	is("customer", err, nil)
	is("customer", customer.StatusCode(), http.StatusCreated)
	stock, err := api.CreateInventoryAdjustmentWithResponse(ctx,
		&preview.CreateInventoryAdjustmentParams{IdempotencyKey: key()},
		preview.NewAdjustment{WarehouseCode: "MAIN", LocationCode: "A-01", ItemNumber: "OAPI-1", Quantity: "10"})
	is("stock", err, nil)
	is("stock", stock.StatusCode(), http.StatusCreated)
	order, err := api.CreateOrderWithResponse(ctx, &preview.CreateOrderParams{IdempotencyKey: key()},
		preview.NewOrder{CustomerNumber: customer.JSON201.CustomerNumber, OrderTypeCode: new("WEB"),
			Lines: []preview.NewOrderLine{{ItemNumber: new("OAPI-1"), Quantity: "3"}}})
	is("order", err, nil)
	is("order", order.StatusCode(), http.StatusCreated)
	is("total", order.JSON201.TotalAmount, "37.50")
	is("reserved", order.JSON201.Lines[0].AllocatedQuantity, "3")
	shipment, err := api.CreateShipmentWithResponse(ctx, &preview.CreateShipmentParams{IdempotencyKey: key()},
		preview.CreateShipmentRequest{OrderNumbers: []string{order.JSON201.OrderNumber}})
	is("shipment", err, nil)
	is("shipment", shipment.StatusCode(), http.StatusCreated)
	found, err := api.GetItemWithResponse(ctx, "oapi-1", nil)
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
