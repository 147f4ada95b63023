//! HTTP: paths to answers. The interface is described in `docs/api.md`.

use super::exploration::ExploreRequest;
use super::guard::{Framing, Guard};
use super::interface::Action;
use super::page;
use super::sessions::Sessions;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Path, Query, Request, State};
use axum::http::{Response, StatusCode, header};
use axum::middleware::{self, Next};
use axum::routing::{get, post};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;

/// The number in the paths: it changes when an answer changes its meaning.
pub const VERSION: u32 = 2;

pub fn serve(
    listener: std::net::TcpListener,
    port: u16,
    secret: &str,
    sessions: Arc<Sessions>,
    framing: Framing,
) -> Result<(), String> {
    let guard = Arc::new(Guard { port, secret: secret.to_string(), framing });
    let api = format!("/{{secret}}/api/v{VERSION}");
    let app = Router::new()
        .route("/{secret}/", get(index))
        .route("/{secret}/{file}", get(file))
        .route(&format!("{api}/sessions"), get(list).post(open))
        .route(&format!("{api}/sessions/{{id}}"), post(ask).delete(close))
        .route(&format!("{api}/sessions/{{id}}/progress"), get(progress))
        .route(&format!("{api}/sessions/{{id}}/cancel"), post(cancel))
        .route(&format!("{api}/sessions/{{id}}/explore"), post(explore))
        .route(&format!("{api}/sessions/{{id}}/input"), post(input))
        .layer(DefaultBodyLimit::max(4 << 20))
        .layer(middleware::from_fn_with_state(guard, check))
        .with_state(sessions);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|e| format!("cannot serve: {e}"))?;
    runtime
        .block_on(async {
            listener.set_nonblocking(true)?;
            axum::serve(tokio::net::TcpListener::from_std(listener)?, app).await
        })
        .map_err(|e: std::io::Error| format!("cannot serve: {e}"))
}

type Reply = Response<Body>;

/// The same policy for a page that is shown in a panel of an editor.
const IN_EDITOR: &str = "default-src 'none'; script-src 'self'; connect-src 'self'; \
     img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; \
     form-action 'none'; frame-ancestors vscode-webview:; require-trusted-types-for 'script'";

async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Reply {
    let framing = guard.framing;
    let refused = guard.refusal(request.method(), request.uri().path(), request.headers());
    let mut reply = match refused {
        Some((status, why)) => plain(status, why),
        None => next.run(request).await,
    };
    // Nothing from elsewhere is loaded, run, or told where we are.
    let headers = [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:; \
             style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
             frame-ancestors 'none'; require-trusted-types-for 'script'",
        ),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    for (name, value) in headers {
        reply.headers_mut().insert(name, header::HeaderValue::from_static(value));
    }
    if framing == Framing::Editor {
        reply.headers_mut().remove(header::X_FRAME_OPTIONS);
        let policy = header::HeaderValue::from_static(IN_EDITOR);
        reply.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    let isolation = [
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ];
    for (name, value) in isolation {
        reply.headers_mut().insert(name, header::HeaderValue::from_static(value));
    }
    reply
}

fn with(status: StatusCode, kind: &'static str, body: Body) -> Reply {
    let mut reply = Response::new(body);
    *reply.status_mut() = status;
    reply.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static(kind));
    reply
}

fn plain(status: StatusCode, text: &'static str) -> Reply {
    with(status, "text/plain; charset=utf-8", Body::from(text))
}

fn json_reply(answer: Result<impl Serialize, String>) -> Reply {
    let (status, body) = match &answer {
        Ok(value) => (StatusCode::OK, serde_json::to_string(value)),
        Err(why) => (StatusCode::BAD_REQUEST, serde_json::to_string(&json!({ "error": why }))),
    };
    with(status, "application/json", Body::from(body.expect("an answer is plain data")))
}

fn parsed<T: DeserializeOwned>(body: &Bytes) -> Result<T, String> {
    serde_json::from_slice(body).map_err(|e| format!("this cannot be read: {e}"))
}

/// What is asked of a session.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Asked {
    Look(Vec<Value>),
    Do(Action),
}

#[derive(Deserialize)]
struct OpenRequest {
    #[serde(default)]
    open: Option<String>,
}

#[derive(Deserialize)]
struct InputRequest {
    line: Option<String>,
}

async fn index() -> Reply {
    page_file("")
}

async fn file(Path((_, name)): Path<(String, String)>) -> Reply {
    page_file(&name)
}

fn page_file(name: &str) -> Reply {
    match page::file(name) {
        Some((kind, bytes)) => with(StatusCode::OK, kind, Body::from(bytes)),
        None => plain(StatusCode::NOT_FOUND, "not found"),
    }
}

async fn list(State(sessions): State<Arc<Sessions>>) -> Reply {
    json_reply(Ok(sessions.list()))
}

/// Opening may take long (a recording is replayed), so it happens beside.
async fn open(State(sessions): State<Arc<Sessions>>, body: Bytes) -> Reply {
    let asked: OpenRequest = match parsed(&body) {
        Ok(asked) => asked,
        Err(why) => return json_reply(Err::<(), _>(why)),
    };
    let opened = tokio::task::spawn_blocking(move || sessions.open(asked.open.as_deref())).await;
    let opened = opened.unwrap_or_else(|_| Err("the session could not be opened".into()));
    json_reply(opened.map(|id| json!({ "id": id })))
}

async fn close(State(sessions): State<Arc<Sessions>>, Path((_, id)): Path<(String, u64)>) -> Reply {
    json_reply(sessions.close(id).map(|()| json!({})))
}

async fn ask(
    State(sessions): State<Arc<Sessions>>,
    Path((_, id)): Path<(String, u64)>,
    body: Bytes,
) -> Reply {
    let (asked, worker) = match (parsed(&body), sessions.worker(id)) {
        (Ok(asked), Ok(worker)) => (asked, worker),
        (Err(why), _) | (_, Err(why)) => return json_reply(Err::<(), _>(why)),
    };
    match asked {
        Asked::Do(action) => json_reply(worker.act(action).await),
        Asked::Look(views) => match worker.look(views).await {
            Ok(text) => with(StatusCode::OK, "application/json", Body::from(text)),
            Err(why) => json_reply(Err::<(), _>(why)),
        },
    }
}

async fn progress(
    State(sessions): State<Arc<Sessions>>,
    Path((_, id)): Path<(String, u64)>,
    Query(query): Query<HashMap<String, String>>,
) -> Reply {
    let ticket = query.get("ticket").and_then(|t| t.parse().ok());
    json_reply(sessions.worker(id).map(|worker| worker.progress(ticket)))
}

async fn cancel(
    State(sessions): State<Arc<Sessions>>,
    Path((_, id)): Path<(String, u64)>,
) -> Reply {
    json_reply(sessions.worker(id).map(|worker| {
        worker.cancel();
        json!({})
    }))
}

async fn input(
    State(sessions): State<Arc<Sessions>>,
    Path((_, id)): Path<(String, u64)>,
    body: Bytes,
) -> Reply {
    let typed = parsed(&body)
        .and_then(|asked: InputRequest| sessions.worker(id)?.type_line(asked.line.as_deref()));
    json_reply(typed.map(|()| json!({})))
}

async fn explore(
    State(sessions): State<Arc<Sessions>>,
    Path((_, id)): Path<(String, u64)>,
    body: Bytes,
) -> Reply {
    let done = parsed(&body)
        .and_then(|asked: ExploreRequest| sessions.worker(id)?.explore(&asked))
        .map(|exploration| json!({ "exploration": exploration }));
    json_reply(done)
}
