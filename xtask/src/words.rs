//! Whole words in a text, and the line on which a place in it lies.

/// Where `word` stands in `text` with nothing on either side that would make it part of a longer word.
pub fn places<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(word).map(|(place, _)| place).filter(move |&place| {
        let before = text[..place].chars().next_back();
        let after = text[place + word.len()..].chars().next();
        !before.is_some_and(continues) && !after.is_some_and(continues)
    })
}

/// Whether a letter would continue a word.
#[must_use]
pub fn continues(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The word at the start of the text; empty where none starts there.
#[must_use]
pub fn first(text: &str) -> &str {
    let end = text.find(|letter| !continues(letter)).unwrap_or(text.len());
    &text[..end]
}

/// The line, counted from 1, on which a place in the text lies.
#[must_use]
pub fn line_of(text: &str, place: usize) -> usize {
    text[..place].matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_are_found() {
        let text = "fn fname(fn_: fn()) fnκ";
        assert_eq!(places(text, "fn").collect::<Vec<_>>(), [0, 14]);
    }

    #[test]
    fn the_first_word_ends_where_no_letter_continues_it() {
        assert_eq!(first("sum::<f64>()"), "sum");
        assert_eq!(first("(sum)"), "");
        assert_eq!(first("sweep_2"), "sweep_2");
    }

    #[test]
    fn lines_are_counted_from_one() {
        let text = "a\nb\nc";
        assert_eq!(line_of(text, 0), 1);
        assert_eq!(line_of(text, 2), 2);
        assert_eq!(line_of(text, 4), 3);
    }
}
