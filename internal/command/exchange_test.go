package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTablesFromTheShell(t *testing.T) { onEach(t, tablesFromTheShell) }

func tablesFromTheShell(t *testing.T, at site) {
	at.createAcme(t)
	write(t, filepath.Join(at.dir, "items.csv"), "sku,Bezeichnung,price\nA-1,Lamp,10\nA-2,Shade,1x\n")
	args := []string{"import", "items", "items.csv", "--company=acme", "--map=name=Bezeichnung"}
	if got := at.run(t, append(args, "--dry-run")...); got.code != failure ||
		!strings.Contains(got.out, "row 3 A-2: salesPrice:") ||
		!strings.Contains(got.out, "1 created, 0 updated, 0 unchanged, 1 refused (dry run") {
		t.Errorf("dry run: %+v", got)
	}
	if got := at.run(t, args...); got.code != failure || !strings.Contains(got.err, "1 of 2 rows were refused") ||
		!strings.Contains(got.out, "1 created") {
		t.Errorf("import: %+v", got)
	}
	write(t, filepath.Join(at.dir, "orders.csv"),
		"orderNumber,itemNumber,quantity,orderDate,unitPrice,customerNumber\n1,A-1,2,2026-01-05,10,C1\n1,A-1,1,2026-01-05,9.5,C1\n")
	at.must(t, "import", "orders", "orders.csv", "--company=acme")
	if got := at.run(t, "export", "orders", "--company=acme"); !strings.Contains(got.out,
		",2026-01-05,Closed,FullyDelivered,FullyInvoiced,C1,") || strings.Count(got.out, "\n") != 3 {
		t.Errorf("orders: %+v", got)
	}
	if got := at.must(t, "export", "items", "out.ndjson.gz", "--company=acme"); got["rows"] != 1.0 {
		t.Errorf("export: %v", got)
	}
	if got := at.must(t, "import", "items", "out.ndjson.gz", "--company=acme"); got["unchanged"] != 1.0 ||
		got["rows"] != 1.0 {
		t.Errorf("import of the export: %v", got)
	}
	if got := at.run(t, "export", "stock", "--format=tsv", "--company=acme"); !strings.HasPrefix(got.out,
		"itemNumber\twarehouseCode\t") {
		t.Errorf("stock: %+v", got)
	}
	if got := at.run(t, "export", "items", "out.pdf", "--company=acme"); got.code != failure {
		t.Errorf("a format that is none: %+v", got)
	}
	if files, _ := os.ReadDir(at.dir); strings.Contains(strings.Join(names(files), " "), "out.pdf") {
		t.Errorf("a failed export left %v", names(files))
	}
	write(t, filepath.Join(at.dir, "items.txt"), "itemNumber,name\nA-3,Wick\n")
	if got := at.must(t, "import", "items", "items.txt", "--company=acme", "--format=csv"); got["created"] != 1.0 {
		t.Errorf("a file whose name says another format: %v", got)
	}
	if got := at.run(t, "verify"); got.code != success {
		t.Errorf("verify: %+v", got)
	}
}

func names(files []os.DirEntry) (all []string) {
	for _, f := range files {
		all = append(all, f.Name())
	}
	return all
}
