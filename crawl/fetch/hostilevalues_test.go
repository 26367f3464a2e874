package fetch

import (
	"strings"
	"testing"
	"time"
)

// What a header says reaches neither a terminal nor the next request.
func TestHostileHeaderValues(t *testing.T) {
	long := strings.Repeat("t", 10_000)
	cases := map[string]struct {
		header string
		kind   Kind
		want   Response
	}{
		"escape in the type":     {header: "Content-Type: text/html\x1b[2J\x00", kind: Protocol},
		"long type":              {header: "Content-Type: " + long, want: Response{ContentType: long[:maxContentType]}},
		"type that is no UTF-8":  {header: "Content-Type: text/html\xff", want: Response{ContentType: "text/html"}},
		"C1 in the type":         {header: "Content-Type: text\u009b2J", want: Response{ContentType: "text 2J"}},
		"two types":              {header: "Content-Type: text/html\r\nContent-Type: image/png", want: Response{ContentType: "text/html"}},
		"NUL in the tag":         {header: "ETag: \"a\x00b\"", kind: Protocol},
		"escape in the tag":      {header: "ETag: \"a\x1b]0;x\x07\"", kind: Protocol},
		"tag that matches all":   {header: "ETag: *"},
		"list of tags":           {header: `ETag: "a", "b"`},
		"unended tag":            {header: `ETag: "a`},
		"blank in the tag":       {header: `ETag: "a b"`},
		"long tag":               {header: `ETag: "` + long + `"`},
		"empty tag":              {header: `ETag: ""`, want: Response{ETag: `""`}},
		"weak tag":               {header: `ETag: W/"a-1"`, want: Response{ETag: `W/"a-1"`}},
		"bare tag":               {header: "ETag: a1-b2", want: Response{ETag: "a1-b2"}},
		"comma in a quoted tag":  {header: `ETag: "a,b"`, want: Response{ETag: `"a,b"`}},
		"escape in the day":      {header: "Last-Modified: Fri\x1b[31m", kind: Protocol},
		"Chinese day":            {header: "Last-Modified: 星期五"},
		"long day":               {header: "Last-Modified: " + long},
		"day of the host's own":  {header: "Last-Modified: 2026-11-20 08:00", want: Response{LastModified: "2026-11-20 08:00"}},
		"continued line":         {header: "ETag: \"a\r\n b\""},
		"escape in the location": {header: "Location: /a\x1b[2J", kind: Protocol},
		"C1 in the location":     {header: "Location: /a\u009b2J", want: Response{Location: "a%C2%9B2J"}},
		"long location":          {header: "Location: /" + long},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			base := hostile(t, say("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n"+c.header+"\r\n\r\n"))
			f := open(t, Config{AllowPrivate: true, IgnoreRobots: true})
			got, err := f.Fetch(t.Context(), Request{URL: base})
			if kindOf(err) != c.kind {
				t.Fatalf("got %+v, %v; want kind %q", got, err, c.kind)
			}
			if err != nil {
				return
			}
			if c.want.Location != "" {
				c.want.Location = base + c.want.Location
			}
			if got.ContentType != c.want.ContentType || got.ETag != c.want.ETag || got.LastModified != c.want.LastModified || got.Location != c.want.Location {
				t.Errorf("got %q %q %q %q\nwant %q %q %q %q", got.ContentType, got.ETag, got.LastModified, got.Location,
					c.want.ContentType, c.want.ETag, c.want.LastModified, c.want.Location)
			}
		})
	}
}

// A host that is always busy says when to come back; whatever it says, it is
// between now and maxRetryAfter.
func TestHostileRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	cases := map[string]time.Duration{
		"-5":                            0,
		"-9223372036854775808":          0,
		"0":                             0,
		"99999999999999999999999999":    maxRetryAfter,
		"1e9":                           maxRetryAfter,
		"30":                            30 * time.Second,
		"0.5":                           500 * time.Millisecond,
		"Fri, 20 Nov 2026 08:00:30 GMT": 30 * time.Second,
		"Fri, 31 Dec 9999 23:59:59 GMT": maxRetryAfter,
		"Thu, 01 Jan 1970 00:00:00 GMT": 0,
		"Mon, 99 Foo 2026 88:00:00 GMT": 0,
		"soon":                          0,
		"0x10; drop":                    0,
		"NaN":                           0,
		"":                              0,
	}
	for said, want := range cases {
		t.Run(said, func(t *testing.T) {
			base := hostile(t, say("HTTP/1.1 429 Busy\r\nContent-Length: 0\r\nRetry-After: "+said+"\r\n\r\n"))
			f := open(t, Config{AllowPrivate: true, IgnoreRobots: true, Now: func() time.Time { return now }})
			for range 3 {
				got, err := f.Fetch(t.Context(), Request{URL: base})
				if err != nil || got.Status != 429 || got.RetryAfter != want {
					t.Fatalf("got %+v, %v; want %v", got, err, want)
				}
			}
		})
	}
}
