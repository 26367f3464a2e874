package sshd

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	gossh "golang.org/x/crypto/ssh"

	"angler/crawl/auth"
	"angler/crawl/inbox"
	"angler/crawl/query"
)

func TestParseKeys(t *testing.T) {
	key := func() string { return strings.TrimSpace(string(gossh.MarshalAuthorizedKey(newKey(t).PublicKey()))) }
	cases := []struct {
		name, options, comment string
		want                   auth.Actor
		why                    string // "" = the key is let in
	}{
		{"no role is a viewer", "", "li@office", auth.Actor{Name: "li", Role: auth.Viewer, Remote: true}, ""},
		{"an analyst", "role=analyst", "wang wei", auth.Actor{Name: "wang", Role: auth.Analyst, Remote: true}, ""},
		{"quoted, with a name", `role="admin",name="周 强"`, "laptop", auth.Actor{Name: "周 强", Role: auth.Admin, Remote: true}, ""},
		{"a restriction that holds anyway", "restrict,no-port-forwarding,role=viewer", "li", auth.Actor{Name: "li", Role: auth.Viewer, Remote: true}, ""},
		{"an unknown role", "role=root", "x", auth.Actor{}, "none of viewer, analyst, admin"},
		{"a restriction that is not kept", `from="10.0.0.0/8",role=admin`, "x", auth.Actor{}, "unknown here"},
		{"a forced command", `command="tail"`, "x", auth.Actor{}, "unknown here"},
		{"an escape sequence in the name", "name=\"a\x1b[2Jb\"", "x", auth.Actor{Name: "ab", Role: auth.Viewer, Remote: true}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			k := key()
			parsed, _, _, _, err := gossh.ParseAuthorizedKey([]byte(k))
			must(t, err)
			keys := parseKeys([]byte("# people\n\n" + strings.TrimSpace(c.options+" "+k+" "+c.comment) + "\n"))
			p, ok := keys.who(parsed)
			if c.why == "" {
				if !ok || p != c.want {
					t.Errorf("got %+v, %v, problems %q; want %+v", p, ok, keys.problems, c.want)
				}
				return
			}
			if ok || len(keys.problems) != 1 || !strings.Contains(keys.problems[0], c.why) || !strings.HasPrefix(keys.problems[0], "line 3: ") {
				t.Errorf("let in %v as %+v, problems %q; want %q", ok, p, keys.problems, c.why)
			}
		})
	}
	k := key()
	keys := parseKeys([]byte("role=viewer " + k + "\nrole=admin " + k + "\n"))
	parsed, _, _, _, _ := gossh.ParseAuthorizedKey([]byte(k))
	if p, _ := keys.who(parsed); p.Role != auth.Viewer || len(keys.problems) != 1 {
		t.Errorf("a key that stands twice is %+v, problems %q", p, keys.problems)
	}
}

func TestParseCommand(t *testing.T) {
	cases := map[string]struct {
		want request
		bad  bool
	}{
		"":                                {request{}, false},
		"status":                          {request{verb: "status"}, false},
		"status --json":                   {request{verb: "status", json: true}, false},
		"export notices":                  {request{verb: "export", plan: query.ExportPlan{What: "notices"}}, false},
		"export --format jsonl links":     {request{verb: "export", plan: query.ExportPlan{What: "links", Format: "jsonl"}}, false},
		"export pages --format=csv":       {request{verb: "export", plan: query.ExportPlan{What: "pages", Format: "csv"}}, false},
		"export --bom pages --format csv": {request{verb: "export", plan: query.ExportPlan{What: "pages", Format: "csv", BOM: true}}, false},
		"export notices --format atom --newest 20":                   {request{verb: "export", plan: query.ExportPlan{What: "notices", Format: "atom", Newest: 20}}, false},
		"export notices --format csv --filter is:unread site:ntu 空调": {request{verb: "export", plan: query.ExportPlan{What: "notices", Format: "csv", Filter: "is:unread site:ntu 空调"}}, false},
		"export notices --filter=age<7d":                             {request{verb: "export", plan: query.ExportPlan{What: "notices", Filter: "age<7d"}}, false},
		"export notices --format xlsx --lang zh":                     {request{verb: "export", plan: query.ExportPlan{What: "notices", Format: "xlsx", Lang: "zh"}}, false},
		"export links --format graphml":                              {request{verb: "export", plan: query.ExportPlan{What: "links", Format: "graphml"}}, false},
		"export pages --format graphml":                              {bad: true},
		"query":                                                      {request{verb: "query", plan: query.ExportPlan{What: "notices", Fields: []string{}}}, false},
		"query --fields title,url --format csv is:unread 空调":         {request{verb: "query", plan: query.ExportPlan{What: "notices", Format: "csv", Fields: []string{"title", "url"}, Filter: "is:unread 空调"}}, false},
		"query -- -更正":                                               {request{verb: "query", plan: query.ExportPlan{What: "notices", Fields: []string{}, Filter: "-更正"}}, false},
		"query -o /etc/passwd x":                                     {bad: true},
		"query --format atom x":                                      {bad: true},
		"export pages --filter is:unread":                            {bad: true},
		"tail --filter x":                                            {bad: true},
		"export links --format atom":                                 {bad: true},
		"export pages --format xls":                                  {bad: true},
		"export pages --bom":                                         {bad: true},
		"export notices --format atom --newest 99999999":             {bad: true},
		"export notices -o /etc/passwd":                              {bad: true},
		"export notices --output=x --force":                          {bad: true},
		"export --help":                                              {bad: true},
		"status pages":                                               {bad: true},
		"warc":                                                       {request{verb: "warc"}, false},
		"warc -o x":                                                  {bad: true},
		"tail":                                                       {request{verb: "tail"}, false},
		"query 显微镜 -更正 --format xlsx":                                {request{verb: "query", plan: query.ExportPlan{What: "notices", Format: "xlsx", Filter: "显微镜 -更正", Fields: []string{}}}, false},
		"query --format csv --bom --fields number,buyer 'buyer:大学 budget>5' --lang zh": {request{verb: "query", plan: query.ExportPlan{What: "notices", Format: "csv", BOM: true, Lang: "zh", Filter: "buyer:大学 budget>5", Fields: []string{"number", "buyer"}}}, false},
		"query -更正 显微镜":                                {request{verb: "query", plan: query.ExportPlan{What: "notices", Filter: "-更正 显微镜", Fields: []string{}}}, false},
		"query 显微镜 -o q.xlsx":                          {bad: true},
		"query 显微镜 --output q.xlsx":                    {bad: true},
		"query 显微镜 --format":                           {bad: true},
		"search 显微镜 光谱仪 --limit 5":                     {request{verb: "search", ask: inbox.SearchRequest{Query: "显微镜 光谱仪", Limit: 5}}, false},
		"search --limit 5":                             {bad: true},
		"search --unanswered":                          {request{verb: "search", unanswered: true, ask: inbox.SearchRequest{Limit: 20}}, false},
		"search --unanswered 显微镜":                      {bad: true},
		"export notices --filter 显微镜 -更正 --format csv": {request{verb: "export", plan: query.ExportPlan{What: "notices", Format: "csv", Filter: "显微镜 -更正"}}, false},
		"export --filter='is:unread 显微镜' notices":      {bad: true},
		"export notices --filter='is:unread 显微镜'":      {request{verb: "export", plan: query.ExportPlan{What: "notices", Filter: "is:unread 显微镜"}}, false},
		"export passwd":                                {bad: true},
		"export pages; id":                             {bad: true},
		"status && rm -rf /":                           {bad: true},
		"/bin/sh":                                      {bad: true},
		"scp -t .":                                     {bad: true},
		"/usr/lib/openssh/sftp-server ":                {bad: true},
		"workers":                                      {request{verb: "workers"}, false},
		"workers --json":                               {request{verb: "workers", json: true}, false},
		"workers ban east-1 x":                         {request{verb: "workers", order: "ban", names: []string{"east-1", "x"}}, false},
		"workers ban":                                  {bad: true},
		"workers kill east-1":                          {bad: true},
		"workers --json x":                             {bad: true},
		"tail -f":                                      {bad: true},
		"export --format":                              {bad: true},
	}
	for line, c := range cases {
		got, err := parseCommand(line)
		if (err != nil) != c.bad || !c.bad && !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %+v, %v", line, got, err)
		}
	}
}

func FuzzParseKeys(f *testing.F) {
	f.Add([]byte("role=analyst,name=\"x\" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIINjBbRuw+/mT+aoMx6uiw+y8c7kQfsqAXm26KWqEwLi wang@x\n"))
	f.Add([]byte("role= ssh-rsa AAAA\n#\n,,, =\"\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		keys := parseKeys(file)
		for _, p := range keys.people {
			if _, err := auth.Parse(string(p.Role)); err != nil {
				t.Errorf("a login succeeds with %v", err)
			}
			if p.Name == "" || strings.ContainsAny(p.Name, "\x1b\n") {
				t.Errorf("a name is %q", p.Name)
			}
		}
	})
}

func FuzzParseCommand(f *testing.F) {
	f.Add("export notices --format jsonl")
	f.Fuzz(func(t *testing.T, line string) {
		r, err := parseCommand(line)
		known := slices.Contains([]string{"", "status", "tail", "warc", "backup", "query", "search", "workers"}, r.verb) || r.verb == "export" && r.plan.Check() == nil
		if err == nil && !known {
			t.Errorf("%q is run as %+v", line, r)
		}
	})
}
