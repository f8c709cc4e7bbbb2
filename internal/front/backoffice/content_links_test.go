package backoffice_test

import (
	"slices"
	"testing"

	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
)

// An editor is told which links of a page lead nowhere, in texts and in fields: to what is not there, or is not
// published. What a redirect leads on, and the storefront's own addresses, are not complained of.
func TestLinksThatLeadNowhereAreTold(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		store(b)
		for _, slug := range []string{"about", "hidden"} {
			b.get("/new/pages")
			b.submit("/new/pages", "title", slug, "slug", slug, "channelCode", "WEB")
		}
		o.write(func(tx *db.Tx) error {
			if _, err := catalog.CreateCategory(tx, catalog.Category{Code: "TOOLS", Name: "Tools", IsActive: true}); err != nil {
				return err
			}
			out, err := channel.Publish(tx, []channel.Publication{{ItemNumber: "A-100", ChannelCode: "WEB"}})
			if err == nil {
				err = out[0].Err
			}
			if err != nil {
				return err
			}
			_, err = channel.CreateRedirect(tx, "WEB", channel.Redirect{FromPath: "/pages/old", ToPath: "/pages/about",
				StatusCode: 301, IsActive: true})
			return err
		})
		b.get("/pages/WEB/about/sections/new/Text")
		b.submit("/pages/WEB/about/sections/new/Text", "title", "Links", "htmlContent",
			`<p><a href="/pages/gone#x">1</a> <a href="/pages/hidden?a=1">2</a> <a href="/categories/tools">3</a>
			<a href="/pages/old">4</a> <a href="/our-own/place">5</a> <a href="https://example.com/pages/far">6</a>
			<a href="/products/hammer">7</a> <a href="/categories/toys">8</a></p>`)
		b.get("/pages/WEB/about")
		b.see("Links that lead nowhere")
		want := []string{"/categories/toys", "/pages/gone", "/pages/hidden", "/products/hammer"}
		if got := b.column("Link"); len(got) < 4 || !slices.Equal(got[:4], want) {
			t.Errorf("%q lead nowhere, want %q", got, want)
		}
		b.see("/pages/goneNothing there", "/pages/hiddenNot published", "/products/hammerNot published")
	})
}
