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
			rest.List("listWorkOrders", "/work-orders", "Work orders, newest first.", listWorkOrders).Cached(),
			rest.Get("getWorkOrder", "/work-orders/{workOrderNumber}", "One work order.", getWorkOrder).
				Raises(production.ErrNotFound).CachedOne(production.Orders),
		}}
}

// WorkOrder is work to be done: goods to be made, mostly.
type WorkOrder struct {
	rest.Tag
	WorkOrderNumber       string              `json:"workOrderNumber"`
	Title                 rest.Text           `json:"title"`
	Description           rest.Text           `json:"description"`
	Type                  production.Type     `json:"type"`
	Status                production.Status   `json:"status"`
	Priority              production.Priority `json:"priority"`
	OutputItemNumber      rest.Text           `json:"outputItemNumber" doc:"Null for service and project."`
	PlannedOutputQuantity dec.Dec             `json:"plannedOutputQuantity" doc:"In the item's base unit."`
	ProducedQuantity      dec.Dec             `json:"producedQuantity" doc:"Good pieces, in the item's base unit."`
	PlannedStart          rest.Time           `json:"plannedStart"`
	PlannedEnd            rest.Time           `json:"plannedEnd"`
	ActualStart           rest.Time           `json:"actualStart"`
	ActualEnd             rest.Time           `json:"actualEnd"`
	CustomerNumber        rest.Text           `json:"customerNumber"`
	SalesOrderNumber      rest.Text           `json:"salesOrderNumber"`
	WarehouseCode         rest.Text           `json:"warehouseCode"`
	CreatedDate           db.Time             `json:"createdDate"`
	Links                 rest.Links          `json:"links"`
}

func workOrderShown(o production.Order) WorkOrder {
	return WorkOrder{Tag: rest.Tag{Value: o.ETag()}, WorkOrderNumber: o.Number, Title: rest.Text(o.Title),
		Description: rest.Text(o.Description), Type: o.Type, Status: o.Status, Priority: o.Priority,
		OutputItemNumber: rest.Text(o.Item), PlannedOutputQuantity: o.Planned, ProducedQuantity: o.Produced,
		PlannedStart: rest.Time(o.PlannedFrom), PlannedEnd: rest.Time(o.PlannedTo), ActualStart: rest.Time(o.Began),
		ActualEnd: rest.Time(o.Ended), CustomerNumber: rest.Text(o.CustomerNumber),
		SalesOrderNumber: rest.Text(o.OrderNumber), WarehouseCode: rest.Text(o.Warehouse), CreatedDate: o.CreatedAt,
		Links: rest.Self("/preview/work-orders/", o.Number)}
}

type listWorkOrdersIn struct {
	rest.Paging
	Search           string            `query:"search" doc:"Part of number or title."`
	Status           production.Status `query:"status"`
	Type             production.Type   `query:"type"`
	OutputItemNumber string            `query:"outputItemNumber" doc:"Number of the item that is made."`
}

func listWorkOrders(tx *db.Tx, in listWorkOrdersIn) (rest.Paged[WorkOrder], error) {
	f := production.Filter{Search: in.Search, Status: in.Status, Type: in.Type, Item: in.OutputItemNumber}
	found, err := production.List(tx, f, in.Record())
	return rest.PageOf(found, in.Paging, workOrderShown), err
}

type workOrderIn struct {
	WorkOrderNumber string `path:"workOrderNumber" doc:"Number of the work order."`
}

func getWorkOrder(tx *db.Tx, in workOrderIn) (WorkOrder, error) {
	o, err := production.Find(tx, in.WorkOrderNumber)
	return workOrderShown(o), err
}
