//go:build unix

package tuitest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// demoTerminal opens the demo in a terminal, in a language, on the screen of samples.
func demoTerminal(t *testing.T, cols, rows int, args string) *terminal {
	t.Helper()
	x := startTerminal(t, cols, rows, Path+" demo "+args)
	x.wait("6 ")
	x.wait("■ ")
	x.press("1")
	return x
}

// rests reports from the status line that no run is active.
func rests(screen string) bool {
	for _, l := range strings.Split(screen, "\n") {
		l = strings.TrimPrefix(strings.TrimSpace(l), "read only ")
		if strings.HasPrefix(l, "■ ") || strings.HasPrefix(l, "✓ ") {
			return true
		}
	}
	return false
}

// marked makes samples of three lists of a probe, or of the two that it found.
func (x *terminal) marked() {
	x.t.Helper()
	x.press("F")
	x.until("the probe ended with candidates", func(s string) bool { return rests(s) && strings.Contains(s, "招标公告") })
	x.press("/", "招标公告", "Enter")
	x.wait("/招标公告")
	for n := 1; n <= 3; n++ {
		x.press("s")
		x.until(fmt.Sprint(n, " samples"), func(s string) bool {
			return strings.Contains(s, fmt.Sprintf("%d sample", n)) || strings.Contains(s, fmt.Sprintf("%d 个样本", n))
		})
		if s := x.screen(); n == 3 || n == 2 && !strings.Contains(s, "│› ·") && !strings.Contains(s, "│  ·") {
			break // a probe may find no third list of this name
		}
		x.unmarked()
	}
	x.press("Escape")
}

// unmarked moves the cursor to a row that is no sample. A sample changes scores and order, so the
// next row may be the last, or a sample.
func (x *terminal) unmarked() {
	x.t.Helper()
	moves := 0
	x.until("a row that is no sample", func(s string) bool {
		if strings.Contains(s, "│› ·") {
			return true
		}
		x.press([]string{"j", "j", "j", "g"}[moves%4])
		moves++
		return false
	})
}

// leave quits, with or without a running crawl.
func (x *terminal) leave() {
	x.t.Helper()
	const left = "left with status 0"
	x.press("q")
	asked := func(s string) bool {
		return strings.Contains(s, "y quits") || strings.Contains(s, "y 退出")
	}
	if s := x.until("the end, or a question", func(s string) bool { return strings.Contains(s, left) || asked(s) }); asked(s) {
		x.press("y")
	}
	x.wait(left)
}

// From a new workspace to the first notice in few keys; every screen is in Chinese.
func TestEveryScreenInChinese(t *testing.T) {
	x := demoTerminal(t, 120, 40, "--lang zh")
	x.wait("[1 样本]", "还没有网页")
	x.marked()
	x.press("C-v")
	x.until("the page's source", func(s string) bool { return strings.Contains(strings.ToLower(s), "<html") })
	x.press("h")
	x.wait("站点或栏目", "所有站点")
	x.press("Escape", "2")
	x.wait("[2 特征词]", "特征词 ", "TF/IDF")
	x.press("3")
	x.wait("[3 阈值]", "查准率", "大津法")
	x.press("4")
	x.wait("[4 爬取]", "待抓队列")
	x.press("6")
	x.wait("[6 标注]", "待标注")
	x.press("B")
	x.wait("批量标注", "enter 继续")
	x.press("Enter")
	x.wait("尚未标注的")
	x.press("Escape", "H")
	x.press("5")
	x.wait("全部公告", "首次发现于")
	x.press("/", "采购", "Enter")
	x.wait("/ 采购")
	x.press("Enter", "G")
	x.wait("收录原因")
	x.press("Escape", "Escape", "?")
	x.wait("j k 滚动")
	x.press("Escape", ",")
	x.press("/", "crawl.depth", "Enter")
	x.wait("crawl.depth", "距种子的最多链接数")
	x.press("Escape")
	x.press("Escape", "C-o")
	x.wait("新建工作区")
	x.press("Escape", "C-p")
	x.wait("全部命令")
	x.press("Escape")
	x.leave()
}

func TestSettingsAreWrittenWithTheirComments(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ws")
	x := demoTerminal(t, 100, 30, "--dir "+dir)
	x.press(",")
	x.wait("angler.toml")
	x.press("/", "crawl.depth", "Enter")
	x.wait("crawl.depth: most links between a seed")
	x.press("Enter")
	x.wait("enter save")
	x.press("7", "Enter")
	x.wait("crawl.depth set to 7")
	x.press("Escape", "Escape", "q")
	x.wait("left with status 0")
	b, err := os.ReadFile(filepath.Join(dir, "angler.toml"))
	text := string(b)
	if err != nil || !strings.Contains(text, "depth = 7\n") || !strings.Contains(text, "# most links between a seed") {
		t.Errorf("the file holds, %v:\n%s", err, b)
	}
}

// paste sends text like a terminal, in one bracketed paste.
func (x *terminal) paste(text string) {
	x.t.Helper()
	file := filepath.Join(x.t.TempDir(), "paste")
	must(x.t, os.WriteFile(file, []byte(text), 0o600))
	x.tmux("load-buffer", file)
	x.tmux("paste-buffer", "-p", "-t", "a")
}

func TestFirstRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "first")
	x := startTerminal(t, 100, 30, Path)
	x.wait("look around in the demo", "new workspace")
	x.press("new", "Enter")
	x.wait("Paste a list of addresses")
	var seeds strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&seeds, "http://h%d.test/\n", i)
	}
	x.paste(seeds.String() + "什么\n")
	x.wait("10 000 seeds of 10 000 hosts", "1 no address")
	x.press("Tab")
	x.wait("What do you look for?")
	x.press("Enter")
	x.wait("folder:")
	x.press("C-u", dir, "Enter")
	x.wait("in and out", "✗ out: 什么")
	x.press("http://sub.h7.test/")
	x.wait("✓ in: http://sub.h7.test/")
	x.press("Enter")
	x.samples("No pages yet")
	x.press("q")
	x.wait("left with status 0")
	b, err := os.ReadFile(filepath.Join(dir, "angler.toml"))
	if err != nil || strings.Count(string(b), ".test/") != 10_000 {
		t.Errorf("%d seeds in the file, %v", strings.Count(string(b), ".test/"), err)
	}
	t.Run("again", func(t *testing.T) {
		x := startTerminal(t, 100, 30, Path)
		x.wait("open tenders", "0 pages", "last used")
		x.press("C-c")
		x.wait("left with status 0")
	})
}

func TestPoorTerminals(t *testing.T) {
	if r := Run(t); r.Status != 2 || !strings.Contains(r.Err, "angler crawl DIR") || !strings.Contains(r.Err, "needs a terminal") {
		t.Errorf("without a terminal: status %d, %s", r.Status, r.Err)
	}
	x := startTerminal(t, 100, 20, "TERM=dumb "+Path+" demo")
	s := x.wait("left with status 1")
	if !strings.Contains(s, "TERM=dumb") || !strings.Contains(strings.ReplaceAll(s, "\n", ""), "angler harvest DIR") {
		t.Errorf("screen:\n%s", s)
	}
	t.Run("C locale", func(t *testing.T) {
		x := startTerminal(t, 100, 20, "env -u LC_ALL LANG=C LC_CTYPE=C "+Path+" demo")
		x.wait("# idle")
		x.press("1")
		if s := x.wait(">candidates", "# idle"); strings.ContainsAny(s, "╭│─■▸") {
			t.Errorf("a locale without UTF-8 got:\n%s", s)
		}
		x.press("q")
	})
}

// A crash of the process restores the terminal and saves a report. SIGQUIT is such a crash from
// outside.
func TestCrashGivesTheTerminalBack(t *testing.T) {
	x := demoTerminal(t, 120, 30, "")
	out, err := exec.Command("pgrep", "-f", "^"+regexp.QuoteMeta(Path)+" demo").Output()
	if err != nil {
		t.Skipf("the process is not to be found: %v", err)
	}
	pid := strings.Fields(string(out))[0]
	must(t, exec.Command("kill", "-QUIT", pid).Run())
	// The shell may continue before the screen is restored: its output is then on the screen that was
	// left.
	s := x.until("the report", func(s string) bool {
		return strings.Contains(strings.ReplaceAll(s, "\n", ""), ".txt")
	})
	path := regexp.MustCompile(`/\S*crash-[0-9-]+\.txt`).FindString(strings.ReplaceAll(s, "\n", ""))
	if b, err := os.ReadFile(path); err != nil || !strings.Contains(string(b), "goroutine") {
		t.Errorf("report %q: %v", path, err)
	}
	if x.tmux("display-message", "-p", "-t", "a", "#{alternate_on} #{mouse_any_flag} #{cursor_flag}") != "0 0 1\n" {
		t.Errorf("the terminal was left in a bad state:\n%s", s)
	}
}

// Keys in one write count one by one: escape, the key that opens a prompt, a number and enter, on
// the local terminal and over SSH.
func TestTypingWithoutAPause(t *testing.T) {
	quick := func(x *terminal) {
		x.press("4", "S")
		x.wait("[4 Crawl]", "▶ discovery")
		x.press("P")
		x.wait("paused")
		for budget := 1001; budget <= 1005; budget++ {
			keys := []string{"send-keys", "-t", "a", ":", "Escape", "b", strconv.Itoa(budget), "Enter"}
			if budget%2 == 0 {
				keys = slices.Delete(keys, 3, 5)
			}
			x.tmux(keys...)
			x.wait("budget " + strconv.Itoa(budget) + " pages") // in the log
			x.tmux("send-keys", "-t", "a", "b", "C-u", "0", "Enter")
			x.until("the bound is gone", func(s string) bool { return regexp.MustCompile(`budget +–`).MatchString(s) })
		}
	}
	t.Run("here", func(t *testing.T) {
		x := demoTerminal(t, 120, 40, "")
		quick(x)
		x.press("X")
		x.leave()
	})
	t.Run("over SSH", func(t *testing.T) {
		s := startServerAt(t, "30s", "--every", "0")
		x := s.attach("zhou", 120, 40)
		x.samples()
		quick(x)
		x.press("X", "q")
		x.wait("left with status 0")
	})
}
