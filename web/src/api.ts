// Talking to the server. Looks that are asked for in one moment travel together.

import type { Action, ExploreRequest, Looked, Progress, SessionList, Views } from "./types";

const ROOT = new URL("api/v2/", document.baseURI).href;

export class Refused extends Error {}

async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init: RequestInit = { method };
  if (body !== undefined) {
    init.headers = { "content-type": "application/json" };
    init.body = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch(ROOT + path, init);
  } catch {
    throw new Refused("The server does not answer: it was ended.");
  }
  const text = await response.text();
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new Refused(text || response.statusText);
  }
  const error = (answer as { error?: string }).error;
  if (!response.ok) throw new Refused(error ?? response.statusText);
  return answer as T;
}

export const listSessions = () => send<SessionList>("GET", "sessions");

export const openSession = (path: string | null) =>
  send<{ id: number }>("POST", "sessions", { open: path });

export type ViewName = keyof Views;

interface Waiting {
  view: ViewName;
  args: object;
  resolve: (data: unknown) => void;
  reject: (why: Error) => void;
}

export class Session {
  private waiting: Waiting[] = [];
  /** Called with what every answer says beside the views. */
  onLooked: (looked: Looked) => void = () => {};

  constructor(readonly id: number) {}

  private path(rest = "") {
    return `sessions/${this.id}${rest}`;
  }

  look<V extends ViewName>(view: V, args: Views[V]["asked"]): Promise<Views[V]["answer"]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ view, args, resolve: resolve as (d: unknown) => void, reject });
      if (this.waiting.length === 1) queueMicrotask(() => void this.flush());
    });
  }

  private async flush() {
    const asked = this.waiting;
    this.waiting = [];
    const look = asked.map(({ view, args }) => ({ ...args, view }));
    try {
      const looked = await send<Looked>("POST", this.path(), { look });
      looked.answers.forEach((answer, i) => {
        if (answer.error !== undefined) asked[i].reject(new Refused(answer.error));
        else asked[i].resolve(answer.data);
      });
      this.onLooked(looked);
    } catch (why) {
      asked.forEach((one) => one.reject(why as Error));
    }
  }

  act(action: Action): Promise<Progress> {
    return send<Progress>("POST", this.path(), { do: action });
  }

  progress(ticket: number | null): Promise<Progress> {
    const query = ticket === null ? "" : `?ticket=${ticket}`;
    return send<Progress>("GET", this.path("/progress") + query);
  }

  cancel(): Promise<unknown> {
    return send("POST", this.path("/cancel"), {});
  }

  type(line: string | null): Promise<unknown> {
    return send("POST", this.path("/input"), { line });
  }

  explore(options: ExploreRequest): Promise<unknown> {
    return send("POST", this.path("/explore"), options);
  }
}
