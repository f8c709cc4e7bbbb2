// Package chattest is a local server of OpenAI's chat completions, for tests: it answers what it is told to, and fails
// in the ways such servers do.
package chattest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Message is one of a request's.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Request is what was asked last.
type Request struct {
	Authorization string    `json:"-"`
	Model         string    `json:"model"`
	Stream        bool      `json:"stream"`
	Tools         []any     `json:"tools"`
	Messages      []Message `json:"messages"`
}

// Server is a model that says Text, in a Mode: "" streams it; whole answers at once; a status refuses; slow never
// answers; cut ends the stream in the middle, die the connection, stall stops there; error breaks off with an error of
// the protocol; length, filter and tool end for that reason; junk is no answer; endless never ends.
type Server struct {
	*httptest.Server
	mu   sync.Mutex
	text string
	mode string
	last Request
	n    int
}

// Serve starts one, which ends with the test.
func Serve(t testing.TB) *Server {
	s := &Server{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.answer)
	s.Server = httptest.NewServer(mux)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s
}

// Say has the server answer so from now on.
func (s *Server) Say(mode, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mode, s.text = mode, text
}

// Last is what was asked last, and how often it was asked at all.
func (s *Server) Last() (Request, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last, s.n
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	var q Request
	b, _ := io.ReadAll(r.Body)
	if json.Unmarshal(b, &q) != nil || len(q.Messages) == 0 {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	q.Authorization = r.Header.Get("Authorization")
	s.mu.Lock()
	s.last, s.n = q, s.n+1
	mode, text := s.mode, s.text
	s.mu.Unlock()
	if status, err := strconv.Atoi(mode); err == nil {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Location", "http://127.0.0.1:1/")
		w.WriteHeader(status)
		_, _ = fmt.Fprintf(w, `{"error": {"message": "the key sk-secret is wrong", "code": %d}}`, status)
		return
	}
	switch mode {
	case "slow":
		<-r.Context().Done()
	case "junk":
		_, _ = io.WriteString(w, "<html>Welcome</html>")
	case "whole":
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"finish_reason": "stop",
			"message": map[string]any{"role": "assistant", "content": text}}}})
	default:
		stream(w, r, mode, text)
	}
}

func stream(w http.ResponseWriter, r *http.Request, mode, text string) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(v any) {
		b, _ := json.Marshal(v)
		_, _ = fmt.Fprintf(w, "data: %s\n\n", b)
		_ = http.NewResponseController(w).Flush()
	}
	piece := func(content, reason string) map[string]any {
		c := map[string]any{"index": 0, "delta": map[string]any{"content": content}, "finish_reason": nil}
		if reason != "" {
			c["finish_reason"] = reason
		}
		return map[string]any{"object": "chat.completion.chunk", "choices": []any{c}}
	}
	pieces := strings.SplitAfter(text, " ")
	for i, p := range pieces {
		if i == (len(pieces)+1)/2 {
			switch mode {
			case "cut":
				return
			case "die":
				if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
					_ = conn.Close()
				}
				return
			case "stall":
				<-r.Context().Done()
				return
			case "error":
				send(map[string]any{"error": map[string]any{"message": "overloaded"}})
				return
			}
		}
		send(piece(p, ""))
	}
	for mode == "endless" && r.Context().Err() == nil {
		send(piece(strings.Repeat(text, 10), ""))
	}
	reasons := map[string]string{"length": "length", "filter": "content_filter", "tool": "tool_calls"}
	send(piece("", cmp.Or(reasons[mode], "stop")))
	send(map[string]any{"choices": []any{}, "usage": map[string]any{"total_tokens": 9}})
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}
