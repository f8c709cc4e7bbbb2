// The first sale, with the client of ogen: an item, a customer, stock, an order, its shipment, and what is refused.
package main

import (
	"context"
	"log"
	"os"

	made "clients/made/ogenpreview"

	"github.com/google/uuid"
	"github.com/ogen-go/ogen/ogenerrors"
	"github.com/shopspring/decimal"
)

// key lets the client in.
type key string

func (k key) ApiKey(context.Context, made.OperationName) (made.ApiKey, error) {
	return made.ApiKey{APIKey: string(k)}, nil
}

func (key) OAuth2(context.Context, made.OperationName) (made.OAuth2, error) {
	return made.OAuth2{}, ogenerrors.ErrSkipClientSecurity
}

func main() {
	log.SetFlags(0)
	api, err := made.NewClient(os.Getenv("KONTOR"), key(os.Getenv("KONTOR_KEY")))
	must(err)
	ctx := context.Background()

	item := got[*made.ItemDetailHeaders](api.CreateItem(ctx,
		&made.NewItem{ItemNumber: made.NewOptNilString("OGEN-1"), Name: "Hammer", SalesPrice: price("12.50")},
		made.CreateItemParams{IdempotencyKey: uuid.NewString()})).Response
	customer := got[*made.CustomerHeaders](api.CreateCustomer(ctx,
		&made.NewCustomer{Name: "Bolt Ltd", CountryCode: made.NewOptNilString("SE")},
		made.CreateCustomerParams{IdempotencyKey: uuid.NewString()})).Response
	got[*made.InventoryTransactionHeaders](api.CreateInventoryAdjustment(ctx, &made.NewAdjustment{
		WarehouseCode: "MAIN", LocationCode: "A-01", ItemNumber: item.ItemNumber, Quantity: decimal.NewFromInt(10),
	}, made.CreateInventoryAdjustmentParams{IdempotencyKey: uuid.NewString()}))
	order := got[*made.OrderHeaders](api.CreateOrder(ctx, &made.NewOrder{
		CustomerNumber: customer.CustomerNumber,
		OrderTypeCode:  made.NewOptNilString("WEB"),
		Lines: []made.NewOrderLine{{
			ItemNumber: made.NewOptNilString(item.ItemNumber), Quantity: decimal.NewFromInt(3)}},
	}, made.CreateOrderParams{IdempotencyKey: uuid.NewString()})).Response
	is("total", order.TotalAmount.StringFixed(2), "37.50")
	is("reserved", order.Lines[0].AllocatedQuantity.String(), "3")
	shipment := got[*made.ShipmentDetailHeaders](api.CreateShipment(ctx,
		&made.CreateShipmentRequest{OrderNumbers: []string{order.OrderNumber}},
		made.CreateShipmentParams{IdempotencyKey: uuid.NewString()})).Response
	is("shipped lines", len(shipment.Lines), 1)
	again := got[*made.GetItemOKHeaders](api.GetItem(ctx, made.GetItemParams{ItemNumber: "ogen-1"})).Response
	is("item again", again.ItemNumber, item.ItemNumber)
	got[*made.GetOrderNotFound](api.GetOrder(ctx, made.GetOrderParams{OrderNumber: "none"}))
}

func price(text string) made.OptNilStringDecimal {
	return made.NewOptNilStringDecimal(decimal.RequireFromString(text))
}

// got is the answer as what it should be.
func got[T any](answer any, err error) T {
	must(err)
	t, ok := answer.(T)
	if !ok {
		log.Fatalf("answered %T %+v", answer, answer)
	}
	return t
}

func is(what string, got, want any) {
	if got != want {
		log.Fatalf("%s: %v, want %v", what, got, want)
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
