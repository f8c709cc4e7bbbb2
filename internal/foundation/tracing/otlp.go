package tracing

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// exporter sends spans as OTLP 1.x over HTTP in its JSON encoding (opentelemetry.io/docs/specs/otlp). The collector's
// own library does the same over gRPC's packages, which would be a tenth of this program.
type exporter struct {
	to      string
	headers map[string]string
	failure atomic.Pointer[error] // of the newest spans that could not be delivered, until it is asked for
}

var client = &http.Client{Timeout: 10 * time.Second}

// The parts of ExportTraceServiceRequest. Ids are hexadecimal, 64-bit numbers are text.
type (
	export struct {
		ResourceSpans []resourceSpans `json:"resourceSpans"`
	}
	resourceSpans struct {
		Resource   attributes   `json:"resource"`
		ScopeSpans []scopeSpans `json:"scopeSpans"`
	}
	attributes struct {
		Attributes []keyValue `json:"attributes"`
	}
	scopeSpans struct {
		Scope scope  `json:"scope"`
		Spans []span `json:"spans"`
	}
	scope struct {
		Name string `json:"name"`
	}
	span struct {
		TraceID      string     `json:"traceId"`
		SpanID       string     `json:"spanId"`
		ParentSpanID string     `json:"parentSpanId,omitempty"`
		Name         string     `json:"name"`
		Kind         int        `json:"kind"`
		Start        string     `json:"startTimeUnixNano"`
		End          string     `json:"endTimeUnixNano"`
		Attributes   []keyValue `json:"attributes,omitempty"`
		Status       status     `json:"status"`
	}
	status struct {
		Code    int    `json:"code,omitempty"` // 2 is an error
		Message string `json:"message,omitempty"`
	}
	keyValue struct {
		Key   string `json:"key"`
		Value value  `json:"value"`
	}
	value struct {
		String *string `json:"stringValue,omitempty"`
		Int    *string `json:"intValue,omitempty"`
		Bool   *bool   `json:"boolValue,omitempty"`
	}
)

// ExportSpans sends spans. What cannot be delivered is dropped: a collector that is away holds nobody up. Why is kept
// for Probe: the library would write it to standard error, past the log, every few seconds.
func (e *exporter) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	if len(spans) == 0 {
		return nil
	}
	all := scopeSpans{Scope: scope{"kontor"}}
	for _, s := range spans {
		all.Spans = append(all.Spans, spanOf(s))
	}
	err := e.send(ctx, export{[]resourceSpans{{Resource: attributes{keyValues(spans[0].Resource().Attributes())},
		ScopeSpans: []scopeSpans{all}}}})
	if err != nil {
		e.failure.Store(&err)
	}
	return nil
}

// lost is why the newest spans could not be delivered, nil if all were since it was asked for.
func (e *exporter) lost() error {
	if err := e.failure.Swap(nil); err != nil {
		return *err
	}
	return nil
}

func (e *exporter) send(ctx context.Context, what export) error {
	body, err := json.Marshal(what)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.to, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	for name, text := range e.headers {
		r.Header.Set(name, text)
	}
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 300 {
		return fmt.Errorf("the collector at %s answers %s", e.to, answer.Status)
	}
	return nil
}

// Shutdown has nothing to end.
func (e *exporter) Shutdown(context.Context) error { return nil }

func spanOf(s sdk.ReadOnlySpan) span {
	out := span{TraceID: s.SpanContext().TraceID().String(), SpanID: s.SpanContext().SpanID().String(), Name: s.Name(),
		Kind: int(s.SpanKind()), Start: strconv.FormatInt(s.StartTime().UnixNano(), 10),
		End: strconv.FormatInt(s.EndTime().UnixNano(), 10), Attributes: keyValues(s.Attributes())}
	if s.Parent().HasSpanID() {
		out.ParentSpanID = s.Parent().SpanID().String()
	}
	if s.Status().Code == codes.Error {
		out.Status = status{2, s.Status().Description}
	}
	return out
}

func keyValues(from []attribute.KeyValue) []keyValue {
	out := make([]keyValue, 0, len(from))
	for _, kv := range from {
		v := value{}
		switch kv.Value.Type() {
		case attribute.BOOL:
			yes := kv.Value.AsBool()
			v.Bool = &yes
		case attribute.INT64:
			n := strconv.FormatInt(kv.Value.AsInt64(), 10)
			v.Int = &n
		default:
			text := kv.Value.String()
			v.String = &text
		}
		out = append(out, keyValue{string(kv.Key), v})
	}
	return out
}
