import type { RequestListener } from 'node:http';
import express, { type Express } from 'express';
import { Request, Response } from './Exchange.ts';

/**
 * An app of Express for requests of both versions. Express gives each request and response its own prototypes, which
 * stand over those of HTTP/1.1; here the same members stand over those of HTTP/2 for what came that way.
 */
export function withHttp2(app: Express): RequestListener {
  const twin: unknown = Object.create(app, {
    request: { value: over(Request.prototype, express.request, app) },
    response: { value: over(Response.prototype, express.response, app) },
  });
  const { handle } = app as unknown as { handle: RequestListener };
  return (request, response) =>
    handle.call((request.httpVersionMajor < 2 ? app : twin) as never, request, response);
}

function over(base: object, members: object, app: Express): object {
  const prototype = Object.create(base, Object.getOwnPropertyDescriptors(members)) as object;
  return Object.create(prototype, {
    app: { value: app, configurable: true, enumerable: true, writable: true },
  }) as object;
}
