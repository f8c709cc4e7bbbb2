package planning_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kontor/internal/engine/planning"
	"kontor/internal/foundation/dec"
)

var q = dec.Must

func maybe(text string) *dec.Dec {
	if text == "" {
		return nil
	}
	d := q(text)
	return &d
}

func days(n int) *int { return &n }

// bought is a rule of goods that are bought with a lead time of 10 days.
func bought(lot planning.Lot) planning.Rule {
	return planning.Rule{Way: planning.Purchase, Lot: lot, Supplier: &planning.Supplier{Number: "S", Lead: days(10)}}
}

func run(r planning.Rule, onHand string, moves ...planning.Movement) planning.Plan {
	return planning.Run(planning.Position{Rule: r, OnHand: q(onHand), Movements: moves})
}

func quantities(p planning.Plan) (all []string) {
	for _, x := range p.Proposals {
		all = append(all, x.Quantity.String())
	}
	return all
}

func TestLotForLotFillsToSafetyStockAndIgnoresTheReorderPoint(t *testing.T) {
	r := bought(planning.LotForLot)
	r.Min, r.Safety = maybe("50"), maybe("5")
	if p := run(r, "5"); len(p.Proposals) != 0 {
		t.Errorf("%+v", p.Proposals)
	}
	p := run(r, "2")
	if !slices.Equal(quantities(p), []string{"3"}) || p.Proposals[0].Reason != planning.BelowSafety ||
		p.Proposals[0].Trigger != q("5") {
		t.Errorf("%+v", p.Proposals)
	}
}

func TestFixedReorderQuantityOrdersWholeMultiples(t *testing.T) {
	r := bought(planning.FixedReorderQuantity)
	r.Min, r.Reorder = maybe("10"), maybe("25")
	for onHand, want := range map[string][]string{"10": nil, "9": {"25"}, "-15": {"25"}, "-16": {"50"}, "-41": {"75"}} {
		if got := quantities(run(r, onHand)); !slices.Equal(got, want) {
			t.Errorf("of %s: %v, want %v", onHand, got, want)
		}
	}
	r.Safety = maybe("30") // the greater of the two counts
	if p := run(r, "20"); !slices.Equal(quantities(p), []string{"25"}) || p.Trigger != q("30") {
		t.Errorf("%+v", p)
	}
	r.Reorder = nil
	if p := run(r, "0"); len(p.Proposals) != 0 ||
		!slices.Equal(p.Warnings, []planning.Warning{planning.NoReorderQuantity}) {
		t.Errorf("%+v", p)
	}
}

func TestFillToMaxOrdersUpToTheMaximum(t *testing.T) {
	r := bought(planning.FillToMax)
	r.Min, r.Max = maybe("10"), maybe("40")
	if got := quantities(run(r, "10")); got != nil {
		t.Error(got)
	}
	if got := quantities(run(r, "9")); !slices.Equal(got, []string{"31"}) {
		t.Error(got)
	}
	r.Max = nil
	if p := run(r, "0"); len(p.Proposals) != 0 || !slices.Contains(p.Warnings, planning.NoMaxQuantity) {
		t.Errorf("%+v", p)
	}
}

func TestSafetyStockIsTheOneSetByHandElseTheCalculatedElseZero(t *testing.T) {
	r := bought(planning.LotForLot)
	for _, c := range []struct{ hand, calculated, want string }{{"", "", "0"}, {"", "7", "7"}, {"3", "7", "3"},
		{"0", "7", "0"}} {
		r.Safety, r.Calculated = maybe(c.hand), maybe(c.calculated)
		if p := run(r, "0"); p.Safety != q(c.want) || p.Trigger != q(c.want) {
			t.Errorf("%+v: %s", c, p.Safety)
		}
	}
}

func TestPurchasesAreRoundedUpToMinimumAndMultiple(t *testing.T) {
	r := bought(planning.LotForLot)
	for _, c := range []struct{ short, least, multiple, want string }{
		{"3", "", "", "3"}, {"3", "10", "", "10"}, {"3", "10", "4", "12"}, {"13", "10", "4", "16"},
		{"12", "10", "4", "12"}, {"0.5", "", "", "1"}} {
		r.Supplier.MinOrder, r.Supplier.Multiple = maybe(c.least), maybe(c.multiple)
		if got := quantities(run(r, "-"+c.short)); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%+v: %v", c, got)
		}
	}
	r.Way = planning.Manufacture // suppliers' rules are for purchases
	r.Supplier.MinOrder = maybe("10")
	if got := quantities(run(r, "-3")); !slices.Equal(got, []string{"3"}) {
		t.Error(got)
	}
}

func TestTheFirstLeadTimeThatIsSetWins(t *testing.T) {
	for _, c := range []struct {
		way                                     planning.Way
		agreement, supplier, row, transferDays_ *int
		want                                    int
		from                                    planning.LeadSource
		warns                                   bool
	}{
		{planning.Purchase, days(1), days(2), days(3), days(4), 1, planning.FromAgreement, false},
		{planning.Purchase, nil, days(2), days(3), days(4), 2, planning.FromSupplierItem, false},
		{planning.Purchase, nil, nil, days(3), days(4), 3, planning.FromItemWarehouse, false},
		{planning.Purchase, nil, nil, nil, days(4), 14, planning.FromNowhere, true},
		{planning.Manufacture, days(1), days(2), days(3), days(4), 3, planning.FromItemWarehouse, false},
		{planning.Manufacture, days(1), days(2), nil, days(4), 14, planning.FromNowhere, false},
		{planning.Transfer, days(1), days(2), days(3), days(4), 4, planning.FromItemWarehouse, false},
		{planning.Transfer, days(1), days(2), days(3), nil, 6, planning.FromTransport, false},
	} {
		r := planning.Rule{Way: c.way, Lot: planning.LotForLot, Agreement: c.agreement,
			Supplier: &planning.Supplier{Lead: c.supplier}, Lead: c.row, TransferLead: c.transferDays_, Transport: 6,
			From: "MAIN"}
		p := run(r, "-1")
		if len(p.Proposals) != 1 {
			t.Fatalf("%+v: %+v", c, p)
		}
		x := p.Proposals[0]
		if x.Lead != c.want || x.LeadFrom != c.from || x.Arrival != c.want ||
			slices.Contains(p.Warnings, planning.NoLeadTime) != c.warns {
			t.Errorf("%+v: %+v %v", c, x, p.Warnings)
		}
	}
}

func TestStockIsProjectedByDay(t *testing.T) {
	r := bought(planning.LotForLot)
	// 5 go on day 20, which are ordered on day 10; 4 more on day 30.
	p := run(r, "3", planning.Movement{Day: 20, Quantity: q("-5")}, planning.Movement{Day: 30, Quantity: q("-4")})
	if !slices.Equal(quantities(p), []string{"2", "4"}) || p.Proposals[0].Order != 10 || p.Proposals[0].Arrival != 20 ||
		p.Proposals[1].Order != 20 {
		t.Errorf("%+v", p.Proposals)
	}
	// What is on its way and comes before anything ordered today could is not ordered again.
	p = run(r, "-2", planning.Movement{Day: 4, Quantity: q("10")})
	if len(p.Proposals) != 0 || !slices.Equal(p.Warnings, []planning.Warning{planning.ShortBefore}) {
		t.Errorf("%+v", p)
	}
	// What should have moved already moves today.
	p = run(r, "0", planning.Movement{Day: -7, Quantity: q("-3")})
	if !slices.Equal(quantities(p), []string{"3"}) || p.Points[0].Stock != q("-3") || p.Proposals[0].Arrival != 10 {
		t.Errorf("%+v", p)
	}
}

// What a rule lacks is said of whoever falls short, and of nobody else.
func TestAPlanSaysWhatItsRuleLacks(t *testing.T) {
	full := planning.Rule{Lot: planning.LotForLot, From: "MAIN", Lead: days(3), TransferLead: days(2),
		Supplier: &planning.Supplier{Number: "S", Lead: days(10)}}
	for name, c := range map[string]struct {
		change func(r *planning.Rule)
		want   []planning.Warning
	}{
		"bought": {func(r *planning.Rule) { r.Way = planning.Purchase }, nil},
		"bought of nobody": {func(r *planning.Rule) { r.Way, r.Supplier = planning.Purchase, nil },
			[]planning.Warning{planning.NoSupplier}},
		"made of nobody": {func(r *planning.Rule) { r.Way, r.Supplier = planning.Manufacture, nil }, nil},
		"made":           {func(r *planning.Rule) { r.Way = planning.Manufacture }, nil},
		"made of nothing": {func(r *planning.Rule) { r.Way, r.HasNoParts = planning.Manufacture, true },
			[]planning.Warning{planning.NoParts}},
		"bought without parts": {func(r *planning.Rule) { r.Way, r.HasNoParts = planning.Purchase, true }, nil},
		"moved":                {func(r *planning.Rule) { r.Way = planning.Transfer }, nil},
		"moved from nowhere": {func(r *planning.Rule) { r.Way, r.From = planning.Transfer, "" },
			[]planning.Warning{planning.NoTransferSource}},
		"bought from nowhere": {func(r *planning.Rule) { r.Way, r.From = planning.Purchase, "" }, nil},
		"nothing to reorder": {func(r *planning.Rule) { r.Lot, r.Reorder = planning.FixedReorderQuantity, maybe("0") },
			[]planning.Warning{planning.NoReorderQuantity}},
		"a maximum as low as needed": {
			func(r *planning.Rule) { r.Lot, r.Min, r.Max = planning.FillToMax, maybe("5"), maybe("5") }, nil},
		"a maximum too low": {func(r *planning.Rule) { r.Lot, r.Min, r.Max = planning.FillToMax, maybe("5"), maybe("4") },
			[]planning.Warning{planning.MaxTooLow}},
		"a maximum that nobody fills to": {func(r *planning.Rule) { r.Min, r.Max = maybe("5"), maybe("4") }, nil},
	} {
		r := full
		r.Way = planning.Purchase
		c.change(&r)
		if p := run(r, "0", planning.Movement{Day: 30, Quantity: q("-1")}); !slices.Equal(p.Warnings, c.want) {
			t.Errorf("%s: %v, want %v", name, p.Warnings, c.want)
		}
		if p := run(r, "5"); len(p.Warnings) != 0 {
			t.Errorf("%s: who has enough lacks %v", name, p.Warnings)
		}
	}
}

// A proposal says how bad it is: nothing left to sell, less than is to be kept for safety, or time to order again.
func TestAProposalSaysWhy(t *testing.T) {
	r := bought(planning.FillToMax)
	r.Min, r.Max, r.Safety = maybe("10"), maybe("40"), maybe("5")
	for onHand, want := range map[string]planning.Reason{"-1": planning.Short, "0": planning.BelowSafety,
		"4": planning.BelowSafety, "5": planning.BelowReorder, "9": planning.BelowReorder} {
		if p := run(r, onHand); len(p.Proposals) != 1 || p.Proposals[0].Reason != want {
			t.Errorf("with %s: %+v", onHand, p.Proposals)
		}
	}
}

func TestWhatIsGotToOrderIsNotKept(t *testing.T) {
	r := bought(planning.FillToMax)
	r.IsToOrder, r.Min, r.Max, r.Safety = true, maybe("10"), maybe("100"), maybe("5")
	if p := run(r, "0"); len(p.Proposals) != 0 || len(p.Warnings) != 0 {
		t.Errorf("%+v", p)
	}
	p := run(r, "1", planning.Movement{Day: 30, Quantity: q("-3")})
	if !slices.Equal(quantities(p), []string{"2"}) || p.Proposals[0].Reason != planning.ForOrder {
		t.Errorf("%+v", p)
	}
}

func TestWhatIsMadeAsksForItsPartsAndTransfersForTheirSource(t *testing.T) {
	made := planning.Rule{Way: planning.Manufacture, Lot: planning.LotForLot, Lead: days(3)}
	moved := planning.Rule{Way: planning.Transfer, Lot: planning.LotForLot, From: "MAIN", TransferLead: days(2)}
	nodes := []planning.Node{
		{Position: planning.Position{Rule: bought(planning.LotForLot), OnHand: q("1")}, Source: -1},
		{Position: planning.Position{Rule: made}, Parts: []planning.Share{{Node: 0, Quantity: q("2")}}, Source: -1},
		{Position: planning.Position{Rule: moved, Movements: []planning.Movement{{Day: 30, Quantity: q("-4")}}},
			Source: 1},
	}
	plans := planning.RunAll(nodes)
	// 4 leave the main warehouse on day 28, are begun on day 25, and take 8 parts then, of which one is there.
	if p := plans[2].Proposals; len(p) != 1 || p[0].Order != 28 {
		t.Errorf("transfer %+v", p)
	}
	if p := plans[1].Proposals; len(p) != 1 || p[0].Order != 25 || p[0].Quantity != q("4") {
		t.Errorf("manufacture %+v", p)
	}
	if p := plans[0].Proposals; len(p) != 1 || p[0].Order != 15 || p[0].Quantity != q("7") {
		t.Errorf("purchase %+v", p)
	}
	// Two warehouses that fill each other are planned, and say so.
	circle := []planning.Node{{Position: planning.Position{Rule: moved, OnHand: q("-1")}, Source: 1},
		{Position: planning.Position{Rule: moved}, Source: 0}}
	// What needs more than can be counted is told apart, and leaves the others their plans.
	huge := []planning.Node{
		{Position: planning.Position{Rule: made, OnHand: q("-100000000")}, Parts: []planning.Share{{Node: 1, Quantity: q("100000000")}}, Source: -1},
		{Position: planning.Position{OnHand: q("5")}, Source: -1},
		{Position: planning.Position{Rule: moved, OnHand: q("-1")}, Source: -1}}
	if p := planning.RunAll(huge); !slices.Equal(p[0].Warnings, []planning.Warning{planning.TooLarge}) ||
		len(p[0].Proposals) != 0 || len(p[1].Warnings) != 0 || len(p[2].Proposals) != 1 {
		t.Errorf("%+v", p)
	}
	if p := planning.RunAll(circle); !slices.Contains(p[0].Warnings, planning.Circle) || len(p[0].Proposals) != 1 {
		t.Errorf("%+v", p)
	}
}

func TestSafetyStockKeepsTheServiceLevel(t *testing.T) {
	demand := []dec.Dec{q("8"), q("12"), q("8"), q("12")} // standard deviation 2.309401
	for _, c := range []struct {
		level          string
		lead, decimals int
		want           string
	}{{"0.5", 9, 0, "0"}, {"0.4", 9, 0, "0"}, {"0.95", 9, 0, "12"}, {"0.99", 9, 0, "17"}, {"0.95", 0, 0, "0"},
		{"1", 9, 0, "26"}, {"0.95", 9, 2, "11.4"}, {"0.955", 9, 2, "11.77"}, {"0.96", 9, 2, "12.13"}} {
		if got := planning.SafetyStock(q(c.level), demand, c.lead, c.decimals); got == nil || *got != q(c.want) {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if planning.SafetyStock(q("0.9"), demand[:1], 9, 0) != nil {
		t.Error("one day says nothing")
	}
	if got := planning.SafetyStock(q("0.95"), demand[:2], 9, 2); got == nil || *got != q("13.96") {
		t.Errorf("of two days: %v", got)
	}
}

func rules() *rapid.Generator[planning.Rule] {
	return rapid.Custom(func(t *rapid.T) planning.Rule {
		amount := func(name string) *dec.Dec {
			if !rapid.Bool().Draw(t, "has "+name) {
				return nil
			}
			d := dec.Int(rapid.Int64Range(1, 60).Draw(t, name))
			return &d
		}
		r := planning.Rule{Way: rapid.SampledFrom(planning.Way("").Values()).Draw(t, "way"),
			Lot: rapid.SampledFrom([]planning.Lot{planning.LotForLot, planning.FixedReorderQuantity,
				planning.FillToMax}).Draw(t, "lot"),
			IsToOrder: rapid.IntRange(0, 4).Draw(t, "policy") == 0,
			Min:       amount("min"), Max: amount("max"), Reorder: amount("reorder"), Safety: amount("safety"),
			Calculated: amount("calculated"), Transport: rapid.IntRange(0, 9).Draw(t, "transport"), From: "MAIN"}
		if rapid.Bool().Draw(t, "has supplier") {
			r.Supplier = &planning.Supplier{Number: "S", MinOrder: amount("least"), Multiple: amount("multiple"),
				Lead: days(rapid.IntRange(0, 20).Draw(t, "lead"))}
		}
		return r
	})
}

func movements() *rapid.Generator[[]planning.Movement] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) planning.Movement {
		return planning.Movement{Day: rapid.IntRange(-3, 60).Draw(t, "day"),
			Quantity: dec.Int(rapid.Int64Range(-40, 30).Draw(t, "quantity"))}
	}), 0, 12)
}

// Whatever the rule and the movements: proposals are of multiples and minimums, none can be had before its lead time,
// with all of them stock is at the trigger from the lead time on wherever the rule says how much, and the order of the
// movements does not matter.
func TestProposalsKeepTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, moves := rules().Draw(t, "rule"), movements().Draw(t, "movements")
		p := planning.Position{Rule: r, OnHand: dec.Int(rapid.Int64Range(-20, 80).Draw(t, "on hand")), Movements: moves}
		plan := planning.Run(p)
		for i, x := range plan.Proposals {
			if x.Order < 0 || x.Arrival-x.Order != x.Lead || x.Projected >= x.Trigger || x.Quantity < x.Needed ||
				x.Quantity <= 0 {
				t.Fatalf("%+v", x)
			}
			if i > 0 && x.Arrival <= plan.Proposals[i-1].Arrival {
				t.Fatalf("two on one day: %+v", plan.Proposals)
			}
			if s := r.Supplier; r.Way == planning.Purchase && s != nil {
				if s.Multiple != nil &&
					x.Quantity.Sub(s.Multiple.Mul(x.Quantity.MulDivRound(dec.One, *s.Multiple, 0))) != 0 ||
					s.MinOrder != nil && x.Quantity < *s.MinOrder {
					t.Fatalf("%s of at least %v in %v", x.Quantity, s.MinOrder, s.Multiple)
				}
			}
		}
		lead := r.Transport
		if len(plan.Proposals) > 0 {
			lead = plan.Proposals[0].Lead
		}
		says := r.IsToOrder || r.Lot == planning.LotForLot || r.Lot == planning.FixedReorderQuantity &&
			r.Reorder != nil || r.Lot == planning.FillToMax && r.Max != nil && *r.Max >= plan.Trigger
		for _, at := range plan.Points {
			if says && len(plan.Proposals) > 0 && at.Day >= lead && at.Planned < plan.Trigger {
				t.Fatalf("day %d: %s is below %s with all that is proposed: %+v", at.Day, at.Planned, plan.Trigger,
					plan)
			}
		}
		slices.Reverse(p.Movements)
		if again := planning.Run(p); !slices.Equal(quantities(again), quantities(plan)) {
			t.Fatalf("%v and %v", quantities(again), quantities(plan))
		}
	})
}

// 100,000 items in three warehouses, with a dozen movements each: two are filled from the first, which buys.
func BenchmarkRunAll(b *testing.B) {
	const items = 100_000
	build := func() []planning.Node {
		nodes := make([]planning.Node, 0, 3*items)
		for i := range items {
			for w := range 3 {
				n := planning.Node{Position: planning.Position{Rule: bought(planning.FixedReorderQuantity),
					OnHand: dec.Int(int64(i % 40))}, Source: -1}
				n.Min, n.Reorder, n.Safety = maybe("10"), maybe("25"), maybe("5")
				if w > 0 {
					n.Way, n.Source, n.From = planning.Transfer, 3*i, "MAIN"
				}
				for m := range 12 {
					n.Movements = append(n.Movements,
						planning.Movement{Day: (i*7 + m*11) % 90, Quantity: dec.Int(int64((i+m)%5 - 3))})
				}
				nodes = append(nodes, n)
			}
		}
		return nodes
	}
	for range b.N {
		b.StopTimer()
		nodes := build()
		b.StartTimer()
		planning.RunAll(nodes)
	}
}

func TestAComponentWithItsScrapIsRoundedOnce(t *testing.T) {
	for _, c := range []struct {
		perUnit, scrap, output string
		decimals               int
		want                   string
	}{
		{"2", "5", "10", 0, "21"},
		{"2", "1", "10", 0, "21"}, // 20.2 of what is counted in pieces
		{"2", "1", "10", 1, "20.2"},
		{"0.000001", "50", "1000000", 6, "1.5"}, // 2 if one of it were rounded before the million
		{"0.333333", "10", "0.5", 6, "0.183333"},
		{"1", "5", "-1", 0, "0"},
	} {
		if got := planning.Required(q(c.perUnit), q(c.scrap), q(c.output), c.decimals); got != q(c.want) {
			t.Errorf("%+v: %s", c, got)
		}
	}
	// A plan asks for as much as the work order that it becomes: 3.3 of what is counted in pieces are 4.
	made := planning.Rule{Way: planning.Manufacture, Lot: planning.LotForLot, Lead: days(3)}
	plans := planning.RunAll([]planning.Node{
		{Position: planning.Position{Rule: bought(planning.LotForLot)}, Source: -1},
		{Position: planning.Position{Rule: made, OnHand: q("-3")}, Source: -1,
			Parts: []planning.Share{{Node: 0, Quantity: q("1"), ScrapPercent: q("10")}}},
	})
	if p := plans[0].Proposals; len(p) != 1 || p[0].Quantity != q("4") {
		t.Errorf("%+v", p)
	}
}
