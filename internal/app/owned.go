package app

import (
	"kontor/internal/business/assortment"
	"kontor/internal/business/cart"
	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/checkout"
	"kontor/internal/business/content"
	"kontor/internal/business/freight"
	"kontor/internal/business/media"
	"kontor/internal/business/party"
	"kontor/internal/business/pricing"
	"kontor/internal/business/promotion"
	"kontor/internal/business/reference"
	"kontor/internal/business/review"
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// locks tells the store in which order rows are locked that several documents share. What is only locked behind others
// that stand here, such as the lines of an order, needs no place of its own. Money that goes back to gift cards comes
// behind the number of its credit note, and the payment of an order, which nobody else has than its order, near the
// end. The items of goods that come in where there were none are held behind their level: who changes such an item at
// that moment may wait in a circle with it.
func locks(s *db.Store) {
	s.LocksInOrder("customer", "cart", "sales_return", "shipment", "purchase_order", "goods_receipt", "transfer",
		"inventory_count", "sales_order", "work_order", "record.Table item.ReferMany", "item", "supplier", "channel",
		"redirect", "discount_code", "gift_card", "payment", "stock.removeHolds", "stock.removeHolds expired",
		"stock.removeExpired", "stock_level", "configuration", "invoice", "number_series", "promotion.cardsOf",
		"checkout.lockOrderPayment", "stock.shareItems")
}

// owns tells the store which tables the resources consist of that values are remembered on: where a test is told of
// doubts, what is remembered is held against what was read. It also says of which tables a company has few rows: its
// settings, and what people set up by hand.
func owns(s *db.Store) {
	s.Own(db.Reference, reference.Tables().And(channel.Channels.Tables()).And(pricing.Lists.Tables()).
		And(freight.Rates.Tables()))
	for _, r := range []record.Resource{
		catalog.Items, catalog.Brands, catalog.Categories, catalog.Attributes, channel.Channels, channel.Publications,
		channel.Redirects, pricing.Lists, pricing.Lines, stock.LevelRows, stock.LevelStatus, sales.Orders,
		party.Resource, media.Assets, promotion.Codes, promotion.Cards, freight.Rates, checkout.Methods,
		assortment.Synonyms, cart.Rows,
		storefront.Sessions, review.Reviews, content.Pages, content.Articles,
	} {
		s.Own(r.Name, r.Tables())
	}
	s.HasFew("attribute", "canned_answer", "channel", "company_default", "company_profile",
		"company_state", "currency", "currency_rate", "customer_group", "delivery_term", "freight_rate", "item_group",
		"order_type", "payment_method", "payment_term", "price_list", "price_list_target", "search_synonym",
		"service_level", "shipping_method", "supplier_contact", "tax_code", "tax_rate", "ticket_queue", "unit",
		"warehouse", "warehouse_location")
}
