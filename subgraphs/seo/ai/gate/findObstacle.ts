import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { type AckOwner, findAcknowledgement, invalidReasonOf } from '../acknowledgement/acknowledgements.ts';
import { notConfigured } from '../acknowledgement/acknowledgeSeoPrivacy.ts';
import type { StoredAcknowledgement } from '../acknowledgement/model.ts';
import { policyVersion } from '../acknowledgement/privacyPolicy.ts';
import { isConfigured, providerHostOf } from '../settings/aiSettings.ts';
import type { StoredAiSettings } from '../settings/model.ts';

/** Deciding acknowledgement, and why it is not valid. */
interface AckVerdict {
  readonly acknowledgement: StoredAcknowledgement | null;
  readonly refusal: AppError | null;
}

/**
 * Returns the first obstacle between a caller and the provider, in the order of the gates: disabled, not configured,
 * not acknowledged. Every request depends on this check, and it is repeated while a request is in progress.
 */
export function findObstacle(
  context: RequestContext,
  settings: StoredAiSettings,
  { refusal }: AckVerdict,
): AppError | null {
  if (!settings.enabled)
    return new AppError('seo_ai_disabled', 'AI suggestions are disabled in this installation.');
  return isConfigured(context, settings) ? refusal : notConfigured();
}

/** Returns the first missing acknowledgement: the installation's, or the caller's if it is required. */
export async function checkAcknowledgements(
  context: RequestContext,
  settings: StoredAiSettings,
): Promise<AckVerdict> {
  const installation = await checkAcknowledgement(context, settings, { scope: 'installation', userId: null });
  if (installation.refusal || !settings.requireUserAcknowledgement) return installation;
  const own = await checkAcknowledgement(context, settings, { scope: 'user', userId: context.viewer.id });
  return own.refusal ? own : installation;
}

async function checkAcknowledgement(
  context: RequestContext,
  settings: StoredAiSettings,
  owner: AckOwner,
): Promise<AckVerdict> {
  const host = providerHostOf(settings);
  const acknowledgement = await findAcknowledgement(context, owner, host);
  const reason = invalidReasonOf(acknowledgement, host);
  return { acknowledgement, refusal: reason && refuse(owner, reason) };
}

function refuse({ scope }: AckOwner, reason: string): AppError {
  const whose = scope === 'user' ? 'You have' : 'The installation has';
  return new AppError(
    'seo_ai_acknowledgement_required',
    `${whose} not acknowledged the current privacy policy for the current provider.`,
    { policyVersion, scope, reason },
  );
}
