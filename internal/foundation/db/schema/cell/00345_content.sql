-- +goose Up
-- What a store gives people to read: its home page, standing pages, posts and news. The home page has no slug and gets its row with its first
-- sections. Sections are JSON; plain is what they say, for searching. dated is the day that posts are sorted by.
create table content_page (
	company            {{text}} not null,
	id                 {{text}} not null,
	version            {{int}} not null,
	created_at         {{int}} not null,
	modified_at        {{int}},
	changed_at         {{int}} not null,
	channel_code       {{text}} not null,
	channel_key        {{text}} not null,
	page_type          {{text}} not null,
	slug               {{text}} not null,
	title              {{text}} not null,
	is_published       {{int}} not null,
	published_at       {{int}},
	publishes_at       {{int}},
	parent_slug        {{text}} not null default '',
	is_in_navigation {{int}} not null,
	sort_order         {{int}} not null,
	tags               {{text}} not null default '',
	tag_keys           {{text}} not null default '',
	author_name        {{text}} not null default '',
	excerpt            {{text}} not null default '',
	image_url          {{text}} not null default '',
	meta_description   {{text}} not null default '',
	layout             {{text}} not null,
	is_full_width       {{int}} not null,
	sections           {{text}} not null default '',
	plain              {{text}} not null default '',
	dated_at           {{int}} not null,
	search             {{text}} not null default '',
	primary key (company, id),
	unique (company, channel_key, slug)
){{strict}};
create index content_page_changed on content_page (company, changed_at);
create index content_page_order on content_page (company, channel_key, sort_order, slug);
create index content_page_dated on content_page (company, channel_key, page_type, dated_at, slug);
create index content_page_parent on content_page (company, channel_key, parent_slug);
alter table content_page add constraint content_page_words check (page_type in ('Home', 'Page', 'BlogPost', 'NewsPost') and layout in ('Standard', 'Sidebar', 'Landing')) not valid;

-- The forms of pages, by the section that shows them.
create table content_form (
	company    {{text}} not null,
	section_id {{text}} not null,
	page_id    {{text}} not null,
	primary key (company, section_id, page_id)
){{strict}};
create index content_form_page on content_form (company, page_id);

-- What a company answers to what it is often asked, for all its stores. An article without a language is for every visitor.
create table help_article (
	company     {{text}} not null,
	id          {{text}} not null,
	version     {{int}} not null,
	created_at  {{int}} not null,
	modified_at {{int}},
	changed_at  {{int}} not null,
	slug        {{text}} not null,
	title       {{text}} not null,
	topic       {{text}} not null default '',
	topic_key   {{text}} not null default '',
	html        {{text}} not null default '',
	plain       {{text}} not null default '',
	sort_order  {{int}} not null,
	search      {{text}} not null default '',
	primary key (company, id),
	unique (company, slug)
){{strict}};
create index help_article_changed on help_article (company, changed_at);
create index help_article_order on help_article (company, topic_key, sort_order, slug);

-- Whether an article helped: what a visitor said last.
create table help_vote (
	company    {{text}} not null,
	article_id {{text}} not null,
	session_id {{text}} not null,
	is_helpful {{int}} not null,
	voted_at   {{int}} not null,
	primary key (company, article_id, session_id)
){{strict}};
