package command

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"

	"kontor/internal/app"
	"kontor/internal/business/channel"
	"kontor/internal/demo"
	"kontor/internal/foundation/db"
	"kontor/internal/front/shop"
)

// shopCommand serves the sample storefront for a store of any server.
type shopCommand struct {
	API      string `name:"api" required:"" placeholder:"URL" help:"Address of the server, such as http://127.0.0.1:8080."`
	Domain   string `required:"" help:"Domain of the store, as its channel has it."`
	Listen   string `default:"127.0.0.1:8081" placeholder:"ADDR" help:"Address to serve on; port 0 picks a free one."`
	Public   string `name:"public-url" placeholder:"URL" help:"Address under which browsers reach the shop."`
	StoreKey string `name:"store-key" placeholder:"KEY" help:"Store key that the server made for this store (kontor store-key create). Without it all visitors together are one stranger to the server."`
	Key      string `name:"key-file" placeholder:"FILE" help:"32 bytes that seal the cookies, made on first use; shop.key in --data."`
}

// Local keeps it here: it opens no data.
func (*shopCommand) Local() bool { return true }

// Validate refuses what cannot be, before anything is done.
func (c *shopCommand) Validate() error { return validPlace("listen", c.Listen) }

// Run serves until it is told to stop.
func (c *shopCommand) Run(ctx context.Context, env *Env) error {
	file := cmp.Or(c.Key, filepath.Join(env.Place.Data, shopKeyFile))
	key, err := shopKey(env.Path(file))
	if err != nil {
		return err
	}
	s, err := shop.New(shop.Options{API: c.API, Domain: c.Domain, StoreKey: c.StoreKey, Public: c.Public, Key: key,
		Log: slog.New(slog.NewTextHandler(env.Stderr, nil))})
	if err != nil {
		return err
	}
	l, err := app.Take(c.Listen, "--listen")
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(env.Stdout, "listening on http://%s\n", l.Addr()); err != nil {
		return err
	}
	return s.Serve(ctx, l)
}

const (
	shopKeyFile   = "shop.key"
	noShop        = "none"
	shopChannel   = "WEB"
	shopKeyAccess = 0o600
)

// shopKey reads the key that seals the cookies, or makes it. It lies in a file so that a restart signs nobody out.
func shopKey(file string) ([]byte, error) {
	key, err := os.ReadFile(file)
	if err == nil && len(key) != shop.KeySize {
		return nil, fmt.Errorf("%s holds %d bytes: the key of the shop's cookies has %d; delete the file for a new one",
			file, len(key), shop.KeySize)
	}
	if !errors.Is(err, os.ErrNotExist) {
		return key, err
	}
	key = make([]byte, shop.KeySize)
	_, _ = rand.Read(key) // never fails
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	return key, os.WriteFile(file, key, shopKeyAccess)
}

// sampleShop starts the storefront on l, beside the server that it sells for. closed waits until it has ended, which it
// does with ctx.
func sampleShop(ctx context.Context, env *Env, h *app.App, l net.Listener, api, storeKey string) (address string,
	closed func(), err error) {
	closed = func() { _ = l.Close() }
	address = reachable("http://" + l.Addr().String())
	domain := ""
	err = h.InCompany(ctx, demo.Company().Code, func(tx *db.Tx) error {
		c, err := channel.Change(tx, shopChannel, func(c *channel.Channel) error {
			c.Store.BaseURL = address
			return nil
		})
		domain = c.Domain
		return err
	})
	if err != nil {
		return "", closed, err
	}
	key, err := shopKey(filepath.Join(env.Place.Data, shopKeyFile))
	if err != nil {
		return "", closed, err
	}
	s, err := shop.New(shop.Options{API: api, Domain: domain, StoreKey: storeKey, Key: key, Demo: true, Log: h.Log})
	if err != nil {
		return "", closed, err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := s.Serve(ctx, l); err != nil {
			h.Log.Error("the shop has stopped", "error", err)
		}
	}()
	return address, func() { _ = l.Close(); <-ended }, nil
}
