package preview

import (
	"kontor/internal/business/replenishment"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/front/rest"
)

// planningOps are the planning run, to be read.
func planningOps() []rest.Op {
	return []rest.Op{rest.List("listPlanningProposals", "/planning/proposals",
		"Proposals of the planning run, by the day to order on: what to buy, transfer and make, with the reason and the numbers behind it. Worked out anew; a plan that took longer than a second is shown again for ten times as long.",
		listPlanningProposals).
		NoDelta("proposals are worked out, not kept").Extension()}
}

// PlanningProposal is something to order.
type PlanningProposal struct {
	ItemNumber                string                  `json:"itemNumber"`
	ItemName                  rest.Text               `json:"itemName"`
	WarehouseCode             string                  `json:"warehouseCode"`
	ProposalType              replenishment.Way       `json:"proposalType"`
	Quantity                  dec.Dec                 `json:"quantity" doc:"In the item's base unit; 0 where a warning says what is missing to propose anything."`
	OrderDate                 rest.Date               `json:"orderDate" doc:"The day to order on."`
	ExpectedDate              rest.Date               `json:"expectedDate" doc:"The day it comes on."`
	SupplierNumber            rest.Text               `json:"supplierNumber"`
	TransferFromWarehouseCode rest.Text               `json:"transferFromWarehouseCode"`
	Reason                    replenishment.Reason    `json:"reason"`
	ProjectedQuantity         dec.Dec                 `json:"projectedQuantity" doc:"Stock of that day without it."`
	TriggerQuantity           dec.Dec                 `json:"triggerQuantity" doc:"What projected stock fell below: the greater of safety stock and reorder point."`
	SafetyStock               dec.Dec                 `json:"safetyStock"`
	NeededQuantity            dec.Dec                 `json:"neededQuantity" doc:"Before it was rounded up to the supplier's minimum and multiple."`
	MinOrderQuantity          *dec.Dec                `json:"minOrderQuantity"`
	OrderMultiple             *dec.Dec                `json:"orderMultiple"`
	LeadTimeDays              int                     `json:"leadTimeDays"`
	LeadTimeSource            rest.Text               `json:"leadTimeSource" doc:"Where the lead time stands: Agreement, SupplierItem, ItemWarehouse, WarehouseTransport or Default."`
	Warnings                  []replenishment.Warning `json:"warnings"`
}

type listPlanningProposalsIn struct{ rest.Paging }

func listPlanningProposals(tx *db.Tx, in listPlanningProposalsIn) (rest.Paged[PlanningProposal], error) {
	board, err := replenishment.Current(tx)
	if err != nil {
		return rest.Paged[PlanningProposal]{}, err
	}
	return rest.PageOfAll(board.Proposals, in.Paging, proposalShown), nil
}

func proposalShown(p replenishment.Proposal) PlanningProposal {
	return PlanningProposal{ItemNumber: p.Item, ItemName: rest.Text(p.Name), WarehouseCode: p.Warehouse,
		ProposalType: p.Way, Quantity: p.Quantity, OrderDate: rest.Date(p.OrderOn), ExpectedDate: rest.Date(p.ComesOn),
		SupplierNumber: rest.Text(p.Supplier), TransferFromWarehouseCode: rest.Text(p.From), Reason: p.Reason,
		ProjectedQuantity: p.Projected, TriggerQuantity: p.Trigger, SafetyStock: p.Safety, NeededQuantity: p.Needed,
		MinOrderQuantity: p.MinOrder, OrderMultiple: p.Multiple, LeadTimeDays: p.Lead,
		LeadTimeSource: rest.Text(p.LeadFrom), Warnings: append([]replenishment.Warning{}, p.Warnings...)}
}
