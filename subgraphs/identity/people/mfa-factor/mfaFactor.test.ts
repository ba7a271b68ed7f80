import { URI } from 'otpauth';
import { concurrently } from '../../../../test/support/concurrently.ts';
import { type Authenticator, openAuthenticator } from '../../../../test/support/people/authenticator.ts';
import { leaveTime } from '../../../../test/support/people/secondFactor.ts';
import { signInAgain } from '../../../../test/support/people/signInAgain.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import { isRefused, type Refusal } from '../../../../test/support/Refusal.ts';
import type { Caller } from '../../../../test/support/seed.ts';
import { AuditEventModel } from '../../../platform/audit/store/model.ts';
import { ExecutionModel } from '../../../platform/idempotency/model.ts';
import { MailModel } from '../../mail/model.ts';
import { UserModel } from '../user/model.ts';

const { market, stack } = product();
const minute = 60_000;
const user = perTest(() => market.user());

const now = () => stack.platform.now();
const mfaOf = async (by: Caller = user) =>
  (await by.me({}, 'mfa { enabled factors { id state } recoveryCodesLeft }')).mfa;
const stored = () => market.records(UserModel).findOne({ _id: user.id });
const mails = async () => {
  const sent = await market.records(MailModel).find({ to: user.email });
  return sent.map(({ template }) => template);
};

interface Enrolled {
  factorId: string;
  app: Authenticator;
}

async function enroll(by: Caller = user): Promise<Enrolled> {
  const { enrollment } = await by.enrollMfaFactor({ label: 'Phone' });
  return { factorId: enrollment.factor.id, app: openAuthenticator(enrollment.secret) };
}
const verify = ({ factorId, app }: Enrolled, otp = app.code(now()), by: Caller = user) =>
  by.verifyMfaFactor({ factorId, otp });

test('an enrollment returns the secret as text and as the URI of a QR code, and stores it sealed', async () => {
  const { enrollment } = await user.enrollMfaFactor({ label: ' Phone ' });
  const { factor, secret, otpauthUri, expiresAt } = enrollment;
  expect(factor).toMatchObject({ type: 'TOTP', label: 'Phone', state: 'UNVERIFIED' });
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(Date.parse(String(expiresAt)) - Date.parse(String(factor.createdAt))).toBe(10 * minute);
  const read = URI.parse(otpauthUri);
  const issuer = market.installation.name;
  expect(read).toMatchObject({ issuer, label: user.email, algorithm: 'SHA1', digits: 6, period: 30 });
  expect(read.secret.base32).toBe(secret);
  expect(JSON.stringify(await stored())).not.toContain(secret);
  const factors = [{ id: factor.id, state: 'UNVERIFIED' }];
  expect(await mfaOf()).toEqual({ enabled: false, factors, recoveryCodesLeft: 0 });
});

test.each(['', '   ', 'x'.repeat(61), 'Ph\u202eone'])(
  'a factor with the label %j is refused',
  async (label) => {
    expect(await user.enrollMfaFactor({ label })).toBeInvalid('#/label');
  },
);

test('five of twenty concurrent enrollments succeed', async () => {
  const label = 'Phone';
  const answers = await concurrently(20, () => user.enrollMfaFactor({ label }));
  expect(answers).toBeRefusedTimes(15, 409, 'factor_limit');
  expect((await stored())?.factors).toHaveLength(5);
});

test('a factor that is not verified within 10 minutes is deleted', async () => {
  const old = await enroll();
  for (let index = 0; index < 4; index += 1) await enroll();
  expect(await user.enrollMfaFactor({ label: 'x' })).toBeRefused(409, 'factor_limit');
  stack.advance(10 * minute);
  const later = market.caller((await signInAgain({ stack, market }, user)).accessToken);
  expect((await mfaOf(later))?.factors).toEqual([]);
  expect(await verify(old, undefined, later)).toBeRefused(404, 'not_found');
  await enroll(later);
  expect((await stored())?.factors).toHaveLength(1);
});

test('a repeated enrollment is refused after its verification, and its stored record contains no secret', async () => {
  const input = { label: 'Phone', idempotencyKey: 'k1' };
  const { enrollment } = await user.enrollMfaFactor(input);
  const factorId = enrollment.factor.id;
  const kept = await market.records(ExecutionModel).find({});
  expect(kept.map(({ payload }) => payload)).toContainEqual({ factorId });
  expect(JSON.stringify(kept)).not.toContain(enrollment.secret);
  await verify({ factorId, app: openAuthenticator(enrollment.secret) });
  expect(await user.enrollMfaFactor(input)).toBeRefused(409, 'invalid_transition');
});

test('a code of another implementation activates the factor and returns ten recovery codes', async () => {
  const enrolled = await enroll();
  const { factor, recoveryCodes } = await verify(enrolled);
  expect(factor).toMatchObject({ id: enrolled.factorId, state: 'ACTIVE' });
  expect(new Set(recoveryCodes).size).toBe(10);
  const record = JSON.stringify(await stored());
  for (const code of recoveryCodes ?? []) {
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(record).not.toContain(code);
  }
  expect(await mfaOf()).toMatchObject({ enabled: true, recoveryCodesLeft: 10 });
  expect(await mails()).toEqual(['mfaFactorAdded']);
  const events = market.records(AuditEventModel);
  const event = { action: 'verifyMfaFactor', actor: { type: 'user', id: user.id }, result: 'allowed' };
  expect(await events.findOne({ 'target.id': enrolled.factorId })).toMatchObject(event);
});

test.each([-1, 0, 1])('a code that is %i steps away verifies a factor', async (steps) => {
  const enrolled = await enroll();
  leaveTime(stack);
  expect(await verify(enrolled, enrolled.app.code(now(), steps))).not.toBeRefused();
});

test.each([
  ['two steps ago', ({ code }: Authenticator) => code(now(), -2)],
  ['two steps ahead', ({ code }: Authenticator) => code(now(), 2)],
  ['with a letter', () => '12345x'],
  ['of five digits', () => '12345'],
  ['of other digits', () => '١٢٣٤٥٦'],
  ['without digits', () => ''],
])('a code %s does not verify a factor', async (_, otpOf) => {
  const enrolled = await enroll();
  const errors = [{ pointer: '#/otp' }];
  expect(await verify(enrolled, otpOf(enrolled.app))).toBeRefused(422, 'otp_invalid', { errors });
  expect((await mfaOf())?.enabled).toBe(false);
});

test('only the first verified factor returns recovery codes, also for concurrent verifications', async () => {
  const [one, two] = [await enroll(), await enroll()];
  const both = await Promise.all([verify(one), verify(two)]);
  expect(both.filter(({ recoveryCodes }) => recoveryCodes !== null)).toHaveLength(1);
  expect((await mfaOf())?.recoveryCodesLeft).toBe(10);
  expect((await verify(await enroll())).recoveryCodes).toBeNull();
});

test('one of four concurrent verifications of a factor succeeds', async () => {
  const enrolled = await enroll();
  const answers: unknown[] = await concurrently(4, () => verify(enrolled));
  const refusals = answers.filter(isRefused);
  expect(refusals).toHaveLength(3);
  for (const refusal of refusals)
    expect((refusal as Refusal).problem?.code).toMatch(/^(invalid_transition|concurrent_update)$/);
  expect(await verify(enrolled)).toBeRefused(409, 'invalid_transition');
  expect(await mails()).toEqual(['mfaFactorAdded']);
});

test('the verification of a factor is refused for 5 minutes after five wrong codes, also concurrent ones', async () => {
  const enrolled = await enroll();
  const wrong = enrolled.app.wrongCode(now());
  const answers: unknown[] = await concurrently(12, () => verify(enrolled, wrong));
  const codes = answers.map((answer) => (answer as Refusal).problem?.code);
  expect(codes.filter((code) => code === 'otp_invalid')).toHaveLength(5);
  const slowed: unknown = await verify(enrolled);
  expect(slowed).toBeRefused(429, 'too_many_attempts');
  expect((slowed as Refusal).problem?.retryAfter).toBeLessThanOrEqual(300);
  expect((await mfaOf())?.enabled).toBe(false);
  stack.advance(5 * minute + 1000);
  expect(await verify(enrolled)).not.toBeRefused();
});
