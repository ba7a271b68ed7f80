import type { FieldProblem } from '../../../../schema/Problem.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { hashOpaqueToken, newOpaqueToken } from '../../../platform/credentials/opaqueToken.ts';
import { invalidFields, problem } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { dayMs } from '../../../platform/time/durations.ts';
import type { CreateNoticeInput } from '../../identity.generated.ts';
import { findMarkdownFault } from '../../kernel/markdown/findMarkdownFault.ts';
import { checkLine } from '../../kernel/text/checkLine.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { normalizeEmail } from '../../people/user/emailAddress.ts';
import { NoticeModel } from './model.ts';

const longestText = 2000;
const longestId = 120;
const longestUrl = 2048;
/** Lifetime of the link in the mail. */
const lifeMs = 7 * dayMs;
const targets: readonly string[] = ['listing', 'dealer', 'user', 'media'];

/**
 * Stores the notice and sends the link that confirms it. The reported object is not looked up. The response, its
 * duration and its database cost therefore do not reveal whether the object exists.
 */
export async function createNotice(
  input: CreateNoticeInput,
  context: RequestContext,
): Promise<{ accepted: true }> {
  const { installation, installationId, platform } = context;
  const [email, text, name] = [input.email.trim(), input.text.trim(), input.name?.trim() || null];
  const emailNormalized = normalizeEmail(email);
  const problems = [...findProblems({ ...input, text, name, emailNormalized })];
  if (emailNormalized === null || problems.length > 0) throw invalidFields(problems);
  const token = newOpaqueToken();
  const createdAt = new Date(platform.now());
  const expiresAt = new Date(platform.now() + lifeMs);
  const locale = input.locale ?? installation.locales[0] ?? 'en';
  const notice = {
    _id: hashOpaqueToken(token),
    target: { type: input.target.type, id: input.target.id },
    reason: input.reason,
    text,
    url: input.url ?? null,
    name,
    email,
    emailNormalized,
    locale,
    createdAt,
    confirmedAt: null,
    expiresAt,
  };
  const mail = { to: email, locale, template: 'confirmNotice', data: { token } } as const;
  await inTransaction(async (session) => {
    await scoped(NoticeModel, installationId).insert(notice, { session });
    await queueMail(context, { ...mail, usefulUntil: expiresAt }, { session });
  });
  return { accepted: true };
}

function* findProblems({
  target,
  reason,
  text,
  url,
  name,
  emailNormalized,
  goodFaith,
}: Omit<CreateNoticeInput, 'name'> & {
  name: string | null;
  emailNormalized: string | null;
}): Generator<FieldProblem> {
  if (!targets.includes(target.type))
    yield problem('#/target/type', 'The subject of a notice must be a listing, a dealer, a user or a file.');
  yield* checkLine(target.id, '#/target/id', { maximum: longestId });
  if (reason === 'appeal')
    yield problem('#/reason', 'A notice cannot be an appeal. Sign in and appeal against the decision.');
  const fault = text === '' ? 'A notice needs an explanation.' : findMarkdownFault(text, longestText);
  if (fault) yield problem('#/text', fault);
  if (url && !isAddress(url))
    yield problem('#/url', `A URL must use http or https and have at most ${longestUrl} characters.`);
  if (name !== null) yield* checkLine(name, '#/name', { maximum: 100 });
  if (emailNormalized === null)
    yield problem('#/email', 'An email address must have the form name@example.com.');
  if (!goodFaith)
    yield problem('#/goodFaith', 'A notice must be given in good faith. Send true to confirm that it is.');
}

function isAddress(text: string): boolean {
  return text.length <= longestUrl && /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}
