// Talking to the server. Looks that are asked for in one moment travel together.

import type { Progress } from "./types";

const ROOT = new URL("api/v1/", document.baseURI).href;

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

export const listSessions = () =>
  send<{ sessions: { id: number; title: string }[] }>("GET", "sessions");

export const openSession = (path: string | null) =>
  send<{ id: number }>("POST", "sessions", { open: path });

interface Asked {
  view: string;
  args: Record<string, unknown>;
  resolve: (data: unknown) => void;
  reject: (why: Error) => void;
}

interface Looked {
  version: number;
  moves: { back: number; forward: number };
  answers: { view: string; data?: unknown; error?: string; ms?: number }[];
}

export class Session {
  private waiting: Asked[] = [];
  /** Called with what every answer says beside the views. */
  onLooked: (looked: Looked) => void = () => {};

  constructor(readonly id: number) {}

  private path(rest = "") {
    return `sessions/${this.id}${rest}`;
  }

  look<T>(view: string, args: Record<string, unknown> = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
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

  act(action: Record<string, unknown>): Promise<Progress> {
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

  explore(options: Record<string, unknown>): Promise<unknown> {
    return send("POST", this.path("/explore"), options);
  }
}
