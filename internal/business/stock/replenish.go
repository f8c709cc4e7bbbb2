package stock

// Importance says how much it matters that an item is in stock in a warehouse.
type Importance string

// The grades of importance.
const (
	Critical     Importance = "Critical"
	Standard     Importance = "Standard"
	Accessory    Importance = "Accessory"
	SpecialOrder Importance = "SpecialOrder"
)

// Values are the values of the type, in the order they are shown.
func (Importance) Values() []Importance {
	return []Importance{Critical, Standard, Accessory, SpecialOrder}
}

// SupplyPolicy says whether goods are kept ready or are got for an order.
type SupplyPolicy string

// The policies of supply.
const (
	ToStock SupplyPolicy = "ToStock"
	ToOrder SupplyPolicy = "ToOrder"
)

// Values are the values of the type, in the order they are shown.
func (SupplyPolicy) Values() []SupplyPolicy { return []SupplyPolicy{ToStock, ToOrder} }

// LotSizing says how much is replenished at once.
type LotSizing string

// The ways of sizing a lot.
const (
	LotForLot            LotSizing = "LotForLot"
	FixedReorderQuantity LotSizing = "FixedReorderQuantity"
	FillToMax            LotSizing = "FillToMax"
)

// Values are the values of the type, in the order they are shown.
func (LotSizing) Values() []LotSizing {
	return []LotSizing{LotForLot, FixedReorderQuantity, FillToMax}
}
