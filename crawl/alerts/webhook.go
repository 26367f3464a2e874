package alerts

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"angler/store/config"
)

// webhook posts JSON to an address.
type webhook struct {
	base
	robot robot
}

// robot is the protocol of a chat robot; the zero value is a plain webhook.
type robot struct {
	markdown int // maximum bytes of a message text; 0 = no robot
	body     func(title, text string) any
	sign     func(h *signing)
	code     string // reply field that is 0 on success
	says     string // reply field with the error text
	slow     []int  // error codes that ask for a later retry
}

// signing is a request to be signed.
type signing struct {
	secret string
	at     time.Time
	query  url.Values
	body   map[string]any
}

func mac(key, text string) []byte {
	h := hmac.New(sha256.New, []byte(key))
	h.Write([]byte(text))
	return h.Sum(nil)
}

// robots are the protocols as their makers document them. The byte limits leave room for the JSON
// around the text.
var robots = map[string]robot{
	config.WayDingTalk: {
		markdown: 15_000, code: "errcode", says: "errmsg", slow: []int{130101, 130102, 660026},
		body: func(title, text string) any {
			return map[string]any{"msgtype": "markdown", "markdown": map[string]any{"title": title, "text": text}}
		},
		sign: func(s *signing) {
			ms := strconv.FormatInt(s.at.UnixMilli(), 10)
			s.query.Set("timestamp", ms)
			s.query.Set("sign", base64.StdEncoding.EncodeToString(mac(s.secret, ms+"\n"+s.secret)))
		},
	},
	config.WayWeCom: {
		markdown: 4000, code: "errcode", says: "errmsg", slow: []int{45009, 45033},
		body: func(_, text string) any {
			return map[string]any{"msgtype": "markdown", "markdown": map[string]any{"content": text}}
		},
	},
	config.WayFeishu: {
		markdown: 15_000, code: "code", says: "msg", slow: []int{9499, 11232, 11233},
		body: func(title, text string) any {
			return map[string]any{"msg_type": "interactive", "card": map[string]any{
				"header":   map[string]any{"title": map[string]any{"tag": "plain_text", "content": title}},
				"elements": []any{map[string]any{"tag": "markdown", "content": text}}}}
		},
		sign: func(s *signing) {
			at := strconv.FormatInt(s.at.Unix(), 10)
			s.body["timestamp"] = at
			s.body["sign"] = base64.StdEncoding.EncodeToString(mac(at+"\n"+s.secret, ""))
		},
	},
}

// split implements way.
func (h webhook) split(d *Digest) []*Digest {
	if h.robot.markdown == 0 {
		return h.base.split(d)
	}
	return d.fit(h.robot.markdown)
}

// send implements way. A plain webhook receives the reference as Idempotency-Key, and with a secret
// the HMAC of the body as X-Angler-Signature.
func (h webhook) send(ctx context.Context, m *outgoing) error {
	wait := h.set.Wait()
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	address, err := h.secret("address", h.set.URLFile, h.set.URLEnv)
	if err != nil {
		return err
	}
	if address == "" {
		address = h.set.URL
	}
	if why := config.CheckHook(address); why != "" {
		return fmt.Errorf("address: %s", why)
	}
	secret, err := h.secret("secret", h.set.SecretFile, h.set.SecretEnv)
	if err != nil {
		return err
	}
	request, err := h.request(ctx, m, address, secret)
	if err != nil {
		return errors.New("the request cannot be made; check the address")
	}
	resp, err := h.client().Do(request)
	if err != nil {
		var at *url.Error
		if errors.As(err, &at) {
			err = at.Err // drop the address: it may hold secrets
		}
		var op *net.OpError
		if errors.As(err, &op) && !op.Timeout() {
			err = op.Err // drop the host: it is named already
		}
		return bounded(ctx, wait, err, fmt.Errorf("%s: %s", request.URL.Host,
			cleanReply(err.Error(), append(secretsOf(address), secret)...)))
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	if err != nil && resp.StatusCode/100 == 2 && h.robot.code != "" {
		return bounded(ctx, wait, err, fmt.Errorf("%s: the answer broke off", request.URL.Host))
	}
	return h.judge(resp, body, append(secretsOf(address), secret)...)
}

func (h webhook) request(ctx context.Context, m *outgoing, address, secret string) (*http.Request, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	var body []byte
	if h.robot.body == nil {
		body, err = payloadOf(m)
	} else {
		body, err = h.robotBody(m, u, secret)
	}
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	r.Header.Set("User-Agent", config.UserAgent)
	if h.robot.body == nil {
		r.Header.Set("Idempotency-Key", m.Ref)
		if secret != "" {
			r.Header.Set("X-Angler-Signature", "sha256="+hex.EncodeToString(mac(secret, string(body))))
		}
	}
	return r, nil
}

// robotBody makes the body in a robot's format and signs it.
func (h webhook) robotBody(m *outgoing, u *url.URL, secret string) ([]byte, error) {
	said := h.robot.body(m.Digest.title(), cutBytes(m.Digest.markdown(), h.robot.markdown))
	body, _ := said.(map[string]any)
	if secret != "" && h.robot.sign != nil {
		s := &signing{secret, h.env.Now(), u.Query(), body}
		h.robot.sign(s)
		u.RawQuery = s.query.Encode()
	}
	return json.Marshal(body)
}

// client follows no redirect: only the host in the settings is contacted.
func (h webhook) client() *http.Client {
	return &http.Client{
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true,
			TLSClientConfig:        &tls.Config{RootCAs: h.env.Roots, MinVersion: tls.VersionTLS12},
			MaxResponseHeaderBytes: 64 << 10},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// judge returns an error unless a reply means success.
func (h webhook) judge(resp *http.Response, body []byte, secrets ...string) error {
	host := resp.Request.URL.Host
	switch {
	case resp.StatusCode/100 == 3:
		return fmt.Errorf("%s answers %d, which leads elsewhere; write the address it leads to into angler.toml", host,
			resp.StatusCode)
	case resp.StatusCode/100 != 2:
		err := fmt.Errorf("%s answers %d: %s", host, resp.StatusCode, cleanReply(string(body), secrets...))
		if after := retryAfter(resp.Header.Get("Retry-After"), h.env.Now()); after > 0 {
			return &retryLater{after, err}
		}
		return err
	case h.robot.code == "":
		return nil
	}
	var answer map[string]any
	if json.Unmarshal(body, &answer) != nil {
		return fmt.Errorf("%s answers what is no robot's: %s", host, cleanReply(string(body), secrets...))
	}
	code, ok := answer[h.robot.code].(float64)
	if !ok {
		if code, ok = answer["StatusCode"].(float64); !ok { // older Feishu robots
			return fmt.Errorf("%s answers what is no robot's: %s", host, cleanReply(string(body), secrets...))
		}
	}
	if code == 0 {
		return nil
	}
	text, _ := answer[h.robot.says].(string)
	err := fmt.Errorf("%s refuses it (%d): %s", host, int(code), cleanReply(text, secrets...))
	for _, slow := range h.robot.slow {
		if int(code) == slow {
			return &retryLater{time.Minute, err}
		}
	}
	return err
}

// retryAfter parses a Retry-After header: seconds or a date. It returns 0 if there is none.
func retryAfter(s string, now time.Time) time.Duration {
	s = strings.TrimSpace(s)
	if n, err := strconv.Atoi(s); err == nil {
		return min(time.Duration(max(n, 0)), 1<<20) * time.Second
	}
	if t, err := http.ParseTime(s); err == nil {
		return t.Sub(now)
	}
	return 0
}
