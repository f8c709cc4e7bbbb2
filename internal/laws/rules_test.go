package laws

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kontor/internal/business/analytics"
	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/checkout"
	"kontor/internal/business/content"
	"kontor/internal/business/freight"
	"kontor/internal/business/identity"
	"kontor/internal/business/imports"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/mailing"
	"kontor/internal/business/media"
	"kontor/internal/business/newsletter"
	"kontor/internal/business/party"
	"kontor/internal/business/payable"
	"kontor/internal/business/portal"
	"kontor/internal/business/pricing"
	"kontor/internal/business/production"
	"kontor/internal/business/promotion"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/quoting"
	"kontor/internal/business/reference"
	"kontor/internal/business/returns"
	"kontor/internal/business/review"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/business/stock"
	"kontor/internal/business/support"
	"kontor/internal/business/transfer"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/discussion"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/payment"
)

// rule is what no row of a table may say, as the schema has it.
type rule struct{ table, name, says string }

// columns are those of a list that the rule speaks of.
func (r rule) columns(of []string) (all []string) {
	for _, c := range of {
		if regexp.MustCompile(`\b` + c + `\b`).MatchString(quoted.ReplaceAllString(r.says, "")) {
			all = append(all, c)
		}
	}
	return all
}

var (
	oneOf  = regexp.MustCompile(`(\w+) in \(([^)]*)\)`)
	quoted = regexp.MustCompile(`'([^']*)'`)
	// between is a rule of numbers from one to another.
	between = regexp.MustCompile(` between (\d+) and \d+$`)
)

// rules are those that hold after all steps of a schema, by name.
func rules(t *testing.T, schema db.Schema) map[string]rule {
	t.Helper()
	all := map[string]rule{}
	for _, r := range db.Rules(schema) {
		all[r.Name] = rule{r.Table, r.Name, r.Says}
		if !strings.HasPrefix(r.Name, r.Table+"_") {
			t.Errorf("the rule %s is named after its table %s", r.Name, r.Table)
		}
	}
	return all
}

func wordsOf[S ~string](values []S, more ...S) []string {
	var out []string
	for _, v := range append(slices.Clone(values), more...) {
		out = append(out, string(v))
	}
	return out
}

// values are the columns that hold one of a few words, with all that their types in Go know.
func values() map[string][]string {
	return map[string][]string{
		"company_state.environment":    wordsOf(identity.Environment("").Values()),
		"customer.invoice_delivery":    wordsOf(party.InvoiceDelivery("").Values(), ""),
		"order_type.auto_invoice":      wordsOf(reference.InvoiceMoment("").Values()),
		"item.type":                    wordsOf(catalog.ItemType("").Values()),
		"item.tracking":                wordsOf(catalog.TrackingType("").Values()),
		"item.replenishment":           wordsOf(catalog.Replenishment("").Values()),
		"item_relation.type":           wordsOf(catalog.RelationType("").Values()),
		"attribute.data_type":          wordsOf(catalog.DataType("").Values()),
		"price_list.type":              wordsOf(pricing.Type("").Values()),
		"price_list_line.strategy":     wordsOf(price.Strategy("").Values()),
		"stock_entry.kind":             wordsOf(stock.Kind("").Values()),
		"traffic.kind":                 wordsOf(analytics.Kind("").Values()),
		"item_warehouse.importance":    wordsOf(stock.Importance("").Values()),
		"item_warehouse.supply_policy": wordsOf(stock.SupplyPolicy("").Values()),
		"item_warehouse.lot_sizing":    wordsOf(stock.LotSizing("").Values()),
		"item_warehouse.replenishment": wordsOf(catalog.Replenishment("").Values(), ""),
		"channel.type":                 wordsOf(channel.Type("").Values()),
		"sales_order.status":           wordsOf(sales.Status("").Values(), "Draft"), // no order was ever kept as one
		"sales_order.delivery_status":  wordsOf(sales.DeliveryStatus("").Values()),
		"sales_order.invoiced_status":  wordsOf(sales.InvoicedStatus("").Values()),
		"shipment.status":              wordsOf(shipping.Status("").Values()),
		"invoice.type":                 wordsOf(invoicing.Type("").Values()),
		"invoice.status":               wordsOf(invoicing.Status("").Values()),
		"invoice.payment_status":       wordsOf(invoicing.PaymentStatus("").Values()),
		"invoice_payment.kind": wordsOf([]invoicing.PaymentKind{invoicing.Money, invoicing.GiftCard,
			invoicing.Settlement}),
		"sales_return.status":          wordsOf(returns.Status("").Values()),
		"sales_return.reason":          wordsOf(returns.Reason("").Values(), ""),
		"inventory_count.status":       wordsOf(stock.CountStatus("").Values()),
		"transfer.status":              wordsOf(transfer.Status("").Values()),
		"quote.status":                 wordsOf(quoting.Status("").Values()),
		"work_order.type":              wordsOf(production.Type("").Values()),
		"work_order.status":            wordsOf(production.Status("").Values()),
		"work_order.priority":          wordsOf(production.Priority("").Values()),
		"media_asset.folder":           wordsOf(media.Folder("").Values()),
		"item_asset.kind":              wordsOf(media.Kind("").Values()),
		"content_page.page_type":       wordsOf(content.PageType("").Values()),
		"content_page.layout":          wordsOf(content.Layout("").Values()),
		"review.status":                wordsOf(review.Status("").Values()),
		"newsletter_subscriber.status": wordsOf(newsletter.Status("").Values()),
		"mailing.status":               wordsOf(mailing.Status("").Values()),
		"mailing_recipient.status":     wordsOf(mailing.RecipientStatus("").Values()),
		"import_run.status":            wordsOf(imports.Status("").Values()),
		"ticket.status":                wordsOf(support.Status("").Values()),
		"ticket.source":                wordsOf(support.Source("").Values()),
		"ticket.priority":              wordsOf(support.Priority("").Values()),
		"ticket.last_author":           wordsOf(support.Author("").Values(), ""),
		"ticket_inbox.security":        wordsOf(support.Security("").Values()),
		"ticket_message.author_type":   wordsOf(support.Author("").Values()),
		"notification.reason":          wordsOf(discussion.Reason("").Values()),
		"job.status":                   wordsOf(jobs.Status("").Values()),
		"gift_card_movement.kind":      wordsOf(promotion.MovementKind("").Values()),
		"freight_rate.basis":           wordsOf(freight.Basis("").Values()),
		"payment.status":               wordsOf(payment.Statuses()),
		"payment.mode": wordsOf([]payment.RenderMode{payment.RenderNone, payment.RenderHTMLFragment,
			payment.RenderRedirect, payment.RenderClientKey, ""}),
		"payment_event.status":    wordsOf(payment.Statuses()),
		"payment_transfer.kind":   wordsOf([]checkout.TransferKind{checkout.Capture, checkout.Refund}),
		"payment_transfer.status": wordsOf([]checkout.TransferStatus{checkout.Open, checkout.Done}),
		"portal_code.purpose":     wordsOf(portal.Purpose("").Values()),
		"order_approval.status":   wordsOf(portal.ApprovalStatus("").Values()),
		"price_list_target.kind":  {"", "customer", "group", "channel"}, "company_due.kind": {jobs.DueKind, "sweep", "equip"},
		"company.status":             wordsOf(identity.Status("").Values()),
		"company.environment":        wordsOf(identity.Environment("").Values()),
		"purchase_order.status":      wordsOf(purchasing.OrderStatus("").Values()),
		"goods_receipt.status":       wordsOf(stock.ReceiptStatus("").Values()),
		"supplier_invoice.status":    wordsOf(payable.Status("").Values()),
		"supplier_invoice_line.kind": wordsOf(stock.ChargeKind("").Values(), payable.Goods),
		"goods_receipt_charge.kind":  wordsOf(stock.ChargeKind("").Values()),
		"goods_receipt_charge.basis": wordsOf(stock.ChargeBasis("").Values()),
		"membership.role":            wordsOf(identity.Role("").Values()),
	}
}

// A value that a type learns is one that its column takes, and the other way round.
func TestTheSchemaKnowsEveryValue(t *testing.T) {
	all := rules(t, db.CellSchema)
	maps.Copy(all, rules(t, db.ControlSchema))
	known := values()
	for _, r := range all {
		for _, m := range oneOf.FindAllStringSubmatch(r.says, -1) {
			key := r.table + "." + m[1]
			want, ok := known[key]
			if !ok {
				t.Errorf("%s takes a few words alone, and no type is named for it here", key)
			}
			delete(known, key)
			var have []string
			for _, w := range quoted.FindAllStringSubmatch(m[2], -1) {
				have = append(have, w[1])
			}
			slices.Sort(want)
			if slices.Sort(have); !slices.Equal(have, want) {
				t.Errorf("%s takes %q, its type knows %q: drop the rule and add it anew in a step of the schema", key,
					have, want)
			}
		}
	}
	for key := range known {
		t.Errorf("%s has no rule", key)
	}
}

// unruled are the columns of whole numbers without a rule, and why: what counts, stands for a moment or is a yes or no.
var unruled = []string{
	`\w+\.\w+_at`,
	`\w+\.(version|epoch|generation|position|sort_order|place|claim|again|line|order_line|credits_line|pick|package|payment)`,
	`\w+\.(is|has|allow|auto|keeps|includes)_\w+`,
	`\w+\.(seen_inclusive|free_freight|fee_includes_tax|ship_together|given_up|is_manual_price|ships|rebill|gross_price)`,
	`category\.depth`, `payment_term\.end_of_month`, `price_list\.priority`, `redirect\.(status_code|hit_count)`,
	`publication\.publish_(from|to)`,
	`customer\.credit_turn`, `company_default\.\w+`, `job\.run_at`, `stock_hold\.ends_at`,
	`attribute\.(min|max)_value`,                 // bounds of values that may be of any sign
	`price_list_line\.(percentage|fixed_amount)`, // taken off or put on
	`sales_return_line\.discount_amount`,         // off, or put on by what rounding left for a part
	`stock_entry\.quantity`,                      // in or out
	`supplier_invoice_line\.(in_stock|returned)`, // onto the value of the stock, or off it
	`work_order_move\.quantity`,                  // in, or put back
	`work_order_\w+\.completion`,
	`gift_card_movement\.amount`,  // on or off
	`invoice_payment\.amount`,     // paid or taken back
	`gift_card\.balance`,          // has its check since 00151
	`configuration\.price_impact`, // put on or taken off
	`change\.stamp`, `number_series\.(next|width)`, `idempotency\.status`,
	`\w+\.(seq|digits|base_digits|decimals|decimal_places|next_line|line_count)`,
	`shipment\.(packages|picks)`, `invoice\.payments`, `job\.attempts`, `portal_code\.(tries|elsewhere)`,
	`warehouse\.transport_days`,
	// each row that is written pays for a rule: these count, and sell nothing
	`\w+_asset\.(file_size|width|height)`, `search_count\.searches`,
	`ticket\.(answer_by|solve_by)`, // moments
	`deletion\.deleted_at`, `activity\.at`, `stock_entry\.at`, `gift_card_movement\.at`,
}

// Every quantity, amount and status of a company's data has a rule, or a reason here.
func TestEveryNumberHasItsRule(t *testing.T) {
	all := rules(t, db.CellSchema)
	free := regexp.MustCompile("^(" + strings.Join(unruled, "|") + ")$")
	seen := 0
	eachColumn(t, func(table, column, kind string) {
		word := kind == "TEXT" && (column == "status" || strings.HasSuffix(column, "_status") || column == "strategy")
		if kind != "INTEGER" && !word {
			return
		}
		seen++
		for _, r := range all {
			if r.table == table && r.columns([]string{column}) != nil {
				return
			}
		}
		if key := table + "." + column; word || !free.MatchString(key) {
			t.Errorf("%s has no rule: add one in a step of the schema, or say in unruled why it may be anything", key)
		}
	})
	if seen < 200 {
		t.Errorf("only %d columns were found: the law no longer looks where they are", seen)
	}
}

// eachColumn walks over the columns of all tables of a company's file.
func eachColumn(t *testing.T, fn func(table, column, kind string)) {
	t.Helper()
	dbtest.Read(t, dbtest.Store(t, "sqlite"), func(tx *db.Tx) error {
		return tx.Each(`-- laws.eachColumn
			select m.name, c.name, c.type from sqlite_master m join pragma_table_xinfo(m.name) c
			where m.type = 'table' and m.name not like 'schema_version%' and m.name not like 'sqlite_%' and :company = :company order by 1, 2`,
			nil, func(r db.Row) error {
				var table, column, kind string
				err := r.Scan(&table, &column, &kind)
				fn(table, column, kind)
				return err
			})
	})
}

// good is a value of a column that its rules let pass.
func good(all map[string]rule, table, column, kind string) any {
	for _, r := range all {
		if r.table != table || r.columns([]string{column}) == nil {
			continue
		}
		for _, m := range oneOf.FindAllStringSubmatch(r.says, -1) {
			if m[1] == column {
				return quoted.FindStringSubmatch(m[2])[1]
			}
		}
		if strings.HasSuffix(r.says, "> 0") {
			return int64(1_000_000)
		}
		if m := between.FindStringSubmatch(r.says); m != nil {
			least, _ := strconv.ParseInt(m[1], 10, 64)
			return least
		}
	}
	if kind == "INTEGER" {
		return int64(0)
	}
	return ""
}

// bad are values that a rule does not let pass in a column, one of them.
func (r rule) bad(kind string) []any {
	if kind != "INTEGER" {
		return []any{"Nonsense", "Booked", "1"}
	}
	return []any{int64(-1), int64(0), int64(200_000_000)}
}

// errTried ends a trial: nothing of it stays.
var errTried = errors.New("tried")

// Each rule refuses a row that breaks it, by its name, on both engines; where it speaks of signs or words it does so
// for each of its columns, else for one at least.
func TestEveryRuleRefuses(t *testing.T) {
	all := rules(t, db.CellSchema)
	rows, kinds := map[string]map[string]any{}, map[string]string{}
	eachColumn(t, func(table, column, kind string) {
		if rows[table] == nil {
			rows[table] = map[string]any{}
		}
		if kinds[table+"."+column] = kind; column != "company" && kind != "BLOB" {
			rows[table][column] = good(all, table, column, kind)
		}
	})
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		for name, r := range all {
			row := rows[r.table]
			columns, refused, byName := r.columns(slices.Sorted(maps.Keys(row))), 0, false
			if err := try(s, r.table, row, "", nil); !errors.Is(err, errTried) && !errors.Is(err, errThere) {
				t.Errorf("%s: a row that breaks no rule: %v", r.table, err)
			}
			for _, column := range columns {
				held := false
				for _, value := range r.bad(kinds[r.table+"."+column]) {
					err := try(s, r.table, row, column, value)
					byName = byName || errors.Is(err, db.ErrRule) && strings.Contains(err.Error(), name)
					// or another that it breaks too
					held = held || errors.Is(err, db.ErrRule) && strings.Contains(err.Error(), r.table+"_")
				}
				if held {
					refused++
				}
			}
			each := strings.HasSuffix(name, "_words") || strings.HasSuffix(name, "_signs") ||
				strings.HasSuffix(name, "_above")
			if !byName || each && refused < len(columns) {
				t.Errorf("%s, where %s: refused for %d of %d columns", name, r.says, refused, len(columns))
			}
		}
	})
}

// errThere says that there is such a row already: the company's facts.
var errThere = errors.New("there already")

// try inserts a row, with another value in one column.
func try(s *db.Store, table string, row map[string]any, column string, value any) error {
	columns := slices.Sorted(maps.Keys(row))
	return s.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
		err := tx.Insert(table, strings.Join(columns, ", "), 1, func(int) []any {
			values := make([]any, len(columns))
			for i, name := range columns {
				if values[i] = row[name]; name == column {
					values[i] = value
				}
			}
			return values
		})
		switch {
		case err == nil:
			err = fmt.Errorf("%s %s: %w", table, column, errTried)
		case tx.Unique(err):
			err = errThere
		}
		return err
	})
}
