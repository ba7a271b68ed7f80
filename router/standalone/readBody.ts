import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { RequestRefusal } from './RequestRefusal.ts';

/** Largest body in bytes. */
const maxBytes = 1024 * 1024;
/** Longest time until the last byte of a body has come. */
const maxMs = 30_000;

/**
 * Reads a body as text. A body that does not come to its end in time loses its connection.
 *
 * @throws RequestRefusal 413 for a larger one, 400 for what is no UTF-8, 415 for a compressed one
 */
export async function readBody(request: IncomingMessage): Promise<string> {
  const { 'content-encoding': encoding = 'identity', 'content-length': length } = request.headers;
  if (encoding !== 'identity')
    throw new RequestRefusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'Compressed bodies are not accepted.');
  if (Number(length ?? 0) > maxBytes) throw tooLarge();
  const timer = setTimeout(() => request.destroy(), maxMs).unref();
  const body = await collect(request).finally(() => clearTimeout(timer));
  if (!isUtf8(body)) throw new RequestRefusal(400, 'BAD_REQUEST', 'The body is not UTF-8 text.');
  return body.toString('utf8');
}

/** Not by iteration: whoever leaves that early loses the connection, and the client his answer. */
function collect(request: IncomingMessage): Promise<Buffer> {
  return new Promise((read, failed) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else failed(tooLarge());
    });
    request.once('end', () => read(Buffer.concat(chunks)));
    request.once('close', () => failed(new Error('The client left.')));
    request.once('error', failed);
  });
}

function tooLarge(): RequestRefusal {
  return new RequestRefusal(413, 'PAYLOAD_TOO_LARGE', `The body may have at most ${maxBytes} bytes.`, {
    connection: 'close',
  });
}
