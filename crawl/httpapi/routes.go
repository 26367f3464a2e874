package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"angler/crawl/api"
	"angler/crawl/inbox"
	"angler/store/config"
)

// route is one row of the table of questions.
type route struct {
	path, summary string
	answerType    string             // media type
	in            *jsonschema.Schema // of the query parameters
	out           *jsonschema.Schema // of a JSON answer; nil = no JSON
	answer        func(ctx context.Context, s *Server, q map[string]any) (any, error)
	stream        func(s *Server, w http.ResponseWriter, r *http.Request, q map[string]any) // in place of answer
}

const jsonType = "application/json"

// filtered are the parameters of feeds, calendars and streams.
type filtered struct {
	Filter string `json:"filter,omitempty" jsonschema:"filter of the inbox; empty lets all notices pass"`
}

// routes returns the table of questions, in the order of the documents.
func routes() []route {
	return []route{
		ask("/api/v1/status", "Figures of the workspace and its newest runs", (*api.Service).Status),
		ask("/api/v1/notices", "Notices that a filter lets pass", (*api.Service).SearchNotices),
		ask("/api/v1/notice", "One notice with text, fields, versions and attachments", (*api.Service).GetNotice),
		ask("/api/v1/changes", "Notices that came or changed since a time", (*api.Service).ListChanges),
		ask("/api/v1/explain", "How a page was found and scored", (*api.Service).ExplainPage),
		ask("/api/v1/lists", "Aggregation pages with their health", (*api.Service).ListLists),
		ask("/api/v1/hosts", "Hosts with pages, lists, notices and failures", (*api.Service).ListHosts),
		ask("/api/v1/words", "Words that score pages", (*api.Service).TopicWords),
		{path: "/api/v1/events", summary: "Server-sent events of new and changed notices",
			answerType: "text/event-stream",
			in:         schemaOf[filtered](), stream: (*Server).events},
		text("/feed.atom", "The 100 notices that came last, as Atom", "application/atom+xml; charset=utf-8",
			(*Server).feed),
		text("/deadlines.ics", "Deadlines of the next 90 days, as a calendar", "text/calendar; charset=utf-8",
			(*Server).calendar),
		{path: "/api/v1/openapi.json", summary: "This document", answerType: jsonType, in: schemaOf[struct{}](),
			answer: func(context.Context, *Server, map[string]any) (any, error) { return document(), nil }},
	}
}

// ask returns the route of a question of crawl/api. Its parameters are the fields of In.
func ask[In, Out any](path, summary string,
	answer func(*api.Service, context.Context, In) (Out, error)) route {
	return route{path: path, summary: summary, answerType: jsonType, in: schemaOf[In](), out: schemaOf[Out](),
		answer: func(ctx context.Context, s *Server, q map[string]any) (any, error) {
			in, err := as[In](q)
			if err != nil {
				return nil, err
			}
			return answer(s.c.Service, ctx, in)
		}}
}

// text returns the route of a document that is filtered and no JSON.
func text(path, summary, answerType string, write func(*Server, context.Context, string) ([]byte, error)) route {
	return route{path: path, summary: summary, answerType: answerType, in: schemaOf[filtered](),
		answer: func(ctx context.Context, s *Server, q map[string]any) (any, error) {
			in, err := as[filtered](q)
			if err != nil {
				return nil, err
			}
			return write(s, ctx, in.Filter)
		}}
}

// as turns checked parameters into a question.
func as[In any](q map[string]any) (in In, err error) {
	b, err := json.Marshal(q)
	if err == nil {
		err = json.Unmarshal(b, &in)
	}
	return in, err
}

func schemaOf[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](nil)
	if err != nil {
		panic(err) // of a type of the program, and each test meets it
	}
	return s
}

// parameters reads the query of a request as its schema says. Unknown, repeated and nonsensical ones are errors.
func (rt *route) parameters(q url.Values) (map[string]any, error) {
	out := map[string]any{}
	for name, values := range q {
		p := rt.in.Properties[name]
		if p == nil {
			return nil, fmt.Errorf("there is no parameter %.40q; there are: %s", name,
				cmp.Or(strings.Join(rt.in.PropertyOrder, ", "), "none"))
		}
		if len(values) != 1 {
			return nil, fmt.Errorf("the parameter %s stands %d times; send it once", name, len(values))
		}
		var err error
		switch p.Type {
		case "boolean":
			out[name], err = strconv.ParseBool(values[0])
		case "integer":
			out[name], err = strconv.ParseUint(values[0], 10, 63)
		default:
			out[name] = values[0]
		}
		if err != nil {
			return nil, fmt.Errorf("the parameter %s: %.40q is no %s", name, values[0], p.Type)
		}
	}
	for _, name := range rt.in.Required {
		if _, given := out[name]; !given {
			return nil, fmt.Errorf("the parameter %s is missing", name)
		}
	}
	return out, nil
}

// handler answers the question.
func (rt route) handler(s *Server) http.Handler {
	if rt.stream != nil {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			q, err := rt.parameters(r.URL.Query())
			if err != nil {
				problem(w, http.StatusBadRequest, err.Error())
				return
			}
			rt.stream(s, w, r, q)
		})
	}
	return s.bounded(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q, err := rt.parameters(r.URL.Query())
		var out any
		if err == nil {
			out, err = rt.answer(r.Context(), s, q)
		}
		if err != nil {
			s.failed(w, r, err)
			return
		}
		body, text := out.([]byte)
		if !text {
			var b bytes.Buffer
			enc := json.NewEncoder(&b)
			enc.SetEscapeHTML(false)
			if err := enc.Encode(out); err != nil {
				s.failed(w, r, err)
				return
			}
			body = b.Bytes()
		}
		s.send(w, r, rt.answerType, body)
	}))
}

// failed answers with the error of a question. Questions fail by their arguments or by time.
func (s *Server) failed(w http.ResponseWriter, r *http.Request, err error) {
	switch _, reading := errors.AsType[*inbox.ReadingError](err); {
	case reading:
		problem(w, http.StatusServiceUnavailable, err.Error())
	case context.Cause(r.Context()) != nil:
		problem(w, http.StatusServiceUnavailable, "the answer took too long; ask for less, or again")
	default:
		problem(w, http.StatusBadRequest, err.Error())
	}
}

// document returns the OpenAPI document of the table.
func document() map[string]any {
	paths := map[string]any{}
	for _, rt := range routes() {
		params := []any{}
		for _, name := range rt.in.PropertyOrder {
			p := *rt.in.Properties[name]
			description := p.Description
			p.Description = ""
			params = append(params, map[string]any{"name": name, "in": "query", "description": description,
				"required": slices.Contains(rt.in.Required, name), "schema": &p})
		}
		content := map[string]any{}
		if rt.out != nil {
			content["schema"] = rt.out
		}
		media, _, _ := strings.Cut(rt.answerType, ";")
		responses := map[string]any{"200": map[string]any{"description": "the answer",
			"content": map[string]any{media: content}}}
		if rt.stream == nil {
			responses["304"] = map[string]any{"description": "the answer is the one that the client has"}
		}
		for _, status := range []int{400, 401, 429, 503} {
			responses[strconv.Itoa(status)] = map[string]any{"$ref": "#/components/responses/problem"}
		}
		paths[rt.path] = map[string]any{"get": map[string]any{"summary": rt.summary, "parameters": params,
			"operationId": strings.NewReplacer("/api/v1/", "", ".", "_", "/", "").Replace(rt.path),
			"responses":   responses}}
	}
	return map[string]any{"openapi": "3.1.0",
		"info":     map[string]any{"title": "angler", "version": config.Version},
		"security": []any{map[string]any{"bearer": []any{}}, map[string]any{"basic": []any{}}},
		"paths":    paths,
		"components": map[string]any{
			"securitySchemes": map[string]any{"bearer": map[string]any{"type": "http", "scheme": "bearer"},
				"basic": map[string]any{"type": "http", "scheme": "basic"}},
			"responses": map[string]any{"problem": map[string]any{"description": "why there is no answer (RFC 9457)",
				"content": map[string]any{"application/problem+json": map[string]any{"schema": schemaOf[Problem]()}}}}}}
}
