package crawl_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"angler/crawl"
	"angler/crawl/query"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store/export"
)

// TestTables writes workbooks, reports and graphs of a small crawl, reads them with
// others' readers and compares them with the JSON lines.
func TestTables(t *testing.T) {
	if testing.Short() {
		t.Skip("crawls for some seconds; -short leaves it out")
	}
	ctx := context.Background()
	b := crawledDemo(t, t.TempDir(), crawl.Options{}, 3, run.Options{MaxPages: 400})
	harvest(t, b.Runs)
	t.Run("workbook", func(t *testing.T) {
		for _, what := range query.Exports {
			workbookIsJSON(t, b.Engine, what)
		}
	})
	t.Run("graph", func(t *testing.T) { graphIsLinks(t, b.Engine) })
	t.Run("report", func(t *testing.T) {
		for _, what := range []string{"notices", "aggregations", "pages"} {
			var out bytes.Buffer
			n, err := b.Pages.Export(ctx, query.ExportPlan{What: what, Format: export.HTML, Lang: "zh"}, &out)
			if got := strings.Count(out.String(), "<tr>") - 1; err != nil || n == 0 || got != n {
				t.Errorf("%s: %d rows of %d, %v", what, got, n, err)
			}
			if !strings.Contains(out.String(), fmt.Sprintf("共 %d 条", n)) || !strings.Contains(out.String(), "<svg") {
				t.Errorf("%s: no figures", what)
			}
			if head := regexp.MustCompile(`<button type="button">[A-Za-z_ ]+</button>`).FindString(out.String()); head != "" {
				t.Errorf("%s: a Chinese report has the head %s", what, head)
			}
			if what == "notices" && (!strings.Contains(out.String(), " · 公告</title>") || !strings.Contains(out.String(), "采购人")) {
				t.Errorf("the Chinese report is called %.300s", out.String())
			}
		}
	})
	t.Run("order", func(t *testing.T) { // by date, the newest first, then by URL
		var out bytes.Buffer
		must(t, errOf(b.Pages.Export(ctx, query.ExportPlan{What: "notices", Fields: []string{"date", "url"}}, &out)))
		type row struct{ Date, URL string }
		var rows []row
		for dec := json.NewDecoder(&out); dec.More(); {
			var r row
			must(t, dec.Decode(&r))
			if r.Date != "" { // without one a notice stands where it was first seen
				rows = append(rows, r)
			}
		}
		if len(rows) < 10 || !slices.IsSortedFunc(rows, func(a, b row) int { return cmp.Or(cmp.Compare(b.Date, a.Date), cmp.Compare(a.URL, b.URL)) }) {
			t.Errorf("%d rows are not in order: %+v …", len(rows), rows[:min(5, len(rows))])
		}
	})
	t.Run("fields", func(t *testing.T) {
		var out bytes.Buffer
		plan := query.ExportPlan{What: "notices", Fields: []string{"site", "title", "files"}, Filter: "files>0", By: b.Inbox.Name}
		n, err := b.Pages.Export(ctx, plan, &out)
		if err != nil || n == 0 {
			t.Fatalf("%d rows, %v", n, err)
		}
		for line := range strings.Lines(out.String()) {
			var row map[string]any
			if err := json.Unmarshal([]byte(line), &row); err != nil || len(row) != 3 || row["files"].(float64) < 1 {
				t.Fatalf("%s: %v", line, err)
			}
			if i, j := strings.Index(line, `"site"`), strings.Index(line, `"title"`); i != 1 || j < i {
				t.Fatalf("not in the order that was asked for: %s", line)
			}
		}
		plan.Fields = []string{"budgte"}
		if _, err := b.Pages.Export(ctx, plan, io.Discard); err == nil || !strings.Contains(err.Error(), "first_seen") {
			t.Errorf("a field that is none is answered with %v", err)
		}
	})
}

func workbookIsJSON(t *testing.T, e *crawl.Engine, what string) {
	t.Helper()
	rows := exported[map[string]any](t, e, what)
	var out bytes.Buffer
	if n, err := e.Pages.Export(t.Context(), query.ExportPlan{What: what, Format: export.XLSX}, &out); err != nil || n != len(rows) {
		t.Fatalf("%s: %d rows of %d, %v", what, n, len(rows), err)
	}
	f, err := excelize.OpenReader(bytes.NewReader(out.Bytes()))
	must(t, err)
	defer f.Close()
	sheet := f.GetSheetName(0)
	cells, err := f.GetRows(sheet, excelize.Options{RawCellValue: true})
	if err != nil || len(cells) != len(rows)+1 {
		t.Fatalf("%s: %d rows of %d, %v", what, len(cells), len(rows)+1, err)
	}
	names := map[string]string{"Title": "title", "Address": "url", "Date": "date", "Text": "text", "List": "source", "Score": "score", "Quality": "quality", "First seen": "first_seen", "Attachments": "attachments",
		"State": "state", "Thread": "thread", "Same as": "same_as", "Doubtful": "doubtful", "Changed": "changed", "Versions": "versions"}
	for i, row := range rows {
		for k, head := range cells[0] {
			name, want := head, row[head]
			if what == "notices" {
				name, want = names[head], row[names[head]]
			}
			if name == "" { // what was read of the notice
				for _, f := range e.Facts.Fields() {
					if said, ok := row["fields"].(map[string]any); ok && (f.Heading(true) == head || f.Name == head) {
						name, want = f.Name, said[f.Name]
					}
				}
			}
			got := ""
			if k < len(cells[i+1]) {
				got = cells[i+1][k]
			}
			if why := differs(got, want); why != "" {
				t.Fatalf("%s: %s of row %d: %s", what, name, i, why)
			}
		}
	}
}

// differs compares a cell with what JSON has.
func differs(got string, want any) string {
	switch want := want.(type) {
	case nil:
		if got != "" {
			return fmt.Sprintf("%q where nothing is known", got)
		}
	case bool:
		if yes := got == "1" || got == "TRUE"; yes != want {
			return fmt.Sprintf("%q for %v", got, want)
		}
	case float64:
		if x, err := strconv.ParseFloat(got, 64); err != nil || x != want {
			return fmt.Sprintf("%q for %v", got, want)
		}
	case []any:
		var list []any
		if got == "" && len(want) == 0 {
			return ""
		}
		if json.Unmarshal([]byte(got), &list) != nil || !reflect.DeepEqual(list, want) {
			return fmt.Sprintf("%.80q for %v", got, want)
		}
	case string:
		if got == want {
			return ""
		}
		days, err := strconv.ParseFloat(got, 64)
		if err != nil {
			return fmt.Sprintf("%.80q for %.80q", got, want)
		}
		at, err := excelize.ExcelDateToTime(days, false)
		for _, layout := range []string{time.DateOnly, "2006-01-02 15:04", "2006-01-02T15:04:05"} {
			if err == nil && strings.HasPrefix(want, at.Round(time.Second).Format(layout)) {
				return ""
			}
		}
		return fmt.Sprintf("%v (%v) for %q", at, err, want)
	}
	return ""
}

func graphIsLinks(t *testing.T, e *crawl.Engine) {
	t.Helper()
	pages, links := exported[view.PageRow](t, e, "pages"), exported[query.LinkRow](t, e, "links")
	var out bytes.Buffer
	if n, err := e.Pages.Export(t.Context(), query.ExportPlan{What: "links", Format: export.GraphML}, &out); err != nil || n != len(pages) {
		t.Fatalf("%d nodes of %d, %v", n, len(pages), err)
	}
	var g struct {
		Nodes []struct {
			ID   string `xml:"id,attr"`
			Data []struct {
				Key   string `xml:"key,attr"`
				Value string `xml:",chardata"`
			} `xml:"data"`
		} `xml:"graph>node"`
		Edges []struct {
			Source string `xml:"source,attr"`
			Target string `xml:"target,attr"`
			Kind   string `xml:"data"`
		} `xml:"graph>edge"`
	}
	must(t, xml.Unmarshal(out.Bytes(), &g))
	url, lists := map[string]string{}, 0
	for _, n := range g.Nodes {
		url[n.ID] = "host"
		for _, d := range n.Data {
			if d.Key == "url" {
				url[n.ID] = d.Value
			}
			if d.Key == "list" && d.Value == "true" {
				lists++
			}
		}
	}
	if want := len(exported[view.PageRow](t, e, "aggregations")); lists != want {
		t.Errorf("%d lists of %d", lists, want)
	}
	stored := map[string]bool{}
	for _, p := range pages {
		stored[p.URL] = true
	}
	var want, got []query.LinkRow
	for _, l := range links {
		if stored[l.Target] {
			want = append(want, l)
		}
	}
	for _, edge := range g.Edges {
		if url[edge.Source] == "" || url[edge.Target] == "" {
			t.Fatalf("an edge between %s and %s, which are no nodes", edge.Source, edge.Target)
		}
		if edge.Kind == "links" {
			got = append(got, query.LinkRow{Source: url[edge.Source], Target: url[edge.Target]})
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d edges for %d links between stored pages", len(got), len(want))
	}
}
