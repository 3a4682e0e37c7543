//! Why a folder cannot take the results of a run.

use std::io;
use std::path::{Path, PathBuf};

use tactum_geometry::words;
use thiserror::Error;

use super::card::RunCard;
use super::names::CARD;
use crate::inputs::ReplacesInput;

/// Why a folder cannot take the results of a run.
#[derive(Debug, Error)]
pub enum FolderError {
    /// The folder cannot be made, read or cleared.
    #[error("cannot {verb} '{}': {}", words::path(path), words::cause(source))]
    File {
        /// What was tried.
        verb: &'static str,
        /// The folder or file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is no folder.
    #[error("'{}' is not a folder", words::path(path))]
    NotAFolder {
        /// What is there.
        path: PathBuf,
    },
    /// Another process writes into it.
    #[error("another run is writing into the folder '{}'", words::path(path))]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// There are results in it.
    #[error(
        "the folder '{}' holds results already ({found}): name another one, replace it with --overwrite, or, if they \
         are those of a run or batch that was stopped, go on with that with --resume",
        words::path(path)
    )]
    Occupied {
        /// The folder.
        path: PathBuf,
        /// One of the files that are there.
        found: String,
    },
    /// Going on from the checkpoint would lose later results.
    #[error(
        "the folder '{}' holds results after step {step}, from which the run is to go on; it would lose {}: name another \
         folder, or replace them with --overwrite",
        words::path(path), lost.join(", ")
    )]
    Later {
        /// The folder.
        path: PathBuf,
        /// Step of the checkpoint.
        step: u64,
        /// What would be lost.
        lost: Vec<String>,
    },
    /// It belongs to another run than the one to go on with.
    #[error(
        "the run in the folder '{}' {difference}, this one is of '{}' ({}) by '{}': name another folder",
        words::path(path), words::quoted(&this.scene), this.fingerprint, this.backend
    )]
    OtherRun {
        /// The folder.
        path: PathBuf,
        /// In which way it is another one.
        difference: String,
        /// The run to go on with.
        this: Box<RunCard>,
    },
    /// There is no folder for a file.
    #[error("cannot write '{}': there is no folder '{}'", words::path(path), words::path(folder))]
    NoFolder {
        /// The file.
        path: PathBuf,
        /// The folder that it would be in.
        folder: PathBuf,
    },
    /// There is no checkpoint in it.
    #[error("the folder '{}' holds no checkpoint to go on from: start its run anew", words::path(path))]
    NoCheckpoint {
        /// The folder.
        path: PathBuf,
    },
    /// Its run card leads to another file.
    #[error(
        "cannot go on in the folder '{}': its {CARD} is a link, which is not followed; put the file itself in its place",
        words::path(path)
    )]
    Link {
        /// The folder.
        path: PathBuf,
    },
    /// It is no longer held: its run card is not the one that this run has locked.
    #[error(
        "the {CARD} in the folder '{}' is not the one of this run: {found}; nothing more is written there",
        words::path(path)
    )]
    TakenAway {
        /// The folder.
        path: PathBuf,
        /// What was found at the card's path, in words.
        found: String,
    },
    /// Results would take the place of what they are made from.
    #[error(transparent)]
    Input(#[from] ReplacesInput),
}

impl FolderError {
    pub(super) fn file(verb: &'static str, path: &Path, source: io::Error) -> Self {
        Self::File { verb, path: path.to_owned(), source }
    }
}
