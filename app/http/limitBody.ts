import type { IncomingMessage } from 'node:http';

/** Paths whose bodies may take any time while bytes arrive. */
const uploadPaths = /^\/api\/v1\/(?:uploads\/|media(?:$|\?)|dealers\/[^/?]+\/listing-imports(?:$|\?))/;
/** A little longer than the timeout of the reader of bodies, so that its response is sent first. */
const timeLimitMs = 35_000;

/**
 * Closes the connection of a request whose body is not complete within the limit. An upload may take longer, if bytes
 * arrive in every period of that length. Node's own `requestTimeout` has one value for all paths.
 */
export function limitBody(request: IncomingMessage, limitMs = timeLimitMs): void {
  const { headers, socket, url = '' } = request;
  const length = headers['content-length'];
  if (headers['transfer-encoding'] === undefined && (length === undefined || length === '0')) return;
  const isUpload = uploadPaths.test(url);
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    const arrived = socket.bytesRead > seen;
    seen = socket.bytesRead;
    if (!request.complete && !(isUpload && arrived)) request.socket.destroy();
  }, limitMs).unref();
  const stop = (): void => clearInterval(timer);
  request.once('end', stop).once('close', stop);
}
