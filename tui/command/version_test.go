package command

import (
	"context"
	"strings"
	"testing"

	"angler/crawl/fetch"
	"angler/store/config"
	"angler/store/version"
)

// The command, the settings and the fetcher tell the same version.
func TestThereIsOneVersion(t *testing.T) {
	var out strings.Builder
	c := new(Program).rootCommand()
	c.SetOut(&out)
	c.SetArgs([]string{"version"})
	if err := c.ExecuteContext(context.Background()); err != nil || !strings.HasPrefix(out.String(), "angler "+version.Number+", ") {
		t.Errorf("%v: %s", err, out.String())
	}
	want := "angler/" + version.Number + " "
	for who, agent := range map[string]string{"angler.toml": config.Default().Crawl.UserAgent, "the fetcher": fetch.DefaultUserAgent} {
		if !strings.HasPrefix(agent, want) {
			t.Errorf("%s says %q, want %q", who, agent, want)
		}
	}
}
