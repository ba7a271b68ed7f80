import { setTimeout as pause } from 'node:timers/promises';
import type { ExecutionResult } from 'graphql';
import { parse } from 'graphql';
import type { Router } from '../../router/createRouter.ts';
import type { Prepared } from '../../router/execution/Engine.ts';
import { openSession } from '../../subgraphs/identity/people/session/openSession.ts';
import { UserModel } from '../../subgraphs/identity/people/user/model.ts';
import type { Platform } from '../../subgraphs/platform/context/Platform.ts';
import { RequestContext } from '../../subgraphs/platform/context/RequestContext.ts';
import type { Installation } from '../../subgraphs/platform/installation/Installation.ts';
import { reads } from '../../subgraphs/platform/installation/scoped.ts';
import { nameOf } from './seedOperation.ts';

/** Calls the product's operations inside the process on behalf of one user, with all guards. */
export interface Caller {
  /** @throws Error with the first refusal: every request of the seed must succeed */
  call<T>(source: string, variables?: Record<string, unknown>): Promise<T>;
}

/** A user of the demonstration that the data does not have. Samples cannot be completed by another start. */
export class MissingUser extends Error {
  constructor(email: string) {
    super(`The data was created by an earlier version and has no user ${email}.`);
    this.name = 'MissingUser';
  }
}

/** Installation, and the user of it on whose behalf operations are called. */
export interface Identity {
  readonly installation: Installation;
  readonly email: string;
}

/**
 * Opens a session of a user, without its password, and returns its caller. The session's access token lasts ten
 * minutes.
 */
export async function actAs(
  { platform, router }: { platform: Platform; router: Router },
  { installation, email }: Identity,
): Promise<Caller> {
  const origin = {
    installation,
    clientAddress: '127.0.0.1',
    userAgent: 'demonstration',
    skipsRateLimits: true,
    authorization: undefined,
  };
  const user = await reads(UserModel, installation.id).findOne({ emailNormalized: email });
  if (!user) throw new MissingUser(email);
  const { accessToken } = await openSession(new RequestContext(platform, origin), user, { amr: ['pwd'] });
  const prepared = new Map<string, Promise<Prepared>>();
  return {
    async call<T>(source: string, variables: Record<string, unknown> = {}): Promise<T> {
      const operation = prepared.get(source) ?? router.prepare(parse(source), nameOf(source));
      prepared.set(source, operation);
      for (let attempt = 1; ; attempt++) {
        const context = new RequestContext(platform, { ...origin, authorization: `Bearer ${accessToken}` });
        const result = await (await operation).execute(variables, context);
        if (attempt === mostAttempts || !isTransient(result)) return unwrap(result) as T;
        await pause(attempt * 1000);
      }
    },
  };
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
