package config

import (
	"flag"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"

	"angler/store/generated"
)

var update = flag.Bool("update", false, "write the settings into docs/settings.md")

// TestReferenceOfSettings keeps the configuration file in the documents equal to what
// a new workspace gets.
func TestReferenceOfSettings(t *testing.T) {
	set := Default()
	set.Seeds = []string{"http://www.example.edu.cn/"}
	slow := Duration(5 * time.Second)
	set.Host = map[string]Host{"www.example.gov.cn": {
		Delay: &slow, PerHost: 1, Headers: []string{"X-Requested-With: XMLHttpRequest", "X-Token: env:EXAMPLE_TOKEN"}, UserAgent: UserAgent, Proxy: direct,
		Certificate: strings.Repeat("0", 64), Cookies: "cookies.txt", User: "alice", PasswordFile: "/home/alice/example.password", PasswordEnv: "",
		LoginPage: "https://www.example.gov.cn/login", LoginFields: []string{"unit = 3"}, LoginSecret: "passwd", LoginText: "退出", Render: renderNever, Worker: "office"}}
	must(t, set.Validate())
	v, err := toml.Marshal(&set)
	must(t, err)
	generated.Section(t, "../../docs/settings.md", "settings", "```toml\n"+string(v)+"```", *update)
}
