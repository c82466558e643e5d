//! The project's own sources as tests look at them: the modules of a crate, and which module uses which.

mod parse;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use parse::Code;
use proc_macro2::TokenStream;

/// How far a name is followed through re-exports.
const HOPS: usize = 12;

/// From the root of the crate.
pub(crate) type ModulePath = Vec<String>;

/// A crate, read from its root file along its `mod` declarations.
pub(crate) struct Crate {
    /// The folder's name.
    pub(crate) name: String,
    modules: BTreeMap<ModulePath, Code>,
}

/// What a path names.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Named {
    Module(ModulePath),
    /// An item, by the module that defines it.
    Item(ModulePath),
}

/// Every crate below `suite`.
pub(crate) fn crates() -> Vec<Crate> {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders: Vec<PathBuf> =
        fs::read_dir(suite).expect("the workspace").filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.sort();
    let roots = folders.iter().flat_map(|folder| ["src/lib.rs", "src/main.rs"].map(|root| (folder, folder.join(root))));
    roots.filter(|(_, root)| root.is_file()).map(|(folder, root)| Crate::read(&name_of(folder), &root)).collect()
}

fn name_of(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

impl Crate {
    fn read(name: &str, root: &Path) -> Self {
        let mut found = Self { name: name.to_owned(), modules: BTreeMap::new() };
        found.add_file(Vec::new(), root);
        found
    }

    /// A crate of inline modules.
    pub(crate) fn parse(name: &str, text: &str) -> Self {
        let mut found = Self { name: name.to_owned(), modules: BTreeMap::new() };
        found.add(Vec::new(), text.parse().expect("Rust"), Path::new("/nowhere"));
        found
    }

    fn add_file(&mut self, path: ModulePath, file: &Path) {
        let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let tokens = text.parse().unwrap_or_else(|_| panic!("{}: not Rust", file.display()));
        let stem = file.file_stem().unwrap_or_default();
        let is_folder = ["mod", "lib", "main"].iter().any(|name| stem == *name);
        let folder = if is_folder { file.with_file_name("") } else { file.with_extension("") };
        self.add(path, tokens, &folder);
    }

    /// Adds a module and the modules in it, whose files are in `folder`.
    fn add(&mut self, path: ModulePath, tokens: TokenStream, folder: &Path) {
        let mut code = Code::read(tokens);
        for (name, file, body) in std::mem::take(&mut code.modules) {
            let inner = [&path[..], std::slice::from_ref(&name)].concat();
            match body {
                Some(body) => self.add(inner, body, &folder.join(&name)),
                None => {
                    let named = file.map(|file| folder.join(file));
                    let usual = [folder.join(format!("{name}.rs")), folder.join(&name).join("mod.rs")];
                    let file = named.into_iter().chain(usual).find(|file| file.is_file());
                    self.add_file(inner, &file.unwrap_or_else(|| panic!("no file of {}::{}", self.name, name)));
                }
            }
        }
        self.modules.insert(path, code);
    }

    /// Modules that have modules of their own, the root among them.
    pub(crate) fn places(&self) -> BTreeSet<ModulePath> {
        self.modules.keys().filter_map(|path| path.split_last()).map(|(_, parent)| parent.to_vec()).collect()
    }

    /// Pairs of a module and one that defines something it names. What a module re-exports from below itself, it does
    /// not use.
    pub(crate) fn uses(&self) -> BTreeSet<(ModulePath, ModulePath)> {
        let mut uses = BTreeSet::new();
        for (user, code) in &self.modules {
            let imported = code.imports.iter().filter(|import| import.name.is_some());
            let imported =
                imported.filter_map(|import| Some((self.named(user, &import.path, true, HOPS)?, import.is_export)));
            let mentioned = code.mentions.iter().filter_map(|path| Some((self.named(user, path, true, HOPS)?, false)));
            for (named, is_export) in imported.chain(mentioned) {
                if let Named::Item(owner) = named
                    && owner != *user
                    && !(is_export && owner.starts_with(user))
                {
                    uses.insert((user.clone(), owner));
                }
            }
        }
        uses
    }

    /// What a path in a module's code names; none if it is nothing of this crate. A module and an item may share a name:
    /// `as_item` prefers the item, for a path that nothing follows.
    fn named(&self, module: &[String], path: &[String], as_item: bool, hops: usize) -> Option<Named> {
        let (first, rest) = path.split_first()?;
        let start = match first.as_str() {
            "crate" => Named::Module(Vec::new()),
            "self" => Named::Module(module.to_vec()),
            "super" => Named::Module(module.split_last()?.1.to_vec()),
            name => self.visible(module, name, as_item && rest.is_empty(), hops)?,
        };
        rest.iter().enumerate().try_fold(start, |named, (at, name)| match named {
            // What follows an item is a member of it.
            Named::Item(_) => Some(named),
            Named::Module(place) if name == "super" => Some(Named::Module(place.split_last()?.1.to_vec())),
            Named::Module(place) => {
                let as_item = as_item && at + 1 == rest.len();
                self.visible(&place, name, as_item, hops).or(Some(Named::Item(place)))
            }
        })
    }

    /// What a name stands for in a module.
    fn visible(&self, module: &[String], name: &str, as_item: bool, hops: usize) -> Option<Named> {
        let hops = hops.checked_sub(1)?;
        let code = self.modules.get(module)?;
        let child = [module, &[name.to_owned()]].concat();
        let child = self.modules.contains_key(&child).then_some(Named::Module(child));
        if child.is_some() && !as_item {
            return child;
        }
        if code.defines.contains(name) {
            return Some(Named::Item(module.to_vec()));
        }
        let mut imports = code.imports.iter().filter(|import| import.name.as_deref() == Some(name));
        let imported = imports.find_map(|import| self.imported(module, &import.path, as_item, hops));
        if let Some(found) = imported.filter(|found| child.is_none() || matches!(found, Named::Item(_))) {
            return Some(found);
        }
        child.or_else(|| {
            let mut globs = code.imports.iter().filter(|import| import.name.is_none());
            globs.find_map(|import| match self.imported(module, &import.path, false, hops)? {
                Named::Module(from) if from != module => self.visible(&from, name, as_item, hops),
                _ => None,
            })
        })
    }

    /// What a `use` declaration brings in. Its first name is another crate's if only the declaration itself has it.
    fn imported(&self, module: &[String], path: &[String], as_item: bool, hops: usize) -> Option<Named> {
        let first = path.first()?;
        let child = [module, std::slice::from_ref(first)].concat();
        let code = self.modules.get(module)?;
        let is_itself =
            |import: &parse::Import| import.name.as_ref() == Some(first) && import.path.first() == Some(first);
        if !self.modules.contains_key(&child) && code.imports.iter().any(is_itself) {
            return None;
        }
        self.named(module, path, as_item, hops)
    }
}
