// Package tracing tells an OpenTelemetry collector what a request spends its time on: the operation, its statements by
// their names, and what it asks of others. It is off unless the server is told where a collector listens. No span holds
// a value of a request or a row.
package tracing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Traces are recorded for a collector until they are closed.
type Traces struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
	exporter *exporter
}

// Open sends traces to the collector at endpoint, such as http://localhost:4318 (OTLP over HTTP, encoded as JSON). Of
// all requests it records the part that ratio says, 0 to 1, whatever a caller's traceparent asks for. headers go along,
// as the collector wants them.
func Open(endpoint string, ratio float64, headers map[string]string, version string) (*Traces, error) {
	at, err := url.Parse(endpoint)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return nil, fmt.Errorf("%q is no address of a collector, such as http://localhost:4318", endpoint)
	}
	some := sdk.TraceIDRatioBased(ratio)
	e := &exporter{to: at.JoinPath("v1", "traces").String(), headers: headers}
	provider := sdk.NewTracerProvider(
		sdk.WithBatcher(e),
		sdk.WithSampler(sdk.ParentBased(some, sdk.WithRemoteParentSampled(some), sdk.WithRemoteParentNotSampled(some))),
		sdk.WithResource(resource.NewSchemaless(attribute.String("service.name", "kontor"),
			attribute.String("service.version", version))))
	return &Traces{provider, provider.Tracer("kontor"), e}, nil
}

// Close sends what has not been sent.
func (t *Traces) Close(ctx context.Context) error {
	err := t.provider.Shutdown(ctx)
	return errors.Join(err, t.exporter.lost())
}

// Probe tells the collector of nothing, as it may be told, and reports why that or anything since the last time was not
// taken.
func (t *Traces) Probe(ctx context.Context) error {
	if err := t.exporter.send(ctx, export{[]resourceSpans{}}); err != nil {
		return err
	}
	return t.exporter.lost()
}

// Serve is next with a span around each request, in the trace that the caller names by its traceparent (W3C Trace
// Context).
func (t *Traces) Serve(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		ctx, span := t.tracer.Start(ctx, "HTTP", trace.WithSpanKind(trace.SpanKindServer))
		defer span.End()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// Answered says how the request of ctx was answered, and by which operation, "" where it was none of an API's. The
// method is one of a fixed few: a caller may write into it what he likes.
func Answered(ctx context.Context, method, operation string, status int, requestID string) {
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	span.SetAttributes(attribute.String("http.request.method", method),
		attribute.Int("http.response.status_code", status), attribute.String("kontor.request_id", requestID))
	span.SetName(cmp.Or(operation, method))
	if operation != "" {
		span.SetAttributes(attribute.String("kontor.operation", operation))
	}
	if status >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, http.StatusText(status))
	}
}

// Statement begins the span of a statement of a database, by its name; end it with what came of it.
func Statement(ctx context.Context, engine string, name func() string) (end func(error)) {
	return begin(ctx, name, attribute.String("db.system.name", engine))
}

func begin(ctx context.Context, name func() string, about ...attribute.KeyValue) (end func(error)) {
	above := trace.SpanFromContext(ctx)
	if !above.IsRecording() {
		return ended
	}
	_, span := above.TracerProvider().Tracer("kontor").Start(ctx, name(), trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(about...))
	return func(err error) {
		if err != nil {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

func ended(error) {}

// Calls is next with a span around each request that is sent in the course of a recorded one. Others' servers are not
// told of it.
func Calls(next http.RoundTripper) http.RoundTripper { return calls{next} }

type calls struct{ next http.RoundTripper }

func (c calls) RoundTrip(r *http.Request) (*http.Response, error) {
	end := begin(r.Context(), func() string { return r.Method + " " + r.URL.Host },
		attribute.String("http.request.method", r.Method), attribute.String("server.address", r.URL.Hostname()))
	answer, err := c.next.RoundTrip(r)
	end(err)
	return answer, err
}
