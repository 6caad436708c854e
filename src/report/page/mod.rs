//! A report to be read: as Markdown with charts beside it, or as one HTML page with the charts in
//! it. The page is made from the Markdown, so that both say the same in the same order.

use super::charts::{Chart, Charts, STYLE, layouts_forest};
use super::markdown::{layouts_with_forest, with_charts};
use super::{Layouts, Run};
use crate::stats::Verdict;
use askama::Template;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};
use std::iter;

/// A report with its charts.
#[derive(Clone, Debug)]
pub struct Page {
    markdown: String,
    charts: Vec<Chart>,
}

/// What stands around the report.
#[derive(Template)]
#[template(
    ext = "html",
    source = r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{ title }}</title>
<style>
{{ chart_style|safe }}{{ style|safe }}</style>
</head>
<body>
<main>
{{ body|safe }}</main>
</body>
</html>
"#
)]
struct Html<'a> {
    title: &'a str,
    chart_style: &'a str,
    style: &'a str,
    body: &'a str,
}

impl Page {
    /// The report of a run.
    pub fn of_run(run: &Run) -> Self {
        let charts = Charts::new(run);
        Page { markdown: with_charts(run, &charts), charts: charts.all().cloned().collect() }
    }

    /// The report of runs in several layouts.
    pub fn of_layouts(layouts: &Layouts) -> Self {
        let forest = layouts_forest(layouts);
        let markdown = layouts_with_forest(layouts, forest.as_ref());
        Page { markdown, charts: forest.into_iter().collect() }
    }

    /// The files of the report, by name and contents: the charts, NAME.html, and NAME.md, which
    /// refers to the charts.
    pub fn files(&self, name: &str) -> Vec<(String, String)> {
        let charts = self.charts.iter().map(|chart| (chart.name.clone(), chart.document()));
        let html = (format!("{name}.html"), self.html());
        let markdown = (format!("{name}.md"), self.markdown.clone());
        charts.chain([html, markdown]).collect()
    }

    /// The page: one file that needs no other, no network and no script.
    pub fn html(&self) -> String {
        let events: Vec<Event> = Parser::new_ext(&self.markdown, Options::ENABLE_TABLES).collect();
        let mut body = String::new();
        html::push_html(&mut body, self.rewritten(events.clone()).into_iter());
        let page = Html {
            title: &title(&events),
            chart_style: STYLE,
            style: include_str!("page.css"),
            body: &body,
        };
        page.render().expect("a string takes any text")
    }

    /// Charts in place of the references to them, tables that can be scrolled, and verdicts that
    /// stand out.
    fn rewritten<'a>(&'a self, events: Vec<Event<'a>>) -> Vec<Event<'a>> {
        let mut rewritten = Vec::with_capacity(events.len());
        let mut events = events.into_iter().peekable();
        while let Some(event) = events.next() {
            match event {
                Event::Start(Tag::Paragraph) => match self.chart(events.peek()) {
                    None => rewritten.push(Event::Start(Tag::Paragraph)),
                    Some(chart) => {
                        let is_end = |event: &Event| *event == Event::End(TagEnd::Paragraph);
                        events.by_ref().find(is_end);
                        rewritten.push(Event::Html(figure(chart).into()));
                    }
                },
                Event::Start(Tag::Table(alignments)) => {
                    // The keyboard can scroll what has the focus.
                    let open = "<div class=\"table\" tabindex=\"0\">\n";
                    rewritten.push(Event::Html(open.into()));
                    rewritten.push(Event::Start(Tag::Table(alignments)));
                }
                Event::End(TagEnd::Table) => {
                    rewritten.push(Event::End(TagEnd::Table));
                    rewritten.push(Event::Html("</div>\n".into()));
                }
                // Whatever stands in a name is text.
                Event::Html(text) | Event::InlineHtml(text) => rewritten.push(Event::Text(text)),
                Event::Text(text) => rewritten.extend(verdicts(text)),
                other => rewritten.push(other),
            }
        }
        rewritten
    }

    /// The chart that an image refers to.
    fn chart(&self, event: Option<&Event>) -> Option<&Chart> {
        let Some(Event::Start(Tag::Image { dest_url, .. })) = event else { return None };
        self.charts.iter().find(|chart| *chart.name == **dest_url)
    }
}

fn figure(chart: &Chart) -> String {
    let mut caption = String::new();
    html::push_html(&mut caption, iter::once(Event::Text(chart.title.as_str().into())));
    format!("<figure>\n{}<figcaption>{caption}</figcaption>\n</figure>\n", chart.inline())
}

/// A text in which the verdicts have a style.
fn verdicts(text: CowStr) -> Vec<Event> {
    let mut events = Vec::new();
    let mut rest = &*text;
    while let Some((at, name, class)) = first_verdict(rest) {
        events.push(Event::Text(rest[..at].to_owned().into()));
        let styled = format!("<span class=\"verdict {class}\">{name}</span>");
        events.push(Event::InlineHtml(styled.into()));
        rest = &rest[at + name.len()..];
    }
    if events.is_empty() {
        return vec![Event::Text(text)];
    }
    events.push(Event::Text(rest.to_owned().into()));
    events
}

/// Where the first verdict stands, its name, and its class.
fn first_verdict(text: &str) -> Option<(usize, &'static str, &'static str)> {
    let found = Verdict::ALL.map(|verdict| {
        let name = super::format::verdict_name(verdict);
        let class = match verdict {
            Verdict::Faster => "faster",
            Verdict::Slower => "slower",
            Verdict::SmallButReal => "small",
            Verdict::Equivalent | Verdict::IdenticalCode => "equivalent",
            Verdict::Inconclusive => "inconclusive",
            Verdict::Invalid => "invalid",
        };
        Some((text.find(name)?, name, class))
    });
    found.into_iter().flatten().min_by_key(|(at, ..)| *at)
}

/// The text of the first heading.
fn title(events: &[Event]) -> String {
    let heading = events
        .iter()
        .skip_while(|event| !matches!(event, Event::Start(Tag::Heading { .. })))
        .take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
    let text = heading.filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) => Some(&**text),
        _ => None,
    });
    text.collect()
}
