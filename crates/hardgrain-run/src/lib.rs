//! A scene becomes a run.
