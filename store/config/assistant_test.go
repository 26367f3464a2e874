package config

import (
	"strings"
	"testing"
)

func TestAssistantIsChecked(t *testing.T) {
	const good = `url = "https://api.example.com/v1"
model = "small"
key_env = "MODEL_KEY"
question = "we build bridges"
budget = 1000
`
	read := func(rows string) (Settings, error) { return parse(Name, []byte("[assistant]\n"+rows)) }
	with := func(key, row string) string {
		var out strings.Builder
		for line := range strings.Lines(good) {
			if !strings.HasPrefix(line, key+" ") {
				out.WriteString(line)
			}
		}
		return out.String() + row + "\n"
	}
	for name, c := range map[string]struct {
		rows string
		on   bool
	}{
		"all of it":         {good, true},
		"without a key":     {with("key_env", ""), true},
		"of this machine":   {with("url", `url = "http://localhost:11434/v1"`), true},
		"over IPv6":         {with("url", `url = "http://[::1]:11434/v1"`), true},
		"no budget":         {with("budget", "budget = 0"), true},
		"without question":  {with("question", ""), false},
		"an empty question": {with("question", `question = ""`), false},
		"without address":   {with("url", ""), false},
		"without model":     {with("model", ""), false},
		"nothing":           {"", false},
	} {
		if set, err := read(c.rows); err != nil || set.Assistant.On() != c.on {
			t.Errorf("%s: on %v, %v", name, set.Assistant.On(), err)
		}
	}
	const open = "assistant.url: texts and key would be sent in the open; use https, or a server on this machine"
	for name, c := range map[string]struct{ rows, says string }{
		"no address":          {with("url", `url = "topsecret"`), "assistant.url: it is no address of an API; write https://HOST/v1"},
		"another scheme":      {with("url", `url = "ftp://api.example.com/topsecret"`), "assistant.url: it is no address"},
		"no host":             {with("url", `url = "https:///v1"`), "assistant.url: it is no address"},
		"a broken address":    {with("url", `url = "https://api.example.com/%zztopsecret"`), "assistant.url: it is no address"},
		"in the open":         {with("url", `url = "http://api.example.com/v1"`), open},
		"in the open by name": {with("url", `url = "http://127.0.0.1.example.com/v1"`), open},
		"in the LAN":          {with("url", `url = "http://192.168.1.5:11434/v1"`), open},
		"a key in the query":  {with("url", `url = "https://api.example.com/v1?key=topsecret"`), "assistant.url: a key has no place in the address"},
		"a key before @":      {with("url", `url = "https://topsecret@api.example.com/v1"`), "assistant.url: a key has no place in the address"},
		"a key for a name":    {with("key_env", `key_env = "sk-topsecret"`), "assistant.key_env: it is the name of an environment variable, not the key itself"},
		"a debt":              {with("budget", "budget = -1"), "assistant.budget"},
		"too much":            {with("budget", "budget = 1000000001"), "assistant.budget"},
		"a wordless question": {with("question", `question = " \n\t"`), "assistant.question: it has no word; write what a notice must meet"},
		"a long question":     {with("question", `question = "`+strings.Repeat("桥", maxQuestion+1)+`"`), "assistant.question: it has 2001 characters; at most 2000 are asked"},
		"an unknown key":      {good + "key = \"x\"\n", "unknown key assistant.key"},
	} {
		if _, err := read(c.rows); err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "topsecret") {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
	if set, err := read(with("question", `question = "`+strings.Repeat("桥", maxQuestion)+`"`)); err != nil || !set.Assistant.On() {
		t.Errorf("the longest question: %v", err)
	}
}
