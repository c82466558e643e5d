//! The tokens of a module: what it defines, what it imports, which paths its code names.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A module's own code, without the modules in it and without what is compiled for tests alone.
#[derive(Default)]
pub(crate) struct Code {
    /// Names of its items.
    pub(crate) defines: BTreeSet<String>,
    /// Its `use` declarations, a leaf each.
    pub(crate) imports: Vec<Import>,
    /// Every path in other code; a lone name is a path of one segment.
    pub(crate) mentions: BTreeSet<Vec<String>>,
    /// Its modules: name, the file that `#[path]` gives, the body if it is inline.
    pub(crate) modules: Vec<(String, Option<String>, Option<TokenStream>)>,
}

/// A leaf of a `use` declaration.
pub(crate) struct Import {
    /// The name it brings into scope; none for a glob.
    pub(crate) name: Option<String>,
    pub(crate) path: Vec<String>,
    /// Whether it is `pub` in some way.
    pub(crate) is_export: bool,
}

/// Keywords behind which an item's name stands.
const ITEMS: [&str; 9] = ["fn", "struct", "enum", "trait", "type", "const", "static", "union", "macro_rules"];

impl Code {
    pub(crate) fn read(tokens: TokenStream) -> Self {
        let mut code = Self::default();
        let tokens = without_tests(tokens);
        code.items(&tokens);
        code.scan(&tokens);
        code
    }

    /// Reads what stands at the top of the module.
    fn items(&mut self, tokens: &[TokenTree]) {
        let mut is_body = false;
        for (at, token) in tokens.iter().enumerate() {
            // `macro_rules! name` has an exclamation mark between.
            let name = tokens.get(at + 1).filter(|next| !is(Some(next), '!')).or(tokens.get(at + 2)).and_then(ident);
            match (ident(token).as_deref(), name) {
                (Some("mod"), Some(name)) => {
                    let inline = match tokens.get(at + 2) {
                        Some(TokenTree::Group(group)) => Some(group.stream()),
                        _ => None,
                    };
                    self.modules.push((name, path_attribute(&tokens[..at]), inline));
                }
                (Some(word), Some(name)) if !is_body && ITEMS.contains(&word) => {
                    self.defines.insert(name);
                }
                _ => {}
            }
            // A value is no place for items: `const A: T = ..;`. A default of a type parameter ends with the item's body.
            let ends = is(Some(token), ';')
                || matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
            is_body = (is_body || is(Some(token), '=')) && !ends;
        }
    }

    /// Collects `use` declarations and paths, at any depth but for inline modules.
    fn scan(&mut self, tokens: &[TokenTree]) {
        let mut at = 0;
        while at < tokens.len() {
            let follows_path = at > 1 && is(tokens.get(at - 1), ':') && is(tokens.get(at - 2), ':');
            let follows_dot = at > 0 && is(tokens.get(at - 1), '.') && !(at > 1 && is(tokens.get(at - 2), '.'));
            match &tokens[at] {
                TokenTree::Ident(word) if word == "use" => {
                    let end =
                        tokens[at..].iter().position(|token| is(Some(token), ';')).map_or(tokens.len(), |n| at + n);
                    let is_export = self.is_export(&tokens[..at]);
                    self.use_tree(&tokens[at + 1..end], &[], is_export);
                    at = end;
                }
                TokenTree::Ident(word) if word == "mod" && !follows_dot => {
                    // The name, and the body or the semicolon.
                    at += 2;
                }
                TokenTree::Ident(_) if !follows_path && !follows_dot => {
                    let (path, next) = path_at(tokens, at);
                    self.mentions.insert(path);
                    at = next - 1;
                }
                TokenTree::Group(group) => self.scan(&without_tests(group.stream())),
                _ => {}
            }
            at += 1;
        }
    }

    /// Whether a `use` behind these tokens has a visibility.
    fn is_export(&self, before: &[TokenTree]) -> bool {
        let behind = match before.last() {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => &before[..before.len() - 1],
            _ => before,
        };
        behind.last().and_then(ident).is_some_and(|word| word == "pub")
    }

    fn use_tree(&mut self, tokens: &[TokenTree], base: &[String], is_export: bool) {
        let mut path = base.to_vec();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            match token {
                TokenTree::Group(group) => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    for item in inner.split(|token| is(Some(token), ',')).filter(|item| !item.is_empty()) {
                        self.use_tree(item, &path, is_export);
                    }
                    return;
                }
                TokenTree::Punct(punct) if punct.as_char() == '*' => {
                    self.imports.push(Import { name: None, path, is_export });
                    return;
                }
                TokenTree::Ident(word) if word == "as" => {
                    let name = tokens.get(at + 1).and_then(ident).unwrap_or_default();
                    self.imports.push(Import { name: Some(name), path, is_export });
                    return;
                }
                // `a::{self}` is `a`.
                TokenTree::Ident(word) if word == "self" && !path.is_empty() => {}
                TokenTree::Ident(word) => path.push(word.to_string()),
                _ => {}
            }
            at += 1;
        }
        self.imports.push(Import { name: path.last().cloned(), path, is_export });
    }
}

/// The path that begins here, and the position behind it.
fn path_at(tokens: &[TokenTree], mut at: usize) -> (Vec<String>, usize) {
    let mut path = Vec::new();
    while let Some(name) = tokens.get(at).and_then(ident) {
        path.push(name);
        at += 1;
        if !(is(tokens.get(at), ':') && is(tokens.get(at + 1), ':') && tokens.get(at + 2).and_then(ident).is_some()) {
            break;
        }
        at += 2;
    }
    (path, at)
}

/// The file named by `#[path = ".."]` right before an item.
fn path_attribute(before: &[TokenTree]) -> Option<String> {
    let group = before.iter().rev().find_map(|token| match token {
        TokenTree::Group(group) => Some(group),
        _ => None,
    })?;
    let words: Vec<TokenTree> = group.stream().into_iter().collect();
    let is_last = matches!(before.last(), Some(TokenTree::Group(_)));
    (is_last && words.first().and_then(ident)? == "path").then(|| words[2].to_string().trim_matches('"').to_owned())
}

/// The code without items that only tests have.
fn without_tests(tokens: TokenStream) -> Vec<TokenTree> {
    let mut kept: Vec<TokenTree> = Vec::new();
    let mut skips = false;
    for token in tokens {
        let is_mark = token.to_string().replace(' ', "") == "[cfg(test)]";
        if skips {
            // An item ends with its body or a semicolon.
            let ends = match &token {
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                other => is(Some(other), ';'),
            };
            skips = !ends;
        } else if is_mark {
            kept.pop();
            skips = true;
        } else {
            kept.push(token);
        }
    }
    kept
}

fn is(token: Option<&TokenTree>, character: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == character)
}

fn ident(token: &TokenTree) -> Option<String> {
    if let TokenTree::Ident(ident) = token { Some(ident.to_string()) } else { None }
}
