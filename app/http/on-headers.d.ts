/** Runs a function just before the headers of a response are written; `compression` uses the same package. */
declare module 'on-headers' {
  import type { ServerResponse } from 'node:http';

  export default function onHeaders(response: ServerResponse, listener: () => void): void;
}
