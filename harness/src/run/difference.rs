//! What differs between two records.

use serde::Serialize;
use serde_json::Value;

/// Differences that are told; more say nothing new.
const MOST: usize = 4;

/// What differs, in words; `None` if nothing does. `one` and `other` say whose values these are.
pub(super) fn differences(one: (&str, &impl Serialize), other: (&str, &impl Serialize)) -> Option<String> {
    let value = |record: Result<Value, serde_json::Error>| record.unwrap_or_default();
    let (a, b) = (value(serde_json::to_value(one.1)), value(serde_json::to_value(other.1)));
    let mut found = Vec::new();
    collect("", &a, &b, &mut found);
    let more = found.len().saturating_sub(MOST);
    let told = found.iter().take(MOST).map(|(path, a, b)| format!("{path} is {a} {} and {b} {}", one.0, other.0));
    let mut text = told.collect::<Vec<_>>().join(", ");
    if more > 0 {
        text += &format!(", and {more} more");
    }
    (!found.is_empty()).then_some(text)
}

fn collect(path: &str, a: &Value, b: &Value, found: &mut Vec<(String, Value, Value)>) {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            let keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
            for key in keys {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                let of = |object: &serde_json::Map<String, Value>| object.get(key).cloned().unwrap_or_default();
                collect(&path, &of(a), &of(b), found);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (index, (a, b)) in a.iter().zip(b).enumerate() {
                collect(&format!("{path}[{index}]"), a, b, found);
            }
        }
        _ if a == b => {}
        _ => found.push((path.to_owned(), a.clone(), b.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_difference_is_named_with_both_values() {
        let one = json!({ "tool": "a", "options": { "waves": [1, 2], "samples": 20 }, "card": null });
        let other = json!({ "tool": "a", "options": { "waves": [1, 4], "samples": 20 }, "shard": 1 });
        let text = differences(("here", &one), ("there", &other)).unwrap();
        assert_eq!(text, "options.waves[1] is 2 here and 4 there, shard is null here and 1 there");
        assert_eq!(differences(("here", &one), ("there", &one)), None);
    }
}
