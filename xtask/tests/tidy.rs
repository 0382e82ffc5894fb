//! The real tree keeps the house rules.

use std::path::Path;

use xtask::{tidy, tree};

#[test]
fn the_tree_is_tidy() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the root");
    let files = tree::read(root).expect("the tree can be read");
    let complaints: Vec<String> = tidy::complaints(&files).iter().map(ToString::to_string).collect();
    assert!(complaints.is_empty(), "{} complaints\n{}", complaints.len(), complaints.join("\n"));
}
