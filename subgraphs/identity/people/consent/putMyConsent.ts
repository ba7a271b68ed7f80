import type { ClientSession } from 'mongoose';
import type { FieldProblem } from '../../../../schema/Problem.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields, notFound, problem } from '../../../platform/errors/AppError.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { type ConsentPurpose, consentPurposes } from '../../../platform/installation/Installation.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { PutMyConsentInput } from '../../identity.generated.ts';
import { type StoredConsent, UserModel } from '../user/model.ts';
import { ConsentModel } from './model.ts';

const sourcePattern = /^[a-z][a-z0-9-]{0,39}$/;

/**
 * Records a consent decision. The user's record is read and written first, so of concurrent equal decisions, the later
 * ones find the first.
 */
export function putMyConsent(input: PutMyConsentInput, context: RequestContext) {
  const decision = readDecision(input, context);
  return inTransaction(async (session) => ({ consent: await keep(decision, context, session) }));
}

type Decision = Omit<StoredConsent, 'at'> & { purpose: ConsentPurpose };

function readDecision(input: PutMyConsentInput, { installation }: RequestContext): Decision {
  const purpose = consentPurposes.find((name) => name === input.purpose);
  if (!purpose) throw notFound('The purpose');
  const { version, granted } = input;
  const source = input.source ?? 'web';
  const problems: FieldProblem[] = [];
  if (version.length < 1 || version.length > 60) {
    problems.push(problem('#/version', 'A version must have 1 to 60 characters.'));
  }
  if (!sourcePattern.test(source)) {
    problems.push(problem('#/source', 'A source must have at most 40 characters of a-z, 0-9 and hyphens.'));
  }
  if (problems.length > 0) throw invalidFields(problems);
  const currentVersion = installation.settings.consentVersions[purpose];
  if (version === currentVersion) return { purpose, version, granted, source };
  throw new AppError(
    'consent_version_outdated',
    `The current version of this text is "${currentVersion}". Show it to the user, and send its version.`,
    {
      currentVersion,
    },
  );
}

async function keep(
  decision: Decision,
  { installationId, platform, viewer }: RequestContext,
  session: ClientSession,
): Promise<StoredConsent> {
  const { purpose, version, granted } = decision;
  const users = scoped(UserModel, installationId);
  const user = await users.findOne({ _id: viewer.id }, { projection: { consents: 1 }, session });
  if (!user) throw notFound('The user');
  const consents = user.consents ?? [];
  const latest = consents.find((consent) => consent.purpose === purpose);
  if (latest?.version === version && latest.granted === granted) return latest;
  const at = new Date(platform.now());
  const consent: StoredConsent = { ...decision, at };
  const others = consents.filter((one) => one.purpose !== purpose);
  await users.findOneAndUpdate(
    { _id: viewer.id },
    { $set: { consents: [...others, consent], updatedAt: at }, $inc: { version: 1 } },
    { session },
  );
  await scoped(ConsentModel, installationId).insert(
    { _id: newId('consent'), userId: viewer.id, ...decision, at },
    { session },
  );
  return consent;
}
