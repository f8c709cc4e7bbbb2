package preview

import (
	"kontor/internal/business/production"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/front/rest"
)

// WorkOrders are what the house makes, to be read.
func WorkOrders() rest.Group {
	return rest.Group{Tag: "WorkOrders", Scope: "work-orders",
		Doc: "Production and service work orders. They are made in the ERP: from lines made to order, from planning, by hand.",
		Ops: []rest.Op{
			rest.List("listWorkOrders", "/work-orders", "Work orders, newest first.",
				rest.Lists[listWorkOrdersIn](shownWorkOrder, production.List)).Cached(),
			rest.Get("getWorkOrder", "/work-orders/{workOrderNumber}", "One work order.", shownWorkOrder.Of(production.Find)).
				Raises(production.ErrNotFound).CachedOne(production.Orders),
		}}
}

// WorkOrder is work to be done: goods to be made, mostly.
type WorkOrder struct {
	rest.Tag
	WorkOrderNumber       string              `json:"workOrderNumber" of:"Number"`
	Title                 rest.Text           `json:"title"`
	Description           rest.Text           `json:"description"`
	Type                  production.Type     `json:"type"`
	Status                production.Status   `json:"status"`
	Priority              production.Priority `json:"priority"`
	OutputItemNumber      rest.Text           `json:"outputItemNumber" of:"Item" doc:"Null for service and project."`
	PlannedOutputQuantity dec.Dec             `json:"plannedOutputQuantity" of:"Planned" doc:"In the item's base unit."`
	ProducedQuantity      dec.Dec             `json:"producedQuantity" of:"Produced" doc:"Good pieces, in the item's base unit."`
	PlannedStart          rest.Time           `json:"plannedStart" of:"PlannedFrom"`
	PlannedEnd            rest.Time           `json:"plannedEnd" of:"PlannedTo"`
	ActualStart           rest.Time           `json:"actualStart" of:"Began"`
	ActualEnd             rest.Time           `json:"actualEnd" of:"Ended"`
	CustomerNumber        rest.Text           `json:"customerNumber"`
	SalesOrderNumber      rest.Text           `json:"salesOrderNumber" of:"OrderNumber"`
	WarehouseCode         rest.Text           `json:"warehouseCode" of:"Warehouse"`
	CreatedAt             db.Time             `json:"createdDate"`
	Links                 rest.Links          `json:"links" of:"Number" self:"/preview/work-orders/"`
}

var shownWorkOrder = rest.Shows(rest.Shown[WorkOrder, production.Order]())

type listWorkOrdersIn struct {
	rest.Paging
	Search           string            `query:"search" doc:"Part of number or title."`
	Status           production.Status `query:"status"`
	Type             production.Type   `query:"type"`
	OutputItemNumber string            `query:"outputItemNumber" of:"Item" doc:"Number of the item that is made."`
}
