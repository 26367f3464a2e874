// Package config reads, checks, edits and writes angler.toml, the settings of a workspace. Edits
// keep comments.
//
// A Settings is not safe for concurrent use.
package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"angler/store/modes"
)

// Name is the file's name inside a workspace folder.
const Name = "angler.toml"

// ErrNone means that a folder has no angler.toml; test with errors.Is.
var ErrNone = errors.New("no angler workspace")

// Settings is angler.toml. People edit it. The program writes it only when it makes the workspace,
// adds seeds, or changes a setting in the workbench; it keeps comments.
type Settings struct {
	Name     string   `toml:"name" comment:"Name of the topic; shown in the tab bar."`
	Seeds    []string `toml:"seeds,multiline" comment:"Addresses where a discovery starts."`
	Sitemaps []string `toml:"sitemaps,multiline" comment:"Sitemaps to read in addition to those in robots.txt."`
	Scope    scope    `toml:"scope"`
	Crawl    crawl    `toml:"crawl"`
	Harvest  harvest  `toml:"harvest"`
	Revisit  Revisit  `toml:"revisit"`
	Words    words    `toml:"words"`
	Terms    Terms    `toml:"terms"`
	Suggest  suggest  `toml:"suggest"`
	Store    Store    `toml:"store"`

	Assistant Assistant `toml:"assistant"`

	Render      render      `toml:"render"`
	Attachments attachments `toml:"attachments"`
	Retention   Retention   `toml:"retention"`

	// Fields are fields of notices besides the preset ones.
	Fields []Field `toml:"fields,omitempty"`

	// Host holds settings of single hosts by their names in addresses: HOST or HOST:PORT.
	Host map[string]Host `toml:"host,omitempty"`

	// Notify holds the alerts.
	Notify []Notify `toml:"notify,omitempty"`

	// Keys are changed keys of the workbench: the name of an action and its key or list of keys. The
	// workbench checks them.
	Keys map[string]any `toml:"keys,omitempty"`
}

// Clone returns a deep copy.
func (s *Settings) Clone() Settings {
	c := *s
	c.Seeds, c.Sitemaps = slices.Clone(s.Seeds), slices.Clone(s.Sitemaps)
	c.Scope.Include, c.Scope.Exclude = slices.Clone(s.Scope.Include), slices.Clone(s.Scope.Exclude)
	c.Keys, c.Suggest = maps.Clone(s.Keys), s.Suggest.clone()
	c.Host = cloneHosts(s.Host)
	c.Render.Pages = slices.Clone(s.Render.Pages)
	c.Terms.Patterns = slices.Clone(s.Terms.Patterns)
	c.Fields = slices.Clone(s.Fields)
	for i := range c.Fields {
		c.Fields[i].Labels, c.Fields[i].Choices = slices.Clone(s.Fields[i].Labels), slices.Clone(s.Fields[i].Choices)
	}
	c.Attachments.Types = slices.Clone(s.Attachments.Types)
	c.Notify = slices.Clone(s.Notify)
	for i := range c.Notify {
		n := &c.Notify[i]
		n.Tell, n.To = slices.Clone(n.Tell), slices.Clone(n.To)
	}
	c.Harvest.Patterns, c.Crawl.PublicOnly = slices.Clone(s.Harvest.Patterns), slices.Clone(s.Crawl.PublicOnly)
	c.Crawl.Constants, c.Crawl.Important = slices.Clone(s.Crawl.Constants), slices.Clone(s.Crawl.Important)
	return c
}

// AddSeeds appends the seeds that are new.
func (s *Settings) AddSeeds(urls []string) {
	known := make(map[string]bool, len(s.Seeds))
	for _, u := range s.Seeds {
		known[u] = true
	}
	for _, u := range urls {
		if !known[u] {
			known[u] = true
			s.Seeds = append(s.Seeds, u)
		}
	}
}

// scope bounds the crawl.
type scope struct {
	Kind    string   `toml:"kind" comment:"what is in scope of a seed http://www.X/…: site (X and *.X), host (www.X), prefix (the seed's directory), pattern (include alone decides)"`
	Include []string `toml:"include" comment:"regular expressions of URLs to add to the scope"`
	Exclude []string `toml:"exclude" comment:"regular expressions of URLs to keep out of the scope"`
}

// crawl controls discovery and every fetch.
type crawl struct {
	Depth      int      `toml:"depth" bounds:"0 … 1000" comment:"most links between a seed and a page; pagination and redirects do not count"`
	Workers    int      `toml:"workers" bounds:"1 … 1024" comment:"concurrent fetches over all hosts"`
	Delay      Duration `toml:"delay" comment:"pause between two fetches of one host, e.g. \"1s\""`
	IPDelay    string   `toml:"ip_delay" comment:"pause between two fetches from an IP address that several hosts share; empty: a quarter of the host's delay; \"0\": no pause"`
	PerHost    int      `toml:"per_host" bounds:"1 … 64" comment:"concurrent fetches of one healthy host; their starts keep the delay"`
	Timeout    Duration `toml:"timeout" comment:"time limit of one fetch"`
	MaxBodyMB  int      `toml:"max_body_mb" bounds:"1 … 1024" comment:"size in MB at which a longer body is cut"`
	Retries    int      `toml:"retries" bounds:"0 … 100" comment:"failed fetches after which a URL is given up"`
	Strategy   string   `toml:"strategy" comment:"link order: bfs, best-first, shark, block-shark, hits, pagerank, linear, tag-path-bandit, learned"`
	Constants  []string `toml:"constants,multiline" comment:"constants of the link order to change, e.g. \"shark.delta = 0.6\""`
	Important  []string `toml:"important,multiline" comment:"domains that the link order linear prefers, e.g. \"a.cn\", or with a weight of at most 1: \"a.cn = 0.5\""`
	Queues     string   `toml:"queues" comment:"queues of each host: host (one queue), hflp or elf (queue_count queues)"`
	QueueCount int      `toml:"queue_count" comment:"queues of each host for hflp and elf; elf works best with an odd number"`

	FrontierMemory int `toml:"frontier_memory" bounds:"1 000 … 100 000 000" comment:"most waiting URLs in memory; the others wait on disk"`
	HostURLs       int `toml:"host_urls" bounds:"0 …" comment:"waiting URLs of one host above which its new links are dropped; 0: no limit"`

	Proxy        string `toml:"proxy" comment:"address of a proxy, http:// or socks5://; empty: no proxy"`
	UserAgent    string `toml:"user_agent"`
	IgnoreRobots bool   `toml:"ignore_robots" comment:"true ignores robots.txt; use it only for your own sites"`
	Sitemaps     bool   `toml:"sitemaps" comment:"true reads the sitemaps that robots.txt names"`
	AllowPrivate bool   `toml:"allow_private" comment:"true allows fetching from private and loopback addresses"`

	PublicOnly []string `toml:"public_only,multiline" comment:"hosts added over SSH or accepted from suggestions; never fetched from private addresses, even if allow_private is true"`
}

// harvest controls the harvest.
type harvest struct {
	Patterns []string `toml:"patterns,multiline" comment:"regular expressions of notice titles; other records of a list are skipped; empty: take all"`
	Fields   string   `toml:"fields" comment:"fields of notices: tenders, jobs, prices, none; empty: chosen by name and patterns"`
	Method   string   `toml:"method" comment:"method that finds the main text: auto, mass, density, pathratio"`
	Marks    int      `toml:"punctuation" bounds:"0 …" comment:"α of pathratio: a text with at most this many punctuation marks is extracted again"`
	Links    int      `toml:"link_chars" bounds:"1 …" comment:"β of pathratio: a text with at least this many link characters is extracted again"`
	Pages    int      `toml:"pages" bounds:"1 …" comment:"most pages of one list that a harvest reads"`

	Share float64 `toml:"share" bounds:"0 … 0.9" comment:"share of fetches that a discovery spends on notices of new lists; 0: the harvest fetches them"`

	Check    bool `toml:"check" comment:"true marks records as doubtful if their page does not look like a notice; they are kept"`
	Versions int  `toml:"versions" bounds:"1 … 1000" comment:"earlier versions to keep of a changed notice"`

	SimilarityShare float64 `toml:"similarity_share" bounds:"0 … 1" comment:"t in a notice's quality t·similarity + (1−t)·PageRank"`
}

// Revisit schedules visits of known pages. Within its bounds the interval of a page follows its
// observed changes.
type Revisit struct {
	Off            bool     `toml:"off" comment:"true stops discoveries from revisiting known pages"`
	AggregationMin Duration `toml:"aggregation_min" comment:"shortest and longest interval between two visits of an aggregation page"`
	AggregationMax Duration `toml:"aggregation_max"`
	OtherMin       Duration `toml:"other_min" comment:"shortest and longest interval between two visits of another page"`
	OtherMax       Duration `toml:"other_max"`
	Watch          Duration `toml:"watch" comment:"how long harvests revisit a notice after it was fetched or changed; 0: never"`
	WatchMin       Duration `toml:"watch_min" comment:"shortest interval between two such visits; it grows while nothing changes"`
	Chance         float64  `toml:"chance" comment:"wanted probability that a visit finds a change, between 0 and 1; higher: fewer visits"`
	Growth         float64  `toml:"growth" comment:"most growth of an interval: a multiple of the one before"`
}

// words selects the segmenter.
type words struct {
	Segmenter string `toml:"segmenter" comment:"flat: gse's dictionary in a compact form, loads in 0.1 s; gse: the library itself, needs 2 to 4 s and 130 MB"`
}

// Terms defines domain terms and the pages to search for them (P2 2.3).
type Terms struct {
	Method    string   `toml:"method" comment:"candidates for terms: ruled (the patterns below), loose (adjectives and nouns that end in a noun)"`
	Patterns  []string `toml:"patterns,multiline" comment:"patterns of parts of speech for ruled, e.g. \"n+vn+n\"; empty: 20 built-in patterns"`
	Threshold float64  `toml:"threshold" comment:"C-value that a term must exceed"`
	Corpus    string   `toml:"corpus" comment:"pages searched for terms: all (every stored page), lists, notices"`
	Propose   bool     `toml:"propose" comment:"true looks for new terms in the background after each harvest"`
}

// The corpora of Terms.
const (
	CorpusAll     = "all"
	CorpusLists   = "lists"   // pages of the type list
	CorpusNotices = "notices" // titles and texts of notices
)

// attachments selects the documents that are fetched automatically, and bounds them.
type attachments struct {
	Fetch    string   `toml:"fetch" comment:"filter of the inbox: documents of these notices are fetched after each run, e.g. \"is:starred age<30d\"; empty: only on request"`
	Types    []string `toml:"types,multiline" comment:"file extensions of documents that are fetched automatically"`
	MaxMB    int      `toml:"max_mb" bounds:"1 … 200" comment:"size in MB above which a document is not kept"`
	BudgetMB int      `toml:"budget_mb" bounds:"0 …" comment:"MB a day for automatic fetches; documents fetched on request do not count"`
}

// Store sizes the Bloom filter and counts backups.
type Store struct {
	Backups       int     `toml:"backups" bounds:"0 … 100" comment:"daily backups to keep in the folder backups; they hold the database, not the files of documents; 0: no backups"`
	ExpectedURLs  int     `toml:"expected_urls" bounds:"1 000 … 1 000 000 000" comment:"expected number of URLs; sets the size of the Bloom filter"`
	FalsePositive float64 `toml:"false_positive" comment:"share of new URLs for which the Bloom filter may need a database query"`
}

// Retention says how long data is kept. Data that judging needs is kept for ever.
type Retention struct {
	BodyDays       int `toml:"body_days" bounds:"0 … 36 500" comment:"days to keep the body of a page after its last visit; 0: for ever. Samples, labelled pages and lists keep theirs. A digest of 128 pages of each host stays, so that menus are still recognised"`
	NoticeBodyDays int `toml:"notice_body_days" bounds:"0 … 36 500" comment:"days to keep the body of a notice's page; 0: for ever. Its text and fields stay"`
	VersionDays    int `toml:"version_days" bounds:"0 … 36 500" comment:"days to keep earlier versions of a notice; 0: only harvest.versions limits them"`
	AttachmentDays int `toml:"attachment_days" bounds:"0 … 36 500" comment:"days to keep the files of attachments; 0: for ever. Their texts stay. Notices with a star, a verdict or a note keep their files"`
	EventDays      int `toml:"event_days" bounds:"0 … 36 500" comment:"days to keep the log of decisions; older decisions cannot be undone; 0: for ever"`
	RunDays        int `toml:"run_days" bounds:"0 … 36 500" comment:"days to keep the history of runs; 0: the newest 1000 runs"`
}

// TenderPatterns are the wide defaults for tender notices. They apply to mixed lists only: on a
// pure list they would lose every fifth award notice.
var TenderPatterns = []string{
	"招标|采购|中标|成交|询价|磋商|比选|谈判|竞价|询比|流标|废标|遴选|比价|单一来源|开标|评标|更正公告|资格预审|拍租|招租",
}

// Default returns settings that are polite to sites of others.
func Default() Settings {
	return Settings{
		Name: "tenders", Sitemaps: []string{},
		Scope: scope{Kind: "site", Include: []string{}, Exclude: []string{}},
		Crawl: crawl{Depth: 5, Workers: 16, Delay: Duration(time.Second), PerHost: 1,
			Timeout:   Duration(20 * time.Second),
			MaxBodyMB: 4, Retries: 3, Strategy: "learned", Constants: []string{}, Important: []string{}, Queues: "host",
			QueueCount: 7, FrontierMemory: 200_000, HostURLs: 200_000, Sitemaps: true, UserAgent: UserAgent,
			PublicOnly: []string{}},
		Harvest: harvest{Patterns: TenderPatterns, Method: "auto", Marks: 8, Links: 60, Pages: 20, Share: 0.5,
			Check: true, Versions: 20, SimilarityShare: 0.7},
		Revisit: Revisit{AggregationMin: Duration(time.Hour), AggregationMax: Duration(24 * time.Hour),
			OtherMin: Duration(6 * time.Hour), OtherMax: Duration(30 * 24 * time.Hour),
			Watch: Duration(30 * 24 * time.Hour), WatchMin: Duration(24 * time.Hour), Chance: 0.5, Growth: 2},
		Words: words{Segmenter: "flat"}, Terms: Terms{Method: "ruled", Patterns: []string{}, Threshold: 3,
			Corpus: CorpusAll, Propose: true}, Store: Store{Backups: 3, ExpectedURLs: 1_000_000, FalsePositive: 0.001},
		Suggest:   defaultSuggest(),
		Assistant: Assistant{Budget: 200_000}, Render: defaultRender(),
		Attachments: attachments{Types: []string{"pdf", "doc", "docx", "wps", "xls", "xlsx", "et", "ofd", "rtf", "zip",
			"rar"}, MaxMB: 20, BudgetMB: 200},
	}
}

// SettingError reports an invalid setting.
type SettingError struct {
	Key, Why string
	Given    bool // set by a flag of the command line; the file alone is valid
}

func (e *SettingError) Error() string { return Name + ": " + e.Key + ": " + e.Why }

// Validate reports the first invalid setting by its key.
func (s *Settings) Validate() error {
	bad := func(key, format string, args ...any) error {
		return &SettingError{Key: key, Why: fmt.Sprintf(format, args...)}
	}
	if err := s.checkBounds(); err != nil {
		return err
	}
	switch {
	case s.Crawl.Timeout <= 0:
		return bad("crawl.timeout", "must be longer than 0")
	case s.Words.Segmenter != "flat" && s.Words.Segmenter != "gse":
		return bad("words.segmenter", "%q is neither flat nor gse", s.Words.Segmenter)
	case !(s.Terms.Threshold > 0 && s.Terms.Threshold <= 1e6): // NaN too
		return bad("terms.threshold", "%g is not above 0 and at most 1 000 000", s.Terms.Threshold)
	case s.Terms.Corpus != CorpusAll && s.Terms.Corpus != CorpusLists && s.Terms.Corpus != CorpusNotices:
		return bad("terms.corpus", "%q is none of all, lists, notices", s.Terms.Corpus)
	case s.Harvest.Fields != "" && !slices.Contains(fieldTopics, s.Harvest.Fields):
		return bad("harvest.fields", "%q is none of %s", s.Harvest.Fields, strings.Join(fieldTopics, ", "))
	case s.Revisit.Watch > 0 && s.Revisit.WatchMin < Duration(time.Minute):
		return bad("revisit.watch_min", "%v is shorter than a minute", time.Duration(s.Revisit.WatchMin))
	case s.Revisit.Watch > Duration(365*24*time.Hour):
		return bad("revisit.watch", "%v is longer than 8760h, a year", time.Duration(s.Revisit.Watch))
	case s.Store.FalsePositive <= 0 || s.Store.FalsePositive >= 0.5:
		return bad("store.false_positive", "%g is outside 0 … 0.5", s.Store.FalsePositive)
	}
	if s.Suggest.SearXNG != "" {
		if err := CheckSearXNG(s.Suggest.SearXNG); err != nil {
			return bad("suggest.searxng", "%v", err)
		}
	}
	if err := s.checkFields(); err != nil {
		return bad("fields", "%v", err)
	}
	if err := s.checkNotify(); err != nil {
		return bad("notify", "%v", err)
	}
	if key, why := s.Render.check(); key != "" {
		return bad("render."+key, "%s", why)
	}
	if key, why := s.Assistant.check(); key != "" {
		return bad("assistant."+key, "%s", why)
	}
	if err := s.checkHosts(); err != nil {
		return bad(HostsKey, "%v", err)
	}
	if why := CheckProxy(s.Crawl.Proxy); why != "" {
		return bad("crawl.proxy", "%s", why)
	}
	if _, err := s.Crawl.AddressDelay(); err != nil {
		return bad("crawl.ip_delay", "%v", err)
	}
	for _, p := range s.Harvest.Patterns {
		if _, err := regexp.Compile(p); err != nil {
			return bad("harvest.patterns", "%v", err)
		}
	}
	return nil
}

// Read reads and checks the settings of a workspace without opening it. Unknown keys are errors,
// because a misspelt key would leave its setting at the default.
func Read(dir string) (Settings, error) {
	path := filepath.Join(dir, Name)
	s := Default()
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, fmt.Errorf("%s: %w here; make one with: angler new %s --seed URL", dir, ErrNone, dir)
	}
	if err != nil {
		return s, fmt.Errorf("cannot read %s (%v); check its permissions", path, modes.Cause(err))
	}
	return parse(path, b)
}

// parse reads and checks the text of a settings file.
func parse(path string, b []byte) (Settings, error) {
	s := Default()
	if err := cmp.Or(whole(path, b), units(path, b)); err != nil {
		return s, err
	}
	d := toml.NewDecoder(bytes.NewReader(b)).DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		var strict *toml.StrictMissingError
		var at *toml.DecodeError
		switch {
		case errors.As(err, &strict) && len(strict.Errors) > 0:
			if err := s.checkRemoved(); err != nil {
				return s, &SettingError{Key: "notify", Why: err.Error()}
			}
			row, _ := strict.Errors[0].Position()
			return s, fmt.Errorf("%s: line %d: unknown key %s; correct or remove it", path, row,
				strings.Join(strict.Errors[0].Key(), "."))
		case errors.As(err, &at):
			row, _ := at.Position()
			return s, fmt.Errorf("%s: line %d: %s%s", path, row, Wrong(at), cutShort(b, row))
		}
		return s, fmt.Errorf("%s: %v", path, err)
	}
	return s, cmp.Or(ended(path, b), s.Validate())
}

// Write makes the file of a new workspace.
func (s *Settings) Write(path string) error {
	b, err := toml.Marshal(s)
	if err == nil {
		err = modes.Replace(path, b)
	}
	return err
}
