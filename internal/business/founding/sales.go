package founding

import (
	"strings"

	"kontor/internal/business/channel"
	"kontor/internal/business/pricing"
	"kontor/internal/foundation/db"
)

// shop is the company's price list and its first shop.
func shop(tx *db.Tx) error {
	_, err := pricing.Create(tx, pricing.List{Code: "BASE", Name: "Base prices", Type: pricing.Standard,
		CurrencyCode: tx.Info.Currency, IsActive: true, IsDefault: true, Priority: 100})
	if err != nil {
		return err
	}
	_, err = channel.Create(tx, channel.Channel{Code: "WEB", Name: "Web shop", Type: channel.WebShop,
		Domain: Domain(tx.Info.Code), CurrencyCode: tx.Info.Currency, WarehouseCode: "MAIN",
		PriceListCode: "BASE", OrderTypeCode: "WEB", IsActive: true, Countries: []string{tx.Info.Country}})
	return err
}

// Domain is the host name of a new company's first shop.
func Domain(code string) string { return "shop." + strings.ToLower(code) + ".test" }
