package app_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"kontor/internal/app"
	"kontor/internal/business/analytics"
	"kontor/internal/business/assistant"
	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/checkout"
	"kontor/internal/business/configuration"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/newsletter"
	"kontor/internal/business/pricing"
	"kontor/internal/business/production"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/quoting"
	"kontor/internal/business/reference"
	"kontor/internal/business/returns"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/business/stock"
	"kontor/internal/business/transfer"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/payment"
	"kontor/internal/foundation/record"
	"kontor/internal/front/payment/prepayment"
)

// errOffice is what an office word that is used wrongly answers.
var errOffice = errors.New("wrong number of arguments; see the word in office_test.go")

// office are what people in the back office do, and no other system may.
var office = map[string]func(tx *db.Tx, args []string) error{
	// warehouse CODE LOCATION...: one more warehouse with its locations
	"warehouse": func(tx *db.Tx, args []string) error {
		err := reference.SaveWarehouses(tx, reference.Warehouse{Code: args[0], Name: args[0], IsActive: true,
			CountryCode: "SE"})
		for _, l := range args[1:] {
			err = errors.Join(err, reference.SaveLocations(tx, reference.Location{Warehouse: args[0], Code: l, Name: l,
				IsPickable: true, IsActive: true}))
		}
		return err
	},
	// close WAREHOUSE LOCATION: nothing may enter it any more
	"close": func(tx *db.Tx, args []string) error {
		return reference.SaveLocations(tx, reference.Location{Warehouse: args[0], Code: args[1], Name: args[1]})
	},
	// shut WAREHOUSE: it is inactive; lose TRANSFER REASON: what has not arrived is written off
	"shut": func(tx *db.Tx, args []string) error {
		return reference.SaveWarehouses(tx, reference.Warehouse{Code: args[0], Name: args[0], CountryCode: "SE"})
	},
	"lose": func(tx *db.Tx, args []string) error {
		_, err := transfer.WriteOff(tx, args[0], args[1])
		return err
	},
	// attribute CODE TYPE PATTERN: what items may be described with
	"attribute": func(tx *db.Tx, args []string) error {
		_, err := catalog.SaveAttribute(tx, catalog.Attribute{Code: args[0], Name: args[0],
			DataType: catalog.DataType(args[1]), Pattern: args[2], IsActive: true})
		return err
	},
	// fillcart SESSION: as many lines as a cart takes
	"fillcart": fillCart,
	// discount CODE PERCENT MINIMUM [DAY], giftcard CODE AMOUNT, fillcodes SESSION: what lowers what a buyer pays;
	// money ORDER AMOUNT: it came
	"discount": makeDiscount, "giftcard": makeGiftCard, "fillcodes": fillCodes, "money": noteMoney,
	// fee METHOD AMOUNT: what paying in advance by it costs
	"fee": func(tx *db.Tx, args []string) error {
		_, err := checkout.Save(tx, payment.NewProviders(prepayment.New()), checkout.Method{Code: args[0],
			Name: args[0], Provider: "Prepayment", IsActive: true, Fee: dec.Must(args[1])})
		return err
	},
	// ahead: the codes that there are were mailed by a clock that was a day ahead, and is put back
	"ahead": func(tx *db.Tx, _ []string) error {
		return tx.Run(`-- app_test.ahead whole
			update portal_code set expires_at = expires_at + 86400000000 where company = :company`, nil)
	},
	// revise QUOTE: it is made anew
	"revise": func(tx *db.Tx, args []string) error {
		_, err := quoting.Revise(tx, args[0])
		return err
	},
	// terms CHANNEL TEXT: what the store's buyers accept, with a promise and a month to change their minds
	"terms": func(tx *db.Tx, args []string) error {
		_, err := channel.Change(tx, args[0], func(c *channel.Channel) error {
			c.Store.Terms.Text, c.Store.ReturnDays = args[1], 30
			c.Store.Promises = []string{"Sent the next working day"}
			return nil
		})
		return err
	},
	// supplier NUMBER CURRENCY ITEM=PRICE...: whom the company buys from; reverse RECEIPT: it was keyed wrongly
	"supplier": supplier,
	"reverse": func(tx *db.Tx, args []string) error {
		_, err := purchasing.ReverseReceipt(tx, args[0], "keyed wrongly")
		return err
	},
	// receive ITEM QUANTITY LOCATION COST [batch:B] [serial:S]...: goods from a supplier
	"receive": receive,
	// bom ITEM COMPONENT=QUANTITY...: what an item is made of
	"bom": func(tx *db.Tx, args []string) error {
		_, err := production.ChangeBOM(tx, args[0], func(b *production.BOM) error {
			for _, a := range args[1:] {
				item, quantity, _ := strings.Cut(a, "=")
				b.Lines = append(b.Lines, production.BOMLine{Item: item, Quantity: dec.Must(quantity)})
			}
			return nil
		})
		return err
	},
	// callers key|all: whom the store serves
	"callers": func(tx *db.Tx, args []string) error {
		_, err := channel.Change(tx, "WEB", func(c *channel.Channel) error {
			c.Store.KeyRequired = args[0] == "key"
			return nil
		})
		return err
	},
	// formula LIST ITEM STRATEGY AMOUNT: a calculated price
	"formula": formula,
	// invoice ORDER...: from what is delivered and not invoiced
	"invoice": func(tx *db.Tx, args []string) error {
		_, err := invoicing.FromOrders(tx, args, tx.Today())
		return err
	},
	// profile JSON: who the company is
	"profile": func(tx *db.Tx, args []string) error {
		_, err := reference.SaveProfile(tx,
			func(p *reference.Profile) error { return json.Unmarshal([]byte(args[0]), p) })
		return err
	},
	// traffic KIND TIMES [NAME]: so often it was counted today
	"traffic": func(tx *db.Tx, args []string) error {
		today := day.Of(time.Now(), tx.Info.Zone)
		top, err := analytics.Top(tx, "WEB", analytics.Kind(args[0]), today, today, 1)
		if err == nil && (len(top) != 1 || strconv.FormatInt(top[0].Times, 10) != args[1] || len(args) > 2 &&
			top[0].Name != args[2]) {
			err = fmt.Errorf("it was counted %v", top)
		}
		return err
	},
	// subscriber ADDRESS STATUS: how a subscription of the newsletter stands
	"subscriber": func(tx *db.Tx, args []string) error {
		found, err := newsletter.List(tx, newsletter.Filter{Search: args[0]}, record.Page{Number: 1, Size: 2})
		if err == nil && (len(found.Items) != 1 || string(found.Items[0].Status) != args[1]) {
			err = fmt.Errorf("there are %+v", found.Items)
		}
		return err
	},
	// night: what the daily job does to quotes
	"night": func(tx *db.Tx, _ []string) error {
		_, err := quoting.Expire(tx)
		return err
	},
	// credit RETURN: the customer gets the money back
	"credit": func(tx *db.Tx, args []string) error {
		_, err := returns.Credit(tx, args[0])
		return err
	},
	// cancel-invoice INVOICE
	"cancel-invoice": func(tx *db.Tx, args []string) error {
		_, err := invoicing.Cancel(tx, args[0])
		return err
	},
	// shipment hold|release|fail|again|back SHIPMENT
	// finish WORK-ORDER, make ORDER, take ORDER: what becomes of the first line, which is made to order
	"finish": func(tx *db.Tx, args []string) error {
		_, err := production.Finish(tx, args[0])
		return err
	},
	"make": func(tx *db.Tx, args []string) error {
		_, err := sales.MakeMissing(tx, args[0], 1)
		return err
	},
	"take": func(tx *db.Tx, args []string) error {
		_, err := sales.TakeFromStock(tx, args[0], 1)
		return err
	},
	"shipment": func(tx *db.Tx, args []string) error {
		verbs := map[string]func(*db.Tx, string) (shipping.Shipment,
			error){"hold": shipping.Pause, "release": shipping.Resume, "fail": shipping.Fail,
			"again": shipping.SendAgain, "back": shipping.TakeBack}
		_, err := verbs[args[0]](tx, args[1])
		return err
	},
	// channel CODE TYPE WAREHOUSE: one more way to sell
	"channel": func(tx *db.Tx, args []string) error {
		_, err := channel.Create(tx, channel.Channel{Code: args[0], Name: args[0], Type: channel.Type(args[1]),
			CurrencyCode: "SEK", WarehouseCode: args[2], OrderTypeCode: "WEB", IsActive: true, Domain: args[0] +
				".example.com"})
		return err
	},
	// store CODE JSON: what the settings of a channel's store shall be besides
	"store": func(tx *db.Tx, args []string) error {
		_, err := channel.Change(tx, args[0],
			func(c *channel.Channel) error { return json.Unmarshal([]byte(args[1]), &c.Store) })
		return err
	},
	// model CHANNEL ADDRESS: a language model writes the answers of the store's assistant
	"model": func(tx *db.Tx, args []string) error {
		return assistant.SaveModel(tx, assistant.Model{ChannelCode: args[0], Address: args[1], Name: "small",
			Key: "sk-secret", IsUsed: true})
	},
	// auto-release ORDERTYPE: its orders are released as they are placed
	"auto-release": func(tx *db.Tx, args []string) error {
		book, err := reference.Of(tx)
		if err != nil {
			return err
		}
		t, _ := book.OrderType(args[0])
		t.AutoRelease = true
		return reference.SaveOrderTypes(tx, t)
	},
	// hurry KIND: the jobs of a kind that wait are done at once
	"hurry": func(tx *db.Tx, args []string) error {
		found, err := jobs.List(tx, jobs.Filter{Kind: args[0], Status: jobs.Waiting}, record.Page{Number: 1, Size: 10})
		for i := 0; err == nil && i < len(found.Items); i++ {
			_, err = jobs.Retry(tx, found.Items[i].ID)
		}
		return err
	},
	// job KIND STATUS: what becomes of the newest job of a kind
	"job": func(tx *db.Tx, args []string) error {
		found, err := jobs.List(tx, jobs.Filter{Kind: args[0]}, record.Page{Number: 1, Size: 1})
		if err == nil && (len(found.Items) == 0 || string(found.Items[0].Status) != args[1]) {
			err = fmt.Errorf("not %s: %+v", args[1], found.Items)
		}
		return err
	},
	// sweep-choices: what visitors have configured and left
	"sweep-choices": func(tx *db.Tx, _ []string) error {
		_, err := configuration.SweepCarts(tx, tx.Now+1)
		return err
	},
	// no-shipping-method: the company has no usual one
	"no-shipping-method": func(tx *db.Tx, _ []string) error {
		book, err := reference.Of(tx)
		if err != nil {
			return err
		}
		d := book.Defaults()
		d.ShippingMethod = ""
		return reference.SaveDefaults(tx, d)
	},
}

func receive(tx *db.Tx, args []string) error {
	if len(args) < 4 {
		return errOffice
	}
	item, err := catalog.Find(tx, args[0])
	if err != nil {
		return err
	}
	cost := dec.Must(args[3])
	m := stock.Move{ItemID: item.ID, Item: item.Number, Tracking: item.Tracking, Warehouse: "MAIN", Location: args[2],
		Quantity: dec.Must(args[1]), UnitCost: &cost, RefType: "receipt", RefID: "by hand"}
	var moves []stock.Move
	for _, a := range args[4:] {
		if batch, ok := strings.CutPrefix(a, "batch:"); ok {
			m.Batch = batch
		} else {
			m.Serial, m.Quantity = strings.TrimPrefix(a, "serial:"), dec.One
			moves = append(moves, m)
		}
	}
	if len(moves) == 0 {
		moves = []stock.Move{m}
	}
	_, err = stock.Receive(tx, stock.Receipt, moves)
	return err
}

func formula(tx *db.Tx, args []string) error {
	if len(args) != 4 {
		return errOffice
	}
	l := pricing.Line{Item: args[1]}
	l.Strategy = price.Strategy(args[2])
	amount := dec.Must(args[3])
	if strings.HasSuffix(args[2], "Amount") {
		l.FixedAmount = &amount
	} else {
		l.Percentage = &amount
	}
	out, err := pricing.SaveLines(tx, args[0], []pricing.Line{l})
	if err != nil {
		return err
	}
	return out[0].Err
}

// sayOffice lets the back office do something: office WORD ARGUMENTS
func sayOffice(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 || office[args[0]] == nil {
		ts.Fatalf("usage: office WORD ARGUMENT..., see office_test.go")
	}
	s := sceneOf(ts)
	err := s.inOffice(args)
	for wait := 50 * time.Millisecond; err != nil && !neg && comesTrue[args[0]] && wait < time.Minute; wait *= 2 {
		time.Sleep(wait) // it is on its way, and a busy machine begins it late
		err = s.inOffice(args)
	}
	if neg != (err != nil) {
		ts.Fatalf("office %s: %v", strings.Join(args, " "), err)
	}
	if err != nil {
		ts.Logf("refused: %v", err)
	}
}

// comesTrue are the words for what a server does in its own time.
var comesTrue = map[string]bool{"job": true, "traffic": true}

// inOffice does one thing in the company's data.
func (s *scene) inOffice(args []string) error {
	if s.server != nil {
		_, err := s.kontor(append([]string{"office"}, args...)...)
		return err
	}
	place := datadir.Dir{Data: filepath.Join(s.dir, "data"), DatabaseURL: s.database()}
	kontor, err := app.Open(s.Context(), place, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		return err
	}
	return errors.Join(inOffice(s.Context(), kontor, args), kontor.Close(s.Context()))
}

func (s *scene) database() string {
	i := slices.IndexFunc(s.env, func(v string) bool { return strings.HasPrefix(v, "KONTOR_DATABASE_URL=") })
	if i < 0 {
		return ""
	}
	return strings.TrimPrefix(s.env[i], "KONTOR_DATABASE_URL=")
}

// supplier makes a supplier with items and their prices.
func supplier(tx *db.Tx, args []string) error {
	s, err := purchasing.CreateSupplier(tx, purchasing.Supplier{Number: args[0], Name: "Supplier " + args[0],
		IsActive: true, CurrencyCode: args[1], LanguageCode: "sv", OrderEmail: "orders@example.com"})
	if err != nil {
		return err
	}
	var drafts []purchasing.Draft
	for _, a := range args[2:] {
		item, price, _ := strings.Cut(a, "=")
		cost := dec.Must(price)
		drafts = append(drafts, purchasing.Draft{Item: item, Edit: func(i *purchasing.SupplierItem) error {
			i.UnitPrice = &cost
			return nil
		}})
	}
	outcomes, err := purchasing.SaveItems(tx, s.Number, drafts)
	for _, o := range outcomes {
		err = errors.Join(err, o.Err)
	}
	return err
}
