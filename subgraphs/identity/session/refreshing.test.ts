import fc from 'fast-check';
import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededUser } from '../../../test/support/seed.ts';
import { openTokenEndpoint, type TokenEndpoint, tokensOf } from '../../../test/support/tokenEndpoint.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { encodeRefreshToken } from '../../platform/token/refreshToken.ts';
import { MailModel } from '../mail/model.ts';
import { UserModel } from '../user/model.ts';
import { SessionModel } from './model.ts';
import { openSession } from './openSession.ts';

const world = product();
const { market } = world;
const second = 1000;
const day = 24 * 3600 * second;

let endpoint: TokenEndpoint;

beforeAll(async () => {
  endpoint = openTokenEndpoint(world.stack, market);
});

const stored = (sessionId: string) =>
  scoped(SessionModel, market.installation.id).findOne({ _id: sessionId });
const tokenOf = (sessionId: string, counter: number) =>
  encodeRefreshToken(world.stack.platform.secrets.derive('refresh'), { sessionId, counter });

test('fifty refreshes with one token at once rotate it once, and give everybody the same successor', async () => {
  const user = await market.user();
  const answers = await Promise.all(Array.from({ length: 50 }, () => endpoint.refresh(user.refreshToken)));
  const tokens = answers.map(tokensOf);
  expect(new Set(tokens.map(({ refreshToken }) => refreshToken))).toEqual(
    new Set([tokenOf(user.sessionId, 1)]),
  );
  expect(await stored(user.sessionId)).toMatchObject({ refreshCounter: 1, revokedAt: null });
  for (const { accessToken } of tokens)
    expect((await endpoint.sessionOf(accessToken)).id).toBe(user.sessionId);
});

test('a refresh by fifty at once with a token that was replaced ends the session once, and says so once', async () => {
  const user = await market.user();
  for (const counter of [0, 1]) tokensOf(await endpoint.refresh(tokenOf(user.sessionId, counter)));
  const answers = await Promise.all(Array.from({ length: 50 }, () => endpoint.refresh(user.refreshToken)));
  const codes = answers.map((answer) => problemOf(answer).code);
  expect(codes).toContain('refresh_token_reused');
  for (const code of codes) expect(code).toMatch(/^refresh_token_(reused|invalid)$/);
  await expectOneAlarm(user);
});

/** The session is over; its user is told by one mail, the auditor by one event. */
async function expectOneAlarm({ id, email, sessionId }: SeededUser): Promise<void> {
  expect(await stored(sessionId)).toMatchObject({ revokeReason: 'refresh_token_reused' });
  const events = await scoped(AuditEventModel, market.installation.id).find({ 'target.id': sessionId });
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({
    action: 'refresh_token_reused',
    actor: { type: 'user', id },
    target: { type: 'session', id: sessionId },
    result: 'denied',
    ipPrefix: '192.0.2.0/24',
  });
  expect(events[0]?.requestId).toMatch(/^[0-9a-f-]{36}$/);
  const mails = await scoped(MailModel, market.installation.id).find({ to: email });
  expect(mails.map(({ template }) => template)).toEqual(['sessionEndedByReuse']);
}

test.each(['suspended', 'deletion_scheduled'] as const)(
  'is open to the account that is %s',
  async (state) => {
    const user = await market.user();
    await setState(user, state);
    expect(tokensOf(await endpoint.refresh(user.refreshToken)).sessionId).toBe(user.sessionId);
  },
);

test('of an account that was erased is refused, also as a reuse, and tells nobody', async () => {
  const user = await market.user();
  for (const counter of [0, 1]) tokensOf(await endpoint.refresh(tokenOf(user.sessionId, counter)));
  await setState(user, 'deleted');
  expect(problemOf(await endpoint.refresh(tokenOf(user.sessionId, 2))).code).toBe('refresh_token_invalid');
  expect(problemOf(await endpoint.refresh(user.refreshToken)).code).toBe('refresh_token_reused');
  expect(await scoped(MailModel, market.installation.id).find({ to: user.email })).toEqual([]);
});

async function setState({ id }: SeededUser, state: 'suspended' | 'deletion_scheduled' | 'deleted') {
  await scoped(UserModel, market.installation.id).findOneAndUpdate({ _id: id }, { $set: { state } });
}

test('by another application than the one that signed in is refused, and uses nothing up', async () => {
  const user = await market.user();
  expect(problemOf(await endpoint.refresh(user.refreshToken, { clientId: 'ios-app' }))).toMatchObject({
    code: 'refresh_token_invalid',
    error: 'invalid_grant',
  });
  expect(problemOf(await endpoint.refresh(user.refreshToken, { clientId: 'cli_x' })).code).toBe(
    'client_invalid',
  );
  expect((await stored(user.sessionId))?.refreshCounter).toBe(0);
  expect((await endpoint.refresh(user.refreshToken, { clientId: 'first-party' })).errors).toBeUndefined();
});

/** What happens to a session, in some order: time passes, or a token of some age is shown, by some at once. */
type Step = { readonly wait: number } | { readonly age: number; readonly parallel: number };

/** No sum of these comes near the 30 seconds of the tolerance, the 30 days of idleness or the 90 days at all. */
const waits = [7 * second, 13 * second, 31 * second, 11 * day, 20 * day];
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.record({ wait: fc.constantFrom(...waits) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        // The current token, the one before, older ones, and one that was never issued.
        age: fc.constantFrom(0, 0, 0, 1, 1, 2, 5, -1),
        parallel: fc.constantFrom(1, 1, 2, 4),
      }),
    },
  ),
  { minLength: 1, maxLength: 12 },
);

/** The rules of refreshing, as a state machine of its own. */
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

test('whatever tokens of a session are shown in whatever order and time, it follows the rules', async () => {
  const user = await market.user();
  const record = await scoped(UserModel, market.installation.id).findOne({ _id: user.id });
  if (!record) throw new Error('The user was not stored.');
  const property = fc.asyncProperty(steps, async (taken) => {
    const context = world.stack.contextFor({ installation: market.installation });
    const { sessionId, accessToken } = await openSession(context, record, { amr: ['pwd'] });
    const { authTime } = await endpoint.sessionOf(accessToken);
    const rules = new SessionRules(world.stack.platform.now());
    for (const step of taken) {
      if ('wait' in step) world.stack.advance(step.wait);
      else await show(sessionId, step, rules, authTime);
    }
  });
  await expect(fc.assert(property, { numRuns: 60 })).resolves.toBeUndefined();
}, 120_000);

/** Shows a token as often as asked for, all at once, and compares with the rules. */
async function show(
  sessionId: string,
  { age, parallel }: { age: number; parallel: number },
  rules: SessionRules,
  authTime: string,
): Promise<void> {
  const counter = rules.counter - age;
  if (counter < 0) return;
  const token = tokenOf(sessionId, counter);
  const expected = rules.refresh(counter, world.stack.platform.now());
  const answers = await Promise.all(Array.from({ length: parallel }, () => endpoint.refresh(token)));
  if (expected === 'tokens') {
    for (const answer of answers) {
      const { refreshToken, accessToken } = tokensOf(answer);
      expect(refreshToken).toBe(tokenOf(sessionId, rules.counter));
      expect((await endpoint.sessionOf(accessToken)).authTime).toBe(authTime);
    }
  } else {
    const codes = answers.map((answer) => problemOf(answer).code);
    expect(codes).toContain(expected);
    // Whoever comes after the one that ended the session finds none.
    for (const code of codes) expect([expected, 'refresh_token_invalid']).toContain(code);
  }
  expect(await stored(sessionId)).toMatchObject({
    refreshCounter: rules.counter,
    revokeReason: rules.isOver ? 'refresh_token_reused' : null,
  });
}
