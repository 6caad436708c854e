//! The JSON Schemas of `report.json` and `layouts.json` are those of the models' types.

use super::{Layouts, Run};
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};
use std::path::Path;
use std::{env, fs};

#[test]
fn the_schema_of_a_report_is_that_of_its_model() {
    assert_is_schema_of::<Run>("report");
}

#[test]
fn the_schema_of_several_layouts_is_that_of_their_model() {
    assert_is_schema_of::<Layouts>("layouts");
}

/// Asserts that `docs/NAME.schema.json` describes what is written of a model, or makes it so if the
/// variable `UPDATE_SCHEMA` is set.
#[track_caller]
fn assert_is_schema_of<Model: JsonSchema>(name: &str) {
    let path = format!("docs/{name}.schema.json");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(&path);
    let settings =
        SchemaSettings::draft2020_12().for_serialize().with_transform(RecursiveTransform(complete));
    let mut schema = settings.into_generator().into_root_schema_for::<Model>();
    schema.insert("title".into(), json!(format!("{name}.json of sudoku-bench")));
    let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    if env::var_os("UPDATE_SCHEMA").is_some() {
        fs::write(&file, &text).unwrap();
    }
    assert!(
        fs::read_to_string(&file).unwrap() == text,
        "`{path}` is not that of the model; `UPDATE_SCHEMA=1 cargo test --lib report::schema` \
         writes it anew"
    );
}

/// Says what types and their comments leave unsaid.
fn complete(schema: &mut Schema) {
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for (key, property) in properties.iter_mut() {
            // What is left out when there is none is never null.
            if !required.contains(&json!(key)) {
                not_null(property);
            }
        }
        // Files of earlier versions are read without such a key.
        let has_default =
            |key: &Value| key.as_str().is_some_and(|key| properties[key].get("default").is_some());
        let required: Vec<Value> = required.into_iter().filter(|key| !has_default(key)).collect();
        schema.insert("required".into(), required.into());
        // Schemars merges the keys of flattened fields into those of the object.
        schema.insert("additionalProperties".into(), false.into());
    }
    if let Some(Value::String(description)) = schema.get_mut("description") {
        *description = plain(description);
    }
}

/// Takes null out of what a property may be.
fn not_null(property: &mut Value) {
    let Value::Object(property) = property else { return };
    if let Some([kind, null]) = property.get("type").and_then(Value::as_array).map(Vec::as_slice)
        && null == "null"
    {
        let kind = kind.clone();
        property.insert("type".into(), kind);
    }
    if let Some(Value::Array(any)) = property.remove("anyOf") {
        let alternatives = any.into_iter().filter(|it| it["type"] != "null");
        alternatives.for_each(|it| property.extend(it.as_object().cloned().unwrap_or_default()));
    }
}

/// A comment without its line breaks and links, and of JSON rather than of Rust.
fn plain(comment: &str) -> String {
    let paragraphs = comment.split("\n\n").map(|paragraph| paragraph.replace('\n', " "));
    let text = paragraphs.collect::<Vec<_>>().join("\n\n").replace("`None`", "null");
    let mut parts = text.split("[`");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("`]").expect("a link ends");
        let target = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        plain += &format!("`{name}`{}", target.map_or(rest, |(_, rest)| rest));
    }
    plain
}

#[test]
fn comments_lose_what_only_rust_knows() {
    assert_eq!(
        plain("One\nof [`A`], [`B`](Self::B) (or\n\n`None`), at [0]."),
        "One of `A`, `B` (or\n\nnull), at [0]."
    );
}
