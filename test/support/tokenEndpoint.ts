import type { ExecutionResult } from 'graphql';
import type { Installation } from '../../subgraphs/platform/installation/Installation.ts';
import type { TestStack } from './openTestStack.ts';
import { problemOf } from './problemOf.ts';

/** Password of the accounts that sign in with one. */
export const goodPassword = 'plum-tractor-9-violin';

type Answer = ExecutionResult<Record<string, any>>;

/** Tokens of a session. */
interface Issued {
  accessToken: string;
  tokenType: string;
  expiresIn: number;
  refreshToken: string;
  refreshExpiresIn: number;
  scope: string;
  sessionId: string;
}

/** The token endpoint of one installation, over GraphQL. */
export interface TokenEndpoint {
  issue(input: object, at?: { installation: Installation }): Promise<Answer>;
  refresh(refreshToken: string, more?: object): Promise<Answer>;
  /** The password of an account; `goodPassword` unless another one is given. */
  firstStep(account: { email: string }, more?: object): Promise<Answer>;
  secondStep(mfaToken: unknown, more: object, at?: { installation: Installation }): Promise<Answer>;
  /** What a first step leaves to the second one. */
  mfaTokenOf(account: { email: string }, more?: object): Promise<string>;
  /** The session of an access token, as `/me` shows it. */
  sessionOf(accessToken: string): Promise<{ id: string; authTime: string; amr: string[] }>;
}

const issue = `mutation ($input: IssueTokenInput!) { issueToken(input: $input) { tokens {
  accessToken tokenType expiresIn refreshToken refreshExpiresIn scope sessionId } } }`;

export function openTokenEndpoint(stack: TestStack, home: { installation: Installation }): TokenEndpoint {
  const run: TokenEndpoint['issue'] = (input, { installation } = home) =>
    stack.execute(issue, { input }, { installation, subgraph: 'identity' });
  const endpoint: TokenEndpoint = {
    issue: run,
    refresh: (refreshToken, more = {}) => run({ grantType: 'refresh_token', refreshToken, ...more }),
    firstStep: ({ email }, more = {}) =>
      run({ grantType: 'password', username: email, password: goodPassword, ...more }),
    secondStep: (mfaToken, more, at) => run({ grantType: 'urn:marketplace:mfa-otp', mfaToken, ...more }, at),
    async mfaTokenOf(account, more) {
      const problem: object = problemOf(await endpoint.firstStep(account, more));
      return (problem as { mfaToken: string }).mfaToken;
    },
    async sessionOf(accessToken) {
      const source = '{ me { session { id authTime amr } } }';
      const { data } = await stack.execute(source, {}, { ...home, as: accessToken, subgraph: 'identity' });
      return data?.me.session;
    },
  };
  return endpoint;
}

/** The tokens of an answer; fails with its error if there are none. */
export function tokensOf({ data, errors }: Answer): Issued {
  if (errors) throw errors[0];
  return data?.issueToken.tokens;
}
