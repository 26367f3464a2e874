package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFieldsOfTheSettings(t *testing.T) {
	path := filepath.Join(t.TempDir(), Name)
	good := "[[fields]]\nname = \"warranty\"\ntitle = \"质保期\"\nlabels = [\"质保期\"]\n\n[[fields]]\nname = \"urgent\"\ntype = \"choice\"\nlabels = [\"是否加急\"]\nchoices = [\"是\", \"否\"]\n"
	s, err := parse(path, []byte(good))
	if err != nil || len(s.Fields) != 2 || s.Fields[1].Choices[1] != "否" {
		t.Fatalf("%+v, %v", s.Fields, err)
	}
	c := s.Clone()
	c.Fields[0].Labels[0] = "changed"
	if s.Fields[0].Labels[0] != "质保期" {
		t.Error("a clone shares labels")
	}
	field := func(lines ...string) string { return "[[fields]]\n" + strings.Join(lines, "\n") + "\n" }
	for name, c := range map[string]struct{ text, says string }{
		"no name":               {field(`labels = ["质保期"]`), "fields: field 1: name must be a small letter"},
		"a name with a space":   {field(`name = "my field"`, `labels = ["质保期"]`), `field 1 ("my field"): name must`},
		"twice":                 {strings.Repeat(field(`name = "a"`, `labels = ["质保期"]`), 2), `field 2 ("a"): field 1 has the same name`},
		"an unknown type":       {field(`name = "a"`, `type = "date"`, `labels = ["质保期"]`), `type "date" is none of text, money, time`},
		"no labels":             {field(`name = "a"`), "no labels; name what stands before its values"},
		"an empty label":        {field(`name = "a"`, `labels = [" "]`), "is no label"},
		"a label that is long":  {field(`name = "a"`, `labels = ["`+strings.Repeat("很", 26)+`"]`), "is no label"},
		"a choice without any":  {field(`name = "a"`, `type = "choice"`, `labels = ["是否"]`), "a choice needs its values"},
		"choices without type":  {field(`name = "a"`, `labels = ["是否"]`, `choices = ["是"]`), `choices go with type = "choice" only`},
		"a misspelt key":        {field(`name = "a"`, `lables = ["是否"]`), "unknown key fields.lables"},
		"an unknown topic":      {"[harvest]\nfields = \"weather\"\n", `harvest.fields: "weather" is none of tenders, jobs, prices, none`},
		"more than can be read": {strings.Repeat(field(`name = "a"`, `labels = ["质保期"]`), maxFields+1), fmt.Sprintf("%d fields are more than %d", maxFields+1, maxFields)},
	} {
		if _, err := parse(path, []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), Name) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}

// Tables without a row in the editor are also reloaded.
func TestOverlayTakesTables(t *testing.T) {
	before, after, now := Default(), Default(), Default()
	now.Crawl.Workers = 3 // set by a flag of this process
	after.Keys = map[string]any{"help": "f2"}
	after.Fields = []Field{{Name: "warranty", Type: "text", Labels: []string{"质保期"}}}
	got, changed := now.Overlay(&before, &after)
	var keys []string
	for _, row := range changed {
		keys = append(keys, row.Key)
	}
	if got.Keys["help"] != "f2" || len(got.Fields) != 1 || got.Crawl.Workers != 3 || !slices.Equal(keys, []string{"keys", "fields"}) {
		t.Errorf("%+v, %+v, %d workers; changed %q", got.Keys, got.Fields, got.Crawl.Workers, keys)
	}
	if _, changed := got.Overlay(&after, &after); len(changed) != 0 {
		t.Errorf("nothing was changed, and %+v is told", changed)
	}
}
