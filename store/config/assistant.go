package config

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"
)

// Assistant configures the optional model that answers one question about each new notice.
type Assistant struct {
	URL      string `toml:"url" comment:"address of an OpenAI-compatible API, e.g. \"http://localhost:11434/v1\"; https, or http on this machine; empty: no model is asked"`
	Model    string `toml:"model" comment:"name of the model, as the API calls it; empty: no model is asked"`
	KeyEnv   string `toml:"key_env" comment:"environment variable with the API key; empty: no key"`
	Question string `toml:"question" comment:"plain words that a notice must meet, e.g. \"we build bridges in Anhui, nothing below 5 million\"; empty: no model is asked"`
	Budget   int    `toml:"budget" bounds:"0 … 1 000 000 000" comment:"tokens a day for the model"`
}

// maxQuestion bounds the question, in characters.
const maxQuestion = 2000

// On reports whether a model is asked.
func (a *Assistant) On() bool { return a.URL != "" && a.Model != "" && a.Question != "" }

// check reports the first invalid key. It does not repeat the address, which may hold a secret.
func (a *Assistant) check() (key, why string) {
	if a.URL != "" {
		u, err := url.Parse(a.URL)
		switch {
		case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
			return "url", "it is no address of an API; write https://HOST/v1"
		case u.Scheme == "http" && !isLoopback(u.Hostname()):
			return "url", "texts and key would be sent in the open; use https, or a server on this machine"
		case u.User != nil || u.RawQuery != "" || u.Fragment != "":
			return "url", "a key has no place in the address; put it into an environment variable and name that in key_env"
		}
	}
	switch n := utf8.RuneCountInString(a.Question); {
	case a.Question != "" && strings.TrimSpace(a.Question) == "":
		return "question", "it has no word; write what a notice must meet, or leave it empty to ask no model"
	case a.KeyEnv != "" && !goodVariable(a.KeyEnv):
		return "key_env", "it is the name of an environment variable, not the key itself"
	case n > maxQuestion:
		return "question", fmt.Sprintf("it has %d characters; at most %d are asked", n, maxQuestion)
	}
	return "", ""
}
