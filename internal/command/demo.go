package command

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kontor/internal/app"
	"kontor/internal/business/identity"
	"kontor/internal/demo"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/durable"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// demoCommand serves the sample company, which it makes on first use.
type demoCommand struct {
	app.Serving
	ShopListen string `name:"shop-listen" default:"127.0.0.1:8081" placeholder:"ADDR" help:"Address of the sample storefront, ${default} if left out; where it is taken another port is; none starts none."`
}

// livesElsewhere is a command whose data has a folder of its own unless one is given.
type livesElsewhere interface{ DefaultData() string }

// Validate refuses what cannot be, before anything is done.
func (c *demoCommand) Validate() error {
	if c.ShopListen != noShop {
		if err := validPlace("shop-listen", c.ShopListen); err != nil {
			return err
		}
	}
	return valid(c.Serving)
}

// Local keeps it here: it is the server.
func (*demoCommand) Local() bool { return true }

// DefaultData keeps the sample company apart from real ones.
func (*demoCommand) DefaultData() string { return "./kontor-demo" }

// Run serves, and prints where to go.
func (c *demoCommand) Run(ctx context.Context, env *Env) error {
	closed := func() {}
	c.AnyPort = true
	err := serve(ctx, env, c.Serving, func(h *app.App, address string) error {
		sayMoved(env, "this", c.Listen, address)
		var l net.Listener // nil = no storefront
		if c.ShopListen != noShop {
			var err error
			if l, err = app.TakeNear(c.ShopListen, "--shop-listen"); err != nil {
				return err
			}
			closed = func() { _ = l.Close() }
			sayMoved(env, "the shop", c.ShopListen, "http://"+l.Addr().String())
		}
		company, err := sampleCompany(ctx, env, h)
		if err != nil {
			return err
		}
		t, err := ticketTo(ctx, env, h, company)
		if err != nil {
			return err
		}
		shopAt := ""
		if l != nil {
			if shopAt, closed, err = sampleShop(ctx, env, h, l, reachable(address), t.StoreKey); err != nil {
				return err
			}
		}
		return welcome(env, t, reachable(address), shopAt)
	})
	closed()
	return err
}

// sayMoved says where something is served whose port was taken.
func sayMoved(env *Env, what, asked, address string) {
	u, err := url.Parse(address)
	if _, port, bad := net.SplitHostPort(asked); err == nil && bad == nil && port != "0" && port != u.Port() {
		fmt.Fprintf(env.Stderr, "%s is taken, so %s is served on %s\n", asked, what, u.Host)
	}
}

// sampleCompany is the sample company, made if it is not there.
func sampleCompany(ctx context.Context, env *Env, h *app.App) (identity.Company, error) {
	c, err := h.Company(ctx, demo.Company().Code)
	if err == nil && c.Status == identity.Active {
		return c, nil
	}
	if err != nil && !fault.Is(err, identity.ErrCompanyNotFound) {
		return c, err
	}
	began := time.Now()
	fmt.Fprintf(env.Stderr, "making the sample company %s; this is done once and takes a few seconds\n",
		demo.Company().Name)
	n := 0
	c, err = h.CreateFilled(ctx, demo.Company(), func(c identity.Company) error {
		tick := func(what string) {
			n++
			fmt.Fprintf(env.Stderr, "  %d of %d: %s\n", n, demo.Steps, what)
		}
		if err := demo.Fill(ctx, h.Store(), c.ID, began, tick); err != nil {
			return err
		}
		return demo.Furnish(ctx, h.Store(), h.Files(), c.ID, began, tick)
	})
	if err == nil {
		fmt.Fprintf(env.Stderr, "made in %s\n", time.Since(began).Round(100*time.Millisecond))
	}
	return c, err
}

// ticket is what lets people in to the sample company. It lies beside the data, so that it stays valid from one start
// to the next: a sample company has no secrets, real ones show their keys once.
type ticket struct {
	CompanyID string `json:"companyId"`
	Key       string `json:"key"`
	StoreKey  string `json:"storeKey"` // of the sample storefront
	Email     string `json:"email"`
	Password  string `json:"password"`
	Shopper   string `json:"shopperPassword"` // of demo.Shopper, who signs in to the shop
}

const (
	ticketFile = "demo.json"
	demoKey    = "demo"
	demoUser   = "demo@nordlys.example"
)

// ticketTo is the ticket that lies beside the data, or a new one where it lets nobody in any more.
func ticketTo(ctx context.Context, env *Env, h *app.App, c identity.Company) (ticket, error) {
	path := filepath.Join(env.Place.Data, ticketFile)
	t := ticket{}
	if b, err := os.ReadFile(path); err == nil && json.Unmarshal(b, &t) == nil && t.CompanyID == c.ID {
		free := func() error { return nil }
		caller, err := h.Gate().Authenticate(ctx, t.Key, nil)
		server, storeErr := h.Gate().Store(ctx, t.StoreKey, free)
		if err == nil && storeErr == nil && caller.CompanyID == c.ID && server.CompanyID == c.ID {
			return t, nil
		}
	}
	t.CompanyID, t.Email = c.ID, demoUser
	err := h.Control(ctx, func(tx *db.Tx) (err error) {
		t.Key, err = newDemoKey(tx, c, identity.Keys, identity.RevokeKey, func() (identity.Key, string, error) {
			return identity.CreateKey(tx, c, identity.NewKey{Name: demoKey, Scopes: []string{identity.Everything}},
				app.Scopes())
		})
		if err != nil {
			return err
		}
		revoke := func(tx *db.Tx, c identity.Company, id string) (identity.Key, error) {
			return identity.RevokeStoreKey(tx, c, "", id)
		}
		t.StoreKey, err = newDemoKey(tx, c, identity.StoreKeys, revoke, func() (identity.Key, string, error) {
			return identity.CreateStoreKey(tx, c, record.Fold(shopChannel), demoKey)
		})
		return err
	})
	if err != nil {
		return t, err
	}
	if err := t.letUserIn(ctx, h); err != nil {
		return t, err
	}
	if err := t.letShopperIn(ctx, h); err != nil {
		return t, err
	}
	return t, t.keep(path)
}

// newDemoKey makes a key in place of those that lay beside the data before.
func newDemoKey(tx *db.Tx, c identity.Company, all func(*db.Tx, string) ([]identity.Key, error),
	revoke func(*db.Tx, identity.Company, string) (identity.Key, error),
	create func() (identity.Key, string, error)) (string, error) {
	keys, err := all(tx, c.ID)
	if err != nil {
		return "", err
	}
	for _, k := range keys {
		if k.Name == demoKey && k.RevokedAt == 0 {
			if _, err := revoke(tx, c, k.ID); err != nil {
				return "", err
			}
		}
	}
	_, secret, err := create()
	return secret, err
}

// letUserIn makes the user, or lets the one there is in to this company; then only whoever knows the password still has
// it.
func (t *ticket) letUserIn(ctx context.Context, h *app.App) error {
	password := rand.Text()
	hash, err := h.Hasher.Hash(ctx, password)
	if err != nil {
		return err
	}
	n := identity.NewUser{Email: demoUser, Name: "Demo", PasswordHash: hash, CompanyID: t.CompanyID, Role: "admin"}
	create := func(tx *db.Tx) error { _, err := identity.CreateUser(tx, n); return err }
	err = h.Control(ctx, create)
	if err == nil {
		t.Password = password
		return nil
	}
	if n.PasswordHash = ""; fault.Is(err, identity.ErrUserExists) {
		err = h.Control(ctx, create)
	}
	if fault.Is(err, identity.ErrUserExists) {
		return nil
	}
	return err
}

// letShopperIn gives the shopper a new password.
func (t *ticket) letShopperIn(ctx context.Context, h *app.App) error {
	t.Shopper = strings.ToLower(rand.Text()[:14])
	hash, err := h.Hasher.Hash(ctx, t.Shopper)
	if err != nil {
		return err
	}
	return h.InCompany(ctx, demo.Company().Code, func(tx *db.Tx) error { return demo.LetIn(tx, hash) })
}

// keep writes the ticket for its owner alone, whole or not at all.
func (t *ticket) keep(path string) error {
	b, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	next := path + ".new"
	if err := errors.Join(os.WriteFile(next, append(b, '\n'), 0o600), os.Chmod(next, 0o600)); err != nil {
		return err
	}
	return durable.Rename(next, path)
}

// reachable is the address for this machine where the server listens on all of its addresses.
func reachable(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	if ip := net.ParseIP(u.Hostname()); ip != nil && ip.IsUnspecified() {
		u.Host = net.JoinHostPort("127.0.0.1", u.Port())
	}
	return u.String()
}

// curls are calls to try, each one line for a shell.
func (t *ticket) curls(address string) []string {
	key := fmt.Sprintf("curl -H 'X-Api-Key: %s' ", t.Key)
	return []string{
		key + fmt.Sprintf("'%s/preview/items?categoryCode=TENTS&pageSize=3'", address),
		key + fmt.Sprintf("'%s/preview/items/TNT-102/price?customerNumber=10001&quantity=2'", address),
		key + "-H 'Content-Type: application/json' -H 'Idempotency-Key: my-first-order' " +
			`-d '{"customerNumber": "10001", "customerReference": "By hand", "lines": [{"itemNumber": "TNT-102", "quantity": "2"}]}' ` +
			fmt.Sprintf("'%s/preview/orders'", address),
	}
}

// welcome prints where to go.
func welcome(env *Env, t ticket, address, shopAt string) error {
	calls := t.curls(address)
	if env.JSON {
		return env.Print(map[string]any{"companyId": t.CompanyID, "url": address, "docs": address + "/docs/",
			"key": t.Key, "storeKey": t.StoreKey, "email": t.Email, "password": t.Password, "curl": calls,
			"shopUrl": shopAt, "shopEmail": demo.Shopper, "shopPassword": t.Shopper, "discountCode": demo.DiscountCode,
			"giftCard": demo.GiftCard}, "")
	}
	password := "password " + t.Password
	if t.Password == "" {
		password = "with the password it had"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s: a sample company with an assortment, customers, and a month of business\n\n",
		demo.Company().Name)
	fmt.Fprintf(&b, "  Back office    %s/\n  User           %s, %s\n\n", address, t.Email, password)
	fmt.Fprintf(&b, "  API reference  %s/docs/\n  API key        %s\n\n", address, t.Key)
	if shopAt != "" {
		fmt.Fprintf(&b,
			"  Shop           %s\n  Customer       %s, password %s\n  Codes          %s, and gift card %s\n\n", shopAt,
			demo.Shopper, t.Shopper, demo.DiscountCode, demo.GiftCard)
	}
	for n, what := range []string{"Tents", "A customer's price",
		"An order; sent again under its Idempotency-Key, it stays one"} {
		fmt.Fprintf(&b, "# %s\n%s\n\n", what, calls[n])
	}
	_, err := env.Stdout.Write([]byte(b.String()))
	return err
}
