//go:build heavy

package export

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestLibreOffice lets LibreOffice open the files and save them as CSV.
func TestLibreOffice(t *testing.T) {
	office, err := exec.LookPath("soffice")
	if err != nil {
		t.Skip("LibreOffice is not installed")
	}
	dir := t.TempDir()
	var want [][]string
	var rows [][]Value
	for i := range 200 {
		title := fmt.Sprintf("第%d包 \"设备\", 采购", i)
		rows = append(rows, rowOf(title, fmt.Sprintf("http://a.test/%d", i), "2026-11-20T09:30", float64(i)+.5))
		want = append(want, []string{title, fmt.Sprintf("http://a.test/%d", i), "2026-11-20 09:30:00", fmt.Sprintf("%d.5", i), "7", "TRUE", "2026-11-22 08:30:05"})
	}
	for text, read := range hostileCells {
		if len(text) < 100 && text != shortEscape {
			if read == "" {
				read = text
			}
			rows, want = append(rows, rowOf(text, "http://a.test/", "2026-11-20", 1)), append(want, []string{read, "http://a.test/", "2026-11-20", "1", "7", "TRUE", "2026-11-22 08:30:05"})
		}
	}
	must(t, os.WriteFile(filepath.Join(dir, "x.xlsx"), written(t, 0, rows...), 0o600))
	c := exec.CommandContext(t.Context(), office, "--headless", "--norestore", "-env:UserInstallation=file://"+filepath.Join(dir, "profile"),
		"--convert-to", "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1", "--outdir", dir, filepath.Join(dir, "x.xlsx"))
	c.Env = append(os.Environ(), "HOME="+dir, "LC_ALL=C.UTF-8")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	made, err := filepath.Glob(filepath.Join(dir, "*.csv"))
	if err != nil || len(made) != 1 {
		t.Fatalf("LibreOffice wrote %v, %v", made, err)
	}
	b, err := os.ReadFile(made[0])
	must(t, err)
	got, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil || len(got) != len(want)+1 {
		t.Fatalf("%d lines of %d, %v", len(got), len(want)+1, err)
	}
	for i := range want {
		for j := range want[i] {
			if got[i+1][j] != want[i][j] {
				t.Fatalf("row %d column %d is %q, want %q", i, j, got[i+1][j], want[i][j])
			}
		}
	}
}
