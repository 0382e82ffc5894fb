//! Built-in scenes: the files in `scenes/` of this crate, to start from without any file.

/// A scene that comes with the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltinScene {
    /// Its name.
    pub name: &'static str,
    /// Its file.
    pub text: &'static str,
}

impl BuiltinScene {
    /// What it shows, in a line.
    pub fn title(self) -> &'static str {
        let line = self.text.lines().find_map(|line| line.strip_prefix("title = "));
        line.unwrap_or("").trim_matches('"')
    }
}

macro_rules! scenes {
    ($($name:literal),* $(,)?) => {
        &[$(BuiltinScene { name: $name, text: include_str!(concat!("../../scenes/", $name, ".toml")) }),*]
    };
}

/// All built-in scenes, the simplest first.
pub const fn builtin() -> &'static [BuiltinScene] {
    scenes![
        "chain", "piston", "bounce", "incline", "column", "sandpile", "silo", "drum", "shear", "spheres", "cradle",
        "soft",
    ]
}
