import { randomUUID } from 'node:crypto';
import { introspectionFromSchema } from 'graphql';
import type { RequestContext } from '../../subgraphs/platform/context/RequestContext.ts';
import { AppError } from '../../subgraphs/platform/errors/AppError.ts';
import type { Router } from '../createRouter.ts';
import { cacheAnswer } from '../operations/answerCached.ts';
import type { GraphqlEndpoint } from './graphqlEndpoint.ts';
import { planGuard } from './planEndpoint.ts';
import { printClientSchema } from './printClientSchema.ts';
import { sendFailure } from './sendFailure.ts';
import { sendText } from './sendJson.ts';

/** Forms in which the schema can be read. */
const schemaForms = {
  sdl: {
    contentType: 'text/plain; charset=utf-8',
    print: ({ apiSchema, supergraph }: Router) => printClientSchema(apiSchema, supergraph),
  },
  introspection: {
    contentType: 'application/json; charset=utf-8',
    print: ({ apiSchema }: Router) => JSON.stringify({ data: introspectionFromSchema(apiSchema) }),
  },
} as const;

/**
 * Creates the endpoint of the schema that clients see, in one form, with an `ETag`. Everyone can read it while
 * introspection is on. Otherwise it requires the permission `plans:read`, which operators hold, and each use is recorded.
 */
export function schemaEndpoint(router: Router, form: keyof typeof schemaForms): GraphqlEndpoint {
  const { contentType, print } = schemaForms[form];
  let text: string | undefined;
  return async (request, response) => {
    let context: RequestContext | undefined;
    try {
      const requestId = randomUUID();
      response.setHeader('X-Request-Id', requestId);
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.setHeader('Allow', 'GET, HEAD');
        throw new AppError('method_not_allowed', 'The schema must be requested with GET.');
      }
      context = router.openContext(request, { requestId, response });
      if (!router.introspection) {
        response.appendHeader('Vary', 'Authorization');
        await router.admit(planGuard, 'readSchema', context);
      }
      text ??= print(router);
      const { headers, isKnown } = cacheAnswer(text, request.headers['if-none-match']);
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      if (isKnown) return void response.writeHead(304).end();
      sendText(response, 200, { 'content-type': contentType }, text);
    } catch (error) {
      sendFailure(router, response, error, context);
    }
  };
}
