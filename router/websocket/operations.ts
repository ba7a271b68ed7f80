import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  type ExecutionArgs,
  type ExecutionResult,
  type FormattedExecutionResult,
  type GraphQLError,
} from 'graphql';
import type { ServerOptions, SubscribePayload } from 'graphql-ws';
import { overloadedAdvice } from '../../schema/upstreamProblems.ts';
import type { RequestContext } from '../../subgraphs/platform/context/RequestContext.ts';
import { readAuthorization } from '../../subgraphs/platform/credentials/readBearerToken.ts';
import { AppError } from '../../subgraphs/platform/errors/AppError.ts';
import { toPublicError } from '../../subgraphs/platform/errors/toPublicError.ts';
import { withProblem } from '../../subgraphs/platform/errors/withProblem.ts';
import type { Router } from '../createRouter.ts';
import type { Prepared } from '../execution/Engine.ts';
import { wantsDeprecations, withDeprecations } from '../http/deprecations.ts';
import type { OperationsLog } from '../http/operationsLog.ts';
import { type DocumentStores, findInMessage, prepareFound } from '../operations/findDocument.ts';
import type { EndableStream } from '../transport/mapEvents.ts';
import { type Connection, closeCodes } from './Connection.ts';
import { endStream } from './endStream.ts';

/** Where the documents of operations come from, and where they are noted. */
export interface AskedOptions {
  readonly operations?: OperationsLog | undefined;
  readonly documents: DocumentStores;
}

/** The client of a connection. */
export interface Caller {
  readonly request: IncomingMessage;
  readonly connection: Connection;
  /** Credentials of `connection_init`, or of the request that opened the connection. */
  authorization: string | string[] | undefined;
}

/** An operation that can be executed. */
interface Execution {
  readonly prepared: Prepared;
  readonly context: RequestContext;
  readonly wantsDeprecations: boolean;
  /** Called when the execution has ended. */
  end(): void;
}

type Params = Readonly<Record<string, unknown>> | undefined;

/** Preallocated, because constructing an error is expensive under load. */
const overloaded = new AppError('unavailable', overloadedAdvice, { retryAfter: 1 });

/** Returns what the implementation of the protocol calls for the messages of a client. */
export function answerOperations(router: Router, asked: AskedOptions): ServerOptions<Params & {}, Caller> {
  return {
    async onConnect({ connectionParams, extra }) {
      extra.authorization = readCredentials(connectionParams, extra.request);
      return !(await closeIfRejected(router, openContext(router, extra), extra.connection));
    },
    onSubscribe: ({ extra }, _id, payload) => prepare(router, asked, extra, payload),
    async execute({ rootValue, variableValues }) {
      const { prepared, context, end } = rootValue as Execution;
      try {
        return await prepared.execute(variableValues, context);
      } catch (error) {
        return failed(router, error, context);
      } finally {
        end();
      }
    },
    async subscribe({ rootValue, variableValues }) {
      const { prepared, context } = rootValue as Execution;
      try {
        return await prepared.subscribe(variableValues, context);
      } catch (error) {
        return failed(router, error, context);
      }
    },
    onOperation({ extra }, _id, _payload, { rootValue }, result) {
      const execution = rootValue as Execution;
      if (isStream(result)) return watchStream(router, extra.connection, execution, result);
      execution.end();
      return undefined;
    },
    onNext(_caller, _id, _payload, { rootValue }, result) {
      const { prepared, context, wantsDeprecations: isWanted } = rootValue as Execution;
      const errors = result.errors?.map((error) => withProblem(error, context).toJSON());
      const shown = { ...result, ...(errors && { errors }) } as FormattedExecutionResult;
      return isWanted ? withDeprecations(shown, prepared, router.apiSchema) : shown;
    },
  };
}

function openContext(
  router: Router,
  { request, authorization }: Caller,
  signal?: AbortSignal,
): RequestContext {
  return router.openContext(request, {
    requestId: randomUUID(),
    authorization,
    ...(signal && { signal }),
  });
}

/** Prepares an operation, or returns the errors for which it is not executed. */
async function prepare(
  router: Router,
  { operations, documents }: AskedOptions,
  caller: Caller,
  payload: SubscribePayload,
): Promise<ExecutionArgs | readonly GraphQLError[]> {
  const { signal, end } = caller.connection.begin();
  const context = openContext(router, caller, signal);
  const refuse = (errors: readonly GraphQLError[]): readonly GraphQLError[] => {
    end();
    return errors.map((error) => withProblem(error, context));
  };
  try {
    if (router.isFull()) throw overloaded;
    const rejection = await closeIfRejected(router, context, caller.connection);
    if (rejection) throw rejection;
    const found = findInMessage({ ...payload }, documents);
    const prepared = await prepareFound(router.engine, found, found.text, payload.operationName);
    if ('errors' in prepared) return refuse(prepared.errors);
    operations?.note(prepared);
    const isWanted = wantsDeprecations(payload.extensions);
    return {
      schema: router.apiSchema,
      document: prepared.document,
      operationName: payload.operationName || null,
      variableValues: payload.variables ?? null,
      rootValue: { prepared, context, wantsDeprecations: isWanted, end } satisfies Execution,
    };
  } catch (error) {
    return refuse(failed(router, error, context).errors);
  }
}

/**
 * Closes a connection whose token is not accepted, or no longer. Clients of the protocol then connect again, for which
 * they ask their application for a token.
 */
async function closeIfRejected(
  router: Router,
  context: RequestContext,
  connection: Connection,
  fresh = false,
): Promise<AppError | undefined> {
  const identity = await router.identify(context, fresh);
  if (identity.kind !== 'rejected') return undefined;
  connection.close(closeCodes.forbidden, identity.error.code);
  return identity.error;
}

/** Counts a subscription while it lasts. If it ends because its caller lost access, the connection ends too. */
function watchStream(
  router: Router,
  connection: Connection,
  { context, end }: Execution,
  source: EndableStream<ExecutionResult>,
): EndableStream<ExecutionResult> {
  const release = connection.beginStream();
  return endStream(source, {
    onFailure: (error) => failed(router, error, context),
    async onEnd() {
      // If the caller cannot be read now, the stream ends without a reason.
      await closeIfRejected(router, context.forEvent(), connection, true).catch(() => undefined);
    },
    release() {
      release();
      end();
    },
  });
}

function isStream(result: unknown): result is EndableStream<ExecutionResult> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}

function failed(
  { log }: Pick<Router, 'log'>,
  error: unknown,
  { requestId }: RequestContext,
): { errors: readonly GraphQLError[] } {
  return { errors: [toPublicError(error, log, { requestId })] };
}

/** Returns the credentials of a client: `Authorization` of `connection_init`, otherwise of the opening request. */
function readCredentials(params: Params, { rawHeaders }: IncomingMessage): string | string[] | undefined {
  const stated = Object.entries(params ?? {}).filter(([name]) => name.toLowerCase() === 'authorization');
  const values = stated.map(([, value]) => String(value));
  if (values.length === 0) return readAuthorization(rawHeaders);
  return values.length === 1 ? values[0] : values;
}
