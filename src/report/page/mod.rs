//! A report to be read: as Markdown with charts beside it, or as one HTML page with the charts in
//! it. The page is made from the Markdown, so that both say the same in the same order.

use super::charts::{Chart, Charts, STYLE, escape, layouts_forest};
use super::format::is_unsafe;
use super::markdown::{layouts_with_forest, with_charts};
use super::{Layouts, Run};
use crate::stats::Verdict;
use askama::Template;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

/// A report with its charts.
#[derive(Clone, Debug)]
pub struct Page {
    title: String,
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
{{ policy|safe }}<meta name="color-scheme" content="light dark">
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
    /// Lets nothing in from outside, whatever stands in the page.
    policy: &'a str,
    title: &'a str,
    chart_style: &'a str,
    style: &'a str,
    body: &'a str,
}

impl Page {
    /// The report of a run.
    pub fn of_run(run: &Run) -> Self {
        let charts = Charts::new(run);
        let markdown = with_charts(run, &charts);
        let title = title(run.settings.inputs.iter());
        Page { title, markdown, charts: charts.all().cloned().collect() }
    }

    /// The report of runs in several layouts.
    pub fn of_layouts(layouts: &Layouts) -> Self {
        let forest = layouts_forest(layouts);
        let markdown = layouts_with_forest(layouts, forest.as_ref());
        let title = title(layouts.settings.inputs.iter());
        Page { title, markdown, charts: forest.into_iter().collect() }
    }

    /// NAME.md, and before it the charts to which it refers, by file name and contents.
    pub fn markdown(&self, name: &str) -> Vec<(String, String)> {
        let charts = self.charts.iter().map(|chart| (chart.name.clone(), chart.document()));
        charts.chain([(format!("{name}.md"), self.markdown.clone())]).collect()
    }

    /// The page: one file that needs no other, no network and no script.
    pub fn html(&self) -> String {
        let events = Parser::new_ext(&self.markdown, Options::ENABLE_TABLES);
        let mut body = String::new();
        html::push_html(&mut body, self.rewritten(events).into_iter());
        let page = Html {
            policy: include_str!("policy.html"),
            title: &self.title,
            chart_style: STYLE,
            style: include_str!("page.css"),
            body: &body,
        };
        page.render().expect("a string takes any text")
    }

    /// Charts in place of the references to them, tables that can be scrolled, and verdicts that
    /// stand out.
    fn rewritten<'a>(&'a self, events: impl Iterator<Item = Event<'a>>) -> Vec<Event<'a>> {
        let mut rewritten = Vec::new();
        let mut events = events.peekable();
        // Of the table, and of the row: the first cell is its name.
        let (mut tables, mut is_body, mut is_name) = (0, false, false);
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
                    tables += 1;
                    // The keyboard can scroll what has the focus.
                    let open = format!(
                        "<div class=\"table\" role=\"region\" aria-label=\"Table {tables}\" \
                         tabindex=\"0\">\n"
                    );
                    rewritten.push(Event::Html(open.into()));
                    rewritten.push(Event::Start(Tag::Table(alignments)));
                }
                Event::Start(Tag::TableRow) => {
                    (is_body, is_name) = (true, true);
                    rewritten.push(Event::Start(Tag::TableRow));
                }
                Event::End(TagEnd::TableRow) => {
                    is_body = false;
                    rewritten.push(Event::End(TagEnd::TableRow));
                }
                Event::Start(Tag::TableCell) if is_body && is_name => {
                    rewritten.push(Event::InlineHtml("<th scope=\"row\">".into()));
                }
                Event::End(TagEnd::TableCell) if is_body && is_name => {
                    is_name = false;
                    rewritten.push(Event::InlineHtml("</th>".into()));
                }
                Event::End(TagEnd::Table) => {
                    rewritten.push(Event::End(TagEnd::Table));
                    rewritten.push(Event::Html("</div>\n".into()));
                }
                // Whatever stands in a name is text, and nothing leads out of the page.
                Event::Html(text) | Event::InlineHtml(text) => rewritten.push(Event::Text(text)),
                Event::Start(Tag::Image { .. } | Tag::Link { .. })
                | Event::End(TagEnd::Image | TagEnd::Link) => {}
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
    let caption = escape(&chart.title);
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

/// The title of the page of a run on these inputs.
fn title<'a>(inputs: impl Iterator<Item = &'a String>) -> String {
    let inputs: Vec<&str> = inputs.map(String::as_str).collect();
    format!("sudoku-bench: {}", inputs.join(", ")).replace(is_unsafe, "\u{fffd}")
}
