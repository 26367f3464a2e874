package sshd

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"angler/crawl/filter"
	"angler/crawl/htmldoc"
	"angler/crawl/inbox"
	"angler/crawl/query"
	"angler/crawl/view"
	"angler/store"
	"angler/store/export"
	"angler/tui/report"
)

// request is a parsed command of a script.
type request struct {
	// "status", "export", "query", "search", "warc", "tail", "backup", "workers"; "" opens the workbench
	verb       string
	plan       query.ExportPlan    // export, query
	ask        inbox.SearchRequest // search
	unanswered bool                // search: the queries without results instead of notices
	json       bool                // status, search, workers
	bare       bool                // backup: without the files of documents

	order string   // workers: an order; "": list them
	names []string // workers: names for the order
}

// usages are the commands and their arguments.
var usages = map[string]string{
	"status": "[--json]", "tail": "", "warc": "", "backup": "[--no-attachments] (admins)",
	"export": strings.Join(query.Exports, "|") + " [--format " +
		strings.Join(append(slices.Clone(export.Formats), export.GraphML), "|") +
		"] [--bom] [--newest N] [--lang zh] [--filter …]",
	"query":   "[--fields A,B…] [--format jsonl|csv|xlsx|html] [--lang zh] FILTER",
	"search":  "[--limit N] [--order relevance|date] [--no-dictionary] [--json] QUERY, or --unanswered [--json]",
	"workers": "[--json], or " + strings.Join(orders, "|") + " NAME … (admins)",
}

// misused is the error of an invalid command line: the usage of its command, or the list of
// commands.
func misused(verb string) error {
	if usage, known := usages[verb]; known {
		return errors.New(strings.TrimSpace("usage: " + verb + " " + usage))
	}
	return fmt.Errorf("unknown command %q; there are: %s", htmldoc.CleanLine(verb, 40),
		strings.Join(slices.Sorted(maps.Keys(usages)), ", "))
}

// parseCommand parses a command line. There is no shell: words are split at spaces, and unknown
// words are refused.
func parseCommand(line string) (request, error) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return request{}, nil
	}
	r := request{verb: words[0]}
	words = words[1:]
	flags := flag.NewFlagSet(r.verb, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	fields, order := "", "relevance"
	switch r.verb {
	case "export", "query":
		flags.StringVar(&r.plan.Format, "format", "", "")
		flags.BoolVar(&r.plan.BOM, "bom", false, "")
		flags.StringVar(&r.plan.Lang, "lang", "", "")
		if r.verb == "query" {
			flags.StringVar(&fields, "fields", "", "")
		} else {
			flags.IntVar(&r.plan.Newest, "newest", 0, "")
			words, r.plan.Filter = filterOf(words)
		}
	case "search":
		flags.IntVar(&r.ask.Limit, "limit", 20, "")
		flags.StringVar(&order, "order", order, "")
		flags.BoolVar(&r.ask.Plain, "no-dictionary", false, "")
		flags.BoolVar(&r.unanswered, "unanswered", false, "")
		flags.BoolVar(&r.json, "json", false, "")
	case "status", "workers":
		flags.BoolVar(&r.json, "json", false, "")
	case "backup":
		flags.BoolVar(&r.bare, "no-attachments", false, "")
	case "warc", "tail":
	default:
		return request{}, misused(r.verb)
	}
	rest, ok := parseWords(flags, words)
	text := unquoted(strings.Join(rest, " "))
	switch r.verb {
	case "export":
		ok = ok && len(rest) == 1 && slices.Contains(query.Exports, rest[0])
		r.plan.What = text
	case "query":
		r.plan.What, r.plan.Filter = "notices", text
		r.plan.Fields = slices.DeleteFunc(strings.Split(fields, ","), func(f string) bool { return f == "" })
	case "search":
		ok = ok && (order == "relevance" || order == "date") && r.ask.Limit > 0 && r.unanswered == (text == "")
		r.ask.Query, r.ask.ByDate = text, order == "date"
	case "workers":
		if len(rest) > 0 {
			r.order, r.names = rest[0], rest[1:]
			ok = ok && !r.json && slices.Contains(orders, r.order) && len(r.names) > 0
		}
	default:
		ok = ok && len(rest) == 0
	}
	var err error
	switch {
	case !ok:
		err = misused(r.verb)
	case r.plan.What != "":
		err = r.plan.Check()
	}
	if err != nil {
		return request{}, err
	}
	return r, nil
}

// command runs one command for a script and returns the exit status.
func (x *session) command(line string) int {
	r, err := parseCommand(line)
	if err != nil {
		fmt.Fprintln(lines{&x.errs, x.pty}, "angler:", err)
		return 2
	}
	out := lines{&x.out, x.pty}
	e := x.s.c.Engine
	switch r.verb {
	case "":
		return x.workbench()
	case "status":
		err = writeStatus(out, e.Snapshot(), r.json)
	case "export", "query":
		err = x.export(func() error { return x.rows(r.plan, out) })
	case "search":
		err = x.export(func() error { return x.search(r, out) })
	case "warc":
		err = x.export(x.archive)
	case "tail":
		err = x.tail(out)
	case "backup":
		err = x.backup(r.bare)
	case "workers":
		err = x.workers(r, out)
	}
	switch {
	case errors.Is(context.Cause(x.ctx), errRevoked):
		err = errRevoked
	case err == nil:
		return 0
	case x.ctx.Err() != nil:
		return 1 // disconnected: no client reads the error
	}
	fmt.Fprintln(lines{&x.errs, x.pty}, "angler:", err)
	return 1
}

// rows sends the rows of an export or a query.
func (x *session) rows(plan query.ExportPlan, out io.Writer) error {
	e := x.s.c.Engine
	plan.By = x.who.Name
	if plan.Format == export.XLSX {
		if x.pty {
			return fmt.Errorf("%s is no text: send it into a file, ssh HOST … > FILE.%s", plan.Format, plan.Format)
		}
		out = &x.out
	}
	if err := filter.Closed(plan.Filter); err != nil {
		return fmt.Errorf("the filter: %w", err)
	}
	if plan.Fields != nil && len(plan.Fields) == 0 {
		plan.Fields = e.Pages.DefaultFields()
	}
	if err := e.Pages.CheckFields(plan.Fields); err != nil {
		return err
	}
	if err := e.Words(x.ctx); err != nil {
		return err
	}
	_, err := e.Pages.Export(x.ctx, plan, out)
	return err
}

// archive sends the stored pages as a web archive.
func (x *session) archive() error {
	if x.pty {
		return errors.New("an archive is no text: send it into a file, ssh HOST warc > FILE.warc.gz")
	}
	e := x.s.c.Engine
	if err := e.Words(x.ctx); err != nil {
		return err
	}
	_, err := e.Archive.Export(x.ctx, &x.out, nil, "angler.warc.gz")
	return err
}

// backup sends a backup of the workspace to an admin. It refuses a terminal, which would change the
// bytes.
func (x *session) backup(bare bool) error {
	if x.pty {
		return errors.New("a backup is no text: send it into a file, ssh HOST backup > FILE")
	}
	return x.s.c.Engine.As(x.who).Backup(x.ctx, &x.out, bare)
}

// An export holds rows in memory (all of them if sorted) while its client reads. These bound the
// concurrent exports, in all and with one key.
const maxExports, maxExportsEach = 4, 2

// export registers an export until end is called, or says why there are too many.
func (s *Server) export(key string) (end func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := 0
	for _, n := range s.exports {
		all += n
	}
	if all >= maxExports || s.exports[key] >= maxExportsEach {
		return nil, errors.New("too many exports are under way; wait for one to end")
	}
	s.exports[key]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.exports[key]--; s.exports[key] == 0 {
			delete(s.exports, key)
		}
	}, nil
}

// export calls send, unless too many exports are under way.
func (x *session) export(send func() error) error {
	end, err := x.s.export(x.key)
	if err != nil {
		return err
	}
	defer end()
	return send()
}

// status is the engine's state for scripts.
type status struct {
	Workspace    string         `json:"workspace"`
	Topic        string         `json:"topic"`
	Task         string         `json:"task"`
	State        string         `json:"state"`
	Why          string         `json:"why,omitempty"`
	Error        string         `json:"error,omitempty"`
	Strategy     string         `json:"strategy"`
	Workers      int            `json:"workers"`
	Busy         int            `json:"busy"`
	Rate         float64        `json:"pages_per_second"`
	HarvestRate  float64        `json:"harvest_rate"`
	ErrorRate    float64        `json:"error_rate"`
	Fetched      int            `json:"fetched"`
	Home         int            `json:"came_home"` // lists of a discovery, new notices of a harvest
	Errors       map[string]int `json:"errors"`    // of the run, by kind
	Ended        string         `json:"ended,omitempty"`
	Theta        float64        `json:"threshold"`
	ThetaAuto    bool           `json:"threshold_auto"`
	ThetaRule    string         `json:"threshold_rule,omitempty"`
	Advice       string         `json:"sample_advice,omitempty"`
	Queue        map[string]int `json:"queue"`
	Pages        int            `json:"pages"`
	Aggregations int            `json:"aggregations"`
	Unjudged     bool           `json:"unjudged,omitempty"` // scores are being read, so aggregations says nothing yet
	Notices      int            `json:"notices"`
	Samples      int            `json:"samples"`
	Negative     int            `json:"negative_samples"`
	Labels       int            `json:"labels"`
	Viewers      []view.Viewer  `json:"viewers"`
	AwaySince    time.Time      `json:"network_away_since,omitzero"`
	Unfinished   time.Time      `json:"unfinished_since,omitzero"`
	Machines     *view.Crew     `json:"machines,omitempty"` // remote workers; missing if no workers are expected

	Closed []view.BlockedHost `json:"closed,omitempty"` // hosts that refuse access, at most 50

	Seen store.FilterFigures `json:"seen_filter"`
}

func writeStatus(w io.Writer, s *view.Snapshot, asJSON bool) error {
	n := s.Counts
	st := status{Workspace: s.Workspace, Topic: s.Topic, Task: s.Task, State: string(s.State), Why: s.WhyIdle(),
		Error: s.Err, Strategy: s.Strategy,
		Workers: s.Workers, Busy: s.Busy, Rate: s.Rate, HarvestRate: s.HarvestRate, ErrorRate: s.ErrorRate,
		Fetched: s.Fetched,
		Home:    s.Run.Home(), Errors: map[string]int{}, Ended: string(s.Run.End),
		Theta: s.Theta, ThetaAuto: s.ThetaAuto, ThetaRule: s.ThetaRule, Advice: s.Advice, Pages: n.Pages,
		Aggregations: n.Aggregations, Unjudged: s.Unjudged(), Notices: n.Notices, Samples: n.Samples,
		Negative: n.Negative,
		Labels:   n.Labels, Viewers: append([]view.Viewer{}, s.Viewers...), AwaySince: s.AwaySince,
		Unfinished: s.Unfinished, Seen: s.Seen, Closed: s.Doors,
		Queue: map[string]int{"waiting": n.Waiting, "processing": n.Processing, "exception": n.Exception,
			"complete": n.Complete}}
	for _, e := range s.Run.Errors {
		st.Errors[e.Reason] = e.N
	}
	if s.State == view.Idle {
		st.Rate = 0 // the rate belongs to a finished run
	}
	if m := s.Machines; m != nil {
		st.Machines = &m.Crew
	}
	if asJSON {
		return report.JSON(w, st)
	}
	task := report.Doing(s)
	if s.State != view.Idle {
		task += fmt.Sprintf(" · %.0f pages/s", st.Rate)
	}
	fmt.Fprintf(w,
		"%s · %s: %s · queue %d · %d pages, %s, %d notices · harvest %.2f · θ %.3f · %d attached\n",
		st.Workspace, st.Topic, task, n.Waiting, n.Pages, s.Lists(), n.Notices, st.HarvestRate, st.Theta,
		len(st.Viewers))
	return nil
}

// lost tells a slow tail how many events it missed.
type lost struct {
	Kind string `json:"kind"` // "lost"
	N    uint64 `json:"n"`
}

// tail writes events as JSON lines until the client or the server ends, starting with the stored
// ones. The engine never waits for it.
func (x *session) tail(w io.Writer) error {
	snaps, end := x.s.c.Engine.Subscribe()
	defer end()
	seen := uint64(0)
	for {
		select {
		case s := <-snaps:
			for i := range s.Events {
				ev := &s.Events[i]
				if ev.Seq <= seen {
					continue
				}
				if seen != 0 && ev.Seq > seen+1 {
					if err := report.JSON(w, lost{"lost", ev.Seq - seen - 1}); err != nil {
						return err
					}
				}
				seen = ev.Seq
				if err := report.JSON(w, ev.English()); err != nil {
					return err
				}
			}
		case <-x.ctx.Done():
			return nil
		}
	}
}
