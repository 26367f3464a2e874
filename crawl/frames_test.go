package crawl_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"angler/crawl/inbox"
	"angler/crawl/view"
	"angler/crawl/webtest"
	"angler/message"
	"angler/topic"
)

// Notices whose entries stand in a frame are those of the page that holds it: its row
// counts them, and explain says where they stand. The page in the frame counts them, too.
func TestNoticesInAFrameBelongToThePageThatHoldsIt(t *testing.T) {
	web := kindServer(t)
	e := ofKind(t, web, webtest.Iframe)
	discover(t, e.Runs)
	holder := webtest.ListOfKind(webtest.Iframe)
	frame := strings.Replace(holder, "list.htm", "inner.htm", 1)
	whole := webtest.KindPages * webtest.KindPerPage
	in := map[string]int{}
	for n := range each(t, e.Workspace().Notices()) {
		if n.Source != holder {
			t.Errorf("%s names the list %s", n.URL, n.Source)
		}
		in[n.Frame]++
	}
	if len(in) != webtest.KindPages || in[frame] != webtest.KindPerPage {
		t.Errorf("frames: %v", in)
	}
	box, err := e.Inbox.List(t.Context(), inbox.Request{})
	must(t, err)
	id := func(address string) uint64 {
		id, ok := e.Workspace().Lookup(address)
		if !ok {
			t.Fatalf("%s is not known", address)
		}
		return id
	}
	if a, b := box.Yields[id(holder)].Notices, box.Yields[id(frame)].Notices; a != whole || b != webtest.KindPerPage {
		t.Errorf("the list counts %d notices, its frame %d; want %d and %d", a, b, whole, webtest.KindPerPage)
	}
	says := func(address string) string {
		x, err := e.Pages.Explain(t.Context(), address)
		must(t, err)
		if x.Notices, err = e.Lists.Notices(t.Context(), address); err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		must(t, x.Write(&b))
		return b.String()
	}
	for address, want := range map[string]string{
		holder: "its entries stand in " + frame,
		frame:  "it stands in a frame of " + holder,
		webtest.NoticesOfKind(webtest.Iframe)[0].URL: holder + ", in its frame " + frame,
	} {
		if text := says(address); !strings.Contains(text, want) || strings.Contains(text, "not followed") {
			t.Errorf("explain %s does not say %q:\n%s", address, want, text)
		}
	}
	if text := says(holder); !strings.Contains(text, strconv.Itoa(whole)+" notices so far") {
		t.Errorf("explain does not count:\n%s", text)
	}
	alarms, err := e.Lists.Alarms(t.Context())
	if err != nil || slices.ContainsFunc(alarms, func(a view.ListAlarm) bool { return a.URL == holder || a.URL == frame }) {
		t.Errorf("%+v, %v", alarms, err)
	}
}

// A list that people have confirmed is read through its frame by a harvest, whatever the
// page in the frame scores.
func TestAHarvestReadsTheFrameOfAConfirmedList(t *testing.T) {
	web := kindServer(t)
	e := ofKind(t, web, webtest.Iframe)
	err := e.Topic.ChangeConfig(func(c *topic.Config) message.Text { // no page is a list by its score
		c.Theta = .99
		return "θ"
	})
	must(t, err)
	discover(t, e.Runs)
	id, _ := e.Workspace().Lookup(webtest.ListOfKind(webtest.Iframe))
	must(t, e.Labels.SetLabel(id, topic.Yes))
	harvest(t, e.Runs)
	if lost := missed(t, e, webtest.Iframe); len(lost) > 0 {
		t.Errorf("%d notices are missing: %v", len(lost), lost)
	}
}
