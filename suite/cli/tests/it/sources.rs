//! The project's own sources as tests look at them: which modules a crate has, and which paths its code names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A crate of the workspace.
pub(crate) struct Crate {
    /// The folder's name.
    pub(crate) name: String,
    modules: Vec<Module>,
    /// Names that the root of the crate re-exports, with the module they come from.
    exports: BTreeMap<String, Vec<String>>,
}

struct Module {
    path: Vec<String>,
    /// Paths from the root of the crate that its code names.
    uses: BTreeSet<Vec<String>>,
}

/// Every crate below `suite`.
pub(crate) fn crates() -> Vec<Crate> {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders: Vec<PathBuf> =
        fs::read_dir(suite).expect("the workspace").filter_map(|entry| Some(entry.ok()?.path().join("src"))).collect();
    folders.retain(|folder| folder.is_dir());
    folders.sort();
    folders.iter().map(|folder| Crate::read(folder)).collect()
}

/// Every Rust file below a folder.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let (folders, mut files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    files.extend(folders.iter().flat_map(|folder| self::files(folder)));
    files.sort();
    files
}

impl Crate {
    fn read(folder: &Path) -> Self {
        let modules: Vec<Module> = files(folder).iter().filter_map(|file| Module::read(folder, file)).collect();
        let root = modules.iter().find(|module| module.path.is_empty());
        let exports = root.into_iter().flat_map(|root| &root.uses).filter(|path| path.len() > 1);
        let exports = exports.map(|path| (path.last().cloned().unwrap_or_default(), path[..path.len() - 1].to_vec()));
        let name = folder.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
        Self { name, exports: exports.collect(), modules }
    }

    /// Modules that have modules of their own, the root among them.
    pub(crate) fn places(&self) -> BTreeSet<Vec<String>> {
        let parents = self.modules.iter().filter(|module| !module.path.is_empty());
        parents.map(|module| module.path[..module.path.len() - 1].to_vec()).collect()
    }

    /// Each module with each path that it names, from the root of the crate.
    pub(crate) fn uses(&self) -> impl Iterator<Item = (&[String], Vec<String>)> {
        let all = self.modules.iter().flat_map(|module| module.uses.iter().map(move |used| (&*module.path, used)));
        all.map(|(user, used)| (user, self.resolved(used)))
    }

    /// Where a name that the root re-exports is defined.
    fn resolved(&self, used: &[String]) -> Vec<String> {
        let exported = used.first().and_then(|name| self.exports.get(name));
        exported.map_or_else(|| used.to_vec(), |module| [module, used].concat())
    }
}

impl Module {
    fn read(folder: &Path, file: &Path) -> Option<Self> {
        let text = fs::read_to_string(file).expect("a source file");
        let tokens: TokenStream = text.parse().unwrap_or_else(|_| panic!("{}: not Rust", file.display()));
        let mut path: Vec<String> = file
            .strip_prefix(folder)
            .ok()?
            .with_extension("")
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        if path.last().is_some_and(|last| matches!(last.as_str(), "mod" | "lib" | "main")) {
            path.pop();
        }
        // Tests in files of their own.
        if path.iter().any(|part| matches!(part.as_str(), "tests" | "testing")) {
            return None;
        }
        let mut uses = BTreeSet::new();
        paths(&without_tests(tokens), &path, &mut uses);
        Some(Self { path, uses })
    }
}

/// The code without modules and items that only tests have.
fn without_tests(tokens: TokenStream) -> Vec<TokenTree> {
    let mut kept: Vec<TokenTree> = Vec::new();
    let mut skips = false;
    for token in tokens {
        let is_mark = |token: &TokenTree| token.to_string().replace(' ', "") == "[cfg(test)]";
        if skips {
            // An item ends with its body or a semicolon.
            let ends = match &token {
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                TokenTree::Punct(punct) => punct.as_char() == ';',
                _ => false,
            };
            skips = !ends;
        } else if is_mark(&token) {
            kept.pop();
            skips = true;
        } else {
            kept.push(token);
        }
    }
    kept
}

/// Collects every path that starts at `crate` or `super`, and at the root also those of `use` declarations.
fn paths(tokens: &[TokenTree], module: &[String], found: &mut BTreeSet<Vec<String>>) {
    let mut at = 0;
    while at < tokens.len() {
        let word = ident(&tokens[at]);
        let starts_use = module.is_empty() && word.as_deref() == Some("use") && at + 1 < tokens.len();
        let start = if starts_use { at + 1 } else { at };
        match ident(&tokens[start]).as_deref() {
            Some("crate") => at = tree(tokens, start + 1, Vec::new(), found),
            Some("super") => {
                let mut base = module.to_vec();
                base.pop();
                at = tree(tokens, start + 1, base, found);
            }
            Some(_) if starts_use => at = tree(tokens, start - 1, Vec::new(), found).max(start + 1),
            _ => {
                if let TokenTree::Group(group) = &tokens[at] {
                    paths(&group.stream().into_iter().collect::<Vec<_>>(), module, found);
                }
                at += 1;
            }
        }
    }
}

/// Follows `::name` and `::{..}` behind a base; gives the position behind it.
fn tree(tokens: &[TokenTree], mut at: usize, mut base: Vec<String>, found: &mut BTreeSet<Vec<String>>) -> usize {
    let is_colon = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    // A `use` at the root names a module without `crate::`.
    if let Some(name) = tokens.get(at + 1).filter(|_| !is_colon(tokens.get(at))).and_then(ident) {
        base.push(name);
        at += 2;
    }
    while is_colon(tokens.get(at)) && is_colon(tokens.get(at + 1)) {
        match tokens.get(at + 2) {
            Some(TokenTree::Group(group)) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                for item in inner.split(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',')) {
                    if let Some(name) = item.first().and_then(ident) {
                        tree(item, 1, [base.clone(), vec![name]].concat(), found);
                    }
                }
                return at + 3;
            }
            Some(token) => match ident(token).as_deref() {
                Some("super") => {
                    base.pop();
                }
                Some("self") => {}
                Some(name) => base.push(name.to_owned()),
                None => break,
            },
            None => break,
        }
        at += 3;
    }
    found.insert(base);
    at
}

fn ident(token: &TokenTree) -> Option<String> {
    if let TokenTree::Ident(ident) = token { Some(ident.to_string()) } else { None }
}
