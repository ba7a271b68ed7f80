import { createHmac } from 'node:crypto';
import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { firstOutbox } from '../../../platform/events/outbox.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { isDuplicateKey } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { AcknowledgeSeoPrivacyInput } from '../../seo.generated.ts';
import { findAiSettings, providerHostOf } from '../settings/aiSettings.ts';
import { type AckOwner, acknowledgementsOf, opensFor } from './acknowledgements.ts';
import type { StoredAcknowledgement } from './model.ts';
import { dataCategories, type PolicyText, policyVersion, privacyPolicy } from './privacyPolicy.ts';

/** Stores the acknowledgement, or returns an existing equal one. */
export async function acknowledgeSeoPrivacy(
  input: AcknowledgeSeoPrivacyInput,
  context: RequestContext,
): Promise<{ acknowledgement: StoredAcknowledgement }> {
  const scope = input.scope ?? 'installation';
  if (scope === 'installation') assertAdministrator(context);
  const providerHost = providerHostOf(await findAiSettings(context));
  if (providerHost === null) throw notConfigured();
  const policy = privacyPolicy(input.locale ?? context.installation.locales[0] ?? 'en', providerHost);
  assertPresent(input, policy);
  const owner: AckOwner = { scope, userId: scope === 'user' ? context.viewer.id : null };
  return { acknowledgement: await storeOnce(context, owner, providerHost, policy) };
}

/**
 * Checks that the caller is an administrator.
 *
 * @throws AppError `permission_required`
 */
export function assertAdministrator({ viewer }: RequestContext): void {
  if (viewer.breadthOf('seo:admin') === 'any') return;
  throw new AppError(
    'permission_required',
    'An acknowledgement for the whole installation needs the permission "seo:admin".',
  );
}

/**
 * Returns the error for a missing provider, which must be configured before its policy can be acknowledged or its model
 * called.
 */
export function notConfigured(): AppError {
  return new AppError(
    'seo_ai_not_configured',
    'AI suggestions have no provider yet. Set one in the AI settings.',
  );
}

function assertPresent(input: AcknowledgeSeoPrivacyInput, { hash }: PolicyText): void {
  if (input.policyVersion === policyVersion && (input.textHash ?? hash) === hash) return;
  throw new AppError(
    'consent_version_outdated',
    `The current policy is version "${policyVersion}" and names the current provider. Read it again.`,
    { currentVersion: policyVersion, textHash: hash },
  );
}

async function storeOnce(
  context: RequestContext,
  owner: AckOwner,
  providerHost: string,
  policy: PolicyText,
): Promise<StoredAcknowledgement> {
  const acknowledgements = acknowledgementsOf(context);
  const opens = opensFor(owner, providerHost);
  const existing = await acknowledgements.findOne({ opens });
  if (existing) return existing;
  const record = { ...describe(context, owner, providerHost, policy), opens };
  try {
    return await inTransaction(async (session) => {
      const stored = await acknowledgements.insert(record, { session });
      const target = { type: 'SeoPrivacyAcknowledgement', id: record._id };
      await recordAudit(
        context,
        {
          action: 'acknowledgeSeoPrivacy',
          target,
          reason: `${owner.scope} ${policy.version} ${providerHost}`,
        },
        { session },
      );
      return stored;
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return storeOnce(context, owner, providerHost, policy);
  }
}

function describe(
  context: RequestContext,
  owner: AckOwner,
  providerHost: string,
  policy: PolicyText,
): Omit<StoredAcknowledgement, 'installationId' | 'opens'> {
  const _id = newId('aiAcknowledgement');
  return {
    _id,
    ...owner,
    policyVersion: policy.version,
    textHash: policy.hash,
    locale: policy.locale,
    providerHost,
    dataCategories: [...dataCategories],
    acknowledgedBy: context.viewer.id,
    acknowledgedAt: new Date(context.platform.now()),
    client: {
      ipHash: keyedHash(context, context.clientAddress),
      userAgentHash: keyedHash(context, context.userAgent),
    },
    revokedAt: null,
    revokedBy: null,
    ...firstOutbox(context, 'seo.ai.acknowledged', {
      data: { acknowledgementId: _id, scope: owner.scope, policyVersion: policy.version, providerHost },
    }),
  };
}

function keyedHash({ platform }: RequestContext, text: string): string {
  return createHmac('sha256', platform.secrets.derive('aiAcknowledgement')).update(text).digest('base64url');
}
