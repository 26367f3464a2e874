package cli

import (
	"strings"
	"testing"

	"angler/crawl/fetch"
	"angler/store/config"
)

// The command, the settings and the fetcher tell the same version.
func TestThereIsOneVersion(t *testing.T) {
	if out, _, err := call(t, "version"); err != nil || !strings.HasPrefix(out, "angler "+config.Version+", ") {
		t.Errorf("%v: %s", err, out)
	}
	want := "angler/" + config.Version + " "
	for who, agent := range map[string]string{"angler.toml": config.Default().Crawl.UserAgent, "the fetcher": fetch.DefaultUserAgent} {
		if !strings.HasPrefix(agent, want) {
			t.Errorf("%s says %q, want %q", who, agent, want)
		}
	}
}
