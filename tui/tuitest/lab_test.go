//go:build unix && heavy

package tuitest

import (
	"fmt"
	"strings"
	"testing"

	"angler/crawl/webtest"
)

// typist counts the keys other than text.
type typist struct {
	*terminal
	keys int
}

func (x *typist) key(keys ...string) {
	x.t.Helper()
	x.keys += len(keys)
	x.press(keys...)
}

func (x *typist) text(s string) { x.t.Helper(); x.press(s) }

// From an empty folder with one pasted seed to the first notice in at most 9 keys besides text,
// following only the screen.
func TestFirstNoticeInNineKeys(t *testing.T) {
	_, server := Serve(t, webtest.Options{})
	dir := t.TempDir()
	x := &typist{terminal: startTerminal(t, 120, 40, "PS1='> ' sh")}
	x.wait(">")
	x.text(fmt.Sprintf("clear; cd %s; XDG_CONFIG_HOME=%s %s --proxy %s", dir, dir, Path, server.ProxyURL()))
	x.key("Enter")
	x.wait("new workspace: tenders")
	x.key("Enter")
	x.wait("Paste a list of addresses")
	x.paste(pastedSeed)
	x.wait("✓ "+pastedSeed, "enter makes the workspace")
	x.key("Enter")
	x.readFirstNotice()
	if x.keys > 9 {
		t.Errorf("it took %d keys beside typed text", x.keys)
	}
}

// pastedSeed is a site of the demo's web.
const pastedSeed = "http://www.jiangting.test/"

// readFirstNotice follows Home from a workspace that has only seeds.
func (x *typist) readFirstNotice() {
	x.t.Helper()
	x.wait("enter: sample the sites")
	x.key("Enter")
	x.until("the look has ended", func(s string) bool { return rests(s) && strings.Contains(s, "enter: choose samples") })
	x.key("Enter")
	x.wait("[1 Samples]", "│› ·")
	x.key("s")
	x.wait("1 sample")
	x.key("0")
	x.wait("enter: start the harvest")
	x.key("Enter")
	x.wait("enter: read the newest notice")
	x.key("Enter")
	x.wait("[5 Harvest]", "notice 1 of ", "first seen")
	x.t.Logf("%d keys", x.keys)
}

// The frontier is steered during a discovery, and the stored crawl is replayed in the lab, in both
// languages.
func TestSteeringAndLab(t *testing.T) {
	for lang, say := range map[string]map[string]string{
		"en": {"waits": "waiting URL", "drop": "not fetched any more", "flight": "in flight", "rule": "drop · ", "gone": "no rule yet", "budget": "budget:", "set": "budget 300 pages", "lab": "Mark link orders", "found": "targets found over", "cancelled": "Nothing was compared", "bfs": "● bfs", "learned": "learned"},
		"zh": {"waits": "个等待的网址", "drop": "规则移除之前不再抓取", "flight": "在途", "rule": "丢弃 · ", "gone": "还没有规则", "budget": "预算：", "set": "预算 300 个网页", "lab": "选取排序策略", "found": "的抓取而找到", "cancelled": "未能比较", "bfs": "● 广度优先", "learned": "自学习"},
	} {
		t.Run(lang, func(t *testing.T) {
			x := demoTerminal(t, 120, 40, "--lang "+lang)
			x.marked()
			x.press("4", "S")
			x.wait("▶ ", say["flight"])
			x.press("P") // pause: the frontier stays
			x.wait("‖")
			x.press("l")
			x.press("C-u", "9", "Enter")
			x.press("p")
			x.press("C-u", "/news/", "Enter")
			x.wait(say["waits"], say["drop"])
			x.press("Enter")
			x.press("r")
			x.wait("/news/", say["rule"])
			x.press("Escape", "u", "r")
			x.wait(say["gone"])
			x.press("Escape", "b")
			x.wait(say["budget"])
			x.press("300", "Enter")
			x.wait(say["set"])
			x.press("P")
			x.until("the run ended", rests)
			x.press("7")
			x.wait(say["lab"])
			x.press("t", "lists", "Enter", "r")
			x.until("the curves", func(s string) bool {
				return strings.Contains(s, say["found"]) && strings.Contains(s, say["bfs"]) && strings.Contains(s, say["learned"])
			})
			x.press("t", "url", "Enter", "/nothing/like/it", "Enter", "r")
			x.wait(say["cancelled"])
			x.press("q")
			x.wait("left with status 0")
		})
	}
}
