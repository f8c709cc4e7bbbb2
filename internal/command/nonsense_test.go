package command

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What cannot be is wrong usage, and is said before anything is made.
func TestNonsenseIsRefusedBeforeAnythingIsMade(t *testing.T) {
	at := site{dir: t.TempDir()}
	for args, want := range map[string]string{
		"serve --integration-rate=NaN":             "integration-rate: NaN is no number of requests a second",
		"serve --commerce-rate=Inf":                "commerce-rate: +Inf is no number",
		"demo --commerce-rate=-1":                  "commerce-rate: -1 is no number",
		"serve --trace-ratio=NaN":                  "trace-ratio",
		"serve --keep-bytes=-1":                    `keep-bytes: "-1" is no amount of memory`,
		"serve --memory=512Mx":                     `memory: "512Mx" is no amount of memory`,
		"serve --memory=1,5GB":                     `memory: "1,5GB" is no amount of memory`,
		"serve --listen=nonsense":                  `listen: "nonsense" is no address`,
		"serve --listen=::":                        "listen",
		"demo --listen=127.0.0.1:99999":            "listen",
		"demo --shop-listen=nonsense":              "shop-listen",
		"shop --listen=nonsense":                   "listen",
		"serve --metrics-listen=Main":              "metrics-listen",
		"serve --mail-listen=x --mail-domain=x.se": "mail-listen",
		"serve --keep=-1":                          "backup-keep: is below 1",
		"serve --to=b --every=24h --keep=0":        "backup-keep: is below 1",
		"serve --to=b --every=-5h":                 "backup-every: is less than a minute",
	} {
		if got := at.run(t, strings.Fields(args)...); got.code != usage || !strings.Contains(got.err, want) ||
			strings.Count(got.err, "\n") != 1 {
			t.Errorf("kontor %s: %+v", args, got)
		}
	}
	if got := at.run(t, "bench", "--small", "--seconds=NaN", "list"); got.code != failure ||
		!strings.Contains(got.err, "--seconds is above 0") {
		t.Errorf("bench: %+v", got)
	}
	if got := at.run(t, "serve", "--listen=127.0.0.1:0", "--media-url=http://x"); got.code != failure ||
		!strings.Contains(got.err, "--media-url") {
		t.Errorf("media-url: %+v", got)
	}
	if left, err := os.ReadDir(at.dir); err != nil || len(left) > 0 {
		t.Errorf("%v are left: %v", left, err)
	}
}

// Whoever is refused finds everything as it was: no data was begun for what could not be.
func TestARefusedCommandBeginsNothing(t *testing.T) {
	from, at := site{dir: t.TempDir()}, site{dir: t.TempDir()}
	from.createAcme(t)
	if got := from.run(t, "backup", "all.tar.zst"); got.code != success {
		t.Fatalf("backup: %+v", got)
	}
	key, err := os.ReadFile(filepath.Join(from.dir, "kontor-data.key"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(at.dir, "key"), string(key))
	for args, want := range map[string]string{
		"company create --name=X --country=SE --currency=SEK --code=a@b":                   "code: ",
		"company create --name=X --country=ZZ --currency=XXX --code=acme":                  "country: ",
		"company create --name=X --country=SE --currency=SEK --code=acme --time-zone=Mars": "timeZone: ",
		"restore --company=beta --secret-key-file=key " + from.dir + "/all.tar.zst":        "it holds acme",
	} {
		if got := at.run(t, strings.Fields(args)...); got.code != failure || !strings.Contains(got.err, want) {
			t.Errorf("kontor %s: %+v", args, got)
		}
	}
	if left, err := os.ReadDir(at.dir); err != nil || len(left) != 1 {
		t.Errorf("%v are left: %v", left, err)
	}
}

// What is written is moved to its place when it is whole, and would take that of a device or a pipe.
func TestADeviceIsNoPlaceForAFile(t *testing.T) {
	at := site{dir: t.TempDir()}
	at.createAcme(t)
	path := filepath.Join(at.dir, "socket")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, args := range []string{"backup socket", "export items socket --company=acme --format=csv"} {
		if got := at.run(t, strings.Fields(args)...); got.code != failure || !strings.Contains(got.err, "is no file") {
			t.Errorf("kontor %s: %+v", args, got)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() {
		t.Errorf("the socket has become %v, %v", info, err)
	}
}

// A table in the words of the office comes in as it went out.
func TestATableInAnotherLanguage(t *testing.T) {
	at := site{dir: t.TempDir()}
	at.createAcme(t)
	write(t, filepath.Join(at.dir, "items.csv"), "Nummer;Namn;Typ\nA-1;Hink;Ej lagervara\nA-2;Montering;Tjänst\n")
	if got := at.run(t, "import", "items", "items.csv", "--company=acme"); got.code != success ||
		strings.Contains(got.out, "warning") {
		t.Errorf("import: %+v", got)
	}
	if got := at.run(t, "export", "items", "--company=acme"); !strings.Contains(got.out, "\nA-1,Hink,,NonStock,") ||
		!strings.Contains(got.out, "\nA-2,Montering,,Service,") {
		t.Errorf("export: %+v", got)
	}
}
