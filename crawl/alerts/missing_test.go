package alerts

import (
	"strings"
	"testing"

	"angler/crawl/listpage"
	"angler/crawl/view"
	"angler/store/config"
)

// What a list shows and nothing follows is told with what would help, in both languages and
// every form.
func TestUnfollowedTellsWhatHelps(t *testing.T) {
	for _, language := range []string{"en", "zh"} {
		for _, kind := range listpage.MissingKinds {
			a := view.ListAlarm{Title: "采购信息", URL: "http://a.test/list", Host: "a.test", Kind: view.ListUnfollowed, Unfollowed: []listpage.MissingEntries{{Kind: kind, Text: "toPage(2)"}}}
			d := &Digest{Workspace: "x", Notify: "y", Language: language, At: at, Sections: []digestSection{{Tells: config.TellLists, Lists: []view.ListAlarm{a}}}}
			help := d.help(&a)
			if help == "" || strings.Contains(help, "{") {
				t.Errorf("%s, %s: %q", language, kind, help)
			}
			first, _, _ := strings.Cut(strings.ReplaceAll(help, "[host]", "["), "[") // marks are other signs in markdown
			for form, text := range map[string]string{"text": d.Text(), "HTML": d.html(), "markdown": d.markdown()} {
				first := first
				if form == "HTML" {
					first = strings.ReplaceAll(first, "'", "&#39;")
				}
				if !strings.Contains(text, "→ "+first) {
					t.Errorf("%s, %s, %s lacks %q:\n%s", language, kind, form, first, text)
				}
			}
		}
	}
}
