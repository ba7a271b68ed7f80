import fc from 'fast-check';
import { concurrently } from '../../../../test/support/concurrently.ts';
import { product } from '../../../../test/support/product.ts';
import { isRefused, type Refusal } from '../../../../test/support/Refusal.ts';
import type { SeededUser } from '../../../../test/support/seed.ts';
import { encodeRefreshToken } from '../../../platform/credentials/refreshToken.ts';
import { MailModel } from '../../mail/model.ts';
import { SessionModel } from '../session/model.ts';
import { openSession } from '../session/openSession.ts';
import { UserModel } from '../user/model.ts';

const { market, stack } = product();
const second = 1000;
const day = 24 * 3600 * second;

const refresh = (refreshToken: string, more = {}) =>
  market.visitor.issueToken({ grantType: 'refresh_token', refreshToken, ...more });
const refreshTimes = (times: number, token: string) => concurrently(times, () => refresh(token));
const sessionOf = async (token: string) =>
  (await market.caller(token).me({}, 'session { id authTime }')).session;
const stored = (sessionId: string) => market.records(SessionModel).findOne({ _id: sessionId });
const mailsTo = (email: string) => market.records(MailModel).find({ to: email });
const users = () => market.records(UserModel);
const tokenOf = (sessionId: string, counter: number) =>
  encodeRefreshToken(stack.platform.secrets.derive('refresh'), { sessionId, counter });
const codesOf = (answers: readonly unknown[]) =>
  answers.map((answer) => (answer as Refusal).problem?.code ?? 'none');

/** Rotates the refresh token of a new user twice, so that the first one is a reuse. */
async function replaceTwice(): Promise<SeededUser> {
  const user = await market.user();
  for (const counter of [0, 1]) expect(await refresh(tokenOf(user.sessionId, counter))).not.toBeRefused();
  return user;
}

test('fifty concurrent refreshes with the same token rotate it once and return the same successor', async () => {
  const user = await market.user();
  const answers = await refreshTimes(50, user.refreshToken);
  const successors = new Set(answers.map(({ tokens }) => tokens.refreshToken));
  expect(successors).toEqual(new Set([tokenOf(user.sessionId, 1)]));
  expect(await stored(user.sessionId)).toMatchObject({ refreshCounter: 1, revokedAt: null });
  for (const { tokens } of answers) expect((await sessionOf(tokens.accessToken))?.id).toBe(user.sessionId);
});

test('concurrent reuses of a replaced token end the session with one mail and one audit event', async () => {
  const user = await replaceTwice();
  const { id, email, sessionId } = user;
  const codes = codesOf(await refreshTimes(50, user.refreshToken));
  expect(codes).toContain('refresh_token_reused');
  for (const code of codes) expect(code).toMatch(/^refresh_token_(reused|invalid)$/);
  expect(await stored(sessionId)).toMatchObject({ revokeReason: 'refresh_token_reused' });
  const events = await market.audits({ 'target.id': sessionId });
  expect(events).toEqual([
    expect.objectContaining({
      action: 'refresh_token_reused',
      actor: expect.objectContaining({ type: 'user', id }),
      result: 'denied',
      ipPrefix: '192.0.2.0/24',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    }),
  ]);
  expect((await mailsTo(email)).map(({ template }) => template)).toEqual(['sessionEndedByReuse']);
});

test.each(['suspended', 'deletion_scheduled'] as const)('a user who is %s can refresh', async (state) => {
  const { refreshToken } = await market.user({ state });
  expect(await refresh(refreshToken)).not.toBeRefused();
});

test('a refresh of an erased account and a reuse of its token are refused without a mail', async () => {
  const user = await replaceTwice();
  await users().findOneAndUpdate({ _id: user.id }, { $set: { state: 'deleted' } });
  expect(await refresh(tokenOf(user.sessionId, 2))).toBeRefused(401, 'refresh_token_invalid');
  expect(await refresh(user.refreshToken)).toBeRefused(401, 'refresh_token_reused');
  expect(await mailsTo(user.email)).toEqual([]);
});

test('a refresh by another client than that of the sign-in is refused and does not rotate the token', async () => {
  const { refreshToken, sessionId } = await market.user();
  const refused = await refresh(refreshToken, { clientId: 'ios-app' });
  expect(refused).toBeRefused(401, 'refresh_token_invalid', { error: 'invalid_grant' });
  expect(await refresh(refreshToken, { clientId: 'cli_x' })).toBeRefused(401, 'client_invalid');
  expect((await stored(sessionId))?.refreshCounter).toBe(0);
  expect(await refresh(refreshToken, { clientId: 'first-party' })).not.toBeRefused();
});

/** A step of a session: time passes, or concurrent requests use a token of an age. */
type Step = { readonly wait: number } | { readonly age: number; readonly parallel: number };

/** No sum of these is close to the tolerance of 30 seconds, the 30 days of idleness or the 90 days in total. */
const waits = [7 * second, 13 * second, 31 * second, 11 * day, 20 * day];
const wait = fc.record({ wait: fc.constantFrom(...waits) });
const use = fc.record({
  // The current token, the previous one, older ones, and one that was never issued.
  age: fc.constantFrom(0, 0, 0, 1, 1, 2, 5, -1),
  parallel: fc.constantFrom(1, 1, 2, 4),
});
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof({ weight: 1, arbitrary: wait }, { weight: 3, arbitrary: use }),
  { minLength: 1, maxLength: 12 },
);

/** The rules of refreshing as an independent state machine. */
class SessionRules {
  counter = 0;
  isOver = false;
  private readonly createdAt: number;
  private usedAt: number;
  private rotatedAt = Number.NEGATIVE_INFINITY;

  constructor(at: number) {
    this.createdAt = at;
    this.usedAt = at;
  }

  refresh(counter: number, now: number): 'tokens' | 'refresh_token_invalid' | 'refresh_token_reused' {
    const isLive = !this.isOver && now - this.usedAt < 30 * day && now - this.createdAt < 90 * day;
    if (!isLive || counter < 0 || counter > this.counter) return 'refresh_token_invalid';
    if (counter === this.counter) {
      this.counter += 1;
      this.rotatedAt = now;
      this.usedAt = now;
      return 'tokens';
    }
    if (counter === this.counter - 1 && now - this.rotatedAt <= 30 * second) return 'tokens';
    this.isOver = true;
    return 'refresh_token_reused';
  }
}

test('a session follows the rules of refreshing for tokens in any order and at any time', async () => {
  const record = await users().findOne({ _id: (await market.user()).id });
  if (!record) throw new Error('The user was not stored.');
  const property = fc.asyncProperty(steps, async (taken) => {
    const { sessionId, accessToken } = await openSession(stack.contextFor(market), record, {
      amr: ['pwd'],
    });
    const session = await sessionOf(accessToken);
    const rules = new SessionRules(stack.platform.now());
    for (const step of taken) {
      if ('wait' in step) stack.advance(step.wait);
      else await useToken(sessionId, step, { rules, session });
    }
  });
  await expect(fc.assert(property, { numRuns: 15 })).resolves.toBeUndefined();
}, 120_000);

/** Uses a token in concurrent requests and compares the answers with the rules. */
async function useToken(
  sessionId: string,
  { age, parallel }: { age: number; parallel: number },
  { rules, session }: { rules: SessionRules; session: unknown },
): Promise<void> {
  const counter = rules.counter - age;
  if (counter < 0) return;
  const expected = rules.refresh(counter, stack.platform.now());
  const answers = await refreshTimes(parallel, tokenOf(sessionId, counter));
  if (expected === 'tokens') {
    expect(answers.some(isRefused)).toBe(false);
    for (const { tokens } of answers) {
      expect(tokens.refreshToken).toBe(tokenOf(sessionId, rules.counter));
      expect(await sessionOf(tokens.accessToken)).toEqual(session);
    }
  } else {
    const codes = codesOf(answers);
    expect(codes).toContain(expected);
    // After the request that ended the session, there is no session for the others.
    for (const code of codes) expect([expected, 'refresh_token_invalid']).toContain(code);
  }
  expect(await stored(sessionId)).toMatchObject({
    refreshCounter: rules.counter,
    revokeReason: rules.isOver ? 'refresh_token_reused' : null,
  });
}
