//! Recordings as files, piece by piece: a large one does not fill the memory, and is sent as fast as it is taken.

use std::io::Read;
use std::path::Path as FilePath;
use std::pin::Pin;
use std::task::{Context as TaskContext, Poll};

use axum::body::{Body, Bytes};
use axum::extract::{Path, RawQuery, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::sync::mpsc;

use super::{Context, refuse};

/// Bytes of a piece, and pieces that wait to be taken.
const PIECE: usize = 64 << 10;
const WAITING: usize = 4;

type Piece = std::io::Result<Bytes>;

/// What is read on another thread.
struct Pieces(mpsc::Receiver<Piece>);

impl hyper::body::Body for Pieces {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut TaskContext<'_>,
    ) -> Poll<Option<std::io::Result<hyper::body::Frame<Bytes>>>> {
        self.0.poll_recv(cx).map(|piece| piece.map(|piece| piece.map(hyper::body::Frame::data)))
    }
}

/// Opens a file and reads it as it is taken; ends when nobody takes it any more.
fn pieces(path: &FilePath) -> std::io::Result<(u64, Pieces)> {
    let mut file = std::fs::File::open(path)?;
    let size = file.metadata()?.len();
    let (sender, receiver) = mpsc::channel(WAITING);
    tokio::task::spawn_blocking(move || {
        let mut room = vec![0_u8; PIECE];
        loop {
            let piece = match file.read(&mut room) {
                Ok(0) => break,
                Ok(n) => Ok(Bytes::copy_from_slice(&room[..n])),
                Err(error) => Err(error),
            };
            let failed = piece.is_err();
            if sender.blocking_send(piece).is_err() || failed {
                break;
            }
        }
    });
    Ok((size, Pieces(receiver)))
}

/// A recording, by its number.
pub(super) async fn fetch(
    State(context): State<Context>,
    Path(number): Path<u64>,
    RawQuery(query): RawQuery,
) -> Response {
    if let Err(refusal) = context.shared.guard.has_token(query.as_deref()) {
        return refuse(refusal);
    }
    let missing = || (StatusCode::NOT_FOUND, "there is no such recording").into_response();
    let Some((_, ending, path)) = context.shared.engine.feed.recording(number) else {
        return missing();
    };
    let Ok((size, pieces)) = pieces(&path) else { return missing() };
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_LENGTH, size.to_string()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"throng-{number}.{ending}\"")),
    ];
    (headers, Body::new(pieces)).into_response()
}
