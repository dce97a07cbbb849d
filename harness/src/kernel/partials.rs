//! The templates that a template includes: one that included itself would be rendered forever.

/// A tag `{{> name}}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Partial<'t> {
    /// Line of the template, from 1.
    line: usize,
    /// The template that is included, as it is written.
    name: &'t str,
}

impl<'t> Partial<'t> {
    /// The tags of a template, those in comments among them.
    fn of(text: &'t str) -> impl Iterator<Item = Self> {
        text.match_indices("{{").filter_map(|(at, _)| {
            let tag = text[at + 2..].trim_start_matches(['{', '~']).trim_start();
            let name = tag.strip_prefix('>').or_else(|| tag.strip_prefix("#>"))?.trim_start();
            let end = name.find(|c: char| c.is_whitespace() || c == '}' || c == '~').unwrap_or(name.len());
            Some(Self { line: text[..at].matches('\n').count() + 1, name: &name[..end] })
        })
    }
}

/// Whether no template of these, by name and text, leads back to itself.
///
/// # Errors
/// The place of the template among them, and its fault.
pub(super) fn check(templates: &[(&str, &str)]) -> Result<(), (usize, String)> {
    for (place, (_, text)) in templates.iter().enumerate() {
        for partial in Partial::of(text) {
            let Some(first) = templates.iter().position(|(name, _)| *name == partial.name) else {
                let names: Vec<_> = templates.iter().map(|(name, _)| *name).collect();
                let problem =
                    format!("line {}: no template {:?}; there are {}", partial.line, partial.name, names.join(", "));
                return Err((place, problem));
            };
            let (mut reached, mut next) = (vec![first], 0);
            while let Some(&template) = reached.get(next) {
                let inner = Partial::of(templates[template].1);
                let inner = inner.filter_map(|inner| templates.iter().position(|(name, _)| *name == inner.name));
                let new: Vec<usize> = inner.filter(|template| !reached.contains(template)).collect();
                reached.extend(new);
                next += 1;
            }
            if reached.contains(&place) {
                let problem = format!("line {}: {{{{> {}}}}} leads back to this template", partial.line, partial.name);
                return Err((place, problem));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_that_include_themselves_are_found() {
        let check = |timed, inputs| check(&[("kernel", "{{> timed}}\n"), ("timed", timed), ("inputs", inputs)]);
        assert_eq!(check("s_nop 0\n{{> inputs}}\n{{> inputs}}\n", ""), Ok(()));
        assert_eq!(check("", "\n{{~#> inputs }}"), Err((2, "line 2: {{> inputs}} leads back to this template".into())));
        let error = check("\n{{> inputs}}", "{{>timed}}").unwrap_err();
        assert_eq!(error, (1, "line 2: {{> inputs}} leads back to this template".into()));
        let error = check("", "{{> (lookup this)}}").unwrap_err();
        assert_eq!(error, (2, "line 1: no template \"(lookup\"; there are kernel, timed, inputs".into()));
    }
}
