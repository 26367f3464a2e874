package role_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"angler/crawl/decisions"
	"angler/crawl/lab"
	"angler/crawl/query"
	"angler/crawl/seeds"
	"angler/store/config"
	"angler/topic"
	"angler/tui/parts"
	"angler/tui/role"
	"angler/tui/uitest"
)

// By name, whether an admin at the other end of a line may change the setting; those
// of [terms] an analyst may, too.
// A setting that is not here fails the test: somebody has to decide.
var settings = map[string]bool{
	"name": true, "seeds": true, "sitemaps": true, "scope.kind": true, "scope.include": true, "scope.exclude": true,
	"crawl.depth": true, "crawl.workers": true, "crawl.delay": true, "crawl.ip_delay": true, "crawl.per_host": true, "crawl.timeout": true, "crawl.retries": true,
	"crawl.strategy": true, "crawl.constants": true, "crawl.important": true, "crawl.queues": true, "crawl.queue_count": true,
	"crawl.user_agent": true, "crawl.ignore_robots": true, "crawl.sitemaps": true,
	"crawl.proxy": false, "crawl.allow_private": false, "crawl.public_only": false, "crawl.max_body_mb": false, "crawl.frontier_memory": false, "crawl.host_urls": false,
	"harvest.patterns": true, "harvest.method": true, "harvest.punctuation": true, "harvest.link_chars": true, "harvest.pages": true, "harvest.share": true, "harvest.fields": true, "harvest.similarity_share": true, "harvest.check": true, "harvest.versions": true, "revisit.watch": true, "revisit.watch_min": true,
	"revisit.off": true, "revisit.aggregation_min": true, "revisit.aggregation_max": true, "revisit.other_min": true,
	"revisit.other_max": true, "revisit.chance": true, "revisit.growth": true,
	"retention.body_days": true, "retention.notice_body_days": true, "retention.version_days": true, "retention.attachment_days": true, "retention.event_days": true, "retention.run_days": true,
	"terms.method": true, "terms.patterns": true, "terms.threshold": true, "terms.corpus": true, "terms.propose": true,
	"suggest.searxng": false, "suggest.words": true, "suggest.most_words": true, "suggest.results": true, "suggest.delay": true, "suggest.engines": true, "suggest.language": true,
	"attachments.fetch": true, "attachments.types": true, "attachments.max_mb": false, "attachments.budget_mb": true,
	"render.pages": true, "render.browser": false, "render.tabs": false, "render.memory_mb": false, "render.timeout": true, "render.restart": false,
	"words.segmenter": false, "store.expected_urls": false, "store.false_positive": false,
}

// Who only reads a workspace of this machine may look and export, and nothing else.
func TestReadingAWorkspaceOfThisMachine(t *testing.T) {
	e := uitest.Open(t, uitest.Empty)
	p := role.Guard(parts.Of(e.Engine), role.Reading)
	if err := p.Runs.StartDiscovery(); err == nil || !strings.Contains(err.Error(), "for reading only") {
		t.Errorf("a run: %v", err)
	}
	if _, err := p.Notices.ExportFile(t.Context(), query.ExportPlan{What: "pages"}, t.TempDir()+"/pages.jsonl", false); err != nil {
		t.Errorf("an export: %v", err)
	}
	if _, err := role.Parse(string(role.Reading)); err == nil {
		t.Error("a key may have the role")
	}
}

func TestSettingsOverALine(t *testing.T) {
	e := uitest.Open(t, uitest.Empty)
	all := parts.Of(e.Engine)
	set := *e.Set()
	known := map[string]bool{}
	for _, row := range set.Rows() {
		known[row.Key] = true
		may, decided := settings[row.Key]
		if !decided {
			t.Errorf("nobody has decided who may change %s", row.Key)
		}
		for _, r := range []role.Role{"", role.Viewer, role.Analyst, role.Admin} {
			want := r == "" || r == role.Admin && may || r == role.Analyst && strings.HasPrefix(row.Key, "terms.")
			calls, counted := uitest.Count(all)
			_, err := role.Guard(counted, r).Settings.ChangeSetting(row.Key, row.Value)
			if called := calls.Of("ChangeSetting") > 0; called != want || called != (err == nil) {
				t.Errorf("%s as %q: %v, went through: %v", row.Key, r, err, called)
			}
			if err := role.Guard(all, r).Settings.CheckSetting(row.Key, row.Value); (err == nil) != want {
				t.Errorf("%s as %q is checked with %v", row.Key, r, err)
			}
		}
	}
	for key := range settings {
		if !known[key] {
			t.Errorf("%s is no setting", key)
		}
	}
}

// Over a line nobody has the server read a file, send a password or trust a certificate
// for a host; how fast it is asked an admin may say.
func TestHostSettingsOverALine(t *testing.T) {
	all := uitest.Parts(t, uitest.Empty)
	if _, err := all.Settings.ChangeSetting(config.HostsKey, `["x.cn"]`); err != nil {
		t.Fatal(err)
	}
	if _, err := all.Settings.ChangeSetting(config.HostKey("x.cn", "headers"), `["X-Token: secret"]`); err != nil {
		t.Fatal(err)
	}
	guarded := role.Guard(all, role.Admin).Settings
	for _, row := range guarded.SettingRows() {
		if strings.Contains(row.Value, "secret") {
			t.Errorf("%s shows %s", row.Key, row.Value)
		}
	}
	h := config.Host{}
	if len(h.Has()) != 0 {
		t.Errorf("a host without settings has %q", h.Has())
	}
	for key, value := range map[string]string{"delay": "2s", "per_host": "2", "render": "never", "worker": "a"} {
		if _, err := guarded.ChangeSetting(config.HostKey("x.cn", key), value); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
	for key, value := range map[string]string{"headers": `["A: 1"]`, "user_agent": "x", "proxy": "http://x:1", "certificate": strings.Repeat("ab", 32), "cookies": "/etc/passwd",
		"user": "a", "password_file": "/etc/shadow", "password_env": "HOME", "login_page": "http://evil.test/", "login_fields": `["a = b"]`, "login_secret": "p", "login_text": "x"} {
		if _, err := guarded.ChangeSetting(config.HostKey("x.cn", key), value); err == nil {
			t.Errorf("%s was changed over a line", key)
		}
	}
	if _, err := guarded.ChangeSetting(config.HostsKey, `["x.cn", "y.cn"]`); err != nil {
		t.Error(err)
	}
	if _, err := guarded.ChangeSetting(config.HostsKey, `["y.cn"]`); err == nil {
		t.Error("a host lost its settings over a line")
	}
	// What is shown with its secrets hidden and set again stays what it is.
	if _, err := all.Settings.ChangeSetting(config.HostKey("x.cn", "headers"), `["X-Token: xxxxx", "B: 2"]`); err != nil {
		t.Fatal(err)
	}
}

func TestWhoSeesTheSettings(t *testing.T) {
	all := uitest.Parts(t, uitest.Empty)
	if _, err := all.Settings.ChangeSetting("crawl.proxy", "http://me:secret@10.0.0.1:3128"); err != nil {
		t.Fatal(err)
	}
	for r, want := range map[role.Role]bool{"": true, role.Viewer: false, role.Analyst: false, role.Admin: true} {
		rows := role.Guard(all, r).Settings.SettingRows()
		if (len(rows) > 0) != want {
			t.Errorf("%q sees %d settings", r, len(rows))
		}
		secret := slices.ContainsFunc(rows, func(row config.Row) bool { return strings.Contains(row.Value, "secret") })
		if secret {
			t.Errorf("%q sees the proxy's password", r)
		}
	}
}

// seeds that lead, or may lead, into the network of the server, in spellings
// that different parsers read differently.
var closed = []string{
	"http://127.0.0.1/", "http://127.0.0.1:9464/metrics", "http://10.0.0.5/", "http://169.254.169.254/latest/meta-data/",
	"http://[::1]/", "http://[::ffff:10.0.0.1]/", "http://2130706433/", "http://0x7f.1/", "http://0177.0.0.1/", "http://127.1/",
	"http://localhost/", "http://LOCALHOST./", "http://a.localhost/", "http://router/", "http://printer.local/", "http://wiki.corp/",
	"http://metadata.google.internal/", "http://nas.home.arpa/", "http:10.0.0.5/", "http:\\\\10.0.0.5\\", "http://x.edu.cn\\@10.0.0.5/", "http://10.0.0.5\\@x.edu.cn/", "http://10.0.0.5#@x.edu.cn/", "http://10.0.0.5\t@x.edu.cn/",
	"http://１０.0.0.5/", "http://10。0。0。5/", "http://x.edu.cn@10.0.0.5/", "http://1.2.3.4/", "ftp://x.edu.cn/", "file:///etc/passwd", "/etc/passwd", "",
}

func TestSeedsOverALine(t *testing.T) {
	e := uitest.Open(t, uitest.Empty)
	own := e.Set().Seeds
	calls, all := uitest.Count(parts.Of(e.Engine))
	for _, u := range closed {
		for _, r := range []role.Role{role.Analyst, role.Admin} {
			g := role.Guard(all, r)
			if _, err := g.Settings.AddSeeds([]string{"http://www.x.edu.cn/", u}); err == nil {
				t.Errorf("%s may add the seed %q", r, u)
			}
			quoted := `["` + strings.ReplaceAll(u, `\`, `\\`) + `"]`
			for _, key := range []string{"seeds", "sitemaps"} {
				if _, err := g.Settings.ChangeSetting(key, quoted); err == nil {
					t.Errorf("%s may set %s to %q", r, key, u)
				}
			}
		}
	}
	if n := calls.Of("AddSeeds") + calls.Of("ChangeSetting"); n != 0 {
		t.Fatalf("%d calls went through", n)
	}
	for _, u := range []string{"http://www.x.edu.cn/", "https://招标.中国/", "http://x.edu.cn:8080/a/list.htm"} {
		if _, err := role.Guard(all, role.Admin).Settings.AddSeeds([]string{u}); err != nil {
			t.Errorf("%s: %v", u, err)
		}
	}
	if _, err := role.Guard(all, "").Settings.AddSeeds([]string{"http://10.0.0.5/"}); err != nil {
		t.Errorf("on one's own terminal: %v", err)
	}
	// What the owner has named stays when an admin adds to it.
	if _, err := all.Settings.ChangeSetting("seeds", `["http://10.0.0.5/"]`); err != nil {
		t.Fatal(err)
	}
	if _, err := role.Guard(all, role.Admin).Settings.ChangeSetting("seeds", `["http://10.0.0.5/", "http://www.x.edu.cn/"]`); err != nil {
		t.Errorf("beside a seed of the owner's: %v", err)
	}
	if got := e.Set().Seeds; len(got) != 2 || len(own) == 0 {
		t.Errorf("seeds %v", got)
	}
}

func TestFilesOverALine(t *testing.T) {
	calls, all := uitest.Count(uitest.Parts(t, uitest.Crawled))
	for _, r := range []role.Role{role.Viewer, role.Analyst, role.Admin} {
		g := role.Guard(all, r)
		for _, path := range []string{"/etc/passwd", "angler.toml", "../ssh/host_ed25519", "file:///etc/passwd", "File://x", "ftp://x/", "http:/etc/passwd", " http://x.edu.cn/", "-"} {
			if _, err := g.Topic.AddNegative(context.Background(), path, "http://www.x.edu.cn/"); err == nil {
				t.Errorf("%s may make %q a negative sample", r, path)
			}
			if _, err := g.Topic.AddSample(context.Background(), path, "http://www.x.edu.cn/"); err == nil {
				t.Errorf("%s may read %q", r, path)
			}
		}
		if _, err := g.Notices.ExportFile(context.Background(), query.ExportPlan{What: "pages"}, "x.jsonl", true); err == nil {
			t.Errorf("%s may write a file", r)
		}
	}
	if n := calls.Of("AddSample") + calls.Of("AddNegative") + calls.Of("ExportFile"); n != 0 {
		t.Errorf("%d calls went through", n)
	}
}

// TestEveryGuardRefuses calls what changes anything past the interface, as
// everyone: a method goes through from the named role upwards, and not below.
func TestEveryGuardRefuses(t *testing.T) {
	ctx := context.Background()
	ranks := []role.Role{role.Viewer, role.Analyst, role.Admin, ""}
	for _, c := range []struct {
		method string
		least  role.Role
		call   func(p parts.All)
	}{
		{"StartDiscovery", role.Analyst, func(p parts.All) { p.Runs.StartDiscovery() }},
		{"StartProbe", role.Analyst, func(p parts.All) { p.Runs.StartProbe() }},
		{"StartHarvest", role.Analyst, func(p parts.All) { p.Runs.StartHarvest() }},
		{"Pause", role.Analyst, func(p parts.All) { p.Runs.Pause() }},
		{"Resume", role.Analyst, func(p parts.All) { p.Runs.Resume() }},
		{"Step", role.Analyst, func(p parts.All) { p.Runs.Step() }},
		{"Stop", role.Analyst, func(p parts.All) { p.Runs.Stop() }},
		{"CancelJob", role.Analyst, func(p parts.All) { p.Runs.CancelJob() }},
		{"Steer", role.Analyst, func(p parts.All) { p.Runs.Steer("x", decisions.Drop) }},
		{"SetBudget", role.Admin, func(p parts.All) { p.Runs.SetBudget(9) }},
		{"AddSeeds", role.Admin, func(p parts.All) { p.Settings.AddSeeds([]string{"http://www.x.edu.cn/"}) }},
		{"SetStrategy", role.Admin, func(p parts.All) { p.Settings.SetStrategy("bfs") }},
		{"SetWorkers", role.Admin, func(p parts.All) { p.Settings.SetWorkers(2) }},
		{"SetDelay", role.Admin, func(p parts.All) { p.Settings.SetDelay(time.Second) }},
		{"SetDepth", role.Admin, func(p parts.All) { p.Settings.SetDepth(2) }},
		{"ChangeSetting", role.Admin, func(p parts.All) { p.Settings.ChangeSetting("crawl.depth", "3") }},
		{"ChangeConfig", role.Analyst, func(p parts.All) { p.Topic.ChangeConfig(func(c *topic.Config) string { c.M = 7; return "m 7" }) }},
		{"ToggleSample", role.Analyst, func(p parts.All) { p.Topic.ToggleSample(1) }},
		{"ToggleNegative", role.Analyst, func(p parts.All) { p.Topic.ToggleNegative(2) }},
		{"RemoveSample", role.Analyst, func(p parts.All) { p.Topic.RemoveSample("http://www.x.edu.cn/") }},
		{"AddSample", role.Analyst, func(p parts.All) { p.Topic.AddSample(ctx, "http://www.x.edu.cn/", "") }},
		{"AddNegative", role.Analyst, func(p parts.All) { p.Topic.AddNegative(ctx, "http://www.x.edu.cn/", "") }},
		{"FindTerms", role.Analyst, func(p parts.All) { p.Terms.FindTerms(ctx, 5) }},
		{"AcceptTerms", role.Analyst, func(p parts.All) { p.Terms.AcceptTerms([]string{"招标代理"}) }},
		{"RejectTerms", role.Analyst, func(p parts.All) { p.Terms.RejectTerms([]string{"招标代理"}) }},
		{"ChangeSetting", role.Analyst, func(p parts.All) { p.Settings.ChangeSetting("terms.threshold", "4") }},
		{"StopWord", role.Analyst, func(p parts.All) { p.Topic.StopWord("公告") }},
		{"Undo", role.Analyst, func(p parts.All) { p.Topic.Undo() }},
		{"UndoAgreed", role.Analyst, func(p parts.All) { p.Topic.UndoAgreed(1) }},
		{"Redo", role.Analyst, func(p parts.All) { p.Topic.Redo() }},
		{"RedoAgreed", role.Analyst, func(p parts.All) { p.Topic.RedoAgreed(1) }},
		{"SetLabel", role.Analyst, func(p parts.All) { p.Labels.SetLabel(1, topic.Yes) }},
		{"LabelURLs", role.Analyst, func(p parts.All) {
			p.Labels.LabelURLs([]topic.LabelRow{{URL: "http://www.x.edu.cn/", Label: topic.No}}, "no")
		}},
		{"SetRead", role.Viewer, func(p parts.All) { p.Inbox.SetRead([]uint64{1}, true) }},
		{"SetPlace", role.Viewer, func(p parts.All) { p.Inbox.SetPlace(nil) }},
		{"Ask", role.Analyst, func(p parts.All) { p.Files.Ask([]uint64{1}) }},
		{"StartSeeds", role.Analyst, func(p parts.All) { p.Seeds.StartSeeds(seeds.SearchQuestion{}) }},
		{"LinkedSeeds", role.Analyst, func(p parts.All) { p.Seeds.LinkedSeeds(context.Background()) }},
		{"ListSeeds", role.Analyst, func(p parts.All) { p.Seeds.ListSeeds(context.Background(), "http://127.0.0.1:1/list") }},
		{"LookAt", role.Analyst, func(p parts.All) { p.Seeds.LookAt(context.Background(), "http://127.0.0.1:1/") }},
		{"AcceptSeeds", role.Admin, func(p parts.All) { p.Seeds.AcceptSeeds([]string{"x.edu.cn"}) }},
		{"RejectSeeds", role.Analyst, func(p parts.All) { p.Seeds.RejectSeeds([]string{"x.edu.cn"}) }},
		{"TextOf", role.Viewer, func(p parts.All) { p.Files.TextOf("http://a.test/") }},
		{"Star", role.Analyst, func(p parts.All) { p.Inbox.Star([]uint64{1}, true) }},
		{"Done", role.Analyst, func(p parts.All) { p.Inbox.Done([]uint64{1}, true) }},
		{"Judge", role.Analyst, func(p parts.All) { p.Inbox.Judge([]uint64{1}, topic.No) }},
		{"Note", role.Analyst, func(p parts.All) { p.Inbox.Note(1, "call them") }},
		{"SaveView", role.Analyst, func(p parts.All) { p.Inbox.SaveView("", "mine", "is:starred") }},
		{"DropView", role.Analyst, func(p parts.All) { p.Inbox.DropView("mine") }},
		{"SetJudge", role.Analyst, func(p parts.All) { p.Labels.SetJudge(decisions.JudgeRule) }},
		{"Lab", role.Analyst, func(p parts.All) {
			p.Lab.Lab(ctx, lab.Comparison{Strategies: []string{"bfs"}, Target: "aggregations", Draws: 1})
		}},
	} {
		for _, r := range ranks {
			went := false
			c.call(role.Guard(uitest.Around(parts.All{}, func(_ context.Context, method string) error {
				went = went || method == c.method
				return errors.New("no further") // it is enough to have come so far
			}), r))
			may := slices.Index(ranks, r) >= slices.Index(ranks, c.least)
			if went != may {
				t.Errorf("%s as %q went through: %v, want %v", c.method, r, went, may)
			}
		}
	}
}

func TestMain(m *testing.M) { os.Exit(uitest.Main(m)) }
