import { randomUUID } from 'node:crypto';
import express, { Router as ExpressRouter, type RequestHandler } from 'express';
import type { Guard } from '../../schema/guards/readGuard.ts';
import type { RequestContext } from '../../subgraphs/platform/context/RequestContext.ts';
import { AppError } from '../../subgraphs/platform/errors/AppError.ts';
import type { Router } from '../createRouter.ts';
import { toJsonText } from './toJsonText.ts';

/** What is asked about; a document of the size that clients may send. */
const maxBodyBytes = 256 * 1024;

/** A plan names subgraphs and fields that no client sees: it is for those who run the platform. */
export const planGuard: Guard = { permission: { name: 'plans:read', breadth: 'ANY' } };

/**
 * `POST /graphql/plan` tells how an operation would be executed: `{"query", "operationName"?}` ->
 * `{planHash, operationType, rootFields, plan}`, where `plan` is indented text. Nothing is executed. Needs the permission
 * `plans:read`, which operators hold; each use is written down. What fails is answered in the shape of `/graphql`.
 */
export function planEndpoint(router: Router): ExpressRouter {
  const endpoint = ExpressRouter();
  endpoint.all(
    '/',
    admit(router),
    express.raw({ type: 'application/json', limit: maxBodyBytes }),
    explain(router),
  );
  return endpoint;
}

function admit(router: Router): RequestHandler {
  return async (request, response, next) => {
    const requestId = randomUUID();
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('Cache-Control', 'no-store');
    if (request.method !== 'POST') {
      response.setHeader('Allow', 'POST');
      throw new AppError('method_not_allowed', 'A plan is asked for by POST.');
    }
    const context = router.openContext(request, { requestId, response });
    response.locals.context = context;
    await router.admit(planGuard, 'explainPlan', context);
    next();
  };
}

function explain(router: Router): RequestHandler {
  return async (request, response) => {
    const context = response.locals.context as RequestContext;
    if (!Buffer.isBuffer(request.body))
      throw new AppError('unsupported_media_type', 'The body is sent as application/json.');
    const { query, operationName } = readQuestion(toJsonText(request.body));
    const prepared = await router.engine.prepare(query, operationName);
    if ('errors' in prepared) {
      response.status(400).json({ errors: prepared.errors.map((error) => error.toJSON()) });
      return;
    }
    const { planHash, operationType, rootFields } = prepared;
    const plan = router.engine.explain(prepared);
    context.platform.log.info({ requestId: context.requestId, planHash }, 'plan explained');
    response.status(200).json({ planHash, operationType, rootFields, plan });
  };
}

function readQuestion(text: string): { query: string; operationName: string | undefined } {
  let question: unknown;
  try {
    question = JSON.parse(text);
  } catch {
    throw new AppError('invalid_json', 'The body is no JSON.');
  }
  const { query, operationName } = Object(question) as Record<string, unknown>;
  if (typeof query !== 'string')
    throw new AppError('validation_failed', 'Name the operation.', {
      errors: [{ pointer: '/query', code: 'required', detail: 'The document of the operation, as text.' }],
    });
  return { query, operationName: typeof operationName === 'string' ? operationName : undefined };
}
