import { Http2ServerRequest, Http2ServerResponse } from 'node:http2';

/**
 * A request over HTTP/2 that says its host, and that a body follows, where requests of HTTP/1.1 say it: what reads bodies
 * looks at these headers, which HTTP/2 has no need of.
 */
export class Request extends Http2ServerRequest {
  constructor(...args: ConstructorParameters<typeof Http2ServerRequest>) {
    super(...args);
    const { headers, authority, stream } = this;
    if (authority) headers.host = authority;
    if (!stream.endAfterHeaders && headers['content-length'] === undefined)
      headers['transfer-encoding'] = 'chunked';
  }
}

/** An answer over HTTP/2 with what is asked of those of HTTP/1.1 besides. */
export class Response extends Http2ServerResponse {
  /** What compression calls before a first byte whose headers nobody wrote. */
  _implicitHeader(): void {
    this.writeHead(this.statusCode);
  }
}

// Its types promise it, and it is not there.
Object.defineProperty(Response.prototype, 'destroyed', {
  get(this: Response) {
    return this.stream.destroyed;
  },
});
