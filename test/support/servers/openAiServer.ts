import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the provider received. */
interface AiCall {
  url: string;
  headers: IncomingHttpHeaders;
  /** Text of the body, byte by byte. */
  text: string;
  body: any;
}

/** Behaviour of the provider for one request. */
type AiBehaviour = (call: AiCall, response: ServerResponse) => void | Promise<void>;

/** A model provider on the loopback with the chat completions protocol. */
export interface AiServer {
  /** `host:port` */
  readonly host: string;
  readonly baseUrl: string;
  readonly calls: AiCall[];
  /** Behaviours for the next requests, one each. The last one remains. */
  play(...behaviours: AiBehaviour[]): void;
  close(): Promise<void>;
}

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

/** A successful completion with this text. */
export function completion(content: string | null, changes: object = {}): AiBehaviour {
  return (_, response) => sendJson(response, 200, completionOf(content, changes));
}

/** The body of a completion. */
export function completionOf(content: string | null, changes: object = {}): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'small',
    choices: [{ index: 0, message: { role: 'assistant', content, refusal: null }, finish_reason: 'stop' }],
    usage,
    ...changes,
  };
}

/** An error of the protocol. */
export function failure(
  status: number,
  error: object = {},
  headers: Record<string, string> = {},
): AiBehaviour {
  return (_, response) =>
    sendJson(response, status, { error: { message: 'private text of the provider', ...error } }, headers);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Opens the provider. The caller closes it in `afterAll`. */
export async function openAiServer(): Promise<AiServer> {
  const calls: AiCall[] = [];
  let script: AiBehaviour[] = [completion('{}')];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const call = { url: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) };
    calls.push(call);
    const [next] = script;
    if (script.length > 1) script = script.slice(1);
    await next?.(call, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    baseUrl: `http://${host}/v1`,
    calls,
    play(...behaviours) {
      script = behaviours;
    },
    async close() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}
