package command

import (
	"net/http"
	"testing"
)

// leads checks which company a host name leads to; "" is none.
func (s *server) leads(t *testing.T, host, company string) {
	t.Helper()
	status, body := s.get(t, "/ecom/session/resolve?domain="+host, "")
	switch {
	case company == "" && status == http.StatusNotFound:
	case status == http.StatusOK && body["tenantId"] == company:
	default:
		t.Errorf("%s leads to %v (%d), want %q", host, body["tenantId"], status, company)
	}
}

func TestStoresAreReachedWhereverTheirCompanyLies(t *testing.T) { onEach(t, storesAreReached) }

func storesAreReached(t *testing.T, at site) {
	key := at.createAcme(t)
	s := at.serve(t)
	_, one := s.get(t, "/ecom/session/resolve?domain=shop.acme.test", "")
	acme, _ := one["tenantId"].(string)
	copied := at.must(t, "company", "clone", "--company=acme", "--code=Twin")["companyId"].(string)
	s.leads(t, "shop.acme.test", acme)
	s.leads(t, "shop.twin.test", copied)
	twin := at.must(t, "api-key", "create", "--company=twin", "--name=k", "--scopes=*")["key"].(string)
	if _, body := s.get(t, "/preview/channels/WEB", twin); body["domain"] != "shop.twin.test" {
		t.Errorf("the copy's shop stands at %v", body["domain"])
	}
	at.must(t, "backup", "all.tar.zst")
	at.must(t, "restore", "all.tar.zst", "--company=acme", "--force")
	s.leads(t, "shop.acme.test", acme)
	if status, _ := s.get(t, warehouses, key); status != http.StatusOK {
		t.Errorf("the company that was put back answers %d", status)
	}
	at.must(t, "restore", "all.tar.zst", "--force")
	s.leads(t, "shop.acme.test", acme)
	s.leads(t, "shop.twin.test", copied)
}
