package screen_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/crawl/demo"
	"angler/crawl/query"
	"angler/store/config"
	"angler/tui/screen"
	"angler/tui/tuitest"
)

// By name, whether an admin over SSH may change the setting; analysts may change those of [terms],
// too. A setting that is missing here fails the test: a person must decide.
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
	"assistant.url": false, "assistant.model": false, "assistant.key_env": false, "assistant.budget": false, "assistant.question": true,
	"attachments.fetch": true, "attachments.types": true, "attachments.max_mb": false, "attachments.budget_mb": true,
	"render.pages": true, "render.browser": false, "render.tabs": false, "render.memory_mb": false, "render.timeout": true, "render.restart": false,
	"words.segmenter": false, "store.backups": false, "store.expected_urls": false, "store.false_positive": false,
}

// A reader of a workspace on this machine may only look and export.
func TestReadingAWorkspaceOfThisMachine(t *testing.T) {
	e := tuitest.Open(t, tuitest.Empty)
	p := screen.PartsOf(e.As(auth.Actor{Name: "wang", Role: auth.Reading}))
	if err := p.Runs.StartDiscovery(); err == nil || !strings.Contains(err.Error(), "for reading only") {
		t.Errorf("a run: %v", err)
	}
	if _, err := p.Pages.ExportFile(t.Context(), query.ExportPlan{What: "pages"}, t.TempDir()+"/pages.jsonl", false); err != nil {
		t.Errorf("an export: %v", err)
	}
	if _, err := auth.Parse(string(auth.Reading)); err == nil {
		t.Error("a key may have the role")
	}
}

// over returns the parts of an engine for a remote person, or for its owner.
func over(e *demo.Engine, r auth.Role) screen.Parts {
	return screen.PartsOf(e.As(auth.Actor{Name: "li", Role: r, Remote: r != auth.Owner}))
}

func TestSettingsOverALine(t *testing.T) {
	e := tuitest.Open(t, tuitest.Empty)
	set := *e.Set()
	known := map[string]bool{}
	for _, row := range set.Rows() {
		known[row.Key] = true
		may, decided := settings[row.Key]
		if !decided {
			t.Errorf("no rule says who may change %s", row.Key)
		}
		for _, r := range []auth.Role{auth.Owner, auth.Viewer, auth.Analyst, auth.Admin} {
			want := r == auth.Owner || r == auth.Admin && may || r == auth.Analyst && strings.HasPrefix(row.Key, "terms.")
			before := len(e.Snapshot().Events)
			_, err := over(e, r).Settings.ChangeSetting(row.Key, row.Value)
			if logged := len(e.Snapshot().Events) > before; (err == nil) != want || logged && !want {
				t.Errorf("%s as %q: %v, went through: %v", row.Key, r, err, logged)
			}
			if err := over(e, r).Settings.CheckSetting(row.Key, row.Value); (err == nil) != want {
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

// Over SSH no person may make the server read a file, send a password or trust a certificate for a
// host; an admin may change its pace.
func TestHostSettingsOverALine(t *testing.T) {
	e := tuitest.Open(t, tuitest.Empty)
	all := screen.PartsOf(e.Engine)
	if _, err := all.Settings.ChangeSetting(config.HostsKey, `["x.cn"]`); err != nil {
		t.Fatal(err)
	}
	if _, err := all.Settings.ChangeSetting(config.HostKey("x.cn", "headers"), `["X-Token: secret"]`); err != nil {
		t.Fatal(err)
	}
	guarded := over(e, auth.Admin).Settings
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
	// A value shown with hidden secrets and set again stays unchanged.
	if _, err := all.Settings.ChangeSetting(config.HostKey("x.cn", "headers"), `["X-Token: xxxxx", "B: 2"]`); err != nil {
		t.Fatal(err)
	}
}

func TestWhoSeesTheSettings(t *testing.T) {
	e := tuitest.Open(t, tuitest.Empty)
	if _, err := e.Settings.ChangeSetting("crawl.proxy", "http://me:secret@10.0.0.1:3128"); err != nil {
		t.Fatal(err)
	}
	for r, want := range map[auth.Role]bool{auth.Owner: true, auth.Viewer: false, auth.Analyst: false, auth.Admin: true} {
		rows := over(e, r).Settings.SettingRows()
		if (len(rows) > 0) != want {
			t.Errorf("%q sees %d settings", r, len(rows))
		}
		secret := slices.ContainsFunc(rows, func(row config.Row) bool { return strings.Contains(row.Value, "secret") })
		if secret {
			t.Errorf("%q sees the proxy's password", r)
		}
	}
}

// Seeds that lead, or may lead, into the server's network, in spellings that parsers read
// differently.
var closed = []string{
	"http://127.0.0.1/", "http://127.0.0.1:9464/metrics", "http://10.0.0.5/", "http://169.254.169.254/latest/meta-data/",
	"http://[::1]/", "http://[::ffff:10.0.0.1]/", "http://2130706433/", "http://0x7f.1/", "http://0177.0.0.1/", "http://127.1/",
	"http://localhost/", "http://LOCALHOST./", "http://a.localhost/", "http://router/", "http://printer.local/", "http://wiki.corp/",
	"http://metadata.google.internal/", "http://nas.home.arpa/", "http:10.0.0.5/", "http:\\\\10.0.0.5\\", "http://x.edu.cn\\@10.0.0.5/", "http://10.0.0.5\\@x.edu.cn/", "http://10.0.0.5#@x.edu.cn/", "http://10.0.0.5\t@x.edu.cn/",
	"http://１０.0.0.5/", "http://10。0。0。5/", "http://x.edu.cn@10.0.0.5/", "http://1.2.3.4/", "ftp://x.edu.cn/", "file:///etc/passwd", "/etc/passwd", "",
}

func TestSeedsOverALine(t *testing.T) {
	e := tuitest.Open(t, tuitest.Empty)
	own := e.Set().Seeds
	for _, u := range closed {
		for _, r := range []auth.Role{auth.Analyst, auth.Admin} {
			g := over(e, r)
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
	if !slices.Equal(own, e.Set().Seeds) || len(e.Set().Sitemaps) != 0 {
		t.Fatalf("seeds %v, sitemaps %v", e.Set().Seeds, e.Set().Sitemaps)
	}
	for _, u := range []string{"http://www.x.edu.cn/", "https://招标.中国/", "http://x.edu.cn:8080/a/list.htm"} {
		if _, err := over(e, auth.Admin).Settings.AddSeeds([]string{u}); err != nil {
			t.Errorf("%s: %v", u, err)
		}
	}
	if _, err := e.Settings.AddSeeds([]string{"http://10.0.0.5/"}); err != nil {
		t.Errorf("on one's own terminal: %v", err)
	}
	// Seeds of the owner stay when an admin adds one.
	if _, err := e.Settings.ChangeSetting("seeds", `["http://10.0.0.5/"]`); err != nil {
		t.Fatal(err)
	}
	both := `["http://10.0.0.5/", "http://www.x.edu.cn/"]`
	if _, err := over(e, auth.Admin).Settings.ChangeSetting("seeds", both); err != nil {
		t.Errorf("beside a seed of the owner's: %v", err)
	}
	if got := e.Set().Seeds; len(got) != 2 || len(own) == 0 {
		t.Errorf("seeds %v", got)
	}
}

func TestFilesOverALine(t *testing.T) {
	e := tuitest.Open(t, tuitest.Crawled)
	for _, r := range []auth.Role{auth.Viewer, auth.Analyst, auth.Admin} {
		g := over(e, r)
		for _, path := range []string{"/etc/passwd", "angler.toml", "../ssh/host_ed25519", "file:///etc/passwd", "File://x", "ftp://x/", "http:/etc/passwd", " http://x.edu.cn/", "-"} {
			for what, add := range map[string]func(context.Context, string, string) (decisions.SampleRow, error){
				"sample": g.Topic.AddSample, "negative sample": g.Topic.AddNegative} {
				_, err := add(context.Background(), path, "http://www.x.edu.cn/")
				if err == nil || r != auth.Viewer && !strings.Contains(err.Error(), "over SSH") {
					t.Errorf("%s may make %q a %s: %v", r, path, what, err)
				}
			}
			_, err := g.Seeds.ListSeeds(context.Background(), path)
			if err == nil || r != auth.Viewer && !strings.Contains(err.Error(), "over SSH") {
				t.Errorf("%s may read seeds from %q: %v", r, path, err)
			}
		}
		file := filepath.Join(t.TempDir(), "x.jsonl")
		if _, err := g.Pages.ExportFile(context.Background(), query.ExportPlan{What: "pages"}, file, true); err == nil {
			t.Errorf("%s may write a file", r)
		}
		if _, err := os.Stat(file); err == nil {
			t.Errorf("%s has written a file", r)
		}
	}
}

// decided names the action of each method of a part; the zero action means that it only reads. A
// method that is missing here fails the test.
var decided = map[string]auth.Action{
	"Live.Subscribe": {}, "Live.Snapshot": {},
	"Runs.StartDiscovery": auth.Discovery, "Runs.StartProbe": auth.Probe, "Runs.StartHarvest": auth.Harvest,
	"Runs.StartStored": auth.Harvest, "Runs.Pause": auth.Pause, "Runs.Resume": auth.Resume, "Runs.Step": auth.Step,
	"Runs.Stop": auth.Stop, "Runs.SetBudget": auth.Budget, "Runs.SteerCount": {}, "Runs.Steer": auth.Steer,
	"Runs.SteerRules": {}, "Runs.Troubles": {}, "Runs.Retry": auth.Retry, "Runs.CancelJob": auth.CancelJob,
	"Runs.StartLook": auth.Probe, "Runs.SteerBranches": auth.Steer, "Runs.RenderBranches": auth.Render,
	"Workers.OrderWorkers": auth.Workforce, "Workers.StopWorkers": auth.Workforce,
	"Survey.Queue": {}, "Survey.Rows": {}, "Survey.Land": {}, "Survey.Stored": {}, "Survey.EventsOf": {},
	"Survey.Runs":          {},
	"Settings.SettingRows": {}, "Settings.CheckSetting": auth.Settings, "Settings.ChangeSetting": auth.Settings,
	"Settings.NotifyRows": {}, "Settings.AddSeeds": auth.Seeds, "Settings.SetStrategy": auth.Strategy,
	"Settings.Strategies": {}, "Settings.SetWorkers": auth.Workers, "Settings.SetDelay": auth.Delay,
	"Settings.SetDepth": auth.Depth,
	"Topic.Config":      {}, "Topic.ChangeConfig": auth.Configure, "Topic.Features": {}, "Topic.Scores": {},
	"Topic.ToggleSample": auth.Sample, "Topic.RemoveSample": auth.Sample, "Topic.AddSample": auth.AddSample,
	"Topic.ToggleNegative": auth.Negative, "Topic.AddNegative": auth.AddNegative, "Topic.StopWord": auth.StopWord,
	"Topic.Undo": auth.Undo, "Topic.UndoAgreed": auth.Undo, "Topic.Redo": auth.Redo, "Topic.RedoAgreed": auth.Redo,
	"Terms.FindTerms": auth.Terms, "Terms.ProposedTerms": {}, "Terms.TermSettings": {},
	"Terms.AcceptTerms": auth.AcceptTerms, "Terms.RejectTerms": auth.RejectTerms,
	"Labels.SetLabel": auth.Label, "Labels.LabelURLs": auth.LabelMany, "Labels.LabelQueue": {}, "Labels.LabelsPay": {},
	"Labels.Proposals": {}, "Labels.AcceptProposal": auth.AcceptProposal, "Labels.RefuseProposal": auth.RefuseProposal,
	"Labels.LabelMarks": {}, "Labels.Passing": {}, "Labels.Evaluate": {}, "Labels.SetJudge": auth.Judge,
	"Pages.Candidates": {}, "Pages.Pages": {}, "Pages.Preview": {}, "Pages.Source": {}, "Pages.PagesLike": {},
	"Pages.Notice": {}, "Pages.RankNotices": {}, "Pages.ExportFile": auth.Export,
	"Inbox.List": {}, "Inbox.Yields": {}, "Inbox.CheckFilter": {}, "Inbox.FilterFields": {},
	"Inbox.SetRead": auth.Personal, "Inbox.Star": auth.Star, "Inbox.Done": auth.Done,
	"Inbox.Judge": auth.JudgeNotice, "Inbox.Note": auth.Note, "Inbox.Views": {}, "Inbox.SaveView": auth.SaveView,
	"Inbox.DropView": auth.SaveView, "Inbox.Place": {}, "Inbox.SetPlace": auth.Personal,
	"Files.Ask": auth.FetchFiles, "Files.TextOf": {},
	"Facts.Of": {}, "Facts.Fields": {}, "Facts.CheckValue": {}, "Facts.SetValue": auth.Correct,
	"Facts.AsRead":     auth.Correct,
	"Telling.TellRows": {}, "Telling.TestTelling": auth.TestTelling, "Telling.MuteList": auth.MuteList,
	"Inbox.WhyForMe": {}, "Inbox.LikelyToday": {}, "Inbox.Kindred": {}, "Inbox.Detach": auth.Kin, "Inbox.Cut": auth.Kin, "Inbox.Join": auth.Kin,
	"Topic.Decided": {}, "Lab.Compare": auth.Replay, "Backups.BackupFile": auth.Export,
	"Archives.ImportFile": auth.TakeIn,
	"Seeds.SeedProposals": {}, "Seeds.SeedQuestions": {}, "Seeds.StartSeeds": auth.SuggestSeeds,
	"Seeds.LinkedSeeds": auth.SuggestSeeds, "Seeds.ListSeeds": auth.SuggestSeeds, "Seeds.LookAt": auth.SuggestSeeds,
	"Seeds.AcceptSeeds": auth.AcceptSeeds, "Seeds.RejectSeeds": auth.RejectSeeds,
	"Sources.RecipeRows": {}, "Sources.Recipe": {}, "Sources.TryRecipe": auth.TryRecipes,
	"Sources.ProposeRecipes": auth.TryRecipes, "Sources.RecipeFromCURL": auth.PasteRecipe,
	"Sources.SaveRecipe": auth.AcceptRecipe, "Sources.SwitchRecipe": auth.SwitchRecipe,
	"Sources.RemoveRecipes": auth.RemoveRecipe,
}

// TestEveryMethodIsDecided calls every method with an action as every role that may not perform it:
// the engine refuses before it reads the arguments.
func TestEveryMethodIsDecided(t *testing.T) {
	e := tuitest.Open(t, tuitest.Empty)
	found := map[string]bool{}
	for _, r := range []auth.Role{"", "root", auth.Reading, auth.Viewer, auth.Analyst, auth.Admin} {
		all := reflect.ValueOf(screen.PartsOf(e.As(auth.Actor{Name: "li", Role: r, Remote: true})))
		for i := range all.NumField() {
			part := all.Type().Field(i)
			for j := range part.Type.NumMethod() {
				m := part.Type.Method(j)
				name := part.Name + "." + m.Name
				do, known := decided[name]
				if found[name] = true; !known {
					t.Errorf("no rule says who may call %s: add it to decided", name)
				}
				if do == (auth.Action{}) || r.Denied(do) == "" {
					continue
				}
				if why := refusal(all.Field(i).Method(j)); why != r.Denied(do) {
					t.Errorf("%s as %q: %q, want %q", name, r, why, r.Denied(do))
				}
			}
		}
	}
	for name := range decided {
		if !found[name] {
			t.Errorf("%s is decided about, but is no method", name)
		}
	}
}

// refusal returns the error of a method called with zero arguments.
func refusal(method reflect.Value) string {
	args := make([]reflect.Value, method.Type().NumIn())
	for i := range args {
		args[i] = reflect.Zero(method.Type().In(i))
		if method.Type().In(i) == reflect.TypeFor[context.Context]() {
			args[i] = reflect.ValueOf(context.Background())
		}
	}
	call := method.Call
	if method.Type().IsVariadic() {
		call = method.CallSlice
	}
	out := call(args)
	if err, ok := out[len(out)-1].Interface().(error); ok {
		return err.Error()
	}
	return ""
}

func TestMain(m *testing.M) { os.Exit(tuitest.Main(m)) }
