package tui

import (
	"errors"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"angler/crawl/auth"
	"angler/crawl/view"
	"angler/tui/keymap"
	"angler/tui/screen"
)

// oneOf is the share of enabled keys that is pressed where nothing new is expected: one in so many.
const oneOf = 6

// standing is a state of a run and of a workspace, and the person: "" is at the terminal of the
// process, others use SSH.
type standing struct {
	name  string
	at    func() *moment
	state view.RunState
	role  auth.Role
	turn  int // the part of the enabled keys to press, 1 … oneOf; 0: all
}

// look is the visible state of the workbench, and its calls of the engine.
type look struct {
	body, foot string // of the screen; the status line shows flash
	flash      string
	list       string // the title of the list that is open
	help       bool
	at         int
	mouse      bool
	frozen     bool
	ends       bool // it quits, or asks whether to
}

// walker presses keys and compares. With a turn it presses every disabled key and the enabled keys
// of that turn; 0 means all.
type walker struct {
	*driver
	turn  int
	count int // enabled keys so far
	calls *Calls
	asked map[string]int // calls of each method before the key
	place func()         // goes to the place of the key
	dirty bool
	seen  *look // state if the last key changed nothing; nil: something may have changed
}

func (w *walker) look() look {
	lines := strings.Split(ansi.Strip(w.a.View()), "\n")
	n := len(lines)
	l := look{body: strings.Join(lines[:n-2], "\n"), foot: lines[n-1], flash: w.a.flash, help: w.a.over.help != nil, at: w.a.at,
		mouse: w.a.mouse, frozen: w.a.frozen, ends: w.quit || w.a.quit || w.a.asking}
	if w.a.over.chooser != nil {
		l.list = w.a.over.chooser.Title
	}
	if w.a.over.form != nil {
		l.list = w.a.over.form.Title
	}
	return l
}

// reset makes a new workbench at the place of the keys.
func (w *walker) reset() {
	w.t.Helper()
	w.a.over = overlay{}
	w.a.settings.over = &w.a.over
	w.a.asking, w.a.quit, w.quit, w.a.frozen, w.a.undoing, w.a.next = false, false, false, false, nil, nil
	w.a.equip(w.p)
	w.place()
	w.settle()
	w.a.shared.Explain.Close()
	w.a.flash, w.dirty, w.seen = "", false, nil
}

// effect reports whether the effect of a key matches its help.
type effect func(w *walker, before, after look) bool

func calls(method string) effect {
	return func(w *walker, _, _ look) bool { return w.calls.Of(method) > w.asked[method] }
}

func asks(label string) effect {
	return func(w *walker, _, after look) bool {
		return w.a.over.prompt != nil && strings.Contains(after.foot, label)
	}
}

func offers(title string) effect {
	return func(_ *walker, _, after look) bool { return strings.HasPrefix(after.list, title) }
}

func goes(screen int) effect {
	return func(_ *walker, _, after look) bool { return after.at == screen }
}

// copied checks an effect that comes with a message of no tracked work.
func copied(w *walker, _, _ look) bool {
	w.until("the address is copied", func() bool { return strings.Contains(w.a.flash, "copied http") })
	return true
}

func says(text string) effect {
	return func(_ *walker, _, after look) bool { return strings.Contains(after.flash, text) }
}

// turns is an effect on the panes only: nothing opens, and the engine is not called.
func turns(_ *walker, before, after look) bool {
	return after.body != before.body && after.at == before.at && after.list == "" && !after.help
}

// begins checks a range of marked rows. On a marked row, the range shows with the first row added
// to it.
func begins(w *walker, before, after look) bool {
	if turns(w, before, after) {
		return true
	}
	w.dirty = true // the range stays open
	w.press("down")
	return strings.Count(w.look().body, "◆") == strings.Count(before.body, "◆")+1
}

func or(list ...effect) effect {
	return func(w *walker, before, after look) bool {
		return slices.ContainsFunc(list, func(e effect) bool { return e(w, before, after) })
	}
}

var (
	forward  = or(turns, says("this is the end"), says("this is the last hit"))
	backward = or(turns, says("this is the top"), says("this is the first hit"))
	moveTo   = or(turns, says("θ stands there already"))
)

// sharedEffects are the effects of several actions, by their names in the settings.
var sharedEffects = []struct {
	does    effect
	actions string
}{
	{turns, `
next_pane last_pane zoom close clear_filter sections sections_close sort sort_back reverse mark
mark_all unmark view view_before samples_all_hosts terms terms_close terms_leave theta_back skip
trouble next_view last_view unfold fold quality_lower quality_raise seeds_proposed seeds_state
seeds_close seeds_leave recipes_close`},
	{forward, "down last page_down half_down next_hit scroll_down next_notice read_down"},
	{backward, "up first page_up half_up last_hit scroll_up last_notice read_up"},
	{moveTo, "theta_lower theta_raise theta_fine_lower theta_fine_raise theta_otsu theta_leave_one_out theta_best"},
	{calls("ChangeConfig"), "word_switch word_lighter word_heavier word_own_weight theta_apply theta_auto"},
	{or(calls("SetLabel"), calls("LabelURLs"), calls("Judge")), "yes no unsure"},
	{or(turns, says("nothing was read")), "next_field last_field"},
	{calls("Evaluate"), "evaluate evaluate_words"},
}

// effects is the expected effect of every action in the table of keys.
var effects = map[*keymap.Entry]effect{
	keymap.Discovery: calls("StartDiscovery"), keymap.Harvests: calls("StartHarvest"), keymap.Step: calls("Step"), keymap.Stop: calls("Stop"),
	keymap.Pause: or(calls("Pause"), calls("Resume")), keymap.Undo: calls("Undo"), keymap.Redo: calls("Redo"),
	keymap.Freeze: func(_ *walker, b, a look) bool { return a.frozen != b.frozen },
	keymap.Mouse:  func(_ *walker, b, a look) bool { return a.mouse != b.mouse },
	keymap.Cancel: or(says("nothing to close"), calls("CancelJob"), says("it takes role=analyst")), keymap.Decisions: offers("decisions, by person"), keymap.Told: offers("broken lists, and alerts"), keymap.Settings: offers("settings"), keymap.Workspaces: offers("workspace"),
	keymap.Explain: func(w *walker, _, _ look) bool { f, ok := w.a.shared.Explain.Shown(); return ok && f.Says != "" },
	keymap.Help:    func(_ *walker, _, a look) bool { return a.help }, keymap.Palette: offers("every action"),
	keymap.Redraw: func(w *walker, _, _ look) bool {
		b, ok := screen.Find(w.a.bindings(), "ctrl+l")
		return ok && reflect.DeepEqual(b.Do()(), tea.ClearScreen())
	},
	keymap.Suspend: says("only a workbench in its own terminal"),
	keymap.Quit:    func(_ *walker, _, a look) bool { return a.ends },

	keymap.Search: asks("/"), keymap.Open: or(turns, offers("attachments"), says("opened http")),
	keymap.Act: func(_ *walker, _, after look) bool { return strings.Contains(after.list, "waiting") }, keymap.Workforce: offers("worker"),
	keymap.Range:      begins,
	keymap.FetchFiles: calls("Ask"),
	keymap.Copy:       copied, keymap.Browse: says("opened http"),

	keymap.NextStep: func(w *walker, b, a look) bool {
		return a.at != b.at || or(calls("StartProbe"), calls("StartDiscovery"), calls("StartHarvest"))(w, b, a)
	},
	keymap.Sample: calls("ToggleSample"), keymap.Negative: calls("ToggleNegative"), keymap.Probe: calls("StartProbe"),
	keymap.AddSample: asks("sample:"), keymap.AddNegative: asks("negative sample:"), keymap.Hosts: offers("host or section"),
	keymap.AddWord:    asks("word"),
	keymap.TypeWeight: asks("weight"), keymap.StopWord: calls("StopWord"), keymap.Scheme: offers("scheme"), keymap.Norm: offers("similarity"),
	keymap.UserWord: asks("word"), keymap.Words: asks("words"), keymap.LeastWord: asks("minimal weight:"), keymap.Gamma: asks("γ:"),
	keymap.AcceptTerms: calls("AcceptTerms"), keymap.RejectTerms: calls("RejectTerms"), keymap.Patterns: offers("limits of a term"), keymap.CValue: asks("C-value"),
	keymap.Corpus: offers("where terms are looked for"), keymap.LookAgain: calls("FindTerms"),
	keymap.TypeTheta: asks("θ:"),
	keymap.Batch:     asks("label all of:"), keymap.Assistants: or(offers("proposals of assistants"), says("no assistant proposes anything")), keymap.Judge: calls("SetJudge"),

	keymap.Strategy: offers("strategy"), keymap.Workers: asks("workers:"), keymap.Seeds: asks("seed URLs:"), keymap.Delay: asks("delay:"), keymap.Depth: asks("depth:"),
	keymap.Budget: asks("budget:"), keymap.Scope: offers("settings"), keymap.Steer: asks("pattern:"), keymap.Rules: offers("rules over the frontier"), keymap.TakeIn: offers("import without a request"),
	keymap.Retry: offers("failures by reason"),
	keymap.Star:  calls("Star"), keymap.Done: calls("Done"), keymap.Note: asks("note:"), keymap.Unread: calls("SetRead"), keymap.Filter: asks("/"), keymap.Columns: offers("columns"),
	keymap.ToView: offers("views"),
	keymap.Kin:    offers("the project and the other addresses"), keymap.Correct: or(offers("fields of the notice"), asks(":")),
	keymap.Export: offers("export"), keymap.KeepShare: calls("ChangeSetting"),
	keymap.SeedsAccept: calls("AcceptSeeds"), keymap.SeedsReject: calls("RejectSeeds"), keymap.SeedsSearch: asks("SearXNG:"), keymap.SeedsFrom: asks("list of sites:"),
	keymap.SeedsLinks: calls("LinkedSeeds"),
	keymap.Recipes:    or(turns, goes(5)), keymap.RecipeAccept: calls("SaveRecipe"), keymap.RecipePause: calls("SwitchRecipe"), keymap.RecipeRemove: calls("RemoveRecipes"), keymap.RecipePaste: asks("cURL:"), keymap.RecipeLook: asks("page:"),
	keymap.Replay: calls("Compare"), keymap.Target: offers("target"), keymap.Draws: asks("draws:"), keymap.UseIt: calls("SetStrategy"),
}

// first are the keys to press before a key has an effect.
var first = map[*keymap.Entry]string{
	keymap.NextHit: "/ 1 enter", keymap.LastHit: "/ 1 enter", keymap.Clear: "/ 1 enter", keymap.Unmark: "space",
	keymap.Close: "enter", keymap.Apply: "[", keymap.PutBack: "[", keymap.KeepShare: "[", keymap.Reverse: ">",
	keymap.Kin: "g space j", keymap.AllHosts: "h down enter", keymap.UseIt: "r",
	keymap.Unfold: "g j j j j j j j", keymap.Fold: "g j j j j j j j right",
}

// inOtherTests are the actions tested elsewhere, each with a wait that it ends.
var inOtherTests = map[*keymap.Entry]string{
	keymap.RecipeCancel: "TestLookingForARecipeCanBeCancelled",
	keymap.SeedsCancel:  "TestSearchingForSeedsCanBeCancelled",
	keymap.StopLooking:  "TestLookingForTermsShowsProgressAndCanBeCancelled",
	keymap.Suspend:      "TestSuspend",
}

// completeEffects adds the shared effects, and the keys that go to a screen.
var completeEffects = sync.OnceFunc(func() {
	for _, shared := range sharedEffects {
		for id := range strings.FieldsSeq(shared.actions) {
			i := slices.IndexFunc(keymap.All(), func(e *keymap.Entry) bool { return e.ID == id })
			effects[keymap.All()[i]] = shared.does
		}
	}
	for i, s := range keymap.Screens {
		effects[s] = goes(i)
	}
})

// moments are the states in which keys are pressed. Each action works in one of the first six.
var moments = []standing{
	{"running", labelled, view.Running, "", 0},
	{"idle", taught, view.Idle, "", 0},
	{"paused", sampled, view.Paused, "", 0},
	{"negative samples", unwanted, view.Idle, "", 0},
	{"workers", crowded, view.Running, "", 0},
	{"proposals", labelled, view.Idle, "", 0},
	{"stopping", sampled, view.Draining, "", 0},
	{"harvested", harvested, view.Idle, "", 0},
	{"no samples", unjudged, view.Idle, "", 0},
	{"empty", bare, view.Idle, "", 0},
	{"a job", harvested, view.Idle, "", 0},
	{"viewer", labelled, view.Running, auth.Viewer, 0},
	{"viewer while idle", taught, view.Idle, auth.Viewer, 0},
	{"viewer while paused", sampled, view.Paused, auth.Viewer, 0},
	{"viewer beside a job", harvested, view.Idle, auth.Viewer, 0},
	{"analyst while paused", sampled, view.Paused, auth.Analyst, 0},
	{"analyst beside a job", labelled, view.Idle, auth.Analyst, 0},
	{"admin while stopping", sampled, view.Draining, auth.Admin, 0},
}

// TestEveryKeyOnce presses every key of every pane of every screen in the first six states.
// TestEveryKeyDoesWhatItSays, which is heavy, covers the other states and the roles.
func TestEveryKeyOnce(t *testing.T) {
	t.Parallel()
	completeEffects()
	for _, e := range keymap.All() {
		if effects[e] == nil && inOtherTests[e] == "" {
			t.Errorf("effects does not say what %s does", e.ID)
		}
	}
	everyKey(t, moments[:6])
}

// everyKey presses every key in some states: an enabled key does what its help says, a disabled one
// says why, and every action works in one of the states.
func everyKey(t *testing.T, states []standing) {
	completeEffects()
	var mu sync.Mutex
	worked := map[*keymap.Entry]bool{}
	t.Run("states", func(t *testing.T) {
		for _, m := range states {
			t.Run(m.name, func(t *testing.T) {
				t.Parallel()
				done := walks(t, m)
				mu.Lock()
				defer mu.Unlock()
				maps.Copy(worked, done)
			})
		}
	})
	for _, e := range keymap.All() {
		if !worked[e] && inOtherTests[e] == "" {
			t.Errorf("%s worked in no state", e.ID)
		}
	}
}

// walks presses the keys of a standing and returns the actions that worked.
func walks(t *testing.T, m standing) map[*keymap.Entry]bool {
	c := can(m.at())
	c.publish(func(s *view.Snapshot) {
		s.State, s.ThetaAuto = m.state, !strings.HasPrefix(m.name, "idle")
		if strings.Contains(m.name, "proposals") {
			s.Assistants = 2
		}
		if strings.Contains(m.name, "job") {
			s.Job = view.Job{Name: "reading pages again", Done: 300, Total: 1200}
		}
	})
	counted, p := unwritten(c)
	w := &walker{driver: drive(t, p, 160, 45), calls: counted, turn: m.turn}
	w.a.o.Output = io.Discard
	if m.role != "" {
		w.as("li", m.role)
		w.p = w.a.parts
	}
	w.until("the state shows", func() bool { return w.a.shared.Snap.State == m.state })
	return w.walk()
}

// unwritten returns the parts of a moment that counts calls and refuses changes.
func unwritten(c *canned) (*Calls, screen.Parts) {
	counted, p := Count(c.parts())
	for _, method := range writes {
		if method != "FindTerms" && method != "Compare" {
			counted.Fail(method, errors.New("not in this test"))
		}
	}
	counted.Fail("Troubles", errors.New("not in this test"))
	return counted, p
}

// falls reports whether a key is pressed in the walker's turn.
func (w *walker) falls(b *screen.Binding) bool {
	if w.turn == 0 {
		return true
	}
	if b.Off != "" {
		return first[b.Entry()] == ""
	}
	w.count++
	return w.count%oneOf == w.turn-1
}

// walk goes to every pane and presses every key; it returns the actions that worked.
func (w *walker) walk() map[*keymap.Entry]bool {
	done := map[*keymap.Entry]bool{}
	for at := range w.a.screens {
		for pane := range max(1, screen.PanesOf(w.a.screens[at]).Len()) {
			w.place = func() {
				w.start(w.a.goTo(at))
				w.settle()
				for range pane {
					w.press("tab")
				}
				w.steps("down", "down")
			}
			w.pane(done, pane > 0)
		}
	}
	w.place = func() {
		w.start(w.a.goTo(2))
		w.settle()
		w.steps("t", "down", "down")
	}
	w.pane(done, false)
	w.place = func() { // a host that is open
		w.start(w.a.goTo(4))
		w.settle()
		w.steps("tab", "tab")
		w.press("right")
	}
	w.pane(done, true)
	w.place = func() { // the proposed seeds
		w.start(w.a.goTo(4))
		w.settle()
		w.steps("o", "down", "down")
	}
	w.pane(done, true)
	for _, downs := range [][]string{nil, {"down"}} { // a proposal, a recipe
		w.place = func() {
			w.start(w.a.goTo(4))
			w.settle()
			w.press("Q")
			w.steps(downs...)
		}
		w.pane(done, true)
	}
	w.place = func() {
		w.start(w.a.goTo(5))
		w.settle()
		w.steps("down", "enter") // the reader
	}
	w.pane(done, true)
	return done
}

// steps presses keys one by one; each sees the result of the previous one.
func (w *walker) steps(keys ...string) {
	w.t.Helper()
	for _, k := range keys {
		w.press(k)
	}
}

// pane presses every key of the focused pane; the keys of every screen only if own is false.
func (w *walker) pane(done map[*keymap.Entry]bool, own bool) {
	w.t.Helper()
	w.reset()
	for _, b := range w.a.bindings() {
		e := b.Entry()
		if own && e.Place == keymap.Everywhere || !w.falls(&b) {
			continue
		}
		keys := e.Keys
		if own || w.turn > 0 {
			keys = keys[:1]
		}
		for _, key := range keys {
			if w.dirty {
				w.reset()
			}
			if b.Off != "" && first[e] != "" && w.a.over.prompt == nil {
				w.steps(strings.Fields(first[e])...)
				w.dirty = true
			}
			w.try(done, e, key)
		}
	}
}

// try presses one key and checks its effect.
func (w *walker) try(done map[*keymap.Entry]bool, e *keymap.Entry, key string) {
	w.t.Helper()
	if w.a.over.typing() || w.a.over.help != nil || w.a.over.form != nil { // an earlier key has opened something
		return
	}
	if w.dirty || w.seen == nil {
		now := w.look() // only drawn content can be found
		w.seen = &now
	}
	before := *w.seen
	b, ok := screen.Find(w.a.bindings(), key)
	if !ok || !b.Is(e) { // another action has the key now, and its own turn
		return
	}
	w.asked = map[string]int{}
	for _, m := range append(writes, "Evaluate", "SetRead") {
		w.asked[m] = w.calls.Of(m)
	}
	w.a.flash = ""
	w.press(key)
	after := w.look()
	w.dirty = w.dirty || before != (look{after.body, after.foot, before.flash, after.list, after.help, after.at, after.mouse, after.frozen, after.ends})
	where := w.a.screens[before.at].Name()
	switch does := effects[e]; {
	case b.Off != "":
		if !strings.Contains(after.flash, w.a.shared.T(b.Off)) || after.body != before.body || after.list != "" || after.at != before.at {
			w.t.Errorf("%s: %s (%s) is off (%s) and says %q", where, key, e.ID, b.Off, after.flash)
		}
	case does == nil:
	case !does(w, before, after):
		w.t.Errorf("%s: %s (%s) does not do what it says (%s); it says %q, list %q\n%s", where, key, e.ID, e.Help, after.flash, after.list, after.body+"\n"+after.foot)
	default:
		done[e] = true
	}
}
