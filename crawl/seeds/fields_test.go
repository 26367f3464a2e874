package seeds

import (
	"strings"
	"testing"

	"angler/crawl/fields"
	"angler/store/config"
)

func TestTheKindOfNoticesGivesTheFields(t *testing.T) {
	for name, c := range map[string]struct {
		topic, notices, want string
	}{
		"tenders":             {"anything", Tenders, Tenders},
		"jobs":                {"anything", Jobs, Jobs},
		"all":                 {"anything", AllNotices, noFields},
		"words, a known name": {"招聘信息", "教师 辅导员", Jobs},
		"words":               {"水利", "水利 桥梁", noFields},
	} {
		dir := t.TempDir() + "/ws"
		must(t, (Setup{}).Create(WorkspacePlan{Dir: dir, Topic: c.topic, Notices: c.notices, Scope: "site", Seeds: []string{"http://a.test/"}}))
		set, err := config.Read(dir)
		must(t, err)
		if got := FieldTopic(&set); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	older := config.Default() // made before harvest.fields was known
	if got := FieldTopic(&older); got != Tenders {
		t.Errorf("an older workspace: %s", got)
	}
}

func TestFieldSetsOfSettings(t *testing.T) {
	own := []config.Field{{Name: "warranty", Title: "质保期", Labels: []string{"质保期"}}}
	for topic, first := range map[string]string{Tenders: "kind", noFields: "warranty"} {
		set, err := FieldSet(topic, own)
		if err != nil || set.Fields()[0].Name != first || set.Fields()[len(set.Fields())-1].Name != "warranty" {
			t.Errorf("%s: %v", topic, err)
			continue
		}
		if r := set.Extract(fields.Notice{Text: "质保期：三年"}); len(r.Of("warranty")) != 1 {
			t.Errorf("%s: %+v", topic, r)
		}
	}
	if _, err := FieldSet("weather", nil); err == nil || !strings.Contains(err.Error(), "choose from: tenders, jobs, prices, none") {
		t.Errorf("%v", err)
	}
}
