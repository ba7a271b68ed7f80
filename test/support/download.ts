import { get, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A file as it came over the wire, byte for byte. */
export interface Download {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Fetches a path of this machine under the name of a host. */
export function download(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Download> {
  return new Promise((done, failed) => {
    get({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      buffer(response)
        .then((bytes) => done({ status: response.statusCode ?? 0, headers: response.headers, bytes }))
        .catch(failed);
    }).once('error', failed);
  });
}
