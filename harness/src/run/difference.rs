//! What differs between two records.

use serde_json::Value;

/// Differences that are told; more say nothing new.
const MOST: usize = 6;
/// The part that says which code was launched.
pub(super) const CODE_OBJECTS: &str = "code_objects";

/// What differs, in words; `None` if nothing does. `one` and `other` say whose values these are; the parts are told in their order.
pub(super) fn differences(one: (&str, &[(&str, Value)]), other: (&str, &[(&str, Value)])) -> Option<String> {
    let mut found = Vec::new();
    for ((name, a), (_, b)) in one.1.iter().zip(other.1) {
        // Other options or another device make other code: that need not be told as well.
        if *name == CODE_OBJECTS && !found.is_empty() {
            continue;
        }
        collect(name, a, b, &mut found);
    }
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
                let path = format!("{path}.{key}");
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
        let part = |options, code| [("options", options), ("shard", json!(null)), (CODE_OBJECTS, json!([code]))];
        let one = part(json!({ "waves": [1, 2], "samples": 20 }), 1);
        let other = part(json!({ "waves": [1, 4], "samples": 20, "dangerous": true }), 2);
        let text = differences(("here", &one), ("there", &other)).unwrap();
        assert_eq!(text, "options.waves[1] is 2 here and 4 there, options.dangerous is null here and true there");
        let other = part(json!({ "waves": [1, 2], "samples": 20 }), 2);
        let text = differences(("here", &one), ("there", &other)).unwrap();
        assert_eq!(text, "code_objects[0] is 1 here and 2 there");
        assert_eq!(differences(("here", &one), ("there", &one)), None);
    }
}
