package config

import (
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"

	"angler/store/version"
)

var update = flag.Bool("update", false, "write README.md's settings")

// TestReadmeSettings keeps the README's configuration file equal to what a new
// workspace gets.
func TestReadmeSettings(t *testing.T) {
	const path, begin, end = "../../README.md", "<!-- settings: generated, see store/config/readme_test.go -->\n", "<!-- /settings -->"
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(b), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatal("README.md lacks the marks of the settings")
	}
	set := Default()
	set.Seeds = []string{"http://www.example.edu.cn/"}
	slow := Duration(5 * time.Second)
	set.Host = map[string]Host{"www.example.gov.cn": {
		Delay: &slow, PerHost: 1, Headers: []string{"X-Requested-With: XMLHttpRequest", "X-Token: env:EXAMPLE_TOKEN"}, UserAgent: version.UserAgent, Proxy: Direct,
		Certificate: strings.Repeat("0", 64), Cookies: "cookies.txt", User: "alice", PasswordFile: "/home/alice/example.password", PasswordEnv: "",
		LoginPage: "https://www.example.gov.cn/login", LoginFields: []string{"unit = 3"}, LoginSecret: "passwd", LoginText: "退出", Render: RenderNever, Worker: "office"}}
	if err := set.Validate(); err != nil {
		t.Fatal(err)
	}
	v, err := toml.Marshal(&set)
	if err != nil {
		t.Fatal(err)
	}
	want := before + begin + "\n```toml\n" + string(v) + "```\n\n" + end + after
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(b) != want {
		t.Error("README.md: the settings are not those of the program; run: go test ./store/config -run Readme -update")
	}
}
