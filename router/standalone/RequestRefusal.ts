import type { ServerResponse } from 'node:http';

/** A request that is answered without being executed, in the shape of GraphQL. */
export class RequestRefusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }

  answer(response: ServerResponse): void {
    const body = { errors: [{ message: this.message, extensions: { code: this.code } }] };
    response
      .writeHead(this.status, {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        ...this.headers,
      })
      .end(JSON.stringify(body));
  }
}
