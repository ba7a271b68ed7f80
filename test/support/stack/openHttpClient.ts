import { Agent, request as startRequest } from 'node:http';

/** A request that is sent unchanged: the client neither normalizes, completes nor refuses it. */
export interface HttpRequest {
  method?: string;
  /** Path and query, as in the request line. */
  path: string;
  /** `Host` header, which selects the installation. */
  host?: string;
  token?: string | undefined;
  /** Further headers as pairs, so that a name can be repeated. */
  headers?: readonly (readonly [string, string])[];
  /** An object is sent as JSON, with its media type unless a header states one. */
  body?: string | Buffer | object | undefined;
}

/** The answer. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** The body, if it is JSON. */
  json: any;
}

/** A client of one port that keeps its connections. */
export interface HttpClient {
  send(request: HttpRequest): Promise<HttpAnswer>;
  close(): void;
}

export function openHttpClient(port: number): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  return {
    send: (request) => send(port, agent, request),
    close: () => agent.destroy(),
  };
}

function send(
  port: number,
  agent: Agent,
  { method = 'GET', path, host = `127.0.0.1:${port}`, token, headers = [], body }: HttpRequest,
): Promise<HttpAnswer> {
  const bytes = toBytes(body);
  const stated = new Set(headers.map(([name]) => name.toLowerCase()));
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body) && !stated.has('content-type');
  const isCounted = bytes !== null && !stated.has('content-length') && !stated.has('transfer-encoding');
  const all: (readonly [string, string])[] = [
    ['host', host],
    ...(token === undefined ? [] : ([['authorization', `Bearer ${token}`]] as const)),
    ...(isJson ? ([['content-type', 'application/json']] as const) : []),
    ...(isCounted ? ([['content-length', String(bytes.length)]] as const) : []),
    // Otherwise, the client would announce a chunked body and send none.
    ...(bytes === null && method !== 'GET' && method !== 'HEAD' ? ([['content-length', '0']] as const) : []),
    ...headers,
  ];
  return new Promise((answered, failed) => {
    const outgoing = startRequest(
      { host: '127.0.0.1', port, agent, method, path, headers: all.flat() },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', failed);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          answered({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: toJson(text, response.headers['content-type'] ?? ''),
          });
        });
      },
    );
    outgoing.on('error', failed);
    outgoing.end(bytes ?? undefined);
  });
}

function toBytes(body: HttpRequest['body']): Buffer | null {
  if (body === undefined) return null;
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function toJson(text: string, mediaType: string): unknown {
  return /[/+]json\b/.test(mediaType) && text !== '' ? JSON.parse(text) : undefined;
}
