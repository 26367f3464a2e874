package crawl_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/inbox"
	"angler/store"
)

// A filter on notices that list several things asks for any of them, and several terms
// for the same one.
func TestFiltersMeanAnyThing(t *testing.T) {
	day := inboxStart.AddDate(0, 0, -1)
	n := func(url, title, text string) store.Notice {
		return store.Notice{URL: "http://" + url, Title: title, Text: text, Date: day, Precision: 3, FirstSeen: day, Source: "http://list.test/1", Score: .5}
	}
	for kind, c := range map[string]struct {
		notices []store.Notice
		want    map[string]string
	}{
		"prices": {[]store.Notice{
			n("a.test/1", "东湖市场蔬菜价格行情", "品名\t单价（元/公斤）\n大白菜\t7.20\n土豆\t2.35\n红富士苹果\t4.5"),
			n("a.test/2", "西湖市场蔬菜价格行情", "品名\t单价（元/公斤）\n大白菜\t1.20\n猪肉\t28.5"),
			n("a.test/3", "猪肉价格", "品名：猪肉\n单价：30元/公斤"),
		}, map[string]string{
			"price<2":               "a.test/2",
			"price<5":               "a.test/1 a.test/2",
			"price>=28":             "a.test/2 a.test/3",
			"product:白菜":            "a.test/1 a.test/2",
			"product:白菜 price<2":    "a.test/2",
			"product:白菜 price>20":   "",
			"product:猪肉 -price<5":   "a.test/3",
			"品名：苹果 价格<5 unit:公斤":    "a.test/1",
			"has:price -product:白菜": "a.test/3",
		}},
		"jobs": {[]store.Notice{
			n("b.test/1", "东湖大学招聘公告", "岗位名称\t招聘人数\t学历要求\n会计\t1\t本科\n专任教师\t12\t博士\n联系人：王老师"),
			n("b.test/2", "西山学院招聘公告", "岗位名称\t招聘人数\t学历要求\n专任教师\t2\t硕士\n会计\t1\t本科"),
		}, map[string]string{
			"position:教师":           "b.test/1 b.test/2",
			"position:教师 posts>=10": "b.test/1",
			"position:会计 posts>=10": "",
			"posts>=13":             "b.test/1", // of all together
			"position:教师 学历：硕士":     "b.test/2",
			"position:会计 contact:王": "b.test/1", // who stands behind the last post, and is everybody's
		}},
	} {
		dir := lettered(t, c.notices...)
		settings := filepath.Join(dir, "angler.toml")
		text, err := os.ReadFile(settings)
		must(t, err)
		with := strings.Replace(string(text), "fields = ''", fmt.Sprintf("fields = '%s'", kind), 1)
		if with == string(text) {
			t.Fatal("the settings do not say whose fields notices have")
		}
		must(t, os.WriteFile(settings, []byte(with), 0o600))
		e := openLetters(t, dir, "wang")
		ready(t, e)
		for query, want := range c.want {
			if got := urlsOf(list(t, e, inbox.Request{Query: query})); got != want {
				t.Errorf("%s: %q lists %q, want %q", kind, query, got, want)
			}
		}
	}
}

// ready waits until the values of all notices are read.
func ready(t *testing.T, e *crawl.Engine) {
	t.Helper()
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	defer end()
	must(t, e.Facts.Idle(ctx))
}
