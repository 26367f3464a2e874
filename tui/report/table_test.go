package report

import (
	"bytes"
	"fmt"
	"testing"
)

func TestTableLinesUpChinese(t *testing.T) {
	var out bytes.Buffer
	table := Columns(&out, "n\tword\tweight", 1)
	fmt.Fprintf(table, "%d\t%s\t%.2f\n", 1, "招标", .5)
	fmt.Fprintf(table, "%d\t%s\t%.2f\n", 12, "x", 10.0)
	table.Flush()
	if want := " n  word  weight\n 1  招标    0.50\n12  x      10.00\n"; out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	out.Reset()
	named := Lines(&out, 0, 1)
	fmt.Fprint(named, "θ\t0.40\njudge\trule\n")
	named.Flush()
	if want := "θ      0.40\njudge  rule\n"; out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}
