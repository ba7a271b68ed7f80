import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Guard } from '../../schema/guards/readGuard.ts';
import type { RequestContext } from '../../subgraphs/platform/context/RequestContext.ts';
import { AppError } from '../../subgraphs/platform/errors/AppError.ts';
import type { Router } from '../createRouter.ts';
import { createBodyReader } from './createBodyReader.ts';
import type { GraphqlEndpoint } from './graphqlEndpoint.ts';
import { sendFailure } from './sendFailure.ts';
import { sendGraphql, sendJson } from './sendJson.ts';

/** A plan names subgraphs and fields that no client sees: it is for operators. */
export const planGuard: Guard = { permission: { name: 'plans:read', breadth: 'ANY' } };

/** Document of a client, at most of the allowed size. */
const readBody = createBodyReader(256 * 1024);

/**
 * Creates `POST /graphql/plan`, which returns how an operation would be executed: `{"query", "operationName"?}` ->
 * `{planHash, operationType, rootFields, plan}`, where `plan` is indented text. Nothing is executed. It requires the
 * permission `plans:read`, which operators hold; each use is recorded. Failures have the same format as in `/graphql`.
 */
export function planEndpoint(router: Router): GraphqlEndpoint {
  return async (request, response) => {
    let context: RequestContext | undefined;
    try {
      const requestId = randomUUID();
      response.setHeader('X-Request-Id', requestId);
      response.setHeader('Cache-Control', 'no-store');
      if (request.method !== 'POST') {
        response.setHeader('Allow', 'POST');
        throw new AppError('method_not_allowed', 'A query plan must be requested with POST.');
      }
      context = router.openContext(request, { requestId, response });
      await router.admit(planGuard, 'explainPlan', context);
      await explain(router, context, request, response);
    } catch (error) {
      sendFailure(router, response, error, context);
    }
  };
}

async function explain(
  router: Router,
  { platform, requestId }: RequestContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = await readBody(request, response);
  if (text === null)
    throw new AppError('unsupported_media_type', 'The body must be sent as application/json.');
  const { query, operationName } = readQuestion(text);
  const prepared = await router.engine.prepare(query, operationName);
  if ('errors' in prepared)
    return sendGraphql(response, 400, { errors: prepared.errors.map((error) => error.toJSON()) });
  const { planHash, operationType, rootFields } = prepared;
  platform.log.info({ requestId, planHash }, 'plan explained');
  sendJson(response, 200, { planHash, operationType, rootFields, plan: router.engine.explain(prepared) });
}

function readQuestion(text: string): { query: string; operationName: string | undefined } {
  let question: unknown;
  try {
    question = JSON.parse(text);
  } catch {
    throw new AppError('invalid_json', 'The body is not valid JSON.');
  }
  const { query, operationName } = Object(question) as Record<string, unknown>;
  if (typeof query !== 'string')
    throw new AppError('validation_failed', 'Must be the name of the operation.', {
      errors: [
        {
          pointer: '/query',
          code: 'required',
          detail: 'Must be the document of the operation, as a string.',
        },
      ],
    });
  return { query, operationName: typeof operationName === 'string' ? operationName : undefined };
}
