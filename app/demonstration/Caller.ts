import { setTimeout as pause } from 'node:timers/promises';
import type { ExecutionResult } from 'graphql';
import { parse } from 'graphql';
import type { Router } from '../../router/createRouter.ts';
import type { Prepared } from '../../router/execution/Engine.ts';
import type { Platform } from '../../subgraphs/platform/context/Platform.ts';
import { RequestContext } from '../../subgraphs/platform/context/RequestContext.ts';
import type { Installation } from '../../subgraphs/platform/installation/Installation.ts';
import { nameOf, seedOperation } from './seedOperation.ts';

/** Calls the product's operations inside the process on behalf of one user, with all guards. */
export interface Caller {
  /** @throws Error with the first refusal: every request of the seed must succeed */
  call<T>(source: string, variables?: Record<string, unknown>): Promise<T>;
}

const issueToken = seedOperation(
  `mutation issueToken($input: IssueTokenInput!) { issueToken(input: $input) { tokens { accessToken } } }`,
);

/** Signs a user in and returns its caller; the token is renewed by signing in again before it expires. */
export async function signIn(
  { platform, router }: { platform: Platform; router: Router },
  installation: Installation,
  credentials: { username: string; password: string },
): Promise<Caller> {
  const prepared = new Map<string, Promise<Prepared>>();
  const call = async <T>(source: string, variables: Record<string, unknown>, token?: string): Promise<T> => {
    let operation = prepared.get(source);
    if (!operation) {
      operation = router.prepare(parse(source), nameOf(source));
      prepared.set(source, operation);
    }
    const origin = {
      installation,
      clientAddress: '127.0.0.1',
      userAgent: 'demonstration',
      skipsRateLimits: true,
      authorization: token === undefined ? undefined : `Bearer ${token}`,
    };
    for (let attempt = 1; ; attempt++) {
      const result = await (await operation).execute(variables, new RequestContext(platform, origin));
      if (attempt === mostAttempts || !isTransient(result)) return unwrap(result) as T;
      await pause(attempt * 1000);
    }
  };
  const input = { grantType: 'password', ...credentials };
  const { issueToken: issued } = await call<{ issueToken: { tokens: { accessToken: string } } }>(issueToken, {
    input,
  });
  return { call: (source, variables = {}) => call(source, variables, issued.tokens.accessToken) };
}

/** A slow machine may miss a deadline; every call of the seed can be repeated, because its writes carry keys. */
const mostAttempts = 6;
const transient: ReadonlySet<unknown> = new Set([
  'unavailable',
  'concurrent_update',
  'idempotency_in_progress',
]);

function isTransient({ errors: [first] = [] }: ExecutionResult): boolean {
  const { code, problem } = (first?.extensions ?? {}) as { code?: string; problem?: { code?: string } };
  return code === 'UPSTREAM_TIMEOUT' || code === 'UPSTREAM_UNAVAILABLE' || transient.has(problem?.code);
}

function unwrap({ data, errors }: ExecutionResult): unknown {
  const [first] = errors ?? [];
  if (first) throw new Error(`${first.message} ${JSON.stringify(first.extensions.problem ?? {})}`);
  return data;
}
