package linkorder

import (
	"fmt"
	"strconv"
	"strings"

	"angler/crawl/frontier"
	"angler/store/config"
)

// OrderConstants parses the link order's constants in the settings, "name = number", and the important domains,
// "domain" or "domain = weight".
func OrderConstants(set *config.Settings) (Params, error) {
	p := Params{}
	for _, line := range set.Crawl.Constants {
		name, number, ok := strings.Cut(line, "=")
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if !ok || err != nil {
			return nil, fmt.Errorf("crawl.constants: %q is no constant; write for example \"shark.delta = 0.6\"", line)
		}
		p[strings.TrimSpace(name)] = v
	}
	for _, line := range set.Crawl.Important {
		name, number, weighed := strings.Cut(line, "=")
		name = strings.Trim(strings.ToLower(strings.TrimSpace(name)), ".")
		v, err := float64(commonWeight), error(nil)
		if weighed {
			v, err = strconv.ParseFloat(strings.TrimSpace(number), 64)
		}
		if err != nil || name == "" || strings.ContainsAny(name, "/: *?") || weighed && !(v >= 0 && v <= 1) {
			return nil, fmt.Errorf(
				"crawl.important: %q is no domain with a weight of 0 to 1; write for example \"edu.cn\" or \"edu.cn = 0.5\"", line)
		}
		p[ImportantDomain+name] = v
	}
	return p, nil
}

// Below reports whether the strategy leaves an entry out (P3's threshold). It keeps boosted and buried entries.
func (o *Priorities) Below(e frontier.Entry) bool {
	least := o.minValue()
	return least > 0 && e.Class == frontier.Ordinary && e.Priority < least
}

// Chooses reports whether the strategy leaves any entry out.
func (o *Priorities) Chooses() bool { return o.minValue() > 0 }

// minValue returns the minimum value of a link; 0 means none.
func (o *Priorities) minValue() float64 {
	if c, chooses := o.now().(chooser); chooses {
		return c.Least()
	}
	return 0
}

// Important returns the strategy's weight for a host in an important domain (P3 2.3.2); 0 means none.
func (o *Priorities) Important(host string) float64 {
	if s, prefers := o.now().(linear); prefers {
		return s.important.of(host)
	}
	return 0
}
