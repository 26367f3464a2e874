package fetch

import "testing"

// What the guard would refuse is told before it is asked for; seeds are excepted.
func TestPrivateIsTold(t *testing.T) {
	f, err := New(Config{UserAgent: "x", SeedHosts: []string{"127.0.0.1:81"}})
	must(t, err)
	defer f.Close()
	for address, private := range map[string]bool{
		"http://127.0.0.1:81/a": false, "http://127.0.0.1:82/a": true, "http://[::1]/": true, "http://10.0.0.1/": true, "http://169.254.169.254/latest": true,
		"http://0x7f.1/": true, "http://localhost/": true, "https://93.184.216.34/": false, "http://no-such-name.invalid/": false,
	} {
		if err := f.Private(t.Context(), address); (err != nil) != private {
			t.Errorf("%s: %v", address, err)
		}
	}
	free, err := New(Config{UserAgent: "x", AllowPrivate: true})
	must(t, err)
	defer free.Close()
	if err := free.Private(t.Context(), "http://10.0.0.1/"); err != nil {
		t.Error(err)
	}
}
