package assistant

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const testKey = "sk-secret-0123456789"

func never(time.Duration, func()) func() bool { return func() bool { return true } }

// asks returns a client of a server with this handler.
func asks(t *testing.T, h http.HandlerFunc) *client {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return &client{url: s.URL + "/v1/", model: "small", key: testKey, afterFunc: never,
		now: func() time.Time { return time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC) }}
}

// completion is a reply of the protocol.
func completion(content string, usage any) string {
	x := map[string]any{"id": "chatcmpl-1", "object": "chat.completion", "model": "another",
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": content}}}}
	if usage != nil {
		x["usage"] = map[string]any{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": usage}
	}
	b, err := json.Marshal(x)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestRequestSpeaksTheProtocol(t *testing.T) {
	c := asks(t, func(w http.ResponseWriter, r *http.Request) {
		var x chatRequest
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = json.Unmarshal(body, &x)
		}
		if err != nil || r.Method != http.MethodPost || r.URL.Path != "/v1/chat/completions" || r.URL.RawQuery != "" ||
			r.Header.Get("Authorization") != "Bearer "+testKey || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%v: %s %s %v", err, r.Method, r.URL, r.Header)
		}
		if x.Model != "small" || x.MaxTokens != maxTokens || len(x.Messages) != 2 || x.Messages[0] != (chatMessage{"system", instructions}) ||
			x.Messages[1] != (chatMessage{"user", "Question: bridges?\n\n<notice>\nthe notice\n</notice>"}) {
			t.Errorf("%+v", x)
		}
		fmt.Fprint(w, completion("an answer", 1234))
	})
	content, tokens, err := c.ask(t.Context(), "bridges?", "the notice")
	if content != "an answer" || tokens != 1234 || err != nil {
		t.Errorf("%q, %d tokens, %v", content, tokens, err)
	}
}

// Tokens come from the reply if it can be believed, else from the length.
func TestTokensAreEstimated(t *testing.T) {
	notice := strings.Repeat("桥", 4000)
	for _, x := range []struct {
		usage any
		want  int
	}{{nil, estimate("q", notice, "yes")}, {3, estimate("q", notice, "yes")}, {-5, estimate("q", notice, "yes")},
		{1e30, estimate("q", notice, "yes")}, {5000, 5000}, {2500.5, 2500}} {
		c := asks(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, completion("yes", x.usage)) })
		if _, tokens, err := c.ask(t.Context(), "q", notice); tokens != x.want || err != nil {
			t.Errorf("usage %v: %d tokens, want %d, %v", x.usage, tokens, x.want, err)
		}
	}
}

func TestFailuresSayWhatToDo(t *testing.T) {
	for name, x := range map[string]struct {
		h      http.HandlerFunc
		want   string
		after  time.Duration
		notice bool
		free   bool
	}{
		"slow down": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "90")
			w.WriteHeader(http.StatusTooManyRequests)
		}, "answers 429: it asks to wait", 90 * time.Second, false, true},
		"slow down until": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "Fri, 20 Nov 2026 08:10:00 GMT")
			w.WriteHeader(http.StatusServiceUnavailable)
		}, "answers 503: it asks to wait", 10 * time.Minute, false, true},
		"key": {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusUnauthorized) },
			"check the key in the variable that assistant.key_env names", 0, false, true},
		"address": {http.NotFound, "check assistant.url and assistant.model", 0, false, true},
		"too long": {func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "context too long for "+r.Header.Get("Authorization"), http.StatusBadRequest)
		}, "answers 400: context too long for Bearer xxxxx", 0, true, true},
		"down": {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "oops", http.StatusBadGateway) }, "answers 502: oops", 0, false, true},
		"a page": {func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<html>"+r.Header.Get("Authorization")) },
			"sent no chat completion: <html>Bearer xxxxx", 0, true, false},
		"no choice": {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"choices":[]}`) }, "sent no chat completion", 0, true, false},
		"cut off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "999")
			fmt.Fprint(w, `{"choices":[`)
		}, "unexpected EOF", 0, false, false},
		"huge": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, completion(strings.Repeat("a", maxReply), 5))
		}, "answers with more than 1024 KB", 0, true, false},
	} {
		c := asks(t, x.h)
		_, tokens, err := c.ask(t.Context(), "q", "notice")
		var f *failure
		if !errors.As(err, &f) || !strings.Contains(f.why, x.want) || f.after != x.after || f.notice != x.notice || strings.Contains(f.why, testKey) {
			t.Errorf("%s: %+v", name, err)
		}
		if (tokens == 0) != x.free {
			t.Errorf("%s: %d tokens", name, tokens)
		}
	}
	c := asks(t, http.NotFound)
	c.url = "http://127.0.0.1:1/v1"
	if _, tokens, err := c.ask(t.Context(), "q", "notice"); err == nil || tokens != 0 {
		t.Errorf("a server that is away takes %d tokens, %v", tokens, err)
	}
}

// A redirect takes neither notice nor key elsewhere.
func TestRedirectsAreRefused(t *testing.T) {
	var got atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		got.Add(1)
		fmt.Fprint(w, completion(`{"answer":"yes"}`, 9))
	}))
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		c := asks(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, status) })
		if _, _, err := c.ask(t.Context(), "q", "notice"); err == nil || !strings.Contains(err.Error(), "leads elsewhere") {
			t.Errorf("%d: %v", status, err)
		}
	}
	if got.Load() != 0 {
		t.Errorf("another host got %d requests", got.Load())
	}
}

// A server that does not answer is left after maxWait, or when the caller ends.
func TestSlowAnswers(t *testing.T) {
	came, release := make(chan struct{}), make(chan struct{})
	c := asks(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		fmt.Fprint(w, `{"choices":`)
		w.(http.Flusher).Flush()
		came <- struct{}{}
		<-release
	})
	defer close(release)
	var wait time.Duration
	var ring func()
	c.afterFunc = func(d time.Duration, fn func()) func() bool {
		wait, ring = d, fn
		return func() bool { return true }
	}
	go func() { <-came; ring() }()
	var f *failure
	if _, tokens, err := c.ask(t.Context(), "q", "notice"); !errors.As(err, &f) || f.why != "no answer within 3m0s" || tokens == 0 || wait != maxWait {
		t.Errorf("after %v: %d tokens, %v", wait, tokens, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-came; cancel() }()
	if _, _, err := c.ask(ctx, "q", "notice"); err == nil || ctx.Err() == nil {
		t.Errorf("cancelled: %v", err)
	}
}
