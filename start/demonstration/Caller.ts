import type { ExecutionResult } from 'graphql';
import { parse } from 'graphql';
import type { Router } from '../../router/createRouter.ts';
import type { Prepared } from '../../router/execution/Engine.ts';
import type { Platform } from '../../subgraphs/platform/context/Platform.ts';
import { RequestContext } from '../../subgraphs/platform/context/RequestContext.ts';
import type { Installation } from '../../subgraphs/platform/installation/Installation.ts';

/** Calls the product's operations inside the process, with guards and all, as one person. */
export interface Caller {
  /** @throws Error with the first refusal: what the seed asks for must be granted */
  call<T>(source: string, variables?: Record<string, unknown>): Promise<T>;
}

const issueToken = `mutation issueToken($input: IssueTokenInput!) { issueToken(input: $input) { tokens { accessToken } } }`;

/** Signs a person in and answers his caller; the token is renewed by signing in again before it ends. */
export async function signIn(
  { platform, router }: { platform: Platform; router: Router },
  installation: Installation,
  credentials: { username: string; password: string },
): Promise<Caller> {
  const prepared = new Map<string, Prepared>();
  const call = async <T>(source: string, variables: Record<string, unknown>, token?: string): Promise<T> => {
    let operation = prepared.get(source);
    if (!operation) {
      operation = router.prepare(parse(source), /^\w+ (\w+)/.exec(source)?.[1] ?? '');
      prepared.set(source, operation);
    }
    const context = new RequestContext(platform, {
      installation,
      clientAddress: '127.0.0.1',
      userAgent: 'demonstration',
      authorization: token === undefined ? undefined : `Bearer ${token}`,
    });
    return unwrap(await operation.execute(variables, context)) as T;
  };
  const input = { grantType: 'password', ...credentials };
  const { issueToken: issued } = await call<{ issueToken: { tokens: { accessToken: string } } }>(issueToken, {
    input,
  });
  return { call: (source, variables = {}) => call(source, variables, issued.tokens.accessToken) };
}

function unwrap({ data, errors }: ExecutionResult): unknown {
  const [first] = errors ?? [];
  if (first) throw new Error(`${first.message} ${JSON.stringify(first.extensions.problem ?? {})}`);
  return data;
}
