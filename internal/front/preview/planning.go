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
	ItemNumber                string                  `json:"itemNumber" of:"Item"`
	ItemName                  rest.Text               `json:"itemName" of:"Name"`
	WarehouseCode             string                  `json:"warehouseCode" of:"Warehouse"`
	ProposalType              replenishment.Way       `json:"proposalType" of:"Way"`
	Quantity                  dec.Dec                 `json:"quantity" doc:"In the item's base unit; 0 where a warning says what is missing to propose anything."`
	OrderDate                 rest.Date               `json:"orderDate" of:"OrderOn" doc:"The day to order on."`
	ExpectedDate              rest.Date               `json:"expectedDate" of:"ComesOn" doc:"The day it comes on."`
	SupplierNumber            rest.Text               `json:"supplierNumber" of:"Supplier"`
	TransferFromWarehouseCode rest.Text               `json:"transferFromWarehouseCode" of:"From"`
	Reason                    replenishment.Reason    `json:"reason"`
	ProjectedQuantity         dec.Dec                 `json:"projectedQuantity" of:"Projected" doc:"Stock of that day without it."`
	TriggerQuantity           dec.Dec                 `json:"triggerQuantity" of:"Trigger" doc:"What projected stock fell below: the greater of safety stock and reorder point."`
	SafetyStock               dec.Dec                 `json:"safetyStock" of:"Safety"`
	NeededQuantity            dec.Dec                 `json:"neededQuantity" of:"Needed" doc:"Before it was rounded up to the supplier's minimum and multiple."`
	MinOrderQuantity          *dec.Dec                `json:"minOrderQuantity" of:"MinOrder"`
	OrderMultiple             *dec.Dec                `json:"orderMultiple" of:"Multiple"`
	LeadTimeDays              int                     `json:"leadTimeDays" of:"Lead"`
	LeadTimeSource            rest.Text               `json:"leadTimeSource" of:"LeadFrom" doc:"Where the lead time stands: Agreement, SupplierItem, ItemWarehouse, WarehouseTransport or Default."`
	Warnings                  []replenishment.Warning `json:"warnings"`
}

var proposalShown = rest.Shown[PlanningProposal, replenishment.Proposal]()

type listPlanningProposalsIn struct{ rest.Paging }

func listPlanningProposals(tx *db.Tx, in listPlanningProposalsIn) (rest.Paged[PlanningProposal], error) {
	board, err := replenishment.Current(tx)
	if err != nil {
		return rest.Paged[PlanningProposal]{}, err
	}
	return rest.PageOfAll(board.Proposals, in.Paging, proposalShown), nil
}
