//! HTTP: paths to answers. The interface is described in `docs/api.md`.

use super::desk::Desk;
use super::guard::Guard;
use super::page;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Path, Query, Request, State};
use axum::http::{Response, StatusCode, header};
use axum::middleware::{self, Next};
use axum::routing::{get, post};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;

/// The number in the paths: it changes when an answer changes its meaning.
pub const VERSION: u32 = 1;

pub fn serve(
    listener: std::net::TcpListener,
    port: u16,
    secret: &str,
    desk: Arc<Desk>,
) -> Result<(), String> {
    let guard = Arc::new(Guard { port, secret: secret.to_string() });
    let api = format!("/{{secret}}/api/v{VERSION}");
    let app = Router::new()
        .route("/{secret}/", get(index))
        .route("/{secret}/{file}", get(file))
        .route(&format!("{api}/sessions"), get(sessions).post(open))
        .route(&format!("{api}/sessions/{{id}}"), post(ask).delete(close))
        .route(&format!("{api}/sessions/{{id}}/progress"), get(progress))
        .route(&format!("{api}/sessions/{{id}}/cancel"), post(cancel))
        .route(&format!("{api}/sessions/{{id}}/explore"), post(explore))
        .route(&format!("{api}/sessions/{{id}}/input"), post(input))
        .layer(DefaultBodyLimit::max(4 << 20))
        .layer(middleware::from_fn_with_state(guard, check))
        .with_state(desk);
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

async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Reply {
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

fn json_reply(answer: Result<Value, String>) -> Reply {
    match answer {
        Ok(value) => with(StatusCode::OK, "application/json", Body::from(value.to_string())),
        Err(why) => {
            let body = json!({ "error": why }).to_string();
            with(StatusCode::BAD_REQUEST, "application/json", Body::from(body))
        }
    }
}

fn parsed(body: &Bytes) -> Result<Value, String> {
    serde_json::from_slice(body).map_err(|e| format!("this is no JSON: {e}"))
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

async fn sessions(State(desk): State<Arc<Desk>>) -> Reply {
    json_reply(Ok(desk.list()))
}

/// Opening may take long (a recording is lived through again), so it happens beside.
async fn open(State(desk): State<Arc<Desk>>, body: Bytes) -> Reply {
    let asked = match parsed(&body) {
        Ok(asked) => asked,
        Err(why) => return json_reply(Err(why)),
    };
    let path = asked["open"].as_str().map(str::to_string);
    let opened = tokio::task::spawn_blocking(move || desk.open(path.as_deref())).await;
    let opened = opened.unwrap_or_else(|_| Err("the session could not be opened".into()));
    json_reply(opened.map(|id| json!({ "id": id })))
}

async fn close(State(desk): State<Arc<Desk>>, Path((_, id)): Path<(String, u64)>) -> Reply {
    json_reply(desk.close(id).map(|()| json!({})))
}

async fn ask(
    State(desk): State<Arc<Desk>>,
    Path((_, id)): Path<(String, u64)>,
    body: Bytes,
) -> Reply {
    let (asked, worker) = match (parsed(&body), desk.worker(id)) {
        (Ok(asked), Ok(worker)) => (asked, worker),
        (Err(why), _) | (_, Err(why)) => return json_reply(Err(why)),
    };
    match worker.ask(asked).await {
        Ok(text) => with(StatusCode::OK, "application/json", Body::from(text)),
        Err(why) => json_reply(Err(why)),
    }
}

async fn progress(
    State(desk): State<Arc<Desk>>,
    Path((_, id)): Path<(String, u64)>,
    Query(query): Query<HashMap<String, String>>,
) -> Reply {
    let ticket = query.get("ticket").and_then(|t| t.parse().ok());
    json_reply(desk.worker(id).map(|worker| worker.progress(ticket)))
}

async fn cancel(State(desk): State<Arc<Desk>>, Path((_, id)): Path<(String, u64)>) -> Reply {
    json_reply(desk.worker(id).map(|worker| {
        worker.cancel();
        json!({})
    }))
}

async fn input(
    State(desk): State<Arc<Desk>>,
    Path((_, id)): Path<(String, u64)>,
    body: Bytes,
) -> Reply {
    let typed = parsed(&body).and_then(|asked| desk.worker(id)?.type_line(asked["line"].as_str()));
    json_reply(typed.map(|()| json!({})))
}

async fn explore(
    State(desk): State<Arc<Desk>>,
    Path((_, id)): Path<(String, u64)>,
    body: Bytes,
) -> Reply {
    let asked = match parsed(&body) {
        Ok(asked) => asked,
        Err(why) => return json_reply(Err(why)),
    };
    json_reply(desk.worker(id).and_then(|worker| worker.explore(&asked)))
}
