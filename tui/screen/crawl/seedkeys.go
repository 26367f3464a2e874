package crawl

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/seeds"
	"angler/store/config"
	"angler/topic"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file searches for, accepts and rejects proposals.

// meant returns the marked hosts, or the one under the cursor.
func (v *seedsView) meant() []string {
	return widget.Map(v.Table.Meant(), func(r *seeds.Proposal) string { return r.Host })
}

func (v *seedsView) accept() tea.Cmd {
	hosts, seeds := v.meant(), v.seeds
	return v.Act(v.F("accepted %s", v.N(len(hosts), "seed")),
		func() error { _, err := seeds.AcceptSeeds(hosts); return err })
}

func (v *seedsView) reject() tea.Cmd {
	hosts, seeds := v.meant(), v.seeds
	return v.Act(v.Undoable(v.F("rejected %s", v.N(len(hosts), "seed"))+" · "+
		widget.Fit(strings.Join(hosts, " "), 40)), func() error {
		_, err := seeds.RejectSeeds(hosts)
		return err
	})
}

// server returns the search server of the settings.
func (v *seedsView) server() string {
	value, _ := screen.SettingOf(v.set, serverKey)
	return value
}

const serverKey = "suggest.searxng"

// search asks for words, and first for a server if there is none.
func (v *seedsView) search() tea.Cmd {
	if v.server() != "" {
		return v.askWords()
	}
	v.Ask(&widget.Prompt[string]{
		Editor: widget.Editor{Label: "SearXNG:", Hint: "http://localhost:8888 or so; it must allow the format json"},
		Check: func(text string) (string, error) {
			text = strings.TrimSuffix(strings.TrimSpace(text), "/")
			if err := config.CheckSearXNG(text); err != nil {
				return "", widget.Refusal(v.Reason(err))
			}
			return text, nil
		},
		Do: func(address string) tea.Cmd {
			set := v.set
			return v.Run("saving the setting", v.InOrder(func() tea.Msg {
				_, err := set.ChangeSetting(serverKey, address)
				if err != nil {
					return screen.ActMsg{What: "suggest.searxng", Err: err}
				}
				return screen.Reply{Take: v.askWords}
			}))
		},
	})
	return nil
}

func (v *seedsView) askWords() tea.Cmd {
	const label = "choosing words"
	seeds, what := v.seeds, v.T(label)
	return v.Run(label, func(context.Context) tea.Msg {
		list, err := seeds.SeedQuestions()
		if err != nil {
			return screen.ActMsg{What: what, Err: err}
		}
		return screen.Reply{Take: screen.Do(func() { v.promptWords(list) })}
	})
}

// promptWords asks what to search for; an empty answer uses the default queries.
func (v *seedsView) promptWords(m []string) {
	sh := v.Shared
	hint := sh.T("words between spaces; a phrase between commas")
	if n := len(m); n > 0 {
		hint = sh.F("nothing takes %s: %s", sh.N(n, "word"), widget.Fit(widget.Clean(strings.Join(m, " ")), 40)) +
			" · " + hint
	}
	v.Ask(&widget.Prompt[[]string]{
		Editor: widget.Editor{Label: "search for:", Hint: hint},
		Check: func(text string) ([]string, error) {
			words := seeds.SplitQuestions(text)
			if len(words) == 0 && len(m) == 0 {
				return nil, widget.Refusal(sh.T("type a word"))
			}
			return words, nil
		},
		Do: func(words []string) tea.Cmd {
			seeding := v.seeds
			return v.Act(sh.T("the search for seeds has begun"),
				func() error { return seeding.StartSeeds(seeds.SearchQuestion{Words: words, Again: len(words) > 0}) })
		},
	})
}

// found runs a search for seeds and shows its result.
func (v *seedsView) found(label string, do func(context.Context) (*seeds.SearchOutcome, error)) tea.Cmd {
	sh := v.Shared
	return v.Run(label, func(ctx context.Context) tea.Msg {
		o, err := do(ctx)
		if err != nil {
			return screen.ActMsg{What: sh.T(label), Err: err}
		}
		return screen.ActMsg{What: sh.F("%s proposed, %s new", sh.N(o.Hosts, "host"), o.New)}
	})
}

func (v *seedsView) links() tea.Cmd { return v.found("counting linked hosts", v.seeds.LinkedSeeds) }

func (v *seedsView) from() {
	v.Ask(&widget.Prompt[string]{
		Editor: widget.Editor{Label: "list of sites:", Hint: "file or address: OPML, RSS, sitemap, links, lines"},
		Check:  widget.SomeText("type a file or an address"),
		Do: func(from string) tea.Cmd {
			return v.found("reading a list of sites", func(ctx context.Context) (*seeds.SearchOutcome, error) {
				return v.seeds.ListSeeds(ctx, strings.TrimSpace(from))
			})
		},
	})
}

// turn shows the proposals of the next state.
func (v *seedsView) turn() tea.Cmd {
	v.turns++
	return v.check()
}

func (v *seedsView) stop() tea.Cmd {
	return v.Run("cancelling", func(context.Context) tea.Msg { _ = v.runs.CancelJob(); return nil })
}

func (v *seedsView) keys() []screen.Binding {
	busy, idle := "", "nothing is looked for"
	off := screen.If(v.Table.Selected() == nil, "no host is chosen")
	if v.searching() {
		busy, idle = "it is being looked for", ""
	}
	pages := busy
	if pages == "" && v.Snap.Counts.Pages == 0 {
		pages = "there are no pages yet whose links could be counted"
	}
	chosen := screen.ChosenOf(v.Table,
		func(r *seeds.Proposal) *screen.Target { return screen.NewTarget(0, r.URL, r.Title, topic.NoLabel) })
	return append([]screen.Binding{
		screen.Bind(keymap.SeedsAccept, off, v.accept),
		screen.Bind(keymap.SeedsReject, off, v.reject),
		screen.Bind(keymap.SeedsSearch, busy, v.search),
		screen.Bind(keymap.SeedsLinks, pages, v.links),
		screen.Bind(keymap.SeedsFrom, busy, screen.Do(v.from)),
		screen.Bind(keymap.SeedsState, "", v.turn),
		screen.Bind(keymap.SeedsCancel, idle, v.stop),
	}, v.marks.Address(chosen)...)
}
