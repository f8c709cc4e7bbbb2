package oauth_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Two clients of other houses that run on Node. They are fetched from npm; where that cannot be done the test says so
// and is skipped.
func TestNodeClients(t *testing.T) {
	if testing.Short() {
		t.Skip("clients of Node are not fetched in a short run")
	}
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is needed for this test: %v", tool, err)
		}
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "strangers"))); err != nil {
		t.Fatal(err)
	}
	install := exec.CommandContext(t.Context(), "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("the clients cannot be fetched from npm: %v\n%s", err, out)
	}
	whole := newWorld(t, "sqlite")
	for _, name := range []string{"oauth4webapi", "modelcontextprotocol"} {
		t.Run(name, func(t *testing.T) {
			w := *whole
			w.TB = t
			b := w.browser()
			node := exec.CommandContext(t.Context(), "node", name+".mjs", w.url)
			node.Dir, node.Stderr = dir, os.Stderr
			in, err1 := node.StdinPipe()
			out, err2 := node.StdoutPipe()
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			if err := node.Start(); err != nil {
				t.Fatal(err)
			}
			said := bufio.NewReader(out)
			to, err := said.ReadString('\n')
			if err != nil {
				t.Fatalf("it said no address: %v, %v", err, node.Wait())
			}
			fmt.Fprintln(in, b.consent(strings.TrimSpace(to)).to())
			token, err := said.ReadString('\n')
			if err != nil {
				t.Fatalf("it has no token: %v, %v", err, node.Wait())
			}
			if err := node.Wait(); err != nil {
				t.Error(err)
			}
			w.works(strings.TrimSpace(token), true, name)
		})
	}
}
