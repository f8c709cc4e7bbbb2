package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"kontor/internal/business/content"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/halt"
)

// The page that is measured has so many sections, half of which show products, and so many of these together.
const (
	measuredPage     = "measured"
	measuredSections = 20
	measuredCards    = 60
)

// content measures what stands beside the goods: pages, what counts visitors, and the assistant.
func (s *selling) content(ctx context.Context) {
	if !s.wants("content") && !s.wants("views") && !s.wants("assistant") {
		return
	}
	s.write(ctx)
	s.row("content", "", func() Row {
		return s.besideHandler(ctx, "content",
			fmt.Sprintf("GET content page of %d sections with %d cards", measuredSections, measuredCards),
			[]string{"/ecom/content/pages/" + measuredPage}, atLeast(0.30))
	})
	s.row("views", "", func() Row { return s.measureViews(ctx) })
	s.row("assistant", "", s.measureFirstWord)
}

// write publishes the page, where an earlier run has not.
func (s *selling) write(ctx context.Context) {
	halt.On(s.site.kontor.Store().Write(ctx, s.firm.request(), func(tx *db.Tx) error {
		_, err := content.Create(tx, store, content.Page{Slug: measuredPage, Title: "Measured", Type: content.Standing})
		if fault.Is(err, content.ErrExists) {
			return nil
		}
		if err == nil {
			_, err = content.PutConfig(tx, store, measuredPage, s.sections())
		}
		if err == nil {
			_, err = content.Publish(tx, store, measuredPage)
		}
		return err
	}))
}

// sections are those of the measured page, with texts and with products in turns.
func (s *selling) sections() content.Config {
	c := content.Config{Layout: content.Standard}
	const each = measuredCards / (measuredSections / 2)
	for n := range measuredSections {
		title := "About " + series(n*61)
		part := content.Section{Shown: content.Shown{Type: content.Text, Title: &title}}
		if n%2 == 0 {
			html := "<p>" + strings.Repeat("Made by hand in small numbers, and mended for as long as they are used. ", 5) +
				"</p>"
			part.HTMLContent = &html
		} else {
			part.Type = content.Products
			part.Numbers = new(listOf(each, func(i int) string { return itemNumber((n*each + i) * 7 % s.Items) }))
		}
		c.Sections = append(c.Sections, part)
	}
	return c
}

// measureViews measures what it costs to tell that a page was looked at, the client's part included.
func (s *selling) measureViews(ctx context.Context) Row {
	body := `{"pageViews":[{"url":"https://shop.example.com/products/lamp?from=mail",` +
		`"referrer":"https://example.org/","occurredAt":"` + time.Now().UTC().Format(time.RFC3339) + `"}]}`
	got := drive(ctx, s.pace("views"), s.visitors(func(v *visitor, _ int) func() {
		return func() { v.want(http.StatusAccepted, http.MethodPost, "/ecom/analytics/page-views", "", body) }
	}))
	return computing("POST a page view", got[0], below(0.2))
}

// asked is how many questions are asked, below what one address may ask.
const asked = 40

// measureFirstWord measures how long visitors wait for the first word of the assistant's answers. Each asks one
// question, since one visitor may not ask many.
func (s *selling) measureFirstWord() Row {
	v := s.visitor(s.site.url)
	defer v.close()
	var took []float64
	for n := range min(asked, s.Items) {
		v.enter()
		name := product(n * (s.Items / min(asked, s.Items))).Name
		wait := v.firstWord(fmt.Sprintf(`{"message":%s}`, strconv.Quote("Do you have the "+name+"?")))
		took = append(took, wait.Seconds()*1000)
	}
	return Row{Work: "the assistant's first word, the slowest of " + strconv.Itoa(len(took)), Unit: "ms",
		Value: quantile(took, 1), P50: median(took), P99: quantile(took, 0.99)}.judged(below(100))
}

// firstWord asks the assistant and answers when its answer began.
func (v *visitor) firstWord(question string) time.Duration {
	const path = "/ecom/assistant/messages"
	start := time.Now()
	halt.On(v.conn.SetDeadline(start.Add(patience)))
	halt.Must(fmt.Fprintf(v.conn, "POST %s HTTP/1.1\r\n%sContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		path, v.to.headers, len(question), question))
	r, length, err := v.head()
	if err == nil && (r.status != http.StatusOK || length >= 0) {
		err = fmt.Errorf("POST %s answers %d, and not in pieces", path, r.status)
	}
	halt.On(err)
	halt.Must(v.in.Peek(len("0\r\n")))
	wait := time.Since(start)
	v.chunks()
	if !bytes.Contains(v.body, []byte("event: delta")) || !bytes.Contains(v.body, []byte("event: done")) {
		halt.On(fmt.Errorf("POST %s answers %.300s", path, v.body))
	}
	return wait
}

// measureFeed measures how long the whole feed of products takes a server that has not made it before, and what it adds
// to its memory at its greatest.
func (s *selling) measureFeed(ctx context.Context) []Row {
	var took time.Duration
	var size int64
	var before, peak float64
	serving(ctx, s.Program, s.place, func(c *child, url string) { took, size, before, peak = s.feed(c, url) })
	made := Row{Work: fmt.Sprintf("feed of %d products", s.Items), Unit: "s", Value: took.Seconds(),
		Note: fmt.Sprintf("%.1f MB", float64(size)/1e6)}.judged(below(5))
	most := Row{Work: "what it adds to the server's memory at its peak", Unit: "MB", Value: peak - before}
	if peak > 0 {
		most = most.judged(below(50))
	}
	return []Row{made, most}
}

func (s *selling) feed(c *child, url string) (took time.Duration, size int64, before, peak float64) {
	s.searchable(context.Background(), url, nil)
	v := s.visitor(url)
	defer v.close()
	r := halt.Must(http.NewRequest(http.MethodGet, url+"/ecom/catalog/feed", nil))
	for line := range strings.Lines(v.to.headers) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && name != "Host" {
			r.Header.Set(name, value)
		}
	}
	before = c.memory("VmHWM")
	start := time.Now()
	a := halt.Must(http.DefaultClient.Do(r))
	defer a.Body.Close()
	size = halt.Must(io.Copy(io.Discard, a.Body))
	took, peak = time.Since(start), c.memory("VmHWM")
	if a.StatusCode != http.StatusOK {
		halt.On(fmt.Errorf("GET /ecom/catalog/feed answers %s", a.Status))
	}
	return took, size, before, peak
}
