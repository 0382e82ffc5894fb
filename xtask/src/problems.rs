//! Folders of contact problems.

use std::path::{Path, PathBuf};

/// The problems in a folder, by name.
///
/// # Errors
/// When the folder cannot be read or holds none.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{} cannot be read: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "mtx"));
    files.sort();
    if files.is_empty() {
        return Err(format!("{} holds no problem NAME.mtx", folder.display()));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_matrices_are_problems() {
        let folder = std::env::temp_dir().join(format!("hardgrain-problems-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        assert!(files(&folder).unwrap_err().contains("holds no problem"));
        for name in ["b.mtx", "a.mtx", "a.txt"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        assert_eq!(files(&folder).unwrap(), [folder.join("a.mtx"), folder.join("b.mtx")]);
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(files(&folder).unwrap_err().contains("cannot be read"));
    }
}
